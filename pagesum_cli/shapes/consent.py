"""What a single vote on the items of a consent agenda decides: which items, and how it went."""

import re
from collections.abc import Callable, Iterator, Sequence, Set

from ..documents.model import Sentence
from .motions import fits

_ITEMS = re.compile(r"(?i:\bitems?) ((?:(?:[A-Z]\b|\d{1,2}\b|through|thru|to|and|[-–,&])[ ,]?)+)")
_RANGE = re.compile(r"\b([A-Z]|\d{1,2})\b(?:(?: ?[-–] ?| (?:through|thru|to) )([A-Z]|\d{1,2})\b)?")
_LABEL = re.compile(r"([A-Z]|\d{1,2})[.)] ")
_TALLY = (
    re.compile(r"(?i)\b(\d{1,2}) (?:votes? )?(?:in favou?r|for|ayes?|yeas?)\b"),
    re.compile(r"(?i)\b(\d{1,2}) (?:votes? )?(?:against|opposed|nays?|noes)\b"),
)
_SCORE = re.compile(r"(?<![\d-])(\d{1,2}) ?[-–] ?(\d{1,2})(?![\d-])")


def agreed_in(
    sentences: Sequence[Sentence],
    votes: Sequence[Sequence[int]],
    topic_of: Callable[[int], int],
    decided: Set[int],
) -> Iterator[tuple[int, str]]:
    """The numbers of the recommendations under the items that follow a vote on the consent agenda,
    up to the next vote, each with how that vote went.

    Args:
        sentences: Those of the minutes.
        votes: The sentences of each vote.
        topic_of: The number of the topic of a sentence.
        decided: The topics with an outcome of their own.
    """
    known = set(decided)
    for number, vote in _after_consent(sentences, votes, topic_of):
        one, topic = sentences[number], topic_of(number)
        is_new = topic not in known and not one.is_heading and fits("recommends", one.text)
        if is_new and _is_named(one.heading, vote):
            known.add(topic)
            yield number, result_of(vote)


def _after_consent(
    sentences: Sequence[Sentence],
    votes: Sequence[Sequence[int]],
    topic_of: Callable[[int], int],
) -> Iterator[tuple[int, str]]:
    """The sentences from a vote on the consent agenda to the next topic that has a vote, each with
    the text of the vote on the agenda.
    """
    texts = {topic_of(one[-1]): " ".join(sentences[n].text for n in one) for one in votes}
    consent = {topic_of(one[-1]) for one in votes if _is_consent(sentences, one)}
    current = ""
    for number in range(len(sentences)):
        topic = topic_of(number)
        if topic in texts:
            current = texts[topic] if topic in consent else ""
        if current and not fits("failed", current):
            yield number, current


def _is_consent(sentences: Sequence[Sentence], vote: Sequence[int]) -> bool:
    """Whether a vote is on the items of a consent agenda."""
    texts = (f"{sentences[one].heading} {sentences[one].text}" for one in vote)
    return any(fits("consent", text) for text in texts)


def _is_named(heading: str, vote: str) -> bool:
    """Whether a vote is on the item with a heading, if the vote names its items and the heading has
    a number or a letter: "items C through I".
    """
    named, label = _ITEMS.search(vote), _LABEL.match(heading)
    if named is None or label is None:
        return True
    ranges = [(first, last or first) for first, last in _RANGE.findall(named[1])]
    return any(_is_between(first, label[1], last) for first, last in ranges)


def _is_between(first: str, one: str, last: str) -> bool:
    if len({first.isdigit(), one.isdigit(), last.isdigit()}) > 1:
        return False
    if one.isdigit():
        return int(first) <= int(one) <= int(last)
    return first <= one <= last


def result_of(vote: str) -> str:
    """How a vote went, as numbers: ``11-0``; empty where it has none."""
    favor, against = (form.search(vote) for form in _TALLY)
    if favor and against:
        return f"{favor[1]}-{against[1]}"
    score = _SCORE.search(vote)
    return f"{score[1]}-{score[2]}" if score else ""
