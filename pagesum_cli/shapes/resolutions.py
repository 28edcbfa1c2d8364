"""Resolutions of councils and boards: what is resolved, after the clauses that give reasons
(English).
"""

from collections.abc import Iterator, Sequence

from ..documents.model import Document, Sentence
from ..documents.sentences import all_sentences
from ..locality.flow import Pages
from ..text.tables import patterns
from .points import Point

LONGEST = 250  # sentences of a document that is one resolution
SHORTEST = 6  # words of a clause that stands alone
SLOT = "resolved"

_FORMS = patterns(__file__, "resolutions.toml")


def is_resolution(document: Document) -> bool:
    """Whether a document is a resolution: it gives reasons, then says what is resolved."""
    sentences = all_sentences(document)
    has_reasons = any(_FORMS["reason"].match(one.text) for one in sentences)
    return has_reasons and len(sentences) <= LONGEST and any(_resolved(sentences))


def _resolved(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences from the words that resolve to the votes and signatures, without those words
    alone, headings, and the rest of a sentence that begins in a heading.
    """
    is_open = False
    for one in sentences:
        if _FORMS["ends"].match(one.text):
            is_open = False
        is_opening = _FORMS["resolves"].search(one.text) is not None
        is_open = is_open or is_opening
        is_bare = one.text.rstrip().endswith((":", ","))
        if is_open and not (one.is_heading or is_bare or _is_part(one) or _is_reason(one)):
            yield one


def _is_part(sentence: Sentence) -> bool:
    """Whether a sentence is only a part of another one that is not known."""
    is_short = len(sentence.text.split()) < SHORTEST
    return sentence.lead_in is None and (sentence.text[:1].islower() or is_short)


def _is_reason(sentence: Sentence) -> bool:
    return _FORMS["reason"].match(sentence.text) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """What is resolved, in the order of the document."""
    sentences = [one for page in pages.pages for one in page.sentences]
    starts = {one.start for one in _resolved(sentences)}

    def is_resolved(point: Point) -> bool:
        number, place = point.place
        return pages.pages[number].sentences[place].start in starts

    return {SLOT: sorted(filter(is_resolved, ranked), key=lambda one: one.place)}
