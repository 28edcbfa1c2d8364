"""What stands beside the article of a web page: lists of links, and what points to other pages."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from typing import Any

from .elements import HEADINGS, SETS, WEB_PAGE, has_class
from .prose import Prose, letters_in

MIN_LINKED = 0.6  # share of the letters of an element that are in links, for a list of links
MIN_LINKS = 2  # links of a list of links
MIN_POINTED = 0.25  # share of letters in links of what follows a line that leads over to it
MAX_TEASERS = 0.3  # share of the prose of a page that may stand below a heading such as "Read more"
MAX_POINTER = 60  # characters of a line that leads over to other pages
_POINTER = re.compile(
    rf"\W{{0,3}}(?:{'|'.join(WEB_PAGE['pointers'].split())})\W{{0,3}}".replace("_", r"\s"),
    re.IGNORECASE,
)
_LISTS = frozenset(["div", "ul", "ol", "dl", "section", "table", "nav", *HEADINGS[1:]])
_LINES = ("p", "div", "span", "strong", "b", *HEADINGS)


class Beside:
    """Tells which elements lead to other pages instead of being part of the article."""

    def __init__(self, root: Any, prose: Prose) -> None:
        self._prose = prose
        self._letters: Counter[Any] = Counter()
        self._linked: Counter[Any] = Counter()
        self._links: Counter[Any] = Counter()
        self._count(root)
        self._content = frozenset(self._content_of(root))
        self._pointed = self._pointed_to(root) if prose.total else set()

    def __call__(self, element: Any) -> bool:
        """Whether an element is a list of links, or follows a line such as "See also"."""
        return element in self._pointed or self._is_list_of_links(element)

    def _content_of(self, root: Any) -> Iterator[Any]:
        """What an article of nothing but links consists of, and what it is in."""
        for element in root.iter("div", "section"):
            if has_class(element, "content_classes") and not self._prose[element]:
                yield from element.iter()
                yield from element.iterancestors()

    def letters(self, element: Any) -> int:
        """Letters in an element."""
        return self._letters[element]

    def _is_list_of_links(self, element: Any) -> bool:
        if element.tag not in _LISTS or self._prose[element] or not self._prose.total:
            return False
        if element in self._content:
            return False
        is_linked = self._linked[element] >= MIN_LINKED * self._letters[element]
        return is_linked and self._links[element] >= MIN_LINKS

    def _count(self, root: Any) -> None:
        """Count letters, those in links, and links in every element."""
        from lxml.etree import iterwalk

        open_links = 0
        for event, element in iterwalk(root, events=("start", "end")):
            if not isinstance(element.tag, str) or element.tag in SETS["no_text"]:
                continue
            is_link = element.tag == "a"
            if event == "start":
                open_links += is_link
                self._add(element, letters_in(element.text), open_links)
            else:
                open_links -= is_link
                self._links[element] += is_link
                if element is not root:
                    self._pass_on(element, open_links)

    def _pass_on(self, element: Any, open_links: int) -> None:
        """Add what is in an element, and the text after it, to the element around it."""
        around = element.getparent()
        for counts in (self._letters, self._linked, self._links):
            counts[around] += counts[element]
        self._add(around, letters_in(element.tail), open_links)

    def _add(self, element: Any, letters: int, open_links: int) -> None:
        self._letters[element] += letters
        self._linked[element] += letters if open_links else 0

    def _pointed_to(self, root: Any) -> set[Any]:
        """The lines that lead over to other pages, with what they lead to."""
        pointed: set[Any] = set()
        for element in root.iter(*_LINES):
            if self._may_be_pointer(element):
                text = " ".join(element.text_content().split())
                if len(text) <= MAX_POINTER and _POINTER.fullmatch(text):
                    self._add_box(element, pointed)
        return pointed

    def _may_be_pointer(self, element: Any) -> bool:
        letters = self._letters[element]
        if not 0 < letters <= MAX_POINTER:
            return False
        return all(self._letters[inner] < letters for inner in element)

    def _add_box(self, line: Any, pointed: set[Any]) -> None:
        """Add the box that begins with a line, or the line and the lists of links after it."""
        limit = MAX_TEASERS * self._prose.total if line.tag in HEADINGS else 0
        box, around = line, line.getparent()
        while self._is_box(around, box, limit):
            box, around = around, around.getparent()
        others = self._letters[box] - self._letters[line]
        if box in pointed:
            return
        if others > MAX_POINTER:
            pointed.update([box] if self._leads_on(box, others) else [])
            return
        following = takewhile(partial(self._may_be_pointed_to, limit), box.itersiblings())
        pieces = [box, *following]
        if any(self._links[one] for one in pieces):
            pointed.update(pieces)

    def _leads_on(self, element: Any, letters: int) -> bool:
        """Whether there are links in an element."""
        return self._linked[element] >= MIN_POINTED * letters

    def _is_box(self, around: Any, inner: Any, limit: float) -> bool:
        if around is None or around in self._prose.around or self._prose[around] > limit:
            return False
        return _begins(around, inner)

    def _may_be_pointed_to(self, limit: float, element: Any) -> bool:
        """Whether an element may belong to the line before it: no text, and links if anything."""
        is_text = element in self._prose.around or self._prose[element] > limit
        if is_text or element.tag in HEADINGS:
            return False
        return self._leads_on(element, self._letters[element])


def _begins(around: Any, box: Any) -> bool:
    """Whether an element begins with another."""
    if (around.text or "").strip():
        return False
    before = box.itersiblings(preceding=True)
    return not any(one.text_content().strip() or (one.tail or "").strip() for one in before)
