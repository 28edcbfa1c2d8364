"""What the earlier ones of several news articles on one event say that a later one takes back: a
cause that was reported first, an accusation that was withdrawn, a number of dead that has risen.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from ..locality.flow import Pages
from ..text.tables import patterns
from ..text.words import ranks, words_of
from .developments import RARE, Days
from .points import Point
from .rivals import FACTOR, toll_in

LEADS = 3  # sentences of an article that give its number of dead
SHARED = 2  # content words that an accusation and its withdrawal have in common, at least
MANY = 4  # articles of which a word may be in most
UNKNOWN = 10**9  # rank of a word that no list has

_FORMS = patterns(__file__, "outdated.toml")


@dataclass(frozen=True)
class Outdated:
    """Finds the sentences of dated articles that later ones take back.

    Args:
        articles: The sentences of each article.
        pages: The pages that hold them.
        days: The days on which they were written; if some are not known, nothing is found.
    """

    articles: Sequence[Sequence[Point]]
    pages: Pages
    days: Days

    @cached_property
    def corrections(self) -> list[Point]:
        """The sentences that take something back that an earlier sentence says, in order."""
        return [one for one in self._taking_back if self._taken_back_by(one)]

    @cached_property
    def points(self) -> frozenset[Point]:
        """The sentences that are taken back."""
        if not self.days.written:
            return frozenset()
        taken = (one for later in self.corrections for one in self._taken_back_by(later))
        return frozenset([*taken, *filter(self._has_lower_toll, self._every)])

    @cached_property
    def _every(self) -> list[Point]:
        return [one for points in self.articles for one in points]

    @cached_property
    def _taking_back(self) -> list[Point]:
        if not self.days.written:
            return []
        return list(filter(_takes_back, self._every))

    def _taken_back_by(self, later: Point) -> list[Point]:
        """The sentences that another one takes back."""
        if claim := _FORMS["contrary"].search(later.text):
            words = self._rare_words(claim["claim"])
            return [one for one in self._before(later) if words & set(words_of(one.text))]
        accused = (one for one in self._up_to(later) if _FORMS["alleged"].search(one.text))
        return [one for one in accused if len(one.content & later.content) >= SHARED]

    def _of_group(self, group: int) -> list[Point]:
        return [one for one in self._every if one.group == group]

    def _before(self, later: Point) -> list[Point]:
        """The sentences of earlier days."""
        return [one for one in self._every if self.days.of(one) < self.days.of(later)]

    def _up_to(self, later: Point) -> list[Point]:
        """The same, and those before a sentence in its article, but no other withdrawals."""
        own = [one for one in self._of_group(later.group) if one.place < later.place]
        every = [*self._before(later), *own]
        return [one for one in every if one not in self._taking_back]

    def _rare_words(self, claim: str) -> frozenset[str]:
        """The rarest word of what was reported that is not in most articles; none if all are
        frequent.
        """
        rank = ranks()
        known = {one: rank.get(one, UNKNOWN) for one in words_of(claim)}
        rare = {one for one in known if known[one] >= RARE} - self._of_most
        return frozenset(sorted(rare, key=lambda one: (-known[one], one))[:1])

    @cached_property
    def _of_most(self) -> frozenset[str]:
        """The words of more than half of the articles, if they are not few."""
        if len(self.articles) < MANY:
            return frozenset()
        texts = [" ".join(one.text for one in points) for points in self.articles]
        own = [{*words_of(text)} for text in texts]
        counts = Counter(word for words in own for word in words)
        return frozenset(word for word, count in counts.items() if 2 * count > len(own))

    def _has_lower_toll(self, point: Point) -> bool:
        """Whether a sentence has a number of dead, or says that some are missing, and an article
        of a later day begins with more dead than the sentence, or its article, has.
        """
        toll = self._toll(point)
        if not toll and _FORMS["missing"].search(point.text):
            toll = max(map(self._toll, self._of_group(point.group)), default=0.0)
        day = self.days.of(point)
        later = [number for when, number in self._tolls if when > day]
        return any(toll < number <= FACTOR * toll for number in later)

    @cached_property
    def _tolls(self) -> list[tuple[date, float]]:
        """The days of articles and how many died, as they begin."""
        leads = (one for points in self.articles for one in points[:LEADS])
        return [(self.days.of(one), self._toll(one)) for one in leads]

    def _toll(self, point: Point) -> float:
        page, number = point.place
        return toll_in(self.pages.pages[page].sentences[number])


def _takes_back(point: Point) -> bool:
    """Whether a sentence says that something is not so, or was withdrawn, and accuses nobody."""
    if _FORMS["contrary"].search(point.text):
        return True
    is_withdrawal = _FORMS["withdrawn"].search(point.text) is not None
    return is_withdrawal and _FORMS["alleged"].search(point.text) is None
