"""The pages that a document is cut into, and runs of sentences → pages: what all localities
share.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Protocol

from ..documents.model import GAP, Section, Sentence
from ..documents.sentences import heading_of, sentences_of

TokenCounter = Callable[[Sequence[str]], list[int]]
"""Counts the tokens of each text, special tokens not included. Counts add up over texts joined by a
space.
"""


class Tokens(Protocol):
    """What pagination needs to know of a tokenizer.

    Attributes:
        special_tokens: Number of tokens of a page that are not text.
        title_tokens: Maximum number of tokens of the document's title on each page.
    """

    @property
    def special_tokens(self) -> int: ...

    @property
    def title_tokens(self) -> int: ...

    def pieces(self, text: str) -> tuple[list[str], list[int]]:
        """Split a text into one piece a token, which joined are the text, and their ids."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """See :data:`TokenCounter`."""
        ...


@dataclass(frozen=True)
class Page:
    """What the encoder reads at one go."""

    # what to call it: ``2 Methods``, ``2 Methods (2/3)``, ``sentences 1–40``, a file's name
    label: str
    source: str  # the name of the document that it was cut from
    heading: str  # comes before the sentences in ``text``; empty where there is none
    sentences: tuple[Sentence, ...]  # in reading order
    tokens: int  # how many the page has for the model, special tokens included
    truncated_words: int = 0  # words that belong to this page and were left out of it
    # of its document, cut where it is long; empty unless the model reads it on every page
    title: str = ""
    # its text exactly as a data set gives it, where that is not heading and sentences
    given: str | None = None
    # its tokens, without special tokens, where it was cut between tokens
    ids: tuple[int, ...] | None = None

    @property
    def text(self) -> str:
        """What the model reads: heading and sentences, a space between two."""
        if self.given is not None:
            return self.given
        return " ".join(
            part
            for part in (self.heading, *(sentence.printed for sentence in self.sentences))
            if part
        )

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages of the page's sentences, in order."""
        return tuple(
            dict.fromkeys(page for sentence in self.sentences for page in sentence.pdf_pages)
        )


@dataclass(frozen=True)
class Pages:
    """A document (or a cluster of them) cut into pages."""

    # ``spatial``, ``discourse`` or ``document``: the principle that was used (never ``auto``)
    locality: str
    pages: tuple[Page, ...]  # in reading order, at least one
    dropped_words: int = 0  # words on pages beyond the maximum number, which are not read
    known: str = ""  # text that the reader knows, and that the summary does not repeat
    is_chosen: bool = False  # whether it is not what ``auto`` gives: every page has its say

    @property
    def unread_words(self) -> int:
        """Words that no page holds."""
        return self.dropped_words + sum(page.truncated_words for page in self.pages)


LABEL_LENGTH = 80
_NOTE = re.compile(r"(?<=\S)\s*\[[^\[\]]{0,200}\]$")  # [Amended 4-26-2004 …]


