"""The language of a text: by its script, and in Latin script by its most frequent words."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

MIN_LETTERS = 60  # letters below which a language is not guessed
CLEAR_SHARE = 0.06
"""Share of a language's frequent words, from which a text may be in it (Finnish prose: 0.07, English: 0.2 to 0.45)."""

CLEARLY_MORE = 2  # how many times an expected language's share that of the text's language must be


class Script(NamedTuple):
    """A script other than Latin."""

    name: str  # in a sentence
    languages: frozenset[str]  # codes (ISO 639-1) of the languages that are written in it
    letters: re.Pattern[str]  # one letter, as a class of a regular expression
    spaced: bool = True  # whether words are separated by spaces


def _script(name: str, languages: str, letters: str, *, spaced: bool = True) -> Script:
    return Script(name, frozenset(languages.split()), re.compile(f"[{letters}]"), spaced)


_DATA = tomllib.loads((Path(__file__).parent / "languages.toml").read_text(encoding="utf-8"))

SCRIPTS = tuple(_script(**one) for one in _DATA["scripts"])
_ASCII = re.compile(r"[\x00-\x7f]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]")
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")  # single letters are names of variables too

NAMES: dict[str, str] = {code: one["name"] for code, one in _DATA["latin"].items()}
FREQUENT = {code: frozenset(one["words"].split()) for code, one in _DATA["latin"].items()}
"""About the forty most frequent words of each language in Latin script."""


def foreign_to(text: str, languages: Sequence[str]) -> str | None:
    """The language or script of a text, if it clearly is none of the given languages.

    Returns:
        Its name; None if the text is in one of them, or if that is not clear.
    """
    script = script_of(text)
    if script:
        return None if script.languages & set(languages) else script.name
    shares = frequent_shares(text)
    if not shares:
        return None
    best = max(shares, key=lambda code: shares[code])
    own = max((shares.get(code, 0.0) for code in languages), default=0.0)
    if any(code not in FREQUENT for code in languages) and best not in languages and shares[best] < 2 * CLEAR_SHARE:
        return None  # it may be in the language of which no words are known
    return NAMES[best] if shares[best] >= max(CLEAR_SHARE, CLEARLY_MORE * own) else None


def script_of(text: str) -> Script | None:
    """The script in which most of a text is; None for Latin script, and for too few letters."""
    others = _ASCII.sub("", text)
    if len(others) < MIN_LETTERS:
        return None
    counts = [len(script.letters.findall(others)) for script in SCRIPTS]
    kana, han = counts[:2]
    if kana > 0.1 * han:  # Japanese is written in both
        counts[:2] = [kana + han, 0]
    most = max(counts)
    if most < MIN_LETTERS or most <= sum(counts) - most + len(_LATIN.findall(text)):
        return None
    return SCRIPTS[counts.index(most)]


@lru_cache(maxsize=32)
def frequent_shares(text: str) -> Mapping[str, float]:
    """The share of a text's words that are among the frequent ones of each language; empty for too few letters."""
    counts = Counter(word.lower() for word in _WORD.findall(text))
    if sum(len(word) * count for word, count in counts.items()) < MIN_LETTERS:
        return {}
    total = counts.total()
    return {code: sum(counts[word] for word in frequent) / total for code, frequent in FREQUENT.items()}


def name_of(code: str) -> str:
    """The name of a language, or its code if the name is not known."""
    return NAMES.get(
        code, next((one.name for one in SCRIPTS if code in one.languages and len(one.languages) == 1), code)
    )
