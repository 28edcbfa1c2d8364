"""Which sentences of a document a summary quotes, and which pages competed for each. Knows no
model.

The best sentences are chosen one after another: those that score most, that are understood where
they will stand, and that say something new.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.tfidf import TfIdf
from .candidates import MIN_TOKENS, STUB, UNUSUAL, WHOLE, Candidate
from .introductions import GOOD_FOR_NAME, Named, introductions
from .length import Target, tokens_of

POINTS_PENALTY = 0.25
"""A sentence scores this many standard deviations less for each unit of doubt, in logits, that it
is understood alone, unless it is quoted after the one before it.
"""

NO_DOUBT = 3.0
"""Logit of the probability that a sentence is understood alone, above which there is little doubt.
"""

SURE = 0.01  # the nearest that the probability comes to 0 and 1

TOLD_PENALTY = 0.4
"""Each quoted sentence of a document lowers the scores of its others by this many, so that a
summary covers more of a cluster.
"""

ALONE = 0.5
"""Probability that a sentence is understood alone, below which it is quoted only after the one
before it, or brings that along.
"""

SIMILAR = 0.3
"""A sentence is redundant where the cosine of its tokens, weighted by rarity, with those of a
quoted one is above this.
"""

REPEATED = 0.55
"""The same for sentences with new numbers, and for those that an editor chose, who has read them
side by side: of 2,060 pairs that editors quoted together, 1.9 % are above :data:`SIMILAR` and none
is above this.
"""

SAME = 0.99  # cosine from which on two rules of different documents are one

ABSTRACT_BONUS = 3.0
"""The sentences of an abstract that is quoted whole, since its author wrote it as a summary, score
this many standard deviations more.
"""

SUFFICES = 0.4
"""An abstract is quoted without another sentence where it has this share of the target length."""


@dataclass(frozen=True)
class Choice:
    """A selected sentence."""

    candidate: int  # its index among the candidates
    # ``(P,)``: the share of each page's sentences that could still be chosen, by score
    page_confidences: NDArray[np.float64]


class Selection:
    """Sentences selected one after another, the best first.

    Args:
        candidates: In document order.
        pages: ``P``.
        temperature: τ: p(sentence) ∝ exp(score / τ).
        known: Tokens of sentences that the reader knows: what is like them is redundant.
        named: What each candidate names: then a sentence brings along what introduces that.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        pages: int,
        temperature: float,
        known: Collection[Sequence[int]] = (),
        named: Sequence[Named] = (),
    ) -> None:
        self.candidates = candidates
        self.named = named
        self.apart = False  # whether a sentence competes only with those of its document
        self.pages = pages
        self.temperature = temperature
        self.selected: list[int] = []
        self.level = WHOLE
        # whether sentences are allowed that need one which is not quoted
        self.needs_context = False
        self._page = _column(candidates, "page", int)
        self._document = _column(candidates, "document", int)
        self._is_abstract = _column(candidates, "is_abstract", bool)
        self._scores = _column(candidates, "score", float)
        self._levels = _column(candidates, "level", int)
        alone, is_central = (
            _column(candidates, "alone", float),
            _column(candidates, "is_central", bool),
        )
        self._doubt = np.where(is_central, 0.0, doubt_of(alone))
        self._follows = _column(candidates, "follows", bool)
        self._follows[:1] = False
        self._points = (alone < ALONE) & ~is_central
        self._unit = float(np.std(self._scores)) or 1.0
        self._gains = np.zeros(len(candidates))
        self._alive = self._levels == WHOLE
        count = len(candidates)
        self._vectors = TfIdf.of([*(item.tokens for item in candidates), *known])
        self._similar = np.zeros(count)
        is_other = _column(candidates, "is_chosen", bool) | _column(candidates, "is_new", bool)
        self._redundant = np.where(is_other, REPEATED, SIMILAR)
        self._binds = _column(candidates, "binds", bool)
        for number in range(count, count + len(known)):
            self._cover(number)

    @property
    def is_cluster(self) -> bool:
        """Whether there are several documents."""
        return bool((self._document != self._document[:1]).any())

    def relax(self) -> bool:
        """Allow less eligible sentences from now on; False if all are allowed.

        First, while nothing is selected, those that need another sentence, then those of any
        length, then stubs.
        """
        if not self.selected and not self.needs_context:
            self.needs_context = True
        elif self.level < STUB:
            self.level += 1
        else:
            return False
        self._alive = self._levels <= self.level
        self._alive[self.selected] = False
        return True

    def best(self, room: float = inf, size: Callable[[Candidate], int] = tokens_of) -> list[int]:
        """The best sentence that can be chosen now, after the one that it brings along; empty if
        there is none that fits into the ``room``. An introduction that does not fit is left out.
        """
        values = np.where(self._alive, self._values(), -np.inf)
        for number in np.argsort(-values, kind="stable").tolist():
            if not self._alive[number]:
                break
            if self._similar[number] > self._redundant[number]:
                self._alive[number] = False
                continue
            unit = self._with_what_it_needs(number)
            for quotes in (self._introduced(unit), unit):
                if quotes and sum(size(self.candidates[one]) for one in quotes) <= room:
                    return quotes
        return []

    def choose(self, number: int) -> Choice:
        """Select a sentence; returns which pages competed for this choice."""
        choice = Choice(number, self._page_confidences(number))
        self.selected.append(number)
        self._alive[number] = False
        if self.is_cluster:
            self._gains[self._document == self._document[number]] -= TOLD_PENALTY * self._unit
        self._cover(number)
        return choice

    def abstract(self, limit: float, target: Target) -> list[int]:
        """The sentences of the abstract of a single document that can be quoted together; none for
        one alone, or if they are longer than the ``limit``.

        What points at the sentence before it is understood after that, under another label too.
        """
        numbers: list[int] = []
        for number in np.flatnonzero(self._is_abstract & (self._levels <= UNUSUAL)).tolist():
            is_understood = number - 1 in numbers or not self._points[number]
            if is_understood and len(self.candidates[number].tokens) >= MIN_TOKENS:
                numbers.append(number)
        if len(numbers) < 2 or self.is_cluster:
            return []
        length = target.size_of([self.candidates[number] for number in numbers])
        return numbers if length <= limit else []

    def prefer(self, numbers: Sequence[int]) -> None:
        """Let some sentences win against all others: the abstract."""
        self._gains[numbers] += ABSTRACT_BONUS * self._unit

    def _values(self) -> NDArray[np.float64]:
        """The score of each sentence where it would stand now."""
        brings_previous = self._points & self._brings_previous()
        doubt = np.where(brings_previous, np.roll(self._doubt, 1), self._doubt)
        doubt[self._is_after_quote()] = 0
        return self._scores + self._gains - POINTS_PENALTY * self._unit * doubt

    def _is_after_quote(self) -> NDArray[np.bool_]:
        """Whether the sentence before each one in its paragraph is selected."""
        is_selected = np.zeros(len(self.candidates) + 1, dtype=bool)
        is_selected[[number + 1 for number in self.selected]] = True
        return self._follows & is_selected[:-1]

    def _with_what_it_needs(self, number: int) -> list[int]:
        """A sentence, after the one before it if it needs that; empty if it needs what cannot be
        quoted.
        """
        if not self._points[number] or self.needs_context or self._is_after_quote()[number]:
            return [number]
        return [number - 1, number] if self._brings_previous()[number] else []

    def _introduced(self, unit: list[int]) -> list[int]:
        """A sentence after the one before it, if it leans on that, or after the one that introduces
        what it names; else as it was.
        """
        if not self.named or len(unit) != 1:
            return unit
        number = unit[0]
        shown = [other for other in self.selected if other < number]
        leans = self.candidates[number].leans and self._follows[number]
        before = [(number - 1, GOOD_FOR_NAME)] if leans else []
        for first, good in chain(before, introductions(self.named, number, shown)):
            if self._scores[first] >= good and self._can_introduce(first, number):
                return [first, number]
        return unit

    def _can_introduce(self, first: int, number: int) -> bool:
        """Whether a sentence can be quoted by itself before another one of its document, and does
        not say the same.
        """
        is_open = self._alive[first] and not self._points[first]
        is_new = self._similar[first] <= self._redundant[first]
        is_other = first < number and self._vectors.similarities(number)[first] <= SIMILAR
        return bool(is_open and is_new and is_other)

    def _brings_previous(self) -> NDArray[np.bool_]:
        """Whether the sentence before each one in its paragraph can be quoted, and stands alone."""
        can_be_quoted = self._alive & ~self._points & (self._similar <= self._redundant)
        return self._follows & np.roll(can_be_quoted, 1)

    def _cover(self, number: int) -> None:
        """Remember what a sentence says: that of the author's abstract only outside of it, a rule
        only in its document.
        """
        similar = self._vectors.similarities(number)[: len(self.candidates)]
        if number < len(self.candidates) and self._is_abstract[number]:
            similar = np.where(self._is_abstract, 0.0, similar)
        if number < len(self.candidates) and self._binds[number]:
            is_other = self._document != self._document[number]
            similar = np.where(self._binds & is_other & (similar < SAME), 0.0, similar)
        self._similar = np.maximum(self._similar, similar)

    def _page_confidences(self, number: int) -> NDArray[np.float64]:
        is_understood = ~self._points | self._is_after_quote() | self._brings_previous()
        is_understood |= self.needs_context
        is_open = self._alive & is_understood & (self._similar <= self._redundant)
        if self.apart:
            is_open &= self._document == self._document[number]
        is_open[number] = True
        scores = np.where(is_open, self._scores + self._gains, -np.inf) / self.temperature
        weights = np.exp(scores - scores.max())
        confidences = np.bincount(self._page, weights, self.pages)
        return confidences / confidences.sum()


