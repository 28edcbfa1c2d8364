"""Words, numbers and signs of a text with their places, without what differs between two copies of
the same text.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from ...text.tables import table
from ...text.words import STOP_WORDS
from ..repairs import citations_in

DATA = table(__file__, "words.toml")
LISTS = {name: frozenset(words.split()) for name, words in DATA.items() if isinstance(words, str)}
FACTS = ("negation", "number", "date", "unit", "name", "comparison", "modality")
PUNCTUATION = frozenset(".,;:!?()[]{}…•·")

_TOKEN = re.compile(
    r"(?P<sign>(?<=\d)\s?[-‐‑‒–—−]\s*(?=\d)"  # of a range, maybe broken at the end of a line
    r"|(?<![^\W\d_])[-‐‑‒–−](?=[.\d]))"
    r"|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’‘\"][^\W\d_]+)*|[^\w\s]"
)
_NOTE = re.compile(r"(?:(?<=[.,;:)”\"])|(?<=[^\W\d_][a-z]{2}))\d{1,3}(?:[.,–-]\d{1,3})*(?!\d)")
"""Numbers directly behind a word or a mark, which are those of notes or works: "effect.12,13"."""
_FORMS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁻₋⁺º˚◦∘∼∗⁄", "01234567890123456789--+°°°°~*/")
"""Exponents, which copies of a text often lose, and signs that look the same."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
# what copies may have one unknown character or a space for
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt")


class Token(NamedTuple):
    """A word, a number or a sign."""

    norm: str  # what is compared: without case, ligatures, accents and apostrophes
    text: str  # as it is written
    # start, end: its place in the text
    start: int
    end: int
    fact: str = ""  # what kind of fact it states, one of ``FACTS``; empty if none
    # whether it belongs to the citation of a work, or is the number of a note
    is_citation: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.norm[0].isalnum()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.norm[0].isdigit()


def norms_of(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """What is compared of a text; dashes are among it only as signs and between numbers."""
    for match in _TOKEN.finditer(text.translate(_FORMS)):
        if norm := "−" if match["sign"] else _normalized(match[0]):
            yield norm, match


@lru_cache(maxsize=1 << 17)
def _normalized(piece: str) -> str:
    """A token as it is compared; empty if it is not."""
    if piece[0].isdigit():
        norm = piece.replace(",", "") if _THOUSANDS.fullmatch(piece) else piece
    elif piece[0].isalnum():
        norm = "".join(filter(str.isalnum, normalize("NFKD", piece.lower())))
    else:
        norm = piece if piece in PUNCTUATION or piece in LISTS["signs"] else ""
    return DATA["same"].get(norm, norm)


def tokens_of(text: str, names: Collection[str] = ()) -> list[Token]:
    """The tokens of a text, some words of which are names also where a sentence begins."""
    spans = [
        *citations_in(text),
        *(match.span() for match in _NOTE.finditer(text.translate(_FORMS))),
    ]
    cited = {place for span in spans for place in range(*span)}
    tokens: list[Token] = []
    for norm, match in norms_of(text):
        fact = _fact(norm, match[0], tokens[-1] if tokens else None, names)
        is_citation = match.start() in cited and match.end() - 1 in cited
        tokens.append(Token(norm, match[0], *match.span(), fact, is_citation))
    return tokens


def _fact(norm: str, text: str, before: Token | None, names: Collection[str]) -> str:
    if norm[0].isdigit() or norm in "−±+":
        return (
            "date" if len(norm) == 4 and norm.isdecimal() and "1500" <= norm <= "2100" else "number"
        )
    if norm in LISTS["dates"] and text[0].isupper():
        return "date"
    is_measured = before is not None and (
        before.is_number or before.norm in "/·" or before.fact == "unit"
    )
    if norm in LISTS["units"] and (is_measured or len(norm) > 2 or not norm[0].isalpha()):
        return "unit"
    for kind in ("negation", "modality", "comparison"):
        if norm in LISTS[kind]:
            return kind
    is_name = (before or norm in names) and norm not in STOP_WORDS and any(map(str.isupper, text))
    return "name" if is_name else ""


def mended(tokens: list[Token], wholes: Collection[str]) -> list[Token]:
    """Tokens, where two that make one of the ``wholes`` are one: broken at the end of a line, or by
    a lost ligature.
    """
    found: list[Token] = []
    for token in tokens:
        if found and (norm := next((one for one in _joins(found[-1], token) if one in wholes), "")):
            before = found.pop()
            token = before._replace(norm=norm, text=before.text + token.text, end=token.end)
        found.append(token)
    return found


def _joins(one: Token, other: Token) -> Iterator[str]:
    """What two tokens may be together."""
    if one.norm[-1].isalpha() and other.norm[0].isalpha():
        yield one.norm + other.norm
        if other.start - one.end == 1:
            yield from (one.norm + lost + other.norm for lost in _LIGATURES)
    elif (
        one.norm.isdecimal()
        and other.norm.isdecimal()
        and len(one.norm) < 4
        and len(other.norm) == 3
    ):
        yield one.norm + other.norm
