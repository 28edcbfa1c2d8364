"""Complaints and petitions that begin a lawsuit, and which of their sentences say what the
plaintiff alleges and requests (English).
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from ..documents.model import Document, Sentence
from ..locality.flow import Pages
from ..summary.summary import Summary, SummaryParagraph
from ..text.tables import patterns
from .points import Point

HEADING = "What the plaintiff alleges and requests"
BEGINNING = 3000  # characters in which a complaint names itself
MIN_SIGNS = 4  # times that it names each party
MIN_NAMED = 5  # allegations that name the main person, at least
FEW = 12  # persons named most often, among whom the main one is
MAIN = 0.1  # share of the allegations that do
LONG = 130  # words of a sentence in a slot

_FORMS = patterns(__file__, "complaints.toml")


def is_complaint(document: Document) -> bool:
    """Whether a document is a complaint or a petition that begins a lawsuit: it calls itself one,
    names plaintiff and defendant, has counts or causes of action, and requests relief.
    """
    headings = [one.heading for one in document.sections if one.heading]
    front = (one.text for one in document.left_out if one.reason == "front matter")
    first = chain([document.title], front, headings[:3], document.text[:BEGINNING].split("\n"))
    if not any(map(_FORMS["name"].search, first)):
        return False
    return any(map(_FORMS["count"].match, headings)) and _is_of_parties(document.text)


def _is_of_parties(text: str) -> bool:
    """Whether a text names plaintiff and defendant, and requests relief."""
    signs = [_FORMS[name].findall(text) for name in ("party", "opponent")]
    return min(map(len, signs)) >= MIN_SIGNS and any(map(_is_relief, text.split("\n")))


def _is_relief(text: str) -> bool:
    return _FORMS["relief"].search(text) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: allegations the best first, claims and relief in their
    order, of each count its first claim.
    """
    found: dict[str, list[Point]] = {"allegation": [], "claim": [], "relief": [], "": []}
    for one in ranked:
        if one.words <= LONG:
            found[_slot(one, _at(pages, one))].append(one)
    claims = sorted(found["claim"], key=lambda one: one.place)
    counts = {_at(pages, one).heading: one for one in reversed(claims)}
    first = [one for one in claims if one in counts.values()]
    relief = sorted(found["relief"], key=lambda one: one.place)
    allegations = _with_main(found["allegation"], pages)
    return {"allegation": allegations, "claim": first, "relief": relief}


def _with_main(allegations: Sequence[Point], pages: Pages) -> list[Point]:
    """Allegations, the first of them the best one with the full name of the person around whom most
    turn, if there is one.
    """
    family = _main_of(allegations, pages)
    named = [one for one in allegations if family and family in _families_in(one.text)][:1]
    return named + [one for one in allegations if one not in named]


def _main_of(allegations: Sequence[Point], pages: Pages) -> str:
    """The family name of the person, no plaintiff, whom many allegations name, and twice as many
    as any other; empty if there is none.
    """
    texts = [one.text for one in allegations]
    families = {family for text in texts for family in _families_in(text)}
    counts = Counter({one: sum(one in text for text in texts) for one in families})
    others = [item for item in counts.most_common(FEW) if not _sues(item[0], pages)]
    (main, count), (_, next_count) = [*others, ("", 0), ("", 0)][:2]
    is_main = count >= max(MIN_NAMED, 2 * next_count, MAIN * len(texts))
    return main if is_main else ""


def _families_in(text: str) -> set[str]:
    return {match["family"] for match in _FORMS["person"].finditer(text)}


def _sues(family: str, pages: Pages) -> bool:
    """Whether a person is called a plaintiff, or is presented as a party."""
    form = re.compile(_FORMS["plaintiff"].pattern.replace("%s", re.escape(family)))
    sentences = (one for page in pages.pages for one in page.sentences)
    return any(form.search(one.text) or form.search(one.heading) for one in sentences)


def _at(pages: Pages, point: Point) -> Sentence:
    page, number = point.place
    return pages.pages[page].sentences[number]


def _slot(point: Point, sentence: Sentence) -> str:
    """The slot of a sentence; empty for what every complaint repeats, and who the parties are."""
    if any(map(_is_relief, (point.text, *(one.text for one in sentence.lead_ins)))):
        return "relief"
    if _FORMS["formal"].search(point.text) or _FORMS["apart"].match(sentence.heading):
        return ""
    if _FORMS["count"].match(sentence.heading):
        return "claim" if _FORMS["claim"].search(point.text) else ""
    return "allegation" if point.stands else ""


def attributed(summary: Summary) -> Summary:
    """A summary under a heading that says whose words its quotes are."""
    whole = SummaryParagraph(HEADING, tuple(range(len(summary.sentences))))
    return summary.in_paragraphs([whole])
