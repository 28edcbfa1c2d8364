"""Which sentences of a document a summary quotes, and which pages competed for each. Knows no
model.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import log

import numpy as np

from ...options import GenerationOptions
from ...text.tfidf import TfIdf

MIN_TOKENS, MAX_TOKENS = 8, 100
"""Tokens of an eligible sentence: shorter ones mean nothing alone, longer ones are mostly lists and
tables.
"""

MAX_OVERLAP = 0.4  # a sentence is redundant where this share of its token pairs was selected before

MAX_SHARED = 0.46
"""A sentence is also redundant where it shares this much with one selected sentence: of the
different tokens of the one that has less, weighted by rarity."""

MAX_REPEATED = 0.23
"""The same where there is an abstract, unless both are in it: what it says, the text says again. In
110 papers and proposals, 85 of 100 pairs that say the same share more than 0.25, and 18 of 100
others."""

MAX_SIMILAR = 0.33
"""And where the cosine of its tokens, weighted by rarity, with those of one selected sentence is
above this.
"""

DOCUMENT_PENALTY = 1.0
"""Each selected sentence of a document lowers the scores of its others, so that a summary covers
more of a cluster.
"""

# a sentence that refers to a figure, table or section of its document scores this much less
REFERENCE_PENALTY = 1.0

OTHERS_PENALTY = 1.0  # a sentence that tells what others found scores this much less

# a sentence of the abstract, which the author wrote as a summary, scores this much more
ABSTRACT_BONUS = 3.0
LEAD_BONUS = 3.0  # and so does the first one of news, and each decision in minutes
FIRST = 1000.0  # what is chosen first scores this much more
FINDING_BONUS, BACKGROUND_PENALTY = 0.6, 0.5
"""The probabilities that a sentence of a paper tells a finding, or background, change its score by
these times as much."""

KNOWN_PENALTY = 1.5  # by how much more background does outside of an abstract, where there is one

# an abstract is quoted whole where it is longer than the target by no more than this times the
# target
MAX_EXCESS = 1.5

SUFFICES = 0.4  # and without another sentence where it has this share of the target

# probability of a finding or a limitation above which a sentence is quoted beside an abstract
ADDS = 0.5
CLEAR = 0.25  # and the probability that it needs context, up to which it is

BEYOND = 1.5  # by how much more they do, and so do limitations, where the abstract is known

NEEDED = 0.5  # probability above which a sentence is only quoted after the one before it
CONTEXT_PENALTY = 2.0  # that probability lowers the score by this times as much

NEIGHBOR_BONUS = 1.0
"""In a text that is no paper, a selected sentence raises the scores of those beside it in its
paragraph: sentences that were written one after another are understood, and read well."""

TOLERANCE = 0.1  # a number of words that was asked for is met within this share of it

SCALES = {"short": 0.5, "medium": 1.0, "long": 2.0}
MAX_SHARE = 0.4  # maximum share of a short document that is quoted, unless more is asked for

LONG = 10_000
"""Tokens of a long document: predictions were learned from shorter ones. Summaries of longer ones
grow with the square root of their length."""

CLUSTER_SAVING = 0.2
"""The summary of a cluster is ``n ** -0.2`` times as long as those of its ``n`` documents together:
0.8 for three, 0.6 for twelve."""


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted."""

    page: int  # its page
    sentence: int  # its index among the page's sentences
    tokens: Sequence[int]  # its token ids
    score: float  # the model's score
    words: int = 1  # number of its words, with those of the lead-in that it completes
    citation_words: int = 0  # number of words of the citations that belong to it
    document: int = 0  # the document of a cluster that it is from
    is_eligible: bool = True  # whether it can stand in a summary by itself
    is_whole: bool = True  # whether it is a whole sentence about the subject, of any length
    # the probability that it points at something that it does not hold itself
    needs_context: float = 0.0
    is_central: bool = False  # whether it is quoted even then
    # whether the candidate before it is the sentence before it in its paragraph
    follows: bool = False
    # whether it refers to a figure, table or section that the summary does not show
    refers_away: bool = False
    is_others: bool = False  # whether it tells what others found
    is_aim: bool = False  # whether it tells the document's aim
    is_abstract: bool = False  # whether it is in the abstract
    # how near it is to the beginning of news, 0–1; 1 also for a decision in minutes
    lead: float = 0.0
    finding: float = 0.0  # the probability that it tells what a paper found
    limitation: float = 0.0  # the probability that it tells a limitation
    background: float = 0.0  # the probability that it tells what was known before
    is_key: bool = False  # whether it tells a finding with a number


