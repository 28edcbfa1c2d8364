"""How well passages answer a question: BM25 over their words and those of their headings.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

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
FAR_WEIGHT = 0.5  # … of one without a word of the question
MIN_SHARE = 0.15  # a passage that is worse than this share of the best one is none
GRADED = 300  # passages in which the kind of answer is looked for


def scores(question: Question, store: Store, count: int) -> tuple[dict[int, float], float]:
    """The score of each of the ``count`` passages asked for that may answer, 1 for the best; and
    the largest share of the question, weighted by rarity, that a passage covers.
    """
    if not count or not question.concepts:
        return {}, 0.0
    mean = store.mean_length()
    found: dict[int, float] = defaultdict(float)
    covered: dict[int, float] = defaultdict(float)
    every = 0.0
    for concept in question.concepts:
        rarity, own, values = _concept_scores(concept, store, count, mean)
        every += rarity
        for passage, value in values.items():
            found[passage] += value
        for passage in own:
            covered[passage] += rarity
    rated = _rated(question, store, found, covered)
    best = max(rated.values(), default=0.0)
    kept = {one: value / best for one, value in rated.items() if value >= MIN_SHARE * best}
    return kept, max(covered.values(), default=0.0) / every


def _rated(
    question: Question, store: Store, found: Mapping[int, float], covered: Collection[int]
) -> dict[int, float]:
    """The passages by their scores and by what they have of what is asked for; of several in a
    document with the same text, the best.
    """
    spread = _with_neighbors(found)
    places = store.places()
    ordered = sorted((one for one in spread if one in places), key=lambda one: -spread[one])
    grades = _grades(question, store, ordered[:GRADED])
    share = STRICT_WEIGHT if question.is_strict else ANSWER_WEIGHT
    weights = {QUESTION: QUESTION_WEIGHT, STUB: STUB_WEIGHT, **_weights(question)}
    others = _others(question, ordered, covered)
    rated: dict[int, float] = {}
    best: dict[int, int] = {}
    for one in ordered:
        first, form = places[one]
        graded = spread[one] if question.has_subject_beside else found.get(one, 0.0)
        value = spread[one] + share * grades.get(one, 0.0) * graded
        other = 1.0 if grades.get(one) else others.get(one, 1.0)
        rated[one] = value * weights.get(form, 1.0) * other
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
        covered: Those with a word of the question.
    """
    if not question.excludes_others:
        return {}
    return dict.fromkeys(passages, FAR_WEIGHT) | dict.fromkeys(covered, OTHER_WEIGHT)


def _grades(question: Question, store: Store, passages: Sequence[int]) -> dict[int, float]:
    """How well passages have the kind of answer that the question needs; none without a kind."""
    texts = store.texts(passages) if question.kinds else {}
    return {one: question.grade(text) for one, text in texts.items()}


def _concept_scores(
    concept: Concept, store: Store, count: int, mean: float
) -> tuple[float, Collection[int], dict[int, float]]:
    """The rarity of a concept, the passages that have its own word, and its BM25 score for each
    passage: of the word that fits best.
    """
    values: dict[int, float] = {}
    own_rarity = 0.0
    own: Collection[int] = ()
    for stem, weight in concept.variants.items():
        places = store.occurrences(stem)
        rarity = math.log(1 + (count - len(places) + 0.5) / (len(places) + 0.5))
        if stem == concept.stem:
            own_rarity, own = rarity, places.keys()
        for passage, (times, length) in places.items():
            norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * length / mean)
            value = concept.weight * weight * rarity * times * (SATURATION + 1) / (times + norm)
            values[passage] = max(values.get(passage, 0.0), value)
    return own_rarity, own, values


def _with_neighbors(found: Mapping[int, float]) -> dict[int, float]:
    spread: dict[int, float] = defaultdict(float, found)
    for passage, value in found.items():
        for distance, share in NEIGHBORS.items():
            spread[passage - distance] += share * value
            spread[passage + distance] += share * value
    return spread
