"""``pagesum summarize``: documents → summaries that show where each sentence comes from."""

import errno
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Self

import typer

from ..batch.announcing import announce_each, files_of_editor
from ..batch.cluster import ClusterOptions, Results, summarized
from ..batch.folder import OutputFolder
from ..batch.jobs import STDIN_NAME, Job, inputs_of, jobs_of
from ..batch.reading import start_reading
from ..batch.several import Several
from ..batch.shards import Shards
from ..batch.talk import Talk
from ..batch.worker import Worker
from ..datasets.formats import units_of
from ..documents.model import Document
from ..documents.read import STANDARD_INPUT
from ..errors import PagesumError, UsageError, explained
from ..files import append, check_new, check_writable, is_open_file, write_file
from ..models.catalog import fingerprint, trained_locality
from ..options import (
    EndingOptions,
    GenerationOptions,
    ModelOptions,
    PagingOptions,
    RecursionOptions,
)
from ..summary.history import history_folder
from ..summary.summary import Summary
from ..version import __version__
from ..views.citation import coverage_line, gap_lines, made_line, proven_line
from ..views.formats import FORMATS, MARKED, written
from ..views.marked import check_markable, write_marked
from ..views.plain import one_line
from . import console, options
from .help import ShortHelp
from .writing import EachOptions, OutputOptions, ShapeOptions, WritingOptions

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

MEASURED = 5.0  # seconds after which the speed is shown
FATAL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EPIPE, errno.EIO}
"""Errors in writing a summary that would recur with every other one."""
SHARDED = ("jsonl", "parquet")  # formats of which a file in --output-dir holds many summaries
EACH_HINT = (
    "to resume stopped runs, use --output-dir instead of --output; --force overwrites the file"
)


@app.command(
    cls=ShortHelp,
    epilog="pagesum summarize paper.pdf\n\npagesum summarize *.pdf --each --output-dir "
    "summaries/\n\n"
    "cat notes.txt | pagesum summarize - --words 100",
)
@options.with_flags
def summarize(
    files: options.Files,
    each: EachOptions,
    recursion: RecursionOptions,
    paging: PagingOptions,
    model: ModelOptions,
    generation: GenerationOptions,
    ending: EndingOptions,
    shape: ShapeOptions,
    writing: WritingOptions,
    output: OutputOptions,
    cluster: ClusterOptions,
    history: options.HistoryOptions,
    reading: options.ReadingOptions,
    config: options.ConfigOptions,  # used by with_flags
    messages: options.MessageOptions,
) -> None:
    """Summarize documents and show where each sentence comes from.

    Several files give one summary, with at least one part per file; with --each, one summary per
    file. With --recursive, each chapter of a book is summarized, and then the chapters' summaries.
    """
    _check_outputs(output, each=each.each)
    if cluster.engine and not output.output_dir:
        raise UsageError("--engine without --output-dir", "add --each and an --output-dir")
    cluster.check()
    if sys.stdout.isatty() and history.history is None and not history_folder().exists():
        messages.talk.note(
            f"the latest summary is kept in {history_folder()} for pagesum inspect: "
            "--no-history keeps none, --history the last ten"
        )
    recursion.check(paging)
    if writing.rewrite:
        recursion = _at_once(recursion)
    generation = reading.permitting(generation)
    worker = options.worker(model, paging, generation, ending, history, messages.talk, recursion)
    writing.check(model.model, messages.talk)
    worker.writer = writing.writer(model.device, messages.talk, allow_network=reading.allow_network)
    worker.proves = not writing.as_generated
    worker.brief, worker.is_light = shape.brief, not each.each
    if each.each:
        folder = None
        if output.output_dir:
            folder = _folder(
                output,
                recursion,
                model,
                asdict(paging)
                | asdict(generation)
                | asdict(ending)
                | asdict(shape)
                | asdict(writing),
                files_of_editor(generation),
            )
        with (
            folder.locked() if folder else nullcontext(),
            Series(worker.talk, debug=messages.debug) as series,
        ):
            _each(worker, reading.arguments(files), reading, folder, output, cluster, series)
    else:
        _together(worker, files, reading, output, recursion)
    options.check_chapters(worker)


def _at_once(recursion: RecursionOptions) -> RecursionOptions:
    """The options for documents that are rewritten: never chapter by chapter."""
    if recursion.recursive:
        raise UsageError("--rewrite given together with --recursive", "use one of the two")
    return replace(recursion, recursive=False)


def _folder(
    output: OutputOptions,
    recursion: RecursionOptions,
    model: ModelOptions,
    others: dict[str, Any],
    editor: list[Any],
) -> OutputFolder:
    """The folder of summaries, with everything that they depend on besides their documents."""
    made_with = {**others, **asdict(model), "model": fingerprint(model.model)}
    if editor:
        made_with["editor_files"] = editor
    made_with["recursive"] = recursion.recursive
    if recursion.recursive:
        chapter_model = fingerprint(recursion.chapter_model or model.model)
        made_with |= {"chapter_model": chapter_model, "chapters": output.chapters}
    made_with |= {
        "format": output.format_name,
        "cite": output.cite,
        "bullets": output.bullets,
        "version": __version__,
    }
    if output.format_name in SHARDED:
        return Shards(output.output_dir or "", made_with, FORMATS[output.format_name].suffix)
    return OutputFolder(output.output_dir or "", made_with, force=output.force)


