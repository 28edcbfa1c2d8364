"""What a copy from a PDF has otherwise than its text: a PDF holds glyphs at places, so a raised or
lowered one is copied as an ordinary one, a gap between a number and letters may be a space or none,
and a hyphen at the end of a line may belong to the word or not.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import decomposition, normalize

from ...documents.boxes import line_starts
from ...documents.model import Document, Sentence
from .tokens import HYPHEN, LISTS, Token

_LOWERED = "₀-₎ₐ-ₜᵢᵣᵤᵥ"
_LONG_UNITS = sorted((one for one in LISTS["units"] if one.isalpha() and one[1:]), key=len)
_UNITS = f"{'|'.join(_LONG_UNITS[::-1])}|[wjvn]?m|s"
_RAISED_DIGIT = "[¹²³⁴-⁹]"
_UNIT = rf"(?i:{_UNITS}|[gljvawcfk])"
_SCRIPTS = re.compile(
    # an index, but not that of a number: log₁₀, CO₂, (CH₃)₂
    rf"(?<=[^\s\d{_LOWERED}])[{_LOWERED}]+"
    # the charge of an ion or the sign of a cell: Na⁺, Mg²⁺, SO₄²⁻, CD34⁺
    rf"|(?<=[^\W\d_]|[)\]₀-₉]){_RAISED_DIGIT}[⁺⁻](?![⁰¹²³⁴-⁹\d])"
    r"|(?<=[^\s⁰¹²³⁴-⁹])[⁺⁻](?![⁰¹²³⁴-⁹\d])"
    # a power of ten after a multiplication: 3 × 10⁶, which nobody takes for 3 × 106
    r"|(?:(?<=[×·⋅]10)|(?<=[×·⋅]\s10))(?:⁻?[⁰¹²³⁴-⁹]{1,2})(?![\d⁰¹²³⁴-⁹])"
    # the power of a unit: mL⁻¹, km²
    rf"|(?<![^\W\d_])(?i:{_UNITS})(?:⁻{_RAISED_DIGIT}|[²³])(?![\d⁰¹²³⁴-⁹⁺⁻])"
    # also of units of one letter, after another unit: mA g⁻¹, 2 A g⁻¹, cm³ g⁻¹, mg ml⁻¹ s⁻¹
    rf"|(?:(?<![^\W\d_])(?i:{_UNITS})|(?:(?<=\d)|(?<=\d\s)){_UNIT})[²³]?"
    rf"(?:[\s·⋅]{{0,2}}{_UNIT}⁻{_RAISED_DIGIT})+(?![\d⁰¹²³⁴-⁹])"
)
_GAP = re.compile(r"(?<=\d) (?=[^\W\d_])|(?<=[^\W\d_]) (?=\d)")


class Layout:
    """Which documents are drawn on pages, and where their lines begin."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._lines = [_lines_of(one) for one in documents]

    def is_drawn(self, document: int) -> bool:
        """Whether a document, which is given by its number, is drawn on pages."""
        return document < len(self._lines) and bool(self._lines[document])

    def breaks_in(self, sentence: Sentence, document: int) -> tuple[int, ...]:
        """The offsets in a sentence at which lines begin."""
        if sentence.start < 0 or not self.is_drawn(document):
            return ()
        lines = self._lines[document]
        first, last = (bisect_left(lines, one) for one in (sentence.start + 1, sentence.end))
        return tuple(line - sentence.start for line in lines[first:last])


def _lines_of(document: Document) -> list[int]:
    """The offsets in the text of a document at which lines begin on its pages."""
    sections = zip(document.sections, document.starts, strict=True)
    paragraphs = [one for section, start in sections for one in section.placed(start)]
    return [start + line for one, start in paragraphs for line in line_starts(one)]


@lru_cache(maxsize=4096)
def as_copied(text: str) -> str:
    """A text with the raised and lowered characters that a copy has as ordinary ones, if that makes
    no other number; all places are the same.
    """
    return text if text.isascii() else _SCRIPTS.sub(_plain, text)


def _plain(match: re.Match[str]) -> str:
    return "".join(_plain_script(one) for one in match[0])


def _plain_script(character: str) -> str:
    is_script = decomposition(character).startswith(("<super>", "<sub>"))
    plain = normalize("NFKC", character) if is_script else character
    return plain if len(plain) == 1 else character


def with_breaks(tokens: Sequence[Token], breaks: Sequence[int]) -> list[Token]:
    """Tokens, where a hyphen is one at which a line ends if one of the breaks is there."""
    places = {place for one in breaks for place in (one, one - 1)}
    return [
        one._replace(text=f"{one.text}\n") if one.norm == HYPHEN and one.end in places else one
        for one in tokens
    ]


def without_gaps(text: str) -> str:
    """A text without spaces between numbers and letters."""
    return _GAP.sub("", text)
