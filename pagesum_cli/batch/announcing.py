"""What an editor is asked to do: counted, and reported before it begins."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..documents.model import Document
from ..locality import Pages, as_automatic, cut
from ..models.catalog import fingerprint, trained_locality
from ..options import GenerationOptions
from .jobs import Job

if TYPE_CHECKING:
    from ..recursive import Book
    from .worker import Worker

COUNTING = "counting what the editor will read"


def announce(worker: "Worker", documents: Sequence[Pages], more_calls: int = 0) -> None:
    """Report what the worker's editor is asked about documents, unless that was reported before.

    Args:
        documents: The pages of each.
        more_calls: What it is asked besides.
    """
    name = worker.generation.editor
    if name is None or worker.is_announced:
        return
    from ..editing.choosers import announced

    calls = more_calls + sum(len(pages.pages) + 1 for pages in documents)
    words = sum(len(page.text.split()) for pages in documents for page in pages.pages)
    for line in announced(name, calls, words):
        worker.talk.note(line)


def announce_each(worker: "Worker", jobs: Sequence[Job]) -> None:
    """Report what the worker's editor is asked about all jobs, which are read to count it."""
    if worker.generation.editor is None or len(jobs) < 2:
        return
    with worker.talk.progress(COUNTING) as bar:
        counted = []
        for number, job in enumerate(jobs):
            bar.update(COUNTING, number, len(jobs))
            counted += list(_pages_of(worker, job))
    announce(worker, counted)
    worker.is_announced = True


def announce_book(worker: "Worker", book: "Book", done: Collection[int]) -> None:
    """Report what the worker's editor is asked about the chapters of a book that are left, and then
    about a page for each chapter.
    """
    from ..recursive import SHORT

    if worker.generation.editor is None:
        return
    left = [one for number, one in enumerate(book.chapters) if number not in done]
    counted = [_cut(worker, [one.document]) for one in left if one.words >= SHORT]
    announce(worker, counted, len(book.chapters) + 1)


def files_of_editor(generation: GenerationOptions) -> list[Any]:
    """What summaries depend on besides the options' values: the guide, whose file may change, and
    the checkpoint.
    """
    if generation.editor is None:
        return []
    from ..editing.choosers import is_address
    from ..editing.prompts import guide_of

    name = generation.editor
    return [guide_of(generation.guide), [] if is_address(name) else fingerprint(name)]


def _pages_of(worker: "Worker", job: Job) -> Iterator[Pages]:
    """The pages of what a job summarizes; what is wrong with it is reported in its turn."""
    with suppress(Exception):
        yield _cut(worker, job.read())


def _cut(worker: "Worker", documents: Sequence[Document]) -> Pages:
    """The pages of documents, as the worker's model reads them."""
    summarizer = worker.summarizer
    paging = as_automatic(documents, worker.paging, trained_locality(worker.model.model))
    return cut(documents, summarizer.paging(paging), summarizer.tokenizer).pages
