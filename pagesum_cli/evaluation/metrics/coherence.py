"""Semantic coherence: does each sentence follow the one before? (eq. 11, after Bommasani and Cardie 2020)"""

import random
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise

import torch

from .base import Pair, Score, punkt_sentences
from .encoders import ModelMetric, framed, reach, token_ids

SEED = 12345
AT_ONCE = 32
"""Number of pairs that the model reads at a time."""


class Coherence(ModelMetric):
    """Next-sentence prediction by BERT over neighboring sentences of the prediction.

    All texts are split by the same splitter. A pair that is longer than the model's input is cut at the ends of its
    sentences, that of the longer one first, and counted.
    """

    auto_class = "AutoModelForNextSentencePrediction"
    head = "next-sentence prediction"

    @property
    def signature(self) -> str:
        splitter = f"split:punkt|nltk:{version('nltk')}"
        return f"coherence|eq:11|model:{self.model_name}|{splitter}|long:longest-first|random:1-shuffle,seed:{SEED}"

    def score(self, pair: Pair) -> dict[str, Score]:
        return self.of_sentences(punkt_sentences(pair.prediction))

    def of_sentences(self, sentences: Sequence[str]) -> dict[str, Score]:
        """Score a text that is already split.

        Returns:
            ``coherence``: the mean probability that a sentence follows the one before; ``coherence-accepted``: the
            share of neighbors for which it is above one half. Both in 0–100, and left out for fewer than two sentences.
            The first also has the number of ``pairs``, and how many of them were ``truncated``.
        """
        tokens = [token_ids(self.tokenizer, sentence) for sentence in sentences]
        room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)
        pairs = [longest_first(first, second, room) for first, second in pairwise(tokens)]
        if not pairs:
            return {}
        truncated = sum(len(first) + len(second) > room for first, second in pairwise(tokens))
        probabilities = [
            one for begin in range(0, len(pairs), AT_ONCE) for one in self._follow(pairs[begin : begin + AT_ONCE])
        ]
        mean = sum(probabilities) / len(pairs)
        accepted = sum(probability > 0.5 for probability in probabilities) / len(pairs)
        return {
            "coherence": {"value": 100 * mean, "pairs": len(pairs), "truncated": truncated},
            "coherence-accepted": {"value": 100 * accepted},
        }

    def _follow(self, pairs: Sequence[tuple[list[int], list[int]]]) -> list[float]:
        examples = [framed(self.tokenizer, *pair)[0] for pair in pairs]
        inputs = self.tokenizer.pad(
            [{name: values[0].tolist() for name, values in one.items()} for one in examples], return_tensors="pt"
        )
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.model.device)).logits  # (pairs, 2)
        probabilities: list[float] = logits.float().softmax(-1)[:, 0].tolist()  # class 0 of BERT's head: it follows
        return probabilities


def longest_first(first: list[int], second: list[int], room: int) -> tuple[list[int], list[int]]:
    """Cut two sentences to ``room`` tokens, as Transformers does: tokens are removed from the end of the longer one."""
    shorter = min(len(first), len(second), room // 2)
    if len(first) + len(second) <= room:
        return first, second
    if len(first) > len(second):
        return first[: room - shorter], second[:shorter]
    return first[:shorter], second[: room - shorter]


def shuffled(sentences: Sequence[str], identity: str) -> list[str]:
    """A summary's sentences in random order: the paper's row ``random``."""
    return random.Random(f"{SEED}/{identity}").sample(sentences, len(sentences))
