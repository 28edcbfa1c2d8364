"""Summary → text, on a terminal or plain."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..summary.summary import Summary
from .citation import citations, made_of, several_files
from .plain import one_line, unstyled
from .rows import section_rows
from .tables import Bar, columns, literal, pdf_range, percents

TEXT_WIDTH = 96
"""Maximum width of running text: longer lines are hard to read."""

BAR_WIDTH = 24


def plain_view(summary: Summary, *, cite: bool = False, bullets: bool = False, chapters: bool = False) -> str:
    """What :func:`text_view` draws, without colors and with unwrapped paragraphs."""
    return unstyled(text_view(summary, cite=cite, bullets=bullets, chapters=chapters))


def text_view(summary: Summary, *, cite: bool = False, bullets: bool = False, chapters: bool = False) -> RenderableType:
    """Title, summary, and one line per section or chapter with its share.

    Args:
        summary: The summary to draw.
        cite: Add where the sentences come from.
        bullets: A list with one sentence per line instead of a paragraph.
        chapters: Then the summaries of a book's chapters, each under its title.
    """
    shown = summary.chapters if chapters else ()
    return Group(
        title_view(summary.title),
        _sentences(summary, cite, bullets),
        parts_view(summary),
        *(Group(Text(), title_view(one.title), _sentences(one, cite, bullets)) for one in shown),
    )


def _sentences(summary: Summary, cite: bool, bullets: bool) -> RenderableType:
    cited = citations(summary, merged=not bullets) if cite else [None] * len(summary.sentences)
    sentences = [
        Text.assemble(one_line(sentence.text), (f" {place}" if place else "", "dim"))
        for sentence, place in zip(summary.sentences, cited, strict=True)
    ]
    return Constrain(Bullets(sentences) if bullets else Text(" ").join(sentences), TEXT_WIDTH)


@dataclass(frozen=True)
class Bullets:
    """A list with a hanging indent, or one unwrapped line per item where text is not wrapped."""

    items: Sequence[Text]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.no_wrap:
            yield from (Text.assemble("• ", item) for item in self.items)
            return
        table = Table.grid(padding=(0, 1, 0, 0))
        for item in self.items:
            table.add_row("•", item)
        yield table


def title_view(title: str) -> RenderableType:
    """The title and a blank line; nothing if there is no title."""
    return Group(literal(title, "bold"), Text()) if one_line(title) else Group()


def parts_view(summary: Summary) -> RenderableType:
    """One line per section with its share of the summary as a bar; those with small shares together."""
    rows = section_rows(summary)
    largest = max(row.share for row in rows if not row.is_rest)
    shares = percents([row.share for row in rows])
    files = [row.file if one_line(row.file) not in one_line(row.label) else "" for row in rows]
    places = [place if (place := pdf_range(row.pdf_pages)) != row.label else "" for row in rows]
    table = columns()
    table.add_column(overflow="ellipsis", no_wrap=True, min_width=12, max_width=48)
    if several_files(summary) and any(files):
        table.add_column(style="dim", overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
    else:
        files = []
    for cells in (places, shares):
        if any(cells):
            table.add_column(justify="right", no_wrap=True, min_width=max(map(len, cells)), style="dim")
    table.add_column(no_wrap=True)
    for i, row in enumerate(rows):
        label = literal(row.label, "dim" if row.is_rest else "")
        if row.truncated:
            label.append(" (truncated)", style="yellow")
        table.add_row(
            label,
            *([literal(files[i])] if files else []),
            *([Text(places[i])] if any(places) else []),
            Text(shares[i], style="not dim"),
            "" if row.is_rest else Bar(row.share / largest, BAR_WIDTH, "cyan"),
        )
    return Group(Text(), Text(made_of(summary), style="dim"), table)
