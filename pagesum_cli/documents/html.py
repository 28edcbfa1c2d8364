"""HTML → Document, by lxml.

trafilatura and readability find the main text of news pages better, but both lose headings on short pages, exports of
word processors and documentation: sections matter most here, so headings are kept and only page furniture is left out.
"""

import re
from typing import Any

from ..errors import PagesumError
from ..text.cleaning import clean, one_line
from .building import SectionBuilder, document, left_out, without_title
from .document import Document, LeftOut, Section
from .encodings import decode
from .formats import Input


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NO_TEXT = _set("script style noscript template svg math canvas iframe object audio video head map")
_FURNITURE = _set("nav footer aside form button select menu dialog input textarea datalist")
_BLOCKS = _set("""
    address article blockquote body caption center dd details div dl dt fieldset figcaption figure header hr html li
    main ol p pre section summary table tbody thead tfoot tr ul
""")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ROLES = _set("navigation banner contentinfo search complementary menu menubar dialog")
_NAMED = ("div", "ul", "ol", "section", "span", "table", "header")
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|breadcrumbs?|cookies?|cookie-?(?:banner|notice|consent)|advert(?:isement)?s?|"
    r"sidebar|social|share|sharing|newsletter|related-(?:posts|articles)|footer|site-header|skip-link|toc|"
    r"mw-editsection|references?|reflist|noprint|pagination|pager)(?:$|[\s_-])",
    re.IGNORECASE,
)
MIN_LEFT_OUT = 5
"""Words of page furniture that is reported; less is only a link or a button."""

_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_XML = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")  # lxml refuses text with an encoding declaration


def read(source: Input) -> list[Document]:
    """The one document of an HTML file."""
    return [html_document(source.data, source.name, source.path)]


def html_document(data: bytes | str, name: str, source: str) -> Document:
    """HTML → Document: headings begin sections; scripts, navigation and other page furniture are left out.

    Args:
        data: Text, or bytes (in the encoding of a byte order mark, of ``<meta>``, else detected).
        name: The document's name in labels.
        source: The path.

    Raises:
        PagesumError: There is no text in it.
    """
    root = _parsed(data)
    if root is None:
        raise PagesumError(f"{source}: expected HTML with text, found none", "give a file that has words in it")
    page_title = one_line(root.xpath("string(//head/title)")) if root.tag == "html" else ""
    content = _main_content(root)
    furniture: list[LeftOut] = []
    title, sections = without_title(_sections(content, furniture))
    if not any(section.paragraphs for section in sections):  # all of it was taken for furniture
        furniture = []
        title, sections = without_title(_sections(root))
    return document(name, sections, title=title or page_title, source=source, left_out=furniture)


def text_of(markup: str) -> str:
    """The words of a piece of HTML."""
    root = _parsed(markup)
    sections = [] if root is None else _sections(root, [])
    return " ".join(paragraph.text for section in sections for paragraph in section.paragraphs)


def _parsed(data: bytes | str) -> Any:
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


def _is_furniture(element: Any) -> bool:
    if element.tag in _FURNITURE or element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if element.get("role") in _ROLES or "display:none" in (element.get("style") or "").replace(" ", ""):
        return True
    return element.tag in _NAMED and bool(_NAMES.search(f"{element.get('class') or ''} {element.get('id') or ''}"))


def _sections(root: Any, furniture: list[LeftOut] | None = None) -> list[Section]:
    """Walk the tree without recursion: HTML may be nested to any depth.

    Args:
        root: The element to read.
        furniture: Page furniture is left out and added here; None keeps it in the text.
    """
    builder = SectionBuilder()
    words: list[str] = []

    def end_paragraph() -> None:
        builder.paragraph("".join(words))
        words.clear()

    stack = [(root, False)]
    heading = None  # the element that the words belong to
    while stack:
        element, leaving = stack.pop()
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag in _NO_TEXT or (tag and not leaving and furniture is not None and _is_furniture(element)):
            if (
                furniture is not None
                and tag not in _NO_TEXT
                and len((text := element.text_content()).split()) >= MIN_LEFT_OUT
            ):
                furniture.append(left_out("navigation", [text]))
            leaving = True
        elif not leaving:
            if heading is None and (tag in _BLOCKS or tag in _HEADINGS):
                end_paragraph()
                heading = element if tag in _HEADINGS else None
            words += ["\n" if tag == "br" else "", element.text or ""]
            stack.append((element, True))
            stack.extend((child, False) for child in reversed(element))
        elif element is heading:
            builder.heading("".join(words), int(tag[1]))
            words.clear()
            heading = None
        elif tag in _BLOCKS and heading is None:
            end_paragraph()
        elif tag in _BLOCKS or tag in ("td", "th"):
            words.append(" ")
        if leaving and element is not root and element.tail:
            words.append(element.tail)
    end_paragraph()
    return builder.sections()
