"""Does the document entail what the summary says? By a model of natural language inference."""

from collections.abc import Iterator

import torch

from ..errors import PagesumError
from .encoders import framed, load, reach, token_ids
from .pair import Pair, Score
from .protocol import scored_sentences


class Faithfulness:
    """For each sentence of the prediction, the highest probability with which any passage entails it; their mean.

    After SummaC-ZS (Laban et al. 2022), with passages of as many whole sentences as the model reads at once. It sees
    one passage at a time, so that what only several passages together say counts as not entailed; it inherits the NLI
    model's faults (numbers, negation, other kinds of text than it was trained on). It ranks systems; it proves nothing
    about a sentence.

    Args:
        name: a sequence classifier with a label ``entailment``, by folder or name on the hub.
        device: where it runs.
    """

    name = "faithfulness"
    columns = ("faithfulness",)
    needs = "sources"
    heavy = True

    def __init__(self, name: str, device: str = "cpu") -> None:
        from transformers import AutoModelForSequenceClassification

        self.model_name = name
        self.model, self.tokenizer = load(AutoModelForSequenceClassification, name, device, head="trained classifier")
        labels = {label.lower(): number for number, label in self.model.config.id2label.items()}
        if "entailment" not in labels:
            raise PagesumError(
                f"{name} has no label 'entailment', only {', '.join(labels)}",
                "give a model of natural language inference",
            )
        self.entailment = labels["entailment"]

    @property
    def signature(self) -> str:
        """The model, and what it is shown at a time."""
        return f"faithfulness|model:{self.model_name}|premise:passages|max-over:passages|mean-over:sentences"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``faithfulness`` in 0–100; 0 for an empty prediction."""
        room = reach(self.model, self.tokenizer) - self.tokenizer.num_special_tokens_to_add(True)
        best = []
        for sentence in scored_sentences(pair.prediction):
            # A sentence may take half of what the model reads; a longer one is judged in parts.
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
