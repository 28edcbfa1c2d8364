"""Summarizing documents with one model, one after another."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from ..documents.model import Document
from ..errors import PagesumError, UsageError, explained
from ..locality.flow import Pages
from ..options import EndingOptions, GenerationOptions, ModelOptions, PagingOptions
from ..summary.attribution import with_evidence
from ..summary.history import remember
from ..summary.summary import Summary
from .jobs import Job, OnProblem

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer


class Bar(Protocol):
    """A progress bar; see ``cli.console``."""

    def update(self, description: str, done: float, total: float) -> None: ...
    def stop(self) -> None: ...


class Talk(Protocol):
    """Messages to the user; see ``cli.console``."""

    def note(self, message: str) -> None: ...
    def warn(self, message: str) -> None: ...
    def progress(self, description: str) -> AbstractContextManager[Bar]: ...
    def loading(self, description: str) -> AbstractContextManager[None]: ...


@dataclass
class Worker:
    """Summarizes documents with one model, which is loaded when it is first needed.

    Attributes:
        model, paging, generation: The options.
        talk: Receives warnings and progress.
        history: Whether summaries are kept for ``pagesum inspect``.
        ending: How generated summaries end.
    """

    model: ModelOptions
    paging: PagingOptions
    generation: GenerationOptions
    talk: Talk
    history: bool
    ending: EndingOptions = field(default_factory=EndingOptions)

    @cached_property
    def summarizer(self) -> "PageSummarizer":
        """The loaded model; warns if its page confidences are untrained."""
        name = self.model.model
        with self.talk.loading(f"loading {name}"):
            from ..summarizer import PageSummarizer

            summarizer = PageSummarizer.from_pretrained(
                name, device=self.model.device, dtype=self.model.dtype or "auto"
            )
        if summarizer.model.revision:
            self.talk.note(f"{name} is at commit {summarizer.model.revision[:12]} of the hub")
        if getattr(summarizer.model.config, "untrained_confidence", False):
            self.talk.warn(f"{name} is a plain BART: its page confidences are untrained and mean nothing")
        return summarizer

    def load(self) -> None:
        """Load the model now."""
        _ = self.summarizer

    @property
    def streams(self) -> bool:
        """Whether text is settled sentence by sentence while it is generated."""
        summarizer = self.summarizer
        return summarizer.model.generates and summarizer.generation(self.generation).beams == 1

    def summarize(
        self,
        documents: list[Document],
        read_seconds: float,
        *,
        prefix: str = "",
        on_text: Callable[[str], None] | None = None,
    ) -> Summary:
        """Summarize documents together, with a progress bar.

        Args:
            documents: At least one document.
            read_seconds: Time that reading them took.
            prefix: Text before the description of the progress.
            on_text: Called with the text as it is settled, after the bar is removed.

        Raises:
            PagesumError: The summary would have no word, or ``PageSummarizer.summarize`` fails.
        """
        summarizer = self.summarizer
        notes = summarizer.notes(documents)
        for note in notes:
            self.talk.warn(note)
        with self.talk.progress(f"{prefix}encoding parts") as bar:

            def on_progress(stage: str, done: int, total: int) -> None:
                if stage != "read":
                    bar.update(prefix + {"encode": "encoding parts", "decode": "generating"}[stage], done, total)

            def on_some_text(text: str) -> None:
                bar.stop()
                if on_text:
                    on_text(text)

            cuts: list[Pages] = []
            summary = summarizer.summarize(
                documents,
                paging=self.paging,
                generation=self.generation,
                trim=self.ending.trim,
                on_pages=cuts.append,
                on_progress=on_progress,
                on_text=on_some_text if on_text else None,
            )
        if not any(map(str.isalnum, summary.text)):
            raise empty(summary, generates=summarizer.model.generates)
        for note in (*(one for one in summary.notes if one not in notes), *too_short(summary, self.generation)):
            self.talk.warn(note)
        for note in without_sections(documents, cuts[0]):
            self.talk.note(note)
        seconds = {**summary.seconds, "read": summary.seconds["read"] + read_seconds}
        return self._finished(replace(summary, seconds=seconds), cuts[0])

    def explain(self, documents: list[Document], text: str | Sequence[str]) -> Summary:
        """Trace a given summary back to the documents; see ``PageSummarizer.explain``."""
        summarizer = self.summarizer
        cuts: list[Pages] = []
        with self.talk.progress("encoding parts"):
            summary = summarizer.explain(documents, text, paging=self.paging, on_pages=cuts.append)
        return self._finished(summary, cuts[0])

    def _finished(self, summary: Summary, pages: Pages) -> Summary:
        for message in left_out(pages):
            self.talk.warn(message)
        if self.paging.beyond_abstract and pages.known:
            self.talk.note(f"the abstract is left out: {len(pages.known.split()):,} words")
        elif self.paging.beyond_abstract:
            self.talk.warn("no abstract was found: all of the document is summarized")
        summary = with_evidence(summary, pages)
        if self.history:
            remember(summary)
        return summary

    def each(
        self, jobs: Sequence[Job], on_problem: OnProblem, place: Callable[[], str] = lambda: ""
    ) -> Iterator[tuple[Job, Summary, list[Document]]]:
        """Summarize jobs one after another; yields each with its summary and what was summarized.

        Args:
            jobs: The jobs.
            on_problem: Called with the label of each job that cannot be done, and the reason.
            place: Returns the place of the current job in the whole, as ``3/10``, for the progress.

        Raises:
            PagesumError: The model cannot be loaded.
            UsageError: The options are wrong, for every job.
        """
        for job in jobs:
            prefix = f"{place()} {os.path.basename(job.label)}: ".lstrip()
            began = perf_counter()
            try:
                with self.talk.progress(f"{prefix}reading"):
                    documents = job.read()
            except Exception as failure:
                on_problem(job.label, explained(failure))
                continue
            seconds = perf_counter() - began
            self.load()  # what fails here would fail for every job
            try:
                summary = self.summarize(documents, seconds, prefix=prefix)
                summary = replace(summary, settings={**summary.settings, "id": job.label})
            except UsageError:
                raise
            except Exception as failure:
                on_problem(job.label, explained(failure))
            else:
                yield job, summary, documents


def empty(summary: Summary, *, generates: bool) -> PagesumError:
    """The error for a summary without words."""
    if generates:
        message = "ended the summary before its first word"
        hint = "--min-length 20 makes it write more; or use another --model"
    else:
        message, hint = "found no sentence to quote", "pagesum pages shows what was read"
    sources = ("standard input" if one == "-" else one for one in summary.settings["sources"])
    documents = ", ".join(sources)
    return PagesumError(f"{documents}: {summary.model} {message}", hint)


def too_short(summary: Summary, options: GenerationOptions) -> Iterator[str]:
    """Messages about a length that was asked for and not reached."""
    sentences, words = len(summary.sentences), len(summary.text.split())
    if options.sentences is not None and sentences < options.sentences:
        yield f"the summary has {sentences} sentences, not {options.sentences}: there is no further one"
    if options.words is not None and words < 0.9 * options.words:
        yield f"the summary has {words} words, not {options.words}: no further sentence fits"


def without_sections(documents: Sequence[Document], pages: Pages) -> Iterator[str]:
    """A message where parts ought to be sections and documents have none."""
    names = [document.name for document in documents if not document.has_headings]
    if pages.locality == "discourse" and names:
        which = names[0] if len(names) == 1 else f"{len(names)} documents"
        yield f"no headings were found in {which}: the parts have a fixed size, as with --locality spatial"


def left_out(pages: Pages) -> Iterator[str]:
    """Messages about words that no page holds."""
    truncated = [page for page in pages.pages if page.truncated_words]
    if truncated:
        words = sum(page.truncated_words for page in truncated)
        which = f"{len(truncated)} parts are" if len(truncated) > 1 else f"{truncated[0].label!r} is"
        yield f"{which} truncated: {words:,} words are not read"
    if pages.dropped_words:
        read = f"first {len(pages.pages)} parts" if len(pages.pages) > 1 else "first part"
        yield f"{pages.dropped_words:,} words after the {read} are not read"
