"""The sentences of a paper that may fill the slots of its brief summary."""

import re
from collections.abc import Mapping, Sequence
from itertools import filterfalse
from operator import itemgetter

from ..locality.flow import Pages
from ..quoting.parts import parts_of
from .conclusions import concludes, conclusions_in
from .points import MIN_SCORE, Place, Point
from .results import (
    dangles,
    is_aside,
    is_illustration,
    is_linked,
    is_result,
    is_test,
    names_study,
    repeated,
    sums_up,
)
from .slots import Slot, slots

MIN_FINDINGS = 2  # findings, fewer of which in the abstract bring others from the text
MEASURED = 2  # sentences with numbers that come before better ones without
REPEATED, DANGLING = 2.0, -4.0  # what a main result counts more, and a comment on one
CONCLUDED = 1  # rank of an item of a list of conclusions, after those of the abstract
OWN = "finding", "conclusion", "limitation"  # slots of what the paper itself says

_OWN = re.compile(
    r"\b(?:this|our|the present) (?:[\w-]+ )?(?:study|trial|review|analysis|survey)\b",
    re.IGNORECASE,
)
# an item of a list of limits: "First, the sample was small."
_ITEM = re.compile(
    r"(?:first|second|third|fourth|last|final)(?:ly)?, (?:the|our|we)\b", re.IGNORECASE
)


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: those from the best part of the paper first, in their
    order. Only the aim, which introduces itself, and a limit of the study that it names, may point
    at something before it.
    """
    parts = parts_of(pages.pages)
    found: dict[str, list[Point]] = {}
    beside = asides(pages)
    ranked = [one for one in ranked if one.place not in beside]
    for name, slot in slots().items():
        places: list[tuple[int, Point]] = []
        for point in (one for one in ranked if one.score > MIN_SCORE):
            rank = _rank(point, slot, parts[point.place], pages)
            if rank is not None:
                places.append((rank, point))
        found[name] = _in_order_of_ranks(places, slot)
    main = main_results(ranked)
    found["finding"].sort(key=lambda one: -main.get(one.place, 0.0))
    return found | _without_known(found, parts)


def asides(pages: Pages) -> set[Place]:
    """The sentences that belong in no slot, whatever the model has learned: also those of examples
    with data that nobody measured, up to the end of their paragraphs.
    """
    found: set[Place] = set()
    is_example, end = False, -1
    for page, own in enumerate(pages.pages):
        for number, one in enumerate(own.sentences):
            goes_on = is_example and 0 <= one.start - end <= 1
            is_example, end = goes_on or is_illustration(one.text), one.end
            if is_example or is_aside(one.text):
                found.add((page, number))
    return found


def main_results(points: Sequence[Point]) -> dict[Place, float]:
    """By how much sentences count more as findings, in log odds: the main results of a paper, whose
    numbers it repeats, and less what only comments on the sentence before it.
    """
    numbers = repeated([(one.section, one.text) for one in points])
    found = {points[number].place: REPEATED for number in numbers}
    return found | {one.place: DANGLING for one in points if dangles(one.text)}


def _rank(point: Point, slot: Slot, part: str, pages: Pages) -> int | None:
    """How far a sentence of a part of the paper is from the best one for a slot; None if it does
    not fit, or cannot be understood there. The first item of "The conclusions are: …" is one.
    """
    page, number = point.place
    sentence = pages.pages[page].sentences[number]
    if slot.name == "conclusion" and concludes(pages.pages[page].sentences[number - 1]):
        return CONCLUDED if sentence.lead_in and _is_clear(point, pages) else None
    rank = slot.rank(point.text, sentence.heading, part, point.role)
    if rank is None or _stands(point, slot.name, part):
        return rank
    is_label_of_it = slot.name == "conclusion" and rank < 0 and _is_below_label(point, pages)
    return rank if is_label_of_it else None


def _is_clear(point: Point, pages: Pages) -> bool:
    """Whether a sentence can be understood alone, or in its list of conclusions, which is quoted
    whole.
    """
    return not point.needs_context or any(point.place in one for one in conclusions_in(pages))


def _is_below_label(point: Point, pages: Pages) -> bool:
    """Whether a sentence is the first one below its heading."""
    page, number = point.place
    sentences = pages.pages[page].sentences
    text = (one.heading for one in reversed(sentences[:number]) if not one.is_heading)
    return next(text, "") != sentences[number].heading


def _without_known(
    found: Mapping[str, Sequence[Point]], parts: Mapping[Place, str]
) -> dict[str, list[Point]]:
    """What a paper finds, concludes and leaves open, without what is known before its aim."""
    aims = (one.place for one in found["aim"] if parts[one.place] == "abstract")
    aim = min(aims, default=(0, 0))

    def is_known(point: Point) -> bool:
        return parts[point.place] == "abstract" and _is_before(point, aim)

    own = {name: list(filterfalse(is_known, found[name])) for name in OWN}
    summed_up = [one for one in own["finding"] if parts[one.place] == "abstract"]
    return _with_conclusion(own["finding"], own["conclusion"], summed_up) | _open(own["limitation"])


def _with_conclusion(
    findings: Sequence[Point], conclusions: Sequence[Point], summed_up: Sequence[Point]
) -> dict[str, list[Point]]:
    """The findings, and what is concluded from them. The text has only findings that are missing
    in the abstract, where they are ``summed_up``.
    """
    concluding = conclusions[:1]
    first = [one for one in summed_up if one not in concluding]
    others = [one for one in findings if one not in (*summed_up, *concluding)]
    if summed_up:
        others = [one for one in others if is_result(one.text)]
        others = others[: max(0, MIN_FINDINGS - len(first))]
    return {"finding": [*first, *others], "conclusion": list(concluding)}


def _open(limits: Sequence[Point]) -> dict[str, list[Point]]:
    """The limits of a paper; where it names none, what it leaves to others."""
    slot = slots()["limitation"]
    own = [one for one in limits if not slot.is_left_to_others(one.text)]
    return {"limitation": own, "open": [] if own else list(limits)}


def _in_order_of_ranks(places: Sequence[tuple[int, Point]], slot: Slot) -> list[Point]:
    """Sentences by rank; a few with numbers come before others in the best part."""
    places = _as_concluded(places) if slot.name == "conclusion" else places
    places = _methods(places) if slot.name == "method" else places
    ranked = sorted(places, key=itemgetter(0))
    best = max(0, ranked[0][0]) if ranked else 0  # no part of the paper is better
    found = [one for rank, one in ranked if rank <= best and slot.has_number(one.text)]
    leading = found[:MEASURED]
    return [one for _, one in sorted(ranked, key=lambda one: (one[0], one[1] not in leading))]


def _as_concluded(places: Sequence[tuple[int, Point]]) -> list[tuple[int, Point]]:
    """Conclusions: those below their label in the order there, which begins with the main thing."""
    labelled = sorted((one for rank, one in places if rank < 0), key=lambda one: one.place)
    return [*((-1, one) for one in labelled), *(one for one in places if one[0] >= 0)]


def _methods(places: Sequence[tuple[int, Point]]) -> list[tuple[int, Point]]:
    """Methods: outside of an abstract, how something was made, or all but the routine of
    laboratories, with tests last.
    """
    slot = slots()["method"]
    summed_up = [one for one in places if one[0] <= 0]
    others = [one for one in places if one[0] > 0]
    kept = [*filterfalse(lambda one: slot.routine.search(one[1].text), others)]
    says_how = [(rank, one) for rank, one in kept if rank > 1 and slot.clear.search(one.text)]
    return summed_up + (says_how or _ending_in_tests(kept))


def _ending_in_tests(places: Sequence[tuple[int, Point]]) -> list[tuple[int, Point]]:
    """Methods, with tests last."""
    last = 1 + max((rank for rank, _ in places), default=0)
    return [(last if is_test(one.text) else rank, one) for rank, one in places]


def _is_before(point: Point, aim: Place) -> bool:
    """Whether a sentence comes before an aim and does not name the study."""
    return point.place < aim and not names_study(point.text)


def _stands(point: Point, slot: str, part: str) -> bool:
    """Whether a sentence of a part of the paper can be in a slot without those before it."""
    if slot == "conclusion" and part != "abstract":
        return sums_up(point.text)
    if _must_name_study(point.text, slot, part):
        return not point.needs_context and names_study(point.text)
    return not point.needs_context or slot == "aim" or _is_led_to(point.text, slot, part)


def _must_name_study(text: str, slot: str, part: str) -> bool:
    """Whether a sentence of a part of the paper may be about what is known."""
    if slot == "finding":
        return part == "discussion" and not slots()[slot].has_number(text)
    return slot == "method" and part not in ("abstract", "methods")


def _is_led_to(text: str, slot: str, part: str) -> bool:
    """Whether what a sentence points at is known from its slot, or from those before it."""
    if slot == "conclusion":
        return slots()[slot].clear.search(text) is not None
    if slot == "finding":
        return part == "abstract" and is_linked(text, has_number=slots()[slot].has_number(text))
    if slot != "limitation":
        return False
    is_own = _OWN.search(text) or _ITEM.match(text)
    return bool(is_own) or slots()[slot].is_left_to_others(text)
