"""The whole page: title, summary with citations, text."""

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from urllib.parse import quote

from ...documents.model import Document
from ...documents.readers.formats import kind_of
from ...summary.summary import Summary, SummarySentence
from ...version import __version__
from ..citation import citation_of, made_of
from ..evidence import NOT_SUPPORTED
from ..html import chapters_html, evidence_html, safe
from ..tables import counted, pdf_range, percents
from .heatmap import heat_map
from .marks import Marks, marks_of
from .text import TextWriter

STRIP_WIDTH, STRIP_HEIGHT = 400, 44
"""Size of the chart of all parts' shares, in its own units."""


def reading_page(
    summary: Summary, *, cite: bool = True, documents: Sequence[Document] = (), path: str | None = None
) -> str:
    """Write the page. All text is escaped; a policy lets the browser run only its own script and load nothing.

    Args:
        summary: The summary.
        cite: Show where each sentence comes from.
        documents: What was summarized; without them, the page has a list of the parts in place of the text.
        path: Where the page will be, for relative links to the documents' files; by default in the current folder.
    """
    marks = marks_of(summary, documents)
    links = [file_link(one.document, path) for one in marks]
    style, script = _resource("style.css"), _resource("script.js")
    return (
        Template(_resource("page.html"))
        .substitute(
            title=_title(summary, documents),
            style=style,
            style_hash=_hash(style),
            script=script,
            script_hash=_hash(script),
            about="".join(f"<p>{line}</p>" for line in _about(summary, marks, links)),
            strip=_strip(summary),
            heat_map=heat_map(summary),
            sentences="\n".join(_sentences(summary, marks, links if cite else None)),
            text="\n".join(_texts(summary, marks, links)) if documents else _parts(summary) + evidence_html(summary),
            model=safe(summary.model),
            chapters=chapters_html(summary, cite=cite, link="#p{}" if documents else ""),
            parts=safe(made_of(summary)),
            made_of=summary.made_of,
            version=__version__,
        )
        .rstrip("\n")
    )


def file_link(document: Document, path: str | None) -> str:
    """Address of the document's file, relative to the folder of a page; empty if it is not in a file of its own.

    Args:
        document: The document.
        path: The page; None for one in the current folder.
    """
    source = document.source
    if source in ("", "-") or kind_of(source) == "records" or not os.path.isfile(source):
        return ""
    folder = os.path.dirname(os.path.abspath(path)) if path else os.getcwd()
    try:
        relative = os.path.relpath(source, folder)
    except ValueError:  # another drive
        return Path(os.path.abspath(source)).as_uri()
    return quote(os.fsencode(relative.replace(os.sep, "/")))


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _title(summary: Summary, documents: Sequence[Document]) -> str:
    names = list(dict.fromkeys(page.source for page in summary.pages))
    if len(documents) > 1:
        return f"Summary of {len(documents)} documents"
    return safe(summary.title) or safe(names[0]) or "Summary"


def _about(summary: Summary, marks: Sequence[Marks], links: Sequence[str]) -> Iterator[str]:
    """A line for each document: its file and how much it holds."""
    for one, link in zip(marks, links, strict=True):
        document = one.document
        name = safe(document.name)
        pages = {page for block in one.blocks for _, page in block.page_starts}
        facts = [f"{len(document.text.split()):,} words", *([pdf_range(pages)] if pages else [])]
        linked = f'<a href="{escape(link)}">{name}</a>' if link else name
        yield " · ".join([linked, *facts])


def _strip(summary: Summary) -> str:
    """The shares of all parts as bars, as wide as the parts are long; the table of parts and the text name them."""
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
            f'<rect x="{offset:.1f}" y="{STRIP_HEIGHT - height:.1f}" width="{max(width - 1, 0.8):.1f}" '
            f'height="{height:.1f}"><title>{safe(page.label)}: {100 * page.confidence:.0f} %</title></rect>'
        )
        offset += width
    return (
        f'<svg class="strip" viewBox="0 0 {STRIP_WIDTH} {STRIP_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="Shares of the {len(summary.pages)} {summary.made_of}s in the summary, in the order of the text">'
        f"{''.join(bars)}</svg>"
    )


