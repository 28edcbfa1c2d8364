"""How relevant each sentence is to a question or topic.

Words decide (BM25, Robertson & Zaragoza, 2009), because they proved far better than the encoder's states. With the
heading of a section as the topic, and no headings to read, 51 % of the five most relevant sentences by words are of
that section, 20 % by states, 15 % at random. The mean embedding of the words, from the encoder, counts only where no
word of the topic occurs (33 %).
"""

import math
from collections import Counter
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from ...text.words import STOP_WORDS, stems_of, words_of

SATURATION, LENGTH_NORM = 1.2, 0.75  # k1 and b of BM25

NEIGHBORS = (0.1, 0.2, 0.4, 0.2, 0.1)
"""Weights of a sentence and its neighbors: what stands beside a relevant sentence is often relevant too."""

MIN_SHARE = 0.05  # a sentence less relevant than this share of the most relevant one is not relevant

CENTRAL_SHARE = 0.5  # a sentence of this relevance is selected even if it refers back to the sentence before

FOCUS_WEIGHT = 10.0  # weight of the relevance of 0 to 1, in standard deviations of the sentences' scores


def topic_words(text: str) -> list[str]:
    """The stems of the words that carry meaning; of all words if none does."""
    words = words_of(text)
    return stems_of([word for word in words if word not in STOP_WORDS] or words)


def relevance_by_words(focus: str, sentences: Sequence[str]) -> Tensor:
    """BM25 of each sentence and its neighbors for the words of the focus, ``(M,)``, 1 for the most relevant."""
    topic = set(topic_words(focus))
    if not sentences:
        return torch.zeros(0)
    words = [topic_words(sentence) for sentence in sentences]
    mean = sum(map(len, words)) / len(words) or 1.0
    frequency = Counter(word for item in words for word in topic.intersection(item))
    rarity = {word: math.log(1 + (len(words) - n + 0.5) / (n + 0.5)) for word, n in frequency.items()}
    scores = []
    for item in words:
        norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * len(item) / mean)
        counts = Counter(word for word in item if word in topic)
        scores.append(sum(rarity[word] * n * (SATURATION + 1) / (n + norm) for word, n in counts.items()))
    half = len(NEIGHBORS) // 2
    padded = F.pad(torch.tensor(scores, dtype=torch.float), (half, half)).unfold(0, len(NEIGHBORS), 1)  # (M, neighbors)
    return _shares(padded @ torch.tensor(NEIGHBORS))


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
