"""Confidences as colored cells of a terminal, or as shades where there are no colors."""

from collections.abc import Sequence

from rich.color import Color
from rich.console import Console, ConsoleOptions
from rich.style import Style
from rich.text import Text

from ..summary.page_confidences import Step
from .colors import COLORS_OF_256, color, ink, top_of

SHADES = " ░▒▓█"
ASCII_SHADES = " .:*#"


def scale_of(steps: Sequence[Step]) -> float:
    """The confidence that gets the last color: at least 95 % of the steps have none above it."""
    largest = sorted(max(step.confidences) for step in steps)
    return top_of(largest[: -(-len(largest) * 19 // 20)])


class Paint:
    """Draws confidences as colors, or as shades if there are fewer than 256 colors or ``NO_COLOR`` is set.

    Args:
        console: The console to draw on.
        options: Its options, for whether it can show more than ASCII.
        top: The confidence that has the last color.
    """

    def __init__(self, console: Console, options: ConsoleOptions, top: float) -> None:
        self.top = top
        system = None if console.no_color else console.color_system
        self.is_colored = system in ("256", "truecolor")
        self.palette = COLORS_OF_256 if system == "256" else None
        self.shades = ASCII_SHADES if options.ascii_only else SHADES
        # A terminal may show its sixteen colors in any way; magenta stands out on dark and on light backgrounds.
        self.shade_style = Style(color="magenta") if system in ("standard", "windows") else Style()

    def cell(self, value: float, width: int, number: str = "") -> Text:
        """``width`` cells; with ``number``, a format such as ``[{:.0f}]``, also the percentage if there is room."""
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
            (shade * left, self.shade_style), label, (shade * (width - left - len(label)), self.shade_style)
        )

    def ramp(self, width: int) -> Text:
        """The whole scale from 0 to ``top`` in about ``width`` cells."""
        levels = len((None if self.is_colored else self.shades) or self.palette or range(10))
        parts = (self.cell((level + 0.5) / levels * self.top, width // levels) for level in range(levels))
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
