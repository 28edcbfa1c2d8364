"""The heat map of page confidences (the paper's Figure 3) on a terminal, and the views around
it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    OverflowMethod,
    RenderableType,
    RenderResult,
)
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..summary.page_confidences import Step, locality_figures, page_figures, steps_of, trimmed
from ..summary.summary import Summary
from .citation import citation_of, opening_of, titles_of
from .paint import Paint, scale_of, shortened
from .plain import one_line
from .rows import Row, folded, part_rows, section_rows, strongest, with_values
from .tables import columns, counted, literal, page_range
from .text import TEXT_WIDTH, title_view

SHARE_WIDTH = 6  # width of a row's share, to the right of it: two spaces and ``100%``
NUMBER_WIDTH = 4  # minimum width of a cell with a number
SCREEN = 40  # lines of a screen
ROWS = (4, 16)  # minimum and maximum number of rows that the height of a screen leaves
BAND_ROWS = 3  # maximum number of rows above a line of a generated summary
TEXT_LINES = 64  # maximum number of lines for the words of a generated summary
SENTENCES = 48  # maximum number of sentences that are drawn
LINE_WIDTH = 120  # maximum width of a line of the summary
TABLE_ROWS = 12  # maximum number of rows of the table of parts
LABEL_WIDTH = 40  # maximum width of a label in it


@dataclass(frozen=True)
class HeatMap:
    """Sections down, sentences across, confidence as color and number, and below it the sentences
    or words.

    By sentence: one screen with the beginnings of the sentences. Otherwise the summary's text line
    by line, with the strongest sections above each word.
    """

    summary: Summary  # a summary of at least two pages and one word
    by: str = "word"  # ``token``, ``word`` or ``sentence``
    rows: int | None = None  # maximum number of rows; None for as many as fit on a screen
    whole: bool = False  # draw every part, every word and whole sentences, however long that gets

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        steps = steps_of(self.summary, self.by)
        sentences = steps_of(self.summary, "sentence")[: None if self.whole else SENTENCES]
        width = options.max_width
        names = [row.label for row in section_rows(self.summary)]
        names += ["sentences 9–10", f"{len(self.summary.pages)} further {self.summary.made_of}s"]
        left = min(max(map(cell_len, names)), max(width * 3 // 10, 10), 36)
        inner = max(width - left - 1 - SHARE_WIDTH, NUMBER_WIDTH)
        bands = -(-len(sentences) // max(inner // NUMBER_WIDTH, 1))
        if self.whole:
            rows = with_values(part_rows(self.summary), sentences)
        else:
            room = (SCREEN - 8 - len(sentences)) // bands - 2
            rows = folded(self.summary, sentences, self.rows or min(max(room, ROWS[0]), ROWS[1]))
        paint = Paint(console, options, scale_of(steps))
        yield Text("")
        yield from self._sentence_bands(rows, bands, paint, left, inner)
        beyond = "≥ " if any(value > paint.top for row in rows for value in row.values) else ""
        scale = Text.assemble("0% ", paint.ramp(20), f" {beyond}{100 * paint.top:.0f}%")
        yield _line("confidence", left, scale, style="dim")
        yield Text("")
        if self.by == "sentence" or not self.summary.tokens:
            yield _sentence_list(self.summary, sentences, self.whole, width)
            hidden = len(self.summary.sentences) - len(sentences)
            yield Text(
                f"… {counted(hidden, 'more sentence')}: --all draws them\n" if hidden else "", "dim"
            )
        else:
            yield from self._text_bands(steps, paint, left, min(inner, LINE_WIDTH))

    def _sentence_bands(
        self, rows: Sequence[Row], bands: int, paint: Paint, left: int, inner: int
    ) -> Iterator[Text]:
        """A column with numbers for each sentence, in bands as wide as the terminal; quotes have
        brackets.
        """
        count = len(rows[0].values)
        size = -(-count // bands)
        width = min(inner // size, 10)
        for begin in range(0, count, size):
            if begin:
                yield Text("")
            band = range(begin, min(begin + size, count))
            sources = [self.summary.sentences[number].source for number in band]
            for row in rows:
                pages = {page.page for page in row.pages}
                cells = Text()
                for number, source in zip(band, sources, strict=True):
                    form = "[{:.0f}]" if source and source.page in pages else "{:.0f}"
                    cells.append_text(paint.cell(row.values[number], width, form))
                yield _line(row.label, left, cells, row.share, "dim" if row.is_rest else "")
            axis = "".join(str(number + 1).center(width) for number in band)
            yield _line("sentence", left, Text(axis, "dim"), style="dim")

    def _text_bands(
        self, steps: Sequence[Step], paint: Paint, left: int, inner: int
    ) -> Iterator[RenderableType]:
        """The summary's text line by line; above each word the confidences of that line's strongest
        sections.
        """
        scored = any(step.log_probability is not None for step in steps)
        bands = list(_lines(steps, inner, min_width=NUMBER_WIDTH + 1 if scored else 1))
        shown = len(bands) if self.whole else TEXT_LINES // (BAND_ROWS + 2 + scored)
        for band in bands[:shown]:
            for row in strongest(self.summary, [word.step for word in band], BAND_ROWS):
                cells = Text()
                for word, value in zip(band, row.values, strict=True):
                    cells.append_text(
                        paint.cell(value, cell_len(word.text), "" if paint.is_colored else "{:.0f}")
                    )
                    cells.append(word.space)
                cells.set_length(inner)
                yield _line(row.label, left, cells, row.share)
            first, last = band[0].step.sentence + 1, band[-1].step.sentence + 1
            name = f"sentence {first}" if first == last else f"sentences {first}–{last}"
            yield _line(
                name,
                left,
                Text("".join(word.text + word.space for word in band), "bold"),
                style="dim",
            )
            if scored:
                yield _line("log p", left, Text("".join(map(_score, band)), "dim"), style="dim")
            yield Text("")
        if bands[shown:]:
            yield Text(
                f"… {counted(len(bands) - shown, 'more line')} of text: --all draws them\n", "dim"
            )


def _line(name: str, left: int, cells: Text, share: float | None = None, style: str = "") -> Text:
    label = set_cell_size(shortened(name, left), left)
    percentage = "" if share is None else f"{100 * share:{SHARE_WIDTH - 1}.0f}%"
    return Text.assemble(
        (label, style), " ", cells, percentage, no_wrap=True, overflow="ignore", end="\n"
    )


@dataclass(frozen=True)
class _Word:
    """A step, filled up to its width, and the space after it."""

    step: Step
    text: str
    space: str


def _score(word: _Word) -> str:
    # z: no -0.0
    return f"{word.step.log_probability or 0.0:z.1f}".ljust(cell_len(word.text + word.space))


def _lines(steps: Sequence[Step], inner: int, min_width: int) -> Iterator[list[_Word]]:
    """Steps in lines of at most ``inner`` cells, each step at least ``min_width`` cells wide."""
    line: list[_Word] = []
    used = 0
    for step in steps:
        text = shortened(one_line(step.text), inner)
        width = max(cell_len(text), min_width)
        if line and used + width > inner:
            yield line
            line, used = [], 0
        line.append(_Word(step, set_cell_size(text, width), " " * step.space))
        used += width + step.space
    yield line


def _sentence_list(summary: Summary, steps: Sequence[Step], whole: bool, width: int) -> Table:
    """The sentences, whole or their beginnings, each with where it comes from."""
    rows = []
    titles = titles_of(summary)
    for number, (step, sentence) in enumerate(zip(steps, summary.sentences, strict=False), start=1):
        if number - 1 in titles:
            rows.append((Text(), literal(titles[number - 1], "bold"), Text()))
        score = "" if step.log_probability is None else f", log p {step.log_probability:.1f}"
        origin = citation_of(summary, sentence).text + score
        shown = Text.assemble((opening_of(sentence), "dim"), one_line(sentence.text))
        rows.append((Text(str(number), "dim"), shown, Text(origin, "dim")))
    digits = len(str(len(steps)))
    origin_width = min(max(row[2].cell_len for row in rows), max(width // 3, 8))
    overflow: OverflowMethod = "fold" if whole else "ellipsis"
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", width=digits)
    table.add_column(
        no_wrap=not whole, overflow=overflow, max_width=max(width - digits - origin_width - 3, 8)
    )
    table.add_column(no_wrap=not whole, overflow=overflow, width=origin_width)
    for row in rows:
        table.add_row(*row)
    return table


def head_view(summary: Summary, *, text: bool) -> RenderableType:
    """Title, the summary's text if asked for, and the model and locality."""
    made_of = counted(len(summary.pages), summary.made_of)
    made = ", ".join(
        [summary.model, *([] if summary.chapters else [f"{summary.locality} locality"]), made_of]
    )
    body: list[RenderableType] = (
        [Constrain(literal(summary.text), TEXT_WIDTH), Text()] if text else []
    )
    return Group(title_view(summary.title), *body, literal(made, "dim"))


