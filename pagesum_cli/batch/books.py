"""Summarizing books, chapter by chapter, so that an interruption loses no finished chapter."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from ..documents.model import Document
from ..errors import PagesumError
from ..locality.flow import Pages, short_label
from ..models.catalog import fingerprint
from ..summary.history import KeptChapters, remember
from ..summary.summary import Summary
from ..version import __version__
from .jobs import digest_of
from .worker import Worker, empty, left_out, too_short

if TYPE_CHECKING:
    from ..recursive import Book

SECOND_LEVEL = "summarizing the chapters' summaries"
TITLE_LENGTH = 40
"""Maximum length of a chapter's title in the progress."""


@dataclass
class BookWorker(Worker):
    """Summarizes books: their chapters with one model, then the chapters' summaries with the same or another one.

    Two models are loaded one after another.

    Attributes:
        chapter_model: The model for the chapters; None for the same.
        failed: A line for each chapter that could not be summarized.
    """

    chapter_model: str | None = None
    failed: list[str] = field(default_factory=list)
    _other: Worker | None = field(default=None, init=False)

    @property
    def streams(self) -> bool:
        """Never: what is generated first are the chapters' summaries."""
        return False

    def load(self) -> None:
        """Load the model of the chapters now."""
        _ = self._of_chapters().summarizer

    def summarize(
        self,
        documents: list[Document],
        read_seconds: float,
        *,
        prefix: str = "",
        on_text: Callable[[str], None] | None = None,
    ) -> Summary:
        """Summarize a book, with a progress bar; one of a single chapter as any other document.

        Finished chapters are kept until the book is done; see :class:`~pagesum_cli.summary.history.KeptChapters`.

        Args:
            documents: The book, or its chapters.
            read_seconds: Time that reading them took.
            prefix: Text before the description of the progress.
            on_text: Not called.

        Raises:
            PagesumError: No chapter can be summarized, the summary would have no word, or a model cannot be loaded.
        """
        from ..recursive import book_of, summarize_book

        began = perf_counter()
        book = book_of(documents)
        self._describe(book, prefix)
        read_seconds += perf_counter() - began
        if len(book.chapters) == 1:
            worker = self._of_chapters()
            only = super().summarize if worker is self else worker.summarize
            return only(documents, read_seconds, prefix=prefix)
        cuts: list[Pages] = []
        with self._kept(book, prefix) as (chapters, kept):
            self._summarize_chapters(book, chapters, kept, prefix)
            self._other = None
            summarizer = self.summarizer
            with self.talk.progress(prefix + SECOND_LEVEL) as bar:
                summary = summarize_book(
                    book,
                    chapters,
                    summarizer,
                    paging=self.paging,
                    generation=self.generation,
                    trim=self.ending.trim,
                    on_pages=cuts.append,
                    on_progress=lambda stage, done, total: bar.update(prefix + SECOND_LEVEL, done, total),
                )
        if not any(map(str.isalnum, summary.text)):
            raise empty(summary, generates=summarizer.model.generates)
        news = [note for note in summary.notes if note not in book.notes]
        for message in (*news, *too_short(summary, self.generation), *left_out(cuts[0])):
            self.talk.warn(message)
        seconds = {**summary.seconds, "read": summary.seconds["read"] + read_seconds}
        missing = len(book.chapters) - len(chapters)
        notes = (*summary.notes, *([f"{missing} of {len(book.chapters)} chapters are missing"] if missing else []))
        summary = replace(summary, seconds=seconds, notes=notes)
        if self.history:
            remember(summary)
        return summary

    def _of_chapters(self) -> Worker:
        """What summarizes chapters: another worker if they have a model of their own."""
        if self.chapter_model in (None, self.model.model):
            return self
        if self._other is None:
            self.__dict__.pop("summarizer", None)  # never two models in memory
            model = replace(self.model, model=self.chapter_model or "")
            self._other = Worker(model, self.paging, self.generation, self.talk, self.history, self.ending)
        return self._other

    def _describe(self, book: "Book", prefix: str) -> None:
        """Report how the chapters were found, and what is in none."""
        if len(book.chapters) == 1:
            self.talk.note(f"{prefix}only one chapter was found: it is summarized directly")
        elif book.found_by == "fallback":
            self.talk.note(f"{prefix}no chapters were found: the text is summarized in {len(book.chapters)} parts")
        if book.empty:
            self.talk.note(f"{prefix}{len(book.empty)} chapters have no text: {'; '.join(book.empty[:3])}")
        for note in book.notes:
            self.talk.note(f"{prefix}{note}")

    @contextmanager
    def _kept(self, book: "Book", prefix: str) -> Iterator[tuple[dict[int, Summary], KeptChapters | None]]:
        """The chapters that are done already, and where further ones are kept until the book is done."""
        kept = KeptChapters(self._key(book)) if self.history else None
        count = len(book.chapters)
        done = {number: one for number, one in (kept.read() if kept else {}).items() if number < count}
        if done:
            self.talk.note(f"{prefix}{len(done)} of {count} chapters were summarized before")
        try:
            yield done, kept
        except KeyboardInterrupt:
            if kept and done:
                self.talk.note(f"{prefix}{len(done)} of {count} chapters are kept; the same command goes on")
            raise
        if kept and len(done) == count:
            kept.remove()

    def _key(self, book: "Book") -> str:
        """Digest of everything that the chapters' summaries depend on."""
        from ..recursive import chapter_options

        model = replace(self.model, model=self.chapter_model or self.model.model)
        options = [asdict(one) for one in (model, self.paging, chapter_options(self.generation), self.ending)]
        return digest_of(
            repr((book.documents, options, fingerprint(model.model), __version__)).encode("utf-8", "replace")
        )

    def _summarize_chapters(
        self, book: "Book", done: dict[int, Summary], kept: KeptChapters | None, prefix: str
    ) -> None:
        """Add the summaries of the chapters that are not done.

        Raises:
            PagesumError: There is no summary of any chapter.
        """
        from ..recursive import summarize_chapters

        count = len(book.chapters)
        if len(done) == count:
            return
        summarizer = self._of_chapters().summarizer
        words = [chapter.words for chapter in book.chapters]
        read, name = sum(words[number] for number in done), ""
        failures: list[PagesumError] = []
        with self.talk.progress(f"{prefix}summarizing {count} chapters") as bar:

            def on_begin(number: int) -> None:
                nonlocal read, name
                title = short_label(book.chapters[number].title, TITLE_LENGTH)
                name = f"{prefix}chapter {number + 1}/{count}: {title}"
                bar.update(f"{name}, words read", read, sum(words))
                read += words[number]

            def on_problem(number: int, reason: PagesumError) -> None:
                failures.append(reason)
                self.failed.append(f"chapter {number + 1}/{count} ({book.chapters[number].title}): {reason.message}")

            for number, summary in summarize_chapters(
                book,
                summarizer,
                on_problem,
                paging=self.paging,
                generation=self.generation,
                trim=self.ending.trim,
                done=frozenset(done),
                on_begin=on_begin,
            ):
                done[number] = summary
                if kept:
                    kept.add(number, summary)
        if not done:
            raise failures[0]
