"""Opinions with a syllabus above them, which says what is held (the Supreme Court of the United
States).
"""

from collections.abc import Sequence
from itertools import pairwise, takewhile

from ..documents.model import Document
from ..locality.flow import Pages
from ..text.tables import patterns
from .opinions import fitting as fitting_of_opinion
from .opinions import is_opinion
from .points import Point

_FORMS = patterns(__file__, "syllabi.toml")


def has_syllabus(document: Document) -> bool:
    """Whether a document is an opinion below a syllabus that says what is held."""
    above, opinion, _ = document.text.partition(_end(document.text))
    return bool(opinion and _FORMS["held"].search(above)) and is_opinion(document)


def _end(text: str) -> str:
    """The words with which the opinion begins; a character that no text has where none does."""
    found = _FORMS["opinion"].search(text)
    return found[0] if found else "\0"


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: what is held by the syllabus alone, and the case, the
    question and the reasons first by it.
    """
    found = fitting_of_opinion(ranked, pages)
    ordered = sorted(ranked, key=lambda one: one.place)
    syllabus = _before("opinion", ordered)
    above = _before("held", syllabus)
    below = syllabus[len(above) :]
    if not below:
        found["holding"] = found["holding"][:1]
        return found
    case, question = _in(found["case"], above), _in(found["question"], above)
    opening = [] if above[:1] == question[:1] else above[:1]
    found["case"] = [*case[:1], *opening, *case[1:]] or found["case"]
    found["question"] = question or found["question"]
    found["holding"] = _held(below)
    found["reason"] = _reasons(below[1:]) + found["reason"]
    return found


def _before(name: str, points: Sequence[Point]) -> list[Point]:
    """The sentences before the first one that has a form."""
    return list(takewhile(lambda one: not _FORMS[name].search(one.text), points))


def _in(points: Sequence[Point], others: Sequence[Point]) -> list[Point]:
    """The sentences that are among some others."""
    return [one for one in points if one in others]


def _held(points: Sequence[Point]) -> list[Point]:
    """What is held: the sentence that begins with "Held:", or the one after the number 1 there, and
    those with the next numbers.
    """
    if not _FORMS["numbered"].fullmatch(points[0].text):
        return [points[0]]
    held, number = list(points[1:2]), 2
    for one, following in pairwise(points):
        if one.text == f"{number}." or following.text.startswith(f"{number}. "):
            held.append(following)
            number += 1
    return held


def _reasons(points: Sequence[Point]) -> list[Point]:
    """The sentences that say what the court goes by, those that say it most clearly first."""
    own = [one for one in points if not _FORMS["no_reason"].search(one.text)]
    clear = [one for one in own if _FORMS["clear_reason"].search(one.text)]
    return clear + [one for one in own if one not in clear and _FORMS["reason"].search(one.text)]
