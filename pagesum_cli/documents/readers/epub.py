"""EPUB → Document: the text of its files, cut by its navigation."""

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any
from urllib.parse import unquote

from ...errors import PagesumError
from ...text.cleaning import one_line
from ...text.tables import table
from ..article.building import SectionBuilder, document, left_out
from ..article.divisions import division_of, is_contents, joined_title, plain
from ..input import Input
from ..marked import paragraph_of
from ..model import HIDDEN, Document, LeftOut, Section
from ..notes import STYLES
from .archive import Archive
from .blocks import Block, blocks_of, words_in
from .epub_package import MAX_ENTRIES, Entry, Item, Package, package_of, resolved
from .furniture import is_licence, is_note
from .html import MIN_CONTENTS, main_blocks
from .invisible import Invisible

MAX_BREAKS = 100  # pages that begin in one paragraph


_DATA = table(__file__, "epub.toml")
_KINDS = {kind: reason for reason, kinds in _DATA["kinds"].items() for kind in kinds.split()}
_SETS = {name: frozenset(words.split()) for name, words in _DATA["sets"].items()}

MAX_TITLE_BLOCKS = 4  # headings and lines at the beginning of a chapter that may repeat its title


def read(source: Input) -> list[Document]:
    """The one document of an EPUB 2 or 3.

    The documents of the spine are read in order. The entries of the navigation begin sections, with
    their titles and depths; headings inside the documents are sections below them. Cover, title and
    copyright page, contents, index and notes are left out.
    """
    archive = Archive(source.data, source.path, "an EPUB")
    package = package_of(archive)
    dropped = [LeftOut("missing file", path, 0) for path in package.missing]
    for path in package.missing:
        source.on_problem(f"{source.path}: {path} is missing from the EPUB")
    reader = _Reader(archive, package, dropped)
    for item in package.spine:
        reader.add(item)
    sections = reader.builder.sections()
    if not any(section.paragraphs for section in sections):
        hint = (
            "choose a book that contains text, or run OCR, for example: ocrmypdf book.pdf out.pdf"
        )
        raise PagesumError(f"{source.path}: expected text, found an EPUB without any", hint)
    read = document(
        source.name, sections, title=package.title, source=source.path, left_out=dropped
    )
    labels = map(str, range(1, max((int(one.title) for one in package.pages), default=0) + 1))
    return [replace(read, listed=reader.listed(read.sections), page_labels=tuple(labels))]


