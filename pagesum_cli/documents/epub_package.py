"""The package of an EPUB: the files that it is made of, their order, its title and its navigation."""

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import unquote

from ..errors import PagesumError
from ..files import UNPACKED_LIMIT, UNPACKED_RATIO
from ..text.cleaning import clean, one_line
from .encodings import decode
from .html import parsed

MAX_ENTRIES = 20_000
"""Entries of the navigation, and documents of the spine, that are read."""

MAX_DEPTH = 6
"""Maximum depth of the navigation; deeper entries have this level."""

_CONTAINER, _ENCRYPTION, _RIGHTS = "META-INF/container.xml", "META-INF/encryption.xml", "META-INF/rights.xml"
_OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_XML_START = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_XML_ENCODING = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w-]{2,40})")
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>"
)
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


class Archive:
    """The files of an EPUB, unpacked in memory up to a limit.

    Args:
        data: The EPUB.
        source: Its path, for errors.

    Raises:
        PagesumError: It is no archive.
    """

    def __init__(self, data: bytes, source: str) -> None:
        self.source = source
        self._left = self._limit = max(UNPACKED_LIMIT, UNPACKED_RATIO * len(data))
        if not data.startswith(b"PK"):
            raise PagesumError(
                f"{source}: expected an EPUB, found something else", "check the file; it may be a saved web page"
            )
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._infos = {info.filename: info for info in self._zip.infolist()}
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise self.damaged(error) from error

    def damaged(self, why: object) -> PagesumError:
        """The error for a file that is damaged."""
        reason = one_line(str(why))[:120]
        return PagesumError(f"{self.source}: the EPUB is damaged or cut off ({reason})", "download it again")

    def __contains__(self, path: str) -> bool:
        return path in self._infos

    def read(self, path: str) -> bytes:
        """The content of a file.

        Raises:
            PagesumError: It is damaged or encrypted, or the archive unpacks to too much.
        """
        info = self._infos[path]
        if info.flag_bits & 1:
            raise PagesumError(f"{self.source}: the EPUB is an archive with a password", "unpack it and pack it again")
        try:
            with self._zip.open(info) as file:
                data = file.read(self._left + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise self.damaged(error) from error
        self._left -= len(data)
        if self._left < 0:
            raise PagesumError(
                f"{self.source}: the EPUB unpacks to more than {self._limit >> 20} MB of text", "check where it is from"
            )
        return data

    def text(self, path: str) -> str:
        """The text of a file, without its XML declaration."""
        data = self.read(path)
        declared = _XML_ENCODING.match(data)
        text = decode(data, f"{self.source}, {path}", declared[1].decode("ascii") if declared else "")
        return _XML_START.sub("", clean(text))

    def xml(self, path: str) -> Any:
        """The root of an XML file, its mistakes mended; nothing outside it is loaded and no entity is expanded.

        Raises:
            PagesumError: There is no root, or it defines entities.
        """
        from lxml import etree

        text = self.text(path)
        if "<!ENTITY" in text:
            raise PagesumError(f"{self.source}: {path} defines XML entities", "pack the book without them")
        parser = etree.XMLParser(
            encoding="utf-8",
            recover=True,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
        )
        try:
            root = etree.fromstring(text.encode("utf-8"), parser)
        except etree.XMLSyntaxError as error:
            raise self.damaged(f"{path}: {error}") from error
        if root is None:
            raise self.damaged(f"{path} is no XML")
        return root

    def markup(self, path: str) -> Any:
        """The root of an XHTML file; None where there is none."""
        return parsed(_SELF_CLOSED.sub(r"<\1\2></\1>", self.text(path)))


def package_of(archive: Archive) -> Package:
    """Read the package of an EPUB; of several renditions the first, which is the default one.

    Raises:
        PagesumError: There is none, or it is protected.
    """
    source = archive.source
    if _CONTAINER not in archive:
        raise PagesumError(f"{source}: expected an EPUB, found an archive without {_CONTAINER}", "check the file")
    paths = [str(one.get("full-path") or "") for one in _all(archive.xml(_CONTAINER), "rootfile")]
    path = next((one for raw in paths for one in (raw, unquote(raw)) if one in archive), "")
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
            if place in protected or _RIGHTS in archive:
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
    ncx = items.get(str(spine.get("toc"))) if spine is not None else None
    ncx = (
        ncx
        if ncx is not None
        else next((one for one in items.values() if "ncx" in (one.get("media-type") or "")), None)
    )
    if not book.entries and ncx is not None and (place := _resolved(archive, folder, ncx.get("href") or "")[0]):
        book.entries = [*_ncx_entries(archive, place)][:MAX_ENTRIES]
    return book


def _protected(archive: Archive) -> set[str]:
    """Paths of the files that are encrypted, other than fonts whose data are only obfuscated."""
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
    """The entries of an EPUB 3's table of contents."""
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
    """The entries of an EPUB 2's navigation."""
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
    for one in dict.fromkeys((unquote(path), path, path.encode("utf-8", "ignore").decode("utf-8"))):
        place = posixpath.normpath(posixpath.join(folder, one)) if one else ""
        if place and place in archive:
            return place, unquote(fragment)
    return "", unquote(fragment)


def _all(root: Any, name: str) -> Iterator[Any]:
    """The elements of a name, in whatever namespace."""
    return (one for one in root.iter() if _name(one) == name)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: Any) -> str:
    return "".join(element.itertext())
