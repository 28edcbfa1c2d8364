"""The merged table of a reproduction: as text, Markdown and JSON; and what an item needs."""

import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ..lab.merged import MEAN, PUBLISHED, MergedRow, MergedTable
from ..lab.published import all_published
from ..lab.requirements import Requirement
from .evaluation import Blocks, column_label
from .plain import unstyled
from .tables import as_text, literal

_KINDS = {PUBLISHED: "paper", MEAN: "mean"}
_MINIATURE = (
    "Miniature: tiny data and random models. The figures only show that the commands run; they "
    "are not results."
)


def merged_files(table: MergedTable) -> dict[str, str]:
    """The table by the name of its file."""
    return {
        "table.txt": f"{unstyled(merged_view(table))}\n",
        "table.md": f"{_markdown(table)}\n",
        "table.json": f"{json.dumps(table.to_json(), ensure_ascii=False, indent=2)}\n",
    }


def merged_view(table: MergedTable) -> RenderableType:
    """The table as the terminal shows it."""
    parts: list[RenderableType] = [literal(_title(table), "bold"), Text()]
    if table.rows:
        parts += [Blocks(*_cells(table)), Text()]
    if table.differences:
        parts += [Blocks(*_difference_cells(table)), Text()]
    return Group(*parts, *map(literal, _notes(table)))


def _markdown(table: MergedTable) -> str:
    parts = [f"## {_title(table)}"]
    if table.rows:
        parts.append(as_text(*_cells(table), "markdown"))
    if table.differences:
        parts.append(as_text(*_difference_cells(table), "markdown"))
    return "\n\n".join([*parts, *(f"- {note}" for note in _notes(table))])


def _title(table: MergedTable) -> str:
    return f"{table.item}  {table.title}{' (miniature)' * table.is_miniature}"


def _cells(table: MergedTable) -> tuple[list[str], list[list[str]]]:
    header = ["", "data", "", *map(column_label, table.columns), "documents"]
    return header, [_row(row, table.columns) for row in table.rows]


def _row(row: MergedRow, columns: Sequence[str]) -> list[str]:
    signs = all_published()["marks"]
    marks = "".join(signs[mark]["sign"] for mark in row.marks)
    scores = [f"{row.scores[name]:,.2f}" if name in row.scores else "" for name in columns]
    documents = "" if row.documents is None else f"{row.documents:,}"
    name = f"{row.system} {marks}".rstrip()
    return [name, row.data, _KINDS.get(row.kind, "ours"), *scores, documents]


def _difference_cells(table: MergedTable) -> tuple[list[str], list[list[str]]]:
    header = ["second less first", "", "difference", "95 %", "p, bootstrap", "p, randomization"]
    rows = [
        [
            f"{one['second']} – {one['first']}",
            column_label(one["score"]),
            f"{one['difference']:+.2f}",
            f"{one['low']:+.2f} to {one['high']:+.2f}",
            f"{one['p_bootstrap']:.3f}",
            f"{one['p_randomization']:.3f}",
        ]
        for one in table.differences
    ]
    return header, rows


def _notes(table: MergedTable) -> list[str]:
    marks = {mark for row in table.rows for mark in row.marks}
    known = all_published()["marks"].items()
    meanings = [
        f"{one['sign']} {one['meaning']}."
        for name, one in known
        if name in marks and "meaning" in one
    ]
    notes = [_MINIATURE] if table.is_miniature else []
    notes += [table.note] if table.note else []
    notes += meanings
    notes += [f"made: {file}" for file in table.files]
    notes += [f"missing: {one.what}: {one.why}" for one in table.missing]
    return notes


def requirements_view(requirements: Sequence[Requirement]) -> RenderableType:
    """A line for each thing that is needed: whether it is there, where, and what it is."""
    lines = []
    for one in requirements:
        state = Text("there    ", "green") if one.is_there else Text("missing  ", "bold red")
        lines.append(state + Text(f"{one.kind:9}") + literal(one.place))
        details = [(one.what, "dim")] if one.what and not one.is_there else []
        details += [(problem, "yellow") for problem in one.problems]
        lines += [Text(" " * 18) + literal(text, style) for text, style in details]
    missing = sum(not one.is_there for one in requirements)
    there = len(requirements) - missing
    return Group(*lines, Text(f"{there} of {len(requirements)} there, {missing} missing"))
