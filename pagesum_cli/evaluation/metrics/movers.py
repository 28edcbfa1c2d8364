"""Sentence Mover's Similarity (Clark et al. 2019): how far the prediction's sentences are from the reference's."""

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...errors import PagesumError
from ...files import open_packed
from ...text.words import STOP_WORDS
from .base import Metric, Pair, Score
from .encoders import ModelMetric, token_ids, token_states
from .protocol import scored_sentences, splitter_signature

HINT = "expected GloVe's text format: a word and its numbers, separated by spaces, on each line"
_WORD = re.compile(r"[^\W\d_]+")

Floats = NDArray[np.float64]


class Movers(Metric):
    """``exp(-d)``, d being the cost of moving one text's sentences onto the other's, by the POT library.

    Moving costs the Euclidean distance of sentences; what is moved is their weight, which sums to 1.
    """

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        """The vectors of sentences ``(M, D)`` and their weights ``(M,)``; sentences without a vector are left out."""
        raise NotImplementedError

    def score(self, pair: Pair) -> dict[str, Score]:
        """The similarity in 0–100; 0 if a text has no sentence with a vector."""
        first, weights = self.embedded(scored_sentences(pair.prediction))
        second, others = self.embedded(scored_sentences(pair.reference, given=pair.reference_sentences))
        if not len(weights) or not len(others):
            return {self.name: {"value": 0.0}}
        import ot

        costs = np.linalg.norm(first[:, None] - second[None], axis=-1)
        return {self.name: {"value": 100 * float(np.exp(-ot.emd2(weights, others, costs)))}}


class SentenceMovers(Movers, ModelMetric):
    """Over the states of an encoder, which should be trained for sentences.

    A sentence is the mean of its tokens' states, normalized to length 1; its weight is its number of tokens.
    """

    name = "movers"

    @property
    def signature(self) -> str:
        """The library and its version, model, and the embedding of sentences."""
        embedding = "pool:mean|norm:l2|long:windows"
        return f"movers|lib:POT-{version('POT')}|model:{self.model_name}|{embedding}|{splitter_signature()}"

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        """See :meth:`Movers.embedded`."""
        tokens = [ids for one in sentences if (ids := token_ids(self.tokenizer, one))]
        if not tokens:
            return np.empty(0), np.empty(0)
        means = torch.stack([token_states(self.model, self.tokenizer, ids).mean(0) for ids in tokens])
        sizes = np.array([len(ids) for ids in tokens], dtype=float)
        return torch.nn.functional.normalize(means, dim=-1).double().numpy(), sizes / sizes.sum()


class SentenceMoversByWords(Movers):
    """Over word vectors, as Perez-Beltrachini and Lapata (2021) use it.

    A sentence is the mean of the vectors of its words; its weight is its share of the text's words. Words are runs of
    letters, in lower case, that are no stop words and have a vector.

    The file is in the text format of GloVe: a word and its numbers, separated by spaces, on each line; also packed. It
    is read line by line, so that it may be larger than the memory.

    Raises:
        PagesumError: There is no such file, or its first line is no vector.
    """

    name = "sms"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        with open_packed(self.model_name) as file:
            fields = file.readline().split()
        self.width = len(fields) - 1
        if self.width < 2 or not _is_number(fields[-1]):
            raise PagesumError(f"{self.model_name}, line 1: no word vector, found {len(fields)} fields", HINT)
        self.vectors: dict[str, NDArray[np.float32] | None] = {}

    @property
    def signature(self) -> str:
        """The library and its version, the file and its size, and what a word and a sentence are."""
        path = Path(self.model_name)
        file = f"vectors:{path.name},{path.stat().st_size}-bytes,{self.width}-numbers"
        return f"sms|lib:POT-{version('POT')}|{file}|pool:mean|words:letters-no-stop|lower:yes|{splitter_signature()}"

    def prepare(self, pairs: Sequence[Pair]) -> None:
        """Read the vectors of all words of the pairs, in one pass over the file.

        Raises:
            PagesumError: A line holds something else than the numbers of a vector, or the file has none of the words.
        """
        texts = (text for pair in pairs for text in (pair.prediction, pair.reference, *pair.reference_sentences))
        self.look_up(word for text in texts for word in content_words(text))

    def score(self, pair: Pair) -> dict[str, Score]:
        """See :meth:`Movers.score`."""
        self.prepare([pair])
        return super().score(pair)

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        """See :meth:`Movers.embedded`."""
        vectors = ([self.vectors.get(word) for word in content_words(one)] for one in sentences)
        found = [known for own in vectors if (known := [vector for vector in own if vector is not None])]
        sizes = np.array([len(own) for own in found], float)
        return np.array([np.mean(own, axis=0) for own in found], float), sizes / sizes.sum()

    def look_up(self, words: Iterable[str]) -> None:
        """Read the vectors of words that are not known yet; see :meth:`prepare`."""
        missing = {word.encode(): word for word in words if word not in self.vectors}
        if not missing:
            return
        self.vectors.update(dict.fromkeys(missing.values()))
        with open_packed(self.model_name) as file:
            for number, line in enumerate(file, start=1):
                line = line.rstrip()
                spaces = line.count(b" ")
                # A few words of GloVe's largest file hold spaces themselves; no word of a text does.
                if spaces < self.width or (spaces > self.width and _is_number(line.split(b" ")[-self.width - 1])):
                    expected = f"expected {self.width} numbers as in line 1, found {spaces}"
                    raise PagesumError(f"{self.model_name}, line {number}: {expected}", HINT)
                first, _, numbers = line.partition(b" ")
                word = missing.get(first) if spaces == self.width else None
                if word is not None and self.vectors[word] is None:
                    self.vectors[word] = self._vector(numbers, number)
        if all(vector is None for vector in self.vectors.values()):
            example = next(iter(self.vectors))
            raise PagesumError(
                f"{self.model_name} has none of the {len(self.vectors)} words of the texts, such as {example!r}",
                "give vectors of lower-case words in the language of the texts",
            )

    def _vector(self, numbers: bytes, line: int) -> NDArray[np.float32]:
        try:
            vector = np.array([float(field) for field in numbers.split(b" ")], np.float32)
        except ValueError as error:
            raise PagesumError(f"{self.model_name}, line {line}: {error}", HINT) from error
        if not np.isfinite(vector).all():
            raise PagesumError(f"{self.model_name}, line {line}: a number is not finite", HINT)
        return vector


def content_words(text: str) -> list[str]:
    """The words of a text that are made of letters and are no stop words, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
