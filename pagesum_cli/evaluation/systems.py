"""Models of this program as systems of a run: a batch of records → results."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..datasets.record import Record
from ..documents.books.chapters import Chapter
from ..errors import PagesumError
from ..locality.flow import Pages
from ..models.catalog import checkpoint_folder
from ..options import GenerationOptions, PagingOptions, supported
from ..recursive import Book, book_of, summarize_book, summarize_chapters
from ..summary.summary import Summary
from ..version import __version__
from .metrics.words import paged_sentences
from .results import USES_REFERENCE, Result

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer


@dataclass(frozen=True)
class RunRequest:
    """How summaries are generated."""

    model: str
    paging: PagingOptions = field(default_factory=PagingOptions)
    generation: GenerationOptions = field(default_factory=GenerationOptions)
    batch_size: int | None = None
    data: dict[str, Any] = field(default_factory=dict)


class System(Protocol):
    """Summarizes the records of a run."""

    batch_size: int  # number of documents at a time
    is_local: bool  # whether it computes in this process

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that a prediction depends on besides its document."""

    def results(self, batch: Sequence[Record]) -> list[Result]:
        """Summarize records, without scoring."""


class PageSystem:
    """A model of this program."""

    is_local = True

    def __init__(self, summarizer: "PageSummarizer", request: RunRequest) -> None:
        self.summarizer = summarizer
        self._request = request
        self.batch_size = request.batch_size or default_batch_size(summarizer.model.device.type)

    @cached_property
    def settings(self) -> dict[str, Any]:
        summarizer, request = self.summarizer, self._request
        return {
            **request.data,
            "model": request.model,
            "weights": weights_hash(checkpoint_folder(request.model, weights=True)),
            "dtype": summarizer.model.number_format,
            **asdict(summarizer.paging(request.paging)),
            **asdict(summarizer.generation(self._generation)),
            "batch_size": self.batch_size,
            **({USES_REFERENCE: True} if summarizer.model.needs_reference else {}),
            "pagesum": __version__,
        }

    @property
    def _generation(self) -> GenerationOptions:
        """The options without those that only other systems, or another model for chapters, use."""
        return supported(self._request.generation, self.summarizer.model.offers)

    def results(self, batch: Sequence[Record]) -> list[Result]:
        cut: list[Pages] = []
        needs_reference = self.summarizer.model.needs_reference
        summaries = self.summarizer.summarize_batch(
            [record.documents for record in batch],
            paging=self._request.paging,
            generation=self._generation,
            on_pages=cut.append,
            references=[record.summary for record in batch] if needs_reference else (),
        )
        return [
            self._result(record, summary, [page.text for page in pages.pages])
            for record, summary, pages in zip(batch, summaries, cut, strict=True)
        ]

    def _result(self, record: Record, summary: Summary, pages: Sequence[str]) -> Result:
        return Result.of(
            record,
            summary.text,
            page_confidences=tuple(page.confidence for page in summary.pages),
            sentences=paged_sentences(summary, pages),
            source_tokens=sum(page.tokens for page in summary.pages),
            settings=self.settings,
        )


class BookSystem(PageSystem):
    """Summarizes the chapters of a book, then the chapters' summaries, as in Pang et al. (2022)."""

    def __init__(
        self,
        summarizer: "PageSummarizer",
        request: RunRequest,
        chapters: "PageSummarizer",
        chapter_paging: PagingOptions,
    ) -> None:
        super().__init__(summarizer, request)
        self._chapters = chapters
        self._chapter_paging = chapter_paging
        self._done: dict[str, dict[int, Summary]] = {}

    @cached_property
    def settings(self) -> dict[str, Any]:
        own = {"recursive": True, "chapter_model": self._chapters.name}
        own["chapter_locality"] = self._chapters.paging(self._chapter_paging).locality
        if self._chapters is not self.summarizer:
            own["chapter_weights"] = weights_hash(
                checkpoint_folder(self._chapters.name, weights=True)
            )
        return {**super().settings, **own}

    def results(self, batch: Sequence[Record]) -> list[Result]:
        """Summarize books, one after another. The pages of a result are the chapters, as their
        summaries.
        """
        return [self._book(record) for record in batch]

    def _book(self, record: Record) -> Result:
        book = chapters_of_record(record)
        options = self._request.generation
        if len(book.chapters) == 1:
            cut: list[Pages] = []
            options = supported(options, self._chapters.model.offers)
            summary = self._chapters.summarize(
                book.documents, paging=self._chapter_paging, generation=options, on_pages=cut.append
            )
            return self._result(record, summary, [page.text for page in cut[0].pages])
        chapters = self._summaries(book)
        paging = self._request.paging
        whole = summarize_book(
            book, chapters, self.summarizer, paging=paging, generation=options, is_outlined=False
        )
        result = self._result(record, whole, [chapter.text for chapter in whole.chapters])
        return replace(
            result,
            source_tokens=sum(page.tokens for one in chapters.values() for page in one.pages),
        )

    def _summaries(self, book: Book) -> dict[int, Summary]:
        """The chapters' summaries; a book with several references is read once."""

        def failed(number: int, reason: PagesumError) -> None:
            raise PagesumError(f"{book.chapters[number].title}: {reason.message}", reason.hint)

        key = hashlib.sha256(
            repr([document.text for document in book.documents]).encode()
        ).hexdigest()
        if key not in self._done:
            paging, generation = self._chapter_paging, self._request.generation
            self._done[key] = dict(
                summarize_chapters(
                    book, self._chapters, failed, paging=paging, generation=generation
                )
            )
        return self._done[key]


def chapters_of_record(record: Record) -> Book:
    """The book of a record, of which each section of the highest level is a chapter, or each of
    several documents.

    The chapters of a text without sections are found as in files.
    """
    document, *others = record.documents
    top = min(section.level for section in document.sections)
    starts = [number for number, section in enumerate(document.sections) if section.level == top]
    if others or len(starts) == 1:
        return book_of(record.documents)
    every = range(len(document.sections))
    bounds = zip([0, *starts[1:]], [*starts[1:], len(every)], strict=True)
    parts = [
        (document.sections[start].heading, {*every} - {*range(start, end)}) for start, end in bounds
    ]
    chapters = (
        Chapter(heading or f"chapter {number}", replace(document, skipped=frozenset(skipped)))
        for number, (heading, skipped) in enumerate(parts, start=1)
    )
    with_text = (
        one
        for one in chapters
        if any(section.text.strip() for section, _ in one.document.read_sections)
    )
    return Book(record.documents, tuple(with_text), "outline")


def default_batch_size(device: str) -> int:
    return 1 if device == "cpu" else 8


def weights_hash(folder: Path) -> str:
    """A digest of the weights in a checkpoint's folder."""
    digest = hashlib.sha256()
    for file in sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")]):
        with open(file, "rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]