@dataclass(frozen=True)
class Target:
    """How long a selection is, in tokens unless ``size`` says otherwise."""

    length: float  # the length to come nearest to
    min_length: float = 0  # selected in any case, whatever ``length`` says
    max_length: float = float("inf")  # limit
    # the length of a sentence
    size: Callable[[Candidate], int] = lambda candidate: len(candidate.tokens) + 1
    # whether the length was asked for: then the last sentence is one that fits
    is_exact: bool = False

    def spare_words(self, selected: Collection[Candidate]) -> float:
        """How many more words a selection can have."""
        size = sum(map(self.size, selected))
        words = sum(item.words for item in selected)
        return ((1 + TOLERANCE) * self.length - size) * words / max(size, 1)


def target_of(
    options: GenerationOptions,
    predicted: Sequence[float],
    candidates: Sequence[Candidate],
    max_predicted: int,
) -> Target:
    """The length of a summary of a document, or of a cluster of documents."""
    if options.words is not None:
        return Target(options.words, size=lambda candidate: candidate.words, is_exact=True)
    if options.sentences is not None:
        return Target(options.sentences, size=lambda candidate: 1, is_exact=True)
    tokens: Counter[int] = Counter()
    for item in candidates:
        tokens[item.document] += len(item.tokens) + 1
    sizes = [tokens[document] for document in sorted(tokens)]
    lengths = [
        min(length, max_predicted, MAX_SHARE * size) * max(1.0, size / LONG) ** 0.5
        for length, size in zip(predicted, sizes, strict=True)
    ]
    together = sum(lengths) * len(lengths) ** -CLUSTER_SAVING * distinct_share(candidates)
    length = SCALES[options.length or "medium"] * together
    limit = (
        options.max_length
        if options.max_length is not None
        else max((1 + MAX_EXCESS) * length, max_predicted)
    )
    return Target(length, options.min_length or 0, limit)


def distinct_share(candidates: Sequence[Candidate]) -> float:
    """The share of a cluster that no other document of it repeats: different pairs of tokens, over
    those of each.
    """
    pairs: dict[int, set[tuple[int, int]]] = {}
    for item in candidates:
        pairs.setdefault(item.document, set()).update(pairwise(item.tokens))
    total = sum(map(len, pairs.values()))
    return len(set().union(*pairs.values())) / total if total else 1.0


@dataclass(frozen=True)
class Choice:
    """A selected sentence."""

    candidate: int  # its index among the candidates
    # ``(P,)``: the share of each page's sentences that could still be chosen, by score
    page_confidences: np.ndarray


def is_eligible_length(tokens: Sequence[int]) -> bool:
    """Whether a sentence is neither a stub nor a list."""
    return MIN_TOKENS <= len(tokens) <= MAX_TOKENS


