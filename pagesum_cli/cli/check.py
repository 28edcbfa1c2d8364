"""``pagesum check``: does what a summary says stand in the documents?"""

import io
import json
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from ..batch.reading import Source, read_files
from ..documents.read import STANDARD_INPUT
from ..errors import UsageError
from ..files import read_bytes
from ..options import Options, option
from ..summary.check.checker import Checked, Checker
from ..summary.check.claims import Claim, NotChecked, claims_in, parts_of_text
from ..summary.check.report import changes, hidden_text, states, states_in, to_json
from ..summary.history import read_saved, saved_in
from . import console, options
from .help import ShortHelp

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
        "Also exit with 1 if a claim is a paraphrase, which comparing words cannot prove.",
        brief="Exit with 1 for paraphrases too.",
    )
    again: str | None = option(
        None,
        "Show what has changed since an earlier check, saved with --format json.",
        metavar="FILE",
        brief="Show what changed since a saved check.",
    )


@dataclass(frozen=True)
class ReportOptions(Options, panel=options.OUTPUT):
    """How the result is written."""

    output_format: str = option(
        "text",
        "Output format; html is a self-contained page, with the source beside each claim.",
        choices=("text", "json", "html"),
        flags=("--format",),
        brief="text, json or html.",
    )


@app.command(
    cls=ShortHelp,
    epilog="pagesum check summary.md paper.pdf\n\npagesum check summary.json a.txt b.txt --strict",
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
    from ..views.check import check_view

    talk = messages.talk
    if [summary, *files].count(STANDARD_INPUT) > 1:
        raise UsageError("- given twice", "standard input is the summary or a document")
    earlier = states_in(checking.again) if checking.again else None
    stdin = sys.stdin.buffer.read() if STANDARD_INPUT in (summary, *files) else b""
    source = reading.source(files, talk.warn, stdin=io.BytesIO(stdin))
    documents = read_files(source, talk).documents
    saved = saved_in(summary, stdin if summary == STANDARD_INPUT else None)
    own = Source([summary], [summary], reading.password, stdin=io.BytesIO(stdin))
    claims = (
        [claim for one in read_saved(summary, saved) for claim in claims_in(one)] if saved else []
    )
    not_checked: list[NotChecked] = []
    if not claims:
        texts = read_files(own, talk).documents
        parts = [part for one in texts for part in parts_of_text(one, documents)]
        claims = [one for one in parts if isinstance(one, Claim)]
        not_checked = [one for one in parts if isinstance(one, NotChecked)]
    if not claims:
        raise UsageError(
            f"{summary}: expected a summary, found no sentence", "put the summary first"
        )
    checked: list[Checked] = []
    with talk.progress("checking claims") as bar:
        checker = Checker.of(documents)
        for number, claim in enumerate(claims, 1):
            checked += checker.checked([claim])
            bar.update("checking claims", number, len(claims))
    for line in hidden_text(documents):
        talk.warn(line)
    digests = {
        path: sha256(read_bytes(path)).hexdigest() for path in source.paths if Path(path).is_file()
    }
    digests[STANDARD_INPUT] = sha256(stdin).hexdigest()
    data = to_json(checked, documents, digests, not_checked)
    if earlier is not None:
        data["changes"] = changes(earlier, states(data))
    if output.output_format == "text":
        console.show(check_view(checked, documents, data.get("changes"), not_checked))
    else:
        console.data(_WRITTEN[output.output_format](data, summary))
    if all(one.verdict == "not found" for one in checked):
        talk.warn(
            "no claim was found: is this the summary of another document, or in another language?"
        )
    if any(one.fails(strict=checking.strict) for one in checked):
        raise typer.Exit(1)


def _json(data: dict[str, Any], _: str) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def _page(data: dict[str, Any], summary: str) -> str:
    from ..views.check_report import check_page

    return check_page(data, Path(summary).name)


_WRITTEN = {"json": _json, "html": _page}
