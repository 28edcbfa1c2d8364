"""Where the prose of a web page stands: which element is its article, whatever it is called."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from .elements import SETS

_BLOCKS = SETS["blocks"] | {"td", "th"}
MIN_PROSE = 40  # letters outside of links that a paragraph has
MIN_SHARE = 0.5  # share of the prose of a page that is its text, whatever it is called


class Prose:
    """How many letters of prose an element holds, and which elements are around the article.

    Prose is what stands in paragraphs, outside of links. The core of a page is the element with
    the most of it in its own paragraphs, and half of what is a level deeper, as in Readability.
    """

    def __init__(self, root: Any, is_beside: Callable[[Any], bool]) -> None:
        self._letters: Counter[Any] = Counter()
        self._scores: Counter[Any] = Counter()
        self._count(root, is_beside)
        self.total = self._letters[root]
        core = max(self._scores, key=self._scores.__getitem__, default=None)
        around = [] if core is None else [core, *core.iterancestors()]
        self.around = frozenset(around)  # the core, and the elements that it is in
        classes = (one.get("class") or "" for one in around)
        self.names = frozenset(name for each in classes for name in each.lower().split())

    def __getitem__(self, element: Any) -> int:
        """Letters of prose in an element."""
        return self._letters[element]

    def is_most(self, element: Any) -> bool:
        """Whether an element holds most of the prose of the page."""
        return self[element] > MIN_SHARE * self.total

    def _count(self, root: Any, is_beside: Callable[[Any], bool]) -> None:
        from lxml.etree import iterwalk

        walk = iterwalk(root, events=("start", "end"))
        open_blocks = [0]  # letters of the blocks that have begun
        for event, element in walk:
            is_block = element.tag in _BLOCKS
            if event == "start":
                if is_block:
                    open_blocks.append(0)
                if element.tag == "a" or (element is not root and is_beside(element)):
                    walk.skip_subtree()
                else:
                    open_blocks[-1] += letters_in(element.text)
                continue
            if is_block:
                self._add(element, open_blocks.pop())
            if element is not root:
                open_blocks[-1] += letters_in(element.tail)
                self._pass_on(element)

    def _pass_on(self, element: Any) -> None:
        letters = self._letters.get(element, 0)
        if letters:
            self._letters[element.getparent()] += letters

    def _add(self, block: Any, letters: int) -> None:
        """Add the own letters of a block, if they are prose."""
        if letters < MIN_PROSE:
            return
        self._letters[block] += letters
        parent = block.getparent() if block.tag == "p" else block
        if parent is None:
            return
        self._scores[parent] += letters
        if (outer := parent.getparent()) is not None:
            self._scores[outer] += letters // 2


def letters_in(text: str | None) -> int:
    return sum(map(str.isalpha, text)) if text else 0
