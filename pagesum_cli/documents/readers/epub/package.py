"""The package of an EPUB: the files that it is made of, their order, its title and its navigation."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from ....errors import PagesumError
from ....text.cleaning import one_line
from ..archive import Archive

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
    """A document of the spine.

    Attributes:
        path: Its path in the archive.
        kind: What the guide of the package says that it is (``cover``, ``toc`` …); ``nav`` for the navigation itself.
        is_linear: Whether it belongs to the reading order.
    """

    path: str
    kind: str = ""
    is_linear: bool = True


@dataclass
class Package:
    """What the package document says.

    Attributes:
        title: Of the book.
        spine: Its documents in reading order.
        entries: Its navigation, in order.
        missing: Paths of the spine that are not in the archive.
        images: Number of images.
    """

    title: str = ""
    spine: list[Item] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    images: int = 0


def package_of(archive: Archive) -> Package:
    """Read the package of an EPUB; of several renditions the first, which is the default one."""
    source = archive.source
    if _CONTAINER not in archive:
        raise PagesumError(f"{source}: expected an EPUB, found an archive without {_CONTAINER}", "check the file")
    paths = [str(one.get("full-path") or "") for one in _all(archive.xml(_CONTAINER), "rootfile")]
    path = next((one for one in (_resolved(archive, "", raw)[0] for raw in paths) if one), "")
    if not path:
        raise archive.damaged("it has no package document")
    root = archive.xml(path)
    folder = posixpath.dirname(path)
    book = Package(next(filter(None, (one_line(_text(one)) for one in _all(root, "title"))), ""))
    items = {str(one.get("id")): one for one in _all(root, "item")}
    book.images = sum((one.get("media-type") or "").startswith("image/") for one in items.values())
    guide = {
        _resolved(archive, folder, one.get("href") or "")[0]: (one.get("type") or "").lower()
        for one in _all(root, "reference")
    }
    protected = _protected(archive)
    nav = next((one for one in items.values() if "nav" in (one.get("properties") or "").split()), None)
    nav_path = _resolved(archive, folder, nav.get("href") or "")[0] if nav is not None else ""
    seen: set[str] = set()
    for reference in [*_all(root, "itemref")][:MAX_ENTRIES]:
        item = items.get(str(reference.get("idref")))
        href = (item.get("href") or "") if item is not None else f"the item {reference.get('idref')}"
        place, _ = _resolved(archive, folder, href)
        if item is None or not place:
            book.missing.append(one_line(unquote(href)))
        elif place not in seen and _is_markup(item, place):
            if place in protected:
                raise PagesumError(
                    f"{source}: the EPUB is protected (DRM): its text is encrypted",
                    "pagesum does not remove protection; use a copy without DRM, as many shops and libraries offer",
                )
            seen.add(place)
            kind = "nav" if place == nav_path else guide.get(place, "")
            book.spine.append(Item(place, kind, reference.get("linear") != "no"))
    if nav_path:
        book.entries = [*_nav_entries(archive, nav_path)][:MAX_ENTRIES]
    spine = next(_all(root, "spine"), None)
    named = [items.get(str(spine.get("toc")))] if spine is not None else []
    found = [*named, *(one for one in items.values() if "ncx" in (one.get("media-type") or ""))]
    ncx = next((one for one in found if one is not None), None)
    if not book.entries and ncx is not None and (place := _resolved(archive, folder, ncx.get("href") or "")[0]):
        book.entries = [*_ncx_entries(archive, place)][:MAX_ENTRIES]
    return book


def _protected(archive: Archive) -> set[str]:
    if _ENCRYPTION not in archive:
        return set()
    paths = set()
    for data in _all(archive.xml(_ENCRYPTION), "EncryptedData"):
        methods = [one.get("Algorithm") for one in data if _name(one) == "EncryptionMethod"]
        if not methods or methods[0] not in _OBFUSCATED_FONTS:
            paths |= {_resolved(archive, "", one.get("URI") or "")[0] for one in _all(data, "CipherReference")}
    return paths


def _is_markup(item: Any, path: str) -> bool:
    media = (item.get("media-type") or "").lower()
    return media in _MARKUP or path.lower().endswith((".xhtml", ".html", ".htm"))


def _nav_entries(archive: Archive, path: str) -> Iterator[Entry]:
    root = archive.markup(path)
    navs = [*root.iter("nav")] if root is not None else []
    toc = next((one for one in navs if "toc" in (one.get("epub:type") or one.get("role") or "")), None)
    if toc is None and navs:
        toc = navs[0]
    for entry in toc.iter("a", "span") if toc is not None else ():
        if entry.tag == "span" and (entry.getparent().tag != "li" or entry.getparent().find("a") is not None):
            continue
        depth = sum(one.tag == "ol" for one in entry.iterancestors())
        place, fragment = _resolved(archive, posixpath.dirname(path), entry.get("href") or "")
        title = one_line(entry.text_content())
        if title:
            yield Entry(title, min(max(depth, 1), MAX_DEPTH), place, fragment)


def _ncx_entries(archive: Archive, path: str) -> Iterator[Entry]:
    for point in _all(archive.xml(path), "navPoint"):
        depth = sum(_name(one) == "navPoint" for one in point.iterancestors()) + 1
        label = next((one for one in point if _name(one) == "navLabel"), None)
        content = next((one for one in point if _name(one) == "content"), None)
        title = one_line(_text(label)) if label is not None else ""
        src = (content.get("src") or "") if content is not None else ""
        place, fragment = _resolved(archive, posixpath.dirname(path), src)
        if title:
            yield Entry(title, min(depth, MAX_DEPTH), place, fragment)


def _resolved(archive: Archive, folder: str, href: str) -> tuple[str, str]:
    """The path in the archive that a reference leads to, empty where there is no such file, and its fragment."""
    path, _, fragment = href.strip().partition("#")
    for one in (unquote(path), path):
        place = posixpath.normpath(posixpath.join(folder, one)) if one else ""
        if place and place in archive:
            return place, unquote(fragment)
    return "", unquote(fragment)


def _all(root: Any, name: str) -> Iterator[Any]:
    return (one for one in root.iter() if _name(one) == name)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: Any) -> str:
    return "".join(element.itertext())
