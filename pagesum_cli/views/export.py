"""A summary's page confidences as a file: figure, HTML page, or numbers."""

import json
from pathlib import Path

from ..errors import PagesumError, UsageError, require_package
from ..files import check_writable, write_file
from ..summary.page_confidences import locality_figures, page_figures, steps_of
from ..summary.summary import Summary
from .citation import page_name
from .tables import as_csv

FIGURES = (".png", ".svg", ".pdf")
KNOWN = (*FIGURES, ".html", ".json", ".csv")


def check_export(path: str, known: tuple[str, ...] = KNOWN) -> None:
    """Refuse, before any work, a file that cannot be written or is a figure without matplotlib."""
    suffix = Path(path).suffix.lower()
    if suffix not in known:
        found = f"unknown extension {suffix}" if suffix else "no extension"
        raise UsageError(f"--export {path}: {found}, expected one of {', '.join(known)}")
    if suffix in FIGURES:
        require_package("matplotlib", "matplotlib", "figures")
    check_writable(path)


def export(summary: Summary, path: str, by: str) -> None:
    """Write the page confidences of a summary of at least one word to a file in the format of its
    extension.

    ``.png``, ``.svg`` and ``.pdf`` are the heat map, ``.html`` the reading page, ``.json`` is
    everything (``inspect`` reads it again), and ``.csv`` has a line per step and a column per page.
    Steps of figure and table are ``by``.
    """
    suffix = Path(path).suffix.lower()
    if suffix in FIGURES:
        from .figure import heat_map_figure

        write(path, heat_map_figure(summary, by, suffix[1:]))
    elif suffix == ".html":
        from .reading_page.page import reading_page

        write(path, reading_page(summary, path=path).encode())
    elif suffix == ".json":
        locality = vars(locality_figures(steps_of(summary, "token")))
        figures = {"locality": locality, "pages": list(map(vars, page_figures(summary)))}
        write(
            path, json.dumps({**summary.to_json(), "figures": figures}, ensure_ascii=False).encode()
        )
    else:
        write(path, csv_text(summary, by).encode())


def write(path: str, data: bytes) -> None:
    """Write a file."""
    try:
        write_file(path, data)
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be written ({error.strerror or error})", "write elsewhere"
        ) from error


def csv_text(summary: Summary, by: str) -> str:
    """The matrix: step, its text, its sentence, its log-probability if computed, and each page's
    confidence.
    """
    steps = steps_of(summary, by)
    scored = any(step.log_probability is not None for step in steps)
    labels = [page_name(summary, page) for page in summary.pages]
    lines: list[list[object]] = [
        ["step", "text", "sentence", *(["log_probability"] if scored else []), *labels]
    ]
    for number, step in enumerate(steps):
        score = [step.log_probability] if scored else []
        lines.append(
            [
                number,
                step.text,
                step.sentence,
                *score,
                *(f"{share:.5f}" for share in step.confidences),
            ]
        )
    return as_csv(lines)
