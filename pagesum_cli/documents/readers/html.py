"""HTML → Document, by lxml; navigation, comments, tables, captions, code and marks are left out."""

import re
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ...text.tables import table
from ..article.article import parts_of_article
from ..article.building import SectionBuilder, document, left_out, origin_of, without_title
from ..article.divisions import is_contents, plain
from ..article.wording import is_prose
from ..books.books import GUTENBERG
from ..input import Input
from ..model import Document, LeftOut, Section
from .encodings import decode

_DATA = table(__file__, "web_page.toml")
_SETS = {name: frozenset(words.split()) for name, words in _DATA["sets"].items()}
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_COUNTED = ("table", "code", "caption", "front matter", "footnote", "notes", "struck out")
MIN_LEFT_OUT = 5  # words of other pieces left out that are reported; less is only a link, a button or a mark
SITE_WORDS = 5  # words of the name of a site after a title
MIN_CONTENTS = 3  # links of a list of contents
_WITH_SITE = re.compile(r"(?P<title>\S.*\S)\s+(?P<mark>[|»·•–—-])\s+(?P<site>\S.{1,60})")
"""A title with the name of the site, or of a part of it, after a mark."""
_DECK = re.compile(r"(?:^|[\s_-])(?:deck?|standfirst|strapline|tagline|sub-?(?:title|head(?:line)?))(?:$|[\s_-])", re.I)
"""Classes of the lines below the headline of an article, which sum it up."""
_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_XML = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")  # lxml refuses text with an encoding declaration


def read(source: Input) -> list[Document]:
    """The one document of an HTML file."""
    return [html_document(source.data, source.name, source.path)]


def html_document(data: bytes | str, name: str, source: str) -> Document:
    """HTML → Document: headings begin sections; scripts, navigation and other page furniture are left out."""
    root = parsed(data)
    if root is None:
        raise PagesumError(f"{source}: expected HTML with text, found none", "give a file that has words in it")
    page_title = _title_of_page(root) if root.tag == "html" else ""
    published = ("article:published_time", "citation_publication_date", "datePublished", "dc.date", "date")
    written = next(filter(None, (_meta(root, each) for each in published)), "")
    origin = origin_of(_meta(root, "og:site_name"), written.replace("/", "-"))
    content = _own_summary(root) if _meta(root, "generator") == "pagesum" else _main_content(root)
    furniture: list[LeftOut] = []
    title, sections = parts_of_article(_sections(content, furniture), furniture)
    if not any(section.paragraphs for section in sections):  # all of it was taken for furniture
        furniture = []
        title, sections = without_title(_sections(root))
    return document(name, sections, title=title or page_title, source=source, left_out=furniture, origin=origin)


def _own_summary(root: Any) -> Any:
    """The sentences on a reading page, which has the document beside them, with their citations in brackets."""
    summary = root.get_element_by_id("sentences")
    for other in summary.xpath("li/*[not(self::a or self::cite)]"):
        other.drop_tree()
    for link in summary.iter("a"):
        link.tag = "span"  # or they are taken for navigation
    for citation in summary.iter("cite"):
        citation.text, citation.tail = f" [{citation.text_content()}", f"]{citation.tail or ''}"
        del citation[:]
    return summary


def _title_of_page(root: Any) -> str:
    names = ("citation_title", "og:title", "dc.title")
    title = next(filter(None, (_meta(root, name) for name in names)), "") or one_line(
        root.xpath("string(//head/title)")
    )
    match = _WITH_SITE.fullmatch(title)
    if match is None:
        return title
    headings = {plain(one.text_content()) for one in root.iter("h1", "h2")}
    is_site = plain(match["site"]) == plain(_meta(root, "og:site_name")) or plain(match["title"]) in headings
    is_apart = match["mark"] in "|»·•" and len(match["site"].split()) <= SITE_WORDS
    return match["title"] if is_site or is_apart else title


def _meta(root: Any, name: str) -> str:
    found = root.xpath("//head/meta[@name=$name or @property=$name]/@content", name=name)
    return one_line(found[0]) if found else ""


def words_in(element: Any) -> str:
    """All words of an element."""
    return " ".join(block.text for block in blocks_of(element))