def _check_outputs(output: OutputOptions, *, each: bool) -> None:
    """Check the flags about outputs before any work."""
    name = output.format_name
    if each and name == MARKED:
        raise UsageError(
            f"{output.output}: --each with the marked PDF of one document", "leave out --each"
        )
    if name == "parquet" and not output.output_dir:
        raise UsageError("Parquet holds many summaries", "add --each and an --output-dir")
    if each and not output.output_dir and FORMATS[name].in_series is None:
        raise UsageError(f"--each with --format {name} makes several files", "add an --output-dir")
    if each and name == "json" and output.output and not output.output_format:
        message = f"{output.output}: --each writes JSON Lines into one file"
        raise UsageError(message, "name it .jsonl, or use --format jsonl")
    if output.output == "-":
        raise UsageError("--output -: expected a file", "leave it out to write to stdout")
    if output.output:
        check_writable(output.output)
        if each and Path(output.output).is_fifo() and not is_open_file(output.output):
            message = f"{output.output}: a named pipe ends with the first summary"
            raise UsageError(message, "redirect stdout to it: > PIPE")


def _draw(summary: Summary, output: OutputOptions) -> None:
    """Show a summary on a terminal."""
    from ..views.text import text_view

    console.show(text_view(summary, **{**output.style, "cite": output.cite is not False}))


def _together(
    worker: Worker,
    files: list[str],
    reading: options.ReadingOptions,
    output: OutputOptions,
    recursion: RecursionOptions,
) -> None:
    """One summary of all files."""
    source = reading.source(files, worker.talk.warn, worker.paging.locality)
    paths = list(source.paths)
    console.check_outputs(output.files, paths, force=output.force)
    if output.format_name == MARKED:
        check_markable(paths, output.output or "")
    wait = start_reading(source, worker.talk)
    worker.load()  # while PDFs are read
    worker.rehearse()
    read = wait()
    worker.suit(read.documents)
    if len(read.documents) > len(paths) and not recursion.recursive:
        worker.talk.note(
            f"{len(read.documents)} documents in one summary; --each summarizes each of them"
        )
    is_shown = output.format_name == "text" and not output.output and sys.stdout.isatty()
    if is_shown and worker.streams:
        with console.Stream() as stream:  # the finished summary then takes its place
            summary = worker.summarize(read.documents, read.seconds, on_text=stream.write)
    else:
        summary = worker.summarize(read.documents, read.seconds)
    for line in gap_lines(summary):
        worker.talk.warn(line)
    if is_shown:
        _draw(summary, output)
        return
    if output.format_name == MARKED and output.output:
        check_new([output.output], force=output.force)  # it may have been made meanwhile
        write_marked(summary, paths[0], output.output, worker.talk.warn)
        worker.talk.note(f"wrote {output.output}")
        return
    text = written(
        summary, output.format_name, **output.style, documents=read.documents, path=output.output
    )
    if output.output:
        write_file(output.output, f"{text}\n", overwrite=output.force)
        worker.talk.note(f"wrote {output.output}")
    else:
        console.data(text)
    if output.format_name == "text":
        _note_what_was_read(summary, worker.talk)


def _note_what_was_read(summary: Summary, talk: Talk) -> None:
    """Say what a summary was made of; on a terminal, the summary itself shows it."""
    for line in (made_line(summary), coverage_line(summary), proven_line(summary)):
        if line:
            talk.note(line)


