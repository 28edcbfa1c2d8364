"""What a sentence of minutes records, as a logistic regression decides by its words.

It finds forms for which no rule was written. ``tests/benchmarks/train_minutes.py`` fitted its
weights; ``assets/minutes/README.md`` says on what.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

from ..documents.model import Sentence

WEIGHTS = Path(__file__).parents[1] / "assets" / "minutes" / "weights.json"
RECORDS = "records"  # the name of the weights that decide whether anything is recorded
KINDS = ("decision", "vote", "action", "date")
SCALE = 100  # weights are in hundredths
LIKELY = 0.5  # log odds above which a sentence records something; see docs/experiments.md
MAX_WORDS = 60  # words of a sentence that count; of what stands around it, fewer
MAX_BEFORE, MAX_ABOVE = 25, 12
MIN_WORDS = 3  # of what records something

# an item of an agenda, whose words do not say what was done: "Discussion and possible action"
_AGENDA = re.compile(
    r"(?i)\W*(?:[\divx]{1,5}[.)]\s?)?"
    r"(?:discussion|consideration|presentation|report back|updates?"
    r"|To (?-i:Approve|Consider|Receive|Report|Note|Discuss|Confirm|Agree|Sign))\b"
)
_ASKED = re.compile(
    r"(?i)(?:(?! will | to )[^,;.]){0,60}?\b(?:asked|enquired|inquired|queried|wondered)\b"
    r"(?: \w+){0,4}? (?:what|whether|if|how|why|when|where|who|which)\b"
)
"""A question that somebody asked, which records nothing."""
_ADDRESS = re.compile(r"https?://\S+")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+|[^\w\s]")
_WITH_LETTERS = re.compile(r"[^\W\d_]{2,}")


def kind_of(text: str, heading: str, above: str, before: str) -> str:
    """The kind of what a sentence records: ``decision``, ``vote``, ``action`` or ``date``; empty
    for a note.

    Args:
        text: The sentence.
        heading: The heading of its section.
        above: The line that introduces the list in which it stands.
        before: The sentence or heading before it.
    """
    return decided(features(text, heading, above, before), weights()) if is_whole(text) else ""


def is_whole(text: str) -> bool:
    """Whether a sentence is and tells no question, is no item of an agenda and no line before a
    list, and has some words.
    """
    is_item = _AGENDA.match(text) is not None
    is_item = is_item or _ASKED.match(text) is not None
    has_words = len(_WITH_LETTERS.findall(text)) >= MIN_WORDS
    return has_words and not (is_item or text.endswith((":", "?")))


def decided(found: Collection[str], own: Mapping[str, Mapping[str, int]]) -> str:
    """The kind of what a sentence records by its features and some weights; see
    :func:`kind_of`.
    """
    if log_odds(found, own[RECORDS]) < LIKELY:
        return ""
    return max(KINDS, key=lambda kind: log_odds(found, own[kind]))


def around(sentences: Sequence[Sentence], number: int) -> tuple[str, str, str, str]:
    """A sentence among others with what stands around it, as :func:`kind_of` takes them."""
    one = sentences[number]
    above = one.lead_ins[-1].text if one.lead_ins else ""
    before = sentences[number - 1].text if number else ""
    heading = "" if _AGENDA.match(one.heading) else one.heading
    return one.printed, heading, above, before


def log_odds(found: Collection[str], own: Mapping[str, int]) -> float:
    """What the weights of one decision say about the features of a sentence."""
    total = sum(own.get(one, 0) for one in found)
    return (total / sqrt(max(len(found), 1)) + own[""]) / SCALE


@cache
def weights() -> dict[str, dict[str, int]]:
    """The weights of each decision by feature; the one without a name is always added."""
    loaded: dict[str, dict[str, int]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def features(text: str, heading: str, above: str, before: str) -> set[str]:
    """The features of a sentence: its words and their neighbours, the shapes of words, and the
    words around the sentence; see :func:`kind_of`.
    """
    words = _words(text)[:MAX_WORDS]
    found = set(_of_words(words))
    found.update(f"h {one}" for one in _lower(heading, MAX_ABOVE))
    found.update(f"a {one}" for one in _lower(above, MAX_ABOVE))
    found.update(f"p {one}" for one in _lower(before, MAX_BEFORE))
    found.add(f"n {len(words).bit_length()}")
    return found


def _of_words(words: Sequence[str]) -> Iterator[str]:
    lower = [one.lower() for one in words]
    shapes = list(map(_shape, words))
    yield from (f"w {one}" for one in lower)
    yield from (f"b {one} {following}" for one, following in pairwise(lower))
    yield from (f"s {one} {following}" for one, following in pairwise(shapes))
    yield from (f"t {' '.join(one)}" for one in zip(shapes, shapes[1:], shapes[2:], strict=False))
    yield f"f {' '.join(lower[:1])}"
    yield f"f2 {' '.join(shapes[:2])}"
    yield f"f3 {' '.join(shapes[:3])}"
    yield f"l2 {' '.join(shapes[-2:])}"


def _words(text: str) -> list[str]:
    """The words and marks of a text, all addresses and all numbers alike."""
    return _WORD.findall(_NUMBER.sub("0", _ADDRESS.sub(" URL ", text)))


def _lower(text: str, most: int) -> list[str]:
    return [one.lower() for one in _words(text)[:most]]


def _shape(word: str) -> str:
    """A word in small letters; a name and an abbreviation only as such."""
    if len(word) > 1 and word[:1].isupper():
        return "AB" if word.isupper() else "Ab"
    return word.lower()
