"""What a sentence of minutes records: a decision, a vote, a task or a date."""

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..summary.summary import Outcome
from ..text.tables import table
from .forms import compiled
from .owners import is_person, owner_beside, owner_of

MAX_LENGTH = 1200  # characters of a sentence that are examined
END = 300  # characters at the end of a longer one in which a vote may stand, after a table


@dataclass(frozen=True)
class Rule:
    """A form in which minutes record what was decided; see ``outcomes.toml``."""

    name: str
    kind: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    is_spoken: bool  # whether it also counts where somebody speaks
    # whether the one who does it must be a name: ``likely``, ``known`` from elsewhere in the
    # minutes, or empty
    person: str
    # a condition before it, under which nothing is recorded
    condition: re.Pattern[str] | None
    example: str  # has the form
    counter: str  # has not

    def match(self, text: str, *, is_speech: bool) -> re.Match[str] | None:
        """The form at the beginning of a text."""
        if is_speech and not (self.is_spoken or self.person):
            return None
        match = self.pattern.match(text)
        if match is None or (self.unless and self.unless.search(text)):
            return None
        is_conditional = self.condition and self.condition.search(text, 0, match.end())
        return None if is_conditional else match

    @property
    def is_explicit(self) -> bool:
        """Whether the form alone shows the kind, under any heading: a label, a vote."""
        return self.kind in ("vote", "date") or "label" in self.name


Form = tuple[Rule, re.Match[str]]
"""A rule and where it fits."""


@cache
def rules() -> tuple[Rule, ...]:
    """The rows of ``outcomes.toml``, in order."""
    return tuple(map(_rule, table(__file__, "outcomes.toml")["rule"]))


def _rule(row: dict[str, Any]) -> Rule:
    patterns: Any = {"pattern": compiled(row["pattern"])}
    for key in ("unless", "condition"):
        patterns[key] = compiled(row[key]) if key in row else None
    flags: Any = {"is_spoken": row.get("spoken", False), "person": row.get("person", "")}
    texts: Any = {key: row[key] for key in ("name", "kind", "example", "counter")}
    return Rule(**texts, **patterns, **flags)


@cache
def _due() -> re.Pattern[str]:
    return compiled(table(__file__, "outcomes.toml")["due"]["within"])


def outcome_of(
    text: str, *, is_speech: bool = False, names: Set[str] = frozenset()
) -> Outcome | None:
    """What a sentence records by its own words, with what stands in front of it; None for a note.

    Args:
        text: The sentence.
        is_speech: Whether somebody says it.
        names: Words that are known to be parts of names.
    """
    form = rule_of(text, is_speech=is_speech, names=names)
    return recorded_in(text, form, names) if form else None


def recorded_in(text: str, form: Form, names: Set[str]) -> Outcome:
    """What a sentence records in a form of :func:`rule_of`."""
    rule, match = form
    rest = text[match.end() : MAX_LENGTH]
    who = owner_of(_doer(match) or _who_in(rest, names), names) or owner_beside(rest, names)
    return outcome(rule.kind, text[:MAX_LENGTH], who)


def rule_of(text: str, *, is_speech: bool = False, names: Set[str] = frozenset()) -> Form | None:
    """The form in which a sentence records something, see :func:`outcome_of`."""
    text = text[:MAX_LENGTH]
    for rule in rules():
        match = rule.match(text, is_speech=is_speech)
        needed = "known" if is_speech and not rule.is_spoken else rule.person
        if match and is_person(_doer(match), needed, names):
            return rule, match
    return _vote_at_end(text, is_speech=is_speech)


def _vote_at_end(text: str, *, is_speech: bool) -> Form | None:
    """The form of a vote at the end of a long sentence: "… 66.18 Berg proposed payments, seconded
    by Dahl".
    """
    end = text[-END:].partition(" ")[2] if len(text) > END else ""
    votes = (rule for rule in rules() if end and rule.kind == "vote")
    found = ((rule, rule.match(end, is_speech=is_speech)) for rule in votes)
    return next(((rule, match) for rule, match in found if match), None)


def _doer(match: re.Match[str]) -> str:
    groups = match.groupdict()
    return groups.get("who") or groups.get("whom") or ""


def _who_in(text: str, names: Set[str]) -> str:
    """Who does something, by the words after a label: "Anna Berg to order two stones"."""
    for rule in rules():
        match = rule.match(text, is_speech=False) if rule.person else None
        who = match["who"] if match else None
        if who and is_person(who, rule.person, names):
            return who
    return ""


def outcome(kind: str, text: str, who: str = "") -> Outcome:
    """An outcome of a kind, with who does it, and until when if a task says so."""
    if kind != "action":
        return Outcome(kind)
    dates = (one for one in _due().finditer(text) if not _is_of_other(text, one))
    found = (one[0].strip(" .") for one in dates)
    due = next((one for one in found if not _is_bare_month(one)), "")
    return Outcome(kind, who, due)


def _is_of_other(text: str, date: re.Match[str]) -> bool:
    """Whether a date in a text is that of another document or of an earlier meeting."""
    is_bare = not date[0].lower().startswith(("by", "before", "until", "till", "due", "no later"))
    return is_bare and _other().search(text[: date.start()]) is not None


@cache
def _other() -> re.Pattern[str]:
    return compiled(table(__file__, "outcomes.toml")["due"]["other"])


def _is_bare_month(due: str) -> bool:
    """Whether a date is only the name of a month, which may be a person's, too: Jan, May."""
    return due.isalpha() and _month().fullmatch(due) is not None


@cache
def _month() -> re.Pattern[str]:
    return compiled(table(__file__, "outcomes.toml")["words"]["MONTH"])


@cache
def _status() -> re.Pattern[str]:
    return compiled(table(__file__, "outcomes.toml")["people"]["status"])


def is_status(text: str) -> bool:
    """Whether a text under tasks only reports on one."""
    return _status().match(text) is not None


def has_date(text: str) -> bool:
    """Whether a text has a date."""
    return _due().search(text) is not None


def is_only_date(text: str) -> bool:
    """Whether a text has no words but those of a date and a time."""
    return has_date(text) and not re.search(r"[^\W\d_]{3,}", _due().sub(" ", text))
