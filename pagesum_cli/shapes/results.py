"""What the sentences of a paper say of its own methods and results (English)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ..text.tables import table

_MEASURED = re.compile(r"(?<![\w.,-])\d[\d.,]*")  # no part of a name: "Na0.66", "HEK-293"
_DECIMAL = re.compile(
    r"(?<![\w.,])(?!0?\.0[015]+\b|0?\.9[59]\b)\d*\.\d+(?![\w.])"
)  # no level of a test
MIN_REPEATED = 2  # numbers of a main result that stand in another section
_RARE = re.compile(r"\d{3,}|\d+\.\d+")  # a number that two results hardly share
# a result after another one, which names what it is about
_LINKED = re.compile(
    r"(?:however|furthermore|moreover|in addition|additionally|similarly|interestingly|notably|"
    r"importantly|besides|also|in contrast),? (?!it\b|they\b|this\b|these\b|those\b|that\b|such\b)",
    re.IGNORECASE,
)
# what an abstract presents, and what it can do: "This membrane exhibits …"
_PRODUCT = re.compile(
    r"(?:this|the (?:obtained|resulting|as-\w+)) (?:[\w-]+ )?(?:materials?|membranes?|composites?|"
    r"electrodes?|electrolytes?|catalysts?|devices?|films?|alloys?|coatings?|polymers?|sensors?|"
    r"batter(?:y|ies))\b",
    re.IGNORECASE,
)
_SUMS_UP = re.compile(
    r"\b(?:conclu(?:de[ds]?|sion)|in summary|taken together|"
    r"(?:this|our) (?:[\w-]+ )?(?:mini-)?review "
    r"(?:highlight|show|indicate|suggest|reveal)(?:s|ed))\b",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(r"\b(?:can|could|may|might|should)\b", re.IGNORECASE)
_TESTS = re.compile(
    r"\b(?:statistic(?:s|al(?:ly)?)?|post-?hoc|(?:M?AN|ANC)OVA|SPSS|factorial model|"
    r"(?:t|Tukey|Bonferroni|Duncan|Dunnett|Mann-Whitney|Kruskal-Wallis|Wilcoxon)(?:[’']s)?"
    r"(?: \w+)?[ -](?:tests?|methods?|correction)|general linear model)\b",
    re.IGNORECASE,
)
_NAMES_STUDY = re.compile(r"\b(?:we|our|this|present|here|herein)\b", re.IGNORECASE)
_FORMS: dict[str, Any] = table(__file__, "results.toml")
_ASIDE, _TAKES_BACK, _ILLUSTRATION, _DANGLES = (
    re.compile("|".join(_FORMS[name]), re.IGNORECASE)
    for name in ("aside", "taken_back", "illustration", "dangling")
)


def is_aside(text: str) -> bool:
    """Whether a sentence says nothing of a study: where something is, a formula, or a tool."""
    return _ASIDE.search(text) is not None


def takes_back(text: str) -> bool:
    """Whether a sentence takes the one before it back, or part of it."""
    return _TAKES_BACK.match(text) is not None


def has_same_results(text: str, known: Sequence[str]) -> bool:
    """Whether all numbers of a text, and one that two results hardly share, are in known ones."""
    own, others = _numbers(text), _numbers(" ".join(known))
    return any(map(_RARE.fullmatch, own)) and own <= others


def _numbers(text: str) -> set[str]:
    return {one.rstrip(".,").replace(",", "") for one in _MEASURED.findall(text)}


def is_linked(text: str, *, has_number: bool) -> bool:
    """Whether a sentence of an abstract goes on with results and says of what; one with a number
    may begin with the material or device that the abstract presents.
    """
    is_of_product = has_number and _PRODUCT.match(text) is not None
    return is_of_product or _LINKED.match(text) is not None


def is_result(text: str) -> bool:
    """Whether a sentence has a number, or says what is so instead of what may be."""
    return _MEASURED.search(text) is not None or _POSSIBLE.search(text) is None


def sums_up(text: str) -> bool:
    """Whether a sentence says that it is a conclusion."""
    return _SUMS_UP.search(text) is not None


def names_study(text: str) -> bool:
    """Whether a sentence names the study that it is in."""
    return _NAMES_STUDY.search(text) is not None


def is_test(text: str) -> bool:
    """Whether a sentence is about tests of statistics."""
    return _TESTS.search(text) is not None


def is_illustration(text: str) -> bool:
    """Whether a sentence introduces an example with data that nobody measured."""
    return _ILLUSTRATION.search(text) is not None


def dangles(text: str) -> bool:
    """Whether a sentence comments on a result that only the one before it tells."""
    return _DANGLES.match(text) is not None


def repeated(texts: Sequence[tuple[str, str]]) -> set[int]:
    """The numbers of the texts that tell a main result: several of their decimal numbers stand in
    another section, too.

    Args:
        texts: The heading above each text, and the text.
    """
    places: dict[str, set[str]] = defaultdict(set)
    found = [set(_DECIMAL.findall(text)) for _, text in texts]
    for (heading, _), own in zip(texts, found, strict=True):
        for number in own:
            places[number].add(heading)
    return {
        place
        for place, own in enumerate(found)
        if sum(len(places[number]) > 1 for number in own) >= MIN_REPEATED
    }
