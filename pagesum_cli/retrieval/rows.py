"""The rows of a table, each cell with the head of its column."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..documents.article.building import cells_of_row
from ..documents.model import Document, LeftOut
from .numbers import Number, numbers_of

LONGEST_ROW = 400  # characters; what is longer is no row
HIGHEST_HEAD = 3  # rows of the head of a table, at most
MIDDLE = 0.5  # columns by which what is above all of them may be beside their middle
LONGEST_HEAD = 80  # characters of the head of a column; what is longer is text
MIN_ROWS = 2  # rows with the columns of a head, from which on it is one
MIN_COLUMNS = 3  # of a table of words with a head; one with two may have the names of its rows
LONGEST_REST = 4  # lines below a table that may be its last rows
LONGER = 1.5  # times the length of a head that the cells below have, in a table of words
_DATE = re.compile(
    r"^\D{0,12}(?:1[5-9]|20)\d\d\b|^\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b(?:1[5-9]|20)\d\d$|\d[:–-]\d"
)
"""A cell that is or ends with a year, or has a date, a time or a result."""
_LETTER, _DIGIT = re.compile(r"[^\W\d_]{2}"), re.compile(r"\d")
_NOTE = re.compile(r"^(?=[A-Z\d“\"])(?=.*[a-z]{4})")
_REFERENCE = re.compile(r"\d[;:(]|\d[–-]\d|\bdoi\b|\[CrossRef\]", re.IGNORECASE)
_CAPTION = re.compile(r"(?:^|(?<=\s))(Tab(?:le|\.)[ -]?(?:[A-Z]?\d+|[IVX]+))[.:]?\s(?=[A-Z(])")


@dataclass(frozen=True)
class TableRow:
    """A row of a table."""

    text: str
    heads: tuple[str, ...]  # of its columns; empty if they are not known
    above: str  # the rows of the head, and the caption if it is known
    table: str  # the name of the table, "Table 2"; empty if it is not known


def rows_in(document: Document) -> Iterator[tuple[LeftOut, TableRow]]:
    """The rows of the tables of a document that have several cells with words, or numbers, and
    words or the name of a case or year at the beginning.
    """
    captions = _captions(document)
    for before, part in pairwise((None, *document.left_out)):
        if part and before and _is_rest(part, of=before):
            above = " ".join(_head_of(before.rows) or before.rows[:1])
            yield from ((part, TableRow(row, (), above, "")) for row in part.rows)
        elif part:
            yield from ((part, row) for row in _rows_of(part, captions))


def _rows_of(part: LeftOut, captions: Mapping[int, tuple[str, str]]) -> Iterator[TableRow]:
    """The rows of a table that are found; ``captions`` are those of the tables that have one."""
    head = _head_of(part.rows)
    heads = _columns(head, part.rows[len(head) :])
    name, caption = captions.get(id(part), ("", "")) if heads else ("", "")
    above = " ".join(filter(None, (caption, *(head or part.rows[:1]))))
    for row in part.rows[len(head) :]:
        own = heads if len(heads) == len(cells_of_row(row)) else ()
        if _is_found(row, head, own) and _has_cells(row, part):
            yield TableRow(row, own, above, name)


def _is_rest(part: LeftOut, *, of: LeftOut) -> bool:
    """Whether some lines below a table on its page are the last rows of it, the cells of which are
    not known.
    """
    is_below = bool(part.pdf_pages and part.rows) and part.pdf_pages == of.pdf_pages
    has_cells = any(map(_is_cut, of.rows)) and not any(map(_is_cut, part.rows))
    is_text = all(_NOTE.match(one) and not _REFERENCE.search(one) for one in part.rows)
    return is_below and has_cells and is_text and len(part.rows) <= LONGEST_REST


def shown(text: str, heads: Sequence[str]) -> str:
    """A row with the heads of its columns: ``Red fox | MIC (mg/mL): 0.5``; without those that are
    empty, and with no head before its label.
    """
    if not heads:
        return text
    parts = []
    for number, (cell, head) in enumerate(zip(cells_of_row(text), heads, strict=True)):
        if cell:
            is_label = not number and _LETTER.search(cell)
            parts.append(cell if is_label or not head else f"{head}: {cell}")
    return " | ".join(parts)


def numbers_of_row(text: str, heads: Sequence[str]) -> tuple[Number, ...]:
    """The cells of a row that have numbers, each with the head of its column; without heads, the
    numbers of the row.
    """
    if not heads:
        return numbers_of(text)
    cells = zip(cells_of_row(text)[1:], heads[1:], strict=True)
    return tuple(Number(cell, head) for cell, head in cells if _DIGIT.search(cell))


def _is_found(row: str, head: Sequence[str], heads: Sequence[str]) -> bool:
    """Whether a row has words in several cells; or a number, and a name or the heads of its
    columns.
    """
    if len(row) > LONGEST_ROW:
        return False
    if not _DIGIT.search(row):
        return sum(bool(_LETTER.search(cell)) for cell in cells_of_row(row)) > 1
    is_named = heads or _LETTER.search(row) or (head and not numbers_of(cells_of_row(row)[0]))
    return bool(is_named)


def _has_cells(row: str, part: LeftOut) -> bool:
    """Whether a row has several cells, or belongs to no table: the cells of a file are not known,
    or it is a note or a line of its own. Pieces of figures, notes and references are no rows.
    """
    if not part.pdf_pages or _is_cut(row):
        return True
    has_cells = any(map(_is_cut, part.rows))
    return not has_cells and bool(_NOTE.match(row)) and not _REFERENCE.search(row)


def _is_cut(row: str) -> bool:
    return sum(map(bool, cells_of_row(row))) > 1


def _head_of(rows: Sequence[str]) -> Sequence[str]:
    """The first rows of a table, up to the first one with a value: a quantity, date or year, but
    not the number of a section or of a note; none if many have none. Of a table without a value,
    the first row may be the head.
    """
    number = next((n for n, row in enumerate(rows) if _has_value(row)), -1)
    if number < 0:
        return rows[: _is_head_of_words(rows)]
    if 0 < number < HIGHEST_HEAD and _has_no_label(rows[number]):
        others = rows[number + 1 :]
        number += len(others) >= MIN_ROWS and not any(map(_has_no_label, others))
    return rows[:number] if number <= HIGHEST_HEAD else ()


def _is_head_of_words(rows: Sequence[str]) -> bool:
    """Whether the first row of a table of words names its columns: it has all of them, and they
    are shorter than what is below.
    """
    first, *others = map(cells_of_row, rows) if rows else ([],)
    below = [cell for row in others for cell in filter(None, row)]
    if len(first) < MIN_COLUMNS or not all(first) or not below:
        return False
    return sum(map(len, below)) * len(first) >= LONGER * sum(map(len, first)) * len(below)


def _has_no_label(row: str) -> bool:
    return not cells_of_row(row)[0]


def _has_value(row: str) -> bool:
    return bool(numbers_of(row)) or any(map(_DATE.search, cells_of_row(row)))


def _columns(head: Sequence[str], rows: Sequence[str]) -> tuple[str, ...]:
    """The heads of the columns, of the rows of the head with as many cells as most rows below it;
    none if there is no such row, or one is too long.
    """
    heads: list[str] = []
    for cells in map(cells_of_row, reversed(head)):
        if not heads and sum(len(cells_of_row(row)) == len(cells) for row in rows) >= MIN_ROWS:
            heads = cells
        elif len(cells) == len(heads):
            heads = list(map(_both, _spread(cells, heads), heads))
    is_head = sum(map(bool, heads)) > 1 and max(map(len, heads)) <= LONGEST_HEAD
    return tuple(heads) if is_head else ()


def _both(upper: str, lower: str) -> str:
    """The head of a column in two rows."""
    return f"{upper} {lower}".strip()


def _spread(upper: Sequence[str], lower: Sequence[str]) -> Sequence[str]:
    """The cells of a row of a head above each of the ``lower`` ones: one that is alone in the
    middle belongs to all of them, and several to the repeated groups of columns below, if there
    are as many.
    """
    below = _filled(lower)
    spans = [n for n in _filled(upper) if lower[n]]
    size = _size_of_groups([lower[n] for n in below], len(spans))
    if len(spans) == 1:
        size = _is_middle(spans[0], below) * len(below)
    groups = below[len(below) - size * len(spans) :]
    if not size or spans[0] < groups[0]:
        return upper
    above = {n: upper[spans[place // size]] for place, n in enumerate(groups)}
    return [above.get(n, cell) for n, cell in enumerate(upper)]


def _filled(cells: Sequence[str]) -> list[int]:
    """The numbers of the cells with text after the first one."""
    return [number for number, cell in enumerate(cells) if number and cell]


def _is_middle(place: int, places: Sequence[int]) -> bool:
    """Whether a place is in the middle of places."""
    return abs(places.index(place) - (len(places) - 1) / 2) <= MIDDLE


def _size_of_groups(names: Sequence[str], count: int) -> int:
    """How many columns are in each of some groups of the last columns with the same names; 0 if
    they are not repeated.
    """
    sizes = range(len(names) // count if count else 0, 1, -1)
    ends = ((size, list(names[-size * count :])) for size in sizes)
    return next((size for size, end in ends if end == end[:size] * count), 0)


def _captions(document: Document) -> dict[int, tuple[str, str]]:
    """The name and the caption of each table on a page with as many captions as tables."""
    found: dict[int, tuple[str, str]] = {}
    for page, tables in _tables_by_page(document.left_out).items():
        texts = (
            one.text
            for one in document.left_out
            if one.reason == "caption" and page in one.pdf_pages
        )
        captions = [caption for text in texts for caption in _captions_in(text)]
        if len(captions) == len(tables):
            found |= dict(zip(map(id, tables), captions, strict=True))
    return found


def _tables_by_page(parts: Iterable[LeftOut]) -> dict[int, list[LeftOut]]:
    """The tables with known columns by the page on which they begin."""
    pages: dict[int, list[LeftOut]] = {}
    for part in parts:
        head = _head_of(part.rows)
        if part.pdf_pages and _columns(head, part.rows[len(head) :]):
            pages.setdefault(part.pdf_pages[0], []).append(part)
    return pages


def _captions_in(text: str) -> Iterator[tuple[str, str]]:
    """The names and captions of tables in the captions of a page."""
    starts = list(_CAPTION.finditer(text))
    ends = [*(one.start() for one in starts), len(text)][1:]
    for match, end in zip(starts, ends, strict=True):
        yield match[1].replace("-", " ").rstrip("."), text[match.start() : end].strip()
