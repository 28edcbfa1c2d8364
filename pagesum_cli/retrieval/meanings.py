"""Words that are similar in meaning, by the embeddings of the bundled model ``mini``.

The embeddings are read as they lie in its file, without PyTorch; its sentences are not encoded.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from ..text.words import STOP_WORDS

MODEL = Path(__file__).parents[1] / "assets" / "mini"
NAME = "shared.weight"
BLOCK = 32  # values of a row that share a scale, see ``models.layers.quantized``
NEIGHBORS = 100  # similar words of a word, at most
MIN_COSINE = 0.22  # below it, two words are not similar
WEIGHT = 0.8  # of a similar word of cosine 1, beside the word itself
SHORTEST = 3  # letters of a word that has similar ones


def similar_words(word: str) -> dict[str, float]:
    """English words that are similar to one, with their weights, 0–1; none for an unknown word."""
    import numpy as np

    known, vectors = _vectors()
    if word not in known:
        return {}
    cosines = vectors @ vectors[known[word]]
    similar = np.flatnonzero(cosines >= MIN_COSINE)
    nearest = similar[np.argsort(-cosines[similar])][1 : NEIGHBORS + 1].tolist()
    words = list(known)
    return {words[n]: WEIGHT * float(cosines[n]) for n in nearest}


@cache
def _vectors() -> tuple[dict[str, int], Any]:
    """The place of each word, and their embeddings less the center of all, of length 1."""
    import numpy as np
    from safetensors import safe_open

    tokens = json.loads((MODEL / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    with safe_open(str(MODEL / "model.safetensors"), "numpy") as file:
        codes = file.get_tensor(f"{NAME}.codes").reshape(len(tokens), -1, BLOCK)
        scales = file.get_tensor(f"{NAME}.scales").astype(np.float32)
    vectors = (codes * scales[..., None]).reshape(len(tokens), -1)
    vectors -= vectors.mean(0)
    words = [one for one in tokens if _is_word(one)]
    chosen = vectors[[tokens[word] for word in words]]
    chosen /= np.linalg.norm(chosen, axis=1, keepdims=True)
    return {word: number for number, word in enumerate(words)}, chosen


def _is_word(token: str) -> bool:
    return token.isalpha() and len(token) >= SHORTEST and token not in STOP_WORDS
