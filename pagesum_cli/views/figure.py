"""Figures for a paper, by matplotlib: as wide as a page's text, vector graphics in SVG and PDF."""

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure

from ..evaluation.efficiency import Bucket
from ..summary.page_confidences import Step, steps_of
from ..summary.summary import Summary
from ..text.tables import table
from .paint import scale_of, shortened
from .plain import one_line
from .rows import parts_or_folded

if TYPE_CHECKING:
    from ..lab.attention import AttentionAnalysis
    from ..lab.long_distance import Distances
    from ..lab.spatial_locality import SpatialLocality

WIDTH = 6.75  # width in inches: that of the text on a two-column page
ROW = 0.17  # height of a row in inches; a label at the figure's font size fits
# maximum number of rows, so that the figure fits on a page; with more parts, there is a row for
# each section
ROWS = 40
WORDS = 70  # maximum number of steps that are labelled with their words
# maximum number of cells drawn as shapes; more become an image, as sharp and a tenth in size
VECTOR_CELLS = 12_000
WORDS_A_LINE = 12  # of a source that is shown with its words
LABEL = 40  # maximum width of a label in characters

_SETTINGS: Any = table(__file__, "figure.toml")  # of matplotlib


def heat_map_figure(summary: Summary, by: str, file_type: str) -> bytes:
    """The heat map of page confidences (the paper's Figure 3) by ``token``, ``word`` or
    ``sentence``.
    """
    by = by if summary.tokens else "sentence"
    steps = steps_of(summary, by)
    rows = parts_or_folded(summary, steps, ROWS)
    labels = [shortened(row.label, LABEL) for row in rows]
    with matplotlib.rc_context(_SETTINGS):
        named = len(steps) <= WORDS and by != "sentence"
        figure = Figure(
            figsize=(WIDTH, ROW * len(rows) + (1.25 if named else 0.8)), layout="constrained"
        )
        axes = figure.subplots()
        mesh = _draw(axes, [row.values for row in rows], scale_of(steps))
        axes.set_yticks([place + 0.5 for place in range(len(labels))], labels, parse_math=False)
        for row, label in zip(rows, axes.get_yticklabels(), strict=True):
            label.set_color("#777777" if row.is_rest else "black")
        axes.tick_params(axis="y", length=0)
        _steps_axis(axes, steps, by, named)
        beyond = max(max(row.values) for row in rows) > mesh.get_clim()[1] + 1e-4
        short = min(1, 2.5 / figure.get_figheight())
        bar = figure.colorbar(
            mesh,
            ax=axes,
            pad=0.015,
            shrink=short,
            aspect=20,
            anchor=(0, 1),
            extend="max" if beyond else "neither",
        )
        bar.set_label("confidence of the part")
        bar.outline.set_linewidth(0.6)
        return _bytes(figure, file_type)


def _draw(axes: Axes, rows: Sequence[Sequence[float]], top: float) -> ScalarMappable:
    is_image = len(rows) * len(rows[0]) > VECTOR_CELLS
    edges: Any = {} if is_image else {"edgecolors": "face", "linewidth": 0.1}
    mesh = axes.pcolormesh(rows, cmap="viridis", vmin=0, vmax=top, rasterized=is_image, **edges)
    axes.invert_yaxis()
    return mesh


