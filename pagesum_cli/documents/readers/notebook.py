"""Jupyter notebooks → Document: the cells with text, as Markdown."""

import json
import re
from collections.abc import Iterator
from typing import Any

from ...errors import PagesumError
from ..input import Input
from ..model import Document
from .encodings import decode
from .markdown import markdown_document

_FENCES = re.compile("`{3,}")


def read(source: Input) -> list[Document]:
    """The one document of a notebook; code, what it prints and raw cells are left out."""
    text = decode(source.data, source.path)
    try:
        cells = list(_cells(json.loads(text)))
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        raise PagesumError(
            f"{source.path}: expected a notebook (JSON with cells), found other data",
            "open it in Jupyter and save it again, or pass it as text",
        ) from error
    return [markdown_document("\n\n".join(cells), source.name, source.path)]


def _cells(notebook: Any) -> Iterator[str]:
    """The Markdown of each cell."""
    sheets = notebook.get("worksheets", ())  # of the format before version 4
    for sheet in (notebook, *sheets):
        for cell in sheet.get("cells", ()):
            yield from _texts(cell)


def _texts(cell: Any) -> Iterator[str]:
    source = _joined(cell.get("source", cell.get("input", "")))
    if cell.get("cell_type") == "markdown":
        yield source
    elif cell.get("cell_type") == "heading":
        yield f"{'#' * int(cell.get('level', 1))} {source}"
    else:
        printed = (_printed(output) for output in cell.get("outputs", ()))
        yield from map(_as_code, filter(str.strip, (source, *printed)))


def _printed(output: Any) -> str:
    """The text of what a cell has printed."""
    data = output.get("data", {})
    return _joined(data.get("text/plain", output.get("text", "")))


def _joined(lines: Any) -> str:
    """A text, which may be given as a list of its lines."""
    return lines if isinstance(lines, str) else "".join(lines)


def _as_code(text: str) -> str:
    longest = max(map(len, _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"
