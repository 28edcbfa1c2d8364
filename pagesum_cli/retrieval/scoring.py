"""How well passages answer a question: BM25 over their words and those of their headings.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
"""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping

from .questions import Concept, Question
from .store import Store

SATURATION, LENGTH_NORM = 1.2, 0.75  # k1 and b of BM25
NEIGHBORS = {1: 0.35, 2: 0.15}
"""Shares of the scores of the sentences beside one that count for it, by distance."""
ANSWER_WEIGHT = 0.8
"""A sentence with what a question asks for (a number, a cause …) is better by this share."""
QUESTION_WEIGHT = 0.7  # of a sentence that asks itself
STUB_WEIGHT = 0.6  # of a heading or an entry of a table of contents
ENTRY_END = 20  # characters at its end by which an entry is recognized
_HEADING = re.compile(r"(?:[\d.]+ )?(?:[^\W\d][\w’'/&,-]*+(?: |$)){1,8}")
"""A few words without a number or a sign."""
_ENTRY = re.compile(r"(?:\.{3}|(?: \.){3}|…|\t)\s?\d{1,4}$")
"""The end of an entry of a table of contents."""
MIN_SHARE = 0.15  # a passage that is worse than this share of the best one is none
CANDIDATES = 1000  # passages whose texts are looked at
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
    rated = _rated(question, store, found)
    best = max(rated.values(), default=0.0)
    kept = {one: value / best for one, value in rated.items() if value >= MIN_SHARE * best}
    return kept, max(covered.values(), default=0.0) / every


def _rated(question: Question, store: Store, found: Mapping[int, float]) -> dict[int, float]:
    """The best passages, by their scores and by what they have of what is asked for; of several
    in a document with the same text, the best.
    """
    spread = _with_neighbors(found)
    ordered = sorted(spread, key=lambda one: -spread[one])[:CANDIDATES]
    texts = store.texts(ordered)
    rated: dict[int, float] = {}
    best: dict[tuple[int, str], int] = {}
    for rank, (one, (document, text)) in enumerate(texts.items()):
        grade = question.grade(text) if rank < GRADED else 0.0
        own = found.get(one, 0.0) * (1 + ANSWER_WEIGHT * grade)
        rated[one] = (own + spread[one] - found.get(one, 0.0)) * _weight(text)
        key = document, text.lower().rstrip(".")
        other = best.setdefault(key, one)
        if rated[other] < rated[one] or (rated[other] == rated[one] and other > one):
            best[key] = one
    return {one: rated[one] for one in best.values()}


def _weight(text: str) -> float:
    """How much a passage counts for its form."""
    if text.endswith("?"):
        return QUESTION_WEIGHT
    is_stub = _HEADING.fullmatch(text) or _ENTRY.search(text[-ENTRY_END:])
    return STUB_WEIGHT if is_stub else 1.0


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
            value = weight * rarity * times * (SATURATION + 1) / (times + norm)
            values[passage] = max(values.get(passage, 0.0), value)
    return own_rarity, own, values


def _with_neighbors(found: Mapping[int, float]) -> dict[int, float]:
    spread: dict[int, float] = defaultdict(float, found)
    for passage, value in found.items():
        for distance, share in NEIGHBORS.items():
            spread[passage - distance] += share * value
            spread[passage + distance] += share * value
    return spread
