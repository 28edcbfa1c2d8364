"""What a news article says besides the news: what happened in other years, what is always so."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..text.tables import patterns
from .points import Point

_FORMS = patterns(__file__, "background.toml")


@dataclass(frozen=True)
class Background:
    """Finds what is background in articles.

    Args:
        years: The years of the articles, as far as they are known.
    """

    years: frozenset[int]

    def numbers_in(self, points: Sequence[Point]) -> frozenset[int]:
        """The numbers of the sentences of an article, in order, that say what happened in other
        years, with the next one of each, or what is always so; never the first one.
        """
        found = set()
        for point, last in zip(points[1:], points, strict=False):
            is_past = self._is_of_other_year(point.text) or self._goes_on(point.text, last.text)
            if is_past or _FORMS["always"].search(point.text):
                found.add(point.number)
        return frozenset(found)

    def _goes_on(self, text: str, last: str) -> bool:
        """Whether a sentence says more of what happened in another year."""
        return self._is_of_other_year(last) and _FORMS["news"].search(text) is None

    def _is_of_other_year(self, text: str) -> bool:
        """Whether all years that a sentence names are before those of the articles, and it says
        nothing of these.
        """
        named = {int(match["year"]) for match in _FORMS["in_year"].finditer(text)}
        is_before = bool(named) and max(named) < min(self.years, default=0)
        is_past = is_before or _FORMS["earlier"].match(text) is not None
        return is_past and _FORMS["news"].search(text) is None
