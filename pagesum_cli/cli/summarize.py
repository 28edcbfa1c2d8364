"""``pagesum summarize``: documents → summaries that show which page each sentence came from."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..documents.document import Document
from ..documents.read import find_files, read_file
from ..errors import PagesumError, UsageError
from ..history import remember
from ..jobs import Job, OutputFolder, check_writable, jobs_of, output_names, write_file
from ..locality.page import Pages
from ..model.registry import DEFAULT, fingerprint
from ..provenance import with_evidence
from ..summary import Summary
from ..version import __version__
from . import console, options

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer

SUFFIXES = {"text": ".txt", "markdown": ".md", "json": ".json", "jsonl": ".jsonl", "html": ".html"}
FORMATS = tuple(SUFFIXES)

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
def summarize(
    files: options.Files,
    each: Annotated[
        bool, typer.Option("--each", help="One summary for each file (each record of a data set).", show_default=False)
    ] = False,
    locality: options.Locality = "auto",
    page_tokens: options.PageTokens = None,
    max_pages: options.MaxPages = None,
    num_pages: options.NumPages = None,
    overflow: options.Overflow = "continue",
    model: options.Model = DEFAULT,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    beams: options.Beams = None,
    length: options.Length = None,
    min_length: options.MinLength = None,
    max_length: options.MaxLength = None,
    no_repeat_ngram: options.NoRepeatNgram = None,
    length_penalty: options.LengthPenalty = None,
    output_format: Annotated[
        str | None,
        options.choice(
            "--format",
            values=FORMATS,
            panel=options.OUTPUT,
            help="Default: what the end of --output's name says, else text.",
        ),
    ] = None,
    cite: Annotated[
        bool,
        typer.Option(
            "--cite",
            help="Name the strongest page behind each sentence.",
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = False,
    output: options.OutputFile = None,
    output_dir: Annotated[
        str | None,
        typer.Option(
            "--output-dir",
            metavar="DIR",
            show_default=False,
            rich_help_panel=options.OUTPUT,
            help="With --each: write NAME.txt (.md, .json …) into a folder; what is done already is skipped.",
        ),
    ] = None,
    no_history: options.NoHistory = False,
    password: options.Password = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Summarize documents, and show which page each sentence came from.

    Several files make one summary, a page or more for each file; with --each they make one summary each.
    """
    options.check_lengths(length, min_length, max_length)
    options.check_model(model, page_tokens, max_length)
    options.check_pages(num_pages, max_pages, overflow)
    form = Form(output_format or _format_of(output), cite)
    _check_outputs(each, output, output_dir, form.name)
    talk = console.Talk(quiet=quiet)
    settings = {
        "locality": locality,
        "page_tokens": page_tokens,
        "max_pages": max_pages,
        "num_pages": num_pages,
        "overflow": overflow,
        "beams": beams,
        "length": length,
        "min_length": min_length,
        "max_length": max_length,
        "no_repeat_ngram": no_repeat_ngram,
        "length_penalty": length_penalty,
    }
    work = Work(model, device, dtype, settings, talk, history=not no_history)
    if output_dir:
        made_with = {
            **settings,
            "model": fingerprint(model),
            "device": device,
            "dtype": dtype,
            "format": form.name,
            "cite": cite,
            "version": __version__,
        }
        _into_folder(work, files, password, OutputFolder(output_dir, made_with), form)
    elif each:
        _one_each(work, files, password, form, output)
    else:
        began = perf_counter()
        paths = find_files(files)
        documents = [document for path in paths for document in read_file(path, password=password)]
        seconds = perf_counter() - began
        if len(documents) > len(paths):
            talk.note(f"{len(documents)} documents in one summary; --each gives each its own")
        if output:
            write_file(output, form.write(work.summarize(documents, seconds), one_line=form.name == "jsonl") + "\n")
        else:
            form.show(work, documents, seconds, one_line=form.name == "jsonl")


