"""How documents are cut → the terminal, or JSON."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..documents.article.divisions import division_of, plain
from ..documents.books.chapters import Chapter, chapters_of
from ..documents.model import Document, LeftOut
from ..documents.notes import ATTACHMENT
from ..locality.flow import Page, Pages
from .plain import one_line
from .tables import columns, counted, literal, pdf_range

FOUND_BY = {
    "outline": "outline or markup",
    "numbering": "heading number",
    "style": "style",
    "name": "section name",
    "fallback": "",
}

CHAPTERS_FOUND_BY = {
    "outline": "outline or markup",
    "contents": "contents page",
    "headings": "headings",
    "fallback": "none found: parts of equal length",
}

BEGINNING = 100
"""Characters of a text left out that are shown."""

PLACES = 20
"""Characters of a list of PDF pages."""

BOOK_WORDS = 10_000
"""Words from which on the chapters of a document are shown, even if they are not labelled or listed as such."""

MAX_ROWS = 1000
"""Sections and parts that are shown: laying out tens of thousands takes minutes. ``--format json`` has all of them."""

MAX_NAMES = 20
"""Attachments that are shown."""

Row = tuple[Text, ...]
"""The cells of a row."""

MIN_WIDTH = 12
"""Characters of a column that is cut."""

SHORTENED = ("chapter", "section", "part", "beginning")
"""Columns whose text is cut where there is no room for all of it."""


def pages_view(documents: Sequence[Document], cuts: Pages) -> RenderableType:
    """The sections of the documents, and the parts that they are cut into."""
    views: list[RenderableType] = []
    room, shown = MAX_ROWS, 0
    for document in documents:
        if room <= 0:
            break
        views += [_title(document), *_chapters(document), _sections(document, room), *_left_out(document), Text()]
        room, shown = room - len(document.sections), shown + 1
    views += _more(len(documents) - shown, "document")
    words = sum(len(section.text.split()) for document in documents for section in document.sections)
    tokens = sum(page.tokens for page in cuts.pages)
    head = f", {cuts.locality} locality, {counted(words, 'word')}, {counted(tokens, 'token')}"
    views.append(Text.assemble((counted(len(cuts.pages), "part"), "bold"), head))
    rows: list[Row] = []
    several = len(documents) > 1
    for number, page in enumerate(cuts.pages[:MAX_ROWS]):
        where = ", ".join(filter(None, (page.source if several else "", pdf_range(page.pdf_pages))))
        truncated = f"{page.truncated_words:,} words left out" if page.truncated_words else ""
        cells = Text(str(number), "dim"), literal(page.label), literal(where, "dim"), Text(f"{page.tokens:,}")
        rows.append((*cells, Text(truncated, "yellow")))
    table = _table([("", True), ("part", False), ("in the file", False), ("tokens", True), ("", False)], rows)
    return Group(*views, table, *_more(len(cuts.pages) - MAX_ROWS, "part"))


def _more(count: int, what: str) -> list[RenderableType]:
    """How many things are not shown; nothing if all are."""
    return [Text(f"… {counted(count, f'more {what}')}: --format json has all", style="dim")] if count > 0 else []


def _title(document: Document) -> Text:
    title = literal(document.title or document.name, "bold")
    if document.title:
        title.append("  ").append_text(literal(document.name, "not bold dim"))
    return title


def _chapters(document: Document) -> list[RenderableType]:
    """The chapters of a book, and what is in none; nothing for a document that is no book."""
    chapters = chapters_of(document)
    shown = chapters.chapters[:MAX_ROWS]
    is_book = bool(document.listed) or any(division_of(one.title) for one in shown)
    if len(shown) < 2 or not (is_book or sum(one.words for one in shown) >= BOOK_WORDS):
        return []
    rows: list[Row] = []
    for one in shown:
        pages, found_by = Text(pdf_range(one.pdf_pages), "dim"), Text(CHAPTERS_FOUND_BY[chapters.found_by], "dim")
        rows.append((literal(one.title), pages, Text(f"{one.words:,}"), found_by))
    for outside in chapters.left_out:
        pages, words = Text(pdf_range(outside.pdf_pages), "dim"), Text(f"{outside.words:,}", "dim")
        rows.append((Text("(none)", "dim"), pages, words, Text(outside.reason, "dim")))
    table = _table([("chapter", False), ("in the file", False), ("words", True), ("found by", False)], rows)
    return [table, *_more(len(chapters.chapters) - len(shown), "chapter"), Text()]


def _sections(document: Document, room: int) -> RenderableType:
    """The sections of a document."""
    rows: list[Row] = []
    for section in document.sections[:room]:
        heading = literal(section.heading) if section.heading else Text("(no heading)", style="dim")
        rows.append(
            (
                Text("  " * (section.level - 1)).append_text(heading),
                Text(pdf_range(section.pdf_pages), style="dim"),
                Text(f"{len(section.text.split()):,}"),
                Text(FOUND_BY[section.found_by], style="dim"),
            )
        )
    table = _table([("section", False), ("in the file", False), ("words", True), ("found by", False)], rows)
    return Group(table, *_more(len(document.sections) - room, "section"))


def _left_out(document: Document) -> list[RenderableType]:
    """A line for each reason why text is not part of the document, and one for each attachment; nothing for none."""
    reasons: dict[str, list[LeftOut]] = {}
    for one in document.left_out:
        reasons.setdefault(one.reason, []).append(one)
    if not reasons:
        return []
    rows: list[Row] = []
    for reason, pieces in reasons.items():
        for group in [[one] for one in pieces[:MAX_NAMES]] if reason == ATTACHMENT else [pieces]:
            beginning = one_line(group[0].text)
            cut = beginning if len(beginning) <= BEGINNING else f"{beginning[: BEGINNING - 1].rstrip()}…"
            places = _places(page for one in group for page in one.pdf_pages)
            words = f"{sum(one.words for one in group):,}"
            rows.append((literal(reason, "dim"), Text(places, "dim"), Text(words, "dim"), literal(cut, "dim")))
    table = _table([("left out", False), ("in the file", False), ("words", True), ("beginning", False)], rows)
    return [Text(), table]


def _places(pages: Iterable[int]) -> str:
    """A list of PDF pages, a long one without its middle."""
    text = pdf_range(pages)
    if len(text) <= PLACES:
        return text
    return f"{text[: PLACES - 6].rpartition(',')[0]} … {text.rpartition(' ')[2]}"


def _table(header: Sequence[tuple[str, bool]], rows: Sequence[Row]) -> Table:
    """A table with (name, is number) columns, without those that are empty; only some are cut to the width."""
    table = columns(header=True)
    filled = [place for place in range(len(header)) if any(row[place] for row in rows)]
    for place in filled:
        name, is_number = header[place]
        is_cut = name in SHORTENED
        table.add_column(
            name,
            justify="right" if is_number else "left",
            no_wrap=not is_cut,
            min_width=MIN_WIDTH if is_cut else None,
        )
    for row in rows:
        for place in filled:
            if header[place][0] in SHORTENED:
                row[place].no_wrap, row[place].overflow = True, "ellipsis"
        table.add_row(*(row[place] for place in filled))
    return table


def document_text(document: Document) -> str:
    """The title and the text of a document as it was read: headings and paragraphs, a blank line between two."""
    is_repeated = bool(document.sections) and plain(document.sections[0].heading) == plain(document.title)
    return document.text if is_repeated else f"{document.title}\n\n{document.text}"


def pages_json(documents: Sequence[Document], cuts: Pages) -> dict[str, Any]:
    """The same as JSON (``schema`` 1), with the text that the offsets of quotes refer to."""
    found = [(document, chapters_of(document)) for document in documents]
    pages: dict[str, list[tuple[int, Page]]] = defaultdict(list)
    for place, one in enumerate(cuts.pages):
        pages[one.source].append((place, one))
    return {
        "schema": 1,
        "title": documents[0].title if len(documents) == 1 else "",
        "locality": cuts.locality,
        "documents": [
            {"name": document.name, "title": document.title, "text": document.text} for document in documents
        ],
        "sections": [
            {
                "heading": section.heading,
                "level": section.level,
                "pdf_pages": section.pdf_pages,
                "words": len(section.text.split()),
                "found_by": section.found_by,
                "source": document.name,
                "start": start,
            }
            for document in documents
            for section, start in zip(document.sections, document.starts, strict=True)
        ],
        "chapters": [
            {
                "title": chapter.title,
                "words": chapter.words,
                "found_by": chapters.found_by,
                "pdf_pages": chapter.pdf_pages,
                "source": document.name,
                "start": chapter.span[0],
                "end": chapter.span[1],
                "pages": _within(chapter, pages[document.name]),
            }
            for document, chapters in found
            for chapter in chapters.chapters
        ],
        "outside_chapters": [
            {**asdict(one), "source": document.name} for document, chapters in found for one in chapters.left_out
        ],
        "left_out": [{**asdict(one), "source": document.name} for document in documents for one in document.left_out],
        "pages": [
            {
                "page": number,
                "label": page.label,
                "source": page.source,
                "pdf_pages": page.pdf_pages,
                "tokens": page.tokens,
                "truncated": page.truncated_words > 0,
                "text": page.text,
            }
            for number, page in enumerate(cuts.pages)
        ],
    }


def _within(chapter: Chapter, pages: Sequence[tuple[int, Page]]) -> list[int]:
    """The numbers of the pages that hold text of a chapter."""
    start, end = chapter.span
    return [number for number, page in pages if any(start <= one.start < end for one in page.sentences)]
