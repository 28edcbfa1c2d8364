"""Which sentences of a document a summary is to say, and how they may be said. Knows no model."""

import heapq
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

SHORTEST, LONGEST = 8, 100
"""Tokens of a sentence that can be chosen: shorter ones say nothing alone, longer ones are mostly lists and tables."""

ALIKE = 0.4
"""A sentence is left out where so much of its pairs of tokens was chosen before."""

CROWDED = 1.0
"""Each sentence of a document of a cluster makes its others so much less salient: the summary is of all documents."""

ELSEWHERE = 1.0
"""A sentence that leads away from the summary, to a figure or a table, is so much less salient."""

PART = 0.4
"""How much of a short document is said at most, unless more is asked for."""


def can_be_said(sentence: Sequence[int], ends: Container[int] = ()) -> bool:
    """Whether a sentence says something alone: neither a stub nor a list, and closed by one of ``ends``, if any."""
    return SHORTEST <= len(sentence) <= LONGEST and (not ends or sentence[-1] in ends)


@dataclass(frozen=True)
class Pointing:
    """Tokens by which a sentence points to what the summary may not show.

    It misleads without the sentence before it, to which it points by how it begins. It tells less without the figure,
    table or section to which it leads away.

    Attributes:
        words: such a beginning alone: "They …".
        this: such a beginning before one of ``verbs``: "This is …", but not "This paper …".
        verbs: see ``this``.
        before: what may stand before such a beginning: bullets.
        shown: what it can lead away to, behind ``this`` or before one of ``numbers``, a full stop between: "Fig. 1".
        numbers: see ``shown``.
    """

    words: Container[int] = ()
    this: Container[int] = ()
    verbs: Container[int] = ()
    before: Container[int] = ()
    shown: Container[int] = ()
    numbers: Container[int] = ()

    def begins(self, sentence: Sequence[int]) -> bool:
        """Whether a sentence begins so."""
        first, second, third, *_ = (*sentence, None, None, None)
        if first in self.before:
            first, second = second, third
        return first in self.words or (first in self.this and second in self.verbs)

    def leads_away(self, sentence: Sequence[int]) -> bool:
        """Whether a sentence tells of a figure, a table or a section."""
        padded = (None, *sentence, None, None)
        return any(
            token in self.shown and (before in self.this or next_ in self.numbers or next_but_one in self.numbers)
            for before, token, next_, next_but_one in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
        )


def choose_sentences(
    salience: Sequence[float],
    sentences: Sequence[Sequence[int]],
    room: int,
    *,
    usual: float = float("inf"),
    scale: float = 1.0,
    least: int = 0,
    parts: Sequence[int] | None = None,
    ends: Container[int] = (),
    pointing: Pointing = Pointing(),
    count: int = 1 << 30,
) -> list[int]:
    """The most salient sentences, none like another, that come nearest to the length that is wanted.

    Args:
        salience: of each sentence.
        sentences: their token ids.
        room: tokens that all of them may have at most, one before each of them included.
        usual: how many a summary of this document usually has.
        scale: how much longer than usual the summary is to be.
        least: how many are to be said whatever the document's length.
        parts: of a cluster, which document each sentence is from.
        ends: tokens that close a sentence; see :func:`can_be_said`.
        pointing: a sentence that begins so is chosen only if the one before it is; one that leads away counts less.
        count: sentences at most.

    Returns:
        Their numbers, in order; at least one, even if none fits.
    """
    sizes = [len(sentence) + 1 for sentence in sentences]
    away = [ELSEWHERE * pointing.leads_away(sentence) for sentence in sentences]
    salience = [rating - less for rating, less in zip(salience, away, strict=True)]
    wanted = scale * min(usual, PART * sum(sizes))
    length = 0
    numbers = range(len(sentences))
    chosen: list[int] = []
    said: set[tuple[int, int]] = set()
    heard: Counter[int] = Counter()
    fit = [number for number in numbers if can_be_said(sentences[number], ends)] or numbers
    queue = [(-salience[number], number) for number in fit]
    heapq.heapify(queue)
    while queue:
        rated, number = heapq.heappop(queue)
        part = parts[number] if parts else 0
        rating = CROWDED * heard[part] - salience[number]
        if rating > rated:  # its document has been heard since
            heapq.heappush(queue, (rating, number))
            continue
        pairs = set(pairwise(sentences[number]))
        if len(pairs & said) > ALIKE * len(pairs):
            continue
        if number and number - 1 not in chosen and pointing.begins(sentences[number]):
            continue
        is_enough = length >= least and length + sizes[number] / 2 > wanted
        if length + sizes[number] > room or len(chosen) == count or (chosen and is_enough):
            if chosen:
                break
            continue
        length += sizes[number]
        chosen.append(number)
        said |= pairs
        if parts:
            heard[part] += 1
    return sorted(chosen) or heapq.nlargest(1, numbers, key=salience.__getitem__)


def said(sentences: Sequence[Sequence[int]], first_number: int, end: int) -> list[int]:
    """The summary that says sentences whole and in order, each behind its number, then the end token.

    To leave words out would be shorter, but can make another fact of a sentence, or another substance of its name.

    Args:
        sentences: their token ids.
        first_number: the token that is the number of the first; the next tokens are the next numbers.
        end: the end token.
    """
    return [*(token for number, one in enumerate(sentences, first_number) for token in (number, *one)), end]
