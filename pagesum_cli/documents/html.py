"""HTML → Document, by lxml."""

import re

from ..errors import PagesumError
from .document import Document, Paragraph, Section
from .text import _lone_title, clean, document, one_line


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SKIPPED = _set("""
    script style noscript template nav footer aside form button select svg math canvas iframe object audio video
    head menu dialog input textarea datalist map
""")
_BLOCKS = _set("""
    address article blockquote body center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6
    header hr html li main ol p pre section summary table tbody thead tfoot tr ul caption
""")
_HEADINGS = _set("""
    h1 h2 h3 h4 h5 h6
""")
_BOILERPLATE_ROLES = _set("""
    navigation banner contentinfo search complementary menu menubar dialog
""")
_BOILERPLATE = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|breadcrumbs?|cookies?|cookie-?(?:banner|notice|consent)|advert(?:isement)?s?|"
    r"sidebar|social|share|sharing|newsletter|related-(?:posts|articles)|site-footer|site-header|skip-link|toc|"
    r"mw-editsection|references?|reflist|noprint|pagination|pager)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NO_MEANING = _set("""
    sup
""")


def html_document(data: bytes | str, name: str, source: str) -> Document:
    """HTML → Document: headings begin sections; scripts, navigation and other page furniture are left out.

    Args:
        data: bytes (the encoding is taken from byte order mark, ``<meta>``, else guessed) or text.

    Raises:
        PagesumError: there is no text in it.
    """
    root = _parse(data)
    if root is None:
        raise PagesumError(f"{source}: expected HTML with text, found none", "give a file that has words in it")
    page_title = one_line(" ".join(root.xpath("string(//head/title)").split())) if root.tag == "html" else ""
    content = _main_content(root)
    sections = _sections(content)
    title, sections = _lone_title(sections)
    if not any(section.paragraphs for section in sections):
        sections = _sections(root)  # all of it was taken for furniture
        title, sections = _lone_title(sections)
    return document(name, sections, title=title or page_title, source=source)


def text_of(markup: str) -> str:
    """The words of a piece of HTML."""
    root = _parse(markup)
    return (
        ""
        if root is None
        else " ".join(paragraph.text for section in _sections(root) for paragraph in section.paragraphs)
    )


def _parse(data: bytes | str):
    from lxml import etree, html

    from .text import decode

    if isinstance(data, bytes):
        declared = re.search(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", data[:4096], re.IGNORECASE)
        text = ""
        if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
            try:
                text = data.decode(declared[1].decode("ascii"))
            except (LookupError, UnicodeDecodeError):
                text = ""
        text = text or decode(data, "HTML")
    else:
        text = data
    text = re.sub(r"\A\s*<\?xml[^>]{0,200}\?>", "", clean(text))  # lxml refuses text with an encoding declaration
    if not text.strip():
        return None
    # Bytes, so that one character outside of ASCII does not make lxml hold four bytes for each.
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True)
    try:
        return html.document_fromstring(text.encode("utf-8"), parser=parser)
    except etree.ParserError:
        return None


def _main_content(root):
    """``<main>`` or the one ``<article>``, where it has most of the words."""
    everything = len(root.text_content())
    for path in ("//main", "//*[@role='main']", "//article"):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content()) > 0.3 * everything:
            return found[0]
    return root


def _is_furniture(element) -> bool:
    if element.tag in _SKIPPED or element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if element.get("role") in _BOILERPLATE_ROLES or "display:none" in (element.get("style") or "").replace(" ", ""):
        return True
    if element.tag in ("html", "body", "main", "article"):
        return False
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return (
        len(names) > 1
        and element.tag in ("div", "ul", "ol", "section", "span", "table", "header")
        and bool(_BOILERPLATE.search(names))
    )


def _sections(root) -> list[Section]:
    """Walks the tree without recursion: HTML may be nested as deep as it likes."""
    sections: list[Section] = []
    state = {"heading": "", "level": 1}
    body: list[Paragraph] = []
    words: list[str] = []

    def end_paragraph() -> None:
        if line := one_line("".join(words)):
            body.append(Paragraph(line))
        words.clear()

    def end_section() -> None:
        end_paragraph()
        heading = state["heading"]
        sections.append(Section(heading, tuple(body), state["level"], "outline" if heading else "fallback"))
        body.clear()

    stack = [(root, False)]
    while stack:
        element, leaving = stack.pop()
        tag = element.tag if isinstance(element.tag, str) else ""
        if leaving:
            if tag in _HEADINGS:
                state["heading"] = one_line("".join(words))
                words.clear()
            elif tag in _BLOCKS:
                end_paragraph()
            elif tag in ("td", "th"):
                words.append(" ")
            if element is not root and element.tail:
                words.append(element.tail)
            continue
        if tag and _is_furniture(element):
            if element is not root and element.tail:
                words.append(element.tail)
            continue
        if tag in _HEADINGS:
            end_section()
            state["heading"], state["level"] = "", int(tag[1])
        elif tag in _BLOCKS:
            end_paragraph()
        elif tag == "br":
            words.append("\n")
        if element.text:
            words.append(element.text)
        stack.append((element, True))
        stack.extend((child, False) for child in reversed(element))
    end_section()
    return sections