@dataclass(frozen=True)
class PageSize:
    """How much a page holds."""

    tokens: int  # maximum number of tokens, special tokens included
    special: int  # how many of them are special tokens
    count: TokenCounter  # counts the tokens of texts

    @property
    def room(self) -> int:
        """Tokens for text."""
        return self.tokens - self.special


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence (or a part of one) that is not cut any further."""

    sentence: Sentence  # its text and where it stood
    tokens: int  # of the sentence
    heading: str = ""  # of its section; repeated on a page that begins with this item. Empty: none
    heading_tokens: int = 0  # of the heading
    # whether it is the first of its section, so that the heading comes directly before it
    opens: bool = False

    @property
    def cost(self) -> int:
        """Tokens of the sentence, and of the heading directly before it."""
        return self.tokens + self.opens * self.heading_tokens

    @property
    def words(self) -> int:
        """Words of the document that are read with this item."""
        return len(self.sentence.printed.split()) + (len(self.heading.split()) if self.opens else 0)


@dataclass(frozen=True)
class Unit:
    """What gets a page of its own, or several where it is longer."""

    label: str  # its label; empty for one by its place in the document (``p. 3–5``)
    source: str  # the document's name
    # in order, at least one; no sentence above half a page, no heading above a quarter
    items: Sequence[Item]


def items_of(sentences: Sequence[Sentence], size: PageSize) -> list[Item]:
    """The sentences with their tokens; one longer than half a page is parted at words, a word at
    characters, and no part is a quote of its own.
    """
    limit = size.room // 2
    items: list[Item] = []
    for sentence, tokens in zip(
        sentences, size.count([sentence.printed for sentence in sentences]), strict=True
    ):
        if tokens <= limit:
            items.append(Item(sentence, tokens))
        else:
            parts = [
                replace(
                    sentence,
                    text=sentence.text[a:b],
                    start=sentence.start + a,
                    end=sentence.start + b,
                    front="",
                    is_part=True,
                )
                for a, b in _parts(sentence.text, limit, size)
            ]
            parts[0] = replace(parts[0], front=sentence.front)
            items += map(Item, parts, size.count([part.printed for part in parts]))
    return items


def items_of_section(section: Section, start: int, size: PageSize) -> list[Item]:
    """The section's sentences under its heading; a heading without text, or of a quarter page, is
    itself a sentence.
    """
    items = items_of(sentences_of(section, start), size)
    heading_tokens = size.count([section.heading])[0]
    if not items or heading_tokens > size.room // 4:
        return [*items_of(heading_of(section, start), size), *items]
    return [
        replace(
            item, heading=section.heading, heading_tokens=heading_tokens, opens=item is items[0]
        )
        for item in items
    ]


def words_in(sentences: Sequence[Sentence]) -> int:
    """How many words the sentences have."""
    return sum(len(sentence.printed.split()) for sentence in sentences)


def pages_of(unit: Unit, size: PageSize) -> list[tuple[Page, int]]:
    """The unit on as few pages as hold it, about equally long, and the words that each page takes
    from the document.

    A page begins with the heading of its first sentence; a heading is never the last thing on a
    page.
    """
    first = unit.items[0]
    costs = [item.cost for item in unit.items]
    costs[0] = first.tokens
    if sum(costs) + first.heading_tokens <= size.room:
        ends = [len(costs)]
    else:
        repeated = max((item.heading_tokens for item in unit.items if not item.opens), default=0)
        costs[0] += max(first.heading_tokens - repeated, 0)
        ends = balance(costs, size.room - repeated)
    runs = [unit.items[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    pages = []
    for number, run in enumerate(runs, start=1):
        label = (
            f"{unit.label} ({number}/{len(runs)})" if unit.label and len(runs) > 1 else unit.label
        )
        pages.append((page_of(label, unit.source, run, size), sum(item.words for item in run)))
    return pages


def first_page_of(unit: Unit, size: PageSize) -> tuple[Page, int]:
    """The unit on one page, truncated; and the number of words that are on it."""
    costs = [item.cost for item in unit.items]
    costs[0] = unit.items[0].tokens + unit.items[0].heading_tokens
    fitting = bisect_right(list(accumulate(costs)), size.room)
    page = page_of(unit.label, unit.source, unit.items[:fitting], size)
    left_out = sum(item.words for item in unit.items[fitting:])
    return replace(page, truncated_words=left_out), sum(item.words for item in unit.items[:fitting])


def page_of(label: str, source: str, items: Sequence[Item], size: PageSize) -> Page:
    """A page of these items under the heading of the first, with the headings of later sections
    between them.
    """
    first = items[0]
    sentences: list[Sentence] = []
    tokens = size.special + first.heading_tokens
    for item in items:
        if item.opens and item.heading and item is not first:
            start = item.sentence.front_start - len(GAP) - len(item.heading)
            heading = Sentence(
                item.heading,
                item.sentence.pdf_pages[:1],
                item.heading,
                start,
                start + len(item.heading),
                is_heading=True,
                within=item.sentence.within,
            )
            sentences.append(heading)
            tokens += item.heading_tokens
        sentences.append(item.sentence)
        tokens += item.tokens
    return Page(label, source, first.heading, tuple(sentences), tokens)


def balance(tokens: Sequence[int], room: int) -> list[int]:
    """Where to end each run, so that the runs are as few as ``room`` allows, and about equally
    long.

    Every run ends as near as it can to an equal share of what is left. No item has more ``tokens``
    than ``room``. Returns the index after the last item of each run; the last one is
    ``len(tokens)``. Takes linear time.
    """
    total = [0, *accumulate(tokens)]
    # starts[k]: the first item from which the rest fits into k runs, computed by filling runs from
    # the end.
    starts = [len(tokens)]
    while starts[-1] > 0:
        starts.append(bisect_left(total, total[starts[-1]] - room))
    ends: list[int] = []
    start = 0
    for left in range(len(starts) - 1, 0, -1):
        first, last = max(starts[left - 1], start + 1), bisect_right(total, total[start] + room) - 1
        ideal = total[start] + (total[-1] - total[start]) / left
        above = bisect_left(total, ideal, first, last)
        start = (
            above - 1
            if above > first and ideal - total[above - 1] <= total[above] - ideal
            else above
        )
        ends.append(start)
    return ends


def short_label(label: str, length: int = LABEL_LENGTH) -> str:
    """The label; where it is long, without a note in brackets at its end, and cut after a word."""
    if len(label) <= length:
        return label
    label = _NOTE.sub("", label)
    if len(label) <= length:
        return label
    return f"{label[:length].rpartition(' ')[0] or label[:length]}…"


def _parts(text: str, limit: int, size: PageSize) -> Iterator[tuple[int, int]]:
    """Spans of a text that have at limit ``limit`` tokens each, cut at words."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    distinct = list(dict.fromkeys(text[start:end] for start, end in words))
    counts = dict(zip(distinct, size.count(distinct), strict=True))  # words come again and again
    pieces = [
        piece
        for start, end in words
        for piece in (
            [(start, end, counts[text[start:end]])]
            if counts[text[start:end]] <= limit
            else _parts_of_word(text, start, end, limit, size)
        )
    ]
    first = 0
    for last in balance([tokens for _, _, tokens in pieces], limit):
        yield pieces[first][0], pieces[last - 1][1]
        first = last


