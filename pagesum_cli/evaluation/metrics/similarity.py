"""Metrics of similarity over embeddings.

Sentence Mover's Similarity (Clark et al. 2019) is how far the prediction's sentences are from the
reference's, BERTScore (Zhang et al. 2020) how well their tokens match.
"""

import math
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...errors import PagesumError, UsageError
from ...files import open_packed
from ...text.tables import table
from ...text.words import STOP_WORDS
from .base import Metric, Pair, Score, Tokenization, scored_sentences, splitter_signature
from .encoders import ModelMetric, token_ids, token_states

HINT = "expected GloVe's text format: a word and its numbers, separated by spaces, on each line"
_WORD = re.compile(r"[^\W\d_]+")

Floats = NDArray[np.float64]


class Movers(Metric):
    """``exp(-d)``, d being the cost of moving one text's sentences onto the other's, by the POT
    library.

    Moving costs the Euclidean distance of sentences; what is moved is their weight, which sums to
    1.
    """

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        """The vectors of sentences ``(M, D)`` and their weights ``(M,)``; sentences without a
        vector are left out.
        """
        raise NotImplementedError

    def score(self, pair: Pair) -> dict[str, Score]:
        """The similarity in 0–100; 0 if a text has no sentence with a vector."""
        first, weights = self.embedded(scored_sentences(pair.prediction))
        second, others = self.embedded(
            scored_sentences(pair.reference, given=pair.reference_sentences)
        )
        if not len(weights) or not len(others):
            return {self.name: {"value": 0.0}}
        import ot

        costs = np.linalg.norm(first[:, None] - second[None], axis=-1)
        return {self.name: {"value": 100 * float(np.exp(-ot.emd2(weights, others, costs)))}}


class SentenceMovers(Movers, ModelMetric):
    """Over the states of an encoder, which should be trained for sentences.

    A sentence is the mean of its tokens' states, normalized to length 1; its weight is its number
    of tokens.
    """

    name = "movers"

    @property
    def signature(self) -> str:
        embedding = "pool:mean|norm:l2|long:windows"
        return (
            f"movers|lib:POT-{version('POT')}|model:{self.model_name}"
            f"|{embedding}|{splitter_signature()}"
        )

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        tokens = [ids for one in sentences if (ids := token_ids(self.tokenizer, one))]
        if not tokens:
            return np.empty(0), np.empty(0)
        means = torch.stack(
            [token_states(self.model, self.tokenizer, ids).mean(0) for ids in tokens]
        )
        sizes = np.array([len(ids) for ids in tokens], dtype=float)
        return torch.nn.functional.normalize(means, dim=-1).double().numpy(), sizes / sizes.sum()


class SentenceMoversByWords(Movers):
    """Over word vectors, as Perez-Beltrachini and Lapata (2021) use it.

    A sentence is the mean of the vectors of its words; its weight is its share of the text's words.
    Words are runs of letters, in lower case, that are no stop words and have a vector.

    The file is in the text format of GloVe: a word and its numbers, separated by spaces, on each
    line; also packed. It is read line by line, so that it may be larger than the memory.
    """

    name = "sms"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        with open_packed(self.model_name) as file:
            fields = file.readline().split()
        self.width = len(fields) - 1
        if self.width < 2 or not _is_number(fields[-1]):
            raise PagesumError(
                f"{self.model_name}, line 1: expected a word vector, found {len(fields)} fields",
                HINT,
            )
        self.vectors: dict[str, NDArray[np.float32] | None] = {}

    @property
    def signature(self) -> str:
        path = Path(self.model_name)
        file = f"vectors:{path.name},{path.stat().st_size}-bytes,{self.width}-numbers"
        return (
            f"sms|lib:POT-{version('POT')}|{file}|pool:mean"
            f"|words:letters-no-stop|lower:yes|{splitter_signature()}"
        )

    def prepare(self, pairs: Sequence[Pair]) -> None:
        """Read the vectors of all words of the pairs, in one pass over the file.

        Raises:
            PagesumError: A line holds something else than the numbers of a vector, or the file has
                none of the words.
        """
        texts = (
            text
            for pair in pairs
            for text in (pair.prediction, pair.reference, *pair.reference_sentences)
        )
        self.look_up(word for text in texts for word in content_words(text))

    def score(self, pair: Pair) -> dict[str, Score]:
        self.prepare([pair])
        return super().score(pair)

    def embedded(self, sentences: Sequence[str]) -> tuple[Floats, Floats]:
        vectors = ([self.vectors.get(word) for word in content_words(one)] for one in sentences)
        found = [
            known for own in vectors if (known := [vector for vector in own if vector is not None])
        ]
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
                # From the right: a few words of GloVe's largest file hold spaces themselves; no
                # word of a text does.
                first, *numbers = line.rstrip().rsplit(b" ", self.width)
                if len(numbers) != self.width or not all(map(_is_number, numbers)):
                    expected = f"expected a word and {self.width} numbers as in line 1"
                    raise PagesumError(f"{self.model_name}, line {number}: {expected}", HINT)
                word = missing.get(first)
                if word is not None and self.vectors[word] is None:
                    self.vectors[word] = np.array([float(field) for field in numbers], np.float32)
        if all(vector is None for vector in self.vectors.values()):
            example = next(iter(self.vectors))
            message = (
                f"{self.model_name} has none of the {len(self.vectors)} words of the "
                f"texts, such as {example!r}"
            )
            raise PagesumError(
                message, "use vectors of lower-case words in the language of the texts"
            )


