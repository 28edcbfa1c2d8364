"""Words, numbers and signs of a text with their places, without what differs between two copies of the same text."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

LENGTH = 2000
"""Characters of a sentence, of a claim or of a document, that are compared at a time."""

_APOSTROPHES = "'’‘"
_TOKEN = re.compile(
    r"(?P<sign>(?<=\d)\s?[-‐‑‒–—−]\s*(?=\d)"  # of a range, maybe broken at the end of a line
    r"|(?<![^\W\d_])[-‐‑‒–−](?=[.\d]))"
    rf"|\d+(?:[.,]\d+)*|[^\W\d_]+(?:[{_APOSTROPHES}][^\W\d_]+)*|[^\w\s]|_"
)
_MINUS = "−"
_FORMS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁻₋⁺º˚◦∘∼∗⁄", "01234567890123456789--+°°°°~*/")
"""Exponents, which copies of a text often lose, and signs that look the same."""
_IGNORED = frozenset("\"'“”„‟«»‹›‘’‚‛`´′″-‐‑‒–—―−\u00ad\ufffd")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_LIGATURES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt")
"""What copies may have one unknown character or a space for."""
PUNCTUATION = frozenset(".,;:!?()[]{}…•·")


class Token(NamedTuple):
    """A word, a number or a sign.

    Attributes:
        norm: What is compared: without case, ligatures and apostrophes.
        text: As it is written.
        start, end: Its place in the text.
    """

    norm: str
    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.norm[0].isalnum()

    @property
    def is_number(self) -> bool:
        """Whether it is a number in digits."""
        return self.norm[0].isdigit()


@lru_cache(maxsize=1 << 17)
def normalized(piece: str) -> str:
    """A token as it is compared; empty if it is not."""
    if piece in _IGNORED:
        return ""
    if not (piece.isascii() and piece.isprintable()):
        if unicodedata.category(piece[0]) in ("Mn", "Cf", "Cc", "Co", "Cn"):
            return ""
        piece = unicodedata.normalize("NFKC", piece)
    for mark in _APOSTROPHES:
        piece = piece.replace(mark, "")
    return piece.replace(",", "") if _THOUSANDS.fullmatch(piece) else piece.lower()


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text; dashes are among them only as signs and between numbers."""
    tokens = []
    for match in _TOKEN.finditer(text.translate(_FORMS)):
        if norm := _MINUS if match["sign"] else normalized(match[0]):
            tokens.append(Token(norm, match[0], match.start(), match.end()))
    return tokens


def words_in(text: str) -> set[str]:
    """The words and numbers of a text as they are compared."""
    return {
        norm
        for match in _TOKEN.finditer(text.translate(_FORMS))
        if (norm := normalized(match[0])) and norm[0].isalnum()
    }


def mended(tokens: list[Token], wholes: Collection[str]) -> list[Token]:
    """Tokens, where two that make one of the ``wholes`` are one: broken at the end of a line, or by a lost ligature."""
    found: list[Token] = []
    for token in tokens:
        before = found[-1] if found else None
        norm = next((one for one in _joins(before, token) if one in wholes), "") if before else ""
        if before and norm:
            found[-1] = Token(norm, before.text + token.text, before.start, token.end)
        else:
            found.append(token)
    return found


def _joins(one: Token, other: Token) -> Iterator[str]:
    """What two tokens may be together."""
    if one.norm[-1].isalpha() and other.norm[0].isalpha():
        yield one.norm + other.norm
        if other.start - one.end == 1:
            yield from (one.norm + lost + other.norm for lost in _LIGATURES)
    elif one.norm.isdecimal() and other.norm.isdecimal() and len(one.norm) < 4 and len(other.norm) == 3:
        yield one.norm + other.norm


def pieces_of(text: str, length: int = LENGTH) -> Iterator[tuple[int, int]]:
    """A text in pieces of a maximum length, cut between words where there are some."""
    start = 0
    while len(text) - start > length:
        cut = text.rfind(" ", start + length // 2, start + length)
        end = cut if cut > 0 else start + length
        yield start, end
        start = end
    yield start, len(text)
