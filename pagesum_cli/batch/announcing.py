"""What an editor is asked to do: counted, and reported before it begins."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..locality import Pages
from ..models.catalog import fingerprint
from ..options import GenerationOptions
from .jobs import Job
from .worker import Worker

if TYPE_CHECKING:
    from ..recursive import Book

COUNTING = "counting what the editor will read"


def announce_each(worker: Worker, jobs: Sequence[Job]) -> None:
    """Report what the worker's editor is asked about all jobs, which are read to count it."""
    if worker.generation.editor is None or len(jobs) < 2:
        return
    worker.announce(_pages_of_all(worker, jobs))
    worker.is_announced = True


def announce_book(worker: Worker, book: "Book", done: Collection[int]) -> None:
    """Report what the worker's editor is asked about the chapters of a book that are left, and then
    about a page for each chapter.
    """
    from ..recursive import SHORT

    if worker.generation.editor is None:
        return
    left = [one for number, one in enumerate(book.chapters) if number not in done]
    long = (one.document for one in left if one.words >= SHORT)
    worker.announce((worker.cut([document]).pages for document in long), len(book.chapters) + 1)


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


def _pages_of_all(worker: Worker, jobs: Sequence[Job]) -> Iterator[Pages]:
    """The pages of what each job summarizes; what cannot be read is reported in its turn."""
    with worker.talk.progress(COUNTING) as bar:
        for number, job in enumerate(jobs):
            bar.update(COUNTING, number, len(jobs))
            pages = []
            with suppress(Exception):
                pages = [worker.cut(job.read()).pages]
            yield from pages
