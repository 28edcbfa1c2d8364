"""The share of consistent sentences (Kryściński et al. 2020), over several documents."""

from typing import Any

from ...errors import PagesumError
from .base import Pair, Score
from .encoders import ModelMetric
from .passages import claims, passages, probabilities
from .protocol import splitter_signature

CONSISTENT = ("correct", "consistent", "entailment", "supported", "factual")
"""Names of the class of a consistent sentence: FactCC's first, then those of other models."""


class FactCC(ModelMetric):
    """The share of a prediction's sentences that a model classifies as consistent with at least one document.

    The protocol of Perez-Beltrachini and Lapata (2021) for Multi-News. The model reads a document and a sentence, as a
    pair; a document that is longer than its input is read in passages of whole sentences, and one of them suffices
    (FactCC's own program cuts the document). A sentence longer than half of the input is read in parts, all of which
    must be consistent.

    The model is a sequence classifier with one of the labels :data:`CONSISTENT`, such as FactCC or a model of natural
    language inference; a sentence is consistent if this is the most probable class.
    """

    auto_class = "AutoModelForSequenceClassification"
    head = "trained classifier"

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        labels = {label.lower(): number for number, label in self.model.config.id2label.items()}
        known = [label for label in CONSISTENT if label in labels]
        if not known:
            raise PagesumError(
                f"{self.model_name} has the labels {', '.join(labels)}, expected one of {', '.join(CONSISTENT)}",
                "give FactCC or a model of natural language inference; id2label in its config.json names the classes",
            )
        self.label, self.number = known[0], labels[known[0]]

    @property
    def signature(self) -> str:
        """The model, its class for consistent sentences, and what it reads."""
        return (
            f"factcc|model:{self.model_name}|label:{self.label}|premise:passages|any-of:documents|mean-over:sentences"
            f"|{splitter_signature()}"
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        """``factcc`` in 0–100; 0 for an empty prediction."""
        found = [all(self._is_consistent(part, pair) for part in one) for one in claims(self, pair.prediction)]
        return {"factcc": {"value": 100 * sum(found) / max(len(found), 1)}}

    def _is_consistent(self, claim: list[int], pair: Pair) -> bool:
        return any(
            int(probabilities(self, passage, claim).argmax()) == self.number
            for passage in passages(self, pair.sources, len(claim))
        )
