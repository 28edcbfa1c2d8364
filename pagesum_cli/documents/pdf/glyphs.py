"""What glyphs mean that a file gives no character: by their names in the encoding of their font."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

MAX_PAGES = 300  # pages whose fonts are looked at
MAX_FONTS = 2000  # fonts that are looked at

# Typesetting by Arbortext's Advent 3B2 has TeX's mathematical symbols in this font; their names are
# their numbers in TeX's encoding.
_TEX_SYMBOLS = re.compile(r"/(?:[A-Z]{6}\+)?(?P<name>AdvP4C4E74)")
_NUMBERED = re.compile(r"/C(\d{1,2})")
_SYMBOLS = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯°•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻"
"""The first characters of TeX's encoding of symbols; its small circle is used for degrees."""


def meanings(pages: Any) -> dict[tuple[str, str], str]:
    """The characters of glyphs that are known by their names, by the font without its subset tag
    and the code; ``pages`` are pypdf's.

    None where several subsets of a font have different glyphs of one code.
    """
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for font in islice(_fonts(pages), MAX_FONTS):
        match = _TEX_SYMBOLS.fullmatch(str(font.get("/BaseFont", "")))
        if match is not None:
            for code, glyph in _differences(font):
                found[match["name"], code].add(_symbol(glyph))
    known = {key: one.pop() for key, one in found.items() if len(one) == 1}
    return {key: one for key, one in known.items() if one}


def _symbol(glyph: str) -> str:
    """The character of a glyph with a number for its name; empty for another one."""
    match = _NUMBERED.fullmatch(glyph)
    number = int(match[1]) if match else len(_SYMBOLS)
    return _SYMBOLS[number] if number < len(_SYMBOLS) else ""


def _fonts(pages: Any) -> Iterator[Any]:
    """The fonts of pages."""
    from pypdf.generic import DictionaryObject

    for page in islice(pages, MAX_PAGES):
        resources = page.get("/Resources", DictionaryObject()).get_object()
        fonts = resources.get("/Font", DictionaryObject()).get_object()
        yield from (font.get_object() for font in fonts.values())


def _differences(font: Any) -> Iterator[tuple[str, str]]:
    """The codes of a font whose encoding names their glyphs, as characters, with these names."""
    encoding = font["/Encoding"].get_object() if "/Encoding" in font else None
    entries = encoding.get("/Differences", ()) if isinstance(encoding, Mapping) else ()
    code = 0
    for entry in entries:
        if isinstance(entry, int):
            code = entry
        else:
            yield chr(code % 256), str(entry)
            code += 1
