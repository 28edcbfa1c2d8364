"""Values of CSS: lengths in pixels, and what the short forms of properties stand for."""

import re
from collections.abc import Iterator

FONT, WINDOW = 16.0, 1280.0  # default font size and assumed width of the window, in pixels
_UNITS = {
    **{"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945},
    **{"vw": WINDOW / 100, "vh": 8.0, "vmin": 8.0, "vmax": WINDOW / 100, "rem": FONT},
}
_OF_FONT = {"em": 1.0, "ex": 0.5, "ch": 0.5, "%": 0.01}
_LENGTH = re.compile(
    r"(?P<sign>[+-]?)\s{0,3}(?P<number>\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})(?P<unit>[a-z]{1,5}|%)?"
)
_SUM = re.compile(r"calc\(([^()*/]{1,200})\)")
_SIZE = re.compile(
    r"(?<![\w.-])((?:\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})(?:px|pt|r?em|%|ex|v[wh]|[cm]m|in|pc)|0)(?=[\s/])"
)
_NAMES = """
bottom clip clip-path color content-visibility display filter font-size height left margin-left
margin-top mask max-height max-width mso-hide opacity overflow position right scale text-indent
top transform transition translate visibility width zoom
"""
RELEVANT = frozenset(_NAMES.split())
"""Properties that may hide an element, or show it."""
_SIDES = ("top", "right", "bottom", "left")


def pixels(value: str, font: float = FONT, whole: float | None = None) -> float | None:
    """A length in pixels, also a sum of some; None if it is none.

    ``em`` are of a font of this size, and percentages of ``whole``, or of the font.
    """
    if match := _SUM.fullmatch(value):
        terms = [_pixels(one, font, whole) for one in _LENGTH.finditer(match[1])]
        return sum(terms) if terms else None
    match = _LENGTH.fullmatch(value)
    return None if match is None else _pixels(match, font, whole)


def _pixels(match: re.Match[str], font: float, whole: float | None) -> float:
    unit = match["unit"] or ""
    if unit == "%" and whole is not None:
        size = whole / 100
    else:
        size = _UNITS.get(unit, font * _OF_FONT.get(unit, 1.0))
    return float(f"{match['sign']}{match['number']}") * size


def sides(value: str) -> tuple[str, str, str, str]:
    """One to four values as those of the top, the right, the bottom and the left."""
    top, *rest = value.split()[:4] or [""]
    right = rest[0] if rest else top
    return top, right, rest[1] if len(rest) > 1 else top, rest[2] if len(rest) > 2 else right


def expanded(name: str, value: str) -> dict[str, str]:
    """A property and what it stands for."""
    return {name: value, **dict(_meant(name, value))}


def _meant(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name == "font" and (size := _SIZE.search(value)):
        yield "font-size", size[1]
    elif name == "inset":
        yield from zip(_SIDES, sides(value), strict=True)
    elif name == "margin":
        yield from zip((f"margin-{side}" for side in _SIDES), sides(value), strict=True)
    elif name in ("overflow-x", "overflow-y"):
        yield "overflow", value
    elif name == "-webkit-text-fill-color":
        yield "color", value
    elif name == "background":
        yield "background-color", ""
        yield "background-image", ""
    elif name in ("-webkit-transform", "-webkit-clip-path", "-webkit-mask", "-webkit-filter"):
        yield name.removeprefix("-webkit-"), value
