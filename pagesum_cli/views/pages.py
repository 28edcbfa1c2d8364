"""How documents are cut → the terminal, or JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from operator import attrgetter
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..documents.article.divisions import division_of, plain
from ..documents.books.chapters import Chapter, chapters_of
from ..documents.model import Document, LeftOut, Section
from ..documents.notes import ATTACHMENT
from ..locality.flow import Page, Pages
from ..text.tables import table
from .plain import one_line, printable
from .tables import columns, counted, literal, pdf_range

FOUND_BY: dict[str, str] = table(__file__, "pages.toml")

# from which on chapters are shown, even if they are not labelled or listed as such
BOOK_WORDS = 10_000
MAX_ROWS = 1000  # rows of a table that are shown: laying out tens of thousands takes minutes
MIN_WIDTH = 11  # characters of a column that is cut
# columns that are cut where there is no room
SHORTENED = ("chapter", "section", "part", "in the file", "beginning")
NUMBERS = ("number", "words", "tokens")  # columns that are aligned right
DIM = ("number", "in the file", "found by", "beginning")  # columns that are less important


def pages_view(documents: Sequence[Document], cuts: Pages) -> RenderableType:
    """The sections of the documents, and the parts that they are cut into."""
    views: list[RenderableType] = []
    for document in documents:
        views += [
            _title(document),
            *_chapters(document),
            _sections(document),
            *_left_out(document),
            Text(),
        ]
    # headings too, as in all views of a document
    words = sum(len(document.text.split()) for document in documents)
    tokens = sum(page.tokens for page in cuts.pages)
    head = f", {cuts.locality} locality, {counted(words, 'word')}, {counted(tokens, 'token')}"
    views.append(Text.assemble((counted(len(cuts.pages), "part"), "bold"), head))
    rows = []
    labels = {document.name: document.labels for document in documents}
    for number, page in enumerate(cuts.pages):
        file = page.source if len(documents) > 1 else ""
        origin = ", ".join(
            filter(None, (file, pdf_range(page.pdf_pages, labels.get(page.source, {}))))
        )
        truncated = counted(page.truncated_words, "word") if page.truncated_words else ""
        rows.append((str(number), page.label, origin, f"{page.tokens:,}", truncated))
    table = _table(("number", "part", "in the file", "tokens", "not read"), rows)
    return Group(*views, table)


def _title(document: Document) -> Text:
    title = literal(document.title or document.name, "bold")
    if document.title:
        title.append("  ").append_text(literal(document.name, "not bold dim"))
    return title


def _chapters(document: Document) -> list[RenderableType]:
    """The chapters of a book, and what is in none; nothing for a document that is no book."""
    chapters = chapters_of(document)
    shown = chapters.chapters
    is_book = bool(document.listed) or any(division_of(chapter.title) for chapter in shown)
    if len(shown) < 2 or not (is_book or sum(chapter.words for chapter in shown) >= BOOK_WORDS):
        return []
    found_by = FOUND_BY[chapters.found_by] or "none found: parts of equal length"
    pieces: list[tuple[str, Chapter | LeftOut, str]] = [
        (chapter.title, chapter, found_by) for chapter in shown
    ]
    pieces += [("(none)", piece, piece.reason) for piece in chapters.left_out]
    rows = [
        (name, pdf_range(one.pdf_pages, document.labels), f"{one.words:,}", why)
        for name, one, why in pieces
    ]
    return [_table(("chapter", "in the file", "words", "found by"), rows), Text()]


def _sections(document: Document) -> RenderableType:
    rows = []
    for section in document.sections:
        heading = "  " * (section.level - 1) + (section.heading or "(no heading)")
        words = f"{len(section.text.split()):,}"
        rows.append(
            (
                heading,
                pdf_range(section.pdf_pages, document.labels),
                words,
                FOUND_BY[section.found_by],
            )
        )
    return _table(("section", "in the file", "words", "found by"), rows)


def _piece_data(piece: LeftOut, document: Document) -> dict[str, Any]:
    """What is left out, without the rows of tables, which are in its text."""
    fields = asdict(piece)
    del fields["rows"]
    return {**fields, "source": document.name}


def _left_out(document: Document) -> list[RenderableType]:
    """A line for each reason why text is not part of the document, and one for each attachment;
    nothing for none.
    """
    reasons: dict[str, list[LeftOut]] = {}
    for piece in filter(attrgetter("text"), document.left_out):
        reasons.setdefault(piece.reason, []).append(piece)
    rows = []
    for reason, pieces in reasons.items():
        for group in [[piece] for piece in pieces] if reason == ATTACHMENT else [pieces]:
            pdf_pages = pdf_range(
                (page for piece in group for page in piece.pdf_pages), document.labels
            )
            rows.append(
                (
                    reason,
                    pdf_pages,
                    f"{sum(piece.words for piece in group):,}",
                    one_line(group[0].text),
                )
            )
    return [Text(), _table(("left out", "in the file", "words", "beginning"), rows)] if rows else []


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    """A table of the columns that are not empty; only some are cut to the width."""
    table = columns(header=True)
    filled = [index for index in range(len(header)) if any(row[index] for row in rows)]
    for name in (header[index] for index in filled):
        is_cut = name in SHORTENED
        table.add_column(
            "" if name == "number" else name,
            justify="right" if name in NUMBERS else "left",
            style="dim" if name in DIM else "",
            no_wrap=not is_cut,
            min_width=MIN_WIDTH if is_cut else None,
        )
    for row in rows[:MAX_ROWS]:
        table.add_row(
            *(Text(printable(row[index]), no_wrap=True, overflow="ellipsis") for index in filled)
        )
    hidden = len(rows) - MAX_ROWS
    return (
        Group(table, Text(f"… {hidden:,} more: --format json lists them all", style="dim"))
        if hidden > 0
        else table
    )


def document_text(document: Document) -> str:
    """The title and the text of a document as it was read: headings and paragraphs, a blank line
    between two.
    """
    is_repeated = bool(document.sections) and plain(document.sections[0].heading) == plain(
        document.title
    )
    return document.text if is_repeated else f"{document.title}\n\n{document.text}"


def pages_json(documents: Sequence[Document], cuts: Pages) -> dict[str, Any]:
    """The same as JSON (``schema`` 1), with the text that the offsets of quotes refer to."""
    by_name = {document.name: document for document in documents}
    found = [(document, chapters_of(document)) for document in documents]
    return {
        "schema": 1,
        "title": documents[0].title if len(documents) == 1 else "",
        "locality": cuts.locality,
        "documents": [
            _fields(document, "name", "title", "text", "hidden_words") for document in documents
        ],
        "sections": [
            {
                **_located(document, section, "heading", "level", "pdf_pages", "found_by"),
                "words": len(section.text.split()),
                "source": document.name,
                "start": start,
            }
            for document in documents
            for section, start in zip(document.sections, document.starts, strict=True)
        ],
        "chapters": [
            {
                **_located(document, chapter, "title", "words", "pdf_pages"),
                "found_by": chapters.found_by,
                "source": document.name,
                "start": chapter.span[0],
                "end": chapter.span[1],
                "pages": _pages_within(chapter, document, cuts.pages),
            }
            for document, chapters in found
            for chapter in chapters.chapters
        ],
        "outside_chapters": [
            _piece_data(piece, document)
            for document, chapters in found
            for piece in chapters.left_out
        ],
        "left_out": [
            _piece_data(piece, document)
            for document in documents
            for piece in document.left_out
            if piece.text
        ],
        "pages": [
            {
                "page": number,
                **_located(
                    by_name.get(page.source), page, "label", "source", "pdf_pages", "tokens", "text"
                ),
                "truncated": page.truncated_words > 0,
            }
            for number, page in enumerate(cuts.pages)
        ],
    }


def _located(
    document: Document | None, thing: Section | Chapter | Page, *names: str
) -> dict[str, Any]:
    """Fields of a part of a document, and the numbers printed on its PDF pages, if they are
    known.
    """
    labels = document.labels_of(thing.pdf_pages) if document else ()
    return _fields(thing, *names) | ({"page_labels": labels} if labels else {})


def _fields(thing: object, *names: str) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in names}


def _pages_within(chapter: Chapter, document: Document, pages: Sequence[Page]) -> list[int]:
    """The numbers of the pages that hold text of a document's chapter."""
    start, end = chapter.span
    return [
        number
        for number, page in enumerate(pages)
        if page.source == document.name
        and any(start <= sentence.start < end for sentence in page.sentences)
    ]
