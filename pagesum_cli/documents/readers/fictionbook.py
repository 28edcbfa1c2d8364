"""FictionBook (FB2) → Document: its bodies as HTML."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from ...errors import PagesumError
from ...text.cleaning import one_line
from ...text.tables import table
from ..article.building import SectionBuilder, document, left_out
from ..article.divisions import joined_title, plain
from ..input import Input
from ..model import Document, LeftOut
from .archive import Archive, has_entities, xml_root, xml_text
from .blocks import blocks_of
from .html import parsed

_KIND = "a FictionBook"
_ELEMENTS: dict[str, str] = table(__file__, "fictionbook.toml")["elements"]
_LEFT_OUT: dict[str, str] = table(__file__, "fictionbook.toml")["left_out"]
_NAME = ("first-name", "middle-name", "last-name")
_VERSE = ("poem", "stanza")
MAX_LEVEL = 6  # of a heading in HTML


def read(source: Input) -> list[Document]:
    """The one document of a FictionBook, in an archive or not.

    Sections have the titles of the book's. The annotation of the book, the title page, notes,
    tables, and embedded files are left out.
    """
    root = _root(source)
    info = _first(_first(root, "description"), "title-info")
    title = _text(_first(info, "book-title"))
    reader = _Reader(title)
    if annotation := _text(_first(info, "annotation")):
        reader.dropped.append(left_out("front matter", [annotation]))
    for body in _children(root, "body"):
        reader.add(body)
    sections = reader.builder.sections()
    read = document(
        source.name,
        sections,
        title=title or reader.title,
        source=source.path,
        left_out=reader.dropped,
    )
    authors = map(_author, _children(info, "author"))
    return [replace(read, authors=tuple(filter(None, authors)))]


def _root(source: Input) -> Any:
    """The root of the markup, its mistakes mended."""
    text = _unpacked(source)
    if has_entities(text):
        raise PagesumError(f"{source.path}: it defines XML entities", "save it without them")
    root, mistake = xml_root(_without_embedded(text))
    if root is None or _name(root) != "FictionBook":
        message = f"{source.path}: expected {_KIND}, found something else"
        raise PagesumError(message, "check the file")
    if mistake:
        reason = one_line(mistake)[:120]
        source.on_problem(f"{source.path}: the markup is damaged, and text may be lost ({reason})")
    return root


def _unpacked(source: Input) -> str:
    """The text of the file, or of the only one in the archive."""
    if not source.data.startswith(b"PK"):
        return xml_text(source.data, source.path)
    archive = Archive(source.data, source.path, _KIND)
    paths = [path for path in archive if path.lower().endswith(".fb2")]
    if len(paths) != 1:
        message = f"{source.path}: expected {_KIND}, found an archive with {len(paths)} of them"
        raise PagesumError(message, "unpack it and pass the files in it")
    return archive.text(paths[0])


def _without_embedded(text: str) -> str:
    """The markup without embedded files, which are large."""
    first, *others = text.split("<binary")
    return "".join([first, *(one.partition("</binary>")[2] for one in others)])


class _Reader:
    """Collects the sections of the bodies."""

    def __init__(self, title: str) -> None:
        self._known = title
        self._has_text = False  # whether a body has been read
        self.title = ""  # that the main body prints
        self.dropped: list[LeftOut] = []
        self.builder = SectionBuilder()

    def add(self, body: Any) -> None:
        """Add a body: the text, or notes."""
        if body.get("name") and self._has_text:
            self.dropped.append(left_out("footnote", [_text(one) for one in body]))
            return
        if not self._has_text:
            self._take_title(body)
        self._has_text = True
        page = parsed(_html(body))
        if page is None:
            return
        for block in blocks_of(page, _reason, self.dropped):
            if block.level:
                self.builder.heading(block.text, block.level)
            else:
                self.builder.paragraph(block.text, block.marks)

    def _take_title(self, body: Any) -> None:
        """Take the title page away: the title of the main body."""
        title = _first(body, "title")
        if title is None:
            return
        self.title = one_line(" ".join(map(_text, title)))
        body.remove(title)
        if self._known and plain(self.title) != plain(self._known):
            self.dropped.append(left_out("front matter", [self.title]))


def _reason(element: Any) -> str:
    tag = element.tag
    is_mark = tag == "a" and element.get("class") == "note"
    return "mark" if is_mark else _LEFT_OUT.get(tag, "") if isinstance(tag, str) else ""


def _html(body: Any) -> str:
    """A body as HTML."""
    from lxml import etree

    levels = {title: _level(title) for title in body.iter("{*}title", "{*}subtitle")}
    for section in body.iterchildren("{*}section"):
        if _first(section, "title") is None:  # it ends the one before
            section.insert(0, section.makeelement("h1"))
    for title, level in levels.items():
        _make_heading(title, level)
    for element in body.iter("{*}*"):
        _rename(element)
    etree.cleanup_namespaces(body)
    text: str = etree.tostring(body, encoding="unicode", method="html", with_tail=False)
    return text


def _level(title: Any) -> int:
    """The level of a title by the sections that it is in; that of a poem is one below."""
    inside = sum(_name(one) == "section" for one in title.iterancestors())
    is_own = _name(title) == "title" and _name(title.getparent()) in ("section", "body")
    return max(1, min(inside if is_own else inside + 1, MAX_LEVEL))


def _make_heading(title: Any, level: int) -> None:
    """Make a heading of the lines of a title; asterisks between scenes are none."""
    for mark in [one for one in title.iter("{*}a") if one.get("type") == "note"]:
        _remove(mark)
    lines = filter(None, map(_text, title if len(title) and _name(title) == "title" else [title]))
    text = reduce(joined_title, lines, "").removeprefix(": ")
    tail = title.tail
    title.clear()
    is_heading = any(map(str.isalnum, text))
    title.tag = f"h{level}" if is_heading else "span"
    title.text, title.tail = text if is_heading else "", tail


def _remove(element: Any) -> None:
    """Remove an element, and keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    tail = element.tail or ""
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)


def _rename(element: Any) -> None:
    """Give an element the name that it has in HTML."""
    name = _name(element)
    is_note = name == "a" and element.get("type") == "note"
    element.attrib.clear()
    if not element.tag.startswith("h"):
        element.tag = _ELEMENTS.get(name, "span")
    if is_note:
        element.set("class", "note")
    elif name in _VERSE:
        element.set("class", name)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _children(element: Any, name: str) -> Iterator[Any]:
    return iter(()) if element is None else element.iterchildren(f"{{*}}{name}")


def _first(element: Any, name: str) -> Any:
    return next(_children(element, name), None)


def _text(element: Any) -> str:
    return "" if element is None else one_line(" ".join(element.itertext()))


def _author(element: Any) -> str:
    """The name of an author, or else a nickname."""
    name = " ".join(_text(_first(element, part)) for part in _NAME)
    return one_line(name) or _text(_first(element, "nickname"))
