"""Collects what a PDF holds besides its text."""

from collections.abc import Hashable, Iterable
from math import inf

from ..article.building import left_out
from ..model import LeftOut


class Dropped:
    """Pieces of text that are left out, in groups."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, Hashable], list[tuple[str, int]]] = {}
        self._whole: list[LeftOut] = []

    def add(self, reason: str, text: str, page: int, group: Hashable = None) -> None:
        """Note a piece.

        Args:
            reason: Why it is left out.
            text: The piece.
            page: Its PDF page.
            group: Pieces of the same reason and group are one; the page by default.
        """
        self._groups.setdefault((reason, page if group is None else group), []).append((text, page))

    def extend(self, groups: Iterable[LeftOut]) -> None:
        """Add whole groups."""
        self._whole += groups

    def left_out(self) -> tuple[LeftOut, ...]:
        """All groups in order of their pages; of a group its pieces one after another."""
        groups = [
            left_out(reason, (text for text, _ in pieces), (page for _, page in pieces))
            for (reason, _), pieces in self._groups.items()
        ]
        return tuple(sorted([*groups, *self._whole], key=lambda group: group.pdf_pages or (inf,)))
