"""``pagesum check``: does what a summary says stand in the documents?"""

import io
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..batch.reading import Source, read_files
from ..documents.model import Document
from ..documents.read import STANDARD_INPUT
from ..errors import PagesumError, UsageError
from ..files import check_writable, is_open_file, read_all, read_bytes, write_file
from ..options import Options, option
from ..summary.check.checker import Checker
from ..summary.check.claims import Claim, NotChecked, claims_in, parts_of_text
from ..summary.check.report import changes, hidden_text, states, states_in, to_json
from ..summary.check.results import Checked
from ..summary.history import read_saved, saved_in
from ..views.plain import unstyled
from . import console, options
from .help import ShortHelp
from .interrupt import INTERRUPTED
from .watching import Watch, watch

if TYPE_CHECKING:
    from ..judging.judge import Judge
    from ..judging.passages import Passages

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_SUMMARY = (
    "Text, Markdown, HTML or another document, or a JSON file that summarize wrote; - for "
    "standard input."
)
Summary = Annotated[str, options.argument("SUMMARY", _SUMMARY)]


@dataclass(frozen=True)
class CheckOptions(Options, panel="Check"):
    """How strict a check is, and an earlier one."""

    strict: bool = option(
        False,
        "Also exit with 1 if a claim is a paraphrase, which comparing words cannot prove, unless "
        "--judge calls it supported.",
        brief="Exit with 1 for paraphrases too.",
    )
    judge: str | None = option(
        None,
        "Let a language model judge what comparing words cannot prove: URL#NAME of a server with "
        "an OpenAI-compatible API, or a decoder-only model's name or folder.",
        metavar="MODEL",
        brief="Let a language model judge the rest.",
    )
    again: str | None = option(
        None,
        "Show what has changed since an earlier check, saved with --format json.",
        metavar="FILE",
        brief="Show what changed since a saved check.",
    )
    watch: bool = option(
        False,
        "SUMMARY is a draft, or a folder of drafts: check it whenever it is saved, until Ctrl-C. "
        "The exit code is that of the last check.",
        brief="Check a draft whenever it is saved.",
    )


@dataclass(frozen=True)
class ReportOptions(Options, panel=options.OUTPUT):
    """How and where the result is written."""

    output_format: str | None = option(
        None,
        "Output format; html is a self-contained page, with the source beside each claim. "
        "Default: the one that fits the extension of --output, otherwise text.",
        choices=("text", "json", "html"),
        flags=("--format",),
        brief="text, json or html.",
    )
    output: str | None = option(
        None,
        "Write the result to a file instead of stdout.",
        metavar="FILE",
        flags=("-o",),
        brief="Write to a file.",
    )
    force: bool = option(
        False, "Replace an existing --output; documents are never replaced.", requires="output"
    )

    @property
    def format_name(self) -> str:
        """The format to write."""
        if self.output_format or not self.output or is_open_file(self.output):
            return self.output_format or "text"
        end = Path(self.output).suffix.lower()
        if end not in _ENDS:
            raise UsageError(
                f"{self.output}: expected one of {', '.join(_ENDS)}", "or name a --format"
            )
        return _ENDS[end]

    def check(self, summary: str, paths: Sequence[str]) -> None:
        """Refuse an output that cannot be written, or that is read."""
        if self.output:
            inputs = [path for path in (summary, *paths) if os.path.isfile(path)]
            console.check_outputs([self.output], inputs, force=self.force)
            check_writable(self.output)


_SEARCHING = "reading passages"
_ENDS = {".txt": "text", ".json": "json", ".html": "html", ".htm": "html"}


@app.command(
    cls=ShortHelp,
    epilog="pagesum check summary.md paper.pdf\n\npagesum check summary.json a.txt b.txt --strict"
    "\n\npagesum check --watch draft.md paper.pdf",
)
@options.with_flags
def check(
    summary: Summary,
    files: options.Files,
    checking: CheckOptions,
    reading: options.ReadingOptions,
    output: ReportOptions,
    messages: options.MessageOptions,
) -> None:
    """Check whether the documents support what a summary says, whoever wrote it; needs no model.

    Each sentence, or quotation within one, is verbatim, edited (with omissions or insertions),
    differs (in a number, unit, date, name, negation, comparison or modality), a paraphrase, or not
    found. Exits with 1 if a claim differs, is not found or is cited wrongly.
    """
    _refuse(summary, files, checking, output)
    if checking.judge:
        _check_judge(checking.judge, messages.talk, allow_network=reading.allow_network)
    earlier = states_in(checking.again) if checking.again else None
    stdin = (
        read_all(sys.stdin.buffer, "standard input") if STANDARD_INPUT in (summary, *files) else b""
    )
    source = reading.source(files, messages.talk.warn, stdin=io.BytesIO(stdin))
    output.check(summary, source.paths)
    documents = read_files(source, messages.talk).documents
    judge = _judge(checking.judge, allow_network=reading.allow_network)
    checker = _Check(source, documents, stdin, earlier, checking, output, messages.talk, judge)
    if not checking.watch:
        raise typer.Exit(checker.check(summary))
    checker.watch(summary)


def _refuse(
    summary: str, files: Sequence[str], checking: CheckOptions, output: ReportOptions
) -> None:
    """Refuse what does not go together."""
    if [summary, *files].count(STANDARD_INPUT) > 1:
        raise UsageError("- given twice", "standard input is either the summary or a document")
    is_page = output.format_name == "html"
    if checking.watch and summary == STANDARD_INPUT:
        raise UsageError("--watch with -, which is read once", "name a file or a folder")
    if checking.watch and is_page and not output.output:
        raise UsageError("--watch with --format html", "add --output report.html")