def figures_view(summary: Summary) -> RenderableType:
    """The figures for the paper's two observations."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for observation in observations(summary):
        table.add_row(*observation)
    if summary.paragraphs:
        share = (
            f"the model's weight of each {summary.made_of}, not the quotes: these were chosen by "
            "what a summary of such a document needs"
        )
        table.add_row("share", share)
    return table


def observations(summary: Summary) -> list[tuple[str, str]]:
    """Names and figures of the paper's two observations, by token, or by sentence if there are no
    tokens.
    """
    figures = locality_figures(steps_of(summary, "token"))
    unit = "token" if summary.tokens else "sentence"
    space = (
        f"at each {unit}, the strongest {summary.made_of} has {100 * figures.largest:.0f}% of the "
        f"weight; normalized entropy {figures.entropy:.2f} (0: one has all of it, 1: all have the "
        "same)"
    )
    if figures.change is None or figures.change_shuffled is None:
        return [("space locality", space)]
    time = (
        f"from one {unit} to the next, {100 * figures.change:.0f}% of the weight moves to other "
        f"{summary.made_of}s ({100 * figures.change_shuffled:.0f}% in random order)"
    )
    return [("space locality", space), ("time locality", time)]


def parts_table(summary: Summary, max_rows: int | None) -> RenderableType:
    """Each section's share, highest confidence and where it occurs, and the sentences and words it
    leads.

    Small sections share the last of ``max_rows`` (≥ 3) rows; with None, there is a row for each
    part.
    """
    is_pdf = any(page.pdf_pages for page in summary.pages)
    table = columns(header=True)
    table.add_column(summary.made_of, overflow="fold")
    for name in (*(["page"] if is_pdf else []), "share", "peak"):
        table.add_column(name, justify="left" if name == "page" else "right", no_wrap=True)
    if summary.tokens:
        table.add_column("at", overflow="ellipsis", no_wrap=True, max_width=16)
    table.add_column("sentences", overflow="fold")
    table.add_column("words", justify="right", no_wrap=True)
    figures = page_figures(summary)
    steps = steps_of(summary, "word")
    rows = (
        part_rows(summary)
        if max_rows is None
        else folded(summary, steps_of(summary, "sentence"), max_rows)
    )
    for row in with_values(rows, steps):
        pages = [figures[page.page] for page in row.pages]
        peak = max(row.values)
        table.add_row(
            literal(shortened(one_line(row.label), LABEL_WIDTH)),
            *([row.place.removeprefix("p. ")] if is_pdf else []),
            f"{100 * row.share:.1f}%",
            f"{100 * peak:.0f}%",
            *([literal(trimmed(steps[row.values.index(peak)].text))] if summary.tokens else []),
            page_range(sorted(number + 1 for page in pages for number in page.sentences)) or "–",
            str(sum(page.words for page in pages)),
            style="dim" if row.is_rest else "",
        )
    return table
