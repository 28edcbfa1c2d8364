"""Files and data sets → sentences of documents and of their summaries."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from ..datasets.named import DataRequest, stream_data
from ..datasets.readers import SPLIT_NAMES, check_path, holds_records, read_path
from ..datasets.record import Record
from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..documents.read import find_files
from ..documents.sentences import sentences_of
from ..errors import PagesumError, UsageError
from ..text.sentences import split_sentences


@dataclass(frozen=True)
class Text:
    """The sentences of a document (or of a cluster's documents, one after the other) and of its
    summary.
    """

    id: str
    sentences: tuple[str, ...]
    summary: tuple[str, ...] = ()
    document_of: tuple[int, ...] = ()


def texts_of(
    source: Sequence[str] | DataRequest,
    *,
    limit: int | None = None,
    password: str | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
) -> Iterator[Text]:
    """The texts of files, folders, data sets (of files or folders) and patterns, or of a data set
    by name.

    There is one per document or record.
    """
    if isinstance(source, DataRequest):
        return map(_text_of, islice(stream_data(source, on_problem), limit))
    return islice(_all_texts(source, password, on_problem), limit)


def check_texts(patterns: Sequence[str], *, summaries: bool = False) -> None:
    """Check that files exist, and that the first records of files of records have the expected
    fields.
    """
    for path in find_files([pattern for pattern in patterns if not Path(pattern).is_dir()]):
        if holds_records(path):
            check_path(path, "test", "sentences", summaries=summaries)


def with_summary(texts: Iterable[Text], path: str) -> list[Text]:
    """A single text with the summary in a file."""
    given = list(texts)
    if len(given) != 1:
        raise UsageError(
            f"--summary with {len(given)} documents", "name the document that it summarizes"
        )
    summary = "\n".join(
        section.text for document in read_file(path) for section in document.sections
    )
    return [replace(given[0], summary=tuple(split_sentences(summary)))]


def _all_texts(
    patterns: Sequence[str], password: str | None, on_problem: Callable[[str], None]
) -> Iterator[Text]:
    for pattern in patterns:
        if Path(pattern).is_dir() and (records := _data_set(Path(pattern), on_problem)):
            yield from map(_text_of, records)
            continue
        for path in find_files([pattern], on_skipped=on_problem):
            if holds_records(path):
                yield from map(_text_of, read_path(path, on_problem=on_problem))
            else:
                for document in read_file(path, password=password):
                    yield Text(document.name, _sentences(document))


def _data_set(folder: Path, on_problem: Callable[[str], None]) -> Iterator[Record] | None:
    """The records of the first split in a data set's folder; None for an ordinary folder of
    files.
    """
    for split in SPLIT_NAMES:
        records = read_path(folder, split, "sentences", on_problem)
        try:
            return chain([next(records)], records)
        except (PagesumError, StopIteration):
            continue
    return None


def _text_of(record: Record) -> Text:
    own = list(map(_sentences, record.documents))
    numbers = (
        tuple(number for number, sentences in enumerate(own) for _ in sentences)
        if len(own) > 1
        else ()
    )
    summary = record.summary_sentences or tuple(split_sentences(record.summary))
    return Text(record.id, tuple(chain.from_iterable(own)), summary, numbers)


def _sentences(document: Document) -> tuple[str, ...]:
    return tuple(
        sentence.text for section in document.sections for sentence in sentences_of(section)
    )
