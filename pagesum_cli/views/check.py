"""What a check found → the terminal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..documents.model import Sentence
from ..summary.check.checker import VERDICTS, Checked
from ..summary.check.report import Report
from .plain import one_line, printable
from .tables import counted, pdf_range

SIGNS = {
    "verbatim": ("✓", "green"),
    "edited": ("✓", "green"),
    "differs": ("✗", "bold red"),
    "paraphrase": ("~", "yellow"),
    "not found": ("✗", "bold red"),
}
SHOWN = 200
"""Claims of one verdict that are shown; --format json has all."""


def check_view(report: Report) -> RenderableType:
    """Each claim with its verdict, what differs, and the sentence of the document; then the number of each verdict."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    counts = Counter[str]()
    for checked in report.claims:
        counts[checked.verdict] += 1
        if counts[checked.verdict] <= SHOWN:
            sign, style = SIGNS[checked.verdict]
            lines = [_claim(checked), *_further(checked, report)]
            table.add_row(Text(f"{sign} {checked.verdict}", style), Group(*lines))
    hidden = sum(max(0, count - SHOWN) for count in counts.values())
    more = [Text(f"… {hidden:,} more: --format json has all", "dim")] if hidden else []
    found = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in VERDICTS if counts[verdict])
    return Group(table, *more, Text(f"{counted(len(report.claims), 'claim')}: {found}", "bold"))


def _claim(checked: Checked) -> Text:
    """The claim with what differs marked."""
    text = Text(printable(checked.claim.text))
    if len(text) == len(checked.claim.text):  # nothing was removed, so that places are the same
        for one in checked.differences:
            text.stylize("bold red" if checked.verdict == "differs" else "yellow", *one.span)
    if checked.claim.citation:
        text.append(f" {one_line(checked.claim.citation.text)}", "dim")
    return text


def _further(checked: Checked, report: Report) -> list[Text]:
    lines = []
    if checked.is_cited_right is False:
        lines.append(Text("cited wrongly: it stands elsewhere", "bold red"))
    for one in checked.differences:
        ours, theirs = (f"“{one_line(text)}”" if text else "nothing" for text in (one.claim, one.document))
        lines.append(Text(f"{one.kind}: {ours}, the document has {theirs}"))
    if checked.verdict == "paraphrase":
        lines.append(Text(f"not proven: these passages cover {100 * checked.score:.0f} % of its words", "yellow"))
    for source in filter(None, (checked.source, *checked.further)):
        place = _place(source, checked, report)
        lines.append(
            Text(f"→ {one_line(source.text)} [{place}]" if checked.verdict != "verbatim" else f"[{place}]", "dim")
        )
    return lines


def _place(source: Sentence, checked: Checked, report: Report) -> str:
    is_clear = len(report.documents) == 1 and (source.pdf_pages or source.heading)
    file = "" if is_clear else report.documents[checked.document].name
    return ", ".join(filter(None, (one_line(file), pdf_range(source.pdf_pages), one_line(source.heading))))


def changes_view(changes: Sequence[Mapping[str, Any]]) -> RenderableType:
    """A line for each file and each claim that has changed."""
    lines = [] if changes else ["nothing has changed since the earlier check"]
    for one in changes:
        before, now = (one[name] or "not there" for name in ("before", "now"))
        lines.append(f"changed: {one['file']}" if "file" in one else f"{before} → {now}: {one['claim']}")
    return Group(*(Text(one_line(line)) for line in lines))
