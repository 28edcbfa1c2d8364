"""What a sentence of minutes records: a decision, a vote, a task or a date."""

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..summary.summary import Outcome
from ..text.tables import table

_PLACEHOLDER = re.compile(r"<([A-Z]+)>")
_CAPITAL = re.compile(r"[A-Z@][\w’'-]*")
MAX_LENGTH = 1200  # characters of a sentence that are examined


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
    example: str  # has the form
    counter: str  # has not

    def match(self, text: str, *, is_speech: bool) -> re.Match[str] | None:
        """The form at the beginning of a text."""
        if is_speech and not (self.is_spoken or self.person):
            return None
        match = self.pattern.match(text)
        return None if match and self.unless and self.unless.search(text) else match


@cache
def rules() -> tuple[Rule, ...]:
    """The rows of ``outcomes.toml``, in order."""
    return tuple(map(_rule, table(__file__, "outcomes.toml")["rule"]))


def _rule(row: dict[str, Any]) -> Rule:
    unless = row.get("unless")
    compiled: Any = {"pattern": _compiled(row["pattern"]), "unless": unless and _compiled(unless)}
    flags: Any = {"is_spoken": row.get("spoken", False), "person": row.get("person", "")}
    texts: Any = {key: row[key] for key in ("name", "kind", "example", "counter")}
    return Rule(**texts, **compiled, **flags)


def _compiled(pattern: str) -> re.Pattern[str]:
    words = table(__file__, "outcomes.toml")["words"]
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: words[match[1]], pattern)
    return re.compile(pattern)


@cache
def _due() -> re.Pattern[str]:
    return _compiled(table(__file__, "outcomes.toml")["due"]["within"])


def outcome_of(
    text: str, *, is_speech: bool = False, names: Set[str] = frozenset()
) -> Outcome | None:
    """What a sentence records by its own words, with what stands in front of it; None for a note.

    Args:
        text: The sentence.
        is_speech: Whether somebody says it.
        names: Words that are known to be parts of names.
    """
    text = text[:MAX_LENGTH]
    for rule in rules():
        match = rule.match(text, is_speech=is_speech)
        groups = match.groupdict() if match else {}
        who = groups.get("who") or groups.get("whom") or ""
        needed = "known" if is_speech and not rule.is_spoken else rule.person
        if match and _is_person(who, needed, names):
            return outcome(rule.kind, text, who or _who_in(text[match.end() :], names))
    return None


def _who_in(text: str, names: Set[str]) -> str:
    """Who does something, by the words after a label: "Anna Berg to order two stones"."""
    for rule in rules():
        match = rule.match(text, is_speech=False) if rule.person else None
        who = match["who"] if match else None
        if who and _is_person(who, rule.person, names):
            return who
    return ""


def _is_person(who: str, needed: str, names: Set[str]) -> bool:
    """Whether the one who does something is a person, as far as a rule asks for it."""
    capitals = _CAPITAL.findall(who)
    if not needed or not names.isdisjoint(capitals):
        return True
    is_common = bool(capitals) and _people("common").fullmatch(capitals[0]) is not None
    return needed == "likely" and not is_common


@cache
def _people(name: str) -> re.Pattern[str]:
    return _compiled(table(__file__, "outcomes.toml")["people"][name])


def outcome(kind: str, text: str, who: str = "") -> Outcome:
    """An outcome of a kind, with who does it, and until when if a task says so."""
    if kind != "action":
        return Outcome(kind)
    due = _due().search(text)
    return Outcome(kind, who.strip(" ,:;–-([])"), due[0].strip() if due else "")


def is_status(text: str) -> bool:
    """Whether a text under tasks only reports on one."""
    return _people("status").match(text) is not None


def has_date(text: str) -> bool:
    """Whether a text has a date."""
    return _due().search(text) is not None
