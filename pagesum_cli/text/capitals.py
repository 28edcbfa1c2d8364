"""Texts all in capitals, such as live captions, in sentence case."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from .tables import table
from .words import STOP_WORDS, ranks_as_written

CAPITALS = 0.8  # share of a text's letters that are capitals, from which on it is in capitals
MIN_LETTERS = 60  # letters of such a text: a heading has fewer
SURE = 3.0  # a word is a name if it is so many times as frequent with a capital as without
MIN_PART = 3  # letters of the words that another one is made of: "bathhouse"

_LISTS = {name: text.split() for name, text in table(__file__, "capitals.toml").items()}

_TOKEN = re.compile(
    r"(?P<dotted>(?:[^\W\d_]\.){2,9})|(?P<before>(?:[OD]['’](?!CLOCK)|MC)(?=[^\W\d_]{3}))?"
    r"(?P<word>O['’]CLOCK|[^\W\d_]+)(?P<after>['’][^\W\d_]{1,2}(?![^\W_]))?"
)
_START = re.compile(r"""(?:^|[.!?…]["'”’)\]]{0,3}\s{1,9})["'“‘(\[¿¡]{0,3}""")
_ABBREVIATED = re.compile(r"(?:^|[^\w'’])(?:[^\W\d_]|[MD]RS?|[SP]T|VS)\.\s{1,9}$")
_BETWEEN_NAMES = re.compile(r"\s(?:[A-Z]\.\s)?")
_BESIDE_LETTER = re.compile(r"[\d&]")
_CONSONANTS = re.compile(r"[BCDFGHJKLMNPQRSTVWXZ]{2,5}")
_NUMBER = re.compile(r"\s\d")


def in_capitals(*texts: str) -> bool:
    """Whether nearly all letters of some texts together, and enough of them, are capitals."""
    capitals = sum(sum(map(str.isupper, text)) for text in texts)
    small = sum(sum(map(str.islower, text)) for text in texts)
    return capitals >= MIN_LETTERS and capitals >= CAPITALS * (capitals + small)


@dataclass(frozen=True)
class _Word:
    """A word of a text in capitals."""

    match: re.Match[str]
    is_name: bool = False
    is_short: bool = False  # whether it is an abbreviation that the document uses

    @property
    def text(self) -> str:
        """The word itself, without what stands before and after an apostrophe."""
        return self.match["word"] or ""

    def follows(self, other: "_Word") -> bool:
        """Whether nothing but a space, or an initial, is between it and another word."""
        between = self.match.string[other.match.end() : self.match.start()]
        return _BETWEEN_NAMES.fullmatch(between) is not None


class SentenceCase:
    """Writes texts in capitals as others are written: only names, as far as they can be guessed,
    abbreviations and the beginnings of sentences have capitals. No text becomes longer or shorter.

    Args:
        texts: All texts in capitals of a document. They say which unknown words are names: those
            that follow a title or a first name anywhere.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._names = frozenset(name for text in texts for name in _names_in(text))
        words = Counter(one["word"] for text in texts for one in _TOKEN.finditer(text))
        often = (one for one, count in words.items() if one and count > 1)
        self._short = frozenset(one for one in often if _CONSONANTS.fullmatch(one))

    def __call__(self, text: str) -> str:
        """A text in sentence case."""
        words = [self._word(match) for match in _TOKEN.finditer(text)]
        starts = {one.end() for one in _START.finditer(text) if not _is_abbreviated(text, one)}
        parts, end = [], 0
        for number, word in enumerate(words):
            form = _form(word, is_beside_name=_is_beside_name(words, number))
            first = word.match.start()
            parts += [text[end:first], form[0].upper() + form[1:] if first in starts else form]
            end = word.match.end()
        return "".join([*parts, text[end:]])

    def _word(self, match: re.Match[str]) -> _Word:
        word = match["word"] or ""
        is_name = _is_usually_name(word) or word.lower() in self._names
        return _Word(match, is_name, word in self._short)


def _names_in(text: str) -> Iterator[str]:
    """The unknown words, in lower case, that follow a title or a first name."""
    words = [_Word(one) for one in _TOKEN.finditer(text)]
    for before, word in pairwise(words):
        title, small = before.text.lower(), word.text.lower()
        is_titled = title in _LISTS["titles"]
        is_named = is_titled or (_is_usually_name(title) and not _is_made_of_two(small))
        if is_named and word.follows(before) and not _is_known(small):
            yield small


def _is_known(word: str) -> bool:
    """Whether a word, or the word that it is formed from, is among the known ones."""
    bare = next((word.removesuffix(one) for one in _LISTS["endings"] if word.endswith(one)), "")
    is_formed = len(bare) >= MIN_PART and (_is_one(bare) or _is_one(f"{bare}e"))
    return is_formed or _is_one(word)


def _is_one(word: str) -> bool:
    return min(ranks_as_written(word)) < inf


def _is_made_of_two(word: str) -> bool:
    splits = ((word[:place], word[place:]) for place in range(MIN_PART, len(word) - MIN_PART + 1))
    return any(ranks_as_written(a)[0] < inf and ranks_as_written(b)[0] < inf for a, b in splits)


def _is_usually_name(word: str) -> bool:
    """Whether a word has a capital nearly always where others have none: "Monday"."""
    small, capital, capitals = ranks_as_written(word)
    is_one = len(word) > 1 and word.lower() not in STOP_WORDS
    return is_one and capital < inf and capital <= capitals and SURE * capital < small


def _is_beside_name(words: Sequence[_Word], number: int) -> bool:
    """Whether the word before or after another one is surely a name: "New York"."""
    word = words[number]
    before = number > 0 and words[number - 1].is_name and word.follows(words[number - 1])
    after = words[number + 1] if number + 1 < len(words) else None
    return before or (after is not None and after.is_name and after.follows(word))


def _is_abbreviated(text: str, start: re.Match[str]) -> bool:
    """Whether a full stop ends an abbreviation: "DR. CHAVEZ"."""
    return _ABBREVIATED.search(text[max(start.start() - 4, 0) : start.end()]) is not None


def _form(word: _Word, *, is_beside_name: bool) -> str:
    """A word as it is written within a sentence."""
    match = word.match
    if match["dotted"]:
        return match[0].lower() if match[0].lower() in _LISTS["dotted"] else match[0]
    before, after = match["before"] or "", match["after"] or ""
    if before:
        return before[0] + _lower(before[1:]) + _title(word.text) + _lower(after)
    return _bare_form(word, is_beside_name=is_beside_name) + _lower(after)


def _bare_form(word: _Word, *, is_beside_name: bool) -> str:
    """The word itself as it is written within a sentence."""
    text, match = word.text, word.match
    if len(text) == 1:
        return "a" if text == "A" and not _has_sign(match) else text
    if word.is_name or _is_month(match):
        return _title(text)
    if text.lower() in STOP_WORDS:
        return _lower(text)
    return _usual_form(word, is_beside_name=is_beside_name)


def _usual_form(word: _Word, *, is_beside_name: bool) -> str:
    """A word that is surely no name as texts write it mostly."""
    small, capital, capitals = ranks_as_written(word.text)
    if capitals < min(small, capital) or (word.is_short and small == inf):
        return word.text
    is_part = is_beside_name and (capital < small or _is_new(word.match))
    return _title(word.text) if is_part else _lower(word.text)


def _is_month(match: re.Match[str]) -> bool:
    """Whether a word is a month with a day or a year."""
    return match[0].lower() in _LISTS["month"] and bool(_NUMBER.match(match.string, match.end()))


def _is_new(match: re.Match[str]) -> bool:
    """Whether a word is the first one of a name: "New York"."""
    following = match.string[match.end() + 1 :][:20].partition(" ")[0].strip(",.'’?!;:S")
    return match[0] == "NEW" and following.lower() in _LISTS["new"]


def _has_sign(match: re.Match[str]) -> bool:
    """Whether a digit or "&" touches a word: "3A"."""
    around = match.string[max(match.start() - 1, 0) : match.end() + 1]
    return _BESIDE_LETTER.search(around) is not None


def _title(word: str) -> str:
    return word[:1] + _lower(word[1:])


def _lower(text: str) -> str:
    """A text in small letters, of the same length."""
    small = text.lower()
    return small if len(small) == len(text) else text
