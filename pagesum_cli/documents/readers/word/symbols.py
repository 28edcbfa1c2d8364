"""Characters of the fonts Symbol and Wingdings, whose codes Word puts in a private area."""

from functools import cache

from ....text.tables import table

_FIRST, _LAST = 0xF020, 0xF0FF
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def unsymbolic(text: str, font: str) -> str:
    """Text with the characters that a font of symbols draws for private ones.

    What no table has is marked by a replacement character, not dropped.
    """
    if not any(_FIRST <= ord(character) <= _LAST for character in text):
        return text
    kind = "Wingdings" if font.lower().startswith("wingdings") else "Symbol"
    return text.translate(_characters(kind))


@cache
def _characters(kind: str) -> dict[int, str]:
    symbols = table(__file__, "word.toml")["symbols"]
    characters = dict.fromkeys(range(_FIRST, _LAST + 1), _UNKNOWN)
    if kind == "Symbol":
        for start, run in symbols["Symbol"].items():
            first = 0xF000 + int(start, 16)
            characters |= {first + place: one for place, one in enumerate(run)}
    else:
        characters |= {0xF000 + int(code, 16): one for code, one in symbols["Wingdings"].items()}
    return characters
