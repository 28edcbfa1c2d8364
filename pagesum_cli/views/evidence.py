"""What supports each sentence of a summary: where a quote stands, or the sentences of the document
closest to it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..documents.model import GAP
from ..quoting.cues import View, cues_of
from ..summary.page_confidences import page_of
from ..summary.summary import Summary, SummarySentence
from .citation import citation_of, is_quoted, opening_of, page_name
from .plain import one_line

NOT_SUPPORTED = "no sentence of the document supports this"

WHOLE = 16  # maximum number of sentences whose evidence is drawn whole


@dataclass(frozen=True)
class Support:
    """What supports one sentence of the summary."""

    text: str  # the summary's sentence
    # where it stands if it is a quote, otherwise its strongest page and that page's confidence
    origin: str
    # before, after: a quote's neighbors in the document; empty if there are none or the summary
    # quotes them too
    before: str = ""
    after: str = ""
    is_missing: bool = False  # whether nothing in the document supports it
    # text and origin of the sentences that support one that is no quote
    sentences: tuple[tuple[str, str], ...] = ()
    opening: str = ""  # what is shown before it


def support_of(summary: Summary) -> Iterator[Support]:
    """What supports each sentence; nothing if it is unknown."""
    if not has_evidence(summary):
        return
    for sentence in summary.sentences:
        text = one_line(sentence.text)
        if is_quoted(summary):
            before, after = (_neighbor(summary, sentence, step) for step in (-1, 1))
            origin = citation_of(summary, sentence).text
            yield Support(text, origin, before, after, opening=opening_of(sentence))
            continue
        strongest = sentence.pages[0]
        origin = (
            f"{page_name(summary, summary.pages[strongest.page])} {100 * strongest.confidence:.0f}%"
        )
        found = []
        for source in sentence.evidence or ():
            page = page_name(summary, summary.pages[source.page], source.pdf_pages)
            other = (
                ""
                if source.page == page_of(sentence) or sentence.source
                else ", not the strongest part"
            )
            found.append(
                (one_line(source.text), f"{page}{other}; covers {100 * source.support:.0f}%")
            )
        yield Support(text, origin, is_missing=sentence.supported is False, sentences=tuple(found))


def evidence_view(summary: Summary, *, whole: bool = False) -> RenderableType:
    """Each sentence of the summary: a quote between its neighbors, another one above what supports
    it.

    Of a long summary, they are cut at the end of the line unless they are to be drawn ``whole``.
    """
    is_cut = len(summary.sentences) > WHOLE and not whole

    def dim(text: str) -> Text:
        return Text(text, "dim", no_wrap=is_cut, overflow="ellipsis" if is_cut else None)

    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold")
    for number, support in enumerate(support_of(summary), start=1):
        lines = [dim(f"↑ {with_reason(support.before)}")] if support.before else []
        lines.append(
            Text.assemble((support.opening, "dim"), support.text, (f" [{support.origin}]", "dim"))
        )
        lines += [dim(f"↓ {with_reason(support.after)}")] if support.after else []
        lines += [Text(f"✗ {NOT_SUPPORTED}", "bold red")] if support.is_missing else []
        lines += [dim(f"→ {text} [{origin}]") for text, origin in support.sentences]
        table.add_row(str(number), Group(*lines, Text()))
    return Group(Text("evidence in the document", "dim"), table)


def with_reason(neighbor: str) -> str:
    """A neighbor of a quote, with the reason for which its words keep it from being quoted, if
    there is one.
    """
    cue = next(cues_of(View(neighbor)), None)
    return neighbor if cue is None else f"{neighbor} (not quoted: {cue.name}. {cue.reason})"


def has_evidence(summary: Summary) -> bool:
    """Whether it is known what supports the sentences."""
    if is_quoted(summary):
        return any(
            sentence.source and sentence.source.before is not None for sentence in summary.sentences
        )
    return any(sentence.evidence is not None for sentence in summary.sentences)


def _neighbor(summary: Summary, sentence: SummarySentence, step: int) -> str:
    """The sentence before (``step`` -1) or after (1) a quote, unless it is quoted itself."""
    source = sentence.source
    if source is None:
        return ""
    text = (source.before if step < 0 else source.after) or ""
    quotes = [
        quote.source
        for quote in summary.sentences
        if quote.source and quote.source.file == source.file
    ]
    is_quoted_too = any(
        (one.page, one.sentence) == (source.page, source.sentence + step)
        or 0
        <= (source.start - one.end if step < 0 else one.start - source.end)
        <= max(len(GAP), len(text) - 1)
        for one in quotes
    )
    return "" if is_quoted_too else one_line(text)
