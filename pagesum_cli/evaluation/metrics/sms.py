"""Sentence Mover's Similarity over word vectors (Clark et al. 2019), as Perez-Beltrachini and Lapata (2021) use it."""

import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...text.ngrams import STOP_WORDS
from .base import Metric, Pair, Score
from .protocol import Tokenization, scored_sentences, splitter_signature
from .vectors import WordVectors

_WORD = re.compile(r"[^\W\d_]+")

Floats = NDArray[np.float64]


class SentenceMoversByWords(Metric):
    """``exp(-d)``, d being the cost of moving one text's sentences onto the other's, by the POT library.

    A sentence is the mean of the vectors of its words; its weight is its share of the text's words; moving costs the
    Euclidean distance. Words are runs of letters, in lower case, that are no stop words and have a vector.

    Args:
        model: A file of word vectors, see :class:`~.vectors.WordVectors`.
        columns, tokenize, device: See :class:`~.base.Metric`.
    """

    def __init__(
        self, columns: Sequence[str] = (), tokenize: Tokenization = "none", model: str = "", device: str = "auto"
    ) -> None:
        super().__init__(columns, tokenize, model, device)
        self.vectors = WordVectors(Path(model))

    @property
    def signature(self) -> str:
        """The library and its version, the file and its size, and what a word and a sentence are."""
        path = self.vectors.path
        file = f"vectors:{path.name},{path.stat().st_size}-bytes,{self.vectors.width}-numbers"
        return f"sms|lib:POT-{version('POT')}|{file}|pool:mean|words:letters-no-stop|lower:yes|{splitter_signature()}"

    def prepare(self, pairs: Sequence[Pair]) -> None:
        """Read the vectors of all words of the pairs, in one pass over the file."""
        self.vectors.look_up(
            word
            for pair in pairs
            for text in (pair.prediction, pair.reference, *pair.reference_sentences)
            for word in content_words(text)
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        """``sms`` in 0–100; 0 if a text has no word with a vector."""
        self.prepare([pair])
        first, weights = self._embedded(scored_sentences(pair.prediction))
        second, others = self._embedded(scored_sentences(pair.reference, given=pair.reference_sentences))
        if not len(weights) or not len(others):
            return {"sms": {"value": 0.0}}
        costs = np.linalg.norm(first[:, None] - second[None], axis=-1)
        return {"sms": {"value": movers_similarity(weights, others, costs)}}

    def _embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        found = [vectors for one in sentences if (vectors := self.vectors.of(content_words(one)))]
        sizes = np.array([len(vectors) for vectors in found], float)
        return np.array([np.mean(vectors, axis=0) for vectors in found], float), sizes / sizes.sum()


def content_words(text: str) -> list[str]:
    """The words of a text that are made of letters and are no stop words, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def movers_similarity(weights: Floats, others: Floats, costs: Floats) -> float:
    """``100 · exp(-d)`` for the cheapest transport.

    Args:
        weights, others: Of each text's sentences, summing to 1.
        costs: Of moving a unit of weight from each sentence to each other one.
    """
    import ot

    return 100 * float(np.exp(-ot.emd2(weights, others, costs)))