class _Reader:
    """Collects the sections of the spine's documents.

    The navigation determines sections only if it leads to two or more places.
    """

    def __init__(self, archive: Archive, package: Package, dropped: list[LeftOut]) -> None:
        self._archive, self._dropped = archive, dropped
        self._paths = {item.path for item in package.spine}
        entries = _placed(package.entries, self._paths)
        self._entries: dict[str, list[Entry]] = {}
        for entry in entries if len({(one.path, one.fragment) for one in entries}) > 1 else []:
            self._entries.setdefault(entry.path, []).append(entry)
        self._titles = {plain(entry.title) for entry in package.entries}
        self._pages: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for one in package.pages[:MAX_ENTRIES]:
            self._pages[one.path][one.fragment] = int(one.title)
        self._styles: dict[str, str] = {}  # style sheets by their paths
        self._page = 0  # number of the page that is read; 0 before the first one
        self.builder = SectionBuilder()
        self._listed: set[tuple[str, int]] = set()
        self._depth = 0  # of the entry whose text comes next; 0 without navigation
        self._top = 0  # level of its heading in the document, 0 if it has none

    def listed(self, sections: Sequence[Section]) -> frozenset[int]:
        return frozenset(
            n for n, one in enumerate(sections) if (one.heading, one.level) in self._listed
        )

    def add(self, item: Item) -> None:
        root = self._archive.markup(item.path)
        if root is None:
            return
        body = root.find("body")
        if body is None:
            body = root
            frames = self._frames(root, item)
            if frames:
                for frame in frames:
                    self.add(frame)
                return
        is_invisible = Invisible(root, self._sheets(root, item))
        is_noted = any(one.reason == STYLES for one in self._dropped)
        if is_invisible.is_too_large and not is_noted:
            self._dropped.append(left_out(STYLES, []))
        reason_of = partial(_reason, is_invisible)
        reason = (
            _KINDS.get(item.kind, "")
            or reason_of(body)
            or ("" if item.is_linear else "outside the reading order")
        )
        if reason:
            self._drop(reason, words_in(body, is_invisible, self._dropped))
            return
        entries = self._entries.get(item.path, [])
        pages = self._pages[item.path]
        self._page = pages.get("", self._page)
        folder = posixpath.dirname(item.path)

        def is_inner(target: str) -> bool:
            path = unquote(target.partition("#")[0])
            return (
                posixpath.normpath(posixpath.join(folder, path)) in self._paths
                if path
                else "#" in target
            )

        anchors = {entry.fragment for entry in entries if entry.fragment}
        blocks = main_blocks(
            blocks_of(
                body,
                reason_of,
                self._dropped,
                is_inner=is_inner,
                anchors=anchors,
                pages=pages,
                is_hidden=is_invisible,
            ),
            self._dropped,
        )
        if self._is_contents(blocks):
            self._drop("contents", " ".join(block.text for block in blocks))
            blocks = [block for block in blocks if block.anchor]
        self._read(blocks, entries, pages)

    def _sheets(self, root: Any, item: Item) -> str:
        """The style sheets that a document names."""
        folder = posixpath.dirname(item.path)
        links = (one for one in root.iter("link") if "stylesheet" in (one.get("rel") or "").lower())
        places = (resolved(self._archive, folder, one.get("href") or "")[0] for one in links)
        return "\n".join(map(self._sheet, filter(None, dict.fromkeys(places))))

    def _sheet(self, path: str) -> str:
        if path not in self._styles:
            self._styles[path] = self._archive.read(path).decode("utf-8", "replace")
        return self._styles[path]

    def _frames(self, root: Any, item: Item) -> list[Item]:
        """The documents in the frames of one that has no text itself, unless they are read
        anyway.
        """
        folder = posixpath.dirname(item.path)
        places = (
            resolved(self._archive, folder, one.get("src") or "")[0] for one in root.iter("frame")
        )
        found = [place for place in dict.fromkeys(places) if place and place not in self._paths]
        self._paths.update(found)
        return [replace(item, path=place) for place in found]

    def _drop(self, reason: str, text: str) -> None:
        if text.strip():
            self._dropped.append(left_out(reason, [text]))

    def _is_contents(self, blocks: Sequence[Block]) -> bool:
        """Whether a document is nothing but the titles of the navigation."""
        lines = [
            block for block in blocks if plain(block.text) and not is_contents(one_line(block.text))
        ]
        known = sum(plain(block.text) in self._titles for block in lines)
        return known >= MIN_CONTENTS and known >= 0.7 * len(lines)

    def _read(
        self, blocks: Sequence[Block], entries: Sequence[Entry], pages: Mapping[str, int]
    ) -> None:
        places = {block.anchor for block in blocks if block.anchor}
        # What leads to no place in the document leads to its beginning.
        waiting = [entry for entry in entries if entry.fragment not in places]
        by_anchor: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            by_anchor[entry.fragment].append(entry)
        listed = bool(waiting)
        if not self._depth and not listed:
            self.builder.heading("", 1)  # without navigation, documents are apart at least
        is_first = True
        place = 0
        while place < len(blocks):
            block = blocks[place]
            if block.anchor:
                waiting += by_anchor.pop(block.anchor, [])
                place += 1
            elif waiting:
                place += self._begin(waiting, blocks[place : place + MAX_TITLE_BLOCKS])
                waiting, is_first = [], False
            else:
                if block.level:
                    self._heading(block, is_first)
                else:
                    self._paragraph(block, pages)
                is_first = is_first and not block.text.strip()
                place += 1
        if waiting:
            self._begin(waiting, [])

    def _paragraph(self, block: Block, pages: Mapping[str, int]) -> None:
        """Add a paragraph with the pages that it is on."""
        paragraph = paragraph_of(block.text, block.marks)
        line = paragraph.text if paragraph else ""
        starts = {0: self._page} if self._page else {}
        for offset, place in block.pages[-MAX_BREAKS:]:
            self._page = pages[place]
            starts[len(line) - len(one_line(block.text[offset:])) if starts else 0] = self._page
        if paragraph:
            self.builder.add([replace(paragraph, page_starts=tuple(starts.items()))])

    def _begin(self, entries: Sequence[Entry], blocks: Sequence[Block]) -> int:
        """Begin the sections of entries at one place; the number of blocks after it that repeat the
        titles.
        """
        *outer, entry = entries
        for one in outer:
            self._begin_section(one.title, one.depth)
        title, used = _title(entry.title, [one.title for one in outer], blocks)
        self._depth = entry.depth
        self._top = next((block.level for block in blocks[:used] if block.level), 0)
        self._begin_section(title, entry.depth)
        return used

    def _begin_section(self, title: str, depth: int) -> None:
        self.builder.heading(title, depth)
        self._listed.add((title, depth))

    def _heading(self, block: Block, is_first: bool) -> None:
        """Begin the section of a heading in a document.

        The first heading of a document that the navigation does not list is as high as its like in
        the others.
        """
        if not block.text.strip():
            return
        level = block.level
        if self._depth:
            below = level - self._top if self._top else level
            level = (
                max(1, self._depth + below)
                if is_first and self._top
                else self._depth + max(1, below)
            )
        self.builder.heading(block.text, level)