class Selection:
    """Sentences selected one after another, the best first.

    A sentence that refers back to the one before it brings that along: together they count as much
    as their mean.

    Args:
        candidates: In document order.
        pages: ``P``.
        temperature: τ.
        known: Pairs of tokens that the reader knows: what repeats them is redundant.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        pages: int,
        temperature: float,
        known: Collection[tuple[int, int]] = (),
    ) -> None:
        self.candidates = candidates
        self.apart = False  # whether a sentence competes only with those of its document
        self.pages = pages
        self.temperature = temperature
        self.selected: list[int] = []
        self.has_roles = any(map(_has_role, candidates))  # it is a paper
        self._page = np.array([item.page for item in candidates])
        self._document = np.array([item.document for item in candidates])
        self._is_abstract = np.array([item.is_abstract for item in candidates], dtype=bool)
        self._own_scores = np.array([_adjusted_score(item) for item in candidates], dtype=float)
        if self._is_abstract.any():  # it tells what was known before
            penalties = KNOWN_PENALTY * np.array([item.background for item in candidates])
            self._own_scores -= np.where(self._is_abstract, 0.0, penalties)
        self._levels = [
            np.array([item.is_eligible for item in candidates], dtype=bool),
            np.array([item.is_whole for item in candidates], dtype=bool),
            np.ones(len(candidates), dtype=bool),
        ]
        self.level = 0
        # whether sentences are allowed that need one which is not selected
        self.needs_context = False
        self._alive = self._levels[0].copy()
        self._needs_previous = np.array(
            [item.needs_context > NEEDED and not item.is_central for item in candidates]
        )
        self._needs_previous[:1] = False
        self._follows = np.array([item.follows for item in candidates], dtype=bool)
        self._brings_previous = self._needs_previous & self._follows
        self._brings_previous[1:] &= self._levels[1][:-1] & ~self._needs_previous[:-1]
        self._scores = self._own_scores.copy()
        for number in np.flatnonzero(self._brings_previous).tolist():
            pair = (number - 1, number)
            lengths = [len(candidates[item].tokens) + 1 for item in pair]
            self._scores[number] = np.average(self._own_scores[list(pair)], weights=lengths)
        self._is_key = np.array([item.is_key for item in candidates], dtype=bool)
        self._is_aim = np.array([item.is_aim for item in candidates], dtype=bool)
        # in an abstract
        told = np.isin(self._document, self._document[self._is_abstract & self._alive])
        adds = ~self._is_aim & np.array([_adds(item) for item in candidates])
        self._alive &= ~told | self._is_abstract | adds
        self._is_cluster = len(set(self._document.tolist())) > 1
        self._tokens = [set(item.tokens) for item in candidates]
        frequency = Counter(token for tokens in self._tokens for token in tokens)
        self._rarity = {
            token: log((len(candidates) + 1) / (count + 0.5)) for token, count in frequency.items()
        }
        self._rarities = [self._rarity_of(tokens) for tokens in self._tokens]
        self._vectors = TfIdf.of([item.tokens for item in candidates])
        self._similar = np.zeros(len(candidates))
        self._pairs = [set(pairwise(item.tokens)) for item in candidates]
        self._holders: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, pairs in enumerate(self._pairs):
            for pair in pairs:
                self._holders[pair].append(number)
        self._sizes_of_pairs = np.array([len(pairs) for pairs in self._pairs])
        self._covered = np.zeros(len(candidates))
        self._known: set[tuple[int, int]] = set()
        self._cover(known)

    def relax(self) -> bool:
        """Allow less eligible sentences from now on; False if all are allowed.

        First, while nothing is selected, those that need another sentence, then those of any
        length, then stubs.
        """
        if not self.selected and not self.needs_context:
            self.needs_context = True
            self._alive = self._levels[0].copy()
            return True
        if self.level + 1 == len(self._levels):
            return False
        self.level += 1
        self._alive = self._levels[self.level].copy()
        self._alive[self.selected] = False
        return True

    def best(
        self, max_size: float = float("inf"), size: Callable[[Candidate], int] | None = None
    ) -> list[int]:
        """The best sentence that can be chosen now, after the one that it brings along; empty if
        there is none.

        A finding with a number is the first one, if a paper has one, and the aim that its abstract
        tells the next.

        What is passed over because it is redundant, or refers to a sentence that is not selected,
        is never chosen.
        """
        scores = np.where(self._alive, self._scores, -np.inf)
        if not self._is_key[self.selected].any():
            scores[self._is_key & self._alive] += 2 * FIRST
        if not self._is_aim[self.selected].any():
            scores[self._is_aim & self._is_abstract & self._alive] += FIRST
        for number in np.argsort(-scores, kind="stable").tolist():
            if not self._alive[number]:
                break
            numbers = [number - 1, number] if self._is_pair(number) else [number]
            if size is not None and sum(size(self.candidates[item]) for item in numbers) > max_size:
                continue
            if self._allowed(number) and (len(numbers) == 1 or not self._is_redundant(number - 1)):
                return numbers
            self._alive[number] = False
        return []

    def choose(self, number: int) -> Choice:
        """Select a sentence; returns which pages competed for this choice."""
        choice = Choice(number, self._page_confidences(number))
        self.selected.append(number)
        self._alive[number] = False
        if self._needs_previous[number + 1 : number + 2].any():
            self._scores[number + 1] = self._own_scores[number + 1]
        for other in (number - 1, number + 1) if not self.has_roles else ():
            if self._follows[max(number, other) : max(number, other) + 1].any():
                understood = (
                    CONTEXT_PENALTY * self.candidates[other].needs_context * (other > number)
                )
                for scores in (self._scores, self._own_scores):
                    scores[other] += NEIGHBOR_BONUS + understood
        if self.candidates[number].is_aim:
            self._alive &= ~self._is_aim  # one sentence about the aim is enough
        if self._is_cluster:
            for scores in (self._scores, self._own_scores):
                scores[self._document == self._document[number]] -= DOCUMENT_PENALTY
        self._cover(self._pairs[number])
        similar = self._vectors.similarities(number)
        if self._is_abstract[number]:  # an author says nothing twice in it
            similar[self._is_abstract] = 0
        self._similar = np.maximum(self._similar, similar)
        return choice

    def abstract(self) -> list[int]:
        """The sentences of the abstract of a single document that can be quoted together; none for
        one alone.
        """
        numbers: list[int] = []
        for number in (
            np.flatnonzero(self._is_abstract & self._levels[1]).tolist()
            if not self._is_cluster
            else ()
        ):
            is_understood = not self._needs_previous[number] or number - 1 in numbers
            if is_understood and len(self.candidates[number].tokens) >= MIN_TOKENS:
                numbers.append(number)
        return numbers if len(numbers) > 1 else []

    def leave_out(self, number: int) -> None:
        """Never choose a sentence."""
        self._alive[number] = False

    def _cover(self, pairs: Collection[tuple[int, int]]) -> None:
        for pair in set(pairs) - self._known:
            self._known.add(pair)
            self._covered[self._holders.get(pair, [])] += 1

    def _is_pair(self, number: int) -> bool:
        """Whether a sentence brings the one before it along."""
        return bool(self._brings_previous[number]) and number - 1 not in self.selected

    def _allowed(self, number: int) -> bool:
        if self._is_redundant(number):
            return False
        is_understood = number - 1 in self.selected or not self._needs_previous[number]
        return bool(is_understood or self.needs_context or self._brings_previous[number])

    def _is_redundant(self, number: int) -> bool:
        if self._covered[number] > MAX_OVERLAP * self._sizes_of_pairs[number]:
            return True
        if self._similar[number] > MAX_SIMILAR:
            return True
        has_abstract = self._is_abstract.any()
        for item in self.selected:
            is_inside = not has_abstract or self._is_abstract[[number, item]].all()
            limit = MAX_SHARED if is_inside else MAX_REPEATED
            shared = self._rarity_of(self._tokens[number] & self._tokens[item])
            if shared > limit * min(self._rarities[number], self._rarities[item]):
                return True
        return False

    def _rarity_of(self, tokens: Collection[int]) -> float:
        return sum(self._rarity[token] for token in tokens)

    def _page_confidences(self, number: int) -> np.ndarray:
        redundant = self._covered > MAX_OVERLAP * self._sizes_of_pairs
        blocked = self._needs_previous & ~self._brings_previous & (not self.needs_context)
        blocked[[place + 1 for place in self.selected if place + 1 < len(blocked)]] = False
        open_ = self._alive & ~redundant & ~blocked
        if self.apart:
            open_ &= self._document == self._document[number]
        open_[number] = True
        scores = np.where(open_, self._scores, -np.inf) / self.temperature
        weights = np.exp(scores - scores.max())
        confidences = np.bincount(self._page, weights, self.pages)
        return confidences / confidences.sum()


def _adjusted_score(item: Candidate) -> float:
    bonus = (
        ABSTRACT_BONUS * item.is_abstract + LEAD_BONUS * item.lead + FINDING_BONUS * item.finding
    )
    penalties = REFERENCE_PENALTY * item.refers_away + OTHERS_PENALTY * item.is_others
    return (
        item.score
        + bonus
        - penalties
        - BACKGROUND_PENALTY * item.background
        - CONTEXT_PENALTY * item.needs_context
    )


def _adds(item: Candidate) -> bool:
    """Whether a sentence may add something to an abstract; any may, where roles are not known."""
    return item.needs_context <= CLEAR and (
        not _has_role(item) or max(item.finding, item.limitation) > ADDS
    )


def _has_role(item: Candidate) -> bool:
    return any((item.finding, item.limitation, item.background))


def _size(selection: Selection, target: Target, numbers: Collection[int]) -> int:
    return sum(target.size(selection.candidates[number]) for number in numbers)


def beyond_abstract(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates whose scores prefer what an abstract does not say: more findings, and
    limitations.
    """
    return [
        replace(
            item, score=item.score + BEYOND * (item.finding + item.limitation - item.background)
        )
        for item in candidates
    ]


