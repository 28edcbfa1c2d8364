"""The speakers of attributed statements, according to the documents."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from ...documents.model import Sentence
from .attributions import (
    NEUTRAL,
    Attribution,
    Statement,
    attributions_in,
    beside,
    frame_of,
    has_pronoun,
    is_reported,
    quotations_of,
)
from .differences import Difference
from .speakers import are_same_person, is_person
from .tokens import LISTS, Token
from .wordings import is_weak

_AROUND = 6  # sentences of a paragraph before and after one in which its speaker is looked for
_MIN_SHARE = 0.6  # share of a statement's words that a quotation must have
_ALIKE = NEUTRAL | LISTS["titles"] | {"according"}
"""Words around a statement that need not be the same."""
_WORD = re.compile(r"\w+")
# who "she" is at the beginning of a sentence, or set off by commas
_SUBJECT = re.compile(r"^(?P<a>\w[\w’'-]*(?: \w[\w’'-]*){1,4}?),? [a-z]|, (?P<b>[^,]{5,60}), [a-z]")


class Speaker(NamedTuple):
    """Whether a document gives somebody as the speaker of something."""

    is_same: bool | None  # None if the document gives no name
    name: str = ""  # who speaks in the document
    text: str = ""  # what the document has around it


UNKNOWN = Speaker(None)


class Sayings:
    """The speakers of sentences of documents.

    Args:
        places: Pairs of a sentence and the number of its document, in their order.
    """

    def __init__(self, places: Sequence[tuple[Sentence, int]]) -> None:
        self._places = places
        self._numbers = {
            (document, one.start): number
            for number, (one, document) in enumerate(places)
            if one.start >= 0
        }

    def speaker_of(self, said: Statement, place: tuple[Sentence, int]) -> Speaker:
        """Whether who says something in a claim does so in a sentence of a document."""
        sentence, document = place
        text, start = self._paragraph(sentence, document)
        end = start + len(sentence.text)
        found = _found_in(text, (start, end), said)
        if found is None and sentence.speaker:
            found = sentence.speaker
        if not found or not is_person(found):
            return Speaker(None, text=text)
        return Speaker(are_same_person(said.by.name, found), found, text)

    def _paragraph(self, sentence: Sentence, document: int) -> tuple[str, int]:
        """The text of a paragraph around a sentence, and where it begins there."""
        number = self._numbers.get((document, sentence.start))
        if number is None:
            return sentence.text, 0
        last = number
        while last + 1 < len(self._places) and self._places[last][0].end < sentence.end:
            last += 1
        before = [*self._beside(number, -1)][::-1]
        after = [*self._beside(last, 1)]
        parts = [*before, sentence.text, *after]
        return " ".join(parts), sum(len(one) + 1 for one in before)

    def _beside(self, number: int, step: int) -> Iterator[str]:
        """The sentences of the same paragraph before or after one, the closest first."""
        stop = max(-1, min(len(self._places), number + step * (_AROUND + 1)))
        for one, other in pairwise(range(number, stop, step)):
            first, second = sorted((one, other))
            (left, document), (right, own) = self._places[first], self._places[second]
            is_apart = document != own or left.start < 0 or right.front_start - left.end > 1
            if is_apart or left.is_heading != right.is_heading:
                return
            yield self._places[other][0].text


def _found_in(text: str, span: tuple[int, int], said: Statement) -> str | None:
    """The name of who says something in a sentence of a paragraph; empty if nobody with a name
    does, None if nobody does.
    """
    quotations = quotations_of(text)
    inside = [one for one in quotations if one[0] < span[1] and one[1] > span[0]]
    shares = {one: _share(said.text, text[slice(*one)]) for one in inside}
    quotation = max(shares, key=shares.__getitem__, default=(0, 0))
    if shares.get(quotation, 0) >= _MIN_SHARE:
        return _speaker_of(text, quotation, quotations)
    return _reporter_in(text[slice(*span)], said)


def _reporter_in(sentence: str, said: Statement) -> str | None:
    """The name of who says something in a sentence, outside its quotations: the one of a claim, if
    it is among several.
    """
    quotations = quotations_of(sentence)
    found = [one for one in attributions_in(sentence) if not _is_inside(one, quotations)]
    same = (one.name for one in found if are_same_person(said.by.name, one.name))
    first = found[0].name if found else "" if is_reported(sentence) else None
    return next(same, first)


def _is_inside(one: Attribution, quotations: Iterable[tuple[int, int]]) -> bool:
    return any(start <= one.span[0] < end for start, end in quotations)


def _share(said: str, text: str) -> float:
    """The share of a statement's words that a text has."""
    words, has = _words(said), _words(text)
    return len(words & has) / max(len(words), 1)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _speaker_of(
    text: str, quotation: tuple[int, int], quotations: Sequence[tuple[int, int]]
) -> str | None:
    """Who says a quotation in a paragraph: who is named beside it, or, if nobody else speaks there,
    in what is before it.
    """
    if by := beside(text, quotation, quotations):
        return by.name
    earlier = attributions_in(text, 0, quotation[0])
    outside = [one for one in earlier if not _is_inside(one, quotations)]
    if has_pronoun(text, quotation, quotations):
        return outside[-1].name if outside else _subject_of(text[: quotation[0]])
    sentence = text[quotation[1] + 1 : quotation[1] + 80].partition(".")[0]
    if is_reported(sentence) or not outside:
        return "" if is_reported(sentence) else None
    return outside[-1].name


def _subject_of(text: str) -> str:
    """The only person whom a text may be about; empty if there are several or none."""
    names = [next(filter(None, one.groups())) for one in _SUBJECT.finditer(text)]
    persons = [one for one in names if _is_full_name(one)]
    return persons[0] if len(set(persons)) == 1 else ""


def _is_full_name(name: str) -> bool:
    words = name.split()
    return 2 <= len(words) <= 4 and all(one[:1].isupper() for one in words)


def new_around(
    tokens: Sequence[Token], text: str, said: Statement, has: Collection[str]
) -> Iterator[list[Token]]:
    """The words of a claim around its statement that a document with some words lacks."""
    for start, end in frame_of(text, said):
        part = [one for one in tokens if start <= one.start < end and not is_weak(one)]
        new = [one for one in part if one.norm not in has and one.norm not in _ALIKE]
        if new:
            yield new


def shifted(differences: Iterable[Difference], said: Statement) -> Iterator[Difference]:
    """Differences of a statement, at their places in the whole claim; it may begin there with a
    small letter.
    """
    start = said.span[0]
    for one in differences:
        is_first = one.kind == "case" and one.span[0] == 0
        if not is_first:
            yield replace(one, span=(one.span[0] + start, one.span[1] + start))
