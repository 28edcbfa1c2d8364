"""Which characters of two texts are the same though they are written differently: by a table, and
nothing else.
"""

import re
from functools import lru_cache
from unicodedata import category, decomposition, normalize

from ...text.tables import table

_DATA = table(__file__, "typography.toml")
_VARIANTS = {one: key for key, others in _DATA["variants"].items() for one in others}
_SIGNS = str.maketrans(_VARIANTS)
_FORMS = frozenset(_DATA["compatibility"]["forms"].split())
_CATEGORIES = frozenset(_DATA["compatibility"]["categories"].split())
APOSTROPHE, OPENING = _DATA["accents"]["apostrophe"], _DATA["accents"]["opening"]
"""Accents that stand for quotation marks, as regular expressions."""
_ACCENTS = re.compile(f"{APOSTROPHE}|{OPENING}")
LIGATURES = tuple(_DATA["ligatures"]["letters"].split())
DASHES = "-" + _DATA["variants"]["-"]


@lru_cache(maxsize=1 << 16)
def typographic(text: str) -> str:
    """A text as all its typographic variants have it; two texts with the same result are
    verbatim the same.
    """
    if text.isalnum() and text.isascii():
        return text
    return "".join(map(_plain, _ACCENTS.sub("'", normalized(text))))


def normalized(text: str) -> str:
    """A text with its accents composed (NFC), which are canonically the same."""
    return text if text.isascii() else normalize("NFC", text)


def with_plain_signs(text: str) -> str:
    """A text with one of the variants of each sign; all places are the same."""
    return text if text.isascii() else text.translate(_SIGNS)


def is_unknown(character: str) -> bool:
    """Whether it stands for a glyph of which a copy does not know the character."""
    return character == "\ufffd" or category(character) in ("Co", "Cn", "Cc")


@lru_cache(maxsize=1 << 16)
def _plain(character: str) -> str:
    if character in _VARIANTS:
        return _VARIANTS[character]
    form = decomposition(character).partition(" ")[0]
    plain = normalize("NFKC", character)
    kind = category(character)
    # radicals, which PDFs have for the Chinese characters of the same form
    is_radical = kind == "So" and len(plain) == 1 and plain.isalpha()
    if form in _FORMS and (kind[0] in _CATEGORIES or is_radical):
        return plain
    return character
