"""What belongs to a motion in the sentences beside it: how much it costs, and on what condition."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from ..documents.model import Sentence
from .lines import content_of
from .motions import fits, matter_of
from .rules import is_said_by, is_speech, is_talk

REACH = 2  # sentences before a motion among which the sum is looked for
FOLLOWING = 4  # sentences after a motion among which its conditions are looked for
TERMS = 2  # sentences after a recommendation that are its terms
LONGEST_TERM = 80  # words of one of them
BARE = 5  # words of a sentence that only says how much something costs: "Total cost $75.00."

_ACRONYM = re.compile(r"\b[A-Z]{3,}\b")


def cost_before(
    sentences: Sequence[Sentence], number: int, is_free: Callable[[int], bool]
) -> list[int]:
    """The numbers of the sentences that say how much it costs what a motion is about: one of the
    same paragraph with a single sum; empty where the motion has a sum, and where it is not sure.

    Args:
        sentences: Those of the minutes.
        number: That of the motion.
        is_free: Whether a sentence is no part of another outcome.
    """
    motion = sentences[number].text
    is_other = not fits("motion", motion) or fits("puts_off", motion)
    if is_other or fits("sum", motion):
        return []
    before = _in_paragraph(sentences, number, -1, REACH, is_free)
    priced = next((one for one in before if fits("sum", sentences[one].text)), None)
    if priced is None or not _is_one_sum(sentences[priced].text):
        return []
    matter = content_of(" ".join([matter_of(motion), *_ACRONYM.findall(motion)]))
    named = list(_named_before(sentences, priced, is_free))
    is_same = any(_is_about(sentences[one], matter) for one in [*named, priced])
    return [*named, priced] if is_same else []


def _named_before(
    sentences: Sequence[Sentence], number: int, is_free: Callable[[int], bool]
) -> Iterator[int]:
    """The sentence before one that says how much something costs, but not what it is."""
    text = sentences[number].text
    names_nothing = len(text.split()) <= BARE or fits("pronoun", text)
    if names_nothing and fits("cost", text):
        yield from _in_paragraph(sentences, number, -1, 1, is_free)


def conditions_after(
    sentences: Sequence[Sentence], number: int, is_free: Callable[[int], bool]
) -> list[int]:
    """The numbers of the sentences in which the one who makes a motion says on what condition or
    for how much, before anybody seconds it.
    """
    following = _in_paragraph(sentences, number, 1, FOLLOWING, is_free)
    return [one for one in following if _is_condition(sentences[one].text)]


def terms_after(
    sentences: Sequence[Sentence], number: int, is_free: Callable[[int], bool]
) -> list[int]:
    """The numbers of the sentences right after a recommendation that say how much it costs, or how
    long it lasts: "The lease is for an amount of up to $500."
    """
    following = _in_paragraph(sentences, number, 1, TERMS, is_free)
    return list(takewhile(lambda one: _is_term(sentences[one].text), following))


def _is_term(text: str) -> bool:
    is_long = len(text.split()) > LONGEST_TERM
    has_term = fits("sum", text) or fits("lasts", text)
    return has_term and not (is_long or text.endswith("?") or is_talk(text))


def _in_paragraph(
    sentences: Sequence[Sentence],
    number: int,
    step: int,
    most: int,
    is_free: Callable[[int], bool],
) -> Iterator[int]:
    """The numbers of the sentences beside one in its paragraph, the nearest first, up to one that
    is a part of another outcome.
    """
    for _ in range(most):
        other = number + step
        if not 0 <= other < len(sentences) or not is_free(other):
            return
        first, second = sorted((number, other))
        if not 0 <= sentences[second].front_start - sentences[first].end <= 1:
            return
        yield other
        number = other


def _is_one_sum(text: str) -> bool:
    return fits("one_sum", text) and not (text.endswith("?") or is_speech(text))


def _is_about(sentence: Sentence, matter: frozenset[str]) -> bool:
    """Whether a sentence has a word of what is voted on."""
    return bool(content_of(sentence.printed) & matter)


def _is_condition(text: str) -> bool:
    is_talk = text.endswith("?") or is_said_by(text) or is_speech(text)
    return fits("condition", text) and not is_talk
