"""Sentence embeddings by a model from a folder or the Hugging Face hub, such as SimCSE or all-MiniLM-L6-v2."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel
from transformers.utils import cached_file

from ..evaluation.metrics.encoders import load, reach

AT_ONCE = 64
TOKENS = 256
"""Number of tokens of a sentence that are read; the rest is ignored."""


class SentenceEmbedder:
    """An encoder's vectors of sentences, by name on the Hugging Face hub or folder.

    Pooling is ``cls``: the last state of the first token, as unsupervised SimCSE has it; ``pooler``: that after the
    encoder's pooling layer, as supervised SimCSE; ``mean``: the mean of the last states of all tokens; or ``auto``:
    what the model's folder says in the form of sentence-transformers, otherwise ``mean``.
    """

    def __init__(self, name: str, pooling: str = "auto") -> None:
        self.model, self.tokenizer = load(AutoModel, name, "auto", "pooler" if pooling == "pooler" else "")
        self.pooling = configured_pooling(name) if pooling == "auto" else pooling

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        vectors = np.zeros((len(sentences), self.model.config.hidden_size))
        for begin in range(0, len(order), AT_ONCE):
            places = order[begin : begin + AT_ONCE]
            batch = self.tokenizer(
                [sentences[place] for place in places],
                padding=True,
                truncation=True,
                max_length=min(TOKENS, reach(self.model, self.tokenizer)),
                return_tensors="pt",
            ).to(self.model.device)
            output = self.model(**batch)
            states = output.last_hidden_state  # (n, S, D)
            if self.pooling == "pooler":
                pooled = output.pooler_output
            elif self.pooling == "cls":
                pooled = states[:, 0]
            else:
                mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)  # (n, S, 1)
                pooled = (states * mask).sum(1) / mask.sum(1)
            vectors[places] = pooled.double().cpu().numpy()
        return vectors


def configured_pooling(name: str) -> str:
    """The pooling that a model of sentence-transformers is made for, ``cls`` or ``mean``; ``mean`` for others."""
    try:
        path = cached_file(name, "1_Pooling/config.json")
        settings = json.loads(Path(str(path)).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # other models have none
        return "mean"
    return "cls" if isinstance(settings, dict) and settings.get("pooling_mode_cls_token") else "mean"