def doubt_of(alone: NDArray[np.float64]) -> NDArray[np.float64]:
    """How doubtful it is that sentences are understood alone, from the probability that they are:
    about 0 for a logit above :data:`NO_DOUBT`, and what is missing to it below.
    """
    sure = log(1 - SURE) - log(SURE)
    probabilities = alone.clip(SURE, 1 - SURE)
    logits = np.log(probabilities) - np.log1p(-probabilities)
    return np.logaddexp(0.0, NO_DOUBT - logits) - np.logaddexp(0.0, NO_DOUBT - sure)


def select_sentences(
    selection: Selection, target: Target, *, whole_abstract: bool = True
) -> list[Choice]:
    """Select the best sentences, none like another, that come nearest to the target length.

    An abstract that has about this length is selected as its author wrote it, unless
    ``whole_abstract`` is false. Short or long sentences are also selected where a length was asked
    for that the others do not reach; fragments and what is not about the subject only where there
    is nothing else.

    Returns:
        The choices in document order; at least one, even if none fits.
    """
    if not selection.candidates:
        return []
    abstract = selection.abstract(target.limit_of_beginning, target) if whole_abstract else []
    selection.prefer(abstract)
    choices = [selection.choose(number) for number in abstract]
    is_told = abstract and not target.is_exact
    if not is_told or _length(selection, target) < SUFFICES * target.length:
        while unit := _next(selection, target):
            choices += map(selection.choose, unit)
    if not choices:
        usual = min(selection.candidates, key=lambda item: (item.level, -item.score))
        choices = [selection.choose(selection.candidates.index(usual))]
    return sorted(choices, key=lambda choice: choice.candidate)


