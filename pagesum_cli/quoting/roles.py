"""What a sentence of a paper does: background, aim, method, finding, limitation; a linear model of
cues (English).

The weights of ``roles.toml`` are fitted by ``tests/benchmarks/roles.py``.
"""

import re
import tomllib
from functools import cache
from math import exp
from pathlib import Path

ROLES = ("background", "aim", "method", "finding", "limitation", "other")

QUARTERS = 4  # parts of a document in which a sentence may be


@cache
def _data() -> tuple[dict[str, re.Pattern[str]], dict[str, list[float]]]:
    """The patterns of the cues, and the weights of all cues for each role."""
    data = tomllib.loads(Path(__file__).with_name("roles.toml").read_text(encoding="utf-8"))
    return {name: re.compile("|".join(one)) for name, one in data["cues"].items()}, data["weights"]


def role_cues(sentence: str, part: str, position: float) -> list[str]:
    """What tells the role of a sentence.

    Args:
        sentence: The sentence.
        part: The part of the paper that it is in (``abstract``, ``introduction``, ``methods`` …),
            empty if unknown.
        position: Its place in the document, from 0 to 1.
    """
    quarter = min(int(QUARTERS * position), QUARTERS - 1)
    text = sentence.lower()  # faster than patterns for both cases
    found = [name for name, pattern in _data()[0].items() if pattern.search(text)]
    return ["bias", f"part: {part or 'unknown'}", f"quarter {quarter + 1}", *found]


def roles_of(sentence: str, part: str, position: float) -> dict[str, float]:
    """The probability of each of :data:`ROLES`."""
    known = _data()[1]
    rows = [known[cue] for cue in role_cues(sentence, part, position) if cue in known]
    scores = [exp(sum(column)) for column in zip(*rows, strict=True)]
    return {role: score / sum(scores) for role, score in zip(ROLES, scores, strict=True)}