def text_of(markup: str) -> str:
    """The words of a piece of HTML."""
    root = parsed(markup)
    sections = [] if root is None else _sections(root, [])
    return " ".join(paragraph.text for section in sections for paragraph in section.paragraphs)


def parsed(data: bytes | str) -> Any:
    """The root element, an ``lxml.html.HtmlElement``; None where there is none."""
    from lxml import etree, html

    if isinstance(data, bytes):
        declared = _DECLARED.search(data[:4096])
        data = decode(data, "HTML", declared[1].decode("ascii", "ignore") if declared else "")
    text = _XML.sub("", clean(data))
    if not text.strip():
        return None
    # Bytes, so that one character outside of ASCII does not make lxml hold four bytes for each.
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    try:
        return html.document_fromstring(text.encode("utf-8"), parser=parser)
    except etree.ParserError:
        return None


def _main_content(root: Any) -> Any:
    """``<main>`` or the only ``<article>``, unless it has only a few of the words."""
    everything = len(root.text_content())
    for path in ("//main", "//*[@role='main']", "//article"):
        elements = root.xpath(path)
        if len(elements) == 1 and len(elements[0].text_content()) > 0.3 * everything:
            return elements[0]
    return root


@dataclass(slots=True)
class Block:
    """A heading or a paragraph."""

    text: str  # its words, with line ends
    level: int = 0  # 1 to 6 for ``<h1>`` to ``<h6>``; 0 for a paragraph
    links: int = 0  # number of links in it that lead to a place in the same work
    linked: int = 0  # number of letters of these links
    anchor: str = ""  # the ``id`` of an element that begins here; then there is no text
    pages: tuple[tuple[int, str], ...] = ()  # offsets in the text where pages begin, with the ``id`` of the elements
    is_picture: bool = False  # whether it is the description of a picture


def blocks_of(
    root: Any,
    reason: Callable[[Any], str] | None = None,
    dropped: list[LeftOut] | None = None,
    *,
    is_inner: Callable[[str], bool] = lambda target: target.startswith("#"),
    anchors: Container[str] = frozenset(),
    pages: Container[str] = frozenset(),
) -> Iterator[Block]:
    """The headings and paragraphs of a tree, which is walked without recursion: HTML may be nested to any depth."""
    words: list[str] = []
    begun: list[tuple[int, str]] = []
    links, linked = 0, 0
    stack = [(root, False)]
    heading = None  # the element that the words belong to

    def block(level: int = 0) -> list[Block]:
        nonlocal links, linked
        done = Block("".join(words), level, links, linked, pages=tuple(begun))
        words.clear()
        links, linked = 0, 0
        if not level and not done.text.strip():
            begun[:] = [(0, place) for _, place in begun]
            return []
        begun.clear()
        return [done]

    while stack:
        element, leaving = stack.pop()
        tag = element.tag if isinstance(element.tag, str) else ""
        why = reason(element) if reason is not None and tag and not leaving and tag not in _SETS["no_text"] else ""
        place = (element.get("id") or element.get("name") or "") if tag and not leaving else ""
        if place and place in pages:
            begun.append((sum(map(len, words)), place))
        if place and place in anchors:
            if heading is None:
                yield from block()
            yield Block("", anchor=place)
        if tag in _SETS["no_text"] or why:
            if why and dropped is not None:
                text = words_in(element)
                if text and (why in _COUNTED or len(text.split()) >= MIN_LEFT_OUT):
                    dropped.append(left_out(why, [text]))
            leaving = True
        elif not leaving:
            if heading is None and (tag in _SETS["blocks"] or tag in _HEADINGS):
                yield from block()
                is_text = _is_of_box(element) or _DECK.search(element.get("class") or "")
                heading = element if tag in _HEADINGS and not is_text else None
            words += ["\n" if tag == "br" else "", element.text or ""]
            if tag == "a" and is_inner(element.get("href") or ""):
                links, linked = links + 1, linked + sum(map(str.isalpha, element.text_content()))
            stack.append((element, True))
            stack.extend((child, False) for child in reversed(element))
        elif element is heading:
            yield from block(int(tag[1]))
            heading = None
        elif tag in _SETS["blocks"] and heading is None:
            yield from block()
        elif tag in _SETS["blocks"] or tag in ("td", "th"):
            words.append(" ")
        if leaving and element is not root and element.tail:
            words.append(element.tail)
    yield from block()


