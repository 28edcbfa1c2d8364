"""Evaluations as tables: for the terminal, Markdown, LaTeX and CSV."""

import json
from collections.abc import Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from ..evaluation.report import Comparison, ComparisonReport, Evaluation, PublishedRow, Row
from ..evaluation.summaries import Check
from ..lab.annotation import AnnotationReport
from ..lab.protocols import PROTOCOLS
from ..lab.published import all_published
from ..text.tables import table
from .tables import as_text, columns, counted, grid, literal

_WORDS = table(__file__, "evaluation.toml")
SIGNIFICANT: str = _WORDS["significant"]
EFFICIENCY: str = _WORDS["efficiency"]

ORACLE = "§"


def written(report: Evaluation | ComparisonReport, output_format: str) -> RenderableType:
    """A report in a format: text, or for ``table`` what the terminal shows."""
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    if output_format == "table":
        return (
            comparison_view(report)
            if isinstance(report, ComparisonReport)
            else evaluation_view(report)
        )
    notes: list[str] = []
    if isinstance(report, ComparisonReport):
        tables = [comparison_table(report)]
    elif output_format == "csv":
        tables = [long_table(report)]
    else:
        tables, notes = [systems_table(report)], notes_of(report)
        tables += [significance_table(report)] if report.significance else []
        tables += [efficiency_table(report)] if report.efficiency else []
        notes += [EFFICIENCY] if report.efficiency else []
    texts = [as_text(*table, output_format) for table in tables]
    if output_format == "csv":
        return texts[0]
    if output_format == "markdown":
        return "\n\n".join([*texts, *notes, f"`{report.signature}`"])
    return "".join(f"% {line}\n" for line in (report.signature, *notes)) + "\n\n".join(texts)


def evaluation_view(evaluation: Evaluation) -> RenderableType:
    """The systems side by side, then the model's scores in detail."""
    name = _marked(evaluation.model, evaluation.system)
    left_out = f", {counted(evaluation.left_out, 'record')} left out" if evaluation.left_out else ""
    title = f"{evaluation.data} · {name} · {counted(evaluation.n, 'document')}{left_out}"
    parts: list[RenderableType] = [literal(title, "bold"), Text()]
    if evaluation.baselines or evaluation.published or evaluation.systems:
        parts += [Blocks(*_stacked(*systems_table(evaluation))), Text()]
    for note in notes_of(evaluation):
        parts += [literal(note), Text()]
    if evaluation.significance:
        caption = SIGNIFICANT.format("the system named first minus the other")
        parts += [Blocks(*significance_table(evaluation)), Text(), literal(caption), Text()]
    parts += [grid(*detail_table(evaluation)), Text()]
    if evaluation.efficiency:
        parts += [Blocks(*efficiency_table(evaluation)), Text(), literal(EFFICIENCY), Text()]
    lengths = (
        f"{evaluation.system.words:.0f} words per "
        f"prediction, {evaluation.reference_words:.0f} per reference"
    )
    empty = (
        f"; {counted(evaluation.system.empty, 'empty prediction')}, scored 0"
        if evaluation.system.empty
        else ""
    )
    parts.append(literal(lengths + empty))
    for name, row in evaluation.systems.items():
        if row.cut_documents:
            cut = (
                f"{counted(row.cut_documents, 'document')} cut, {row.cut_tokens:,} tokens not read"
            )
            parts.append(literal(f"{name}: {cut}"))
    return Group(*parts, literal(evaluation.signature, "dim"), literal(evaluation.command, "dim"))


def comparison_view(report: ComparisonReport) -> RenderableType:
    title = (
        f"{report.second} (second) against {report.first} (first) · {counted(report.n, 'document')}"
    )
    caption = SIGNIFICANT.format("second minus first")
    table = Blocks(*comparison_table(report))
    return Group(
        literal(title, "bold"),
        Text(),
        table,
        Text(),
        literal(caption),
        literal(report.signature, "dim"),
    )


def check_view(check: Check) -> RenderableType:
    table = columns()
    for label, value in check.lines.items():
        table.add_row(Text(label, "dim"), literal(value))
    return table


