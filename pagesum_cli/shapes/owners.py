"""Whose task it is: a person, a role or a body that a sentence of minutes names."""

import re
from collections.abc import Sequence, Set
from functools import cache

from ..text.tables import table
from ..text.words import is_usually_capital
from .forms import compiled

_CAPITAL = re.compile(r"[A-Z@][\w’'-]*")
_AROUND = " ,:;.–-([])&"


def is_person(who: str, needed: str, names: Set[str]) -> bool:
    """Whether the one who does something is a person, a role or a body, as far as a rule asks.

    Args:
        who: The words that may name somebody.
        needed: ``likely``, ``known`` or empty; see ``Rule.person``.
        names: Words that are known to be parts of names.
    """
    capitals = _CAPITAL.findall(who)
    if not needed or not names.isdisjoint(capitals):
        return True
    return needed == "likely" and (_is(who, "pronoun") or bool(_named(who, names)))


def owner_of(who: str, names: Set[str]) -> str:
    """The one who does something as the text names him; empty for a pronoun, and for what names
    nobody.
    """
    who = _form("given").sub("", who)
    return "" if _is(who, "pronoun") else _named(who, names)


def owner_beside(text: str, names: Set[str]) -> str:
    """The person whose name is before or after a task: ``Anna Berg: mend the mill``, ``(AB) mends
    the mill``, ``Mend the mill (Anna)``.
    """
    for form in ("before", "behind"):
        match = _form(form).search(text)
        who = owner_of(match["who"], names) if match else ""
        if who and (form == "before" or _is_sure(who, names)):
            return who
    return ""


def is_body(who: str) -> bool:
    """Whether words name a body that decides, and no person."""
    return not who or _is(who, "body")


def _is_sure(who: str, names: Set[str]) -> bool:
    """Whether words name somebody where also other remarks stand, as in brackets."""
    is_known = not names.isdisjoint(_CAPITAL.findall(who))
    return is_known or who.startswith("@") or _is(who, "role")


def _named(who: str, names: Set[str]) -> str:
    """The words of those who are named, without those before that name nobody."""
    parts = re.split(r"(,? (?:and|or) |, | ?[&/] ?)", who.strip(_AROUND))
    while parts and not (_names_somebody(parts[0], names) and _begins(parts)):
        parts = parts[2:]
    return "".join(parts).strip(_AROUND)


def _begins(parts: Sequence[str]) -> bool:
    """Whether those who are named begin with the first part: in "the mill's director, Anna Berg
    and Carl Dahl", a role without an article belongs to what stands before.
    """
    return len(parts) == 1 or not parts[0][:1].islower() or parts[0].startswith(("the ", "our "))


def _names_somebody(part: str, names: Set[str]) -> bool:
    if part.startswith("@") or _is(part, "role"):
        return True
    words = _CAPITAL.findall(_form("title").sub("", part))
    if not words:
        return False
    is_name = is_usually_capital(words[0]) and not _is(words[0], "common")
    return is_name or not names.isdisjoint(words)


def _is(text: str, name: str) -> bool:
    return _form(name).fullmatch(text.strip(_AROUND)) is not None


@cache
def _form(name: str) -> re.Pattern[str]:
    return compiled(table(__file__, "outcomes.toml")["owner"][name])
