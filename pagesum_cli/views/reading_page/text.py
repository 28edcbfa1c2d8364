"""The text of a document as HTML, with its quotes, PDF pages and parts marked."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from html import escape
from typing import TypeVar

from ...summary.summary import Summary, SummaryPage
from ..plain import one_line, printable
from ..tables import pdf_range, percents
from .marks import Block, Marks, Quote

# the HTML level of a document's highest headings; above it are the page's title and the document's
TOP_HEADING = 3
BAR_WIDTH = 40  # width of the largest part's bar, in pixels; see ``style.css``

_Span = TypeVar("_Span", SummaryPage, Quote)


class TextWriter:
    """Writes the text of one document with its marks."""

    def __init__(self, marks: Marks, summary: Summary) -> None:
        # so far, of paragraphs that no part holds; stays 0 if the offsets of parts are unknown
        self.unread_words = 0
        self.marks = marks
        self.shares = percents([page.confidence for page in summary.pages])
        self.largest = max(page.confidence for page in summary.pages) or 1
        self._shown_page = 0
        self._quote: Quote | None = None
        page_starts = {offset for block in marks.blocks for offset, _ in block.page_starts}
        spans = [(span.start, span.end) for spans in (marks.parts, marks.quotes) for span in spans]
        self._cuts = sorted(page_starts.union(*spans))

    def blocks(self) -> Iterator[str]:
        """Headings and paragraphs in order, with the marks of parts and pages."""
        for block in self.marks.blocks:
            part = _span_at(self.marks.parts, block.start)
            mark = self._part_mark(part, block.start)
            attribute = "" if part is None else f' data-p="{part.page}"'
            if part is None and self.marks.parts and not block.level:
                attribute = ' class="unread"'
            tag = f"h{min(TOP_HEADING + block.level - 1, 6)}" if block.level else "p"
            yield f"{mark}<{tag}{attribute}>{self._marked(block)}</{tag}>"

    def _marked(self, block: Block) -> str:
        """The text of a block; pieces of other parts than the first piece's are wrapped with their
        number.
        """
        pages = dict(block.page_starts)
        first = _span_at(self.marks.parts, block.start)
        written = []
        cuts = self._cuts[
            bisect_right(self._cuts, block.start) : bisect_left(self._cuts, block.end)
        ]
        for start, end in zip([block.start, *cuts], [*cuts, block.end], strict=True):
            if start in pages:
                written.append(self._page_mark(pages[start]))
            part = _span_at(self.marks.parts, start)
            if start > block.start:
                written.append(self._part_mark(part, start))
            text = self.marks.document.text[start:end]
            if part is None and self.marks.parts and not block.level:
                self.unread_words += len(text.split())
            piece = escape(printable(text), quote=False)
            if quote := _span_at(self.marks.quotes, start):
                piece = _quoted(piece, quote, begins=quote is not self._quote)
                self._quote = quote
            if part is not first and piece.strip():
                kind = ' class="unread"' if part is None else f' data-p="{part.page}"'
                piece = f"<span{kind}>{piece}</span>"
            written.append(piece)
        return "".join(written)

    def _part_mark(self, part: SummaryPage | None, offset: int) -> str:
        """The part's share as a small bar, where the part begins; a single part needs none."""
        if part is None or part.start != offset:
            return ""
        targets = "".join(
            f'<i id="q{number + 1}"></i>' for number in self.marks.leading.get(part.page, ())
        )
        if len(self.shares) == 1:
            return targets
        share = self.shares[part.page]
        label = f"Part {part.page + 1}, {one_line(part.label)}: {share} of the summary"
        width = max(BAR_WIDTH * part.confidence / self.largest, 1) if part.confidence else 0
        return (
            f'<span class="part" id="p{part.page}" role="img" '
            f'aria-label="{escape(label)}">{targets}'
            f'<svg><path d="M0 0h{width:.0f}"/></svg><b>{escape(share)}</b></span>'
        )

    def _page_mark(self, page: int) -> str:
        """The number of a PDF page where it begins; nothing if it was shown already."""
        if page == self._shown_page:
            return ""
        self._shown_page = page
        name = escape(printable(pdf_range([page], self.marks.document.labels)))
        if self.marks.link:
            return f'<a class="pg" href="{escape(self.marks.link)}#page={page}">{name}</a>'
        return f'<span class="pg">{name}</span>'


def _span_at(spans: Sequence[_Span], offset: int) -> _Span | None:
    """Which of several disjoint spans in order holds a character."""
    index = bisect_right(spans, offset, key=lambda span: span.start) - 1
    return spans[index] if index >= 0 and offset < spans[index].end else None


def _quoted(piece: str, quote: Quote, *, begins: bool) -> str:
    """A piece of a quote, as a link back to its sentence; its first piece is the target of that
    sentence's link.
    """
    numbers = " ".join(str(number + 1) for number in quote.sentences)
    link = f'class="q" href="#s{quote.sentences[0] + 1}" data-s="{numbers}"'
    if not begins:
        return f'<a {link} tabindex="-1">{piece}</a>'
    targets = [f"q{number + 1}" for number in quote.targets]
    own = f' id="{targets[0]}"' if targets else ""
    more = "".join(f'<i id="{target}"></i>' for target in targets[1:])
    return f'<a {link}{own}>{more}<sup aria-hidden="true">{numbers}</sup>{piece}</a>'