def systems_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: one system each, F1 (or the value) of every column, and the mean length in
    words.
    """
    further = (name for row in evaluation.published for name in row.scores)
    names = list(dict.fromkeys([*evaluation.system.columns, *further]))
    systems = evaluation.rows.items()
    rows = [
        [_marked(name, row), *(_cell(row, column) for column in names), f"{row.words:.0f}"]
        for name, row in systems
    ]
    for published in evaluation.published:
        scores = (
            f"{published.scores[column]:.2f}" if column in published.scores else ""
            for column in names
        )
        rows.append([published_label(published), *scores, ""])
    return ["", *map(column_label, names), "words"], rows


def detail_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, column in evaluation.system.columns.items():
        parts = [f"{column.means[key]:.2f}" if key in column.means else "" for key in ("p", "r")]
        rows.append(
            [
                column_label(name),
                f"{column.main:.2f}",
                f"{column.low:.2f}–{column.high:.2f}",
                *parts,
            ]
        )
        if column.n < evaluation.n:
            rows[-1][0] += f" ({column.n} of {evaluation.n})"
        if truncated := column.means.get("truncated"):
            rows[-1][0] += f" ({truncated:.0f} of {column.means['pairs']:.0f} pairs truncated)"
    return ["", "F or value", "95 % interval", "precision", "recall"], rows


def comparison_table(report: ComparisonReport) -> tuple[list[str], list[list[str]]]:
    header = [
        "",
        "first",
        "second",
        "difference",
        "95 % interval",
        "p bootstrap",
        "p randomization",
    ]
    header.append("wins–ties–losses")
    rows = []
    for name, one in report.columns.items():
        counts = f"{one.wins}–{one.ties}–{one.losses}"
        means = (
            f"{mean:.2f} ± {runs[name]:.2f}" if name in runs else f"{mean:.2f}"
            for mean, runs in zip((one.first, one.second), report.spread, strict=True)
        )
        rows.append([column_label(name), *means, *_test_cells(one), counts])
    return header, rows


def significance_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: the difference of two systems in one score each."""
    header = [
        "",
        "score",
        "difference",
        "95 % interval",
        "p bootstrap",
        "p randomization",
        "p (Holm)",
    ]
    rows = []
    for one in evaluation.significance:
        documents = "" if one.n == evaluation.n else f" ({one.n} of {evaluation.n})"
        names = [f"{one.b} against {one.a}{documents}", column_label(one.metric)]
        rows.append([*names, *_test_cells(one.comparison), f"{one.p_holm:.3f}"])
    return header, rows


def efficiency_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows: what the documents of one system cost whose sources are of about one
    length.
    """
    header = ["", "source tokens", "documents", "tokens/s", "seconds a document", "peak memory, MB"]
    rows = []
    for name, buckets in evaluation.efficiency.items():
        for one in buckets:
            speed = [f"{one.tokens_per_second:,.0f}", f"{one.seconds:.2f}"]
            memory = f"{one.peak_memory / 2**20:,.0f}" if one.peak_memory else ""
            rows.append(
                [name, f"{one.first:,}–{2 * one.first - 1:,}", f"{one.documents:,}", *speed, memory]
            )
    return header, rows


def long_table(evaluation: Evaluation) -> tuple[list[str], list[list[str]]]:
    """Header and rows for programs: one score of one system each, with all figures, and then the
    differences.

    A row with a system in ``against`` has the difference in ``value``, and its interval.
    """
    header = [
        "system",
        "metric",
        "value",
        "precision",
        "recall",
        "low",
        "high",
        "documents",
        "words",
        "published",
    ]
    header += ["against", "p_bootstrap", "p_randomization"]
    rows = []
    for name, row in evaluation.rows.items():
        for label, column in row.columns.items():
            parts = [column.means.get(key, "") for key in ("p", "r")]
            figures = [column.main, *parts, column.low, column.high, column.n, row.words]
            rows.append([_marked(name, row), label, *map(str, figures), "no", *[""] * 3])
    for published in evaluation.published:
        name = published_label(published)
        rows += [
            [name, label, str(score), *[""] * 6, "yes", *[""] * 3]
            for label, score in published.scores.items()
        ]
    for test in evaluation.significance:
        one = test.comparison
        bounds = [str(one.low), str(one.high), str(test.n), ""]
        p_values = [str(one.p_bootstrap), str(one.p_randomization)]
        rows.append(
            [test.b, test.metric, str(one.difference), "", "", *bounds, "no", test.a, *p_values]
        )
    return header, rows


def notes_of(evaluation: Evaluation) -> list[str]:
    rows = evaluation.rows.values()
    is_marked = any(row.uses_reference for row in rows) or any(
        "oracle" in row.marks for row in evaluation.published
    )
    notes = (
        [f"{ORACLE} uses the reference summary: it is a bound, not a system to compare with."]
        if is_marked
        else []
    )
    notes += [f"{name} is missing: {reason}" for name, reason in evaluation.missing.items()]
    return [*notes, *([published_note(evaluation.published)] if evaluation.published else [])]


def published_label(row: PublishedRow) -> str:
    """``Table 1: LED (16,384) ‡``."""
    size = f" ({row.max_input:,})" if row.max_input else ""
    if row.page_tokens and row.max_input:
        size = f" ({row.max_input // row.page_tokens} × {row.page_tokens:,})"
    signs = all_published()["marks"]
    marks = "".join(signs[mark]["sign"] for mark in row.marks)
    return f"Table {row.table}: {row.system}{size}{' ' if marks else ''}{marks}"


def published_note(rows: Sequence[PublishedRow]) -> str:
    """What the marks of published rows mean, in one line."""
    marks = {mark for row in rows for mark in row.marks}
    size = ", with the size of the input in tokens" * any(row.max_input is not None for row in rows)
    meanings = [f"Tables as published by {all_published()['authors'][rows[0].paper]}{size}"]
    known = all_published()["marks"].items()
    meanings += [
        f"{one['sign']} {one['meaning']}"
        for name, one in known
        if name in marks and "meaning" in one
    ]
    tests = {
        (row.better_than.replace("(ddagger)", "‡"), row.p) for row in rows if "dagger" in row.marks
    }
    meanings += [f"† better than {other}, p < {limit}" for other, limit in sorted(tests)]
    notes = dict.fromkeys(
        f"Table {row.table}, {row.system}: {row.note}." for row in rows if row.note
    )
    return " ".join(["; ".join(meanings) + ".", *notes])


def _test_cells(one: Comparison) -> list[str]:
    difference = f"{one.difference:+.2f}{' †' if one.p < 0.05 else ''}"
    return [
        difference,
        f"{one.low:+.2f} to {one.high:+.2f}",
        f"{one.p_bootstrap:.3f}",
        f"{one.p_randomization:.3f}",
    ]


def _stacked(header: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Header and rows; transposed if there are more scores than systems, so that a terminal is wide
    enough.
    """
    if len(header) > max(6, len(rows) + 1):
        header, *rows = map(list, zip(header, *rows, strict=True))
    return header, rows


