"""Articles of newspapers: how they begin, what in them is no text, and who has been introduced
(English).
"""

from collections.abc import Collection, Sequence
from functools import cached_property

from ..documents.model import Document, Sentence
from ..documents.written import with_origin
from ..locality.flow import Pages
from ..text.tables import patterns
from .persons import families_of, full_names, surnames
from .points import Place, Point
from .releases import has_dateline

MIN_WORDS, MAX_WORDS = 120, 3000  # of an article
SPEECH = 3  # sentences with what somebody says, in an article
SHORT, LONG = 8, 100  # words of its first sentence
EARLY = 12  # sentences among which a dateline begins it
WHOLE = 0.5  # share of the sentences before a list of other articles

_FORMS = patterns(__file__, "articles.toml")


def is_article(document: Document) -> bool:
    """Whether a document is an article of a newspaper: short, with a line that says where or when
    it was written, and with what persons say, but no dialogue.
    """
    paragraphs = [one for section in document.sections for one in section.paragraphs]
    lines = [one.text for one in paragraphs]
    is_spoken = any(one.speaker for one in paragraphs)
    words = sum(len(line.split()) for line in lines)
    if is_spoken or not MIN_WORDS <= words <= MAX_WORDS:
        return False
    is_of_agency = any(map(_FORMS["agency"].match, lines[:EARLY]))
    return is_of_agency or (_is_headed(document, lines) and _reports(lines))


def _is_headed(document: Document, lines: Sequence[str]) -> bool:
    """Whether the first lines say where or when a text was written."""
    is_dated = any(map(has_dateline, lines[:EARLY]))
    return is_dated or bool(with_origin(document).origin)


def _reports(lines: Sequence[str]) -> bool:
    """Whether a text has what persons say or what happened to them, and a day."""
    text = "\n".join(lines)
    has_speech = len(_FORMS["speech"].findall(text)) >= SPEECH
    return has_speech and _FORMS["day"].search(text) is not None and not _is_dialogue(lines)


def _is_dialogue(lines: Sequence[str]) -> bool:
    """Whether many of some paragraphs begin with what somebody says."""
    spoken = sum(line.startswith(("“", '"', "‘")) for line in lines)
    return 3 * spoken > len(lines)


def text_of(pages: Pages) -> list[Place]:
    """The places of the sentences of an article, from its first one up to a list of others."""
    every = _sentences_of(pages)
    others = (at for at, (_, one) in enumerate(every) if _FORMS["others"].match(one.heading))
    late = (at for at in others if at >= WHOLE * len(every))
    end = next(late, len(every))
    told = [(place, one) for place, one in every[:end] if not _FORMS["aside"].search(one.text)]
    first = _first_of([one for _, one in told])
    return [place for place, _ in told[first:]]


def _sentences_of(pages: Pages) -> list[tuple[Place, Sentence]]:
    return [
        ((number, place), sentence)
        for number, page in enumerate(pages.pages)
        for place, sentence in enumerate(page.sentences)
        if not sentence.is_heading
    ]


def _first_of(sentences: Sequence[Sentence]) -> int:
    """The number of the sentence that begins an article: with a dateline, else the first whole
    one.
    """
    early = enumerate(sentences[:EARLY])
    dated = next((number for number, one in early if has_dateline(one.text)), None)
    if dated is not None:
        return dated
    return next((number for number, one in enumerate(sentences) if _begins(one)), 0)


def _begins(sentence: Sentence) -> bool:
    """Whether a sentence can begin an article."""
    text = sentence.text
    is_whole = SHORT <= len(text.split()) <= LONG and _FORMS["closed"].search(text) is not None
    return is_whole and sentence.lead_in is None and not _FORMS["goes_on"].match(text)


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentence that begins an article."""
    first = text_of(pages)[:1]
    return {"lede": [one for one in ranked if one.place in first]}


class FirstMentions:
    """The sentences that introduce the persons of an article.

    Args:
        points: All its sentences.
        title: Its title, whose names a reader knows.
    """

    def __init__(self, points: Sequence[Point], title: str) -> None:
        self._points = sorted(points, key=lambda one: one.place)
        self._title = title

    def needed(self, point: Point, chosen: Collection[Point]) -> list[Point]:
        """The sentences with the full names of the persons of whom a sentence has the family name
        only, unless a chosen one before it has them.
        """
        before = families_of(one.text for one in chosen if one.place < point.place)
        known = before | families_of([point.text])
        names = surnames(point.text, self._first.keys()) - known
        needed = {self._first[name] for name in names if name not in self._title}
        return sorted(needed - {point}, key=lambda one: one.place)

    @cached_property
    def _first(self) -> dict[str, Point]:
        """The first sentence with each full name, by its last word."""
        first: dict[str, Point] = {}
        for point in self._points:
            for name in full_names(point.text):
                first.setdefault(name.rsplit(" ", 1)[-1], point)
        text = " ".join(one.text for one in self._points)
        return {name: one for name, one in first.items() if f" the {name}" not in text}
