"""Colors of confidences (viridis: even, and legible without color vision or in gray), and cells of
a terminal.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from ..summary.page_confidences import Step
from .citation import without_part

# matplotlib's viridis (CC0) at seventeen even steps, interpolated in between.
_TABLE = bytes.fromhex(
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 "
    "84d44b addc30 d8e219 fde725"
)
ANCHORS = [tuple(_TABLE[index : index + 3]) for index in range(0, len(_TABLE), 3)]
COLORS_OF_256 = (53, 24, 30, 36, 77, 190)
"""The same scale in a terminal's 256 colors: those nearest to viridis are gray in places, and not
even.
"""

_TOPS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)

Rgb = tuple[int, int, int]

SHADES = " ░▒▓█"
ASCII_SHADES = " .:*#"


def color(value: float) -> Rgb:
    """The color of a number, clipped to 0–1."""
    position = min(max(value, 0.0), 1.0) * (len(ANCHORS) - 1)
    low = min(int(position), len(ANCHORS) - 2)
    part = position - low
    red, green, blue = (
        round(a + part * (b - a)) for a, b in zip(ANCHORS[low], ANCHORS[low + 1], strict=True)
    )
    return red, green, blue


def ink(background: Rgb) -> Rgb:
    """Black or white, whichever is more legible on a background."""
    red, green, blue = background
    return (0, 0, 0) if 0.299 * red + 0.587 * green + 0.114 * blue > 130 else (255, 255, 255)


def top_of(values: Iterable[float]) -> float:
    """The end of a scale for these confidences: the next round number above the largest."""
    largest = max(values, default=1.0)
    return _TOPS[min(bisect_left(_TOPS, largest - 1e-9), len(_TOPS) - 1)]


def scale_of(steps: Sequence[Step]) -> float:
    """The confidence that gets the last color: at least 95 % of the steps have none above it."""
    largest = sorted(max(step.confidences) for step in steps)
    return top_of(largest[: -(-len(largest) * 19 // 20)])


def shortened(text: str, width: int) -> str:
    """A label cut to a width; the ``(2/3)`` at its end stays."""
    if cell_len(text) <= width:
        return text
    part = text.removeprefix(without_part(text))
    end = part if cell_len(part) < width // 2 else ""
    start = text[: len(text) - len(end)]
    return set_cell_size(start, width - cell_len(end) - 1).rstrip() + "…" + end


class Paint:
    """Draws confidences up to ``top`` as colors, or as shades with fewer than 256 colors or if
    ``NO_COLOR`` is set.
    """

    def __init__(self, console: Console, options: ConsoleOptions, top: float) -> None:
        self.top = top
        system = None if console.no_color else console.color_system
        self.is_colored = system in ("256", "truecolor")
        self.palette = COLORS_OF_256 if system == "256" else None
        self.shades = ASCII_SHADES if options.ascii_only else SHADES
        # A terminal may show its sixteen colors in any way; magenta stands out on dark and on light
        # backgrounds.
        self.shade_style = Style(color="magenta") if system in ("standard", "windows") else Style()

    def cell(self, value: float, width: int, number: str = "") -> Text:
        """``width`` cells; with ``number``, a format such as ``[{:.0f}]``, also the percentage if
        there is room.
        """
        label = number.format(100 * value) if value >= 0.005 or "[" in number else ""
        label = label if len(label) <= width else label.strip("[]")
        label = label if len(label) < width else ""
        if self.is_colored:
            return Text(label.center(width), self._style(value / self.top))
        shade = self.shades[_level(len(self.shades), value / self.top)]
        if not label:
            return Text(shade * width, self.shade_style)
        left = (width - len(label)) // 2
        return Text.assemble(
            (shade * left, self.shade_style),
            label,
            (shade * (width - left - len(label)), self.shade_style),
        )

    def ramp(self, width: int) -> Text:
        """The whole scale from 0 to ``top`` in about ``width`` cells."""
        levels = len((None if self.is_colored else self.shades) or self.palette or range(10))
        parts = (
            self.cell((level + 0.5) / levels * self.top, width // levels) for level in range(levels)
        )
        return Text.assemble(*parts)

    def _style(self, value: float) -> Style:
        """The color of a number in 0–1 as background, and black or white on it."""
        if self.palette is None:
            background = Color.from_rgb(*color(value))
        else:
            background = Color.from_ansi(self.palette[_level(len(self.palette), value)])
        return Style(bgcolor=background, color=Color.from_rgb(*ink(background.get_truecolor())))


def _level(levels: int, value: float) -> int:
    """The level of a number in 0–1; larger numbers are on the last one."""
    return min(int(value * levels), levels - 1)