def _is_of_box(heading: Any) -> bool:
    """Whether a heading is that of a box, such as a note or a warning: the text after the box is not below it."""
    box = heading.getparent()
    if box is None or heading.tag == "h1" or heading.getprevious() is not None or (box.text or "").strip():
        return False
    names = {*(box.get("class") or "").lower().split(), *(box.get("epub:type") or "").split(), box.get("role")}
    return not _SETS["boxes"].isdisjoint(names) and sum(child.tag in _HEADINGS for child in box) == 1


def without_contents(blocks: Iterable[Block], dropped: list[LeftOut]) -> list[Block]:
    """Blocks without lists of contents: three or more links to the same work, with nothing else between them."""
    kept: list[Block] = []
    run: list[Block] = []
    for block in [*blocks, Block("")]:
        letters = sum(map(str.isalpha, block.text))
        if block.links and not block.level and block.linked >= 0.6 * letters:
            run.append(block)
            continue
        if run and (block.anchor or (letters == 0 and block.text)):
            run.append(block)  # a page number, a line, an anchor: the list may go on
            continue
        if sum(one.links for one in run) >= MIN_CONTENTS:
            dropped.append(left_out("contents", [one.text for one in run]))
            if kept and kept[-1].level and is_contents(kept[-1].text):
                kept.pop()
            kept += [one for one in run if one.anchor]
        else:
            kept += run
        run = []
        kept.append(block)
    return kept[:-1]


def _sections(root: Any, furniture: list[LeftOut] | None = None) -> list[Section]:
    if furniture is None:
        blocks = list(blocks_of(root))
    else:
        blocks = without_contents(blocks_of(root, Furniture(root), furniture), furniture)
    return sections_of(blocks)


def sections_of(blocks: Iterable[Block]) -> list[Section]:
    """The sections that headings and paragraphs make."""
    builder = SectionBuilder()
    for block in blocks:
        if block.level:
            builder.heading(block.text, block.level)
        else:
            builder.paragraph(block.text)
    return builder.sections()


_NAMES = {
    reason: re.compile(rf"(?:^|[\s_-])(?:{'|'.join(words.split())})(?:$|[\s_-])", re.IGNORECASE)
    for reason, words in _DATA.items()
    if isinstance(words, str)
}
"""Patterns of classes and ids by the reason that they give; the first two hold for headings and words in text, too."""
_ALWAYS = ("hidden", "mark")
_REFERENCE_MARK = re.compile(r"[\[(]?[\d,;–—*†‡§a-z\s-]{1,12}[\])]?|\[[^\]]{1,30}\]")
_FORWARDED = re.compile(r"\s{0,100}-{3,40}[^\n-]{3,60}-{3,40}")

MAX_AUTHORS = 400  # characters of an element with authors and dates
EFFORT = 20  # times the length of the page that may be looked through to decide what its elements are