def _check_judge(name: str, talk: console.Talk, *, allow_network: bool) -> None:
    """Check that a model can judge, and say what leaves this machine."""
    from ..judging.judge import OPTION, announced

    options.check_language_model(name, OPTION, allow_network=allow_network)
    for line in announced(name):
        talk.note(line)


def _judge(name: str | None, *, allow_network: bool) -> "Judge | None":
    """The model of this name, which judges claims."""
    if not name:
        return None
    from ..editing.answered import Answers
    from ..judging.judge import OPTION, Judge, label_of
    from ..models.choosers import chooser_of

    model = chooser_of(name, OPTION, "auto", allow_network=allow_network)
    return Judge(model, Answers(model.name), label_of(name))


@dataclass
class _Check:
    """Checks summaries against the same documents."""

    source: Source
    documents: list[Document]
    stdin: bytes
    earlier: Mapping[tuple[str, str], str] | None  # the states of an earlier check
    checking: CheckOptions
    output: ReportOptions
    talk: console.Talk
    judge: "Judge | None" = None  # a model that is asked, too

    @cached_property
    def _checker(self) -> Checker:
        return Checker.of(self.documents)

    @cached_property
    def _passages(self) -> "Passages":
        from ..judging.passages import Passages

        return Passages(self.documents)

    @cached_property
    def _digests(self) -> dict[str, str]:
        paths = [path for path in self.source.paths if Path(path).is_file()]
        found = {path: sha256(read_bytes(path)).hexdigest() for path in paths}
        return {**found, STANDARD_INPUT: sha256(self.stdin).hexdigest()}

    def watch(self, path: str) -> None:
        """Check a draft, or each one in a folder, whenever it is saved, until Ctrl-C; then exit
        with the code of the last check.
        """
        if not os.path.exists(path):
            raise UsageError(f"{path}: there is no such file or folder", "check the spelling")
        codes = [INTERRUPTED]

        def checked(draft: str) -> None:
            self.talk.note(f"{draft}, {time.strftime('%H:%M:%S')}")
            try:
                codes.append(self.check(draft))
            except PagesumError as error:  # while it is being written, it may have no sentence
                console.error(error.message, error.hint)
                codes.append(error.exit_code)

        besides = [*self.source.paths, *filter(None, [self.output.output, self.checking.again])]
        self.talk.note(f"watching {path}: Ctrl-C ends")
        watch(Watch(path, besides), checked)
        raise typer.Exit(codes[-1])

    def check(self, summary: str) -> int:
        """Check a summary and write the result; returns the exit code."""
        claims, not_checked = self._parts(summary)
        checked: list[Checked] = []
        with self.talk.progress("checking claims") as bar:
            for number, claim in enumerate(claims, 1):
                checked += self._checker.checked([claim])
                bar.update("checking claims", number, len(claims))
        checked = self._judged(checked)
        others = [one for one in self.documents if not one.hidden_words]  # warned of when read
        for line in hidden_text(others):
            self.talk.warn(line)
        data = to_json(checked, self.documents, self._digests, not_checked)
        if self.earlier is not None:
            data["changes"] = changes(self.earlier, states(data))
        self._write(summary, checked, not_checked, data)
        if all(one.verdict == "not found" for one in checked):
            self.talk.warn(
                "no claim was found: is this the summary of another document, or in another "
                "language?"
            )
        return int(any(one.fails(strict=self.checking.strict) for one in checked))

    def _judged(self, checked: list[Checked]) -> list[Checked]:
        """The claims; those that are open with what the model answers, or, if none is asked, with
        the nearest passage.
        """
        from ..judging.passages import is_open

        found = []
        with self.talk.progress(_SEARCHING) as bar:
            for number, one in enumerate(checked, 1):
                found.append(self._read(one) if is_open(one) else one)
                bar.update(_SEARCHING, number, len(checked))
        for line in self.judge.notes() if self.judge else ():
            self.talk.warn(line)
        return found

    def _read(self, checked: Checked) -> Checked:
        if self.judge:
            return self.judge.judged(checked, self._passages.of(checked))
        return self._passages.with_nearest(checked)

    def _parts(self, summary: str) -> tuple[list[Claim], list[NotChecked]]:
        """The claims of a summary, and what is not checked."""
        saved = saved_in(summary, self.stdin if summary == STANDARD_INPUT else None)
        if saved:
            claims = [claim for one in read_saved(summary, saved) for claim in claims_in(one)]
            if claims:
                return claims, []
        password = self.source.password
        own = Source([summary], [summary], password, stdin=io.BytesIO(self.stdin))
        texts = read_files(own, self.talk).documents
        parts = [part for one in texts for part in parts_of_text(one, self.documents)]
        claims = [one for one in parts if isinstance(one, Claim)]
        if not claims:
            raise UsageError(
                f"{summary}: expected a summary, found no sentence", "put the summary first"
            )
        return claims, [one for one in parts if isinstance(one, NotChecked)]

    def _write(
        self,
        summary: str,
        checked: Sequence[Checked],
        not_checked: Sequence[NotChecked],
        data: dict[str, Any],
    ) -> None:
        from ..views.check import check_view

        path = self.output.output
        if self.output.format_name != "text":
            text = _WRITTEN[self.output.format_name](data, summary)
        else:
            view = check_view(checked, self.documents, data.get("changes"), not_checked)
            if not path:
                return console.show(view)
            text = unstyled(view)
        if not path:
            return console.data(text)
        write_file(path, f"{text}\n")
        self.talk.note(f"wrote {path}")


def _json(data: dict[str, Any], _: str) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def _page(data: dict[str, Any], summary: str) -> str:
    from ..views.check_report import check_page

    return check_page(data, Path(summary).name, time.strftime("%Y-%m-%d"))


_WRITTEN = {"json": _json, "html": _page}
