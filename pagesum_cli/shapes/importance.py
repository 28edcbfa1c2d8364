"""How much an outcome of a meeting matters: money, divided votes, offices and rules before tasks,
and these before what is the same at each meeting.
"""

import re
from dataclasses import dataclass
from functools import cache

from ..summary.summary import Outcome
from ..text.tables import table

MAX_LENGTH = 600  # characters at either end of a sentence that say how much it matters
OF_TASK = 0.5  # share of the weight of words where somebody will only look into the matter
FURTHER, MOST = 0.75, 3  # of each further amount of money, of so many at most
DUE, OWNED = 1.0, 0.3  # of a task with a deadline, and with somebody who does it

_AMOUNT = re.compile(r"[$£€]\s?\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Weight:
    """A form of outcomes that matter more, or less, than others; see ``importance.toml``."""

    name: str
    weight: float
    pattern: re.Pattern[str]
    reason: str
    example: str  # has the form
    counter: str  # has not


@cache
def weights() -> tuple[Weight, ...]:
    """The rows of ``importance.toml``."""
    rows = table(__file__, "importance.toml")["row"]
    return tuple(Weight(**{**row, "pattern": re.compile(row["pattern"])}) for row in rows)


def importance(text: str, outcome: Outcome) -> float:
    """How much an outcome matters, by the words of its sentence: the more, the greater."""
    text = text if len(text) <= 2 * MAX_LENGTH else f"{text[:MAX_LENGTH]} {text[-MAX_LENGTH:]}"
    found = sum(one.weight for one in weights() if one.pattern.search(text))
    amounts = len(set(_AMOUNT.findall(text)))
    found += FURTHER * max(min(amounts - 1, MOST), 0)
    if outcome.kind == "action":
        found *= OF_TASK if found > 0 else 1.0
    kind: float = table(__file__, "importance.toml")["kinds"].get(outcome.kind, 0.0)
    return kind + found + DUE * bool(outcome.due) + OWNED * bool(outcome.who)
