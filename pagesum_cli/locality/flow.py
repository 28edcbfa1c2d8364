"""Runs of sentences → pages. What all localities share."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ..documents.document import Document, Section, Sentence
from ..documents.sentences import sentences_of
from .page import Page, TokenCounter

LABEL_LENGTH = 80


@dataclass(frozen=True)
class PageSize:
    """How much a page holds.

    Attributes:
        tokens: at most, special tokens included.
        special: how many of them are special tokens.
        count: counts the tokens of texts.
    """

    tokens: int
    special: int
    count: TokenCounter

    @property
    def room(self) -> int:
        """Tokens for text."""
        return self.tokens - self.special


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence (or a part of one) that is not cut any further.

    Attributes:
        sentence: its text and where it stood.
        tokens: of the sentence.
        heading: of its section; repeated on a page that begins with this item. Empty: none.
        heading_tokens: of the heading.
        opens: whether it is the first of its section, so that the heading stands right before it.
    """

    sentence: Sentence
    tokens: int
    heading: str = ""
    heading_tokens: int = 0
    opens: bool = False

    @property
    def words(self) -> int:
        """Words of the document that are read with this item."""
        return len(self.sentence.text.split()) + (len(self.heading.split()) if self.opens else 0)


@dataclass(frozen=True)
class Unit:
    """What wants a page of its own, and gets more where it is longer.

    Attributes:
        label: what to call it; empty where the place in the document says it (``p. 3–5``).
        source: the document's name.
        items: in order, at least one; no sentence above half a page, no heading above a quarter.
    """

    label: str
    source: str
    items: Sequence[Item]


def items_of(sentences: Sequence[Sentence], size: PageSize) -> list[Item]:
    """The sentences with their tokens; one longer than half a page is parted at words, a word at characters."""
    most = size.room // 2
    items: list[Item] = []
    for sentence, tokens in zip(sentences, size.count([sentence.text for sentence in sentences]), strict=True):
        if tokens <= most:
            items.append(Item(sentence, tokens))
        else:
            parts = list(_part(sentence.text, most, size))
            items += (
                Item(replace(sentence, text=text), number)
                for text, number in zip(parts, size.count(parts), strict=True)
            )
    return items


def everything(document: Document) -> list[Sentence]:
    """All that a document says, as sentences in order; a heading is a sentence."""
    return [sentence for section in document.sections for sentence in (*heading_of(section), *sentences_of(section))]


def heading_of(section: Section) -> list[Sentence]:
    """The heading as a sentence, where there is one."""
    return [Sentence(section.heading, section.pdf_pages[:1], section.heading)] if section.heading else []


def words_in(sentences: Sequence[Sentence]) -> int:
    """How many words the sentences have."""
    return sum(len(sentence.text.split()) for sentence in sentences)


def pages_of(unit: Unit, size: PageSize) -> list[tuple[Page, int]]:
    """The unit on as few pages as hold it, about equally long, and the words that each page takes from the document.

    A page begins with the heading of its first sentence; a heading is never the last thing on a page.
    """
    first = unit.items[0]
    costs = [item.tokens + item.opens * item.heading_tokens for item in unit.items]
    costs[0] = first.tokens
    if sum(costs) + first.heading_tokens <= size.room:
        ends = [len(costs)]
    else:
        ends = balance(costs, size.room - max(item.heading_tokens for item in unit.items))
    runs = [unit.items[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    labels = [numbered(unit.label, number, len(runs)) for number in range(1, len(runs) + 1)]
    return [
        (page_of(label, unit.source, run, size), sum(item.words for item in run))
        for label, run in zip(labels, runs, strict=True)
    ]


def first_page_of(unit: Unit, size: PageSize) -> tuple[Page, int]:
    """The unit on one page, which says how many words did not fit; and the words that are on it."""
    costs = [item.tokens + item.opens * item.heading_tokens for item in unit.items]
    costs[0] = unit.items[0].tokens + unit.items[0].heading_tokens
    fitting = bisect_right(list(accumulate(costs)), size.room)
    page = page_of(unit.label, unit.source, unit.items[:fitting], size)
    left_out = sum(item.words for item in unit.items[fitting:])
    return replace(page, truncated_words=left_out), sum(item.words for item in unit.items[:fitting])


def page_of(label: str, source: str, items: Sequence[Item], size: PageSize) -> Page:
    """A page of these items under the heading of the first, with the headings of later sections between them."""
    first = items[0]
    sentences: list[Sentence] = []
    tokens = size.special + first.heading_tokens
    for item in items:
        if item.opens and item.heading and item is not first:
            sentences.append(Sentence(item.heading, item.sentence.pdf_pages[:1], item.heading))
            tokens += item.heading_tokens
        sentences.append(item.sentence)
        tokens += item.tokens
    return Page(label, source, first.heading, tuple(sentences), tokens)


def balance(tokens: Sequence[int], room: int) -> list[int]:
    """Where to end each run, so that the runs are as few as ``room`` allows, and about equally long.

    Every run ends as near as it can to an equal share of what is left. Takes linear time.

    Args:
        tokens: of each item, in order; none above ``room``.
        room: tokens that a run holds.

    Returns:
        The index behind the last item of each run; the last one is ``len(tokens)``.
    """
    total = [0, *accumulate(tokens)]
    # starts[k]: the first item from which the rest fits into k runs, found by filling runs from the back.
    starts = [len(tokens)]
    while starts[-1] > 0:
        starts.append(bisect_left(total, total[starts[-1]] - room))
    ends: list[int] = []
    start = 0
    for left in range(len(starts) - 1, 0, -1):
        first, last = max(starts[left - 1], start + 1), bisect_right(total, total[start] + room) - 1
        ideal = total[start] + (total[-1] - total[start]) / left
        above = bisect_left(total, ideal, first, last)
        start = above - 1 if above > first and ideal - total[above - 1] <= total[above] - ideal else above
        ends.append(start)
    return ends


def short_label(label: str, length: int = LABEL_LENGTH) -> str:
    """The label, cut after a word where it is long."""
    if len(label) <= length:
        return label
    return f"{label[:length].rpartition(' ')[0] or label[:length]}…"


def numbered(label: str, number: int, of: int) -> str:
    """``Methods (2/3)``; just ``Methods`` where there is one page only."""
    return f"{label} ({number}/{of})" if of > 1 else label


def _part(text: str, most: int, size: PageSize) -> Iterator[str]:
    """A text in parts of at most ``most`` tokens."""
    words = text.split()
    pieces = [
        piece
        for word, tokens in zip(words, size.count(words), strict=True)
        for piece in ([(word, tokens)] if tokens <= most else _part_word(word, most, size))
    ]
    start = 0
    for end in balance([tokens for _, tokens in pieces], most):
        yield " ".join(piece for piece, _ in pieces[start:end])
        start = end


def _part_word(word: str, most: int, size: PageSize) -> list[tuple[str, int]]:
    """A word in halves, halved again where they are too long still."""
    fitting: list[tuple[int, str, int]] = []
    waiting = [(0, word)]
    while waiting:
        halves = [
            half
            for at, text in waiting
            for half in ((at, text[: len(text) // 2]), (at + len(text) // 2, text[len(text) // 2 :]))
        ]
        waiting = []
        for (at, text), tokens in zip(halves, size.count([text for _, text in halves]), strict=True):
            if tokens <= most:
                fitting.append((at, text, tokens))
            else:
                waiting.append((at, text))
    return [(text, tokens) for _, text, tokens in sorted(fitting)]
