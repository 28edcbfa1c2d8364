"""The brief summary of a paper, an opinion of a court or a contract: its main sentences, under the
slots of its kind.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import inf

from ..documents.model import Document
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..quoting.context import names_rest
from ..quoting.scores import Scores
from ..summary.openings import without_gaps
from ..summary.summary import Summary, SummaryParagraph
from . import chances, contracts
from .kinds import COMPLAINT, CONTRACT, LESSON, ORDER, PAPER, Kind
from .lessons import items_apart
from .points import Place, Point, beginning, points_of
from .results import has_same_results, takes_back
from .sisters import ClauseLists, with_numbers

UNTITLED = ""  # the heading of a sentence that fits no slot
MANY = 1000  # sentences, more than a summary has
FEW = 100  # words of a summary with too few slots
TOLERANCE = 1.1  # share of a number of words that is not exceeded
NUMBER = re.compile(r"\d[\d.,]*")


class Brief:
    """Chooses the sentences of a brief summary."""

    def __init__(self, document: Document, options: GenerationOptions, kind: Kind = PAPER) -> None:
        self.document, self.kind, self._options = document, kind, options
        self.ranked: list[Point] = []  # all sentences, the best first
        self._chosen: dict[str, list[Point]] = {}
        self._lists = ClauseLists()

    @property
    def points(self) -> list[Point]:
        """The chosen sentences, slot by slot."""
        return [point for _, points in self._in_order() for point in points]

    def fits(self, pages: Pages) -> bool:
        """Whether the document has sentences for enough slots."""
        places = [
            (number, place)
            for number, page in enumerate(pages.pages)
            for place, sentence in enumerate(page.sentences)
            if sentence.is_quotable
        ]
        self.choose(pages, dict.fromkeys(places, 0.0))
        self._chosen.pop(UNTITLED, None)
        return self._filled >= self.kind.min_slots

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        points = points_of(pages, scores, {}, [self.document.title])
        beside = ClauseLists(beside=self.kind.beside(points, pages))
        has_lists = self.kind.binds or self.kind is ORDER
        self._lists = self.kind.lists(pages, points) if has_lists else beside
        self.ranked = sorted(points, key=lambda one: -one.score)
        learned = scores.of_kind(self.kind.learned) if isinstance(scores, Scores) else {}
        self._fill(self.ranked, self._by_slot(pages, learned))
        is_open = bool(learned) and self._options.sentences is None
        if is_open and self._filled < self.kind.min_slots:
            self._chosen[UNTITLED] = self._others()
        elif not any(self._chosen.values()):  # no sentence fits a slot
            self._chosen[UNTITLED] = self.ranked[:1]
        return [point.place for point in self.points]

    @property
    def _filled(self) -> int:
        """Number of slots with a sentence."""
        return sum(map(bool, self._chosen.values()))

    def _by_slot(
        self, pages: Pages, learned: Mapping[str, Mapping[Place, float]]
    ) -> dict[str, list[Point]]:
        """The sentences that may fill each slot, the best first."""
        by_words = self.kind.fitting(self.ranked, pages)
        strange = set(self.kind.strange(pages))
        claimed = strange | set(self.kind.claims(pages))
        likely = {
            slot: self._allowed(slot, found, claimed if slot in self.kind.findings else strange)
            for slot, found in learned.items()
            if not any(map(by_words.get, self.kind.certain.get(slot, ())))
        }
        whole = self.kind.weights(self.ranked)
        weights = {
            one.place: self.kind.weight(one) + whole.get(one.place, 0.0) for one in self.ranked
        }
        return chances.fitting(self.ranked, by_words, likely, weights)

    def _allowed(
        self, slot: str, found: Mapping[Place, float], barred: Collection[Place]
    ) -> dict[Place, float]:
        """Of the sentences that were found likely in a slot, those that have a place there."""
        known = (one for one in self.ranked if one.place in found and one.place not in barred)
        return {one.place: found[one.place] for one in known if not self.kind.excludes(slot, one)}

    def _others(self) -> list[Point]:
        """The best sentences for a summary with too few slots."""
        words = min(self._options.words or FEW, FEW)
        found: list[Point] = []
        for one in self.ranked:
            if one.stands and one.place not in {point.place for point in self.points}:
                found.append(one)
                words -= one.words
            if words <= 0:
                break
        return found or self.ranked[:1]

    def _fill(self, ranked: Sequence[Point], fitting: Mapping[str, Sequence[Point]]) -> None:
        """Choose the sentences of each slot, while words last."""
        self._chosen = {name: [] for name in self.kind.titles}
        words = (self._options.words or inf) * TOLERANCE
        left = self._options.sentences or MANY
        for role in self.kind.turns:
            if role == self.kind.listed:
                found = beginning(fitting.get(role, ()), left, words)
            else:
                found = self._best(role, fitting.get(role, ()), words) if left else []
            self._chosen[role] += found
            words, left = words - self._lists.words(found), left - len(found)
        if self._options.sentences is None:
            self._complete(ranked, self._define(ranked, words))

    def _define(self, ranked: Sequence[Point], words: float) -> float:
        """Add the definitions of limits that clauses name; returns the words that are left."""
        for chosen in self._chosen.values() if self.kind is CONTRACT else ():
            for one in contracts.definitions_of([point.text for point in chosen], ranked):
                if one not in self.points and one.words <= words:
                    chosen.append(one)
                    words -= one.words
        return words

    def _complete(self, points: Sequence[Point], words: float) -> None:
        """Add the sentences that complete a chosen one before them: "The other group …", or take
        it back: "However, as the early values differ, too, …".
        """
        rest = {one.place: one for one in points if self._completes(one.text)}
        for chosen in self._chosen.values():
            for point in tuple(chosen):
                page, number = point.place
                after = rest.pop((page, number + 1), None)
                if after and after.words <= words:
                    chosen.append(after)
                    words -= after.words
                elif after and takes_back(after.text) and len(self.points) > 1:
                    chosen.remove(point)

    def _completes(self, text: str) -> bool:
        """Whether a sentence may not be missing after the one before it."""
        return names_rest(text) or (self.kind.learned == PAPER.learned and takes_back(text))

    def _best(self, role: str, fitting: Sequence[Point], words: float) -> list[Point]:
        """The best sentence for a slot that is not quoted yet and says something new there, with
        the clauses that are quoted together with it; empty if there is none.
        """
        quoted = {one.place for points in self._chosen.values() for one in points}
        for one in fitting:
            is_new = one.words <= words and one.place not in quoted
            if is_new and not self._is_said(one, role):
                is_alone = self._is_alone(one, role)
                own = [one] if is_alone else self._lists.together(one, quoted, words)
                if own:
                    return own
        return []

    def _is_alone(self, point: Point, role: str) -> bool:
        """Whether a sentence is quoted without those that belong to it."""
        is_apart = role in self.kind.apart and bool(self._lists.of(point))
        return is_apart or self._options.sentences is not None

    def _is_said(self, point: Point, role: str) -> bool:
        """Whether what is chosen for a slot, or for the one that it goes beyond, says the same."""
        less = self._chosen.get(self.kind.beyond.get(role, ""), ())
        return point.is_within(less) or self._is_known(point, self._chosen[role])

    def _is_known(self, point: Point, known: Sequence[Point]) -> bool:
        """Whether some sentences say what another one does; another number in a clause is new."""
        numbers = NUMBER.findall(point.text)
        if self.kind.binds:
            known = [one for one in known if NUMBER.findall(one.text) == numbers]
        elif self.kind is not COMPLAINT and has_same_results(
            point.text, [one.text for one in known]
        ):
            return True
        return point.repeats(known)

    def _in_order(self) -> Iterator[tuple[str, list[Point]]]:
        notes = self.kind.notes(self.document, self._chosen)
        for role, points in self._chosen.items():
            title = self.kind.titles.get(role, UNTITLED)
            title += f" ({notes[role]})" if role in notes else ""
            if points:
                yield title, sorted(points, key=lambda one: one.place)

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences, with a heading for each role."""
        numbers = iter(range(len(summary.sentences)))
        summary = without_gaps(summary)  # slots do not have the order of the text
        summary = with_numbers(summary, self._lists)
        paragraphs = [
            SummaryParagraph(title, tuple(next(numbers) for _ in points))
            for title, points in self._in_order()
        ]
        is_list = self.kind is LESSON
        return (items_apart if is_list else Summary.in_paragraphs)(summary, paragraphs)
