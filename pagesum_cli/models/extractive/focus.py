"""How relevant each sentence is to a question or topic.

Words decide (BM25, Robertson & Zaragoza, 2009), because they proved far better than the encoder's states. With the
heading of a section as the topic, and no headings to read, 51 % of the five most relevant sentences by words are of
that section, 20 % by states, 15 % at random. The mean embedding of the words, from the encoder, counts only where no
word of the topic occurs (33 %).
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from ...text.words import STOP_WORDS, stems_of, words_of

ASKING = frozenset("how what why who whom whose did does is are was were much many".split())  # noqa: SIM905
"""Words of a question that its answer does not have."""

SATURATION, LENGTH_NORM = 1.2, 0.75  # k1 and b of BM25

NEIGHBORS = (0.05, 0.15, 0.6, 0.15, 0.05)
"""Weights of a sentence and its neighbors: what stands beside a relevant sentence is often relevant too."""

ANSWER_WEIGHT = 0.5  # a sentence with what a question asks for (a number, a cause …) is more relevant by this share

COVERED = 0.4
"""Share of the words of a focus, weighted by rarity, below which no sentence is about it."""

MIN_SHARE = 0.05  # a sentence less relevant than this share of the most relevant one is not relevant

CENTRAL_SHARE = 0.5  # a sentence of this relevance is selected even if it refers back to the sentence before

FOCUS_WEIGHT = 10.0  # weight of the relevance of 0 to 1, in standard deviations of the sentences' scores


@cache
def _answers() -> list[tuple[re.Pattern[str], re.Pattern[str], tuple[str, ...]]]:
    """What questions look like, what their answers do, and words that these have."""
    data = tomllib.loads(Path(__file__).with_name("focus.toml").read_text(encoding="utf-8"))
    return [
        (re.compile(each["asked"], re.IGNORECASE), re.compile(each["answer"]), tuple(each.get("words", "").split()))
        for each in data["answers"]
    ]


def topic_words(text: str) -> list[str]:
    """The stems of the words that carry meaning; of all words if none does."""
    words = words_of(text)
    return stems_of([word for word in words if word not in STOP_WORDS and word not in ASKING] or words)


def relevance_by_words(focus: str, sentences: Sequence[str]) -> tuple[Tensor, float]:
    """BM25 of each sentence and its neighbors for the words of the focus, ``(M,)``, 1 for the most relevant; and the
    largest share of the focus that a sentence covers.

    Where the focus asks for something (how much, why, which limits), sentences that have it count more.
    """
    asked = [(answer, words) for question, answer, words in _answers() if question.search(focus)]
    topic = set(topic_words(focus))
    others = {stem for _, words in asked for stem in stems_of(words)} - topic
    if not sentences:
        return torch.zeros(0), 0.0
    words = [topic_words(sentence) for sentence in sentences]
    mean = sum(map(len, words)) / len(words) or 1.0
    frequency = Counter(word for item in words for word in (topic | others).intersection(item))
    rarity = {
        word: math.log(1 + (len(words) - frequency[word] + 0.5) / (frequency[word] + 0.5)) for word in topic | others
    }
    scores, covered = [], 0.0
    for item, sentence in zip(words, sentences, strict=True):
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * len(item) / mean)
        counts = Counter(word for word in item if word in rarity)
        score = sum(rarity[word] * n * (SATURATION + 1) / (n + norm) for word, n in counts.items())
        is_answer = any(answer.search(sentence) for answer, _ in asked)
        scores.append(score * (1 + ANSWER_WEIGHT * is_answer))
        covered = max(covered, sum(rarity[word] for word in counts if word in topic))
    half = len(NEIGHBORS) // 2
    padded = F.pad(torch.tensor(scores, dtype=torch.float), (half, half)).unfold(0, len(NEIGHBORS), 1)  # (M, neighbors)
    return _shares(padded @ torch.tensor(NEIGHBORS)), covered / sum(rarity[word] for word in topic)


def relevance_by_meaning(focus: Tensor, sentences: Tensor) -> Tensor:
    """Cosine of each sentence's mean embedding with that of the focus, both less the document's mean, ``(M,)``, 1 for
    the most relevant.
    """
    mean = sentences.mean(0)
    return _shares(F.cosine_similarity(sentences - mean, (focus - mean)[None]))


def combined(relevance: Tensor, scores: Tensor) -> Tensor:
    """Relevance first, and among equally relevant sentences the model's scores, ``(M,)``."""
    return FOCUS_WEIGHT * relevance + (scores - scores.mean()) / scores.std(correction=0).clamp(min=1e-6)


def _shares(relevance: Tensor) -> Tensor:
    shares = relevance.clamp(min=0) / relevance.max().clamp(min=1e-9)
    return shares * (shares >= MIN_SHARE)
