"""Where the paragraphs of a table are: in which row and column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....text.cleaning import one_line
from ...article.building import CELL, row_of
from .paragraph import Block, Cell


@dataclass(eq=False)
class Cells:
    """The place in a table while it is read."""

    row: int = -1
    column: int = -1
    _next: int = 0  # the column after those that the current cell covers

    def begin_row(self) -> None:
        """Go to the next row."""
        self.row, self.column, self._next = self.row + 1, -1, 0

    def begin_cell(self, span: int) -> None:
        """Go to the next cell, which covers ``span`` columns."""
        self.column, self._next = self._next, self._next + span

    def place(self, blocks: Iterable[Block]) -> list[Block]:
        """Blocks with their cells, as they are read; those of a table within have theirs."""
        placed = []
        for block in blocks:
            block.cell = block.cell or Cell(self, self.row, self.column)
            placed.append(block)
        return placed


def tables_in(blocks: Iterable[Block], reason: str) -> list[list[str]]:
    """The rows of each table, of those of its blocks that are left out for a reason; the cells of
    the others are empty.
    """
    tables: dict[object, list[tuple[Cell, str]]] = {}
    for block in blocks:
        if block.cell:
            text = block.text if block.reason == reason else ""
            tables.setdefault(block.cell.table, []).append((block.cell, text))
    return [rows for parts in tables.values() if (rows := _rows(parts))]


def _rows(parts: Sequence[tuple[Cell, str]]) -> list[str]:
    """The rows of the paragraphs of a table; those of a cell are one text."""
    width = max(cell.column for cell, _ in parts) + 1
    rows: dict[int, list[str]] = {}
    for cell, text in parts:
        cells = rows.setdefault(cell.row, [""] * width)
        cells[cell.column] = one_line(f"{cells[cell.column]} {text}").replace(CELL, " ")
    return list(filter(None, map(row_of, rows.values())))
