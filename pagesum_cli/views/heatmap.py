"""The heat map of page confidences (the paper's Figure 3) for a terminal of any width and any number of colors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import fsum

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, OverflowMethod, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ..summary.page_confidences import Step, steps_of
from ..summary.summary import Summary
from .citation import citation_of
from .paint import Paint, scale_of
from .plain import one_line
from .rows import Line, Row, folded, part_lines, rows_of, section_lines, shortened, strongest
from .tables import counted

SHARE_WIDTH = 6
"""Width of a row's share, to the right of it: two spaces and ``100%``."""
NUMBER_WIDTH = 4
"""Minimum width of a cell with a number."""
SCREEN = 40
"""Lines of a screen."""
ROWS = (4, 16)
"""Minimum and maximum number of rows that the height of a screen leaves."""
ROWS_OF_BAND = (4, 3, 2)
"""Numbers of rows for a line of a generated summary: the first with which the whole text has :data:`TEXT_LINES`."""
TEXT_LINES = 64
"""Maximum number of lines for the words of a generated summary."""
ONE_COLUMN, TWO_COLUMNS = 20, 76
"""More sentences than this stand in two columns, if the terminal is so wide."""
SENTENCES = 48
"""Maximum number of sentences that are drawn."""
OVERVIEW_ROWS = 12
"""Maximum number of rows of the picture of a whole generated summary."""
LINE_WIDTH = 120
"""Maximum width of a line of the summary."""


