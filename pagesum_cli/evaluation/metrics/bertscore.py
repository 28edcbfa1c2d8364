"""BERTScore: tokens matched by their contextual embeddings (Zhang et al. 2020)."""

from importlib.metadata import version
from typing import Any

import torch
from torch import Tensor

from .base import Pair, Score
from .encoders import ModelMetric, token_ids, token_states


class BertScore(ModelMetric):
    """BERTScore by the torchmetrics library, of the last layer, without baseline rescaling and idf.

    Texts longer than the model's input are embedded in overlapping windows, not cut.
    """

    @property
    def signature(self) -> str:
        """The library and its version, model, layer and the treatment of long text."""
        library = f"torchmetrics-{version('torchmetrics')}"
        return f"bertscore|lib:{library}|model:{self.model_name}|layer:last|idf:no|long:windows"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``f``, ``p``, ``r`` in 0–100; 0 if a text has no tokens."""
        from torchmetrics.functional.text.bert import bert_score

        first, second = self._inputs(pair.prediction), self._inputs(pair.reference)
        if min(text["input_ids"].shape[1] for text in (first, second)) <= 2:
            return {"bertscore": {"f": 0.0, "p": 0.0, "r": 0.0}}
        result: dict[str, Any] = bert_score(first, second, model=self.model, user_forward_fn=self._states, device="cpu")
        return {"bertscore": {key[0]: 100 * float(result[key]) for key in ("f1", "precision", "recall")}}

    def _inputs(self, text: str) -> dict[str, Tensor]:
        # The library leaves out the first and last token, which are normally special ones.
        ids = [0, *token_ids(self.tokenizer, text), 0]
        return {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}

    def _states(self, model: Any, batch: dict[str, Tensor]) -> Tensor:
        states = token_states(model, self.tokenizer, batch["input_ids"][0, 1:-1].tolist())
        edge = torch.ones(1, states.shape[1])  # not zeros: the library divides by the norm
        return torch.cat([edge, states, edge])[None]  # (1, tokens + 2, D)