class Blocks:
    """A table in blocks of columns that fit the width, one below the other.

    Each block repeats the first column, and leaves out the rows that are empty in it.
    """

    def __init__(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.lines = [header, *rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        first, *widths = (
            max(map(cell_len, column)) + 2 for column in zip(*self.lines, strict=True)
        )
        room = options.max_width + 2 - min(first, options.max_width // 2)
        blocks: list[list[int]] = [[]]
        for place, width in enumerate(widths):
            if blocks[-1] and sum(widths[other] for other in blocks[-1]) + width > room:
                blocks.append([])
            blocks[-1].append(place)
        for number, block in enumerate(blocks):
            header, *rows = (
                [line[0], *(line[place + 1] for place in block)] for line in self.lines
            )
            if number:
                yield Text()
            yield grid(header, [row for row in rows if any(row[1:])])


def _marked(name: str, row: Row) -> str:
    return f"{name} {ORACLE}" if row.uses_reference else name


def _cell(row: Row, column: str) -> str:
    if column not in row.columns:
        return ""
    one = row.columns[column]
    # Systems differ by little of it, so that a value without its interval would mislead.
    return (
        f"{one.main:.2f} ({one.low:.2f}–{one.high:.2f})"
        if column == "coherence"
        else f"{one.main:.2f}"
    )


def column_label(column: str) -> str:
    return _WORDS["labels"].get(column, column)


def report_written(report: AnnotationReport, output_format: str) -> RenderableType:
    """The report in a format: text, or for ``table`` what the terminal shows; see
    ``views.evaluation.written``.
    """
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    rules = PROTOCOLS[report.protocol]
    labels = list(next(iter(report.scores.values())))
    rows = [
        [name, *(f"{own[label]:.{rules.digits}f}" for label in labels)]
        for name, own in report.scores.items()
    ]
    if report.anova:
        rows.append(["p, ANOVA", *(_figure(report.anova.get(label)) for label in labels)])
    p_values = {(one.a, one.b, one.label): one.p for one in report.significance}
    for a, b in dict.fromkeys((one.a, one.b) for one in report.significance):
        rows.append([f"p, {a} – {b}", *(_figure(p_values[a, b, label]) for label in labels)])
    rows.append(["α", *(_figure(report.alphas[label]) for label in labels)])
    header = [rules.heading, *labels]
    if output_format != "table":
        return as_text(header, rows, output_format)
    about = (
        f"{counted(report.documents, 'document')}, {counted(len(report.annotators), 'annotator')}"
    )
    if rules.summaries > 1:
        counts = sorted({*report.judgements.values()})
        about += (
            f", {'–'.join(map(str, dict.fromkeys((counts[0], counts[-1]))))} judgements by "
            f"each criterion"
        )
    pooled = "; under Total, over all types" * rules.has_total
    notes = [
        rules.note,
        f"p: {report.test}. α: Krippendorff's, interval, of the annotators' values{pooled}.",
    ]
    if report.incomplete:
        notes.append(f"Not judged by all annotators: {report.incomplete} of the {rules.unit}.")
    return Group(
        literal(about, "bold"),
        Text(),
        grid(header, rows),
        Text(),
        *(literal(one, "dim") for one in notes),
    )


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
