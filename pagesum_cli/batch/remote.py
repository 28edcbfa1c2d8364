"""The summaries of many jobs, made on a cluster."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ..documents.model import Document
from ..errors import PagesumError, explained
from ..locality import cut
from ..options import PagingOptions
from ..summary.summary import Summary
from .cluster import ClusterOptions, mapped
from .columns import Silent
from .jobs import Job
from .worker import WINDOW, Cutter, Given, Worker, cutter_of, read_job

Render = Callable[[Summary, Sequence[Document], str], str]
"""The text of a summary of documents; the last argument is the name of its result."""


class Task(NamedTuple):
    """A summary to be made."""

    number: int
    job: Job
    name: str  # of its result


@dataclass(frozen=True)
class Made:
    """What a worker gives for a job."""

    text: str | PagesumError  # of the summary, or why there is none
    warnings: Sequence[str]
    failed: Sequence[str]  # see :class:`Worker`


def summarized(
    worker: Worker, todo: Mapping[Job, str], render: Render, options: ClusterOptions
) -> Generator[tuple[Job, Made]]:
    """Summarize jobs with copies of a worker; yields each once, with the text that ``render`` makes there."""
    tasks = [Task(number, job, name) for number, (job, name) in enumerate(todo.items())]
    sources = [list(group) for _, group in groupby(tasks, key=attrgetter("job.path"))]
    # A summary is kept for inspect on the machine where the command was given, or nowhere.
    copied = replace(worker, talk=Silent(), history=False, failed=[])
    expand, make = partial(_given, copied), partial(_summarizing, copied, render)
    for number, made in mapped(sources, expand, make, options, WINDOW):
        yield tasks[number].job, Made(made, (), ()) if isinstance(made, PagesumError) else made


@cache
def _cutter(model: str, paging: PagingOptions) -> Cutter:
    tokenizer, filled, _ = cutter_of(model, paging)
    return partial(cut, options=filled, tokens=tokenizer)


def _given(worker: Worker, tasks: Iterable[Task]) -> Iterator[tuple[int, tuple[Given | PagesumError, str]]]:
    for number, job, name in tasks:
        try:
            given: Given | PagesumError = read_job(job, _cutter(worker.model.model, worker.paging))
        except Exception as failure:
            given = explained(failure)
        yield number, (given, name)


def _rendered(render: Render, summary: Summary, given: Given, name: str) -> str | PagesumError:
    try:
        return render(summary, given.documents, name)
    except Exception as failure:
        return explained(failure)


def _summarizing(worker: Worker, render: Render) -> Callable[[list[tuple[Given | PagesumError, str]]], Iterator[Made]]:
    worker.load()
    talk = worker.talk
    assert isinstance(talk, Silent)

    def summarize(items: list[tuple[Given | PagesumError, str]]) -> Iterator[Made]:
        summaries = worker.summaries([given for given, _ in items if isinstance(given, Given)])
        for given, name in items:
            text: str | PagesumError
            if isinstance(given, PagesumError):
                text = given
            else:
                made = next(summaries)
                text = made if isinstance(made, PagesumError) else _rendered(render, made, given, name)
            yield Made(text, tuple(talk.warnings), tuple(worker.failed))
            talk.warnings.clear()
            worker.failed.clear()

    return summarize
