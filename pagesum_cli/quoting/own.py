"""How much more, or less, the sentences of a paper are worth that is read without its abstract: its
own results come before what was known before it (English).
"""

import re
from collections.abc import Mapping, Sequence

from ..locality.flow import Page
from .cues import AIM, OTHERS, OWN
from .parts import Place

BACKGROUND = -3.0  # of what an introduction says of others, in logits
RESULT = 1.0  # of what was found and measured beside a known abstract, in logits
MAIN = 2.0  # of such a result in a unit that the abstract has, with numbers that it lacks
FOUND = 0.5  # probability of the role of a finding, from which on it is believed

OF_STUDIES = {"methods", "results"}  # parts that only papers on studies have
LATER = {"results", "discussion", "conclusion"}  # parts with what was found

# a number with its unit, or a decimal: "581.2 mAh", "83%", "3-fold", "0.45"
_MEASURED = re.compile(
    r"(?<![\w.,-])\d[\d.,]*(?:[ -]?(?P<unit>%|‰|per ?cent\b|times\b|fold\b)"
    r"| (?P<symbol>[µμ]?[A-Za-z]{1,5}(?=[ ,;.)⁻/]))|(?<=\.\d)|(?<=\.\d\d))"
)
_NUMBER = re.compile(r"(?<![\w.,-])(?:\d{1,9}\.\d{1,9}|\d{2,9}(?:,\d{3}){0,4})")
_NO_UNITS = {None, "and", "to", "or", "in", "of", "at", "with", "for", "on", "the", "are", "were"}
_KNOWN = re.compile(
    r"\bwe (?:all |already |now )?know\b|\bour (?:daily )?(?:life|lives|society|planet)\b",
    re.IGNORECASE,
)


def values_of(
    pages: Sequence[Page],
    parts: Mapping[Place, str],
    roles: Mapping[Place, Mapping[str, float]],
    known: str = "",
) -> dict[Place, float]:
    """What is added to the scores of sentences; empty for a document with an abstract, or one that
    is no paper. The text that is ``known`` is the abstract that was left out; without one, results
    are worth what they are.
    """
    found = set(parts.values())
    if not roles or "abstract" in found or found.isdisjoint(OF_STUDIES):
        return {}
    return {
        (page, place): _value(pages[page].sentences[place].text, part, roles[page, place], known)
        for (page, place), part in parts.items()
    }


def _value(text: str, part: str, roles: Mapping[str, float], known: str) -> float:
    """What is added to the score of a sentence in a part of a paper."""
    is_own = OWN.search(text) is not None and not _KNOWN.search(text)
    if part == "introduction":
        return 0.0 if is_own or AIM.search(text) else BACKGROUND
    is_others = OTHERS.search(text) is not None and not is_own
    is_found = part in LATER and roles["finding"] > FOUND and not is_others
    return _value_of_result(text, known) if known and is_found else 0.0


def _value_of_result(text: str, known: str) -> float:
    """What is added to the score of a sentence on what was found, if that was measured."""
    if not _MEASURED.search(text):
        return 0.0
    is_main = not _units(text).isdisjoint(_units(known))
    return MAIN if is_main and not _numbers(text) <= _numbers(known) else RESULT


def _units(text: str) -> set[str | None]:
    """The units of the numbers of a text."""
    return {one["unit"] or one["symbol"] for one in _MEASURED.finditer(text)} - _NO_UNITS


def _numbers(text: str) -> set[str]:
    """The numbers of a text but for whole ones of a single digit."""
    return {one.rstrip(".,") for one in _NUMBER.findall(text)}
