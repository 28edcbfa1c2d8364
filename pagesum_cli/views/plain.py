"""Text that is safe to print anywhere."""

import io
import unicodedata
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

PLAIN_WIDTH = 100  # width of tables and bars that do not go to a terminal

# Joiners are part of words and emoji. Other format characters, among them those that change the
# direction of writing, could make a line look like something else.
_JOINERS = "\u200c\u200d"


def one_line(text: str) -> str:
    """The text on one line: white space becomes one space, control and format characters are
    removed.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(printable(text).split())


def safe_html(text: str) -> str:
    """The text on one line, escaped for HTML."""
    return escape(one_line(text))


def printable(text: str) -> str:
    """The text without control and format characters; each white space character becomes a
    space.
    """
    if text.isprintable():
        return text
    return "".join(
        " " if character.isspace() else character for character in text if _is_printable(character)
    )


def unstyled(renderable: "RenderableType") -> str:
    """What Rich draws, without colors, paragraphs unwrapped; independent of the terminal."""
    from rich.console import Console

    page = Console(
        file=io.StringIO(),
        width=PLAIN_WIDTH,
        color_system=None,
        markup=False,
        emoji=False,
        highlight=False,
    )
    with page.capture() as capture:
        page.print(renderable, soft_wrap=True)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def _is_printable(character: str) -> bool:
    return (
        character.isspace()
        or character in _JOINERS
        or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