def _sentences(summary: Summary, marks: Sequence[Marks], links: Sequence[str] | None) -> Iterator[str]:
    """A list item for each sentence, with its citation unless ``links`` is None."""
    reachable = {number for one in marks for quote in one.quotes for number in quote.targets}
    reachable |= {n for one in marks for part in one.parts for n in one.leading.get(part.page, ())}
    for number, sentence in enumerate(summary.sentences):
        weights = "" if sentence.source else f' data-w="{_weights(summary, sentence)}"'
        target = f' href="#q{number + 1}"' if number in reachable else ""
        tag = "a" if target else "span"
        missing = f'<p class="flag">{NOT_SUPPORTED[0].upper()}{NOT_SUPPORTED[1:]}.</p>'
        flag = missing if sentence.supported is False and not sentence.source else ""
        cite = "" if links is None else _cite(summary, sentence, marks, links)
        yield f'<li id="s{number + 1}"><{tag} class="s"{target}{weights}>{safe(sentence.text)}</{tag}>{flag}{cite}</li>'


def _weights(summary: Summary, sentence: SummarySentence) -> str:
    """``4:61 3:20``: the parts with more than an even share of a generated sentence, in percent."""
    even = 1 / len(summary.pages)
    strong = [share for share in sentence.pages if share.confidence > even] or sentence.pages[:1]
    return " ".join(f"{share.page}:{100 * share.confidence:.0f}" for share in strong)


def _cite(summary: Summary, sentence: SummarySentence, marks: Sequence[Marks], links: Sequence[str]) -> str:
    """The origin of a sentence, which leads to the page in the file."""
    place = citation_of(summary, sentence)
    number = sentence.source.page if sentence.source else sentence.pages[0].page
    owners = (link for one, link in zip(marks, links, strict=True) if any(part.page == number for part in one.parts))
    link = next(owners, "")
    if not link:
        return f"<cite>{safe(place.text)}</cite>"
    fragment = f"#page={place.pdf_pages[0]}" if place.pdf_pages else ""
    return f'<cite><a href="{escape(link)}{fragment}">{safe(place.text)}</a></cite>'


def _texts(summary: Summary, marks: Sequence[Marks], links: Sequence[str]) -> Iterator[str]:
    """An article for each document."""
    shares = percents([page.confidence for page in summary.pages])
    largest = max(page.confidence for page in summary.pages) or 1
    for one, link in zip(marks, links, strict=True):
        writer = TextWriter(one, link, shares, largest)
        document = one.document
        name = f'<h2 class="name">{safe(document.title) or safe(document.name)}</h2>'
        yield f"<article>{name if len(marks) > 1 else '<h2>Text</h2>'}"
        if words := writer.unread_words:
            yield f'<p class="note">The model did not read {counted(words, "word")} of this text. They are in gray.</p>'
        yield from writer.blocks()
        if document.left_out:
            yield f'<p class="note">Left out of this text: {_left_out(document)}.</p>'
        yield "</article>"


def _left_out(document: Document) -> str:
    words: Counter[str] = Counter()
    for one in document.left_out:
        words[one.reason] += one.words
    return ", ".join(f"{safe(reason)} ({counted(number, 'word')})" for reason, number in words.most_common())


def _parts(summary: Summary) -> str:
    """A table of the parts with their shares, where the text is not at hand."""
    shares = percents([page.confidence for page in summary.pages])
    rows = "\n".join(
        f"<tr><td>{safe(page.label)}</td><td>{pdf_range(page.pdf_pages)}</td><td>{share}</td></tr>"
        for page, share in zip(summary.pages, shares, strict=True)
    )
    return f'<article><h2>{summary.made_of.capitalize()}s</h2><table id="parts">\n{rows}\n</table></article>'
