"""The heat map of page confidences (the paper's Figure 3) for a terminal of any width and any number of colours."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from operator import mul

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.style import Style
from rich.table import Table
from rich.text import Text

from ..provenance import Step, leader, page_name, steps_of
from ..summary import Summary
from .colours import COLOURS_OF_256, colour, ink, top_of
from .plain import one_line

_PART = re.compile(r" \(\d+/\d+\)$")
SHADES = " ░▒▓█"
ASCII_SHADES = " .:*#"
SHARE_WIDTH = 6
"""Cells right of a row for its share: two of space, ``100%``."""
NUMBER_WIDTH = 5
"""The narrowest cell that a confidence is written in, with space around it."""
ROWS_OF_BAND = 6
"""Pages that a line of the summary is drawn for, at most; the others share a row."""
LINE_WIDTH = 120
"""Cells of a line of the summary at most, so that it can be read."""


@dataclass(frozen=True)
class Row:
    """Pages of a picture that share a line.

    Attributes:
        label: of the line.
        values: their summed confidences at each step, ``T``.
        share: the mean over the steps' tokens.
        several: whether it is more than one page.
    """

    label: str
    values: tuple[float, ...]
    share: float
    several: bool = False


Lines = Sequence[Sequence[int]]
"""The pages of each line; every page is on one."""


def folded(shares: Sequence[float], most: int) -> Lines:
    """A line for each page; where there are more than ``most`` pages, neighbours with small shares have one together.

    So a page stands where it does in the document, and the shares of the lines sum to what those of the pages do.

    Args:
        shares: of the pages.
        most: lines at most, 3 or more.
    """
    count = len(shares)
    if count <= most:
        return [(page,) for page in range(count)]
    ranked = sorted(range(count), key=lambda page: -shares[page])
    kept = [page for page in ranked if shares[page] >= 0.5 / count]
    while True:
        alone = set(kept)
        runs = groupby(range(count), key=lambda page: page if page in alone else None)
        lines = [tuple(run) for _, run in runs]
        if len(lines) <= most:
            return lines
        kept.pop()


def strongest(shares: Sequence[float], most: int) -> Lines:
    """A line for each page that has at least its even share, in page order; the others have the last one together."""
    count = len(shares)
    ranked = sorted(range(count), key=lambda page: -shares[page])
    kept = [page for page in ranked if shares[page] >= 1 / count][: most - 1] or ranked[:1]
    if len(kept) == count - 1:
        kept = ranked  # a line for others is no shorter than one for the other
    others = sorted(ranked[len(kept) :])
    return [*((page,) for page in sorted(kept)), *([others] if others else [])]


def shares_of(steps: Sequence[Step]) -> list[float]:
    """Each page's mean confidence over the tokens of at least one step."""
    weights = [step.tokens for step in steps]
    columns = zip(*(step.confidences for step in steps), strict=True)
    return [fsum(map(mul, weights, column)) / sum(weights) for column in columns]


def rows_of(labels: Sequence[str], steps: Sequence[Step], lines: Lines) -> list[Row]:
    """A row for each line; each column sums to what it sums to over all pages.

    Args:
        labels: of the pages.
        steps: at least one.
        lines: the pages of each.
    """
    columns = list(zip(*(step.confidences for step in steps), strict=True))
    shares = shares_of(steps)
    return [
        Row(
            labels[line[0]] if len(line) == 1 else together(line),
            tuple(fsum(column) for column in zip(*(columns[page] for page in line), strict=True)),
            fsum(shares[page] for page in line),
            len(line) > 1,
        )
        for line in lines
    ]


def together(line: Sequence[int]) -> str:
    """What a line of several pages is called."""
    neighbours = line[-1] - line[0] == len(line) - 1
    return f"… {len(line)} {'pages' if neighbours else 'more pages'}"


