"""How well passages answer a question: BM25 over their words and those of their headings.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from .forms import OTHERS, QUESTION, ROW, STUB
from .questions import Concept, Question
from .store import Store

SATURATION, LENGTH_NORM = 1.2, 0.75  # k1 and b of BM25
NEIGHBORS = {1: 0.35, 2: 0.15}
"""Shares of the scores of the sentences beside one that count for it, by distance."""
ANSWER_WEIGHT = 0.8
"""A sentence with what a question asks for (a number, a cause …) is better by this share."""
STRICT_WEIGHT = 1.6  # that share where no other sentence can answer: an amount, a deadline
QUESTION_WEIGHT = 0.7  # of a sentence that asks itself
STUB_WEIGHT = 0.6  # of a heading or an entry of a table of contents
ROW_WEIGHT = 0.8  # of a row of a table, where no number is asked for
OTHERS_WEIGHT = 0.6  # of a sentence that may report results of others, where a number is
OTHER_WEIGHT = 0.85  # of a sentence that cannot answer, where only a certain kind of sentence can
FAR_WEIGHT = 0.5  # … of one without a word of the question, or a similar one
WHOLE_WEIGHT = 0.5  # of a passage with all words of the question, beside one with few of them
SIMILAR_SHARE = 0.5  # of a word of the question that a similar one covers
OTHER_FORM = 0.3  # of a word with the stem of an activity, but of another form: "fish", "fishing"
NEEDED_SHARE = 0.4  # of an activity, which a passage on it has
LACKING_WEIGHT = 0.6  # of a passage that is not on the activity of the question
MIN_SHARE = 0.15  # a passage that is worse than this share of the best one is none
GRADED = 300  # passages in which the kind of answer is looked for


@dataclass(frozen=True)
class _Matches:
    """Where a word of a question is found."""

    rarity: float  # of the word; those of headings count less
    values: Mapping[int, float]  # the BM25 score of each passage: of the word that fits best
    shares: Mapping[int, float]  # how much of the word each covers: similar ones count less


def scores(question: Question, store: Store, count: int) -> tuple[dict[int, float], float]:
    """The score of each of the ``count`` passages asked for that may answer, 1 for the best; and
    the largest share of the question, weighted by rarity, that a passage covers.
    """
    if not count or not question.concepts:
        return {}, 0.0
    mean = store.mean_length()
    found: dict[int, float] = defaultdict(float)
    covered: dict[int, float] = defaultdict(float)
    own: dict[int, float] = defaultdict(float)
    needed: list[Mapping[int, float]] = []
    every = 0.0
    for concept in question.concepts:
        matches = _matches(concept, store, count, mean)
        every += matches.rarity
        needed += [matches.shares] * bool(concept.activity)
        for passage, value in matches.values.items():
            found[passage] += value
            own[passage] += matches.rarity * matches.shares[passage]
        for passage in store.occurrences(concept.stem):
            covered[passage] += matches.rarity
    whole = {one: WHOLE_WEIGHT * (value / every) ** 2 for one, value in own.items()}
    rated = _rated(question, store, found, whole)
    rated = {one: value * _weight_of(one, needed) for one, value in rated.items()}
    best = max(rated.values(), default=0.0)
    kept = {one: value / best for one, value in rated.items() if value >= MIN_SHARE * best}
    return kept, max(covered.values(), default=0.0) / every


def _weight_of(passage: int, needed: Iterable[Mapping[int, float]]) -> float:
    """What a passage counts by how much it has of each activity of the question."""
    has_all = all(shares.get(passage, 0.0) >= NEEDED_SHARE for shares in needed)
    return 1.0 if has_all else LACKING_WEIGHT


def _rated(
    question: Question, store: Store, found: Mapping[int, float], whole: Mapping[int, float]
) -> dict[int, float]:
    """The passages by their scores and by what they have of what is asked for; of several in a
    document with the same text, the best.

    Args:
        question: The question.
        store: The passages.
        found: The scores of those with a word of the question.
        whole: What they gain by having most of its words, where they may answer.
    """
    spread = _with_neighbors(found)
    places = store.places()
    ordered = sorted((one for one in spread if one in places), key=lambda one: -spread[one])
    grades = _grades(question, store, ordered[:GRADED])
    share = STRICT_WEIGHT if question.is_strict else ANSWER_WEIGHT
    weights = {QUESTION: QUESTION_WEIGHT, STUB: STUB_WEIGHT, **_weights(question)}
    others = _others(question, ordered, whole)
    rated: dict[int, float] = {}
    best: dict[int, int] = {}
    for one in ordered:
        first, form = places[one]
        graded = spread[one] if question.has_subject_beside else found.get(one, 0.0)
        value = spread[one] + share * grades.get(one, 0.0) * graded
        other = 1.0 if grades.get(one) else others.get(one, 1.0)
        gain = whole.get(one, 0.0) * (grades.get(one, 0.0) if question.is_strict else 1.0)
        rated[one] = value * weights.get(form, 1.0) * other * (1.0 + gain)
        same = best.setdefault(first, one)
        if (rated[same], -same) < (rated[one], -one):
            best[first] = one
    return {one: rated[one] for one in best.values()}


def _weights(question: Question) -> Mapping[str, float]:
    """What rows of tables and the results of others count for a question."""
    return {OTHERS: OTHERS_WEIGHT} if question.asks_for_numbers else {ROW: ROW_WEIGHT}


def _others(
    question: Question, passages: Iterable[int], covered: Iterable[int]
) -> Mapping[int, float]:
    """What passages without the kind of answer that is needed count; none if others answer, too.

    Args:
        question: The question.
        passages: The passages.
        covered: Those with a word of the question, or a similar one.
    """
    if not question.excludes_others:
        return {}
    return dict.fromkeys(passages, FAR_WEIGHT) | dict.fromkeys(covered, OTHER_WEIGHT)


def _grades(question: Question, store: Store, passages: Sequence[int]) -> dict[int, float]:
    """How well passages have the kind of answer that the question needs; none without a kind."""
    texts = store.texts(passages) if question.kinds else {}
    return {one: question.grade(text) for one, text in texts.items()}


def _matches(concept: Concept, store: Store, count: int, mean: float) -> _Matches:
    """Where a concept is found among ``count`` passages of a ``mean`` length."""
    values: dict[int, float] = {}
    shares: dict[int, float] = {}
    own_rarity = 0.0
    others = _of_other_form(concept, store)
    for stem, weight in concept.variants.items():
        is_own = stem == concept.stem
        covers = 1.0 if concept.is_meant_by(stem) else SIMILAR_SHARE * weight
        places = store.occurrences(stem)
        having = sum(min(times, 1.0) for times, _ in places.values())
        rarity = math.log(1 + (count - having + 0.5) / (having + 0.5))
        own_rarity = rarity if is_own else own_rarity
        for passage, (times, length) in places.items():
            times *= OTHER_FORM if is_own and passage in others else 1.0
            norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * length / mean)
            value = concept.weight * weight * rarity * times * (SATURATION + 1) / (times + norm)
            values[passage] = max(values.get(passage, 0.0), value)
            share = min(times, 1.0) * covers
            shares[passage] = max(shares.get(passage, 0.0), share)
    return _Matches(own_rarity, values, shares)


def _of_other_form(concept: Concept, store: Store) -> Collection[int]:
    """The passages that have a word with the stem of an activity, but not the activity itself."""
    if not concept.activity:
        return ()
    return store.occurrences(concept.stem).keys() - store.having(concept.activity)


def _with_neighbors(found: Mapping[int, float]) -> dict[int, float]:
    spread: dict[int, float] = defaultdict(float, found)
    for passage, value in found.items():
        for distance, share in NEIGHBORS.items():
            spread[passage - distance] += share * value
            spread[passage + distance] += share * value
    return spread