class Series:
    """Counts summaries that are done, and reports those that failed: before the work, or at the
    end.
    """

    def __init__(self, talk: Talk, *, debug: bool) -> None:
        self._talk, self._debug = talk, debug
        self._reasons: list[tuple[str, str | None]] = []
        self.done = self.total = self._reported = 0
        self.begin(0)

    def add(self, number: int) -> None:
        """Count the summaries to be made, and what has failed so far."""
        self.total = number + len(self._reasons)

    def begin(self, done: int) -> None:
        """Measure the speed from now on, with the summaries of an earlier run."""
        self.done, self._began, self._before = done, monotonic(), done + len(self._reasons)

    def position(self) -> str:
        """The position of the current summary among all, the speed and the time left."""
        at, seconds = self.done + len(self._reasons), monotonic() - self._began
        speed = (at - self._before) / seconds if at > self._before and seconds > MEASURED else None
        left = (
            f" ({speed:.2g} documents/s, "
            f"{timedelta(seconds=round((self.total - at) / speed))} left)"
            if speed
            else ""
        )
        return f"{at + 1}/{self.total}{left}"

    def failed(self, label: str, reason: PagesumError) -> None:
        """Remember a failure. The exception itself is not kept: it would hold a whole document in
        memory.
        """
        if self._debug:
            traceback.print_exception(reason)
        label = STDIN_NAME if label == STANDARD_INPUT else label
        self._reasons.append(
            (
                reason.message if label in reason.message else f"{label}: {reason.message}",
                reason.hint,
            )
        )

    @contextmanager
    def writing(self, label: str) -> Iterator[None]:
        """Write one summary; an exception is its failure, unless the others would fail with it."""
        try:
            yield
        except Exception as failure:
            if isinstance(failure, OSError) and failure.errno in FATAL:
                raise
            self.failed(label, explained(failure))
        else:
            self.done += 1

    def report(self) -> None:
        """Print the failures that were not printed before."""
        for message, hint in self._reasons[self._reported :]:
            console.error(message, hint)
        self._reported = len(self._reasons)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Print each failure, then their number."""
        self.report()
        if kind is not None:
            if issubclass(kind, KeyboardInterrupt) and self.total:
                self._talk.note(f"{self.done} of {self.total} done")
        elif self._reasons:
            console.error(
                f"{len(self._reasons)} of {len(self._reasons) + self.done} could not be summarized"
            )
            raise typer.Exit(1)


def _each(
    worker: Worker,
    named: list[str],
    reading: options.ReadingOptions,
    folder: OutputFolder | None,
    output: OutputOptions,
    cluster: ClusterOptions,
    series: Series,
) -> None:
    """A summary of each file: in a file of its own, unless it was made before, or after the
    others.
    """
    paths = inputs_of(named, reading.selection, series.failed, worker.talk.warn)
    if folder:
        paths = [path for path in paths if path in named or not folder.wrote(path)]
    else:
        console.check_outputs(output.files, paths, force=output.force, hint=EACH_HINT)
    with worker.talk.progress("scanning the files"):
        locality = worker.paging.locality
        units = units_of(trained_locality(worker.model.model) if locality == "auto" else locality)
        jobs = jobs_of(paths, reading.password, series.failed, units)
    if repeated := [
        label for label, count in Counter(job.label for job in jobs).items() if count > 1
    ]:
        worker.talk.warn(
            f"{len(repeated)} ids occur more than once, such as {repeated[0]}; every record is "
            "summarized"
        )
    series.add(len(jobs))
    todo = dict.fromkeys(jobs, "")
    if folder:
        todo, done = folder.pending(jobs, paths, FORMATS[output.format_name].suffix, series.failed)
        series.begin(done)
    if series.done:
        worker.talk.note(f"{series.done} of {series.total} already done")
    series.report()
    announce_each(worker, list(todo))
    try:
        if folder and cluster.engine:
            results = summarized(
                worker, todo, partial(_file_of, output), cluster, in_order=output.in_order
            )
            _on_cluster(worker, results, todo, folder, series)
            return
        made = Several(worker).each(list(todo), series.failed, series.position)
        for job, summary, documents in made:
            for line in gap_lines(summary):
                worker.talk.warn(f"{job.label}: {line}")
            with series.writing(job.label):
                if folder:
                    folder.write(
                        todo[job], job.digest, _file_of(output, summary, documents, todo[job])
                    )
                else:
                    _write_next(summary, job.label, output, worker.talk, is_first=not series.done)
    finally:
        if folder:
            folder.finish(complete=sys.exception() is None)


def _file_of(
    output: OutputOptions, summary: Summary, documents: Sequence[Document], name: str
) -> str:
    """What is written of a summary to a file of that name in the folder."""
    path = os.path.join(output.output_dir or "", name)
    return (
        written(summary, output.format_name, **output.style, documents=documents, path=path) + "\n"
    )


def _on_cluster(
    worker: Worker, results: Results, todo: dict[Job, str], folder: OutputFolder, series: Series
) -> None:
    """Write what a cluster gives."""
    with worker.talk.progress("starting Ray") as bar, closing(results):
        for number, (job, text, warnings, failed) in enumerate(results, 1):
            for warning in warnings:
                worker.talk.warn(f"{job.label}: {warning}")
            worker.failed += failed
            if isinstance(text, PagesumError):
                series.failed(job.label, text)
            else:
                with series.writing(job.label):
                    folder.write(todo[job], job.digest, text)
            bar.update(series.position(), number, len(todo))


def _write_next(
    summary: Summary, label: str, output: OutputOptions, talk: Talk, *, is_first: bool
) -> None:
    """Write a summary after others; text alone follows its label."""
    name = FORMATS[output.format_name].in_series or output.format_name
    blank_line = FORMATS[name].blank_line
    separator = "\n" if blank_line and not is_first else ""
    is_alone = name == "text" and (output.output or not sys.stdout.isatty())
    if blank_line and not summary.title and not is_alone:
        summary = replace(summary, title=label)
    if name == "text" and not is_alone:
        sys.stdout.write(separator)
        _draw(summary, output)
        return
    text = written(summary, name, **output.style)
    if is_alone:
        text = f"{one_line(label)}\n{text}"
    if output.output:
        append(output.output, f"{separator}{text}\n", is_first=is_first)
    else:
        console.data(separator + text)
    if is_alone:
        _note_what_was_read(summary, talk)
