"""Which clauses of by-laws set limits: amounts, numbers of days, ages and dates; and slots of a
summary in which a clause has no place, whatever a model has learned (English).
"""

import re
from functools import cache

from ..text.tables import table
from .acts import act_of
from .clauses import kinds_of
from .points import Point

LIMIT = 0.7  # log odds by which a clause with a limit counts more than one without
EMPTY = -1.0  # the same, of what only says how the document is carried out


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "limits.toml")[name])


@cache
def _slots() -> dict[str, dict[str, re.Pattern[str]]]:
    """What a clause must say in some slots, and must not, and what it must not do."""
    rows = table(__file__, "limits.toml")["slots"]
    return {
        name: {key: re.compile(value) for key, value in row.items()} for name, row in rows.items()
    }


def sets_limit(text: str) -> bool:
    """Whether a clause has an amount of money, the largest or smallest number of something, or a
    date from or until which it holds.
    """
    text = _form("number_of_law").sub("…", _form("listed").sub("…", text))
    return _form("limit").search(text) is not None


def weight_of(point: Point) -> float:
    """By how much a clause counts more than others in its slot: the more if it sets a limit."""
    if sets_limit(point.text):
        return LIMIT
    return EMPTY if _form("empty").search(point.text) else 0.0


def has_no_place_in(slot: str, point: Point) -> bool:
    """Whether a clause does, or says, what belongs in another slot."""
    row = _slots().get(slot, {})
    act = act_of(point.text)
    is_other = bool(act) and "acts" in row and row["acts"].fullmatch(act) is not None
    if is_other or kinds_of(point.text) == ("definition",):
        return True
    says = "words" not in row or row["words"].search(point.text) is not None
    return not says or ("veto" in row and row["veto"].search(point.text) is not None)
