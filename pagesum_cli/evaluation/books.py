"""Books: each chapter is summarized, then the chapters' summaries, as in Pang et al. (2022)."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..datasets.record import Record
from ..documents.books.chapters import Chapter
from ..errors import PagesumError
from ..locality.page import Pages
from ..models.catalog import checkpoint_folder
from ..options import PagingOptions, supported
from ..recursive import Book, book_of, summarize_book, summarize_chapters
from ..summary.summary import Summary
from .results import Result
from .run import PageSystem, RunRequest, weights_hash

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer


class BookSystem(PageSystem):
    """Models of this program that summarize the chapters of a book, and these summaries.

    Args:
        summarizer: The model of the request, for the chapters' summaries.
        request: How summaries are generated.
        chapters: The model for the chapters.
        chapter_paging: How chapters are cut into pages.
    """

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
        """Everything that a prediction depends on besides its document."""
        own = {
            "recursive": True,
            "chapter_model": self._chapters.name,
            "chapter_locality": self._chapters.paging(self._chapter_paging).locality,
        }
        if self._chapters is not self._summarizer:
            own["chapter_weights"] = weights_hash(checkpoint_folder(self._chapters.name, weights=True))
        return {**super().settings, **own}

    def results(self, batch: Sequence[Record]) -> list[Result]:
        """Summarize books, one after another. The pages of a result are the chapters, as their summaries.

        Raises:
            PagesumError: A chapter, or a book, cannot be summarized.
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
        summary = summarize_book(
            book, self._summaries(book), self._summarizer, paging=self._request.paging, generation=options
        )
        return self._result(record, summary, [chapter.text for chapter in summary.chapters])

    def _summaries(self, book: Book) -> dict[int, Summary]:
        """The chapters' summaries; a book with several references is read once."""
        key = hashlib.sha256(repr([one.text for one in book.documents]).encode()).hexdigest()
        if key not in self._done:

            def failed(number: int, reason: PagesumError) -> None:
                raise PagesumError(f"{book.chapters[number].title}: {reason.message}", reason.hint)

            self._done[key] = dict(
                summarize_chapters(
                    book,
                    self._chapters,
                    failed,
                    paging=self._chapter_paging,
                    generation=self._request.generation,
                )
            )
        return self._done[key]


def chapters_of_record(record: Record) -> Book:
    """The book of a record, of which each section of the highest level is a chapter, or each of several documents.

    The chapters of a text without sections are found as in files.
    """
    document, *others = record.documents
    top = min(section.level for section in document.sections)
    starts = [number for number, section in enumerate(document.sections) if section.level == top]
    if others or len(starts) == 1:
        return book_of(record.documents)
    every = range(len(document.sections))
    bounds = zip([0, *starts[1:]], [*starts[1:], len(every)], strict=True)
    parts = [(document.sections[start].heading, {*every} - {*range(start, end)}) for start, end in bounds]
    chapters = (
        Chapter(heading or f"chapter {number}", replace(document, skipped=frozenset(skipped)))
        for number, (heading, skipped) in enumerate(parts, start=1)
    )
    kept = tuple(one for one in chapters if any(section.text.strip() for section, _ in one.document.read_sections))
    return Book(record.documents, kept, "outline")
