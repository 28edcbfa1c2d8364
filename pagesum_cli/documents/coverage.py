"""How much of some documents was read, and what was left out."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .model import Document, LeftOut, Section

SKIPPED = "skipped section"  # of a document's sections, those that are not read
UNREAD = "beyond the last part"  # words that no page holds

DOUBTFUL = (
    *("back matter", "front matter", "contents", "notice", "affiliation", "caption", "footnote"),
    *("running head", "repeated page", "turned text"),
)
"""Reasons for which text of the document itself may have been left out: layout and wording alone
tell them, and they are no tables, no references, and nothing that the user chose.
"""
DOUBTFUL_SHARE = 0.25  # share of a document's words left out for one of them that needs a warning
DOUBTFUL_WORDS = 300  # fewer words need none


@dataclass(frozen=True)
class LeftOutText:
    """What was left out for one reason."""

    what: str  # the reason, see :class:`.model.LeftOut`
    words: int
    pdf_pages: tuple[int, ...] = ()  # PDF pages on which it stands


@dataclass(frozen=True)
class Coverage:
    """How much of some documents was read."""

    # PDF pages of which text was read, and all of them; 0 and 0 where there are none
    pdf_pages: tuple[int, int]
    words: tuple[int, int]  # words that were read, and all of them
    left_out: tuple[LeftOutText, ...] = ()  # what makes the difference, the most words first

    @property
    def doubtful(self) -> tuple[LeftOutText, ...]:
        """What was left out that is so much of the documents that it may be their text."""
        fewest = max(DOUBTFUL_SHARE * self.words[1], DOUBTFUL_WORDS)
        return tuple(one for one in self.left_out if one.what in DOUBTFUL and one.words >= fewest)


def coverage_of(
    documents: Sequence[Document], unread_words: int = 0, left_out: Sequence[LeftOut] = ()
) -> Coverage:
    """How much of some documents was read, of which ``unread_words`` are on no page, and some text
    was ``left_out`` besides what each document leaves out.
    """
    skipped = sum(_words(one.sections[number]) for one in documents for number in one.skipped)
    pieces = [
        LeftOutText(UNREAD, unread_words),
        LeftOutText(SKIPPED, skipped),
        *map(_described, left_out),
        *(_described(piece) for one in documents for piece in one.left_out),
    ]
    text = sum(_words(section) for one in documents for section in one.sections)
    read = text - skipped - unread_words - sum(piece.words for piece in left_out)
    pages = sum(len(_read_pages(one)) for one in documents), sum(map(_page_count, documents))
    found = _by_reason(pieces)
    return Coverage(pages, (read, read + sum(piece.words for piece in found)), found)


def joined(coverages: Sequence[Coverage]) -> Coverage:
    """The coverage of several documents, from that of each."""
    pages, words = (
        (sum(read for read, _ in pairs), sum(every for _, every in pairs))
        for pairs in ([one.pdf_pages for one in coverages], [one.words for one in coverages])
    )
    return Coverage(pages, words, _by_reason(piece for one in coverages for piece in one.left_out))


def _by_reason(pieces: Iterable[LeftOutText]) -> tuple[LeftOutText, ...]:
    """What was left out for each reason, the most words first."""
    words: Counter[str] = Counter()
    pages: defaultdict[str, set[int]] = defaultdict(set)
    for piece in pieces:
        words[piece.what] += piece.words
        pages[piece.what].update(piece.pdf_pages)
    return tuple(
        LeftOutText(what, count, tuple(sorted(pages[what])))
        for what, count in words.most_common()
        if count
    )


def _described(piece: LeftOut) -> LeftOutText:
    return LeftOutText(piece.reason, piece.words, piece.pdf_pages)


def _words(section: Section) -> int:
    return sum(len(part.split()) for part in section.parts)


def _read_pages(document: Document) -> set[int]:
    return {page for section, _ in document.read_sections for page in section.pdf_pages}


def _page_count(document: Document) -> int:
    """The number of a PDF's pages, or of those that are known to have text; 0 for another file."""
    seen = {page for section in document.sections for page in section.pdf_pages}
    seen |= {page for piece in document.left_out for page in piece.pdf_pages}
    return max(len(document.page_labels), len(seen))
