"""HTML → Document, by lxml; navigation, comments, tables, captions, code and marks are left out."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ..article.article import parts_of_article
from ..article.building import SectionBuilder, document, left_out, origin_of, without_title
from ..article.divisions import is_contents, plain
from ..input import Input
from ..lists import Lists, Numbering, counted, integer
from ..marked import NO_MARKS, Marks
from ..model import Document, LeftOut, Section
from .encodings import decode
from .furniture import HEADINGS, SETS, WEB_PAGE, Furniture, has_class

_COUNTED = ("table", "code", "caption", "front matter", "footnote", "notes", "struck out")
_KINDS = {"pre": "pre", "address": "lines", "blockquote": "quotation"}
"""What elements make of the text in them."""
# words of other pieces left out that are reported; less is only a link, a button or a mark
MIN_LEFT_OUT = 5
SITE_WORDS = 5  # words of the name of a site after a title
MIN_CONTENTS = 3  # links of a list of contents
MAX_TERMS = 3  # terms that have one definition
MIN_QUESTION = 3  # spaces in a term that ends like a sentence, and is one
MAX_NAME, MAX_PIECES = 60, 5  # characters of the name of a speaker, and parts of them
_WITH_SITE = re.compile(r"(?P<title>\S.*\S)\s+(?P<mark>[|»·•–—-])\s+(?P<site>\S.{1,60})")
"""A title with the name of the site, or of a part of it, after a mark."""
_DECK = re.compile(
    r"(?:^|[\s_-])(?:deck?|standfirst|strapline|tagline|sub-?(?:title|head(?:line)?))(?:$|[\s_-])",
    re.I,
)
"""Classes of the lines below the headline of an article, which sum it up."""
_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list-style(?:-type)?:([a-z-]{1,30})")
_LINE_END = re.compile("\n")
_XML = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")  # lxml refuses text with an encoding declaration


def read(source: Input) -> list[Document]:
    """The one document of an HTML file."""
    return [html_document(source.data, source.name, source.path)]


def html_document(data: bytes | str, name: str, source: str) -> Document:
    """HTML → Document: headings begin sections; scripts, navigation and other page furniture are
    left out.
    """
    root = parsed(data)
    if root is None:
        raise PagesumError(
            f"{source}: expected HTML with text, found none", "give a file that has words in it"
        )
    page_title = _title_of_page(root) if root.tag == "html" else ""
    published = (
        "article:published_time",
        "citation_publication_date",
        "datePublished",
        "dc.date",
        "date",
    )
    written = next(filter(None, (_meta(root, each) for each in published)), "")
    origin = origin_of(_meta(root, "og:site_name"), written.replace("/", "-"))
    content = _own_summary(root) if _meta(root, "generator") == "pagesum" else _main_content(root)
    furniture: list[LeftOut] = []
    title, sections = parts_of_article(_sections(content, furniture), furniture)
    if not any(section.paragraphs for section in sections):  # all of it was taken for furniture
        furniture = []
        title, sections = without_title(_sections(root))
    return document(
        name, sections, title=title or page_title, source=source, left_out=furniture, origin=origin
    )


def _own_summary(root: Any) -> Any:
    """The sentences on a reading page, which has the document beside them, with their citations in
    brackets.
    """
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
    is_site = (
        plain(match["site"]) == plain(_meta(root, "og:site_name"))
        or plain(match["title"]) in headings
    )
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
    parser = html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
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
    # offsets in the text where pages begin, with the ``id`` of the elements
    pages: tuple[tuple[int, str], ...] = ()
    is_picture: bool = False  # whether it is the description of a picture
    marks: Marks = NO_MARKS  # what else the markup says about a paragraph


def blocks_of(
    root: Any,
    reason: Callable[[Any], str] | None = None,
    dropped: list[LeftOut] | None = None,
    *,
    is_inner: Callable[[str], bool] = lambda target: target.startswith("#"),
    anchors: Container[str] = frozenset(),
    pages: Container[str] = frozenset(),
) -> Iterator[Block]:
    """The headings and paragraphs of a tree."""
    return _Walk(root, reason or (lambda _: ""), dropped, is_inner, anchors, pages).blocks()


class _Walk:
    """Walks a tree and collects its blocks, without recursion: HTML may be nested to any depth."""

    def __init__(
        self,
        root: Any,
        reason: Callable[[Any], str],
        dropped: list[LeftOut] | None,
        is_inner: Callable[[str], bool],
        anchors: Container[str],
        pages: Container[str],
    ) -> None:
        self._root, self._reason, self._dropped = root, reason, dropped
        self._is_inner, self._anchors, self._pages = is_inner, anchors, pages
        self._done: list[Block] = []
        self._heading: Any = None  # the element that the words belong to
        self._begun: list[tuple[int, str]] = []
        self._line: Any = None  # the element that is a line of verse
        self._lists = Lists()
        self._open: Counter[str] = Counter()  # elements that are open, by what ``_kinds_of`` says
        self._clear()

    def _clear(self) -> None:
        self._words: list[str] = []
        self._length = 0
        self._links, self._linked = 0, 0
        self._breaks: list[int] = []
        self._head = 0  # the end of its bold beginning
        self._is_plain = False  # whether words that are not bold have come
        self._terms = 0  # number of terms at its beginning that are defined by what comes
        self._term = 0  # the end of the last one
        self._has_more = False  # whether words have come after it

    def blocks(self) -> Iterator[Block]:
        stack = [(self._root, False)]
        while stack:
            element, is_end = stack.pop()
            if is_end:
                self._end(element)
            elif self._is_read(element):
                self._begin(element)
                stack.append((element, True))
                stack.extend((child, False) for child in reversed(element))
                continue
            if element is not self._root and element.tail:
                self._add(element.tail)
            yield from self._done
            self._done.clear()
        self._flush()
        yield from self._done

    def _is_read(self, element: Any) -> bool:
        """Whether an element is text; notes where its place is, and what is left out."""
        tag = _tag(element)
        if tag:
            self._place(element.get("id") or element.get("name") or "")
        if tag in SETS["no_text"]:
            return False
        why = self._reason(element) if tag else ""
        if why and self._dropped is not None:
            self._leave_out(why, words_in(element), self._dropped)
        return not why

    def _leave_out(self, reason: str, text: str, dropped: list[LeftOut]) -> None:
        if text and (reason in _COUNTED or len(text.split()) >= MIN_LEFT_OUT):
            dropped.append(left_out(reason, [text]))

    def _place(self, place: str) -> None:
        if place and place in self._pages:
            self._begun.append((self._length, place))
        if place and place in self._anchors:
            if self._heading is None:
                self._flush()
            self._done.append(Block("", anchor=place))

    def _begin(self, element: Any) -> None:
        tag = _tag(element)
        if self._heading is None and (tag in SETS["blocks"] or tag in HEADINGS):
            self._begin_block(element, tag)
        elif tag == "br":
            self._break(element)
        elif tag == "a" and self._is_inner(element.get("href") or ""):
            self._links += 1
            self._linked += sum(map(str.isalpha, element.text_content()))
        for kind in _kinds_of(element, tag):
            self._open[kind] += 1
        self._add(element.text or "")

    def _begin_block(self, element: Any, tag: str) -> None:
        if self._is_line(element):
            self._line = element
            self._end_line()
            return
        is_defining = tag in SETS["defining"] and 0 < self._terms < MAX_TERMS
        if not is_defining or self._has_more:
            self._flush()
        if tag in HEADINGS and not _is_text(element):
            self._heading = element
        elif tag in SETS["lists"]:
            self._lists.begin(*_numbering(element))
        elif tag == "li":
            value = element.get("value")
            self._lists.item(integer(value, 0) if value else None)

    def _break(self, element: Any) -> None:
        """End a line; a paragraph, where a speaker's name in bold comes next."""
        self._end_line()
        following = element.getnext()
        is_next = following is not None and not (element.tail or "").strip() and _is_bold(following)
        if is_next and self._heading is None and _is_name(following):
            self._flush()

    def _end_line(self) -> None:
        if self._length:
            self._add("\n")
            self._breaks.append(self._length)

    def _add(self, text: str) -> None:
        if self._open["pre"]:
            self._breaks += (self._length + match.end() for match in _LINE_END.finditer(text))
        self._words.append(text)
        self._length += len(text)
        if text.strip():
            self._is_plain = self._is_plain or not self._open["bold"]
            self._has_more = True

    def _end(self, element: Any) -> None:
        tag = _tag(element)
        if element is self._heading:
            self._flush(int(tag[1]))
            self._heading = None
        elif tag in SETS["blocks"] and self._heading is None:
            self._end_block(element, tag)
        elif tag in SETS["blocks"] or tag in ("td", "th"):
            self._add(" ")
        for kind in _kinds_of(element, tag):
            self._open[kind] -= 1
            if kind == "bold" and not (self._open["bold"] or self._is_plain):
                self._head = self._length

    def _end_block(self, element: Any, tag: str) -> None:
        if self._line is element:
            self._line = None
            self._end_line()
        elif tag == "dt":
            self._end_term()
        elif self._has_more or not self._terms or tag != "div":
            self._flush()
        if tag in SETS["lists"]:
            self._lists.end()
        elif tag == "li":
            self._lists.end_item()

    def _end_term(self) -> None:
        """End a term, with which its definition begins; a question has a paragraph of its own."""
        text = one_line("".join(self._words))
        if not text or (text.endswith((".", "?", "!")) and text.count(" ") >= MIN_QUESTION):
            self._flush()
            return
        self._add("\n")
        self._terms += 1
        self._term, self._head = self._length, 0
        self._has_more = self._is_plain = False

    def _is_line(self, element: Any) -> bool:
        """Whether a block is a line of verse, or of an address."""
        if not self._keeps_lines():
            return False
        is_plain = element.tag == "p" and not element.get("class") and element.find("br") is None
        if not (is_plain or has_class(element, "line_classes")):
            return False
        return not any(_tag(child) in SETS["blocks"] for child in element)

    def _keeps_lines(self) -> bool:
        return bool(self._open["verse"] or self._open["lines"])

    def _flush(self, level: int = 0) -> None:
        """End a heading or a paragraph."""
        text = "".join(self._words)
        if level or text.strip():
            marks = NO_MARKS if level else self._marks()
            pages = tuple(self._begun)
            self._done.append(Block(text, level, self._links, self._linked, "", pages, marks=marks))
            self._begun.clear()
        else:
            self._begun[:] = [(0, place) for _, place in self._begun]
        self._clear()

    def _marks(self) -> Marks:
        block: Literal["", "quotation", "verse"] = ""
        if self._open["verse"]:
            block = "verse"
        elif self._open["quotation"]:
            block = "quotation"
        return replace(
            self._lists.marks(),
            block=block,
            term=self._term if self._has_more else 0,
            head=self._head,
            breaks=tuple(self._breaks),
            keeps_lines=self._keeps_lines(),
        )


