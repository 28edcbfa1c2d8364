"""Options for the model, and for books."""

from dataclasses import dataclass
from typing import ClassVar

from ..errors import UsageError
from .paging import PagingOptions
from .table import Options, option

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "float32", "bfloat16", "float16")
DEFAULT_MODEL = "mini"


@dataclass(frozen=True)
class RecursionOptions(Options):
    """Whether documents are books, which are summarized chapter by chapter."""

    panel: ClassVar[str] = "Books"

    recursive: bool = option(
        False,
        "Summarize each chapter of a book, then the chapters' summaries. Each of several files is a chapter; with "
        "--each, a book.",
    )
    chapter_model: str | None = option(
        None,
        "With --recursive: the model that summarizes the chapters. Default: the same --model.",
        metavar="NAME",
        requires="recursive",
    )

    def check(self, paging: PagingOptions) -> None:
        """Check the options of books."""
        if self.recursive and paging.beyond_abstract:
            raise UsageError("--beyond-abstract given together with --recursive", "leave one of them out")


@dataclass(frozen=True)
class ModelNameOptions(Options):
    """Which checkpoint is used."""

    panel: ClassVar[str] = "Model"

    model: str = option(
        DEFAULT_MODEL,
        "Name of a bundled or added model, folder of a checkpoint, or Hugging Face id.",
        metavar="NAME",
        flags=("-m",),
    )


@dataclass(frozen=True)
class ModelOptions(ModelNameOptions):
    """Which checkpoint is used, and how it computes."""

    device: str = option("auto", "Device to compute on. auto: a GPU if there is one.", choices=DEVICES)
    dtype: str | None = option(
        None,
        "Number format of the weights. auto: bfloat16 where the hardware supports it natively. "
        "Default: float32 in eval, otherwise auto.",
        choices=DTYPES,
    )
