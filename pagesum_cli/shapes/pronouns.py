"""Who "he" and "she" are at the beginning of a sentence of minutes: the person that the sentences
before it in its paragraph are about.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ..documents.model import Sentence
from ..summary.summary import SummarySentence
from ..text.tables import table
from ..text.words import is_usually_capital
from .forms import compiled

REACH = 6  # sentences before a pronoun among which its person is looked for

_PRONOUN = re.compile(r"(?:He|She|They)\b")
_INSIDE = re.compile(r"(?i)\b(?:him|them|it|this|these|those)\b")
_FULL_NAME = re.compile(r"([A-Z][\w’'-]+) (?:[A-Z]\. )?([A-Z][\w’'-]+)")


@cache
def _form(name: str) -> re.Pattern[str]:
    return compiled(table(__file__, "pronouns.toml")[name])


_OPINIONS = {"decision": ("report", "opinion"), "action": ("statement", "opinion"), "date": ()}
"""The forms of what is none of an outcome of each kind; of other kinds, only an opinion."""


def pronoun_of(text: str) -> str:
    """The pronoun for a person or several that a sentence begins with; empty for another
    beginning.
    """
    match = _PRONOUN.match(text)
    return match[0] if match else ""


def refers_inside(text: str) -> bool:
    """Whether a sentence refers to anything but whom it is about: "He will speak to him"."""
    return _INSIDE.search(text) is not None


def is_opinion(text: str, kind: str) -> bool:
    """Whether a sentence that may record an outcome of a kind is what somebody says or wants."""
    forms = _OPINIONS.get(kind, ("opinion",))
    return any(_form(name).match(text) for name in forms)


def person_of(sentences: Sequence[Sentence], number: int) -> str:
    """The person that the pronoun at the beginning of a sentence stands for, as the sentence names
    him that begins with him; empty where that is not sure, because anybody else is named or another
    sentence is between that does not begin with the same pronoun.
    """
    pronoun = pronoun_of(sentences[number].text)
    between = ""
    for before in range(number - 1, max(number - REACH, 0) - 1, -1):
        one = sentences[before]
        if pronoun in ("", "They") or not _goes_on(one, sentences[before + 1]):
            return ""
        if pronoun_of(one.text) != pronoun:
            return _subject(one.text, between, pronoun)
        between += f"{one.text} "
    return ""


def with_person(sentence: SummarySentence, person: str) -> SummarySentence:
    """A quote that begins with a person in brackets instead of the pronoun."""
    source, pronoun = sentence.source, pronoun_of(sentence.text)
    is_whole = source is not None and not (source.omitted and source.omitted[0][0] == 0)
    if source is None or not is_whole or not pronoun or not person:
        return sentence
    shown = f"[{person}]"
    added = len(shown) - len(pronoun)
    source = replace(
        source,
        omitted=((0, len(pronoun)), *source.omitted),
        inserted=((0, shown), *((at + added, text) for at, text in source.inserted)),
    )
    return replace(sentence, text=shown + sentence.text[len(pronoun) :], source=source)


def _goes_on(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence follows another one in its paragraph."""
    return not before.is_heading and 0 <= sentence.front_start - before.end <= 1


def _subject(text: str, between: str, pronoun: str) -> str:
    """The person that a sentence begins with, unless the rest of it, or what is between it and the
    pronoun, names others.
    """
    match = _form("titled").match(text)
    name = match["name"] if match else _full_name(text)
    rest = f"{text[len(name) :]} {between}"
    is_doing = re.match(r" (?!(?:and|or|of|for)\b)[a-z]", rest) and not _is_whose(name)
    is_other = _form(f"not_{pronoun.lower()}").match(name) or _names_others(rest, name)
    return "" if is_other or not is_doing else name


def _is_whose(name: str) -> bool:
    return name.endswith(("’s", "'s", "s’", "s'"))


def _full_name(text: str) -> str:
    """The first and the last name that a text begins with; empty where they may be words."""
    match = _FULL_NAME.match(text)
    return match[0] if match and all(map(is_usually_capital, match.groups())) else ""


def _names_others(text: str, name: str) -> bool:
    """Whether a text names anybody but one person, by a title, a name or an office."""
    titled = [match["name"] for match in _form("titled").finditer(text)]
    full = [match[0] for match in _FULL_NAME.finditer(text) if _full_name(match[0])]
    last = name.rpartition(" ")[2]
    is_other = any(last not in one for one in (*titled, *full))
    return is_other or bool(_form("somebody").search(text))
