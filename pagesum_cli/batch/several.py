"""Summarizing many documents with one model: side by side, together, or one after another."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter

from ..documents.model import Document
from ..errors import PagesumError, UsageError, explained
from ..locality import Cut, Pages
from ..summary.summary import Summary
from .jobs import Job, OnProblem
from .talk import Silent
from .threads import in_order
from .worker import Worker

WINDOW = 64  # documents among which those of about the same length are summarized together
SWITCH = 0.0005
"""Seconds after which a thread of Python makes way: at Python's own 0.005, a model waits longer
than it computes.
"""

Made = tuple[Job, Summary | PagesumError, list[Document]]


@dataclass(frozen=True)
class Given:
    """Documents to be summarized together."""

    label: str
    documents: list[Document]
    seconds: float = 0.0  # that reading them took
    cut: Cut | None = None  # their pages, where they are cut before the model has them

    @property
    def tokens(self) -> int:
        """About how many tokens they have."""
        return sum(len(document.text) for document in self.documents) // 4


def read_job(
    job: Job, cutter: Callable[[Sequence[Document]], Cut] | None = None
) -> Given | PagesumError:
    """Read what a job summarizes, and cut it into pages; or why that fails."""
    began = perf_counter()
    try:
        documents = job.read()
        return Given(
            job.label, documents, perf_counter() - began, cutter(documents) if cutter else None
        )
    except Exception as failure:
        return explained(failure)


@dataclass(frozen=True)
class Several:
    """Summarizes several documents with a worker."""

    worker: Worker

    def each(
        self, jobs: Sequence[Job], on_problem: OnProblem, position: Callable[[], str]
    ) -> Iterator[tuple[Job, Summary, list[Document]]]:
        """Summarize jobs in order; yields each with its summary and what was summarized."""
        if not jobs:
            return
        # loads the model: its failure is that of all jobs
        has_threads = self.worker.threads and len(jobs) > 1
        made = self._side_by_side if has_threads else self._in_turn
        for job, summary, documents in made(jobs, position):
            if isinstance(summary, PagesumError):
                on_problem(job.label, summary)
            else:
                yield job, summary, documents

    def _in_turn(self, jobs: Sequence[Job], position: Callable[[], str]) -> Iterator[Made]:
        """Summarize one document, or batch, after another, while the next document is read."""
        todo, size = iter(jobs), 1
        ahead = in_order(read_job, jobs, 1)
        while some := list(islice(todo, size)):
            given: list[Given | Exception] = []
            for job in some:
                with self.worker.talk.progress(f"{self._prefix(position, job.label)}reading"):
                    given.append(next(ahead))
            size = WINDOW if self.worker.limit else 1
            for job, one, summary in zip(some, given, self.summaries(given, position), strict=True):
                yield job, summary, one.documents if isinstance(one, Given) else []

    def _side_by_side(self, jobs: Sequence[Job], position: Callable[[], str]) -> Iterator[Made]:
        """Summarize several documents at a time: one core each computes more than all cores do for
        one.
        """
        self.worker.summarizer.model.pack_weights()
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        try:
            results = in_order(self._alone, jobs, self.worker.threads)
            for number, job in enumerate(jobs):
                doing = f"{self._prefix(position, job.label)}summarizing"
                with self.worker.talk.progress(doing) as bar:
                    bar.update(doing, number, len(jobs))
                    made = next(results)
                if isinstance(made, Exception):  # that of all jobs
                    raise made
                summary, documents, talk = made
                for note in talk.notes:
                    self.worker.talk.note(note)
                for warning in talk.warnings:
                    self.worker.talk.warn(warning)
                yield job, summary, documents
        finally:
            sys.setswitchinterval(before)

    def _alone(self, job: Job) -> tuple[Summary | PagesumError, list[Document], Silent]:
        """Summarize a job in a thread of its own."""
        import torch

        torch.set_num_threads(1)
        worker = replace(self.worker, talk=(talk := Silent()))
        worker.__dict__["summarizer"] = self.worker.summarizer
        given = read_job(job)
        return (
            next(Several(worker).summaries([given])),
            given.documents if isinstance(given, Given) else [],
            talk,
        )

    @staticmethod
    def _prefix(position: Callable[[], str], label: str) -> str:
        return f"{position()} {os.path.basename(label)}: ".lstrip()

    def summaries(
        self, given: Sequence[Given | Exception], position: Callable[[], str] = lambda: ""
    ) -> Iterator[Summary | PagesumError]:
        """The summary of each, in order, or why there is none; wrong usage is raised."""
        whole = {number: one for number, one in enumerate(given) if isinstance(one, Given)}
        made = (
            self._together(whole, self.worker.limit) if len(whole) > 1 and self.worker.limit else {}
        )
        for number, one in enumerate(given):
            if isinstance(one, Exception):
                yield explained(one)
                continue
            try:
                prefix = self._prefix(position, one.label)
                summary = made.get(number) or self.worker.summarize(
                    one.documents, one.seconds, prefix=prefix, cut=one.cut
                )
                yield replace(summary, settings={**summary.settings, "id": one.label})
            except UsageError:
                raise
            except Exception as failure:
                yield explained(failure)

    def _together(self, given: Mapping[int, Given], limit: int) -> dict[int, Summary]:
        """Summaries of documents by number; without those of a batch that fails, which are then
        made one by one.
        """
        made: dict[int, Summary] = {}
        # of about the same length, each of ``limit`` tokens or of one longer document
        batches: list[list[int]] = []
        for number in sorted(given, key=lambda number: given[number].tokens):
            if batches and (len(batches[-1]) + 1) * given[number].tokens <= limit:
                batches[-1].append(number)
            else:
                batches.append([number])
        for batch in batches:
            cuts: list[Pages] = []
            sources = [given[number].cut or given[number].documents for number in batch]
            with self.worker.talk.progress(f"{len(batch)} documents"), suppress(PagesumError):
                summaries = self.worker.summarizer.summarize_batch(
                    sources,
                    paging=self.worker.paging,
                    generation=self.worker.generation,
                    trim=self.worker.ending.trim,
                    on_pages=cuts.append,
                )
                for number, summary, pages in zip(batch, summaries, cuts, strict=True):
                    self.worker.report(summary, pages, ())
                    made[number] = self.worker.finished(summary, pages, given[number].seconds)
        return made
