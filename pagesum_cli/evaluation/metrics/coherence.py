"""Semantic coherence: does each sentence follow the one before? (Bommasani and Cardie 2020; the paper's eq. 11)

Two readings of the measure are computed, the share of neighbors that BERT accepts and the mean probability: which of
them the paper prints could not be checked.
"""

from itertools import pairwise

import torch

from .base import Pair, Score
from .encoders import ModelMetric, framed, reach, token_ids
from .protocol import scored_sentences


class Coherence(ModelMetric):
    """Next-sentence prediction by BERT over neighboring sentences of the prediction.

    Of a pair that is longer than the model's input, the end of the first sentence and the start of the second are
    read.
    """

    auto_class = "AutoModelForNextSentencePrediction"
    head = "next-sentence prediction"

    @property
    def signature(self) -> str:
        """The model, and what happens to long pairs."""
        return f"coherence|model:{self.model_name}|pair:neighbours|long:boundary"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``coherence``: the share of neighbors that BERT accepts; ``coherence-p``: its mean probability.

        Both in 0–100, and left out for a prediction of fewer than two sentences.
        """
        sentences = [token_ids(self.tokenizer, sentence) for sentence in scored_sentences(pair.prediction)]
        room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)
        probabilities = []
        for first, second in pairwise(sentences):
            kept = min(len(second), max(room // 2, room - len(first)))
            probabilities.append(self._follows(first[max(0, len(first) - (room - kept)) :], second[:kept]))
        if not probabilities:
            return {}
        followed = [probability > 0.5 for probability in probabilities]
        return {
            "coherence": {"value": 100 * sum(followed) / len(followed)},
            "coherence-p": {"value": 100 * sum(probabilities) / len(probabilities)},
        }

    def _follows(self, first: list[int], second: list[int]) -> float:
        inputs, _ = framed(self.tokenizer, first, second)
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.model.device)).logits[0]
        return float(logits.float().softmax(-1)[0])  # class 0 of BERT's head: it follows