@dataclass(frozen=True)
class HeatMap:
    """Sections down, steps across, confidence as color, and below it the sentences or words.

    By sentence: one screen with numbers in the cells, and the beginnings of the sentences. Otherwise the whole summary
    in one picture as wide as the terminal, then its text line by line with the strongest sections above each word.

    Attributes:
        summary: A summary of at least two pages and one word.
        by: ``token``, ``word`` or ``sentence``.
        rows: Maximum number of rows; None for as many as fit on a screen.
        whole: Draw every part, every word and whole sentences, however long that gets.
    """

    summary: Summary
    by: str = "word"
    rows: int | None = None
    whole: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        steps = steps_of(self.summary, self.by)
        by_sentence = self.by == "sentence" or not self.summary.tokens
        width = options.max_width
        names = [
            *(line.label for line in section_lines(self.summary)),
            "sentences 9–10",
            f"{len(self.summary.pages)} further {self.summary.made_of}s",
        ]
        left = min(max(map(cell_len, names)), max(width * 3 // 10, 10), 36)
        inner = max(width - left - 1 - SHARE_WIDTH, NUMBER_WIDTH)
        lines = self._lines(steps, inner if by_sentence else 0)
        if by_sentence and not self.whole:
            steps = steps[:SENTENCES]
        rows = rows_of(lines, steps)
        paint = Paint(console, options, scale_of(steps))
        yield Text("")
        if by_sentence:
            sentences = self.summary.sentences[: len(steps)]
            origins = [sentence.source.page if sentence.source else None for sentence in sentences]
            yield from _sentence_bands(rows, origins, paint, left, inner)
        else:
            yield from _overview(rows, steps, paint, left, inner)
        yield from _legend(paint, len(self.summary.pages), left, inner, rows)
        yield Text("")
        if by_sentence:
            yield _sentence_list(self.summary, steps, self.whole, width)
            hidden = len(self.summary.sentences) - len(steps)
            yield Text(f"… {counted(hidden, 'more sentence')}: --all draws them\n" if hidden else "", "dim")
        else:
            yield from self._text_bands(steps, paint, left, min(inner, LINE_WIDTH))

    def _lines(self, steps: Sequence[Step], inner: int) -> list[Line]:
        """Every part, or as many sections as fit on a screen; columns with numbers share ``inner`` cells."""
        if self.whole:
            return part_lines(self.summary)
        if self.rows:
            return folded(self.summary, steps, self.rows)
        if not inner:
            return folded(self.summary, steps, OVERVIEW_ROWS)
        bands = -(-len(steps) // max(inner // NUMBER_WIDTH, 1))
        listed = len(steps) // 2 + 1 if len(steps) > ONE_COLUMN else len(steps)
        room = (SCREEN - 8 - listed) // bands - 2
        return folded(self.summary, steps, min(max(room, ROWS[0]), ROWS[1]))

    def _text_bands(self, steps: Sequence[Step], paint: Paint, left: int, inner: int) -> Iterator[RenderableType]:
        """The summary's text line by line; above each word the confidences of that line's strongest sections."""
        scored = any(step.log_probability is not None for step in steps)
        bands = list(_lines(steps, inner, min_width=NUMBER_WIDTH + 1 if scored else 1))
        heights = ROWS_OF_BAND[:1] if self.whole else ROWS_OF_BAND
        height = next((one for one in heights if len(bands) * (one + 2 + scored) <= TEXT_LINES), heights[-1])
        shown = len(bands) if self.whole else TEXT_LINES // (height + 2 + scored)
        for band in bands[:shown]:
            band_steps = [word.step for word in band]
            for row in rows_of(strongest(self.summary, band_steps, height), band_steps):
                cells = Text()
                for word, value in zip(band, row.values, strict=True):
                    cells.append_text(paint.cell(value, word.width, "" if paint.is_colored else "{:.0f}"))
                    cells.append(" " * word.gap)
                cells.set_length(inner)
                yield _line(row.label, left, cells, row.share)
            first, last = band[0].step.sentence + 1, band[-1].step.sentence + 1
            name = f"sentence {first}" if first == last else f"sentences {first}–{last}"
            yield _line(name, left, Text("".join(word.text + " " * word.gap for word in band), "bold"), style="dim")
            if scored:
                yield _line("log p", left, Text("".join(map(_score, band)), "dim"), style="dim")
            yield Text("")
        if bands[shown:]:
            yield Text(f"… {counted(len(bands) - shown, 'more line')} of text: --all draws them\n", "dim")


def _line(name: str, left: int, cells: Text, share: float | None = None, style: str = "") -> Text:
    shown = "" if share is None else f"{100 * share:{SHARE_WIDTH - 1}.0f}%"
    return Text.assemble((_fitted(name, left), style), " ", cells, shown, no_wrap=True, overflow="ignore", end="\n")


def _fitted(text: str, width: int) -> str:
    return set_cell_size(shortened(text, width), width)


def _overview(rows: Sequence[Row], steps: Sequence[Step], paint: Paint, left: int, inner: int) -> Iterator[Text]:
    """The whole summary in one picture: up to four columns per step, or several steps averaged in a column."""
    each = max(min(inner // len(steps), 4), 1)
    columns = min(inner, len(steps)) if each == 1 else len(steps)
    for row in rows:
        cells = Text.assemble(*(paint.cell(value, each) for value in _resampled(row.values, columns)))
        yield _line(row.label, left, cells, row.share, "dim" if row.is_rest else "")
    starts: dict[int, int] = {}
    for place, step in enumerate(steps):
        starts.setdefault(step.sentence, place * columns // len(steps) * each)
    yield _line("sentence", left, Text(_axis(starts, columns * each), "dim"), style="dim")


def _resampled(values: Sequence[float], columns: int) -> list[float]:
    """``T`` values averaged into at most ``T`` columns of equal width."""
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
    """``1────2─────3──``: the start of each sentence; numbers that do not fit are left out."""
    axis = ["─"] * width
    free = 0
    for sentence, start in starts.items():
        number = str(sentence + 1)
        if start >= free and start + len(number) <= width:
            axis[start : start + len(number)] = number
            free = start + len(number) + 1
    return "".join(axis)


def _sentence_bands(
    rows: Sequence[Row], origins: Sequence[int | None], paint: Paint, left: int, inner: int
) -> Iterator[Text]:
    """A column with numbers for each sentence, in as many bands as needed; quotes have brackets where they stand."""
    fitting = max(inner // NUMBER_WIDTH, 1)
    bands = -(-len(origins) // fitting)
    size = -(-len(origins) // bands)
    width = min(inner // size, 10)
    for begin in range(0, len(origins), size):
        if begin:
            yield Text("")
        places = range(begin, min(begin + size, len(origins)))
        for row in rows:
            numbers = ["[{:.0f}]" if origins[place] in row.pages else "{:.0f}" for place in places]
            cells = Text.assemble(
                *(paint.cell(row.values[place], width, number) for place, number in zip(places, numbers, strict=True))
            )
            yield _line(row.label, left, cells, row.share, "dim" if row.is_rest else "")
        axis = "".join(str(place + 1).center(width) for place in places)
        yield _line("sentence", left, Text(axis, "dim"), style="dim")


def _legend(paint: Paint, pages: int, left: int, inner: int, rows: Sequence[Row]) -> Iterator[Text]:
    """The scale with its ends, and the confidence of each page if all were equal."""
    beyond = "≥ " if any(value > paint.top for row in rows for value in row.values) else ""
    scale = Text.assemble("0% ", paint.ramp(20), f" {beyond}{100 * paint.top:.0f}%")
    even = f"   if all were equal: {_percent(1 / pages)} each"
    if scale.cell_len + len(even) <= inner + SHARE_WIDTH:
        scale.append(even)
    yield _line("confidence", left, scale, style="dim")


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share >= 0.0995 else f"{100 * share:.1f}%"


@dataclass(frozen=True)
class _Word:
    """A step, or a piece of one that is longer than a line."""

    text: str
    width: int
    gap: int
    step: Step


def _score(word: _Word) -> str:
    score = word.step.log_probability or 0.0
    shown = f"{score:.1f}" if score > -99.95 else f"{score:.0f}"
    return shown.replace("-0.0", "0.0").ljust(word.width + word.gap)


def _lines(steps: Sequence[Step], inner: int, min_width: int) -> Iterator[list[_Word]]:
    """Steps in lines of at most ``inner`` cells, each step at least ``min_width`` cells wide."""
    line: list[_Word] = []
    used = 0
    for step in steps:
        for text, last in _pieces(one_line(step.text), inner):
            width = max(cell_len(text), min_width, 1)
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


def _sentence_list(summary: Summary, steps: Sequence[Step], whole: bool, width: int) -> Table:
    """The sentences, each with where it comes from: whole, or their beginnings, in two columns if there are many."""
    table = Table.grid(padding=(0, 1, 0, 0))
    rows = []
    for number, (step, sentence) in enumerate(zip(steps, summary.sentences, strict=False), start=1):
        score = "" if step.log_probability is None else f", log p {step.log_probability:.1f}"
        place = citation_of(summary, sentence).text + score
        rows.append((Text(str(number), "dim"), Text(one_line(step.text)), Text(place, "dim")))
    digits = len(str(len(rows)))
    if not whole and len(rows) > ONE_COLUMN and width >= TWO_COLUMNS:
        half = -(-len(rows) // 2)
        for _ in range(2):
            table.add_column(justify="right", width=digits)
            table.add_column(no_wrap=True, overflow="ellipsis", width=width // 2 - digits - 2)
        for left, right in zip_longest(rows[:half], rows[half:], fillvalue=()):
            table.add_row(*left[:2], *right[:2])
        return table
    place_width = min(max(row[2].cell_len for row in rows), max(width // 3, 8))
    overflow: OverflowMethod = "fold" if whole else "ellipsis"
    table.add_column(justify="right", width=digits)
    table.add_column(no_wrap=not whole, overflow=overflow, max_width=max(width - digits - place_width - 3, 8))
    table.add_column(no_wrap=not whole, overflow=overflow, width=place_width)
    for row in rows:
        table.add_row(*row)
    return table
