"""The plain summary of a contract, a by-law, an opinion of a court, a press release or a report of
auditors: what a brief one has, and the best other sentences, in the order of the document.
"""

from collections.abc import Collection, Mapping, Sequence
from math import inf

from ..documents.article.names import is_abstract
from ..documents.model import Document
from ..locality.flow import Pages
from ..quoting.length import MAX_SHARE
from ..summary.summary import Summary
from .brief import RELEASE, REPORT, TOLERANCE, Brief, Kind, kind_of
from .clauses import under_clauses
from .opinions import is_aside
from .points import Place, Point
from .regulations import conditions_of
from .releases import body_of, own_of
from .reports import is_standard

WORDS = {"short": 90, "medium": 150, "long": 400}  # words up to which the best others are added


def essential_kind(documents: Sequence[Document]) -> Kind | None:
    """The kind of a contract, an opinion or a press release; None for other documents."""
    kind = kind_of(documents)
    return kind if kind and kind.is_plain else None


class Essentials(Brief):
    """Chooses what the slots of a kind need, and the best other sentences."""

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        body = self._body(pages, scores) or list(scores)
        super().choose(pages, {place: scores[place] for place in body})
        chosen = [one for one in self.points if one.place in body]
        if self.kind is RELEASE:
            self.ranked = own_of(self.ranked, pages)
        self._extend(chosen)
        places = [one.place for one in chosen]
        if self.kind.binds and self._options.sentences is None:
            places += conditions_of(pages, places)
        return sorted(places)

    def _body(self, pages: Pages, places: Collection[Place]) -> list[Place]:
        """What of some places can be quoted: of a release, what is between its head and its end."""
        within = body_of(pages) if self.kind is RELEASE else places
        own = [place for place in places if place in within and not _is_aside(pages, place)]
        return [one for one in own if self.kind is not REPORT or not _is_standard(pages, one)]

    def _extend(self, chosen: list[Point]) -> None:
        """Add the best sentences that stand alone and say something new."""
        options = self._options
        usual = min(WORDS[options.length or "medium"], MAX_SHARE * self._size)
        words = options.words or usual
        limit = TOLERANCE * words
        most = options.sentences or inf
        length = sum(one.words for one in chosen)
        for one in filter(lambda one: one.stands, self.ranked):
            if length >= words or len(chosen) >= most:
                return
            if length + one.words <= limit and not one.repeats(chosen):
                chosen.append(one)
                length += one.words

    @property
    def _size(self) -> int:
        """Number of words of the document."""
        return sum(one.words for one in self.ranked)

    def titled(self, summary: Summary) -> Summary:
        """The summary; of a contract or a by-law, under the headings of its clauses."""
        if self.kind.binds:
            return under_clauses(summary, self.document)
        return summary


def _is_aside(pages: Pages, place: Place) -> bool:
    """Whether a sentence is in a summary that the document has of itself, which binds nobody, or is
    not the court's.
    """
    page, number = place
    sentence = pages.pages[page].sentences[number]
    return is_abstract(sentence.heading) or is_aside(sentence.text, sentence.heading)


def _is_standard(pages: Pages, place: Place) -> bool:
    sentence = pages.pages[place[0]].sentences[place[1]]
    return is_standard(sentence.text, sentence.heading)
