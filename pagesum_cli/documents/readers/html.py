"""HTML → Document, by lxml; navigation, comments, tables, captions, code and marks are left out."""

import re
from collections.abc import Iterable
from typing import Any

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ..article.article import parts_of_article
from ..article.building import SectionBuilder, document, left_out, origin_of, without_title
from ..article.divisions import is_contents, plain
from ..input import Input
from ..model import HIDDEN, Document, LeftOut, Section
from ..notes import STYLES
from .blocks import Block, blocks_of, words_in
from .encodings import decode, logical_order
from .furniture import Furniture
from .headlines import mark_headlines, named_article
from .invisible import Invisible
from .numbered_notes import without_numbered_notes
from .prose import Prose

AROUND = "around the main part"  # reason why what is not in the content is left out
SITE_WORDS = 5  # words of the name of a site after a title
MIN_CONTENTS = 3  # links of a list of contents
_WITH_SITE = re.compile(r"(?P<title>\S.*\S)\s+(?P<mark>[|»·•–—-])\s+(?P<site>\S.{1,60})")
"""A title with the name of the site, or of a part of it, after a mark."""
_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_XML = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")  # lxml refuses text with an encoding declaration
_NO_SCRIPT = 500  # characters of what a page shows without JavaScript that may be its text


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
            f"{source}: expected HTML with text, found none", "choose a file that contains text"
        )
    _show_what_scripts_replace(root)
    mark_headlines(root)
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
    is_own = _meta(root, "generator") == "pagesum"
    content = _own_summary(root) if is_own else _main_content(root, page_title)
    furniture: list[LeftOut] = []
    is_invisible = Invisible(root)
    if not is_own:  # beside the summary, a reading page has the document
        _report_around(content, is_invisible, furniture)
    found = _sections(content, furniture, is_invisible)
    title, sections = parts_of_article(found, furniture)
    if not any(section.paragraphs for section in sections):  # all of it was taken for furniture
        furniture = []
        shown = blocks_of(root, lambda one: HIDDEN if is_invisible(one) else "", furniture)
        title, sections = without_title(sections_of(shown))
    if is_invisible.is_too_large:
        furniture.append(left_out(STYLES, []))
    return document(
        name, sections, title=title or page_title, source=source, left_out=furniture, origin=origin
    )


def _show_what_scripts_replace(root: Any) -> None:
    """Read what a page shows without JavaScript, if it has little prose besides."""
    replaced = [one for one in root.iter("noscript") if len(one.text_content()) > _NO_SCRIPT]
    if replaced:
        prose = Prose(root, lambda element: element.tag in ("script", "style", "head"))
        for element in filter(prose.is_most, replaced):
            element.tag = "div"


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
        charset = declared[1].decode("ascii", "ignore") if declared else ""
        data = decode(data, "HTML", logical_order(charset))
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


def _main_content(root: Any, title: str) -> Any:
    """The article that the title of the page names, among several; or ``<main>`` or the only
    ``<article>``, unless it has only a few of the words; with the headline of the page, if it
    stands before it.
    """
    if (article := named_article(root, title)) is not None:
        return article
    everything = len(root.text_content())
    for path in ("//main", "//*[@role='main']", "//article"):
        elements = root.xpath(path)
        if len(elements) == 1 and len(elements[0].text_content()) > 0.3 * everything:
            return _with_headline(elements[0], root)
    return root


def _report_around(content: Any, is_invisible: Invisible, furniture: list[LeftOut]) -> None:
    """Report what stands before and after the content as left out."""
    around = {content, *content.iterancestors()}
    texts: list[str] = []
    for element in content.iterancestors():
        beside = (child for child in element if child not in around and not is_invisible(child))
        texts += map(words_in, beside)
    if any(any(map(str.isalnum, text)) for text in texts):
        furniture.append(left_out(AROUND, texts))


def _with_headline(content: Any, root: Any) -> Any:
    """The smallest element that holds the content and the only headline before it."""
    headlines = list(root.iter("h1"))
    if len(headlines) != 1:
        return content
    around = set(headlines[0].iterancestors())
    both = (one for one in (content, *content.iterancestors()) if one in around)
    return next(both, content)


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
            heading = kept[-1:] if kept and kept[-1].level and is_contents(kept[-1].text) else []
            dropped.append(left_out("contents", [one.text for one in [*heading, *run]]))
            kept = kept[: len(kept) - len(heading)]
            kept += [one for one in run if one.anchor]
        else:
            kept += run
        run = []
        kept.append(block)
    return kept[:-1]


def _sections(
    root: Any, furniture: list[LeftOut], is_invisible: Invisible | None = None
) -> list[Section]:
    reason = Furniture(root, is_invisible)
    blocks = blocks_of(root, reason, furniture, is_hidden=reason.is_hidden)
    return sections_of(main_blocks(blocks, furniture))


def main_blocks(blocks: Iterable[Block], dropped: list[LeftOut]) -> list[Block]:
    """Blocks without lists of contents and numbered notes."""
    return without_numbered_notes(without_contents(blocks, dropped), dropped)


def sections_of(blocks: Iterable[Block]) -> list[Section]:
    """The sections that headings and paragraphs make."""
    builder = SectionBuilder()
    for block in blocks:
        if block.level:
            builder.heading(block.text, block.level)
        else:
            builder.paragraph(block.text, block.marks)
    return builder.sections()
