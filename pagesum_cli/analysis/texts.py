"""Files and data sets → sentences of documents and of their summaries."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ..documents.document import Document
from ..documents.read import find_files, kind_of, read_file
from ..documents.records import Record
from ..documents.sentences import sentences_of, split_sentences
from ..errors import PagesumError


@dataclass(frozen=True)
class Text:
    """The sentences of a document (or of a cluster's documents, one behind the other) and of its summary.

    Attributes:
        id: what to call it.
        sentences: of the document, in order.
        summary: of its summary, in order; none where it has none.
    """

    id: str
    sentences: tuple[str, ...]
    summary: tuple[str, ...] = ()


def texts_of(
    patterns: Sequence[str],
    *,
    limit: int | None = None,
    password: str | None = None,
    on_problem: Callable[[str], None] | None = None,
) -> Iterator[Text]:
    """The texts of files, folders, data sets and patterns, one a document or record.

    Args:
        patterns: what ``find_files`` takes; files of records, and folders of the data sets that ``eval`` reads.
        limit: texts at most.
        password: of encrypted PDFs.
        on_problem: is called with one line for each record that cannot be used.

    Raises:
        PagesumError: a file cannot be read, or there is none.
    """
    return islice(_all_texts(patterns, password, on_problem or (lambda message: None)), limit)


def _all_texts(patterns: Sequence[str], password: str | None, on_problem: Callable[[str], None]) -> Iterator[Text]:
    from ..evaluation.readers import read_path

    for pattern in patterns:
        if Path(pattern).is_dir() and (records := _data_set(Path(pattern), on_problem)):
            yield from map(_text_of_record, records)
            continue
        for path in find_files([pattern]):
            if kind_of(path) == "records":
                yield from map(_text_of_record, read_path(Path(path), "test", "sentences", on_problem))
            else:
                for document in read_file(path, password=password):
                    yield Text(document.name, _sentences([document]))


def _data_set(folder: Path, on_problem: Callable[[str], None]) -> Iterator[Record] | None:
    """The records of a data set's folder; None where it is just a folder of files."""
    from ..evaluation.readers import read_path

    for split in ("test", "validation", "train"):
        records = read_path(folder, split, "sentences", on_problem)
        try:
            first = next(records)
        except (PagesumError, StopIteration):
            continue
        return _behind(first, records)
    return None


def _behind(first: Record, rest: Iterator[Record]) -> Iterator[Record]:
    yield first
    yield from rest


def _text_of_record(record: Record) -> Text:
    return Text(record.id, _sentences(record.documents), tuple(split_sentences(record.summary)))


def _sentences(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(
        sentence.text for document in documents for section in document.sections for sentence in sentences_of(section)
    )