def _steps_axis(axes: Axes, steps: Sequence[Step], by: str, named: bool) -> None:
    if by == "sentence":
        axes.set_xticks(
            [place + 0.5 for place in range(len(steps))],
            [str(place + 1) for place in range(len(steps))],
        )
        axes.set_xlabel("summary sentence")
        return
    starts = [
        place
        for place, step in enumerate(steps)
        if not place or step.sentence != steps[place - 1].sentence
    ]
    for start in starts[1:]:
        axes.axvline(
            start, color="white", linewidth=0.7 if len(starts) < 15 else 0.3, linestyle=(0, (2, 2))
        )
    if named:
        words = [shortened(one_line(step.text), 20) for step in steps]
        axes.set_xticks(
            [place + 0.5 for place in range(len(steps))],
            words,
            parse_math=False,
            rotation=90,
            fontsize=6,
        )
        axes.tick_params(axis="x", length=0, pad=2)
    axes.set_xlabel(f"decoding step ({by}s)")
    top = axes.secondary_xaxis("top")
    wide = [
        (start, end)
        for start, end in pairwise([*starts, len(steps)])
        if end - start >= len(steps) / 35
    ]
    numbers = [str(steps[start].sentence + 1) for start, _ in wide]
    top.set_xticks([(start + end) / 2 for start, end in wide], numbers)
    top.tick_params(axis="x", length=0, pad=1, labelsize=7)
    top.set_xlabel("summary sentence", fontsize=7, labelpad=2)


@contextmanager
def _panels(count: int) -> Iterator[tuple[Figure, Sequence[Axes]]]:
    """A figure of panels side by side."""
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(WIDTH, 2.2), layout="constrained")
        yield figure, figure.subplots(1, count, squeeze=False)[0]


def similarity_figure(result: "SpatialLocality", x: str, y: str, form: str) -> bytes:
    """Similarity by distance, and relative to the average, with a dashed line at the average (the
    paper's Figure 1).
    """
    left = {"pairs at this distance": result.similarities}
    right = {"all documents": result.relative, "each document by its own": result.normalized}
    with _panels(2) as (figure, both):
        panels = zip(
            both, (left, right), (result.average, 1.0), (y, "similarity / average"), strict=True
        )
        for axes, curves, average, name in panels:
            for place, (label, values) in enumerate(curves.items()):
                color = matplotlib.colormaps["viridis"]((place + 1) / 3)
                axes.plot(
                    range(1, len(values) + 1), values, color=color, linewidth=1.3, label=label
                )
            axes.axhline(
                average, color="#444444", linewidth=1, linestyle="--", label="average of all pairs"
            )
            axes.set_xlim(0, max(map(len, curves.values())) + 1)
            _finish(axes, x, name, legend=True)
        return _bytes(figure, form)


def distance_figure(result: "Distances", edges: Sequence[float], form: str) -> bytes:
    """Pairs by distance, as bars between edges (the paper's Figure 4): counts on the left, shares
    on the right.
    """
    series = [(one.name, (one.counts(), one.shares())) for one in result.data_sets]
    step = (edges[1] - edges[0]) / len(series)
    with _panels(2) as (figure, both):
        for which, (axes, prefix) in enumerate(zip(both, ("number", "share"), strict=True)):
            for place, (name, heights) in enumerate(series):
                starts = [edge + place * step for edge in edges[:-1]]
                color = matplotlib.colormaps["viridis"]((place + 1) / (len(series) + 1))
                style: Any = {"align": "edge", "edgecolor": "white", "linewidth": 0.6}
                axes.bar(
                    starts, heights[which], width=step, color=color, label=one_line(name), **style
                )
            axes.set_xlim(edges[0], edges[-1])
            legend = which == 1 and len(series) > 1
            _finish(
                axes,
                "distance / sentences of the document",
                f"{prefix} of interdependent pairs",
                legend=legend,
            )
        return _bytes(figure, form)


def attention_figure(
    result: "AttentionAnalysis", x: str, y: str, bounds: tuple[float, float], form: str
) -> bytes:
    """Accumulated attention by position on the left, and shares of tokens by accumulated attention
    on the right.

    Both by model (Figures 2 and 3 of the DPP attention paper); the bounds are between low, middle
    and high.
    """
    low, high = bounds
    width = 0.8 / len(result.readings)
    with _panels(2) as (figure, (left, right)):
        for place, one in enumerate(result.readings):
            color = matplotlib.colormaps["viridis"]((place + 1) / (len(result.readings) + 1))
            positions = range(1, len(one.accumulated) + 1)
            left.plot(
                positions, one.accumulated, color=color, linewidth=0.9, label=one_line(one.model)
            )
            heights = [100 * share for share in one.shares]
            right.bar(
                [bar + place * width for bar in range(3)],
                heights,
                width=width,
                align="edge",
                color=color,
            )
        left.set_ylim(bottom=0)
        right.set_xticks(
            [bar + 0.4 for bar in range(3)], [f"< {low}", f"{low} to {high}", f"≥ {high}"]
        )
        _finish(left, x, y, legend=len(result.readings) > 1)
        _finish(right, y, "tokens of a source, %")
        return _bytes(figure, form)


