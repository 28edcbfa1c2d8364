"""Sentence Mover's Similarity (Clark et al. 2019): how far the prediction's sentences are from the reference's."""

from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
import torch
from torch import Tensor

from .base import Pair, Score
from .encoders import ModelMetric, token_ids, token_states
from .protocol import scored_sentences, splitter_signature
from .sms import movers_similarity


class SentenceMovers(ModelMetric):
    """``exp(-d)``, d being the cost of moving one text's sentences onto the other's, by the POT library.

    A sentence is the mean of its tokens' states, normalized to length 1; its weight is its number of tokens; moving
    costs the Euclidean distance. The model should be an encoder trained for sentences.
    """

    @property
    def signature(self) -> str:
        """The library and its version, model, and the embedding of sentences."""
        return (
            f"movers|lib:POT-{version('POT')}|model:{self.model_name}|pool:mean|norm:l2|long:windows"
            f"|{splitter_signature()}"
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        """``movers`` in 0–100; 0 if a text has no sentences."""
        first, weights = self._embedded(scored_sentences(pair.prediction))
        second, others = self._embedded(scored_sentences(pair.reference, given=pair.reference_sentences))
        if not len(weights) or not len(others):
            return {"movers": {"value": 0.0}}
        costs = torch.cdist(first, second).double().numpy()
        return {"movers": {"value": movers_similarity(weights, others, costs)}}

    def _embedded(self, texts: Sequence[str]) -> tuple[Tensor, np.ndarray]:
        sentences = [ids for one in texts if (ids := token_ids(self.tokenizer, one))]
        if not sentences:
            return torch.empty(0), np.empty(0)
        means = torch.stack([token_states(self.model, self.tokenizer, ids).mean(0) for ids in sentences])
        sizes = np.array([len(ids) for ids in sentences], dtype=float)
        return torch.nn.functional.normalize(means, dim=-1), sizes / sizes.sum()
