"""What annotators found, as a table in any format."""

import json

from rich.console import Group, RenderableType
from rich.text import Text

from ...evaluation.annotation import ERRORS, AnnotationReport
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
    agreed = ["α", *(_alpha(report.alphas[name]) for name in ERRORS), _alpha(report.alpha)]
    table = [*rows, *tested, agreed]
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
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
    about = f"{counted(report.documents, 'document')}, {counted(len(report.annotators), 'annotator')}"
    notes = [
        "Errors in all summaries of a system, mean over annotators. p: paired approximate randomization over documents",
        "(two-sided, seed 12345). α: Krippendorff's, interval, of the numbers of errors; under Total, over all types.",
    ]
    if report.unread:
        notes.append(f"Not read by all annotators: {report.unread} of the summaries.")
    return Group(literal(about, "bold"), Text(), grid, Text(), *(literal(note, "dim") for note in notes))


def _alpha(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