@dataclass
class Work:
    """The model, loaded when it is first needed, and how it is to be used; and whether inspect may find its work."""

    model: str
    device: str
    dtype: str
    settings: dict[str, Any]
    talk: console.Talk
    history: bool
    summarizer: "PageSummarizer | None" = None

    def load(self) -> "PageSummarizer":
        """The summarizer; warns where its page confidences mean nothing."""
        if self.summarizer is None:
            with self.talk.loading(f"loading {self.model}"):
                from ..summarizer import PageSummarizer

                self.summarizer = PageSummarizer.from_pretrained(self.model, device=self.device, dtype=self.dtype)
            if self.summarizer.model.config.untrained_confidence:
                self.talk.warn(f"{self.model} is a plain BART: its page confidences are untrained, and say nothing")
        return self.summarizer

    def summarize(
        self,
        documents: list[Document],
        read_seconds: float,
        *,
        before: str = "",
        on_text: Callable[[str], None] | None = None,
    ) -> Summary:
        """Summarize, with a progress bar.

        Args:
            documents: to be summarized together.
            read_seconds: that reading them took.
            before: stands before what the bar says.
            on_text: is called with the text as it is settled, the bar being gone.
        """
        summarizer = self.load()
        with self.talk.progress(f"{before}reading pages") as bar:

            def on_progress(stage: str, done: int, total: int) -> None:
                if stage != "read":
                    bar.update(before + {"encode": "reading pages", "decode": "writing"}[stage], done, total)

            def on_some_text(text: str) -> None:
                bar.stop()
                on_text(text)

            cuts: list[Pages] = []
            summary = summarizer.summarize(
                documents,
                **self.settings,
                on_pages=cuts.append,
                on_progress=on_progress,
                on_text=on_some_text if on_text else None,
            )
        options.say_what_is_left_out(self.talk, cuts[0])
        if not summary.text.strip():
            self.talk.warn("the model ended the summary before its first word")
        summary = replace(summary, seconds={**summary.seconds, "read": summary.seconds["read"] + read_seconds})
        summary = with_evidence(summary, cuts[0])
        if self.history:
            remember(summary)
        return summary

    def streams(self) -> bool:
        """Whether the text is settled word by word."""
        return self.load().settings(beams=self.settings["beams"]).beams == 1


@dataclass(frozen=True)
class Form:
    """How a summary is written."""

    name: str
    cite: bool

    def write(self, summary: Summary, *, one_line: bool) -> str:
        """The summary as text without colours, without a line end behind it."""
        if self.name == "text":
            from ..views.text import text_view

            return console.plain(text_view(summary, cite=self.cite))
        if self.name == "markdown":
            from ..views.markdown import markdown_view

            return markdown_view(summary, cite=self.cite)
        if self.name == "html":
            from ..views.html import html_view

            return html_view(summary, cite=self.cite)
        from ..views.json import json_view

        return json_view(summary, one_line=one_line)

    def show(
        self, work: Work, documents: list[Document], read_seconds: float, *, one_line: bool, before: str = ""
    ) -> None:
        """Summarize onto stdout: on a terminal in colour, and word by word where that is possible."""
        if self.name != "text" or not sys.stdout.isatty():
            console.data(self.write(work.summarize(documents, read_seconds, before=before), one_line=one_line))
            return
        from ..views.text import TEXT_WIDTH, pages_view, text_view, title_view

        if self.cite or not work.streams():
            console.show(text_view(work.summarize(documents, read_seconds, before=before), cite=self.cite))
            return
        console.show(title_view(documents[0].title if len(documents) == 1 else ""))
        stream = console.Stream(min(console.stdout().width, TEXT_WIDTH))
        summary = work.summarize(documents, read_seconds, before=before, on_text=stream.write)
        stream.close()
        console.show(pages_view(summary))


class Failures:
    """Files that could not be summarized, told at the end."""

    def __init__(self) -> None:
        self._reasons: list[tuple[str, PagesumError]] = []

    def add(self, label: str, reason: PagesumError) -> None:
        self._reasons.append((label, reason))

    def tell(self, done: int) -> None:
        """Say each, then how many.

        Raises:
            typer.Exit: there were some.
        """
        for label, reason in self._reasons:
            known = label in reason.message
            console.error(reason.message if known else f"{label}: {reason.message}", reason.hint)
        if self._reasons:
            console.error(f"{len(self._reasons)} of {len(self._reasons) + done} could not be summarized")
            raise typer.Exit(1)


