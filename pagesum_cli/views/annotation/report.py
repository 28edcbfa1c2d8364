"""What annotators found, as a table in any format."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ...lab.annotation import ERRORS, AnnotationReport
from ...lab.best_worst import CRITERIA, BestWorstReport
from ..evaluation import as_csv, as_latex, as_markdown
from ..tables import columns, counted, literal


def annotations_written(report: AnnotationReport, output_format: str) -> RenderableType:
    """The report in a format: text, or for ``table`` what the terminal shows; see ``views.evaluation.written``."""
    header = ["errors", *ERRORS, "Total"]
    rows = [[system, *(f"{errors[name]:.1f}" for name in header[1:])] for system, errors in report.errors.items()]
    tested = [
        [f"p, {a} – {b}", *(f"{one.p:.3f}" for one in report.significance if (one.a, one.b) == (a, b))]
        for a, b in dict.fromkeys((one.a, one.b) for one in report.significance)
    ]
    agreed = ["α", *(_figure(report.alphas[name]) for name in ERRORS), _figure(report.alpha)]
    about = f"{counted(report.documents, 'document')}, {counted(len(report.annotators), 'annotator')}"
    notes = [
        "Errors in all summaries of a system, mean over annotators. p: paired approximate randomization over documents",
        "(two-sided, seed 12345). α: Krippendorff's, interval, of the numbers of errors; under Total, over all types.",
    ]
    if report.unread:
        notes.append(f"Not read by all annotators: {report.unread} of the summaries.")
    return _written(report.to_json(), header, [*rows, *tested, agreed], about, notes, output_format)


def best_worst_written(report: BestWorstReport, output_format: str) -> RenderableType:
    """The report of best-worst scaling in a format; see :func:`annotations_written`."""
    header = ["best – worst", *CRITERIA]
    rows = [[system, *(f"{scores[name]:.3f}" for name in CRITERIA)] for system, scores in report.scores.items()]
    tested = [
        [f"p, {a} – {b}", *(_figure(one.p) for one in report.significance if (one.a, one.b) == (a, b))]
        for a, b in dict.fromkeys((one.a, one.b) for one in report.significance)
    ]
    varied = [["p, ANOVA", *(_figure(report.anova[name]) for name in CRITERIA)]] if report.anova else []
    agreed = ["α", *(_figure(report.alphas[name]) for name in CRITERIA)]
    counts = sorted(set(report.judgements.values()))
    about = (
        f"{counted(report.documents, 'document')}, {counted(len(report.annotators), 'annotator')}, "
        f"{'–'.join(map(str, dict.fromkeys((counts[0], counts[-1]))))} judgements by each criterion"
    )
    notes = [
        "Share of a system's judgements in which it is the best less the share in which it is the worst, -1 to 1.",
        f"p: {report.test} over documents, of a system's mean on each. α: Krippendorff's, of the choices.",
    ]
    if report.unjudged:
        notes.append(f"Not judged by all annotators and criteria: {report.unjudged} of the pairs.")
    return _written(report.to_json(), header, [*rows, *varied, *tested, agreed], about, notes, output_format)


def _written(
    as_json: dict[str, Any],
    header: Sequence[str],
    table: Sequence[Sequence[str]],
    about: str,
    notes: Sequence[str],
    output_format: str,
) -> RenderableType:
    if output_format == "json":
        return json.dumps(as_json, ensure_ascii=False, indent=2)
    if output_format == "csv":
        return as_csv(header, table)
    if output_format == "markdown":
        return as_markdown(header, table)
    if output_format == "latex":
        return as_latex(header, table)
    grid = columns(header=True)
    for number, name in enumerate(header):
        grid.add_column(literal(name), justify="left" if number == 0 else "right", no_wrap=True)
    for row in table:
        grid.add_row(*map(literal, row))
    return Group(literal(about, "bold"), Text(), grid, Text(), *(literal(note, "dim") for note in notes))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