def scale_of(steps: Sequence[Step]) -> float:
    """The confidence that gets the last colour: nineteen of twenty steps have none above it."""
    greatest = sorted(max(step.confidences) for step in steps)
    return top_of(greatest[: -(-len(greatest) * 19 // 20)])


class Paint:
    """Draws confidences as colours, or as shades where there are fewer than 256 or none are wanted.

    Args:
        console: to draw on.
        options: tell whether it knows more than ASCII.
        top: the confidence that has the last colour.
    """

    def __init__(self, console: Console, options: ConsoleOptions, top: float) -> None:
        self.top = top
        system = None if console.no_color else console.color_system
        self.coloured = system in ("256", "truecolor")
        self.palette = COLOURS_OF_256 if system == "256" else None
        self.shades = ASCII_SHADES if options.ascii_only else SHADES
        # Of the sixteen colours a terminal may show in any way, this one stands out on dark and on light.
        self.shade_style = Style(color="magenta") if system in ("standard", "windows") else Style()

    def cell(self, value: float, width: int, number: bool = False) -> Text:
        """``width`` cells; with ``number`` also its percentage where there is room."""
        label = f"{100 * value:.0f}" if number and width >= len(f"{100 * value:.0f}") + 2 else ""
        if self.coloured:
            return Text(label.center(width), self._style(value / self.top))
        shade = self.shades[_level(len(self.shades), value / self.top)]
        if not label:
            return Text(shade * width, self.shade_style)
        left = (width - len(label)) // 2
        return Text.assemble(
            (shade * left, self.shade_style), label, (shade * (width - left - len(label)), self.shade_style)
        )

    def _style(self, value: float) -> Style:
        """The colour of a number in 0–1, and black or white on it."""
        if self.palette is None:
            background = Color.from_rgb(*colour(value))
        else:
            background = Color.from_ansi(self.palette[_level(len(self.palette), value)])
        return Style(bgcolor=background, color=Color.from_rgb(*ink(background.get_truecolor())))


def _level(levels: int, value: float) -> int:
    """Which of so many levels a number in 0–1 is on; what lies beyond is on the last one."""
    return min(int(value * levels), levels - 1)


@dataclass(frozen=True)
class HeatMap:
    """Pages down, decoding steps across, confidence as colour, and the summary's words under it.

    First the whole summary in one picture as wide as the terminal, then its text line by line with the pages that
    spoke for each word above it; by sentence: numbers in the cells, and the sentences below.

    Attributes:
        summary: of at least two pages and one word.
        by: ``token``, ``word`` or ``sentence``.
        rows: lines of pages at most.
    """

    summary: Summary
    by: str = "word"
    rows: int = 24

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        steps = steps_of(self.summary, self.by)
        labels = page_labels(self.summary)
        rows = rows_of(labels, steps, folded(shares_of(steps), self.rows))
        top = scale_of(steps)
        paint = Paint(console, options, top)
        width = options.max_width
        names = [*(row.label for row in rows), "sentences 9–10"]
        left = min(max(map(cell_len, names)), max(width // 4, 10), 36)
        inner = max(width - left - 1 - SHARE_WIDTH, NUMBER_WIDTH)
        by_sentence = self.by == "sentence" or not self.summary.tokens
        yield Text("")
        if by_sentence:
            yield from _sentence_bands(rows, steps, paint, left, inner)
        else:
            yield from _overview(rows, steps, paint, left, inner)
        yield from _legend(paint, len(labels), left, inner, rows)
        yield Text("")
        if by_sentence:
            yield _sentence_list(self.summary, steps)
            yield Text("")
        else:
            yield from _text_bands(labels, steps, paint, left, min(inner, LINE_WIDTH))


def page_labels(summary: Summary) -> list[str]:
    """What each page is called in a picture: its label, behind its source where there are several."""
    return [one_line(page_name(summary, place, pdf_pages=False)) for place in range(len(summary.pages))]


def _line(label: str, left: int, cells: Text, share: float | None = None, style: str = "") -> Text:
    shown = "" if share is None else f"{100 * share:{SHARE_WIDTH - 1}.0f}%"
    return Text.assemble((_fitted(label, left), style), " ", cells, shown, no_wrap=True, overflow="ignore", end="\n")


def _fitted(text: str, width: int) -> str:
    return set_cell_size(shortened(text, width), width)


def shortened(label: str, width: int) -> str:
    """A label in at most so many cells; which part of a section it is stays readable."""
    if cell_len(label) <= width:
        return label
    part = _PART.search(label)
    kept = part.group() if part and cell_len(part.group()) < width // 2 else ""
    head = label[: len(label) - len(kept)]
    return set_cell_size(head, width - cell_len(kept) - 1).rstrip() + "…" + kept


def _overview(rows: Sequence[Row], steps: Sequence[Step], paint: Paint, left: int, inner: int) -> Iterator[Text]:
    """The whole summary in one picture: steps as wide as there is room, or several steps averaged in a column."""
    each = max(min(inner // len(steps), 4), 1)
    columns = min(inner, len(steps)) if each == 1 else len(steps)
    for row in rows:
        cells = Text.assemble(*(paint.cell(value, each) for value in _resampled(row.values, columns)))
        yield _line(row.label, left, cells, row.share, "dim" if row.several else "")
    starts = {}
    for place, step in enumerate(steps):
        starts.setdefault(step.sentence, place * columns // len(steps) * each)
    yield _line("sentence", left, Text(_axis(starts, columns * each), "dim"), style="dim")


def _resampled(values: Sequence[float], columns: int) -> list[float]:
    """``T`` values averaged into at most as many columns of equal width."""
    if columns == len(values):
        return list(values)
    width = len(values) / columns
    result = []
    for column in range(columns):
        begin, end = column * width, (column + 1) * width
        parts = [
            values[place] * (min(end, place + 1) - max(begin, place))
            for place in range(int(begin), min(int(end - 1e-9) + 1, len(values)))
        ]
        result.append(fsum(parts) / width)
    return result


def _axis(starts: dict[int, int], width: int) -> str:
    """``1────2─────3──``: where each sentence begins; numbers that do not fit are left out."""
    axis = ["─"] * width
    free = 0
    for sentence, start in starts.items():
        number = str(sentence + 1)
        if start >= free and start + len(number) <= width:
            axis[start : start + len(number)] = number
            free = start + len(number) + 1
    return "".join(axis)


def _sentence_bands(rows: Sequence[Row], steps: Sequence[Step], paint: Paint, left: int, inner: int) -> Iterator[Text]:
    """A column with numbers for each sentence, in as many bands as it takes."""
    fitting = max(inner // NUMBER_WIDTH, 1)
    bands = -(-len(steps) // fitting)
    size = -(-len(steps) // bands)
    width = min(inner // size, 10)
    for begin in range(0, len(steps), size):
        if begin:
            yield Text("")
        places = range(begin, min(begin + size, len(steps)))
        for row in rows:
            cells = Text.assemble(*(paint.cell(row.values[place], width, number=True) for place in places))
            yield _line(row.label, left, cells, row.share, "dim" if row.several else "")
        axis = "".join(str(place + 1).center(width) for place in places)
        yield _line("sentence", left, Text(axis, "dim"), style="dim")


def _legend(paint: Paint, pages: int, left: int, inner: int, rows: Sequence[Row]) -> Iterator[Text]:
    """The scale with its ends, and what each page would have if all spoke alike."""
    shades = None if paint.coloured else paint.shades
    levels = len(shades or paint.palette or range(10))
    size = 20 // levels
    ramp = Text.assemble(*(paint.cell((level + 0.5) / levels * paint.top, size) for level in range(levels)))
    beyond = "≥ " if any(value > paint.top for row in rows for value in row.values) else ""
    scale = Text.assemble("0% ", ramp, f" {beyond}{100 * paint.top:.0f}%")
    alike = f"   all pages alike: {_percent(1 / pages)} each"
    if scale.cell_len + len(alike) <= inner + SHARE_WIDTH:
        scale.append(alike)
    yield _line("confidence", left, scale, style="dim")


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.0995 else f"{100 * share:.1f}%"


@dataclass(frozen=True)
class _Word:
    """A step, or a part of one that is longer than a line, as it is written."""

    text: str
    width: int
    gap: int
    step: Step


def _text_bands(
    labels: Sequence[str], steps: Sequence[Step], paint: Paint, left: int, inner: int
) -> Iterator[RenderableType]:
    """The summary's text line by line; above each word the confidences of the pages that matter in that line."""
    scored = any(step.log_probability is not None for step in steps)
    for band in _lines(steps, inner, least=NUMBER_WIDTH if scored else 1):
        said = [word.step for word in band]
        rows = rows_of(labels, said, strongest(shares_of(said), ROWS_OF_BAND))
        for row in rows:
            cells = Text()
            for word, value in zip(band, row.values, strict=True):
                cells.append_text(paint.cell(value, word.width, number=not paint.coloured))
                cells.append(" " * word.gap)
            cells.set_length(inner)
            yield _line(row.label, left, cells, row.share, "dim" if row.several else "")
        first, last = band[0].step.sentence + 1, band[-1].step.sentence + 1
        mark = f"sentence {first}" if first == last else f"sentences {first}–{last}"
        yield _line(mark, left, Text("".join(word.text + " " * word.gap for word in band), "bold"), style="dim")
        if scored:
            yield _line("log p", left, Text("".join(map(_score, band)), "dim"), style="dim")
        yield Text("")


def _score(word: _Word) -> str:
    score = word.step.log_probability or 0.0
    shown = f"{score:.1f}" if score > -99.95 else f"{score:.0f}"
    return shown.replace("-0.0", "0.0").ljust(word.width + word.gap)


def _lines(steps: Sequence[Step], inner: int, least: int) -> Iterator[list[_Word]]:
    """Steps in lines of at most ``inner`` cells, each step at least ``least`` cells wide."""
    line: list[_Word] = []
    used = 0
    for step in steps:
        for text, last in _pieces(one_line(step.text), inner):
            width = max(cell_len(text), least, 1)
            if line and used + width > inner:
                yield line
                line, used = [], 0
            gap = int(last and step.space)
            line.append(_Word(set_cell_size(text, width), width, gap, step))
            used += width + gap
    if line:
        yield line


def _pieces(text: str, inner: int) -> Iterator[tuple[str, bool]]:
    """A text in pieces of at most ``inner`` cells, each with whether it is the last."""
    while cell_len(text) > inner:
        head = set_cell_size(text, inner)
        # A character of two cells that does not fit leaves a space.
        count = len(head) - (not text.startswith(head))
        yield text[:count], False
        text = text[count:]
    yield text, True


def _sentence_list(summary: Summary, steps: Sequence[Step]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold")
    labels = page_labels(summary)
    for number, step in enumerate(steps, start=1):
        best = leader(step.confidences)
        said = f"  [{labels[best]} {100 * step.confidences[best]:.0f}%]"
        score = "" if step.log_probability is None else f" log p {step.log_probability:.1f}"
        table.add_row(str(number), Text.assemble(one_line(step.text), (said + score, "dim")))
    return table