def _into_folder(work: Work, files: list[str], password: str | None, folder: OutputFolder, form: Form) -> None:
    failures = Failures()
    paths = [path for path in _found(files, failures) if path in files or not folder.wrote(path)]
    jobs = jobs_of(paths, password, failures.add)
    todo: dict[Job, str] = {}
    done = 0
    for job, name in zip(jobs, output_names(jobs), strict=True):
        try:
            if folder.is_done(name + SUFFIXES[form.name], job.digest):
                done += 1
            else:
                todo[job] = name + SUFFIXES[form.name]
        except PagesumError as reason:
            failures.add(job.label, reason)
    if done:
        work.talk.note(f"{done} of {len(jobs)} done already")
    for job, documents, seconds, before in _documents(work, list(todo), failures):
        summary = _summarized(work, job, documents, seconds, before, failures)
        if summary:
            folder.write(todo[job], job.digest, form.write(summary, one_line=form.name == "jsonl") + "\n")
            done += 1
    failures.tell(done)


def _one_each(work: Work, files: list[str], password: str | None, form: Form, output: str | None) -> None:
    failures = Failures()
    jobs = jobs_of(_found(files, failures), password, failures.add)
    done: list[str] = []
    lines = form.name in ("json", "jsonl")
    try:
        for job, documents, seconds, before in _documents(work, jobs, failures):
            summary = _summarized(work, job, documents, seconds, before, failures)
            if not summary:
                continue
            if not lines and not summary.title:
                summary = replace(summary, title=job.label)
            text = form.write(summary, one_line=True)
            if not output:
                if done and not lines:
                    console.data("")
                if form.name == "text" and sys.stdout.isatty():
                    from ..views.text import text_view

                    console.show(text_view(summary, cite=form.cite))
                else:
                    console.data(text)
            done.append(text)
    finally:
        if output and done:
            write_file(output, ("\n" if lines else "\n\n").join(done) + "\n")
    failures.tell(len(done))


def _found(files: list[str], failures: Failures) -> list[str]:
    """The paths that the arguments stand for, each once; an argument that stands for none is a failure."""
    paths: dict[str, None] = {}
    for argument in files:
        try:
            paths.update(dict.fromkeys(find_files([argument])))
        except PagesumError as reason:
            failures.add(argument, reason)
    return list(paths)


def _documents(work: Work, jobs: list[Job], failures: Failures) -> Iterator[tuple[Job, list[Document], float, str]]:
    """The jobs whose input can be read, with their documents, and what to say before their progress."""
    for number, job in enumerate(jobs, 1):
        began = perf_counter()
        try:
            documents = job.read()
        except PagesumError as reason:
            failures.add(job.label, reason)
            continue
        work.load()
        before = f"{number}/{len(jobs)} {os.path.basename(job.label)}: " if len(jobs) > 1 else ""
        yield job, documents, perf_counter() - began, before


def _summarized(
    work: Work, job: Job, documents: list[Document], seconds: float, before: str, failures: Failures
) -> Summary | None:
    """The job's summary; None, and a line among the failures, where it cannot be made."""
    try:
        return work.summarize(documents, seconds, before=before)
    except UsageError:  # is wrong for every file
        raise
    except PagesumError as reason:
        failures.add(job.label, reason)
        return None


def _format_of(output: str | None) -> str:
    ending = os.path.splitext(output or "")[1].lower()
    return next((name for name, suffix in SUFFIXES.items() if suffix == ending), "text")


def _check_outputs(each: bool, output: str | None, output_dir: str | None, form: str) -> None:
    if output and output_dir:
        raise UsageError("--output given together with --output-dir", "give one of the two")
    if output_dir and not each:
        raise UsageError(
            "--output-dir without --each", "--each writes a summary of each file; --output writes one file"
        )
    if each and form == "html" and not output_dir:
        raise UsageError("--each with --format html makes several files", "give an --output-dir")
    if output:
        check_writable(output)
