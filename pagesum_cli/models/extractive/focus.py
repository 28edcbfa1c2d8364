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
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from ...text.words import STOP_WORDS, stem, stems_of, words_of

Embed = Callable[[Sequence[str]], Tensor]
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


def relevance_by_words(
    focus: str, sentences: Sequence[str], embed: Embed | None = None
) -> tuple[Tensor, float]:
    """BM25 of each sentence and its neighbors for the words of the focus, ``(M,)``, 1 for the most
    relevant; and the largest share of the focus that a sentence covers.

    Where the focus asks for something (how much, why, which limits), sentences that have it count
    more.

    Args:
        focus: The question or topic.
        sentences: ``M``.
        embed: Embeds words, so that similar words count for those that the document hardly has.
    """
    asked = [(answer, words) for question, answer, words in _answers() if question.search(focus)]
    topic = set(topic_words(focus))
    if not sentences:
        return torch.zeros(0), 0.0
    words = [topic_words(sentence) for sentence in sentences]
    mean = sum(map(len, words)) / len(words) or 1.0
    frequency = Counter(word for item in words for word in set(item))
    weights = dict.fromkeys(topic, 1.0)
    if embed is not None:
        weights |= _similar_words(focus, sentences, frequency, embed)
    weights = {stem: 1.0 for _, words in asked for stem in stems_of(words)} | weights
    rarity = {
        word: math.log(1 + (len(words) - frequency[word] + 0.5) / (frequency[word] + 0.5))
        for word in weights
    }
    scores, covered = [], 0.0
    for item, sentence in zip(words, sentences, strict=True):
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * len(item) / mean)
        counts = Counter(word for word in item if word in weights)
        parts = (
            weights[word] * rarity[word] * n * (SATURATION + 1) / (n + norm)
            for word, n in counts.items()
        )
        is_answer = any(answer.search(sentence) for answer, _ in asked)
        scores.append(sum(parts) * (1 + ANSWER_WEIGHT * is_answer))
        covered = max(covered, sum(rarity[word] for word in counts if word in topic))
    half = len(NEIGHBORS) // 2
    # (M, neighbors)
    padded = F.pad(torch.tensor(scores, dtype=torch.float), (half, half)).unfold(
        0, len(NEIGHBORS), 1
    )
    return _shares(padded @ torch.tensor(NEIGHBORS)), covered / sum(rarity[word] for word in topic)


def _similar_words(
    focus: str, sentences: Sequence[str], frequency: Counter[str], embed: Embed
) -> dict[str, float]:
    """Stems of the document's words that are similar to words of the focus that it hardly has, with
    their weights.
    """
    asked = [
        word
        for word in words_of(focus)
        if stem(word) in set(topic_words(focus)) and frequency[stem(word)] <= RARE
    ]
    known = {
        stem(word): word for sentence in sentences for word in words_of(sentence) if word.isalpha()
    }
    others = [
        one
        for one in known
        if len(one) > 2 and known[one] not in STOP_WORDS and one not in map(stem, asked)
    ]
    if not asked or not others:
        return {}
    cosines = embed(asked) @ embed([known[one] for one in others]).T
    found: dict[str, float] = {}
    for row in cosines:
        values, places = row.topk(min(SIMILAR_WORDS, len(others)))
        for value, place in zip(values.tolist(), places.tolist(), strict=True):
            if value > SIMILAR:
                found[others[place]] = max(found.get(others[place], 0.0), SIMILAR_WEIGHT * value)
    return found


def relevance_by_meaning(focus: Tensor, sentences: Tensor) -> Tensor:
    """Cosine of each sentence's mean embedding with that of the focus, both less the document's
    mean, ``(M,)``, 1 for the most relevant.
    """
    mean = sentences.mean(0)
    return _shares(F.cosine_similarity(sentences - mean, (focus - mean)[None]))


def combined(relevance: Tensor, scores: Tensor) -> Tensor:
    """Relevance first, and among equally relevant sentences the model's scores, ``(M,)``."""
    return FOCUS_WEIGHT * relevance + (scores - scores.mean()) / scores.std(correction=0).clamp(
        min=1e-6
    )


def _shares(relevance: Tensor) -> Tensor:
    shares = relevance.clamp(min=0) / relevance.max().clamp(min=1e-9)
    return shares * (shares >= MIN_SHARE)
