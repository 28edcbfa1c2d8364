"""Whether the documents entail the summary, by a model that classifies a passage and a sentence."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor

from ...errors import PagesumError
from .base import Pair, Score, scored_sentences, splitter_signature
from .encoders import ModelMetric, framed, reach, token_ids


class EntailmentMetric(ModelMetric):
    """A metric that classifies each sentence of the prediction beside passages of the documents.

    The model reads a passage and a claim, as a pair. A passage has as many whole sentences as fit beside the claim; a
    sentence that is longer than half of the model's input is read as several claims.

    Attributes:
        labels: Names of the class of an entailed sentence, the best one first; the model has one of them.
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
            raise PagesumError(
                f"{self.model_name} has the labels {', '.join(numbers)}, expected {' or '.join(self.labels)}",
                f"give {self.models}; id2label in its config.json names the classes",
            )
        self.label, self.number = known[0], numbers[known[0]]
        self.room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)

    def claims(self, text: str) -> list[list[list[int]]]:
        """The tokens of each sentence, in parts of at most half of what the model reads at once."""
        half = self.room // 2
        sentences = (token_ids(self.tokenizer, sentence) for sentence in scored_sentences(text))
        return [[ids[start : start + half] for start in range(0, len(ids), half)] for ids in sentences if ids]

    def passages(self, sources: Sequence[str], claim: int) -> Iterator[list[int]]:
        """The tokens of each document, in passages that fit beside a claim of a number of tokens."""
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
    """The highest probability with which any passage entails a sentence of the prediction, averaged over sentences.

    After SummaC-ZS (Laban et al. 2022). The model sees one passage at a time, so that a statement spread over several
    passages counts as not entailed; it inherits the model's faults (numbers, negation, other kinds of text than it was
    trained on). It ranks systems; it proves nothing about a single sentence.
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
            max((float(one[self.number]) for one in self.probabilities(part, pair.sources)), default=0.0)
            for part in parts
        ]
        return {"faithfulness": {"value": 100 * sum(best) / max(len(best), 1)}}


class FactCC(EntailmentMetric):
    """The share of a prediction's sentences that a model classifies as consistent with at least one document.

    The protocol of Perez-Beltrachini and Lapata (2021) for Multi-News, after Kryściński et al. (2020). One consistent
    passage of a document suffices (FactCC's own program cuts the document); all parts of a long sentence must be
    consistent. A part is consistent if this is its most probable class.
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
            return any(int(one.argmax()) == self.number for one in self.probabilities(part, pair.sources))

        found = [all(map(is_consistent, parts)) for parts in self.claims(pair.prediction)]
        return {"factcc": {"value": 100 * sum(found) / max(len(found), 1)}}
