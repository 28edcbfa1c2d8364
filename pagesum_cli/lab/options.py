"""The options of human evaluation."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ..errors import PagesumError, UsageError
from ..evaluation.significance import SEED
from ..options import MAX_SEED, Options, option
from .annotation import REFERENCE
from .protocols import PROTOCOLS


@dataclass(frozen=True)
class AnnotationOptions(Options):
    """Human evaluation: what is annotated, or what was annotated."""

    panel: ClassVar[str] = "Human evaluation"

    annotate: Path | None = option(
        None, "Make sheets for annotators in this folder, of summaries given by --results.", metavar="DIR"
    )
    protocol: str = option(
        "errors",
        "errors: spans of errors of coherence; best-worst: the better of two summaries, beside the reference.",
        choices=tuple(PROTOCOLS),
    )
    results: tuple[str, ...] = option(
        (), "A system's results.jsonl, named after its folder unless NAME is given. Repeat it.", metavar="[NAME=]FILE"
    )
    references_as_system: bool = option(False, "Annotate the references too, as a system of their own.")
    documents: int = option(30, "Number of documents, selected at random.", min=1)
    seed: int = option(SEED, "Seed of the selection and of the order.", min=0, max=MAX_SEED)
    annotations: tuple[Path, ...] = option(
        (), "A sheet that an annotator filled in. Repeat it for each annotator.", metavar="FILE"
    )
    key: Path | None = option(
        None, "Key of the sheets: whose summaries they are. Default with --annotate: DIR.key.json.", metavar="FILE"
    )
    force: bool = option(False, "Replace sheets and key that exist.")

    @property
    def systems(self) -> dict[str, Path]:
        """The files of results by the name of their system."""
        named: dict[str, Path] = {}
        for given in self.results:
            name, _, file = given.rpartition("=") if not Path(given).exists() else ("", "", given)
            name = name or Path(file).absolute().parent.name
            if name in (*named, REFERENCE):
                raise UsageError(f"two systems are called {name!r}", "--results NAME=FILE names them")
            named[name] = Path(file)
        return named

    @property
    def key_file(self) -> Path:
        """The key: beside the folder, which goes to the annotators."""
        assert self.annotate
        return self.key or self.annotate.with_name(f"{self.annotate.name}.key.json")

    def check(self) -> None:
        """Check the options together."""
        if self.references_as_system and self.protocol != "errors":
            raise UsageError(f"--references-as-system does nothing with --protocol {self.protocol}", "leave it out")
        if self.annotate and not self.results:
            raise UsageError("--annotate without --results", "give a results.jsonl of each system: --results FILE")
        if self.annotations and not self.key:
            raise UsageError("--annotations without --key", "--annotate wrote it: --key DIR.key.json")
        for path in (*self.systems.values(), *self.annotations, *([self.key] if self.annotations and self.key else [])):
            if not path.is_file():
                raise PagesumError(f"{path}: no such file", "check the path")
