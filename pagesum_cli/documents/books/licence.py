"""The licence around the text of Project Gutenberg's books."""

from ...text.cleaning import one_line
from ..article.building import left_out
from ..model import LeftOut
from .forms import FORMS

GUTENBERG = FORMS["licence"]
"""The lines around the text of a book."""


def without_licence(text: str) -> tuple[str, str, list[LeftOut]]:
    """A text without the licence before and after it, its title, and what is left out."""
    edges = {match["edge"]: match for match in reversed([*GUTENBERG.finditer(text)])}
    start = edges["START"].end() if "START" in edges else 0
    end = edges["END"].start() if "END" in edges and edges["END"].start() > start else len(text)
    pieces = [piece for piece in (text[:start], text[end:]) if piece.strip()]
    title = FORMS["title"].search(text[:start])
    return (
        text[start:end],
        one_line(title[1]) if title else "",
        [left_out("licence", [piece]) for piece in pieces],
    )
