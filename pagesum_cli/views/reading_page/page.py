"""The whole page: title, summary with citations, text."""

import base64
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template

from ...documents.model import Document
from ...summary.page_confidences import page_of, steps_of
from ...summary.summary import Summary, SummarySentence
from ...version import __version__
from ..citation import (
    NEEDS_CONTEXT,
    NEEDS_CONTEXT_MEANS,
    citations,
    lines_after,
    made_of,
    opening_of,
    paragraphs_of,
    place_of,
)
from ..evidence import NOT_SUPPORTED, support_of
from ..heatmap import observations
from ..paint import color, scale_of, shortened
from ..plain import safe_html
from ..rows import part_rows, parts_or_folded, with_values
from ..tables import counted, pdf_range, percents
from .marks import Marks, marks_of
from .text import TextWriter

STRIP_WIDTH, STRIP_HEIGHT = 400, 44  # size of the chart of all parts' shares, in its own units
# maximum number of rows of the heat map; with more parts there is a row for each section
MAP_ROWS = 60
MAP_CELLS = 6000  # maximum number of cells by word; a larger map is drawn by sentence
LABEL, ROW, MAP = 200, 16, 600
"""Width of the heat map's labels, height of a row and width of its cells, in the picture's own
units.
"""


def reading_page(
    summary: Summary,
    *,
    cite: bool = True,
    documents: Sequence[Document] = (),
    path: str | None = None,
) -> str:
    """Write the page. All text is escaped; a policy lets the browser run only its own script and
    load nothing.

    Options are those of :func:`.formats.written`. Without documents, there is a list of the parts
    in place of the text.
    """
    marks = marks_of(summary, documents, path)
    page = Template(resource(__package__, "page.html")).substitute(
        title=_title(summary, documents),
        **allowed(
            style=resource(__package__, "style.css"), script=resource(__package__, "script.js")
        ),
        about="".join(map(_about, marks)),
        strip=_strip(summary),
        heat_map=_heat_map(summary),
        sentences="\n".join(_sentences(summary, marks, cite)),
        after="".join(f'<p class="note">{escape(line)}</p>' for line in lines_after(summary)),
        text="\n".join(_texts(summary, marks))
        if documents
        else _parts(summary) + _evidence(summary),
        model=safe_html(summary.model),
        chapters=_chapters(summary, cite, is_linked=bool(documents)),
        parts=safe_html(made_of(summary)),
        made_of=summary.made_of,
        version=__version__,
    )
    return page.rstrip("\n")


