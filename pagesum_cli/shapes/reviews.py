"""Papers that review what others found, and which of their sentences say what each slot of a brief
summary needs (English).
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from ..documents.article.names import core_name, is_abstract
from ..documents.model import Document
from ..locality.flow import Pages
from ..quoting.parts import parts_of
from ..text.tables import patterns
from . import paper_slots
from .papers import OWN_PARTS
from .points import MIN_SCORE, Place, Point

MIN_WORDS, MAX_WORDS = 8, 60  # of a conclusion
ENDS = {"conclusion", "abstract"}  # parts that say what is not known yet
OTHERS = "no_conclusion", "covers", "unknown"  # forms of sentences that conclude nothing
FIRST = (0, -1)  # before the first sentence

_FORMS = patterns(__file__, "reviews.toml")


def is_review(document: Document) -> bool:
    """Whether a document without methods or results of its own is named a review."""
    headings = [one.heading for one in document.sections]
    parts = {*map(core_name, headings)}
    if "conclusion" not in parts or parts & OWN_PARTS:
        return False
    abstract = [one.text for one in document.sections if is_abstract(one.heading)]
    if any(map(_FORMS["systematic"].search, [document.title, *abstract])):
        return False
    texts = [one.text for one in document.sections if _is_beginning(one.heading)]
    is_named = _FORMS["title"].search(document.title) is not None
    return is_named or any(map(_FORMS["presents"].search, texts))


def _is_beginning(heading: str) -> bool:
    """Whether a heading is that of an abstract or an introduction."""
    return is_abstract(heading) or core_name(heading) == "introduction"


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: what it reviews, what it concludes and what is open,
    in the words of its abstract and its conclusion.
    """
    parts = parts_of(pages.pages)
    in_abstract = partial(_is_in, parts, {"abstract"})
    aims = paper_slots.fitting(ranked, pages)["aim"]
    best = [*filter(in_abstract, aims), *aims][:1]
    start = max((one.place for one in best if in_abstract(one)), default=FIRST)
    ends = [*filter(partial(_is_in, parts, ENDS), ranked)]
    after = [one for one in ends if one.place > start and one.score > MIN_SCORE]
    summed_up = [*filter(in_abstract, after)]
    covered = [one for one in summed_up if _has("covers", one)]
    return {"aim": [*best, *covered]} | _ends(after, summed_up)


def _ends(points: Sequence[Point], summed_up: Sequence[Point]) -> dict[str, list[Point]]:
    """What a review concludes, first what it has ``summed_up``, and what is not known yet."""
    own = [*filter(_is_conclusion, points)]
    found = [one for one in own if one in summed_up]
    concluded = [one for one in own if one not in summed_up]
    unknown = [one for one in points if _is_complete(one) and _has("unknown", one)]
    return {"conclusion": found + concluded, "open": unknown}


def _is_in(parts: Mapping[Place, str], names: Collection[str], point: Point) -> bool:
    """Whether a sentence is in one of some parts of a paper."""
    return parts[point.place] in names


def _is_complete(point: Point) -> bool:
    """Whether a sentence of usual length is understood alone."""
    return not point.needs_context and MIN_WORDS <= point.words <= MAX_WORDS


def _is_conclusion(point: Point) -> bool:
    """Whether a sentence says what was found, and is understood alone."""
    is_found = point.role == "finding" or _has("found", point)
    return is_found and _is_complete(point) and not any(_has(form, point) for form in OTHERS)


def _has(form: str, point: Point) -> bool:
    """Whether a sentence has a form of ``reviews.toml``."""
    return _FORMS[form].search(point.text) is not None
