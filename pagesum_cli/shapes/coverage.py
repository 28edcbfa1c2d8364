"""The summary of several news articles on one event: what happened, what came of it, and what else
each says, in the order in which they were written; nothing twice.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import chain, dropwhile, zip_longest
from math import inf

from ..documents.model import Document
from ..documents.written import date_in
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..quoting.length import CLUSTER_SAVING, MAX_SHARE
from ..summary.summary import Summary, SummarySentence
from ..text.tables import table
from .background import Background
from .developments import SHARED, SHARED_LEAD, Days, agreeing, news_of, says_same
from .outdated import Outdated
from .points import MIN_SCORE, Place, Point, points_of
from .rivals import toll_in

WORDS = {"short": 30, "medium": 60, "long": 120}  # for a single article; see ``CLUSTER_SAVING``
TOLERANCE = 1.1  # share of a number of words that is not exceeded
LEADS = 3  # sentences of an article that say what happened
OFFERED = 4  # sentences that each article can add
FOLLOWING = 10  # days after an event when an article names it only in passing
SHORTEST, LONGEST = 6, 45  # words of a sentence that says an outcome or an amount

_AMOUNT = re.compile(
    r"[$£€]\s?\d|\b\d[\d,.]*(?: \w+)? (?:people|million|billion|percent|years|months)\b|\d%"
)
_ADDRESS = re.compile(r"(?i)https? ?:|www ?\.")
_CLOSING = ' "”’)'
_SPOKEN = re.compile(r"(?:We|I|Our|My|You|Since then|After that|As a result)\b")
"""How a quotation begins, or a sentence that follows another one."""


@dataclass(frozen=True)
class Article:
    """A news article: its sentences in their order."""

    points: Sequence[Point]
    lead: frozenset[str]  # the content words of its beginning
    background: frozenset[int]  # the numbers of the sentences that are not about the news

    @classmethod
    def of(cls, points: Sequence[Point], around: Background) -> "Article":
        """The article that has some sentences, without the lines above its text."""
        own = sorted(points, key=lambda one: one.place)
        own = [*dropwhile(_is_line, own)] or own
        lead = frozenset().union(*(one.content for one in own[:LEADS]))
        return cls(own, lead, around.numbers_in(own))

    def without(self, points: Collection[Point]) -> "Article":
        """The article without some sentences."""
        return replace(self, points=[one for one in self.points if one not in points])

    def is_news(self, point: Point) -> bool:
        """Whether a sentence is no background."""
        return point.number not in self.background

    def beginning(self, news: Point | None) -> Point | None:
        """What it says first besides the news: the best of its first sentences that stand alone; if
        none does, the first that needs no other.
        """
        first = [one for one in self.points[:LEADS] if one != news and self.is_news(one)]
        standing = [one for one in first if one.stands]
        best = max(standing, key=lambda one: one.score, default=None)
        return best or next(filter(_is_clear, first), None)


class Coverage:
    """Chooses the sentences of the summary of several articles."""

    def __init__(self, documents: Sequence[Document], options: GenerationOptions) -> None:
        self._documents, self._options = documents, options
        # the other articles that say the same as a quote, by its file and its offset there
        self._agreeing: dict[tuple[str, int], tuple[str, ...]] = {}

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        numbers = {one.name: number for number, one in enumerate(self._documents)}
        points = points_of(pages, scores, numbers, [one.title for one in self._documents])
        days = Days(self._documents, pages)
        articles = self._articles(points, days)
        outdated = Outdated([one.points for one in articles], pages, days)
        latest = _latest_toll([*chain.from_iterable(map(_leads_of, articles))], pages, days)
        articles = [one.without(outdated.points) for one in articles]
        points = [*chain.from_iterable(one.points for one in articles)]
        order = order_of(self._documents, articles)
        in_order = [articles[number] for number in order]
        leads = [*chain.from_iterable(map(_leads_of, in_order))]
        news = news_of(leads, days) or latest
        chosen = self._chosen(in_order, points, news, outdated.corrections)

        def when(one: Point) -> tuple[bool, date, int, Place]:
            return one != news, days.of(one), order.index(one.group), one.place

        for one in chosen:
            self._note_agreeing(one, points, pages)
        return [one.place for one in sorted(chosen, key=when)]

    def _articles(self, points: Sequence[Point], days: Days) -> list[Article]:
        """The articles that have some sentences."""
        own: list[list[Point]] = [[] for _ in self._documents]
        for one in points:
            own[one.group].append(one)
        return [Article.of(group, Background(days.years)) for group in own]

    def _note_agreeing(self, chosen: Point, points: Sequence[Point], pages: Pages) -> None:
        """Note the other articles that say the same as a chosen sentence."""
        page, number = chosen.place
        start = pages.pages[page].sentences[number].start
        names = (self._documents[other].name for other in sorted(agreeing(chosen, points)))
        self._agreeing[self._documents[chosen.group].name, start] = tuple(names)

    def _chosen(
        self,
        in_order: Sequence[Article],
        points: Sequence[Point],
        news: Point | None,
        corrections: Sequence[Point],
    ) -> list[Point]:
        """The sentences of articles in order that are quoted; a requested length is filled up
        with the best of all sentences.
        """
        corrections = list(filter(_is_clear, corrections))
        offered = [*filter(None, [news]), *corrections, *_offered(in_order, news)]
        if self._options.words or self._options.sentences or not offered:
            offered += sorted(points, key=lambda one: -one.score)
        return self._fitting(offered, sum(one.words for one in points), news)

    def _fitting(self, offered: Sequence[Point], size: int, news: Point | None) -> list[Point]:
        """The first sentences that say something new, within the length; the news is besides it,
        if none is requested.
        """
        words, sentences = self._most(size)
        words += news.words if news and self._options.words is None else 0
        chosen: list[Point] = []
        for one in offered:
            if one.words <= words and sentences and _is_new(one, chosen):
                chosen.append(one)
                words, sentences = words - one.words, sentences - 1
        return chosen or list(offered[:1])

    def _most(self, size: int) -> tuple[float, float]:
        """How many words and sentences the summary may have, of articles with so many words."""
        options = self._options
        if options.words is not None:
            return options.words * TOLERANCE, options.sentences or inf
        if options.sentences is not None:
            return inf, options.sentences
        usual = WORDS[options.length or "medium"] * len(self._documents) ** (1 - CLUSTER_SAVING)
        return min(usual * TOLERANCE, MAX_SHARE * size), inf

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences, each with the other articles that say the same."""
        return replace(summary, sentences=tuple(map(self._with_agreeing, summary.sentences)))

    def _with_agreeing(self, sentence: SummarySentence) -> SummarySentence:
        if sentence.source is None:
            return sentence
        place = sentence.source.file, sentence.source.start
        return replace(sentence, agreeing=self._agreeing.get(place, ()))