def resource(package: str, name: str) -> str:
    """A file beside the modules of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def allowed(**parts: str) -> dict[str, str]:
    """The style and script of a page, and the hashes by which its content security policy knows
    them.
    """
    digests = {
        name: base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        for name, part in parts.items()
    }
    return parts | {f"{name}_hash": f"sha256-{digest}" for name, digest in digests.items()}


def _title(summary: Summary, documents: Sequence[Document]) -> str:
    if len(documents) > 1:
        return f"Summary of {len(documents)} documents"
    return safe_html(summary.title) or safe_html(summary.pages[0].source) or "Summary"


def _about(marks: Marks) -> str:
    """A line for a document: its file and how much it holds."""
    name = safe_html(marks.document.name)
    linked = f'<a href="{escape(marks.link)}">{name}</a>' if marks.link else name
    words = f"{len(marks.document.text.split()):,} words"
    pages = pdf_range(
        (page for block in marks.blocks for _, page in block.page_starts), marks.document.labels
    )
    return f"<p>{' · '.join(filter(None, (linked, words, pages)))}</p>"


def _strip(summary: Summary) -> str:
    """The shares of all parts as bars, as wide as the parts are long; the table of parts and the
    text name them.
    """
    if len(summary.pages) < 2:
        return ""
    total = sum(page.tokens for page in summary.pages) or 1
    largest = max(page.confidence for page in summary.pages) or 1
    bars = []
    offset = 0.0
    for page in summary.pages:
        width = STRIP_WIDTH * page.tokens / total
        height = max(STRIP_HEIGHT * page.confidence / largest, 1)
        bars.append(
            f'<rect x="{offset:.1f}" y="{STRIP_HEIGHT - height:.1f}" '
            f'width="{max(width - 1, 0.8):.1f}" '
            f'height="{height:.1f}"><title>{safe_html(page.label)}: {100 * page.confidence:.0f} '
            f"%</title></rect>"
        )
        offset += width
    return (
        f'<svg class="strip" viewBox="0 0 {STRIP_WIDTH} {STRIP_HEIGHT}" '
        f'preserveAspectRatio="none" role="img" '
        f'aria-label="Shares of the {len(summary.pages)} {summary.made_of}s in the summary, in '
        f'the order of the text">'
        f"{''.join(bars)}</svg>"
    )


def _heat_map(summary: Summary) -> str:
    """The heat map (the paper's Figure 3), collapsed; nothing for a summary of a single part or
    without a sentence.

    A cell's tooltip shows its part, its confidence and its word.
    """
    if len(summary.pages) < 2 or not summary.sentences:
        return ""
    steps = steps_of(summary, "word")
    rows = parts_or_folded(summary, steps, MAP_ROWS)
    if len(steps) * len(rows) > MAP_CELLS:
        steps = steps_of(summary, "sentence")
        rows = with_values(rows, steps)
    width, top = MAP / len(steps), scale_of(steps)
    starts = {one.sentences[0] for one in summary.paragraphs[1:] if one.sentences}
    begins = [
        n for n, step in enumerate(steps) if n and step.sentence in starts - {steps[n - 1].sentence}
    ]
    cells = []
    for y, row in zip(range(0, ROW * len(rows), ROW), rows, strict=True):
        label = f"{shortened(row.label, 30)} {100 * row.share:.0f} %"
        cells.append(
            f'<text x="{LABEL - 6}" y="{y + 12}" text-anchor="end">{safe_html(label)}</text>'
        )
        for number, (value, step) in enumerate(zip(row.values, steps, strict=True)):
            fill = bytes(color(value / top)).hex()
            cells.append(
                f'<rect x="{LABEL + number * width:.2f}" y="{y}" width="{width + 0.1:.2f}" '
                f'height="{ROW}" '
                f'fill="#{fill}"><title>{100 * value:.0f} % {safe_html(row.label)} · '
                f"{safe_html(shortened(step.text, 80))}</title></rect>"
            )
    for number in begins:  # between paragraphs
        x = f"{LABEL + number * width:.2f}"
        cells.append(
            f'<path d="M{x} 0V{ROW * len(rows)}" stroke="currentColor" stroke-opacity=".5"/>'
        )
    figures = "; ".join(f"{name}: {text}" for name, text in observations(summary))
    return (
        '<details class="map"><summary>Heat map</summary>'
        f'<svg viewBox="0 0 {LABEL + MAP} {ROW * len(rows)}" role="img" '
        f'aria-label="Confidence of each {summary.made_of} at each step of the summary">'
        f"{''.join(cells)}</svg><p>{figures}.</p></details>"
    )


def _sentences(summary: Summary, marks: Sequence[Marks], cite: bool) -> Iterator[str]:
    """A list item for each sentence; a place is cited after the first of neighbors from it."""
    reachable = {
        number for document in marks for quote in document.quotes for number in quote.targets
    }
    reachable |= {
        n
        for document in marks
        for part in document.parts
        for n in document.leading.get(part.page, ())
    }
    titles, endings = _titles(summary)
    before = ""
    for number, sentence in enumerate(summary.sentences):
        title = titles.get(number, "")
        weights = "" if sentence.source else f' data-w="{_weights(summary, sentence)}"'
        target = f' href="#q{number + 1}"' if number in reachable else ""
        tag = "a" if target else "span"
        missing = f'<p class="flag">{NOT_SUPPORTED[0].upper()}{NOT_SUPPORTED[1:]}.</p>'
        flag = missing if sentence.supported is False and not sentence.source else ""
        text = f'<{tag} class="s"{target}{weights}>{_shown(sentence)}</{tag}>'
        sign = (
            f' <small title="{NEEDS_CONTEXT_MEANS}">({NEEDS_CONTEXT})</small>'
            if sentence.needs_context
            else ""
        )
        cited = _cite(summary, sentence, marks) if cite else ""
        shown = cited if title or cited != before else ""
        before = cited
        yield (
            f'<li id="s{number + 1}">{title}{text}{sign}{flag}{shown}{endings.get(number, "")}</li>'
        )


def _titles(summary: Summary) -> tuple[dict[int, str], dict[int, str]]:
    """What stands before the sentence of each number and after it: titles of paragraphs, and the
    sections they name.
    """
    before, after = defaultdict[int, str](str), defaultdict[int, str](str)
    first = 0
    for title, named, sentences in paragraphs_of(summary, cite=False):
        place = before if sentences else after
        place[first if sentences else max(first - 1, 0)] += (
            f"<strong>{safe_html(title)}</strong>" if title else ""
        )
        first += len(sentences)
        after[max(first - 1, 0)] += f"<p><em>{safe_html(named)}</em></p>" if named else ""
    return before, after


def _weights(summary: Summary, sentence: SummarySentence) -> str:
    """``4:61 3:20``: the parts with more than an even share of a generated sentence, in percent."""
    even = 1 / len(summary.pages)
    strong = [share for share in sentence.pages if share.confidence > even] or sentence.pages[:1]
    return " ".join(f"{share.page}:{100 * share.confidence:.0f}" for share in strong)


def _cite(summary: Summary, sentence: SummarySentence, marks: Sequence[Marks]) -> str:
    """The origin of a sentence, which leads to the page in the file."""
    citation = place_of(summary, sentence)
    number = page_of(sentence)
    links = [
        document.link for document in marks if any(part.page == number for part in document.parts)
    ]
    if not any(links):
        return f"<cite>{safe_html(citation.text)}</cite>"
    fragment = f"#page={citation.pdf_pages[0]}" if citation.pdf_pages else ""
    return f'<cite><a href="{escape(links[0])}{fragment}">{safe_html(citation.text)}</a></cite>'


def _texts(summary: Summary, marks: Sequence[Marks]) -> Iterator[str]:
    """An article for each document."""
    for marked in marks:
        writer = TextWriter(marked, summary)
        blocks = list(writer.blocks())
        document = marked.document
        name = f'<h2 class="name">{safe_html(document.title) or safe_html(document.name)}</h2>'
        yield f"<article>{name if len(marks) > 1 else '<h2>Text</h2>'}"
        if writer.unread_words:
            words = counted(writer.unread_words, "word")
            yield (
                f'<p class="note">The model did not read {words} of this text. '
                "They are in gray.</p>"
            )
        yield from blocks
        if document.left_out:
            words_left_out: Counter[str] = Counter()
            for piece in document.left_out:
                words_left_out[piece.reason] += piece.words
            reasons = (
                f"{safe_html(why)} ({counted(count, 'word')})"
                for why, count in words_left_out.most_common()
            )
            yield f'<p class="note">Left out of this text: {", ".join(reasons)}.</p>'
        yield "</article>"


def _parts(summary: Summary) -> str:
    """A table of the parts with their shares, where the text is not at hand."""
    shares = percents([page.confidence for page in summary.pages])
    rows = "\n".join(
        f"<tr><td>{safe_html(row.name)}</td><td>{share}</td></tr>"
        for row, share in zip(part_rows(summary), shares, strict=True)
    )
    return (
        f"<article><h2>{summary.made_of.capitalize()}s</h2><table "
        f'id="parts">\n{rows}\n</table></article>'
    )


def _evidence(summary: Summary) -> str:
    """What supports each sentence, collapsed; empty if it is unknown."""
    items = []
    for support in support_of(summary):
        before, after = (
            f'<p class="dim">{safe_html(text)}</p>' if text else ""
            for text in (support.before, support.after)
        )
        flag = f'<p class="flag">✗ {NOT_SUPPORTED}</p>' if support.is_missing else ""
        found = "".join(
            f"<blockquote>{_cited(text, origin)}</blockquote>" for text, origin in support.sentences
        )
        opening = f'<span class="o">{escape(support.opening)}</span>' if support.opening else ""
        own = opening + _cited(support.text, support.origin)
        items.append(f"<li>{before}<p>{own}</p>{after}{flag}{found}</li>")
    return (
        f"<details><summary>Evidence in the document</summary><ol>{''.join(items)}</ol></details>"
        if items
        else ""
    )


def _chapters(summary: Summary, cite: bool, *, is_linked: bool) -> str:
    """The summaries of a book's chapters, each collapsed under its title, with links to their text
    if it is shown.
    """
    if not summary.chapters:
        return ""
    shares = percents([page.confidence for page in summary.pages])
    written = []
    for number, (chapter, share) in enumerate(zip(summary.chapters, shares, strict=True)):
        cited = citations(chapter, merged=False) if cite else [None] * len(chapter.sentences)
        pairs = zip(chapter.sentences, cited, strict=True)
        items = "".join(f"<li>{_shown(one)}{_origin(place or '')}</li>" for one, place in pairs)
        link = (
            f'<p class="note"><a href="#p{number}">Text of the chapter</a></p>' if is_linked else ""
        )
        head = f"{number + 1}. {safe_html(chapter.title)} <small>{share}</small>"
        written.append(f"<details><summary>{head}</summary>{link}<ol>{items}</ol></details>")
    return f'<h2 id="chapters">Chapters</h2>\n{"".join(written)}'


def _cited(text: str, origin: str) -> str:
    return safe_html(text) + _origin(origin)


def _origin(origin: str) -> str:
    return f" <cite>{safe_html(origin)}</cite>" if origin else ""


def _shown(sentence: SummarySentence) -> str:
    """A sentence and what is shown before it, set off from it."""
    opening = f'<span class="o">{escape(opening_of(sentence))}</span>' if sentence.opening else ""
    return opening + safe_html(sentence.text)
