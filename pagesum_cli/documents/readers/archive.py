"""Zip archives that hold documents: EPUB, DOCX, ODT, FB2; and the XML in them."""

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from ...errors import PagesumError
from ...files import UNPACKED_LIMIT, UNPACKED_RATIO
from ...text.cleaning import clean, one_line
from .encodings import decode
from .html import parsed

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    ValueError,
    OSError,
)
_XML_START = re.compile(r"\A\s*<\?xml[^>]{0,200}\?>")
_XML_ENCODING = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w-]{2,40})"
)
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)"
    r"([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)/>"
)


def xml_text(data: bytes, name: str) -> str:
    """The text of an XML file in the encoding that it declares, without the declaration."""
    declared = _XML_ENCODING.match(data)
    text = decode(data, name, declared[1].decode("ascii") if declared else "")
    return _XML_START.sub("", clean(text))


def has_entities(text: str) -> bool:
    """Whether XML defines entities, which are never expanded."""
    return "<!ENTITY" in text


def xml_root(text: str) -> tuple[Any, str]:
    """The root of XML, None if there is none; and the mistake after which parts may be lost, empty
    if there is none. Nothing outside of the text is loaded.
    """
    from lxml import etree

    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        return None, str(error)
    mistakes = parser.error_log.filter_from_fatals()
    return root, mistakes[0].message if mistakes else ""


class Archive:
    """The files of a document that is a zip archive (``kind``: ``an EPUB`` …), unpacked in memory
    up to a limit.
    """

    def __init__(self, data: bytes, source: str, kind: str) -> None:
        self.source, self._kind = source, kind
        self._left = self._limit = max(UNPACKED_LIMIT, UNPACKED_RATIO * len(data))
        if not data.startswith(b"PK"):
            message = f"{source}: expected {kind}, found something else"
            raise PagesumError(message, "check the file; it may be a saved web page")
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._infos = {info.filename: info for info in self._zip.infolist()}
        except _DAMAGE as error:
            raise self.damaged(error) from error

    def damaged(self, why: object) -> PagesumError:
        """The error for a file that is damaged."""
        reason = one_line(str(why))[:120]
        return PagesumError(
            f"{self.source}: expected {self._kind}, "
            f"found a file that is damaged or cut off ({reason})",
            "download it again",
        )

    def with_entities(self, path: str) -> PagesumError:
        """The error for a file that defines entities, which are never expanded."""
        return PagesumError(
            f"{self.source}: {path} defines XML entities", "save it again without them"
        )

    def __contains__(self, path: str) -> bool:
        return path in self._infos

    def __iter__(self) -> Iterator[str]:
        """The paths of the files."""
        return iter(self._infos)

    def read(self, path: str) -> bytes:
        """The content of a file."""
        info = self._infos[path]
        if info.flag_bits & 1:
            message = f"{self.source}: {self._kind} is an archive with a password"
            raise PagesumError(message, "unpack it and pack it again")
        try:
            with self._zip.open(info) as file:
                data = file.read(self._left + 1)
        except _DAMAGE as error:
            raise self.damaged(error) from error
        self._left -= len(data)
        if self._left < 0:
            message = (
                f"{self.source}: {self._kind} unpacks to more than {self._limit >> 20} MB of text"
            )
            raise PagesumError(message, "check where it is from")
        return data

    def text(self, path: str) -> str:
        """The text of a file, without its XML declaration."""
        return xml_text(self.read(path), f"{self.source}, {path}")

    def xml(self, path: str, *, is_mended: bool = True) -> Any:
        """The root of an XML file, its mistakes mended or else an error; no entity is expanded."""
        text = self.text(path)
        if has_entities(text):
            raise self.with_entities(path)
        root, mistake = xml_root(text)
        if root is None or (mistake and not is_mended):
            raise self.damaged(f"{path}: {mistake or 'no XML'}")
        return root

    def markup(self, path: str) -> Any:
        """The root of an XHTML file; None where there is none."""
        return parsed(_SELF_CLOSED.sub(r"<\1\2></\1>", self.text(path)))
