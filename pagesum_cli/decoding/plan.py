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

PART, ENOUGH, SHARE = 0.4, 160, 0.06
"""How much of a document is said, unless more is asked for: ``SHARE`` of its tokens, or up to ``ENOUGH`` tokens, but
then no more than ``PART`` of a short one."""


def can_be_said(sentence: Sequence[int], ends: Container[int] = ()) -> bool:
    """Whether a sentence says something alone: neither a stub nor a list, and closed by one of ``ends``, if any."""
    return SHORTEST <= len(sentence) <= LONGEST and (not ends or sentence[-1] in ends)


@dataclass(frozen=True)
class Pointing:
    """Tokens by which a sentence points to the one before it, without which it misleads.

    Attributes:
        words: such a beginning alone: "They …".
        this: such a beginning before one of ``verbs``: "This is …", but not "This paper …".
        verbs: see ``this``.
    """

    words: Container[int] = ()
    this: Container[int] = ()
    verbs: Container[int] = ()

    def begins(self, sentence: Sequence[int]) -> bool:
        """Whether a sentence begins so."""
        first, second, *_ = (*sentence, None, None)
        return first in self.words or (first in self.this and second in self.verbs)


def choose_sentences(
    salience: Sequence[float],
    sentences: Sequence[Sequence[int]],
    room: int,
    *,
    least: int = 0,
    scale: float = 1.0,
    parts: Sequence[int] | None = None,
    ends: Container[int] = (),
    pointing: Pointing = Pointing(),
    count: int = 1 << 30,
) -> list[int]:
    """The most salient sentences that fit, none like another.

    Args:
        salience: of each sentence.
        sentences: their token ids.
        room: tokens that all of them may have at most, one before each of them included.
        least: how many may be said whatever the document's length.
        scale: how much longer than usual the summary is to be.
        parts: of a cluster, which document each sentence is from.
        ends: tokens that close a sentence; see :func:`can_be_said`.
        pointing: a sentence that begins so is chosen only if the one before it is.
        count: sentences at most.

    Returns:
        Their numbers, in order; at least one, even if none fits.
    """
    sizes = [len(sentence) + 1 for sentence in sentences]
    total = sum(sizes)
    usual = scale * max(SHARE * total, min(ENOUGH, PART * total))
    room = min(room, max(int(usual), max(sizes, default=0), least))
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
        if sizes[number] > room or len(chosen) == count:
            if chosen:
                break
            continue
        room -= sizes[number]
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
