"""The kind of a document by its words, as a logistic regression decides, for documents that no rule
recognizes.

``tests/benchmarks/train_kinds.py`` fitted its weights; ``assets/kinds/README.md`` says on what.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from math import exp, log, sqrt
from pathlib import Path

from ..documents.model import Document

WEIGHTS = Path(__file__).parents[1] / "assets" / "kinds" / "weights.json"
SCALE = 10  # weights are in tenths
BIAS = ""  # the feature that is always added
OTHER = "other"  # a document of none of the kinds
LIKELY = 0.5  # probability from which a document is of a kind
MIN_WORDS, MAX_WORDS = 200, 3000  # of a text that is known, and of one that count
_WORD = re.compile(r"[^\W\d_]+|\d+|§")


def likely_kind(document: Document) -> str:
    """The kind of a document: ``contract``, ``opinion``, ``paper``, ``release``, ``report``,
    ``rules`` or ``software``; empty for another one, and where that is not clear.
    """
    if len(document.text.split()) < MIN_WORDS:
        return ""
    chances = probabilities(features(document), weights())
    kind = max(chances, key=chances.__getitem__)
    return kind if kind != OTHER and chances[kind] >= LIKELY else ""


def probabilities(
    found: Mapping[str, float], own: Mapping[str, Mapping[str, int]]
) -> dict[str, float]:
    """The probability of each kind, by the features of a document and some weights."""
    length = sqrt(sum(value**2 for name, value in found.items() if name in own)) or 1.0
    kinds = own[BIAS]
    logits = {
        kind: (
            bias + sum(own[one].get(kind, 0) * found[one] for one in found if one in own) / length
        )
        for kind, bias in kinds.items()
    }
    highest = max(logits.values())
    odds = {kind: exp((logit - highest) / SCALE) for kind, logit in logits.items()}
    total = sum(odds.values())
    return {kind: value / total for kind, value in odds.items()}


@cache
def weights() -> dict[str, dict[str, int]]:
    """The weights of each feature by kind."""
    loaded: dict[str, dict[str, int]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return loaded


def features(document: Document) -> dict[str, float]:
    """The words of a document's title, of its headings and of its text, and how much each counts:
    one and the logarithm of its number.
    """
    headings = dict.fromkeys(one.heading for one in document.sections)
    text = (word for one in document.sections for word in _words([one.text]))
    counts = Counter(f"t {word}" for word in _words([document.title]))
    counts.update(f"h {word}" for word in _words(headings))
    counts.update(f"w {word}" for word in islice(text, MAX_WORDS))
    return {name: 1 + log(number) for name, number in counts.items()}


def _words(texts: Iterable[str]) -> Iterable[str]:
    """The words of some texts in small letters, all numbers alike."""
    for text in texts:
        for match in _WORD.finditer(text):
            yield "0" if match[0].isdecimal() else match[0].lower()
