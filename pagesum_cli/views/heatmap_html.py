"""The heat map as one HTML file: a word lights its pages, a page lights its words. Works from disk, without network."""

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from ..provenance import locality_figures, page_figures, page_name, page_range, steps_of
from ..summary import Summary, SummarySentence
from ..version import __version__
from .colours import ANCHORS
from .evidence import NOT_SUPPORTED, evidence_html
from .heatmap import scale_of
from .plain import one_line


def heat_map_html(summary: Summary) -> str:
    """The page.

    Text of documents and summaries is escaped, and a content security policy lets the browser run this page's own
    script only and load nothing.

    Args:
        summary: of at least one word.
    """
    steps = steps_of(summary, "word")
    figures = page_figures(summary)
    data: dict[str, Any] = {
        "confidences": [[round(value, 4) for value in step.confidences] for step in steps],
        "sentences": [step.sentence for step in steps],
        "top": scale_of(steps),
        "colours": [list(anchor) for anchor in ANCHORS],
    }
    style = files(__package__).joinpath("heatmap.css").read_text(encoding="utf-8")
    script = files(__package__).joinpath("heatmap.js").read_text(encoding="utf-8")
    title = one_line(summary.title) or one_line(summary.pages[0].source) or "Summary"
    words: list[list[str]] = [[] for _ in summary.sentences]
    for number, step in enumerate(steps):
        text = escape(one_line(step.text))
        # The first word is the only stop of the tab key; arrow keys go on from there.
        stop = "0" if number == 0 else "-1"
        span = f'<span class="w" id="w{number}" tabindex="{stop}">{text}</span>'
        words[step.sentence].append(span + (" " if step.space else ""))
    sentences = "\n".join(
        _sentence(summary, number, sentence, "".join(own))
        for number, (sentence, own) in enumerate(zip(summary.sentences, words, strict=True))
    )
    pages = "\n".join(
        f'<tr class="p" id="p{one.page}" tabindex="{"0" if place == 0 else "-1"}">'
        f"<th scope=row>{escape(one_line(page_name(summary, place)))}</th>"
        f'<td class="bar"><span style="width:{100 * one.share:.1f}%"></span></td>'
        f'<td class="n now">{100 * one.share:.1f}%</td><td class="n">{100 * one.share:.1f}%</td>'
        f'<td class="n" title="at “{escape(one_line(one.peak_word))}”">{100 * one.peak:.0f}%</td>'
        f"<td>{page_range([sentence + 1 for sentence in one.sentences]) or '–'}</td>"
        f'<td class="n">{one.words}</td></tr>'
        for place, one in enumerate(figures)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src '{_hash(script)}'">
<title>{escape(title)} – which page said what</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<p class="dim">{escape(one_line(summary.model))}, {escape(summary.locality)} locality, {len(summary.pages)} pages, \
{len(steps)} words. Point at a word to see its pages, at a page to see its words; or move with Tab and the arrow keys. \
Escape lets go.</p>
</header>
<main>
<section aria-labelledby="said">
<h2 id="said">Summary</h2>
<div id="text">
{sentences}
</div>
{evidence_html(summary)}
</section>
<section id="side" aria-labelledby="read">
<h2>Confidences</h2>
<canvas id="map" role="img" aria-label="Heat map of page confidences: pages down, words of the summary across. The \
table below holds its figures."></canvas>
<p class="scale dim">0% <canvas id="ramp" width="160" height="10" aria-hidden="true"></canvas> \
<span id="top"></span> &ensp; all pages alike: {100 / len(summary.pages):.1f}% each</p>
<h2 id="read">Pages</h2>
<table>
<thead><tr><th scope=col>page</th><th scope=col colspan=2 id="now">share</th><th scope=col>share</th>
<th scope=col>peak</th><th scope=col>leads</th><th scope=col>words</th></tr></thead>
<tbody id="pages">
{pages}
</tbody>
</table>
{_figures(summary)}
</section>
</main>
<p id="live" aria-live="polite"></p>
<footer class="dim">Made by pagesum {__version__}.</footer>
<script type="application/json" id="data">{_script_json(data)}</script>
<script>{script}</script>
</body>
</html>
"""


def _sentence(summary: Summary, number: int, sentence: SummarySentence, words: str) -> str:
    mark = "" if sentence.supported is not False else f' <span class="flag" title="{NOT_SUPPORTED}">✗</span>'
    return f'<p class="s" id="s{number}"><span class="no dim">{number + 1}</span>{words}{mark}</p>'


def _figures(summary: Summary) -> str:
    figures = locality_figures(steps_of(summary, "token"))
    return (
        f'<p class="dim">{figures.pages_for_80:.1f} of {figures.pages} pages hold 80% of the weight at a step. The '
        f"strongest page stays from step to step in {100 * figures.stays:.0f}% "
        f"({100 * figures.stays_shuffled:.0f}% if shuffled), for {figures.run:.1f} steps in a row on average.</p>"
    )


def _script_json(data: Any) -> str:
    """JSON that cannot end the element that it stands in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
