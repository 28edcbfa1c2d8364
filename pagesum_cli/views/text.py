"""Summary → a picture on a terminal, or its text alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from ..summary.summary import Summary, SummarySentence
from .citation import (
    coverage_line,
    items_of,
    lines_after,
    made_of,
    opening_of,
    paragraphs_of,
    proven_line,
)
from .plain import one_line, unstyled
from .rows import table_rows
from .tables import Bar, columns, literal, percents

TEXT_WIDTH = 96  # maximum width of running text: longer lines are hard to read

BAR_WIDTH = 24


def plain_view(
    summary: Summary, *, cite: bool = False, bullets: bool = False, chapters: bool = False
) -> str:
    """The summary's text alone, with unwrapped paragraphs, and what sources disagree on; with
    ``chapters``, theirs follow under their titles.
    """
    shown = [("", summary), *((chapter.title, chapter) for chapter in summary.chapters if chapters)]
    texts = [
        (one_line(title), unstyled(_sentences(one, cite, bullets, marked=cite)))
        for title, one in shown
    ]
    return "\n\n".join("\n\n".join(filter(None, text)) for text in texts)


def text_view(
    summary: Summary, *, cite: bool = False, bullets: bool = False, chapters: bool = False
) -> RenderableType:
    """Title, summary, and one line per section or chapter with its share; options as of
    :func:`.formats.written`.
    """
    shown = summary.chapters if chapters else ()
    return Group(
        title_view(summary.title),
        _sentences(summary, cite, bullets),
        parts_view(summary),
        *(literal(line, "dim") for line in (coverage_line(summary), proven_line(summary)) if line),
        *(
            Group(Text(), title_view(chapter.title), _sentences(chapter, cite, bullets))
            for chapter in shown
        ),
    )


def _sentences(
    summary: Summary, cite: bool, bullets: bool, *, marked: bool = True
) -> RenderableType:
    shown: list[RenderableType] = []
    bullets = bullets or summary.is_list
    for title, named, cited in paragraphs_of(summary, cite=cite, merged=not bullets):
        shown += [Text()] if shown else []
        shown += [literal(title, "bold")] if title else []
        if bullets and cited:
            shown.append(Bullets([_joined(one, marked) for one in items_of(cited)]))
        elif cited:
            shown.append(_joined(cited, marked))
        shown += [literal(named, "italic")] if named else []
    lines = [literal(line, "dim") for line in lines_after(summary, participants=marked)]
    shown += [Text(), *lines] if lines else []
    return Constrain(Group(*shown), TEXT_WIDTH)


def _joined(cited: Iterable[tuple[SummarySentence, str, str]], marked: bool) -> Text:
    return Text(" ").join(_sentence(*one, marked=marked) for one in cited)


def _sentence(own: SummarySentence, text: str, citation: str, *, marked: bool) -> Text:
    """A sentence, with marks of what it records and whether it needs context, and its citation."""
    recorded = f"({one_line(str(own.outcome))})" if marked and own.outcome else ""
    mark = "↩" if marked and own.needs_context else ""
    after = " ".join(filter(None, (recorded, mark, citation)))
    return Text.assemble((opening_of(own), "dim"), text, (f" {after}" if after else "", "dim"))


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
    """One line per section with its share of the summary as a bar; those with small shares
    together.
    """
    if len(summary.pages) == 1:
        return Group(Text(), Text(made_of(summary), style="dim"))  # a bar of 100 % says nothing
    rows = table_rows(summary)
    largest = max(row.share for row in rows if not row.is_rest)
    shares = percents([row.share for row in rows])
    pdf_pages = [row.place if row.place != row.label else "" for row in rows]
    table = columns()
    table.add_column(overflow="ellipsis", no_wrap=True, min_width=12, max_width=48)
    if any(pdf_pages):
        table.add_column(
            justify="right", no_wrap=True, min_width=max(map(len, pdf_pages)), style="dim"
        )
    table.add_column(justify="right", no_wrap=True, min_width=max(map(len, shares)))
    table.add_column(no_wrap=True)
    for row, pages, share in zip(rows, pdf_pages, shares, strict=True):
        label = literal(row.label, "dim" if row.is_rest else "")
        if any(page.truncated for page in row.pages):
            label.append(" (truncated)", style="yellow")
        bar = "" if row.is_rest else Bar(row.share / largest, BAR_WIDTH, "cyan")
        table.add_row(label, *([pages] if any(pdf_pages) else []), share, bar)
    return Group(Text(), Text(f"{made_of(summary)}: share of the summary", style="dim"), table)
