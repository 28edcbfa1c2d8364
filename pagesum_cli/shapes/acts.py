"""What a clause of a by-law, an ordinance or a policy does: it requires, forbids, exempts, decides
or punishes (English).
"""

import re
from functools import cache

from ..text.tables import table


@cache
def _acts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The rows of ``acts.toml``, in order."""
    rows = table(__file__, "acts.toml")["act"]
    return tuple((row["name"], re.compile(row["pattern"])) for row in rows)


@cache
def _ignored() -> re.Pattern[str]:
    return re.compile(table(__file__, "acts.toml")["ignored"])


def act_of(text: str) -> str:
    """What a clause does: ``requirement``, ``prohibition``, ``exception``, ``penalty``,
    ``fee``, ``decision``, ``scope``, or ``formal`` where it is only about the document; empty for
    nothing.
    """
    text = _ignored().sub("…", text)
    return next((name for name, pattern in _acts() if pattern.search(text)), "")
