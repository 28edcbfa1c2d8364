"""Why elements of a web page are left out: navigation, comments, tables, captions, marks."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from ..article.divisions import plain
from ..article.wording import is_prose
from ..books.licence import GUTENBERG
from ..model import HIDDEN
from .beside import Beside
from .elements import HEADINGS, SETS, WEB_PAGE, has_class
from .invisible import Invisible
from .prose import Prose

_NAMES = {
    reason: re.compile(rf"(?:^|[\s_-])(?:{'|'.join(words.split())})(?:$|[\s_-])", re.IGNORECASE)
    for reason, words in WEB_PAGE.items()
    if isinstance(words, str) and reason != "pointers"
}
"""Patterns of classes and ids by the reason that they give; the first two hold for headings and
words in text, too.
"""
_ALWAYS = ("for screen readers", "mark")
_COMMENTS = frozenset(WEB_PAGE["comments"].split())
_DIALOG = re.compile(rf"(?:^|[\s_-])(?:{'|'.join(SETS['dialogs'])})(?:$|[\s_-])", re.IGNORECASE)
_REFERENCE_MARK = re.compile(
    r"[\[(]?[\d,;–—*†‡§a-z\s-]{1,12}[\])]?|\[[^\]]{1,30}\]|:\s?\d[\d,–\s-]{0,30}"
)
"""The number of a note; or, after a colon, the pages of the source that it names."""
_FORWARDED = re.compile(r"\s{0,100}-{3,40}[^\n-]{3,60}-{3,40}")

MIN_ALL_PROSE, ALL_PROSE = 300, 0.8  # letters of an element that is all prose, and their share
MAX_SHOWN = 1000  # letters of prose of a page that may show its article only by a program
MIN_ARTICLE = 800  # letters of prose of such an article
SHOWN_SHARE = 0.15  # share of the prose that such a page shows without the program
MIN_TEXT = 200  # characters of a paragraph in a figure that is no caption
MAX_AUTHORS = 400  # characters of an element with authors and dates
# times the length of the page that may be looked through to decide what its elements are
EFFORT = 20


class Furniture:
    """Tells why elements of a web page are left out.

    The core of the page, what is around it, what has the same class as these, and what holds most
    of the prose are text, whatever they are called.

    Args:
        root: The page, or the part of it that is read.
        is_invisible: Tells what a browser does not show of the page.
    """

    def __init__(self, root: Any, is_invisible: Invisible | None = None) -> None:
        self._holds_article = _around_article(root)
        is_invisible = is_invisible or Invisible(root.getroottree().getroot())
        self._is_invisible: Callable[[Any], bool] = is_invisible
        self.prose = Prose(root, self._is_beside)
        if self.prose.total < MAX_SHOWN:
            self._read_what_scripts_show(root)
        self._is_gallery = any(one.tag == "figcaption" for one in self.prose.around)
        self._leads_away = Beside(root, self.prose)
        self._page = root.text_content()
        self._total = len(self._page)
        self._left = EFFORT * max(self._total, 10_000)

    def is_hidden(self, element: Any) -> bool:
        """Whether a browser does not show an element."""
        return self._is_invisible(element)

    def __call__(self, element: Any) -> str:
        if is_licence(element):
            return "licence"
        if self._is_invisible(element):
            return HIDDEN
        tag, role = element.tag, (element.get("role") or "").lower()
        if tag in ("del", "s", "strike"):
            return "struck out"
        if tag in ("div", "blockquote") and (reason := _of_mail(element)):
            return "" if _FORWARDED.match(self._text(element)) else reason
        if element in self.prose.around or element in self._holds_article:
            return ""
        if tag in SETS["furniture"] or role in SETS["roles"]:
            return "navigation"
        reason = self._by_name(element, tag, role)
        return reason if reason in _ALWAYS else self._of_text(element, tag, reason)

    def _of_text(self, element: Any, tag: str, reason: str) -> str:
        """The reason of an element that may be text, by its kind, its links and its size."""
        if reason == "navigation" and self._is_of_article(element):
            reason = ""
        if _may_be_mark(element):
            return "mark" if tag == "a" or self._is_mark(element) else ""
        if not reason and self._leads_away(element):
            return "navigation"
        if tag == "pre" and not has_class(element, "verse_classes"):
            return self._of_code(element)
        return self._by_size(element, self._by_tag(element, reason))

    def _is_of_article(self, element: Any) -> bool:
        """Whether an element is text whatever its name: it has the headline, or is all prose."""
        if element.tag == "header":
            return element.find(".//h1") is not None
        prose = self.prose[element]
        return prose > MIN_ALL_PROSE and prose > ALL_PROSE * self._leads_away.letters(element)

    def _read_what_scripts_show(self, root: Any) -> None:
        """Read what is hidden where it is all but the whole page: a program in it shows it."""
        is_invisible, self._is_invisible = self._is_invisible, lambda _: False
        prose = Prose(root, self._is_beside)
        if prose.total > MIN_ARTICLE and self.prose.total < SHOWN_SHARE * prose.total:
            self.prose = prose
        else:
            self._is_invisible = is_invisible

    def _is_beside(self, element: Any) -> bool:
        """Whether the core of a page cannot be in an element, before its prose is known."""
        if self._is_invisible(element):
            return True
        if element in self._holds_article:
            return False
        names = {element.get("id"), *(element.get("class") or "").lower().split()}
        return (
            element.tag in SETS["no_text"]
            or element.tag in SETS["furniture"]
            or element.tag == "footer"
            or not names.isdisjoint(_COMMENTS)
            or _is_dialog(element)
        )

    def _by_tag(self, element: Any, reason: str) -> str:
        """The reason of an element by its tag, and that of its names."""
        if element.tag in SETS["beside"]:
            return reason or ("aside" if element.tag == "aside" else "navigation")
        if self._is_gallery and self.prose[element]:
            return reason
        return "caption" if _is_caption(element) else reason

    def _by_size(self, element: Any, reason: str) -> str:
        """The reason that a name gives, if the element is not too large for it."""
        if reason == "front matter":
            return reason if len(self._text(element)) <= MAX_AUTHORS else ""
        if reason:
            is_text = self.prose.total and self.prose.is_most(element)
            return "" if is_text or len(self._text(element)) > 0.5 * self._total else reason
        return "table" if element.tag == "table" and not self._is_layout(element) else ""

    def _of_code(self, element: Any) -> str:
        is_marked = element.find("code") is not None or element.find("span") is not None
        is_text = not is_marked and is_prose(" ".join(self._text(element).split()))
        return "" if is_text else "code"

    def _by_name(self, element: Any, tag: str, role: str) -> str:
        """The reason that the class, the id or the role of an element gives.

        A heading and words inside a sentence are text unless they are hidden or a mark: classes
        such as ``reference`` are those of links too. The id of a section that repeats its heading
        says nothing.
        """
        if tag not in SETS["named"] and tag not in SETS["beside"]:
            return ""
        named = (element.get("class") or "").split()
        # what the article is called is no name of furniture in this page
        classes = " ".join(name for name in named if name.lower() not in self.prose.names)
        place = element.get("id") or ""
        if reason := next((why for why in _ALWAYS if _NAMES[why].search(classes)), ""):
            return reason
        if tag in SETS["inline"]:
            if not {role, element.get("epub:type")}.isdisjoint(SETS["marks"]):
                return "mark"
            if tag == "span" and _NAMES["inline footnote"].search(classes):
                return "footnote"
            return (
                ""
                if _is_inside_text(element) or _NAMES["references"].search(classes)
                else _by_name(classes)
            )
        if tag in HEADINGS:
            return ""
        reason = _by_name(f"{classes} {role}")
        if (
            not reason
            and (reason := _by_name(place))
            and reason != "comments"
            and self._is_of_heading(element, place)
        ):
            return ""
        return reason

    def _is_of_heading(self, element: Any, place: str) -> bool:
        """Whether the id of an element is made of the heading at its beginning."""
        self._text(element)  # counts the effort
        heading = next(element.iter(*HEADINGS), None) if self._left > 0 else None
        return heading is not None and plain(heading.text_content()).lstrip(
            "0123456789"
        ).startswith(plain(place))

    def _text(self, element: Any) -> str:
        if self._left <= 0:
            return self._page
        text: str = element.text_content()
        self._left -= len(text) + 100
        return text

    def _is_mark(self, element: Any) -> bool:
        """Whether a superscript is the mark of a note: a link to it, or named so."""
        text = self._text(element)
        if not _REFERENCE_MARK.fullmatch(text.strip()):
            return False
        if _by_name(element.get("class") or "") or element.get("role") == "doc-noteref":
            return True
        around, inside = element.getparent(), element.find(".//a")
        if around is not None and around.tag == "a":
            return _leads_inside(around)
        if inside is None:
            return False
        return _leads_inside(inside) or not _text_before(element)[-1:].isdigit()

    def _is_layout(self, table: Any) -> bool:
        """Whether a table holds text that is laid out in cells, instead of data."""
        if (
            table.get("role") in ("presentation", "none")
            or len(self._text(table)) > 0.9 * self._total
        ):
            return True
        words, prose = 0, 0
        for cell in table.iter("td", "th"):
            text = " ".join(cell.text_content().split())
            self._left -= len(text) + 100
            count = text.count(" ") + 1
            words, prose = words + count, prose + count * is_prose(text)
            if self._left <= 0:
                return True
        nested = any(table.find(f".//{one}") is not None for one in ("table", *HEADINGS))
        return prose > (0 if nested else 0.5 * words)


def _is_dialog(element: Any) -> bool:
    """Whether an element is a box over the page, by its names, and holds no headline."""
    names = f"{element.get('class') or ''} {element.get('id') or ''} {element.get('role') or ''}"
    return _DIALOG.search(names) is not None and element.find(".//h1") is None


def _around_article(root: Any) -> frozenset[Any]:
    """``<main>`` or the only ``<article>``, with what it is in, even a menu that is not closed."""
    for tag in ("main", "article"):
        found = list(islice(root.iter(tag), 2))
        if len(found) == 1:
            return frozenset([found[0], *found[0].iterancestors()])
    return frozenset()


def _is_caption(element: Any) -> bool:
    if element.tag == "caption":
        return element.getparent().tag == "table"
    return element.tag == "figcaption" or (element.tag == "figure" and not _has_text(element))


def _has_text(figure: Any) -> bool:
    """Whether a figure holds a paragraph besides its caption."""
    paragraphs = figure.iterfind("p") if figure.find("figcaption") is not None else ()
    return any(len(one.text_content()) > MIN_TEXT for one in paragraphs)


def _by_name(names: str) -> str:
    return next(
        (why for why, one in _NAMES.items() if why not in _ALWAYS and one.search(names)), ""
    )


def _of_mail(element: Any) -> str:
    names = (element.get("class") or "").split()
    if not SETS["quotes"].isdisjoint(names) or (
        element.tag == "blockquote" and element.get("type") == "cite"
    ):
        return "quoted message"
    return "" if SETS["signatures"].isdisjoint(names) else "signature"


def _may_be_mark(element: Any) -> bool:
    if element.tag == "a":
        return (element.text or "").strip() in SETS["anchors"] and len(element) == 0
    return bool(element.tag == "sup")


def _leads_inside(link: Any) -> bool:
    return "#" in (link.get("href") or "") or link.get("role") == "doc-noteref"


def _text_before(element: Any) -> str:
    parent, before = element.getparent(), element.getprevious()
    text = before.tail if before is not None else parent.text if parent is not None else ""
    return text or ""


def _is_inside_text(element: Any) -> bool:
    return any(map(str.isalnum, f"{_text_before(element)}{element.tail or ''}"))


def is_note(element: Any) -> bool:
    """Whether an element has the class or the id of a footnote."""
    return (
        _NAMES["footnote"].search(f"{element.get('class') or ''} {element.get('id') or ''}")
        is not None
    )


def is_licence(element: Any) -> bool:
    """Whether an element holds Project Gutenberg's licence, which stands before and after its
    books.
    """
    if element.tag == "pre":
        return GUTENBERG.search(element.text_content()) is not None
    return (
        element.get("id") in ("pg-header", "pg-footer")
        or "pg-boilerplate" in (element.get("class") or "").split()
    )
