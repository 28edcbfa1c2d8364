"""Models compared by an editor's labels, as a table."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..evaluation.labelled import ALL, LabelReport
from .tables import as_text, grid

if TYPE_CHECKING:
    from rich.console import RenderableType

HEADER = ("model", "kind", "documents", "accepted %", "rejected %")


def label_report_written(report: LabelReport, output_format: str) -> "RenderableType":
    """The report in a format of ``pagesum eval``."""
    if output_format == "json":
        return json.dumps(report.to_json(), ensure_ascii=False, indent=2)
    rows = _rows(report)
    return grid(HEADER, rows) if output_format == "table" else as_text(HEADER, rows, output_format)


def _rows(report: LabelReport) -> list[Sequence[str]]:
    """All documents by model, then each kind by model."""
    kinds = dict.fromkeys(kind for own in report.models.values() for kind in own)
    return [
        (
            name,
            kind or "other",
            str(own[kind].n),
            f"{own[kind].accepted:.1f}",
            f"{own[kind].rejected:.1f}",
        )
        for kind in sorted(kinds, key=lambda kind: (kind != ALL, kind))
        for name, own in report.models.items()
    ]