def content_words(text: str) -> list[str]:
    """The words of a text that are made of letters and are no stop words, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS]


def _is_number(field: bytes) -> bool:
    try:
        return math.isfinite(float(field))
    except ValueError:
        return False


LAYERS: dict[str, int] = table(__file__, "layers.toml")
"""The layer that the library bert-score uses, by the model's name without its owner: the best one
on human scores.
"""


class BertScore(ModelMetric):
    """BERTScore by the torchmetrics library, without baseline rescaling and idf.

    Texts longer than the model's input are embedded in overlapping windows, not cut. Special tokens
    are not matched.

    Args:
        model: A name or folder, or ``NAME@LAYER``. Without a number, the layer is that of
            :data:`LAYERS`, or the last.
        columns, tokenize, device: See :class:`~.base.Metric`.
    """

    def __init__(
        self,
        columns: Sequence[str] = (),
        tokenize: Tokenization = "none",
        model: str = "",
        device: str = "auto",
    ) -> None:
        name, at, number = (model, "", "") if Path(model).exists() else model.partition("@")
        if at and not number.isdecimal():
            raise UsageError(
                f"bertscore={model}: expected the number of a layer after @",
                f"for example {name}@17",
            )
        super().__init__(columns, tokenize, name, device)
        self.layer = int(number) if at else LAYERS.get(Path(name).name)
        config = self.model.config
        layers = 0 if config.is_encoder_decoder else config.num_hidden_layers
        if self.layer is not None and not 1 <= self.layer <= layers:
            raise PagesumError(
                f"{name} is not an encoder with layer {self.layer}",
                "name another model or NAME@LAYER",
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
        result: dict[str, Any] = bert_score(
            first, second, model=self.model, user_forward_fn=self._states, device="cpu"
        )
        return {
            "bertscore": {key[0]: 100 * float(result[key]) for key in ("f1", "precision", "recall")}
        }

    def _inputs(self, text: str) -> dict[str, Tensor]:
        # The library leaves out the first and last token, which are normally special ones.
        ids = [
            0,
            *(token_ids(self.tokenizer, self._prefix + text.strip()) if text.strip() else ()),
            0,
        ]
        return {
            "input_ids": torch.tensor([ids]),
            "attention_mask": torch.ones(1, len(ids), dtype=torch.long),
        }

    def _states(self, model: Any, batch: dict[str, Tensor]) -> Tensor:
        states = token_states(
            model, self.tokenizer, batch["input_ids"][0, 1:-1].tolist(), self.layer
        )
        edge = torch.ones(1, states.shape[1])  # not zeros: the library divides by the norm
        return torch.cat([edge, states, edge])[None]  # (1, tokens + 2, D)