class Furniture:
    """Tells why elements of a web page are left out; one that holds half of it is not, for its class or its id."""

    def __init__(self, root: Any) -> None:
        self._page = root.text_content()
        self._total = len(self._page)
        self._left = EFFORT * max(self._total, 10_000)

    def __call__(self, element: Any) -> str:
        if is_licence(element):
            return "licence"
        tag = element.tag
        if element.get("hidden") is not None or element.get("aria-hidden") == "true":
            return "hidden"
        if "display:none" in (element.get("style") or "").replace(" ", ""):
            return "hidden"
        if tag in ("del", "s", "strike"):
            return "struck out"
        role = (element.get("role") or "").lower()
        if tag in _SETS["furniture"] or role in _SETS["roles"]:
            return "navigation"
        if tag in ("div", "blockquote") and (reason := _of_mail(element)):
            return "" if _FORWARDED.match(self._text(element)) else reason
        reason = self._by_name(element, tag, role)
        if reason in ("mark", "hidden"):
            return reason
        if tag in _SETS["beside"]:
            reason = reason or ("aside" if tag == "aside" else "navigation")
        elif tag in ("figcaption", "caption", "figure"):
            reason = "caption"
        elif tag == "sup":
            return "mark" if self._is_mark(element) else ""
        elif tag == "a" and (element.text or "").strip() in _SETS["anchors"] and len(element) == 0:
            return "mark"
        elif tag == "pre":
            is_marked = element.find("code") is not None or element.find("span") is not None
            return "code" if is_marked or not is_prose(" ".join(self._text(element).split())) else ""
        if reason == "front matter":
            return reason if len(self._text(element)) <= MAX_AUTHORS else ""
        if reason:
            return reason if len(self._text(element)) <= 0.5 * self._total else ""
        return "table" if tag == "table" and not self._is_layout(element) else ""

    def _by_name(self, element: Any, tag: str, role: str) -> str:
        """The reason that the class, the id or the role of an element gives.

        A heading and words inside a sentence are text unless they are hidden or a mark: classes such as ``reference``
        are those of links too. The id of a section that repeats its heading says nothing.
        """
        if tag not in _SETS["named"] and tag not in _SETS["beside"]:
            return ""
        classes, place = element.get("class") or "", element.get("id") or ""
        if reason := next((why for why in _ALWAYS if _NAMES[why].search(classes)), ""):
            return reason
        if tag in _SETS["inline"]:
            if role in ("doc-noteref", "doc-backlink"):
                return "mark"
            return "" if _is_inside_text(element) or _NAMES["references"].search(classes) else _by_name(classes)
        if tag in _HEADINGS:
            return ""
        reason = _by_name(f"{classes} {role}")
        if not reason and (reason := _by_name(place)) and reason != "comments" and self._is_of_heading(element, place):
            return ""
        return reason

    def _is_of_heading(self, element: Any, place: str) -> bool:
        """Whether the id of an element is made of the heading at its beginning."""
        self._text(element)  # counts the effort
        heading = next(element.iter(*_HEADINGS), None) if self._left > 0 else None
        return heading is not None and plain(heading.text_content()).lstrip("0123456789").startswith(plain(place))

    def _text(self, element: Any) -> str:
        if self._left <= 0:
            return self._page
        text: str = element.text_content()
        self._left -= len(text) + 100
        return text

    def _is_mark(self, element: Any) -> bool:
        text = self._text(element)
        has_link = element.find(".//a") is not None and len(text) < 100
        named = _by_name(element.get("class") or "") != "" or (element.get("role") or "") == "doc-noteref"
        return (has_link or named) and bool(_REFERENCE_MARK.fullmatch(text.strip()))

    def _is_layout(self, table: Any) -> bool:
        """Whether a table holds text that is laid out in cells, instead of data."""
        if table.get("role") in ("presentation", "none") or len(self._text(table)) > 0.9 * self._total:
            return True
        words, prose = 0, 0
        for cell in table.iter("td", "th"):
            text = " ".join(cell.text_content().split())
            self._left -= len(text) + 100
            count = text.count(" ") + 1
            words, prose = words + count, prose + count * is_prose(text)
            if self._left <= 0:
                return True
        nested = any(table.find(f".//{one}") is not None for one in ("table", *_HEADINGS))
        return prose > (0 if nested else 0.5 * words)


def _by_name(names: str) -> str:
    return next((why for why, one in _NAMES.items() if why not in _ALWAYS and one.search(names)), "")


def _of_mail(element: Any) -> str:
    names = (element.get("class") or "").split()
    if not _SETS["quotes"].isdisjoint(names) or (element.tag == "blockquote" and element.get("type") == "cite"):
        return "quoted message"
    return "" if _SETS["signatures"].isdisjoint(names) else "signature"


def _is_inside_text(element: Any) -> bool:
    parent, before = element.getparent(), element.getprevious()
    text = before.tail if before is not None else parent.text if parent is not None else ""
    return any(map(str.isalnum, f"{text or ''}{element.tail or ''}"))


def is_note(element: Any) -> bool:
    """Whether an element has the class or the id of a footnote."""
    return _NAMES["footnote"].search(f"{element.get('class') or ''} {element.get('id') or ''}") is not None


def is_licence(element: Any) -> bool:
    """Whether an element holds Project Gutenberg's licence, which stands before and after its books."""
    if element.tag == "pre":
        return GUTENBERG.search(element.text_content()) is not None
    return element.get("id") in ("pg-header", "pg-footer") or "pg-boilerplate" in (element.get("class") or "").split()
