"""What makes a text unsuitable: its language, dialogue, no sentences, mostly numbers. In doubt it
is suitable.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .tables import patterns, table

MIN_LETTERS = 60  # letters below which a language is not guessed
# share of a language's frequent words from which a text may be in it (English: 0.2 to 0.45)
CLEAR_SHARE = 0.06
CLEARLY_MORE = 2  # how many times an expected language's share that of the text's language must be


class Script(NamedTuple):
    """A script other than Latin."""

    name: str  # in a sentence
    languages: frozenset[str]  # codes (ISO 639-1) of the languages that are written in it
    letters: re.Pattern[str]  # one letter, as a class of a regular expression
    spaced: bool = True  # whether words are separated by spaces


_DATA = table(__file__, "languages.toml")

SCRIPTS = tuple(
    Script(
        one["name"],
        frozenset(one["languages"].split()),
        re.compile(f"[{one['letters']}]"),
        one.get("spaced", True),
    )
    for one in _DATA["scripts"]
)
_ASCII = re.compile(r"[\x00-\x7f]+")
_FORMS = patterns(__file__, "suitability.toml")

NAMES: dict[str, str] = {code: one["name"] for code, one in _DATA["latin"].items()}
FREQUENT = {code: frozenset(one["words"].split()) for code, one in _DATA["latin"].items()}
"""About the forty most frequent words of each language in Latin script."""


def foreign_to(text: str, languages: Sequence[str]) -> str | None:
    """The name of the language or script of a text, if it clearly is none of the given languages;
    else None.
    """
    script = script_of(text)
    if script:
        return None if script.languages & set(languages) else script.name
    shares = frequent_shares(text)
    if not shares:
        return None
    best = max(shares, key=lambda code: shares[code])
    own = max((shares.get(code, 0.0) for code in languages), default=0.0)
    if (
        any(code not in FREQUENT for code in languages)
        and best not in languages
        and shares[best] < 2 * CLEAR_SHARE
    ):
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
    if most < MIN_LETTERS or most <= sum(counts) - most + len(_FORMS["latin"].findall(text)):
        return None
    return SCRIPTS[counts.index(most)]


@lru_cache(maxsize=32)
def frequent_shares(text: str) -> Mapping[str, float]:
    """The share of a text's words that are among the frequent ones of each language; empty for too
    few letters.
    """
    counts = Counter(word.lower() for word in _FORMS["letters"].findall(text))
    if sum(len(word) * count for word, count in counts.items()) < MIN_LETTERS:
        return {}
    total = counts.total()
    return {
        code: sum(counts[word] for word in frequent) / total for code, frequent in FREQUENT.items()
    }


def name_of(code: str) -> str:
    """The name of a language, or its code if the name is not known."""
    return NAMES.get(
        code,
        next(
            (one.name for one in SCRIPTS if code in one.languages and len(one.languages) == 1), code
        ),
    )


DIALOGUE = "a dialogue or transcript, which is summarized poorly: few of its sentences stand alone"
NUMBERS = "a table, mostly numbers, with few sentences to summarize"
DATA = "code, a log or data, with few sentences to summarize"
TEMPLATE = "an unfilled template: most of its sentences are placeholders"
LIST = "a list, with few sentences to summarize"

MIN_TOKENS = 40  # number of tokens below which a text is not judged
MAX_TOKEN = 60  # characters of the longest token that is taken for a word or a number
# characters of the beginning, the middle and the end that are read of a longer text
SAMPLE = 10_000
# share of tokens that are numbers, from which a text is a table (papers: at most 0.1)
MOSTLY_NUMBERS = 0.45
PROSE = 0.85
"""Share of tokens that are plain words + share of words that are frequent in the language, below
which a text is not prose (papers: at least 0.95)."""

FEW_FREQUENT, FEW_ENDS = 0.12, 1.5
"""Share of frequent words, and ends of sentences per 100 tokens, below which a text is a list
(papers: 0.2 and 1.8).
"""

MIN_TURNS, TURN_RATE, TURN_SPAN = 6, 8.0, 0.6
"""Number of turns, turns per 1,000 tokens, and the share of the text from the first to the last
one, of a dialogue.
"""

# sentences with placeholders, and their share of all, from which a text is a template
MIN_PLACEHOLDERS, MOSTLY_PLACEHOLDERS = 3, 0.5

# share of words that address somebody, or report what was said, in dialogue (papers: 0.001)
SPOKEN_SHARE = 0.008
TIMES_RATE = 2.0  # times per 100 tokens of a transcript or chat


@lru_cache(maxsize=32)  # asked before a summary is made, and for it
def unsuitable(text: str) -> str | None:
    """What a text looks like if it is unlike the articles that models are trained on; None for
    prose, and in doubt.
    """
    text = sample_of(text)
    if _is_template(text):
        return TEMPLATE
    tokens = _FORMS["token"].findall(text)
    script = script_of(text)
    if len(tokens) < MIN_TOKENS or (script and not script.spaced):
        return DIALOGUE if len(_FORMS["subtitle"].findall(text)) >= MIN_TURNS else None
    shares = frequent_shares(text)
    frequent = max(shares.values(), default=0.0)
    if _is_dialogue(text, len(tokens), is_english=not script and shares.get("en") == frequent):
        return DIALOGUE
    if len(_matching(_FORMS["number"], tokens)) >= MOSTLY_NUMBERS * len(tokens):
        return NUMBERS
    if script:
        # its frequent words are not known, and in some scripts words hold marks that are no letters
        return None
    if len(_matching(_FORMS["plain"], tokens)) / len(tokens) + frequent < PROSE:
        return DATA
    if frequent < FEW_FREQUENT and 100 * len(_FORMS["end"].findall(text)) < FEW_ENDS * len(tokens):
        return LIST
    return None


def _is_template(text: str) -> bool:
    units = [unit for unit in _FORMS["unit"].findall(text) if len(unit.split()) > 1]
    filled = sum(_FORMS["placeholder"].search(unit) is not None for unit in units)
    return filled >= MIN_PLACEHOLDERS and filled > MOSTLY_PLACEHOLDERS * len(units)


def _is_dialogue(text: str, tokens: int, *, is_english: bool) -> bool:
    if len(_FORMS["subtitle"].findall(text)) >= MIN_TURNS:
        return True
    if is_english and len(_FORMS["spoken"].findall(text)) < SPOKEN_SHARE * len(
        _FORMS["word"].findall(text)
    ):
        return False
    times = len(_FORMS["time"].findall(text))
    if is_english and times >= MIN_TURNS and 100 * times >= TIMES_RATE * tokens:
        return True
    found = [
        (match.start(), next(filter(None, match.groups())))
        for match in _FORMS["turn"].finditer(text)
    ]
    counts = Counter(name for _, name in found)
    labels = set(table(__file__, "languages.toml")["labels"].split())
    turns = [
        (start, name)
        for start, name in found
        if counts[name] > 1 and labels.isdisjoint(name.lower().split())
    ]
    if len(turns) < MIN_TURNS or 1000 * len(turns) < TURN_RATE * tokens:
        return False
    names = [name for _, name in turns]
    changes = sum(one != other for one, other in pairwise(names))
    if turns[-1][0] - turns[0][0] < TURN_SPAN * len(text) or changes < len(names) / 2:
        return False
    # a name always follows the same, as the fields of records
    is_cycle = len(set(pairwise(names))) <= len(set(names))
    return is_english or not is_cycle


def _matching(pattern: re.Pattern[str], tokens: list[str]) -> list[str]:
    return [token for token in tokens if len(token) <= MAX_TOKEN and pattern.fullmatch(token)]


def sample_of(text: str) -> str:
    """A text, or of a long one its beginning, middle and end."""
    if len(text) <= 3 * SAMPLE:
        return text
    middle = (len(text) - SAMPLE) // 2
    return "\n".join((text[:SAMPLE], text[middle : middle + SAMPLE], text[-SAMPLE:]))