def efficiency_figure(systems: Mapping[str, Sequence[Bucket]]) -> bytes:
    """Seconds a document on the left and peak memory on the right, by source tokens, a curve for
    each system.
    """
    with _panels(2) as (figure, (left, right)):
        for name, own in systems.items():
            tokens = [one.source_tokens for one in own]
            left.plot(
                tokens, [one.seconds for one in own], ".-", linewidth=0.9, label=one_line(name)
            )
            memory = [one.peak_memory / 2**20 or float("nan") for one in own]
            right.plot(tokens, memory, ".-", linewidth=0.9, label=one_line(name))
        for axes, y in ((left, "seconds a document"), (right, "peak memory, MB")):
            axes.set(xscale="log", yscale="log")
            _finish(axes, "source tokens", y, legend=axes is left)
        return _bytes(figure, "svg")


def words_figure(result: "AttentionAnalysis", label: str, form: str) -> bytes:
    """The words of a source, line by line, shaded by their attention, for each model (Figure 2 of
    the same paper).
    """
    top = max(one.accumulated.max() for one in result.readings)
    rows = [-(-len(one.tokens) // WORDS_A_LINE) for one in result.readings]
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(
            figsize=(WIDTH, ROW * sum(rows) + 0.4 * len(rows) + 0.4), layout="constrained"
        )
        every = figure.subplots(len(rows), 1, height_ratios=rows, squeeze=False)[:, 0]
        for axes, lines, one in zip(every, rows, result.readings, strict=True):
            values = one.accumulated
            padded = [*values, *[float("nan")] * (lines * WORDS_A_LINE - len(values))]
            cells = [
                padded[start : start + WORDS_A_LINE]
                for start in range(0, len(padded), WORDS_A_LINE)
            ]
            mesh = axes.pcolormesh(
                cells, cmap="Reds", vmin=0, vmax=top, edgecolors="white", linewidth=0.3
            )
            for place, word in enumerate(one.tokens):
                x, y = place % WORDS_A_LINE + 0.5, place // WORDS_A_LINE + 0.5
                color = "white" if values[place] > top * 0.6 else "black"
                text = shortened(one_line(word), 12)
                axes.text(
                    x, y, text, ha="center", va="center", fontsize=5, color=color, parse_math=False
                )
            axes.invert_yaxis()
            axes.set_axis_off()
            axes.set_title(one_line(one.model), fontsize=8, loc="left", parse_math=False)
        figure.colorbar(mesh, ax=list(every), orientation="horizontal", aspect=60, label=label)
        return _bytes(figure, form)


def losses_figure(curves: Mapping[str, Sequence[tuple[int, float]]]) -> bytes:
    """Losses by update, a curve for each name."""
    with _panels(1) as (figure, (axes,)):
        for name, points in curves.items():
            axes.plot(
                *zip(*points, strict=True), marker=".", markersize=3, linewidth=0.9, label=name
            )
        _finish(axes, "update", "loss", legend=True)
        return _bytes(figure, "svg")


def _finish(axes: Axes, x: str, y: str, *, legend: bool = False) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if legend:
        for text in axes.legend(frameon=False, fontsize=7).get_texts():
            text.set_parse_math(False)


def _bytes(figure: Figure, file_type: str) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a character that the font lacks is drawn as a box
        # Without a date the same summary gives the same file.
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(file_type)
        figure.savefig(out, format=file_type, dpi=300, metadata=metadata)
    return out.getvalue()
