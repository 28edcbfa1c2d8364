"""Where training data comes from: files, folders and named data sets. Imported without torch."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ..datasets.named import DataRequest, check_data, stream_data
from ..datasets.readers import SPLIT_NAMES
from ..datasets.record import Record


def read_split(
    data: Iterable[str],
    split: str,
    locality: str,
    on_problem: Callable[[str], None] = lambda message: None,
    *,
    chapter_summaries: bool = False,
) -> Iterator[Record]:
    """The records of a split, of one source after the other.

    Args:
        data: Files, folders, data sets by name or of the Hugging Face hub. A folder may hold several files of a split,
            each with the split's name as the second part of its own (``papers.train.jsonl.xz``).
        split: ``train`` or ``validation``.
        locality: How documents will be cut.
        on_problem: Called with one line for each record that cannot be used.
        chapter_summaries: Whether a book's text is the reference summaries of its chapters.

    Raises:
        PagesumError: There is no such data, or no such split.
    """
    for one in data:
        for path in _split_files(Path(one), split) or [one]:
            request = DataRequest(path, split=split, chapter_summaries=chapter_summaries)
            yield from stream_data(request, on_problem, locality)


def check_split(data: Iterable[str], split: str, locality: str, *, chapter_summaries: bool = False) -> None:
    """Check that the first records of each source have texts and summaries; see ``datasets.named.check_data``."""
    for one in data:
        for path in _split_files(Path(one), split) or [one]:
            request = DataRequest(path, split=split, chapter_summaries=chapter_summaries)
            check_data(request, locality, summaries=True)


def holds_out(data: Iterable[str], validation: str | None) -> bool:
    """Whether validation documents are taken from the training data, because it consists of files without splits."""
    return validation is None and all(Path(one).is_file() for one in data)


def _split_files(folder: Path, split: str) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(str(path) for path in folder.glob("*.*.json*") if path.name.split(".")[1] in SPLIT_NAMES[split])
