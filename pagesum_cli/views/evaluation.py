"""Evaluations as tables: for the terminal, Markdown, LaTeX and CSV."""

import csv
import io
import json
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ..evaluation.check import Check
from ..evaluation.report import ComparisonReport, Evaluation, Row
from .plain import one_line
from .tables import columns, counted, literal

LABELS = {
    "rouge1": "R-1",
    "rouge2": "R-2",
    "rougeL": "R-L (one sentence)",
    "rougeLsum": "R-Lsum",
    "rougeSU4": "R-SU4",
    "bertscore": "BERTScore",
}


def written(report: Evaluation | ComparisonReport, output_format: str) -> RenderableType:
    """A report in a format: text, or for ``table`` what the terminal shows.

    Args:
        report: An evaluation, or the comparison of two systems.
        output_format: ``table``, ``markdown``, ``latex``, ``json`` or ``csv``.
    """
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    if output_format == "table":
        return comparison_view(report) if isinstance(report, ComparisonReport) else evaluation_view(report)
    if output_format == "csv":
        return as_csv(*(comparison_table(report) if isinstance(report, ComparisonReport) else long_table(report)))
    header, rows = comparison_table(report) if isinstance(report, ComparisonReport) else systems_table(report)
    if output_format == "markdown":
        return f"{as_markdown(header, rows)}\n\n`{report.signature}`"
    return f"% {report.signature}\n{as_latex(header, rows)}"


def evaluation_view(evaluation: Evaluation) -> RenderableType:
    """The systems side by side, then the model's scores in detail."""
    title = f"{evaluation.data} · {evaluation.model} · {counted(evaluation.n, 'document')}"
    parts: list[RenderableType] = [literal(title, "bold"), Text()]
    if evaluation.baselines or evaluation.published:
        lines = _stacked(systems_table(evaluation))
        parts += [_grid(lines[0], lines[1:]), Text()]
    parts += [_grid(*detail_table(evaluation)), Text()]
    lengths = f"{evaluation.system.words:.0f} words per prediction, {evaluation.reference_words:.0f} per reference"
    empty = f"; {counted(evaluation.system.empty, 'empty prediction')}, scored 0" if evaluation.system.empty else ""
    parts += [literal(lengths + empty), literal(evaluation.signature, "dim"), literal(evaluation.command, "dim")]
    return Group(*parts)


def comparison_view(report: ComparisonReport) -> RenderableType:
    """The differences of two systems."""
    title = f"{report.second} against {report.first} · {counted(report.n, 'document')}"
    note = "† p < 0.05 by both tests. Difference: second minus first, 95 % interval by paired bootstrap."
    grid = _grid(*comparison_table(report))
    return Group(literal(title, "bold"), Text(), grid, Text(), literal(note), literal(report.signature, "dim"))


def check_view(check: Check) -> RenderableType:
    """The figures of a data set."""
    table = columns()
    for label, value in check.lines().items():
        table.add_row(Text(label, "dim"), literal(value))
    return table


def as_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are aligned right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def as_latex(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A LaTeX tabular with booktabs rules."""
    body = [" & ".join(map(_latex, line)) + r" \\" for line in (header, *rows)]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def as_csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Comma-separated values."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([header, *rows])
    return buffer.getvalue().rstrip("\n")


def systems_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one system each, F1 (or the value) of every column, and the mean length in words."""
    names = list(evaluation.system.columns)
    systems = {evaluation.model: evaluation.system, **evaluation.baselines}
    rows = [[name, *(_cell(row, column) for column in names), f"{row.words:.0f}"] for name, row in systems.items()]
    for name, scores in evaluation.published.items():
        cells = (f"{scores[column]:.2f}" if column in scores else "" for column in names)
        rows.append([f"{name}, as published", *cells, ""])
    return ["", *map(_label, names), "words"], rows


def detail_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one score of the model each."""
    rows = []
    for name, column in evaluation.system.columns.items():
        parts = [f"{column.means[key]:.2f}" if key in column.means else "" for key in ("p", "r")]
        rows.append([_label(name), f"{column.main:.2f}", f"{column.low:.2f}–{column.high:.2f}", *parts])
        if column.n < evaluation.n:
            rows[-1][0] += f" ({column.n} of {evaluation.n})"
        if truncated := column.means.get("truncated"):
            rows[-1][0] += f" ({truncated:.0f} of {column.means['pairs']:.0f} pairs truncated)"
    return ["", "F or value", "95 % interval", "precision", "recall"], rows


def comparison_table(report: ComparisonReport) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one score each."""
    header = [
        "",
        "first",
        "second",
        "difference",
        "95 % interval",
        "p bootstrap",
        "p randomization",
        "wins–ties–losses",
    ]
    rows = []
    for name, one in report.columns.items():
        dagger = " †" if max(one.p_bootstrap, one.p_randomization) < 0.05 else ""
        rows.append(
            [
                _label(name),
                f"{one.first:.2f}",
                f"{one.second:.2f}",
                f"{one.difference:+.2f}{dagger}",
                f"{one.low:+.2f} to {one.high:+.2f}",
                f"{one.p_bootstrap:.3f}",
                f"{one.p_randomization:.3f}",
                f"{one.wins}–{one.ties}–{one.losses}",
            ]
        )
    return header, rows


def long_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows for programs: one score of one system each, with all figures."""
    header = ["system", "metric", "value", "precision", "recall", "low", "high", "documents", "words", "published"]
    rows = []
    for name, row in {evaluation.model: evaluation.system, **evaluation.baselines}.items():
        for label, column in row.columns.items():
            parts = [str(column.means.get(key, "")) for key in ("p", "r")]
            bounds = [str(column.low), str(column.high)]
            rows.append([name, label, str(column.main), *parts, *bounds, str(column.n), str(row.words), "no"])
    for name, scores in evaluation.published.items():
        rows += [[name, label, str(score), *[""] * 6, "yes"] for label, score in scores.items()]
    return header, rows


def _stacked(table: tuple[list[str], list[list[str]]]) -> list[list[str]]:
    """Header and rows; transposed if there are many scores, so that a terminal is wide enough."""
    lines = [table[0], *table[1]]
    return lines if len(lines[0]) <= 6 else [list(column) for column in zip(*lines, strict=True)]


def _grid(header: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    table = columns(header=True)
    for place, name in enumerate(header):
        table.add_column(literal(name), justify="right" if place else "left", no_wrap=place > 0)
    for row in rows:
        table.add_row(*map(literal, row))
    return table


def _cell(row: Row, column: str) -> str:
    if column not in row.columns:
        return ""
    one = row.columns[column]
    # Systems differ by little of it, so that a value without its interval would mislead.
    return f"{one.main:.2f} ({one.low:.2f}–{one.high:.2f})" if column == "coherence" else f"{one.main:.2f}"


def _label(column: str) -> str:
    return LABELS.get(column, column)


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "†": r"$^\dagger$",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)
