"""A summary's page confidences as a file: figure, HTML page, or numbers."""

import csv
import io
import json
from pathlib import Path

from ..errors import PagesumError, UsageError, require_package
from ..files import check_writable, write_file
from ..summary.page_confidences import locality_figures, page_figures, steps_of
from ..summary.summary import Summary
from .citation import page_name

FIGURES = (".png", ".svg", ".pdf")
KNOWN = (*FIGURES, ".html", ".json", ".csv")


def check_export(path: str, known: tuple[str, ...] = KNOWN) -> None:
    """Check, before any work, that a file can be written in the format of its extension.

    Raises:
        UsageError: The extension is unknown.
        PagesumError: The file cannot be written, or is a figure and matplotlib is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        raise UsageError(
            f"--export {path}: {f'unknown extension {suffix}' if suffix else 'no extension'}, "
            f"expected one of {', '.join(known)}",
            f"for example --export {Path(path).stem or 'figure'}{known[0]}",
        )
    if suffix in FIGURES:
        require_package("matplotlib", "matplotlib", "figures")
    check_writable(path)


def export(summary: Summary, path: str, by: str) -> None:
    """Write a summary's page confidences to a file in the format of its extension.

    Args:
        summary: A summary of at least one word.
        path: ``.png``, ``.svg`` and ``.pdf``: the heat map; ``.html``: the reading page; ``.json``: everything, which
            ``pagesum inspect`` reads again; ``.csv``: a line per step, a column per page.
        by: Steps of figure and table.

    Raises:
        PagesumError: The file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix in FIGURES:
        from .figure import heat_map_figure

        write(path, heat_map_figure(summary, by, suffix[1:]))
    elif suffix == ".html":
        from .reading_page import reading_page

        write(path, reading_page(summary, path=path).encode())
    elif suffix == ".json":
        write(path, json_text(summary).encode())
    else:
        write(path, csv_text(summary, by).encode())


def write(path: str, data: bytes) -> None:
    """Write a file.

    Raises:
        PagesumError: It cannot be written.
    """
    try:
        write_file(path, data)
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be written ({error.strerror or error})", "check folder and permissions, or write elsewhere"
        ) from error


def json_text(summary: Summary) -> str:
    """The summary's JSON (``schema`` 1) with the figures of :mod:`~pagesum_cli.summary.page_confidences`."""
    figures = locality_figures(steps_of(summary, "token"))
    pages = [vars(one) for one in page_figures(summary)]
    return json.dumps({**summary.to_json(), "figures": {"locality": vars(figures), "pages": pages}}, ensure_ascii=False)


def csv_text(summary: Summary, by: str) -> str:
    """The matrix: step, its text, its sentence, its log-probability if computed, and each page's confidence."""
    steps = steps_of(summary, by)
    scored = any(step.log_probability is not None for step in steps)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    labels = [page_name(summary, page) for page in summary.pages]
    writer.writerow(["step", "text", "sentence", *(["log_probability"] if scored else []), *labels])
    for number, step in enumerate(steps):
        score = [step.log_probability] if scored else []
        row: list[object] = [number, step.text, step.sentence, *score]
        writer.writerow(row + [f"{confidence:.5f}" for confidence in step.confidences])
    return out.getvalue()
