"""Which words of a question are in no passage near an answer of the kind that it asks for."""

import math
from collections.abc import Collection, Mapping, Sequence

from ..text.words import words_of
from .questions import Concept, Question, content_words
from .store import Store, stems_of

LOOKED_AT = 300  # passages, best first, that may have the kind of answer
FULL_GRADE = 1.0  # of a passage that has it
NEAR_MEANING = 0.25  # weight of a similar word that may stand for one of the question
STEPS = (-1, 0, 1)  # from a passage to one that is near it
LEAST_SHARE = 0.45  # of the words of a question, weighted by rarity, that an answer has near it
MAX_COVERED = 0.4
"""Share of these words that a passage of any kind has, from which on the question is taken to be
about something in the documents.
"""


def words_lacking(
    question: Question, store: Store, scores: Mapping[int, float], covered: float
) -> tuple[str, ...]:
    """The words of a question that no passage has near an answer of the kind that it asks for, or
    not all of them, if these are most of what it is about: "barking", where every fine is one for
    something else. Empty if it asks for no certain kind.
    """
    asked = _subject(question)
    if covered >= MAX_COVERED or not question.kinds or not asked:
        return ()
    ordered = sorted(scores, key=lambda one: -scores[one])[:LOOKED_AT]
    answers = _answers(question, store, ordered)
    count = len(store.places())
    near = {one.stem: _near(one, store) for one in asked}
    rarity = {one.stem: _rarity(len(store.occurrences(one.stem)), count) for one in asked}
    if _most(answers, near, rarity) >= LEAST_SHARE * sum(rarity.values()):
        return ()
    lacking = {stem for stem, places in near.items() if places.isdisjoint(answers)}
    return _words(question, lacking or near.keys())


def _most(
    answers: Collection[int], near: Mapping[str, Collection[int]], rarity: Mapping[str, float]
) -> float:
    """The largest sum of the rarities of the words that are near an answer."""
    shares = (
        sum(rarity[stem] for stem, places in near.items() if answer in places) for answer in answers
    )
    return max(shares, default=0.0)


def _subject(question: Question) -> list[Concept]:
    """What a question is about, without the words that only name the kind of answer."""
    named = {word for kind in question.kinds for word in kind.words}
    stems = set(stems_of(sorted(named)))
    return [one for one in question.concepts if one.stem not in stems]


def _answers(question: Question, store: Store, passages: Sequence[int]) -> set[int]:
    """The passages that have the kind of answer."""
    texts = store.texts(passages)
    return {one for one, text in texts.items() if question.grade(text) >= FULL_GRADE}


def _near(concept: Concept, store: Store) -> set[int]:
    """The passages beside one that has a word, or one of similar meaning."""
    stems = [stem for stem, weight in concept.variants.items() if weight >= NEAR_MEANING]
    found = {place for stem in stems for place in store.occurrences(stem)}
    return {place + step for place in found for step in STEPS}


def _rarity(having: int, count: int) -> float:
    """What a word counts that so many passages of all have."""
    return math.log(1 + (count - having + 0.5) / (having + 0.5))


def _words(question: Question, stems: Collection[str]) -> tuple[str, ...]:
    """The words of a question with some stems, in its order."""
    words = content_words(question.text) or words_of(question.text)
    found = zip(words, stems_of(words), strict=True)
    return tuple(word for word, stem in found if stem in stems)
