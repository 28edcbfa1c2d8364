"""Clauses that are no law any more: those that a note behind them annuls, or contradicts
(English).
"""

from collections.abc import Sequence

from ..documents.model import Sentence
from ..text.tables import patterns

MAX_CLAUSE = 20  # sentences of a section that a note behind it annuls

_FORMS = patterns(__file__, "annulled.toml")


def annulled_in(sentences: Sequence[Sentence]) -> frozenset[int]:
    """The numbers of the sentences of a page that are annulled by a note: all of the section
    before it, or the sentence before it.
    """
    found: set[int] = set()
    for number, one in enumerate(sentences):
        if _FORMS["whole"].match(one.printed):
            found.update(_section_before(sentences, number))
        elif _FORMS["note"].match(one.printed) and _FORMS["against"].search(one.printed):
            found.update(_one_before(sentences, number))
    return frozenset(found)


def _one_before(sentences: Sequence[Sentence], number: int) -> range:
    """The sentence that a note is behind, in its paragraph."""
    is_behind = number > 0 and 0 <= sentences[number].start - sentences[number - 1].end <= 1
    return range(number - is_behind, number)


def _section_before(sentences: Sequence[Sentence], number: int) -> range:
    """The sentences of the section that a note is behind: back to its number, or its heading."""
    heading = sentences[number].heading
    first = number
    while first > max(number - MAX_CLAUSE, 0):
        before = sentences[first - 1]
        if before.is_heading or before.heading != heading:
            break
        first -= 1
        if _FORMS["begins"].match(before.printed):
            break
    return range(first, number)
