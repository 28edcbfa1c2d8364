"""Colors of CSS: names, hexadecimal, ``rgb()`` and ``hsl()``, each with its opacity."""

import re
from collections.abc import Iterator
from colorsys import hls_to_rgb
from typing import NamedTuple

from ....text.tables import table

_WORDS = table(__file__, "colors.toml")["names"].split()
_NAMES: dict[str, str] = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True))
_COLOR = re.compile(
    r"#(?P<hex>[0-9a-f]{3,8})(?![\w-])|(?P<form>rgb|hsl)a?\((?P<parts>[^()]{1,80})\)"
    r"|(?<![\w#-])(?P<name>[a-z]{3,30})(?![\w(-])"
)
ALIKE = 20  # of 255: the difference in each part of two colors that nobody tells apart


class Color(NamedTuple):
    """A color: parts of 0–255, and an opacity of 0–1."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def over(self, other: "Color") -> "Color":
        """What is seen where it is drawn over another color."""
        mixed = (
            self.alpha * mine + (1 - self.alpha) * theirs
            for mine, theirs in zip(self[:3], other[:3], strict=True)
        )
        return Color(*mixed)

    def as_text(self) -> str:
        """The color in CSS."""
        return f"rgb({self.red:.0f} {self.green:.0f} {self.blue:.0f} / {self.alpha:.3f})"

    def is_like(self, other: "Color") -> bool:
        """Whether nobody sees it where it is drawn over another color."""
        seen = self.over(other)
        return all(
            abs(mine - theirs) <= ALIKE for mine, theirs in zip(seen[:3], other[:3], strict=True)
        )


BLACK, WHITE = Color(0, 0, 0), Color(255, 255, 255)


def colors_in(value: str) -> Iterator[Color]:
    """The colors in a value, in small letters."""
    for match in _COLOR.finditer(value):
        if match["hex"]:
            color = _of_digits(match["hex"])
        elif match["form"]:
            color = _of_parts(match["form"], match["parts"])
        elif match["name"] == "transparent":
            color = Color(0, 0, 0, 0)
        else:
            color = _of_digits(_NAMES.get(match["name"], ""))
        if color is not None:
            yield color


def _of_digits(digits: str) -> Color | None:
    if len(digits) in (3, 4):
        digits = "".join(2 * digit for digit in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue, *alpha = (int(digits[at : at + 2], 16) for at in range(0, len(digits), 2))
    return Color(red, green, blue, alpha[0] / 255 if alpha else 1.0)


def _of_parts(form: str, text: str) -> Color | None:
    parts = text.replace(",", " ").replace("/", " ").split()
    if len(parts) not in (3, 4):
        return None
    alpha = _share(parts[3], 1) if len(parts) == 4 else 1.0
    if form == "rgb":
        red, green, blue = (_share(part, 255) for part in parts[:3])
        return Color(red, green, blue, alpha)
    hue = _share(parts[0].removesuffix("deg"), 360) / 360 % 1
    red, green, blue = hls_to_rgb(hue, _share(parts[2], 1), _share(parts[1], 1))
    return Color(255 * red, 255 * green, 255 * blue, alpha)


def _share(text: str, whole: float) -> float:
    """A number of 0 to ``whole``, also as a percentage of it."""
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        return whole
    return min(max(0.0, value * whole / 100 if text.endswith("%") else value), whole)