def _next(selection: Selection, target: Target) -> list[int]:
    """The sentences to select next; empty where the target is met."""
    length = _length(selection, target)
    unit = _best(selection, target)
    size = _length(selection, target, unit)
    if not selection.selected:
        return unit
    if length + size > target.limit:
        return _fitting(selection, target, length)
    return [] if target.is_enough(length, size) else unit


def _best(selection: Selection, target: Target) -> list[int]:
    """The best sentences, of a higher level where there are no others and more are wanted.

    The first sentences fit the limit, unless none fits a length that was asked for.
    """
    while not (unit := _best_of_level(selection, target)):
        if not _may_relax(selection, target) or not selection.relax():
            return []
    return unit


def _may_relax(selection: Selection, target: Target) -> bool:
    """Whether less eligible sentences are better than none."""
    if selection.selected:
        return target.is_exact and selection.level == WHOLE
    has_whole = min(item.level for item in selection.candidates) < STUB
    return not has_whole or selection.level < UNUSUAL


def _best_of_level(selection: Selection, target: Target) -> list[int]:
    if selection.selected:
        return selection.best(inf, target.size)
    unit = selection.best(target.limit, target.size)
    return unit if unit or not target.is_exact else selection.best(inf, target.size)


def _fitting(selection: Selection, target: Target, length: float) -> list[int]:
    """The best sentences that do not exceed a length that was asked for and is not met."""
    if not target.is_exact or target.is_met(length):
        return []
    unit = selection.best(target.limit - length, target.size)
    is_enough = target.is_enough(length, _length(selection, target, unit))
    return [] if is_enough else unit


def _length(selection: Selection, target: Target, numbers: Sequence[int] | None = None) -> float:
    """The length of some sentences; by default, of those that are selected."""
    numbers = selection.selected if numbers is None else numbers
    return target.size_of([selection.candidates[number] for number in numbers])


def _column(candidates: Sequence[Candidate], name: str, kind: type) -> NDArray[Any]:
    """A field of each candidate."""
    return np.array([getattr(item, name) for item in candidates], dtype=kind)
