"""Sentence embeddings by a model on this disk, such as all-MiniLM-L6-v2."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from ..errors import PagesumError

AT_ONCE = 64
TOKENS = 256
"""Number of tokens of a sentence that are read; the rest is ignored."""


class SentenceEmbedder:
    """Means of an encoder's last states over a sentence's tokens, as sentence-transformers has them.

    Args:
        folder: An encoder (BERT, RoBERTa …) and its tokenizer, as Transformers saves them; nothing is downloaded.

    Raises:
        PagesumError: The folder holds none.
    """

    def __init__(self, folder: str) -> None:
        disable_progress_bar()  # of loading weights; it would also be written to a file
        try:
            if not Path(folder).is_dir():
                raise OSError("no such folder")
            self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model = AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True).eval()
        except Exception as error:  # whatever a wrong folder provokes in Transformers
            reason = str(error).strip().splitlines()[0][:200]
            raise PagesumError(
                f"--embeddings {folder}: no sentence encoder can be loaded ({reason})",
                "name a folder with config.json, model.safetensors and a tokenizer, or leave it out for TF-IDF",
            ) from error

    @torch.inference_mode()
    def __call__(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """``n`` sentences → ``(n, D)``."""
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        vectors = np.zeros((len(sentences), self.model.config.hidden_size))
        for begin in range(0, len(order), AT_ONCE):
            places = order[begin : begin + AT_ONCE]
            batch = self.tokenizer(
                [sentences[place] for place in places],
                padding=True,
                truncation=True,
                max_length=TOKENS,
                return_tensors="pt",
            )
            states = self.model(**batch).last_hidden_state  # (n, S, D)
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)  # (n, S, 1)
            vectors[places] = ((states * mask).sum(1) / mask.sum(1)).double().numpy()
        return vectors