def _parts_of_word(
    text: str, start: int, end: int, limit: int, size: PageSize
) -> list[tuple[int, int, int]]:
    fitting: list[tuple[int, int, int]] = []
    waiting = [(start, end)]
    while waiting:
        halves = [half for a, b in waiting for half in ((a, (a + b) // 2), ((a + b) // 2, b))]
        waiting = []
        for (a, b), tokens in zip(halves, size.count([text[a:b] for a, b in halves]), strict=True):
            if tokens <= limit:
                fitting.append((a, b, tokens))
            else:
                waiting.append((a, b))
    return sorted(fitting)


def labelled(pages: Sequence[tuple[Page, int]], with_source: bool) -> list[tuple[Page, int]]:
    """Label pages that have no label by their place: ``p. 3–5`` in a PDF, ``sentences 1–40``
    elsewhere.
    """
    named: list[tuple[Page, int]] = []
    before, source = 0, ""
    for page, words in pages:
        before = before if page.source == source else 0
        sentences = sum(not sentence.is_heading for sentence in page.sentences)
        first, before, source = before + 1, before + sentences, page.source
        if not page.label:
            label = place_label(page, first, before)
            page = replace(page, label=f"{page.source}, {label}" if with_source else label)
        named.append((page, words))
    return named


def place_label(page: Page, first: int, last: int) -> str:
    """``p. 3–5``, or ``sentences 1–40`` where there are no PDF pages."""
    if page.pdf_pages:
        return f"p. {_range(page.pdf_pages[0], page.pdf_pages[-1])}"
    return f"sentence{'s' * (last > first)} {_range(first, last)}"


def _range(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else f"{first}"