def order_of(documents: Sequence[Document], articles: Sequence[Article]) -> list[int]:
    """The numbers of articles in the order of their dates; if some are not known, of how long ago
    they say that the event was.
    """
    days = [date_in(one.origin) or date_in(one.name) for one in documents]
    known = [day for day in days if day]
    if len(known) == len(days):
        return sorted(range(len(days)), key=lambda number: known[number])
    event = _shared([one.lead for one in articles])
    lags = [_lag(one, event) for one in articles]
    return sorted(range(len(days)), key=lambda number: lags[number])


def _shared(leads: Sequence[frozenset[str]]) -> frozenset[str]:
    """The words with which more than half of several articles begin."""
    counts = Counter(word for lead in leads for word in lead if word.isalpha())
    return frozenset(word for word, count in counts.items() if 2 * count > len(leads))


def _is_new(point: Point, chosen: Sequence[Point]) -> bool:
    """Whether none of some sentences is the same as another one or says it."""
    share = SHARED_LEAD if point.number < LEADS else SHARED
    repeats = any(says_same(point, one, share) for one in chosen)
    return point not in chosen and not repeats


def _leads_of(article: Article) -> Iterator[Point]:
    """The sentences with which an article begins that can say the news."""
    first = filter(article.is_news, article.points[:LEADS])
    return filter(_is_clear, first)


def _latest_toll(leads: Sequence[Point], pages: Pages, days: Days) -> Point | None:
    """Of the first sentences of articles, the latest one that says how many died, without numbers
    below half of the largest; None if fewer than two articles say it.
    """
    tolls = {one: toll_in(pages.pages[one.place[0]].sentences[one.place[1]]) for one in leads}
    if len({one.group for one in leads if tolls[one]}) < 2:
        return None
    most = max(tolls.values())
    return max(
        (one for one in leads if 2 * tolls[one] >= most),
        key=lambda one: (days.of(one), tolls[one]),
    )


