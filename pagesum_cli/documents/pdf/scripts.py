"""What becomes of raised and lowered characters of a line: exponents, marks of references and
notes, ordinals, indexes.
"""

from ...text.scripts import subscript, superscript
from .patterns import FORMS

_RAISED_TO = {
    "mm", "cm", "dm", "km", "nm", "μm", "µm", "𝜇m", "pm", "hm", "mi", "ft", "in", "yd",
    "ms", "ns", "cos", "sin", "tan", "log", "ln", "exp", "sec", "min", "hr", "ha",
}  # fmt: skip
"""Units and functions of two or three letters, the raised number after which is an exponent."""

_OPERATORS = tuple("=+−-×·⋅*/<>≤≥≈~")  # "E = mc" is a formula


def raised_after(text: str, raised: str) -> str:
    """What becomes of raised characters: an exponent, a citation number (left out), an ordinal, or
    something else.
    """
    mark, space = raised.strip(), " " if raised[-1:].isspace() else ""
    previous, before = ["", "", *text.split()][-2:]
    if not mark:
        return raised
    if not text.strip():  # the mark of a footnote
        return mark + " "
    if text[-1:].isspace() and not space and mark.isdecimal():  # an isotope's number
        return superscript(mark)
    if before[-1:].isdigit() and FORMS["ordinal"].fullmatch(mark):
        return mark + space
    if FORMS["citation"].fullmatch(mark) and (
        before[-1:] in tuple(".,;:)]”’\"'")
        or not mark[0].isdigit()
        or (previous not in _OPERATORS and _cites(before))
    ):
        return space
    if before and (FORMS["exponent"].fullmatch(mark) or _changes_number(before, mark)):
        return superscript(mark) + space
    return raised


def _changes_number(before: str, mark: str) -> bool:
    """Whether raised characters would make another number of what is before them: 10 and 6.3."""
    if FORMS["decimal_exponent"].fullmatch(mark):
        return True
    is_number = any(map(str.isdigit, mark)) or (len(mark) == 1 and mark.isalpha())
    return before[-1].isdigit() and is_number


def _cites(before: str) -> bool:
    """Whether a raised number after a word is that of a reference, not an exponent."""
    short = FORMS["short_word"].search(before)
    return bool(FORMS["long_word"].search(before)) or (
        short is not None and short[0] not in _RAISED_TO
    )


def lowered_after(text: str, lowered: str) -> str:
    """What becomes of lowered characters: numbers are indexes (H₂O, log₁₀), others as they are."""
    is_index = FORMS["index"].fullmatch(lowered.strip()) and FORMS["indexed"].search(text)
    return subscript(lowered) if is_index else lowered
