"""The heat map as one HTML file with links between words and parts of the document; needs no network."""

import base64
import hashlib
import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ..summary.page_confidences import Step, locality_figures, page_figures, steps_of, trimmed
from ..summary.summary import Summary
from ..version import __version__
from .citation import several_files
from .colors import ANCHORS
from .evidence import NOT_SUPPORTED
from .html import chapters_html, evidence_html, safe
from .paint import scale_of
from .plain import one_line
from .rows import Row, folded, rows_of, without_zeros
from .tables import counted, page_range, pdf_range

ROWS = 60
"""Maximum number of rows; with more parts there is a row for each section."""


def heat_map_html(summary: Summary) -> str:
    """Write the page for a summary of at least one word.

    Text of documents and summaries is escaped. A content security policy lets the browser run only this page's own
    script and load nothing.
    """
    steps = steps_of(summary, "word")
    unit = "word" if summary.tokens else "sentence"
    lines = without_zeros(summary, steps)
    rows = rows_of(lines if len(lines) <= ROWS else folded(summary, steps, ROWS), steps)
    data = {
        "confidences": [
            [round(value, 4) for value in column] for column in zip(*(row.values for row in rows), strict=True)
        ],
        "hasRest": rows[-1].is_rest,
        "sentences": [step.sentence for step in steps],
        "top": scale_of(steps),
        "colors": [list(anchor) for anchor in ANCHORS],
    }
    script = _resource("heatmap.js")
    return Template(_resource("heatmap.html")).substitute(
        title=safe(one_line(summary.title) or summary.pages[0].source) or "Summary",
        style=_resource("heatmap.css"),
        script=script,
        hash="sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        model=safe(summary.model),
        made_of=summary.made_of,
        parts=counted(len(summary.pages), summary.made_of)
        + ("" if summary.chapters else f", {escape(summary.locality)} locality"),
        steps=counted(len(steps), unit),
        unit=unit,
        sentences="\n".join(_sentences(summary, steps)),
        evidence=evidence_html(summary) + chapters_html(summary),
        even=f"{100 / len(summary.pages):.1f}",
        labels="".join(f"<div>{safe(row.label)}</div>" for row in rows),
        pages="\n".join(_pages(summary, rows, steps)),
        figures=_figures(summary),
        version=__version__,
        data=_script_json(data),
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _sentences(summary: Summary, steps: Sequence[Step]) -> list[str]:
    words: list[list[str]] = [[] for _ in summary.sentences]
    for number, step in enumerate(steps):
        # Tab stops at the first word only; the arrow keys move on from there.
        stop = "0" if number == 0 else "-1"
        span = f'<span class="w" id="w{number}" tabindex="{stop}">{safe(step.text)}</span>'
        words[step.sentence].append(span + (" " if step.space else ""))
    flag = f' <span class="flag" title="{NOT_SUPPORTED}">✗</span>'
    return [
        f'<p class="s" id="s{number}"><span class="no dim">{number + 1}</span>{"".join(own)}'
        f"{flag if sentence.supported is False else ''}</p>"
        for number, (sentence, own) in enumerate(zip(summary.sentences, words, strict=True))
    ]


def _pages(summary: Summary, rows: Sequence[Row], steps: Sequence[Step]) -> list[str]:
    figures = page_figures(summary)
    written = []
    for number, row in enumerate(rows):
        pages = [figures[page] for page in row.pages]
        numbers = sorted({pdf_page for page in row.pages for pdf_page in summary.pages[page].pdf_pages})
        where = "" if row.is_rest or several_files(summary) else pdf_range(numbers)
        peak = max(row.values)
        word = trimmed(steps[row.values.index(peak)].text) if summary.tokens else ""
        sentences = page_range(sorted(sentence + 1 for one in pages for sentence in one.sentences))
        written.append(
            f'<tr class="p" id="p{number}" tabindex="{"-1" if number else "0"}">'
            f"<th scope=row>{safe(', '.join(filter(None, (row.label, where))))}</th>"
            f'<td class="bar"><span style="width:{100 * row.share:.1f}%"></span></td>'
            f'<td class="n now">{100 * row.share:.1f}%</td>'
            f'<td class="n" title="at “{safe(word)}”">{100 * peak:.0f}%</td>'
            f'<td>{sentences or "–"}</td><td class="n">{sum(one.words for one in pages)}</td></tr>'
        )
    return written


def _figures(summary: Summary) -> str:
    figures = locality_figures(steps_of(summary, "token"))
    text = (
        f"The strongest {summary.made_of} has {100 * figures.largest:.0f}% of the weight at a step; "
        f"entropy {figures.entropy:.2f}."
    )
    if figures.change is not None and figures.change_shuffled is not None:
        text += (
            f" {100 * figures.change:.0f}% of the weight moves to other {summary.made_of}s from step to step "
            f"({100 * figures.change_shuffled:.0f}% if shuffled)."
        )
    return f'<p class="dim">{text}</p>'


def _script_json(data: Any) -> str:
    """JSON that cannot end the element that contains it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
