"""Options for the model, for cutting documents into pages, and for books."""

from dataclasses import dataclass, replace

from ..errors import UsageError
from .table import Options, option

DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "float32", "bfloat16", "float16")
DEFAULT_MODEL = "editor"
FAST_MODEL = "mini"
LOCALITIES = ["auto", "spatial", "discourse", "document"]
"""Names of the localities; :data:`pagesum_cli.locality.LOCALITIES` has what forms their units."""

MIN_PAGE_TOKENS = 34

UNITS = "units"
"""As ``num_pages``: a section, or a document, a page, as many as there are, each truncated (the
paper, §3).
"""

# as ``num_pages``: pages of exactly ``page_tokens`` tokens of text, as in the paper's Tables 5 and
# 6
EXACT = "tokens"


@dataclass(frozen=True)
class PagingOptions(Options, panel="Parts"):
    """How documents are cut into pages. None stands for the checkpoint's own value.

    ``page_tokens`` (S) counts special tokens, ``document_tokens`` and ``source_tokens`` do not.
    """

    locality: str = option(
        "auto",
        "How the text is divided into parts: by runs of sentences (spatial), sections "
        "(discourse) or files (document). "
        "auto: as the model was trained; otherwise document for several files, discourse if "
        "sections are found, else spatial.",
        choices=LOCALITIES,
        brief="Divide by spatial, discourse or document.",
    )
    page_tokens: int | None = option(
        None,
        "Tokens per part. Default: the model's own.",
        min=MIN_PAGE_TOKENS,
        brief="Tokens per part.",
    )
    max_pages: int | None = option(
        None,
        "Read at most N parts, and report what is not read.",
        min=1,
        brief="Read at most N parts.",
    )
    num_pages: int | str | None = option(
        None,
        "Divide the text into exactly N parts, as the original PageSum program does; units: one "
        "part per section or document, truncated, as many as there are; tokens: a new part after "
        "every --page-tokens tokens of text.",
        min=1,
        words=(UNITS, EXACT),
        metavar="N|units|tokens",
        research=True,
    )
    document_tokens: int | None = option(
        None,
        "Read only the first N tokens of each document, whatever the size of its parts.",
        min=1,
        research=True,
    )
    source_tokens: int | None = option(
        None,
        "Read only N tokens of all documents together: the first N/m of each of m documents, and "
        "more of the longer documents if others are shorter. Default: as the model was trained.",
        min=1,
        research=True,
    )
    overflow: str = option(
        "continue",
        "What to do with a section too long for one part: continue in further parts, or truncate "
        "it as the paper does.",
        choices=("continue", "truncate"),
        research=True,
    )
    beyond_abstract: bool = option(
        False,
        "Leave out the abstract, for those who have read it, and summarize the rest without "
        "repeating it.",
        brief="Summarize what the abstract leaves out.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        limited = self.max_pages is not None and self.num_pages != UNITS
        if self.num_pages is not None and (limited or self.overflow != "continue"):
            message = f"--num-pages {self.num_pages} given together with --max-pages or --overflow"
            raise UsageError(
                message,
                "--num-pages divides the text as the original program does, which truncates",
            )
        if self.document_tokens is not None and self.source_tokens is not None:
            raise UsageError(
                f"--document-tokens {self.document_tokens} given together with "
                f"--source-tokens {self.source_tokens}",
                "--document-tokens limits each document, --source-tokens all of them together: "
                "use one or the other",
            )

    def filled(
        self,
        page_tokens: int,
        num_pages: int | str | None,
        max_position_embeddings: int,
        locality: str = "auto",
        source_tokens: int | None = None,
    ) -> "PagingOptions":
        """The options with a checkpoint's own values where nothing was given."""
        chosen = self.page_tokens or min(page_tokens, max_position_embeddings)
        if chosen > max_position_embeddings:
            message = (
                f"--page-tokens {chosen}, but the model has {max_position_embeddings} positions"
            )
            raise UsageError(message, f"use at most {max_position_embeddings}")
        fixed = self.num_pages
        if (
            fixed is None
            and self.overflow == "continue"
            and (self.max_pages is None or num_pages == UNITS)
        ):
            fixed = num_pages
        elif fixed is None and num_pages is not None:
            message = (
                f"a checkpoint with a fixed number of {num_pages} parts takes neither "
                f"--max-pages nor --overflow"
            )
            raise UsageError(message, "leave them out: its parts are formed as in the paper")
        chosen_locality = locality if self.locality == "auto" else self.locality
        read = self.source_tokens if self.source_tokens or self.document_tokens else source_tokens
        return replace(
            self, locality=chosen_locality, page_tokens=chosen, num_pages=fixed, source_tokens=read
        )


@dataclass(frozen=True)
class RecursionOptions(Options, panel="Books"):
    """Whether documents are books, which are summarized chapter by chapter."""

    recursive: bool | None = option(
        None,
        "Summarize each chapter of a book, then the chapters' summaries. Each of several files "
        "is a chapter; with "
        "--each, a book. Default: for a long document with chapters and an extractive model, "
        "except in eval.",
        flags=("--recursive/--no-recursive",),
        brief="A book: its chapters, then the whole.",
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
            raise UsageError(
                "--beyond-abstract given together with --recursive", "leave one of them out"
            )


@dataclass(frozen=True)
class ModelNameOptions(Options, panel="Model"):
    """Which checkpoint is used."""

    model: str = option(
        DEFAULT_MODEL,
        "Name of a bundled or added model, folder of a checkpoint, or Hugging Face id.",
        metavar="NAME",
        flags=("-m",),
        brief="The model; pagesum models lists them.",
    )
    fast: bool = option(
        False,
        f"Use the model {FAST_MODEL}, which is several times as fast but selects less well: for "
        "folders and old machines.",
        brief="A faster model, which selects less well.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.fast and self.model not in (DEFAULT_MODEL, FAST_MODEL):
            raise UsageError("--fast given together with --model", "leave one of them out")
        if self.fast:
            object.__setattr__(self, "model", FAST_MODEL)
            object.__setattr__(self, "fast", False)  # the same options as with --model


@dataclass(frozen=True)
class ModelOptions(ModelNameOptions):
    """Which checkpoint is used, and how it computes."""

    device: str = option(
        "auto", "Device to compute on. auto: a GPU if there is one.", choices=DEVICES
    )
    dtype: str | None = option(
        None,
        "Number format of the weights. auto: bfloat16 where the hardware is faster with it. "
        "Default: float32 in eval, otherwise auto.",
        choices=DTYPES,
    )
