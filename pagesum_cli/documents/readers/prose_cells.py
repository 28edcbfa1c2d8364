"""Tables whose cells are prose: each cell is a paragraph, with the name of its row in front."""

from collections.abc import Iterator, Sequence, Set
from itertools import chain

from ..article.building import left_out, row_of
from ..article.wording import is_prose
from ..marked import MAX_HEAD
from ..model import LeftOut
from .blocks import Block


def of_cells(rows: Sequence[Sequence[str]], dropped: list[LeftOut]) -> Iterator[Block]:
    """The cells of a table that are prose, where these are most of it, as paragraphs; the rest is
    left out.
    """
    prose = _prose(list(chain.from_iterable(rows)))
    names = list(map(_name, rows))
    for row, name in zip(rows, names, strict=True):
        yield from (_paragraph(cell, name) for cell in row if cell in prose)
    if texts := list(_row_texts(rows, names, prose)):
        dropped.append(left_out("table", texts))


def _prose(cells: Sequence[str]) -> set[str]:
    """The cells that are prose; none if they are less than half of the text."""
    prose = set(filter(is_prose, cells))
    length = sum(len(one) for one in cells if one in prose)
    return prose if 2 * length > sum(map(len, cells)) else set()


def _name(row: Sequence[str]) -> str:
    """The name of a row: its first cell, if it is short and in words; else empty."""
    name = row[0] if row else ""
    is_short = 0 < len(name.split()) < MAX_HEAD and not is_prose(name)
    return name if is_short and any(map(str.isalpha, name)) else ""


def _paragraph(cell: str, name: str) -> Block:
    """A cell with the name of its row in its first sentence, which says what that is about."""
    return Block(cell if not name else f"{name.rstrip(' :')}: {cell}")


def _row_texts(
    rows: Sequence[Sequence[str]], names: Sequence[str], prose: Set[str]
) -> Iterator[str]:
    """The text of each row, in which the cells that are read, and its name with them, are empty."""
    for row, name in zip(rows, names, strict=True):
        is_read = not prose.isdisjoint(row)
        rest = ("" if cell in prose or (is_read and cell == name) else cell for cell in row)
        if text := row_of(rest):
            yield text
