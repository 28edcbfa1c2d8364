"""Whether the document entails the summary, by a model of natural language inference."""

from typing import Any

from ...errors import PagesumError
from .base import Pair, Score
from .encoders import ModelMetric
from .passages import claims, passages, probabilities
from .protocol import splitter_signature


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
        read = f"premise:passages|max-over:passages|mean-over:sentences|{splitter_signature()}"
        return f"faithfulness|model:{self.model_name}|{read}"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``faithfulness`` in 0–100; 0 for an empty prediction."""
        # A sentence takes at most half of the model's input; a longer one is scored in parts.
        parts = [part for one in claims(self, pair.prediction) for part in one]
        best = [
            max(
                (
                    float(probabilities(self, passage, part)[self.entailment])
                    for passage in passages(self, pair.sources, len(part))
                ),
                default=0.0,  # documents without words
            )
            for part in parts
        ]
        return {"faithfulness": {"value": 100 * sum(best) / max(len(best), 1)}}
