"""What annotators found, as a table in any format."""

import json

from rich.console import Group, RenderableType
from rich.text import Text

from ...lab.annotation import AnnotationReport
from ...lab.protocols import PROTOCOLS
from ..tables import as_text, counted, grid, literal


def report_written(report: AnnotationReport, output_format: str) -> RenderableType:
    """The report in a format: text, or for ``table`` what the terminal shows; see ``views.evaluation.written``."""
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    rules = PROTOCOLS[report.protocol]
    labels = list(next(iter(report.scores.values())))
    rows = [[name, *(f"{own[label]:.{rules.digits}f}" for label in labels)] for name, own in report.scores.items()]
    if report.anova:
        rows.append(["p, ANOVA", *(_figure(report.anova.get(label)) for label in labels)])
    p_values = {(one.a, one.b, one.label): one.p for one in report.significance}
    for a, b in dict.fromkeys((one.a, one.b) for one in report.significance):
        rows.append([f"p, {a} – {b}", *(_figure(p_values[a, b, label]) for label in labels)])
    rows.append(["α", *(_figure(report.alphas[label]) for label in labels)])
    header = [rules.heading, *labels]
    if output_format != "table":
        return as_text(header, rows, output_format)
    about = f"{counted(report.documents, 'document')}, {counted(len(report.annotators), 'annotator')}"
    if rules.summaries > 1:
        counts = sorted({*report.judgements.values()})
        about += f", {'–'.join(map(str, dict.fromkeys((counts[0], counts[-1]))))} judgements by each criterion"
    pooled = "; under Total, over all types" * rules.has_total
    notes = [rules.note, f"p: {report.test}. α: Krippendorff's, interval, of the annotators' values{pooled}."]
    if report.incomplete:
        notes.append(f"Not judged by all annotators: {report.incomplete} of the {rules.unit}.")
    return Group(literal(about, "bold"), Text(), grid(header, rows), Text(), *(literal(one, "dim") for one in notes))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
