"""Words, numbers and signs of a text with their places, without what differs between two copies of the same text."""

import re
import unicodedata
from collections.abc import Iterator
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
_IGNORED = frozenset("\"'“”„‟«»‹›‘’‚‛`´′″-‐‑‒–—―\u00ad")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
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
    if not piece.isascii():
        if unicodedata.category(piece[0]) in ("Mn", "Cf", "Cc", "Co", "Cn"):
            return ""
        # Ligatures and other forms of letters and digits, but not exponents.
        forms = ((unicodedata.category(one)[0] == "L" or one.isdecimal(), one) for one in piece)
        piece = "".join(unicodedata.normalize("NFKC", one) if is_form else one for is_form, one in forms)
    for mark in _APOSTROPHES:
        piece = piece.replace(mark, "")
    return piece.replace(",", "") if _THOUSANDS.fullmatch(piece) else piece.lower()


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text; dashes are among them only as signs and between numbers."""
    tokens = []
    for match in _TOKEN.finditer(text):
        if norm := _MINUS if match["sign"] else normalized(match[0]):
            tokens.append(Token(norm, match[0], match.start(), match.end()))
    return tokens


def words_in(text: str) -> set[str]:
    """The words and numbers of a text as they are compared."""
    return {norm for match in _TOKEN.finditer(text) if (norm := normalized(match[0])) and norm[0].isalnum()}


def joined(tokens: list[Token]) -> str:
    """Words without what is between them, so that those broken at line ends are the same; numbers stay apart."""
    parts: list[str] = []
    for token in tokens:
        if token.norm not in PUNCTUATION:
            parts += ["|"] if parts and token.is_number and parts[-1][-1].isdigit() else []
            parts.append(token.norm)
    return "".join(parts)


def pieces_of(text: str, length: int = LENGTH) -> Iterator[tuple[int, int]]:
    """A text in pieces of a maximum length, cut between words where there are some."""
    start = 0
    while len(text) - start > length:
        cut = text.rfind(" ", start + length // 2, start + length)
        end = cut if cut > 0 else start + length
        yield start, end
        start = end
    yield start, len(text)
