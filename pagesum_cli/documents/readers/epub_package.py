"""The package of an EPUB: its files in reading order, its title and its navigation."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any
from urllib.parse import unquote

from ...errors import PagesumError
from ...text.cleaning import one_line
from .archive import Archive

MAX_ENTRIES = 20_000  # entries of the navigation, and documents of the spine, that are read
MAX_DEPTH = 6  # maximum depth of the navigation; deeper entries have this level
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_MARKUP = ("application/xhtml+xml", "text/html", "text/x-oeb1-document", "application/x-dtbook+xml")


@dataclass(frozen=True)
class Entry:
    """An entry of the navigation: its title, its depth from 1, and where it leads."""

    title: str
    depth: int
    path: str
    fragment: str


@dataclass(frozen=True)
class Item:
    """A document of the spine."""

    path: str  # its path in the archive
    # what the guide of the package says that it is (``cover``, ``toc`` …), or ``nav``
    kind: str = ""
    is_linear: bool = True  # whether it belongs to the reading order


@dataclass
class Package:
    """What the package document says."""

    title: str = ""  # of the book
    spine: list[Item] = field(default_factory=list)  # its documents in reading order
    entries: list[Entry] = field(default_factory=list)  # its navigation, in order
    # where the pages of the printed book begin; titles are numbers
    pages: list[Entry] = field(default_factory=list)
    # paths of the spine that are not in the archive
    missing: list[str] = field(default_factory=list)


def package_of(archive: Archive) -> Package:
    """Read the package of an EPUB; of several renditions the first, which is the default one."""
    path = _package_path(archive)
    opened = _PackageDocument(archive, posixpath.dirname(path), archive.xml(path))
    titles = (one_line("".join(title.itertext())) for title in _all(opened.root, "title"))
    nav_path = opened.nav_path()
    book = Package(next(filter(None, titles), ""))
    _add_spine(opened, nav_path, book)
    _add_navigation(opened, nav_path, book)
    book.pages = [entry for entry in book.pages if _is_page_number(entry.title)]
    return book


def _package_path(archive: Archive) -> str:
    if _CONTAINER not in archive:
        raise PagesumError(
            f"{archive.source}: expected an EPUB, found an archive without {_CONTAINER}",
            "check the file",
        )
    for rootfile in _all(archive.xml(_CONTAINER), "rootfile"):
        path, _ = resolved(archive, "", str(rootfile.get("full-path") or ""))
        if path:
            return path
    raise archive.damaged("it has no package document")


@dataclass(frozen=True)
class _PackageDocument:
    """The XML of a package document, and the folder that its addresses are relative to."""

    archive: Archive
    folder: str
    root: Any

    @cached_property
    def items(self) -> dict[str, Any]:
        """The elements of the manifest by their id."""
        return {str(item.get("id")): item for item in _all(self.root, "item")}

    def path_of(self, element: Any) -> str:
        """Where an element leads, as a path in the archive; empty if there is no such file."""
        return resolved(self.archive, self.folder, element.get("href") or "")[0]

    def nav_path(self) -> str:
        """The path of the navigation document of EPUB 3; empty if there is none."""
        for item in self.items.values():
            if "nav" in (item.get("properties") or "").split():
                return self.path_of(item)
        return ""

    def ncx_path(self) -> str:
        """The path of the navigation file of EPUB 2; empty if there is none."""
        named = [self.items.get(str(spine.get("toc"))) for spine in _all(self.root, "spine")][:1]
        by_type = [one for one in self.items.values() if "ncx" in (one.get("media-type") or "")]
        ncx = next((item for item in [*named, *by_type] if item is not None), None)
        return self.path_of(ncx) if ncx is not None else ""


def _add_spine(opened: _PackageDocument, nav_path: str, book: Package) -> None:
    archive = opened.archive
    guide = {
        opened.path_of(reference): (reference.get("type") or "").lower()
        for reference in _all(opened.root, "reference")
    }
    protected = _protected(archive)
    seen: set[str] = set()
    for reference in islice(_all(opened.root, "itemref"), MAX_ENTRIES):
        item = opened.items.get(str(reference.get("idref")))
        path = opened.path_of(item) if item is not None else ""
        if item is None or not path:
            unknown = f"the item {reference.get('idref')}"
            href = unknown if item is None else item.get("href") or ""
            book.missing.append(one_line(unquote(href)))
        elif path not in seen and _is_markup(item, path):
            if path in protected:
                raise PagesumError(
                    f"{archive.source}: the EPUB is protected (DRM): its text is encrypted",
                    "pagesum does not remove protection; use a copy without DRM, as many shops "
                    "and libraries offer",
                )
            seen.add(path)
            kind = "nav" if path == nav_path else guide.get(path, "")
            book.spine.append(Item(path, kind, reference.get("linear") != "no"))


def _add_navigation(opened: _PackageDocument, nav_path: str, book: Package) -> None:
    """Entries and pages of EPUB 3, and those of EPUB 2 for what it lacks."""
    archive = opened.archive
    if nav_path:
        book.entries = [*islice(_nav_entries(archive, nav_path, "toc"), MAX_ENTRIES)]
        book.pages = [*_nav_entries(archive, nav_path, "page-list")]
    ncx_path = opened.ncx_path()
    if ncx_path:
        points = _ncx_entries(archive, ncx_path, "navPoint")
        book.entries = book.entries or [*islice(points, MAX_ENTRIES)]
        book.pages = book.pages or [*_ncx_entries(archive, ncx_path, "pageTarget")]


def _is_page_number(title: str) -> bool:
    return title.isdecimal() and 0 < int(title[:9]) <= MAX_ENTRIES


def _protected(archive: Archive) -> set[str]:
    if _ENCRYPTION not in archive:
        return set()
    paths = set()
    for data in _all(archive.xml(_ENCRYPTION), "EncryptedData"):
        method = data.find("{*}EncryptionMethod")
        if method is None or method.get("Algorithm") not in _OBFUSCATED_FONTS:
            paths |= {
                resolved(archive, "", one.get("URI") or "")[0]
                for one in _all(data, "CipherReference")
            }
    return paths


def _is_markup(item: Any, path: str) -> bool:
    media = (item.get("media-type") or "").lower()
    return media in _MARKUP or path.lower().endswith((".xhtml", ".html", ".htm"))


def _nav_entries(archive: Archive, path: str, kind: str) -> Iterator[Entry]:
    root = archive.markup(path)
    navs = [*root.iter("nav")] if root is not None else []
    toc = next(
        (one for one in navs if kind in (one.get("epub:type") or one.get("role") or "")), None
    )
    if toc is None and navs and kind == "toc":
        toc = navs[0]
    for entry in toc.iter("a", "span") if toc is not None else ():
        if entry.tag == "span" and not _is_entry_without_link(entry):
            continue
        depth = sum(1 for _ in entry.iterancestors("ol"))
        place, fragment = resolved(archive, posixpath.dirname(path), entry.get("href") or "")
        title = one_line(entry.text_content())
        if title:
            yield Entry(title, min(max(depth, 1), MAX_DEPTH), place, fragment)


def _is_entry_without_link(span: Any) -> bool:
    parent = span.getparent()
    return parent.tag == "li" and parent.find("a") is None


def _ncx_entries(archive: Archive, path: str, kind: str) -> Iterator[Entry]:
    for point in _all(archive.xml(path), kind):
        depth = sum(1 for _ in point.iterancestors("{*}navPoint")) + 1
        title = one_line("".join(point.xpath("*[local-name() = 'navLabel'][1]//text()")))
        sources = point.xpath("*[local-name() = 'content'][1]/@src")
        place, fragment = resolved(archive, posixpath.dirname(path), "".join(sources))
        if title:
            yield Entry(title, min(depth, MAX_DEPTH), place, fragment)


def resolved(archive: Archive, folder: str, href: str) -> tuple[str, str]:
    """The path in the archive that a reference leads to, empty where there is no such file, and its
    fragment.
    """
    path, _, fragment = href.strip().partition("#")
    for one in (unquote(path), path):
        place = posixpath.normpath(posixpath.join(folder, one)) if one else ""
        if place and place in archive:
            return place, unquote(fragment)
    return "", unquote(fragment)


def _all(root: Any, name: str) -> Iterator[Any]:
    return root.iter(f"{{*}}{name}")  # in any namespace
