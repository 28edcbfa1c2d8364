"""Accuracy of facts (Goodrich et al. 2019), of triples that the user's own tool has extracted."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from ...errors import PagesumError
from ...files import open_packed
from ...text.words import words_of
from .base import Metric, Pair, Score

HINT = (
    'expected a JSON object on each line: {"text": "…", "triples": [["subject", "relation", '
    '"object"], …]}'
)

# subject, relation, object: words in lower case, each followed and preceded by a space
Triple = tuple[str, str, str]


class FactAccuracy(Metric):
    """Of the prediction's facts whose subject and relation the reference has too, the share with
    the same object.

    Objects are the same if they are equal, or one holds the words of the other: "1 May" and "1 May
    1912". Words are compared in lower case, without punctuation. A prediction without such facts
    scores 0, and only a reference without facts leaves its document out, as in the DPP attention
    paper's program. A fact counts once. ``model`` is a file in JSON Lines (also packed), see
    :data:`HINT`; the text says which summary a line is of.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._digest = hashlib.sha256()
        self._facts: dict[str, set[Triple]] = {}
        with open_packed(self.model_name) as file:
            for number, line in enumerate(file, start=1):
                self._digest.update(line)
                if line.strip():
                    self._add(line, f"{self.model_name}, line {number}")

    @property
    def signature(self) -> str:
        triples = self._digest.hexdigest()[:16]
        return (
            f"fact-accuracy|triples:{triples}|object:equal-or-substring|words:lower|without-facts:0"
        )

    def prepare(self, pairs: Sequence[Pair]) -> None:
        """Check that the file has the triples of all texts.

        Raises:
            PagesumError: It has not.
        """
        for pair in pairs:
            for kind, text in (("prediction", pair.prediction), ("reference", pair.reference)):
                if text.strip() and _key(text) not in self._facts:
                    message = f"{self.model_name} has no triples of the {kind} of {pair.id}"
                    hint = (
                        "add a line with its text, as it is in results.jsonl; a text without "
                        "facts has an empty list"
                    )
                    raise PagesumError(message, hint)

    def score(self, pair: Pair) -> dict[str, Score]:
        """``fact-accuracy`` in 0–100; left out where the reference has no fact."""
        predicted, reference = (
            self._facts.get(_key(text), set()) for text in (pair.prediction, pair.reference)
        )
        known: dict[tuple[str, str], list[str]] = {}
        for subject, relation, value in reference:
            known.setdefault((subject, relation), []).append(value)
        correct = [
            any(value in other or other in value for other in known[subject, relation])
            for subject, relation, value in predicted
            if (subject, relation) in known
        ]
        return (
            {"fact-accuracy": {"value": 100 * sum(correct) / max(len(correct), 1)}} if known else {}
        )

    def _add(self, line: bytes, where: str) -> None:
        try:
            value = json.loads(line)
            triples = [
                [f" {' '.join(words_of(str(one)))} " for one in triple]
                for triple in value["triples"]
            ]
            facts = {(subject, relation, object_) for subject, relation, object_ in triples}
            key = _key(value["text"])
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise PagesumError(f"{where}: no triples of a text ({error})", HINT) from error
        # Facts without words would be equal to, or part of, any other.
        self._facts.setdefault(key, set()).update(
            fact for fact in facts if all(map(str.strip, fact))
        )


def _key(text: str) -> str:
    return " ".join(text.split())
