"""How relevant each sentence is to a question or topic.

Words decide (BM25, Robertson & Zaragoza, 2009), and what kind of answer is asked for; similar words
count for those that the document hardly has. Of 60 questions and topics to 20 documents that
nothing was fitted to, an answer is among the five most relevant sentences for 75 %, by BM25 alone
for 72 % (mean reciprocal rank 0.59 and 0.52; for topics in other words than the document's, 0.35
and 0.23): ``tests/benchmarks/focus.py``. The mean embedding of the words counts only where no word
of the topic occurs.
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...documents.model import Sentence
from ...quoting.candidates import STUB, Candidate
from ...text.words import STOP_WORDS, stem, stems_of, words_of
from ...tokenization import PageTokenizer

Array = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Array]
"""Embeds words, ``(words, D)``, each of length 1."""

ASKING = frozenset("how what why who whom whose did does is are was were much many".split())  # noqa: SIM905
"""Words of a question that its answer does not have."""

SATURATION, LENGTH_NORM = 1.2, 0.75  # k1 and b of BM25

NEIGHBORS = (0.05, 0.15, 0.6, 0.15, 0.05)
"""Weights of a sentence and its neighbors: what stands beside a relevant sentence is often relevant
too.
"""

# a sentence with what a question asks for (a number, a cause …) is more relevant by this share
ANSWER_WEIGHT = 0.5

COVERED = 0.3
"""Share of the words of a focus, weighted by rarity, below which it is doubtful that a sentence is
about it.
"""

RARE, SIMILAR, SIMILAR_WORDS, SIMILAR_WEIGHT = 3, 0.4, 2, 0.7
"""Words of a focus in so many sentences or fewer stand for the words of the document that are most
similar, too: the least cosine of their embeddings, number of such words, and their weight."""

# a sentence less relevant than this share of the most relevant one is not relevant
MIN_SHARE = 0.25

CENTRAL_SHARE = 0.5
"""A sentence of this relevance is selected even if it refers back to the sentence before; a less
relevant one is not quoted to fill a length."""

SHORT = 0.8  # share of the usual length; a shorter summary is reported as short

# weight of the relevance of 0 to 1, in standard deviations of the sentences' scores
FOCUS_WEIGHT = 10.0

TINY = 1e-8  # the least length that a vector is divided by


@cache
def _answers() -> list[tuple[re.Pattern[str], re.Pattern[str], tuple[str, ...]]]:
    """What questions look like, what their answers do, and words that these have."""
    data = tomllib.loads(Path(__file__).with_name("focus.toml").read_text(encoding="utf-8"))
    return [
        (
            re.compile(each["asked"], re.IGNORECASE),
            re.compile(each["answer"]),
            tuple(each.get("words", "").split()),
        )
        for each in data["answers"]
    ]


def topic_words(text: str) -> list[str]:
    """The stems of the words that carry meaning; of all words if none does."""
    words = words_of(text)
    return stems_of(
        [word for word in words if word not in STOP_WORDS and word not in ASKING] or words
    )


class WordVectors:
    """The embeddings of words by those of their tokens.

    Args:
        rows: Gives the embeddings of tokens ``(n, D)``.
        center: Their mean over the vocabulary ``(D,)``.
        tokenizer: The model's.
    """

    def __init__(
        self, rows: Callable[[Sequence[int]], Array], center: Array, tokenizer: PageTokenizer
    ) -> None:
        self.rows, self.center, self.tokenizer = rows, center, tokenizer

    def words(self, words: Sequence[str]) -> Array:
        """Each word, less the center of all tokens: ``(words, D)`` of length 1."""
        means = [self.mean(self.tokenizer.encode(f" {word}")[1:-1]) - self.center for word in words]
        vectors = np.stack(means)
        return (vectors / np.maximum(_lengths(vectors), TINY)).astype(np.float32)

    def mean(self, tokens: Sequence[int]) -> Array:
        """The mean of some tokens ``(D,)``; of none, the center of all."""
        return self.rows(tokens).mean(0) if len(tokens) else self.center


def _lengths(vectors: Array) -> Array:
    """The Euclidean length of each vector ``(n, D)``, ``(n, 1)``."""
    return np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)


def focused(
    candidates: Sequence[Candidate], sentences: Sequence[Sentence], focus: str, vectors: WordVectors
) -> tuple[list[Candidate], list[str]]:
    """Candidates scored by how relevant they are to a focus, and what is unusual about that."""
    texts = [f"{item.heading} {item.text}" for item in sentences]
    relevance, covered = relevance_by_words(focus, texts, vectors.words)
    if not relevance.any():
        tokens = [
            vectors.tokenizer.encode(f" {focus}")[1:-1],
            *(item.tokens for item in candidates),
        ]
        means = np.stack([vectors.mean(ids) for ids in tokens])
        relevance = relevance_by_meaning(means[0], means[1:])
    scores = combined(relevance, np.array([item.score for item in candidates], np.float32)).tolist()
    found = [
        replace(
            item,
            score=score,
            level=item.level if share >= CENTRAL_SHARE else STUB,
            is_central=share >= CENTRAL_SHARE,
        )
        for item, score, share in zip(candidates, scores, relevance.tolist(), strict=True)
    ]
    return found, list(_notes(focus, covered))


def _notes(focus: str, covered: float) -> Iterator[str]:
    if not covered:
        yield (
            f"nothing in the document is about {focus!r}: the quotes are only similar in meaning"
        )
    elif covered < COVERED:
        yield (
            f"few words of the focus {focus!r} occur in a sentence: the quotes may be about "
            f"something else"
        )


def relevance_by_words(
    focus: str, sentences: Sequence[str], embed: Embed | None = None
) -> tuple[Array, float]:
    """BM25 of each sentence and its neighbors for the words of the focus, ``(M,)``, 1 for the most
    relevant; and the largest share of the focus that a sentence covers.

    Where the focus asks for something (how much, why, which limits), sentences that have it count
    more.

    Args:
        focus: The question or topic.
        sentences: ``M``.
        embed: Embeds words, so that similar words count for those that the document hardly has.
    """
    if not sentences:
        return np.zeros(0, np.float32), 0.0
    asked = [(answer, words) for question, answer, words in _answers() if question.search(focus)]
    answers = [answer for answer, _ in asked]
    topic = set(topic_words(focus))
    if not topic:
        return np.zeros(len(sentences), np.float32), 0.0
    words = [topic_words(sentence) for sentence in sentences]
    frequency = Counter(word for item in words for word in set(item))
    weights = {stem: 1.0 for _, given in asked for stem in stems_of(given)}
    weights |= dict.fromkeys(topic, 1.0)
    if embed is not None:
        weights |= _similar_words(focus, sentences, frequency, embed)
    rarity = {word: _rarity(frequency[word], len(words)) for word in weights}
    values = {word: weight * rarity[word] for word, weight in weights.items()}
    scores = [
        score * (1 + ANSWER_WEIGHT * any(answer.search(sentence) for answer in answers))
        for score, sentence in zip(_bm25(words, values), sentences, strict=True)
    ]
    known = {word: rarity[word] for word in topic}
    covered = max(sum(known[word] for word in known.keys() & item) for item in map(set, words))
    return _shares(_with_neighbors(scores)), covered / sum(known.values())


def _rarity(frequency: int, count: int) -> float:
    """How much a word that so many of the sentences have says."""
    return math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))


def _bm25(sentences: Sequence[Sequence[str]], values: Mapping[str, float]) -> list[float]:
    """The score of each sentence by its words and their values."""
    mean = sum(map(len, sentences)) / len(sentences) or 1.0
    scores = []
    for words in sentences:
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * len(words) / mean)
        counts = Counter(word for word in words if word in values)
        parts = (
            values[word] * count * (SATURATION + 1) / (count + norm)
            for word, count in counts.items()
        )
        scores.append(sum(parts))
    return scores


def _with_neighbors(scores: Sequence[float]) -> Array:
    """Scores ``(M,)``, each averaged with its neighbors."""
    padded = np.pad(np.array(scores, np.float32), len(NEIGHBORS) // 2)
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(NEIGHBORS))
    return windows @ np.array(NEIGHBORS, np.float32)


def _similar_words(
    focus: str, sentences: Sequence[str], frequency: Counter[str], embed: Embed
) -> dict[str, float]:
    """Stems of the document's words that are similar to words of the focus that it hardly has, with
    their weights.
    """
    topic = set(topic_words(focus))
    asked = [word for word in words_of(focus) if stem(word) in topic]
    asked = [word for word in asked if frequency[stem(word)] <= RARE]
    words = (word for sentence in sentences for word in words_of(sentence) if word.isalpha())
    known = {stem(word): word for word in words}
    left_out = set(map(stem, asked))
    others = [
        one
        for one, word in known.items()
        if len(one) > 2 and word not in STOP_WORDS and one not in left_out
    ]
    if not asked or not others:
        return {}
    cosines = embed(asked) @ embed([known[one] for one in others]).T
    found: dict[str, float] = {}
    for row in cosines:
        for place in (-row).argsort(kind="stable")[:SIMILAR_WORDS].tolist():
            value, word = float(row[place]), others[place]
            if value > SIMILAR:
                found[word] = max(found.get(word, 0.0), SIMILAR_WEIGHT * value)
    return found


def relevance_by_meaning(focus: Array, sentences: Array) -> Array:
    """Cosine of each sentence's mean embedding with that of the focus, both less the document's
    mean, ``(M,)``, 1 for the most relevant.
    """
    mean = sentences.mean(0)
    topic, others = focus - mean, sentences - mean
    lengths = np.maximum(_lengths(others)[:, 0] * np.linalg.norm(topic), TINY)
    return _shares(others @ topic / lengths)


def combined(relevance: Array, scores: Array) -> Array:
    """Relevance first, and among equally relevant sentences the model's scores, ``(M,)``."""
    spread = max(float(scores.std()), 1e-6)
    own = (scores - scores.mean()) / spread
    return (FOCUS_WEIGHT * relevance + own).astype(np.float32)


def _shares(relevance: Array) -> Array:
    shares = relevance.clip(min=0) / max(float(relevance.max()), 1e-9)
    return np.where(shares >= MIN_SHARE, shares, 0).astype(np.float32)