def _tag(element: Any) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def _kinds_of(element: Any, tag: str) -> list[str]:
    """What an element makes of the text in it; ``lines`` are those of an address."""
    if tag not in SETS["blocks"]:
        return ["bold"] if _is_bold(element) else []
    kinds = [_KINDS[tag]] if tag in _KINDS else []
    return kinds + [kind for kind in ("verse", "lines") if has_class(element, f"{kind}_classes")]


def _is_bold(element: Any) -> bool:
    if element.tag in ("b", "strong"):
        return True
    return "bold" in (element.get("style") or "") or has_class(element, "bold_classes")


def _is_name(element: Any) -> bool:
    """Whether a colon ends an element in bold, or follows it."""
    pieces = list(islice(element.itertext(), MAX_PIECES + 1))
    text, after = "".join(pieces).rstrip(), (element.tail or "").lstrip()
    is_short = len(pieces) <= MAX_PIECES and len(text) <= MAX_NAME
    return is_short and (text.endswith(":") or after.startswith(":"))


def _numbering(element: Any) -> tuple[Numbering | None, int, int]:
    """The labels of the items of a list, the first number, and the step to the next."""
    style = (element.get("style") or "").replace(" ", "").lower()
    counter = _LIST_STYLE.search(style)
    if element.tag != "ol" or (counter and counter[1] == "none"):
        return None, 1, 1
    form = (element.get("type") or "1").strip()
    if counter:
        form = WEB_PAGE["counters"].get(counter[1], form)
    first, step = 1, 1
    if element.get("reversed") is not None:
        first, step = sum(child.tag == "li" for child in element), -1
    start = integer(element.get("start") or "", first)
    return lambda number: f"{counted(number, form)}.", start, step


def _is_text(heading: Any) -> bool:
    """Whether an element has the tag of a heading, and no text of its own below it."""
    return _is_of_box(heading) or _DECK.search(heading.get("class") or "") is not None


def _is_of_box(heading: Any) -> bool:
    """Whether a heading is that of a box, such as a note or a warning: the text after the box is
    not below it.
    """
    box = heading.getparent()
    if (
        box is None
        or heading.tag == "h1"
        or heading.getprevious() is not None
        or (box.text or "").strip()
    ):
        return False
    names = {
        *(box.get("class") or "").lower().split(),
        *(box.get("epub:type") or "").split(),
        box.get("role"),
    }
    return not SETS["boxes"].isdisjoint(names) and sum(child.tag in HEADINGS for child in box) == 1


def without_contents(blocks: Iterable[Block], dropped: list[LeftOut]) -> list[Block]:
    """Blocks without lists of contents: three or more links to the same work, with nothing else
    between them.
    """
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
            builder.paragraph(block.text, block.marks)
    return builder.sections()