def select_sentences(
    selection: Selection, target: Target, *, whole_abstract: bool = True
) -> list[Choice]:
    """Select the best sentences, none like another, that come nearest to the target length.

    An abstract that has about this length is selected as its author wrote it, unless
    ``whole_abstract`` is false; of a longer one the best sentences, or in a document that is no
    paper, its beginning.

    Short or long sentences are also selected where a length was asked for that the others do not
    reach; fragments and what is not about the subject only where there is nothing else.

    Returns:
        The choices in document order; at least one, even if none fits.
    """
    abstract = selection.abstract() if whole_abstract else []
    limit = min(
        (1 + (TOLERANCE if target.is_exact else MAX_EXCESS)) * target.length, target.max_length
    )
    if _size(selection, target, abstract) > limit:
        sizes = accumulate(_size(selection, target, [number]) for number in abstract)
        abstract = (
            [] if selection.has_roles else abstract[: sum(size <= target.length for size in sizes)]
        )
    length = float(_size(selection, target, abstract))
    choices = [selection.choose(number) for number in abstract]
    while not abstract or target.is_exact or length < SUFFICES * target.length:
        numbers = selection.best()
        if not numbers:
            if (
                choices and not (target.is_exact and selection.level == 0)
            ) or not selection.relax():
                break
            continue
        size = _size(selection, target, numbers)
        if target.is_exact and length + size > (1 + TOLERANCE) * target.length:
            gap = (1 + TOLERANCE) * target.length - length
            fitting = selection.best(gap, target.size)
            if fitting and target.length - length > TOLERANCE * target.length:
                numbers, size = fitting, _size(selection, target, fitting)
        is_enough = length >= target.min_length and length + size / 2 > target.length
        if length + size > target.max_length or (choices and is_enough):
            if choices:
                break
            selection.leave_out(numbers[-1])
            continue
        length += size
        choices += map(selection.choose, numbers)
    if not choices:
        choices = [
            selection.choose(
                max(range(len(selection.candidates)), key=lambda n: selection.candidates[n].score)
            )
        ]
    return sorted(choices, key=lambda choice: choice.candidate)
