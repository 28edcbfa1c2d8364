"""Metrics by models that classify two texts: whether documents entail a sentence, and whether it
follows another.
"""

import random
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import Any, ClassVar

import torch
from torch import Tensor

from ...errors import PagesumError
from .base import Pair, Score, punkt_sentences, scored_sentences, splitter_signature
from .encoders import ModelMetric, framed, reach, token_ids


class EntailmentMetric(ModelMetric):
    """A metric that classifies each sentence of the prediction beside passages of the documents.

    The model reads a passage and a claim, as a pair. A passage has as many whole sentences as fit
    beside the claim; a sentence that is longer than half of the model's input is read as several
    claims.

    Attributes:
        labels: Names of the class of an entailed sentence, the best one first; the model has one of
            them.
        models: What models have one.
        label, number: The name and the number of this class.
    """

    auto_class = "AutoModelForSequenceClassification"
    head = "trained classifier"
    labels: ClassVar[tuple[str, ...]] = ()
    models = "a model of natural language inference"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        numbers = {label.lower(): number for number, label in self.model.config.id2label.items()}
        known = [label for label in self.labels if label in numbers]
        if not known:
            message = (
                f"{self.model_name} has the labels {', '.join(numbers)}, "
                f"expected {' or '.join(self.labels)}"
            )
            raise PagesumError(
                message, f"use {self.models}; id2label in its config.json names the classes"
            )
        self.label, self.number = known[0], numbers[known[0]]
        self.room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(
            True
        )

    def claims(self, text: str) -> list[list[list[int]]]:
        """The tokens of each sentence, in parts of at most half of what the model reads at once."""
        half = self.room // 2
        sentences = (token_ids(self.tokenizer, sentence) for sentence in scored_sentences(text))
        return [
            [ids[start : start + half] for start in range(0, len(ids), half)]
            for ids in sentences
            if ids
        ]

    def passages(self, sources: Sequence[str], claim: int) -> Iterator[list[int]]:
        """The tokens of each document, in passages that fit beside a claim of a number of
        tokens.
        """
        room = self.room - claim
        for source in sources:
            passage: list[int] = []
            for sentence in scored_sentences(source):
                ids = token_ids(self.tokenizer, sentence)
                # A sentence that does not fit at all fills passages of its own.
                for part in (ids[start : start + room] for start in range(0, len(ids), room)):
                    if passage and len(passage) + len(part) > room:
                        yield passage
                        passage = []
                    passage = [*passage, *part]
            if passage:
                yield passage

    def probabilities(self, claim: list[int], sources: Sequence[str]) -> Iterator[Tensor]:
        """The probabilities of the model's classes for a claim and each passage."""
        for passage in self.passages(sources, len(claim)):
            inputs, _ = framed(self.tokenizer, passage, claim)
            with torch.inference_mode():
                logits: Tensor = self.model(**inputs.to(self.model.device)).logits[0]
            yield logits.float().softmax(-1)


class Faithfulness(EntailmentMetric):
    """The highest probability with which any passage entails a sentence of the prediction, averaged
    over sentences.

    After SummaC-ZS (Laban et al. 2022). The model sees one passage at a time, so that a statement
    spread over several passages counts as not entailed; it inherits the model's faults (numbers,
    negation, other kinds of text than it was trained on). It ranks systems; it proves nothing about
    a single sentence.
    """

    labels = ("entailment",)

    @property
    def signature(self) -> str:
        read = f"premise:passages|max-over:passages|mean-over:sentences|{splitter_signature()}"
        return f"faithfulness|model:{self.model_name}|{read}"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``faithfulness`` in 0–100; 0 for an empty prediction."""
        parts = [part for sentence in self.claims(pair.prediction) for part in sentence]
        best = [
            max(
                (float(one[self.number]) for one in self.probabilities(part, pair.sources)),
                default=0.0,
            )
            for part in parts
        ]
        return {"faithfulness": {"value": 100 * sum(best) / max(len(best), 1)}}


class FactCC(EntailmentMetric):
    """The share of a prediction's sentences that a model classifies as consistent with at least one
    document.

    The protocol of Perez-Beltrachini and Lapata (2021) for Multi-News, after Kryściński et al.
    (2020). One consistent passage of a document suffices (FactCC's own program cuts the document);
    all parts of a long sentence must be consistent. A part is consistent if this is its most
    probable class.
    """

    labels = ("correct", "consistent", "entailment", "supported", "factual")
    models = "FactCC or a model of natural language inference"

    @property
    def signature(self) -> str:
        return (
            f"factcc|model:{self.model_name}|label:{self.label}|premise:passages|any-of:documents|mean-over:sentences"
            f"|{splitter_signature()}"
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        """``factcc`` in 0–100; 0 for an empty prediction."""

        def is_consistent(part: list[int]) -> bool:
            return any(
                int(one.argmax()) == self.number for one in self.probabilities(part, pair.sources)
            )

        found = [all(map(is_consistent, parts)) for parts in self.claims(pair.prediction)]
        return {"factcc": {"value": 100 * sum(found) / max(len(found), 1)}}


SEED = 12345
AT_ONCE = 32  # number of pairs that the model reads at a time


class Coherence(ModelMetric):
    """Next-sentence prediction by BERT over neighboring sentences of the prediction: the paper's
    eq. 11.

    All texts are split by the same splitter. A pair that is longer than the model's input is cut at
    the ends of its sentences, that of the longer one first, and counted.
    """

    auto_class = "AutoModelForNextSentencePrediction"
    head = "next-sentence prediction"

    @property
    def signature(self) -> str:
        splitter = f"split:punkt|nltk:{version('nltk')}"
        return (
            f"coherence|eq:11|model:{self.model_name}|{splitter}"
            f"|long:longest-first|random:1-shuffle,seed:{SEED}"
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        return self.of_sentences(punkt_sentences(pair.prediction))

    def of_sentences(self, sentences: Sequence[str]) -> dict[str, Score]:
        """Score a text that is already split.

        Returns:
            ``coherence``: the mean probability that a sentence follows the one before;
            ``coherence-accepted``: the
            share of neighbors for which it is above one half. Both in 0–100, and left out for fewer
            than two sentences.
            The first also has the number of ``pairs``, and how many of them were ``truncated``.
        """
        pairs = list(pairwise(sentences))
        if not pairs:
            return {}
        lengths = [len(token_ids(self.tokenizer, sentence)) for sentence in sentences]
        room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)
        truncated = sum(first + second > room for first, second in pairwise(lengths))
        probabilities = [
            one
            for begin in range(0, len(pairs), AT_ONCE)
            for one in self._follow(pairs[begin : begin + AT_ONCE])
        ]
        mean = sum(probabilities) / len(pairs)
        accepted = sum(probability > 0.5 for probability in probabilities) / len(pairs)
        return {
            "coherence": {"value": 100 * mean, "pairs": len(pairs), "truncated": truncated},
            "coherence-accepted": {"value": 100 * accepted},
        }

    def _follow(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        limits: dict[str, Any] = {
            "truncation": "longest_first",
            "max_length": reach(self.model, self.tokenizer),
        }
        inputs = self.tokenizer(
            pairs, **limits, padding=True, split_special_tokens=True, return_tensors="pt"
        )
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.model.device)).logits  # (pairs, 2)
        return logits.float().softmax(-1)[:, 0].tolist()  # class 0 of BERT's head: it follows


def shuffled(sentences: Sequence[str], identity: str) -> list[str]:
    """A summary's sentences in random order: the paper's row ``random``."""
    return random.Random(f"{SEED}/{identity}").sample(sentences, len(sentences))