def _is_line(point: Point) -> bool:
    """Whether a sentence is a line above the text of an article, such as a title, an address or a
    date, and no whole sentence.
    """
    is_whole = point.text.rstrip(_CLOSING).endswith((".", "!", "?"))
    return not is_whole or point.words < SHORTEST or _ADDRESS.match(point.text) is not None


def _is_about(point: Point, event: frozenset[str]) -> bool:
    """Whether a sentence has several words of an event."""
    return len(point.content & event) > 1


def _is_clear(point: Point) -> bool:
    """Whether a sentence, also one with many numbers, is whole and needs no other."""
    is_whole = point.text[:1].isupper() and point.text.rstrip(_CLOSING).endswith(".")
    return is_whole and not point.needs_context and SHORTEST <= point.words <= LONGEST


def _is_told(point: Point) -> bool:
    """Whether the author of an article says a sentence, and needs none before it."""
    return not point.needs_context and not _SPOKEN.match(point.text)


def _lag(article: Article, event: frozenset[str]) -> float:
    """How many days before an article the event was, as its sentences on it say."""
    about = [one for one in article.points if _is_about(one, event)]
    found = [ago for one in about if (ago := days_ago(one.text)) is not None]
    is_news = any(one.number < LEADS - 1 for one in about)
    return found[0] if found else 0 if is_news else FOLLOWING


def days_ago(text: str) -> int | None:
    """How many days ago something was, as a sentence says; None if it does not."""
    forms = ((name, form) for name, (form,) in _forms()["ago"].items())
    days = table(__file__, "coverage.toml")["days"]
    return next((days[name] for name, form in forms if form.search(text)), None)


def outcome_rank(text: str) -> int | None:
    """How clearly a sentence says how a matter ended, 0 for the clearest; None if it does not, or
    says that it may.
    """
    if text.rstrip("\"”’')").endswith("?"):
        return None
    for number, form in enumerate(_forms()["says"]["outcome"]):
        found = form.search(text)
        if found and not _forms()["says"]["open"][0].search(text[: found.end()]):
            return number
    return None


@cache
def _forms() -> dict[str, dict[str, list[re.Pattern[str]]]]:
    data = table(__file__, "coverage.toml")
    says = {"open": [data["open"]], "outcome": data["outcome"]}
    ago = {name: [pattern] for name, pattern in data["ago"].items()}
    return {
        part: {name: [re.compile(one) for one in forms] for name, forms in lists.items()}
        for part, lists in (("says", says), ("ago", ago))
    }


def _offered(articles: Sequence[Article], news: Point | None) -> Iterator[Point]:
    """The sentences that a summary may have besides the news, the best first: how the first article
    begins, the latest outcome, how the last one begins and how the others do, and then what each
    says best.
    """
    event = _shared([one.lead for one in articles])
    begun = [one.beginning(news) for one in articles]
    yield from filter(None, begun[:1])
    yield from _outcomes(articles, event)[:1]
    yield from filter(None, [*begun[-1:], *begun[1:-1]])
    for turn in zip_longest(*(_best(one, event) for one in articles)):
        yield from filter(None, turn)


def _best(article: Article, event: frozenset[str]) -> list[Point]:
    """What an article says best: an amount of the event first."""
    ranked = sorted(filter(article.is_news, article.points), key=lambda one: -one.score)
    best = [one for one in ranked if one.is_whole and one.score > MIN_SCORE and _is_told(one)]
    clear = [one for one in ranked if _is_clear(one) and _is_about(one, event)]
    amounts = [one for one in clear if _AMOUNT.search(one.text)]
    amounts.sort(key=lambda one: -len(one.content & event))
    return [*amounts[:1], *best[:OFFERED]]


def _outcomes(articles: Sequence[Article], event: frozenset[str]) -> list[Point]:
    """The sentences that say how the event of several articles ended: the clearest first, and the
    latest of these.
    """
    found: list[tuple[int, int, Point]] = []
    for number, article in enumerate(articles):
        for one in filter(article.is_news, article.points):
            is_about = _is_about(one, event) and _is_clear(one)
            rank = outcome_rank(one.text) if is_about else None
            if rank is not None:
                found.append((rank, -number, one))
    found.sort(key=lambda one: (one[0], one[1], -len(one[2].content & event)))
    return [one for _, _, one in found]
