"""Whether the document entails the summary, by a model of natural language inference."""

from collections.abc import Iterator
from typing import Any

import torch

from ...errors import PagesumError
from .base import Pair, Score
from .encoders import ModelMetric, framed, reach, token_ids
from .protocol import scored_sentences


class Faithfulness(ModelMetric):
    """The highest probability with which any passage entails a sentence of the prediction, averaged over sentences.

    After SummaC-ZS (Laban et al. 2022), with passages of as many whole sentences as the model reads at once. It sees
    one passage at a time, so that a statement spread over several passages counts as not entailed; it inherits the NLI
    model's faults (numbers, negation, other kinds of text than it was trained on). It ranks systems; it proves nothing
    about a single sentence.

    The model is a sequence classifier with a label ``entailment``.
    """

    auto_class = "AutoModelForSequenceClassification"
    head = "trained classifier"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        labels = {label.lower(): number for number, label in self.model.config.id2label.items()}
        if "entailment" not in labels:
            raise PagesumError(
                f"{self.model_name} has no label 'entailment', only {', '.join(labels)}",
                "give a model of natural language inference",
            )
        self.entailment = labels["entailment"]

    @property
    def signature(self) -> str:
        """The model and its input."""
        return f"faithfulness|model:{self.model_name}|premise:passages|max-over:passages|mean-over:sentences"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``faithfulness`` in 0–100; 0 for an empty prediction."""
        room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)
        best = []
        for sentence in scored_sentences(pair.prediction):
            # A sentence takes at most half of the model's input; a longer one is scored in parts.
            ids = token_ids(self.tokenizer, sentence)
            parts = [ids[start : start + room // 2] for start in range(0, len(ids), room // 2)]
            best += [
                max(self._entailed(passage, part) for passage in self._passages(pair.sources, room - len(part)))
                for part in parts
            ]
        return {"faithfulness": {"value": 100 * sum(best) / max(len(best), 1)}}

    def _passages(self, sources: tuple[str, ...], room: int) -> Iterator[list[int]]:
        for source in sources:
            passage: list[int] = []
            for sentence in scored_sentences(source):
                ids = token_ids(self.tokenizer, sentence)
                if passage and len(passage) + len(ids) > room:
                    yield passage
                    passage = []
                for start in range(0, len(ids), room):
                    part = ids[start : start + room]
                    if len(passage) + len(part) > room:
                        yield passage
                        passage = []
                    passage = [*passage, *part]
            if passage:
                yield passage

    def _entailed(self, premise: list[int], hypothesis: list[int]) -> float:
        inputs, _ = framed(self.tokenizer, premise, hypothesis)
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.model.device)).logits[0]
        return float(logits.float().softmax(-1)[self.entailment])
