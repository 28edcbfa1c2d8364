"""The text of a document as HTML, with its quotes, PDF pages and parts marked."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from ...summary.summary import SummaryPage
from ..plain import one_line, printable
from .marks import Block, Marks, Quote

TOP_HEADING = 3
"""The HTML level of a document's highest headings; above it are the page's title and the document's."""

BAR_WIDTH = 40
"""Width of the largest part's bar, in pixels; see ``style.css``."""


@dataclass
class TextWriter:
    """Writes the text of one document.

    Attributes:
        marks: The document and what is marked in it.
        link: Address of the document's file, relative to the page; empty if it has none.
        shares: The parts' shares as text, by number.
        largest: The largest share of a part, for the bars.
    """

    marks: Marks
    link: str
    shares: Sequence[str]
    largest: float
    _shown_page: int = field(default=0, init=False)
    _quote: Quote | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        marks = self.marks
        self._part_starts = [part.start for part in marks.parts]
        self._part_ends = [_after_spaces(marks.document.text, part.end) for part in marks.parts]
        self._quote_starts = [quote.start for quote in marks.quotes]
        spans = [*((part.start, part.end) for part in marks.parts), *((one.start, one.end) for one in marks.quotes)]
        page_starts = [offset for block in marks.blocks for offset, _ in block.page_starts]
        self._cuts = sorted({*(offset for span in spans for offset in span), *page_starts})

    def blocks(self) -> Iterator[str]:
        """Headings and paragraphs in order, with the marks of parts and pages."""
        for block in self.marks.blocks:
            part = self._part_at(block.start)
            yield from self._part_mark(part, block.start)
            number = "" if part is None else f' data-p="{part.page}"'
            if block.level:
                level = min(TOP_HEADING + block.level - 1, 6)
                yield f"<h{level}{number}>{self._marked(block)}</h{level}>"
            else:
                cut_off = ' class="unread"' if part is None and self.marks.parts else ""
                yield f"<p{number}{cut_off}>{self._marked(block)}</p>"

    @property
    def unread_words(self) -> int:
        """Number of words of paragraphs that no part holds, 0 if the parts' places are unknown."""
        text, parts = self.marks.document.text, self.marks.parts
        blocks = [block for block in self.marks.blocks if not block.level] if parts else []
        pieces = (piece for block in blocks for piece in self._pieces(block.start, block.end))
        return sum(len(text[start:end].split()) for start, end in pieces if self._part_at(start) is None)

    def _marked(self, block: Block) -> str:
        """The text of a block; pieces of other parts than the first piece's are wrapped with their number."""
        pages = dict(block.page_starts)
        first = self._part_at(block.start)
        written = []
        for start, end in self._pieces(block.start, block.end):
            if start in pages:
                written.append(self._page_mark(pages[start]))
            part = self._part_at(start)
            if start > block.start:
                written += self._part_mark(part, start)
            piece = escape(printable(self.marks.document.text[start:end]), quote=False)
            if quote := self._quote_at(start):
                piece = _quoted(piece, quote, begins=quote is not self._quote)
                self._quote = quote
            if part is not first and piece.strip():
                kind = ' class="unread"' if part is None else f' data-p="{part.page}"'
                piece = f"<span{kind}>{piece}</span>"
            written.append(piece)
        return "".join(written)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Spans between which a mark begins or ends."""
        inside = self._cuts[bisect_right(self._cuts, start) : bisect_left(self._cuts, end)]
        yield from zip([start, *inside], [*inside, end], strict=True)

    def _part_at(self, offset: int) -> SummaryPage | None:
        """The part that holds the character; spaces between parts belong to the part before them."""
        index = bisect_right(self._part_starts, offset) - 1
        return self.marks.parts[index] if index >= 0 and offset < self._part_ends[index] else None

    def _quote_at(self, offset: int) -> Quote | None:
        index = bisect_right(self._quote_starts, offset) - 1
        quote = self.marks.quotes[index] if index >= 0 else None
        return quote if quote and offset < quote.end else None

    def _part_mark(self, part: SummaryPage | None, offset: int) -> Iterator[str]:
        """The part's share as a small bar, where the part begins; a single part needs none."""
        if part is None or part.start != offset:
            return
        targets = "".join(f'<i id="q{number + 1}"></i>' for number in self.marks.leading.get(part.page, ()))
        if len(self.shares) == 1:
            yield targets
            return
        share = self.shares[part.page]
        label = f"Part {part.page + 1}, {one_line(part.label)}: {share} of the summary"
        width = max(BAR_WIDTH * part.confidence / self.largest, 1) if part.confidence else 0
        yield (
            f'<span class="part" id="p{part.page}" role="img" aria-label="{escape(label)}">{targets}'
            f'<svg><path d="M0 0h{width:.0f}"/></svg><b>{escape(share)}</b></span>'
        )

    def _page_mark(self, page: int) -> str:
        """The number of a PDF page where it begins; nothing if it was shown already."""
        if page == self._shown_page:
            return ""
        self._shown_page = page
        if self.link:
            return f'<a class="pg" href="{escape(self.link)}#page={page}">p. {page}</a>'
        return f'<span class="pg">p. {page}</span>'


def _after_spaces(text: str, offset: int) -> int:
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _quoted(piece: str, quote: Quote, *, begins: bool) -> str:
    """A piece of a quote, as a link back to its sentence; its first piece is the target of that sentence's link."""
    numbers = " ".join(str(number + 1) for number in quote.sentences)
    link = f'class="q" href="#s{quote.sentences[0] + 1}" data-s="{numbers}"'
    if not begins:
        return f'<a {link} tabindex="-1">{piece}</a>'
    targets = [f"q{number + 1}" for number in quote.targets]
    own = f' id="{targets[0]}"' if targets else ""
    more = "".join(f'<i id="{other}"></i>' for other in targets[1:])
    return f'<a {link}{own}>{more}<sup aria-hidden="true">{numbers}</sup>{piece}</a>'
