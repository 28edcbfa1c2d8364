"""Tables in LaTeX → the text of their rows, cell by cell."""

from collections.abc import Callable, Iterator

from ....text.tables import patterns
from ...article.building import row_of

FORMS = patterns(__file__, "patterns.toml")


def rows_in(source: str, text_of: Callable[[str], str]) -> tuple[list[str], str]:
    """The rows of all tables in a float, and its source without them and without pictures.

    ``text_of`` reads the source of a cell.
    """
    rows: list[str] = []
    others: list[str] = []
    end = 0
    for start, stop in _spans(source):
        others.append(source[end:start])
        rows += _rows_of(source[start:stop], text_of)
        end = stop
    rest = " ".join([*others, source[end:]])
    return rows, FORMS["picture"].sub(" ", FORMS["environment"].sub(" ", rest))


def _spans(source: str) -> Iterator[tuple[int, int]]:
    """Where the outer tables begin and end."""
    depth = start = 0
    for found in FORMS["tabular"].finditer(source):
        if found["edge"] == "begin":
            start = start if depth else found.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, found.end()


def _rows_of(source: str, text_of: Callable[[str], str]) -> Iterator[str]:
    """The rows of a table, their cells that are not empty; a label over several rows is in each of
    them.
    """
    body = FORMS["tabular"].sub("", source, count=1)
    label, count = "", 0
    for sources in _cells(body):
        cells = [text_of(_plain(one)) for one in sources]
        over_rows = FORMS["multirow"].search(sources[0])
        if over_rows:
            label, count = cells[0], int(over_rows["rows"])
        if not cells[0] and count > 1 and any(cells):
            cells[0], count = label, count - 1
        if any(cells):
            yield row_of(cells)


def _cells(body: str) -> Iterator[list[str]]:
    """The sources of the cells of each row: what is in braces or in a table inside is one."""
    depth, place = 0, 0
    row: list[str] = []
    for found in FORMS["cell_edge"].finditer(body):
        depth += found.lastgroup == "opens"
        depth -= found.lastgroup == "closes" and depth > 0
        if depth or found.lastgroup not in ("cell", "row"):
            continue
        row.append(body[place : found.start()])
        place = found.end()
        if found.lastgroup == "row":
            yield row
            row = []
    yield [*row, body[place:]]


def _plain(source: str) -> str:
    """The source of a cell without rules, what it says about columns, and tables inside."""
    source = FORMS["multirow"].sub("", FORMS["multicolumn"].sub("", source))
    source = FORMS["tabular"].sub(" ", FORMS["rule"].sub(" ", source))
    return FORMS["line_break"].sub(" ", source)
