"""BERTScore: tokens matched by their contextual embeddings (Zhang et al. 2020)."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ...errors import PagesumError, UsageError
from .base import Pair, Score, Tokenization
from .encoders import ModelMetric, token_ids, token_states

LAYERS = {
    "bert-base-multilingual-cased": 9,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "roberta-base": 10,
    "roberta-large": 17,
    "roberta-large-mnli": 19,
    "scibert_scivocab_uncased": 8,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
}
"""The layer that the library bert-score uses, by the model's name without its owner: the best one on human scores."""


class BertScore(ModelMetric):
    """BERTScore by the torchmetrics library, without baseline rescaling and idf.

    Texts longer than the model's input are embedded in overlapping windows, not cut. Special tokens are not matched.

    Args:
        model: A name or folder, or ``NAME@LAYER``. Without a number, the layer is that of :data:`LAYERS`, or the last.
        columns, tokenize, device: See :class:`~.base.Metric`.
    """

    def __init__(
        self, columns: Sequence[str] = (), tokenize: Tokenization = "none", model: str = "", device: str = "auto"
    ) -> None:
        name, at, number = (model, "", "") if Path(model).exists() else model.partition("@")
        if at and not number.isdecimal():
            raise UsageError(f"bertscore={model}: expected the number of a layer after @", f"for example {name}@17")
        super().__init__(columns, tokenize, name, device)
        self.layer = int(number) if at else LAYERS.get(Path(name).name)
        config = self.model.config
        layers = 0 if config.is_encoder_decoder else config.num_hidden_layers
        if self.layer is not None and not 1 <= self.layer <= layers:
            found = f"layers 1 to {layers}" if layers else "an encoder and a decoder"
            raise PagesumError(
                f"{name} has {found}, expected an encoder with layer {self.layer}", "name another model or NAME@LAYER"
            )
        # RoBERTa sees the space before a word: bert-score gives it one before the first word too.
        self._prefix = " " if config.model_type == "roberta" else ""

    @property
    def signature(self) -> str:
        library = f"torchmetrics-{version('torchmetrics')}"
        layer = f"layer:{self.layer or 'last'}{'|space-first' * bool(self._prefix)}"
        return f"bertscore|lib:{library}|model:{self.model_name}|{layer}|idf:no|long:windows"

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
        ids = [0, *(token_ids(self.tokenizer, self._prefix + text.strip()) if text.strip() else ()), 0]
        return {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}

    def _states(self, model: Any, batch: dict[str, Tensor]) -> Tensor:
        states = token_states(model, self.tokenizer, batch["input_ids"][0, 1:-1].tolist(), self.layer)
        edge = torch.ones(1, states.shape[1])  # not zeros: the library divides by the norm
        return torch.cat([edge, states, edge])[None]  # (1, tokens + 2, D)