def _placed(entries: Sequence[Entry], paths: set[str]) -> list[Entry]:
    """The entries that lead to documents of the spine; one without a link leads where the next
    below it leads.
    """
    placed: list[Entry] = []
    for entry in reversed(entries):
        if entry.path not in paths:
            below = placed[-1] if placed and placed[-1].depth > entry.depth else None
            if entry.path or below is None:
                continue
            entry = replace(entry, path=below.path, fragment=below.fragment)
        placed.append(entry)
    return placed[::-1]


def _title(title: str, outer: Sequence[str], blocks: Sequence[Block]) -> tuple[str, int]:
    """The title of a chapter as printed, and the number of blocks at its beginning that belong to
    it.

    ``outer`` are titles of the parts that begin at the same place.
    """
    used, whole, label = 0, plain(title), ""
    rest = whole  # of the title, which stands in several blocks
    for number, block in enumerate(takewhile(lambda block: not block.anchor, blocks), start=1):
        text, key = one_line(block.text), plain(block.text)
        if not key:
            continue
        if key in map(plain, outer):
            used = number
        elif _begins_with(rest, key, block):
            used, rest = number, rest[len(key) :]
        elif block.level and rest == whole and rest and rest in key:
            return text, number
        elif not label and _is_label_of(title, text, block):
            used, label = number, text
        else:
            break
    return (joined_title(label, title) if label else title), used


def _begins_with(title: str, key: str, block: Block) -> bool:
    """Whether a title begins with the text of a block; a few letters are no part of one."""
    is_part = bool(block.level) or len(key) > 3 or key == title or key.isdecimal()
    return is_part and title.startswith(key)


def _is_label_of(title: str, text: str, block: Block) -> bool:
    """Whether a block is a chapter's label that its title lacks: "Chapter 3"."""
    if not block.level or division_of(title):
        return False
    division = division_of(text)
    return division is not None and not division.title


def _reason(is_invisible: Invisible, element: Any) -> str:
    roles = (element.get("role") or "").replace("doc-", "")
    kinds = {*(element.get("epub:type") or "").split(), *roles.split()}
    reason = next((_KINDS[kind] for kind in sorted(kinds) if kind in _KINDS), "")
    if reason or element.tag == "nav":
        return reason or "contents"
    if is_licence(element):
        return "licence"
    if is_invisible(element):
        return HIDDEN
    return _reason_of_classes(element, kinds)


def _reason_of_classes(element: Any, kinds: set[str]) -> str:
    classes = {*(element.get("class") or "").lower().split()}
    if kinds & _SETS["marks"] or classes & _SETS["mark_classes"] or _is_raised_link(element):
        return "mark"
    is_author = "author" in classes and element.tag in ("p", "h2", "h3", "h4")
    if is_author or classes & _SETS["front_classes"]:
        return "front matter"
    return "notes" if element.tag in _SETS["note_tags"] and is_note(element) else ""


def _is_raised_link(element: Any) -> bool:
    """Whether an element is a raised link of a few letters, as the mark of a note is."""
    if element.tag != "sup" or len(element.text_content()) > 5:
        return False
    parent = element.getparent()
    return element.find("a") is not None or (parent is not None and parent.tag == "a")
