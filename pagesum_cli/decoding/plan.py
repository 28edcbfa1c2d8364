"""Which sentences of a document a summary is to say, by how salient each is alone. Knows no model."""

from collections.abc import Container, Sequence
from itertools import pairwise

SHORTEST, LONGEST = 8, 100
"""Tokens of a sentence that can be chosen: shorter ones say nothing alone, longer ones are mostly lists and tables."""

ALIKE = 0.4
"""A sentence is left out where so much of its pairs of tokens was chosen before."""

PART = 0.4
"""Of a short document at most, unless more is asked for."""


def can_be_said(sentence: Sequence[int], ends: Container[int] = ()) -> bool:
    """Whether a sentence says something alone: neither a stub nor a list, and closed by one of ``ends``, if any."""
    is_closed = not ends or any(token in ends for token in sentence[-2:])  # a quotation mark may follow
    return is_closed and SHORTEST <= len(sentence) <= LONGEST


def choose_sentences(
    salience: Sequence[float],
    sentences: Sequence[Sequence[int]],
    room: int,
    *,
    least: int = 0,
    ends: Container[int] = (),
    count: int = 1 << 30,
) -> list[int]:
    """The most salient sentences that fit, none like another.

    Args:
        salience: of each sentence.
        sentences: their token ids.
        room: tokens that all of them may have at most, one before each of them included.
        least: how many may be more than ``PART`` of the document's.
        ends: tokens that close a sentence; see :func:`can_be_said`.

        count: sentences at most.

    Returns:
        Their numbers, in order; none only if no sentence fits at all.
    """
    sizes = [len(sentence) + 1 for sentence in sentences]
    room = min(room, max(int(PART * sum(sizes)), max(sizes, default=0), least))
    chosen: list[int] = []
    said: set[tuple[int, int]] = set()
    for number in sorted(range(len(sentences)), key=lambda number: -salience[number]):
        sentence = sentences[number]
        if not can_be_said(sentence, ends):
            continue
        pairs = set(pairwise(sentence))
        if len(pairs & said) > ALIKE * len(pairs):
            continue
        if sizes[number] > room or len(chosen) == count:
            break
        room -= sizes[number]
        chosen.append(number)
        said |= pairs
    return sorted(chosen)
