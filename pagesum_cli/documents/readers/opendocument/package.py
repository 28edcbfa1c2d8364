"""The parts of an OpenDocument text: in an archive, or all in one XML file (``.fodt``)."""

import posixpath
from collections.abc import Iterator
from typing import Any

from ....errors import PagesumError
from ....text.cleaning import one_line
from ....text.tables import patterns
from ...article.authors import names_in
from ...article.building import left_out
from ...input import Input
from ...model import LeftOut
from ..archive import Archive, has_entities, xml_root, xml_text
from ..mathml import formula_text
from ..word.paragraph import Block
from .body import BodyReader
from .markup import full, name_of, value_of
from .styles import Styles

_FORMS = patterns(__file__, "opendocument.toml")
_KIND = "an OpenDocument text"
_CONTENT, _STYLES, _META, _MANIFEST = (
    "content.xml",
    "styles.xml",
    "meta.xml",
    "META-INF/manifest.xml",
)
_SEARCHED = 4096  # bytes at the beginning of a file in which its first element is looked for
_KINDS = {"spreadsheet": "a spreadsheet", "presentation": "slides", "drawing": "a drawing"}


class Package:
    """The parts of an OpenDocument text."""

    def __init__(self, source: Input) -> None:
        self._source = source
        is_flat = b"office:document" in source.data[:_SEARCHED] and source.data[:2] != b"PK"
        self._archive = None if is_flat else Archive(source.data, source.path, _KIND)
        self._content = self._flat() if self._archive is None else self._part(_CONTENT)
        self._common = self._content if is_flat else self._part(_STYLES)

    def _flat(self) -> Any:
        """The root of a document that is all in one file."""
        source = self._source
        text = xml_text(source.data, source.path)
        if has_entities(text):
            raise PagesumError(f"{source.path}: it defines XML entities", "save it without them")
        root, mistake = xml_root(text)
        if mistake:
            raise self._damaged(mistake)
        return root

    def _damaged(self, why: str) -> PagesumError:
        reason = one_line(why)[:120]
        message = f"{self._source.path}: expected {_KIND}, found a damaged one ({reason})"
        return PagesumError(message, "download it again")

    def _part(self, path: str) -> Any:
        """The root of a part; None if there is none."""
        archive = self._archive
        if archive is None or path not in archive:
            return None
        if path == _CONTENT and _is_encrypted(archive):
            raise self._encrypted()
        return archive.xml(path, is_mended=path == _META)

    def _encrypted(self) -> PagesumError:
        message = f"{self._source.path}: expected {_KIND}, found one with a password"
        return PagesumError(message, "open it and save it without a password")

    def blocks(self) -> Iterator[Block]:
        """The blocks of the body."""
        body = _child(self._content, "office:body")
        text = _child(body, "office:text")
        if text is None:
            raise self._without_text(body)
        roots = [_child(self._content, "office:automatic-styles"), *self._common_styles()]
        return BodyReader(_styles(roots), self._formula).blocks(text)

    def _common_styles(self) -> list[Any]:
        return [_child(self._common, "office:styles")]

    def _without_text(self, body: Any) -> PagesumError:
        archive = self._archive
        if archive is not None and (_is_encrypted(archive) or "encrypted-package" in archive):
            return self._encrypted()
        names = (name_of(one).partition(":")[2] for one in (body if body is not None else ()))
        found = next(filter(None, map(_KINDS.get, names)), "another kind of file")
        return PagesumError(
            f"{self._source.path}: expected {_KIND}, found {found}", "check the file"
        )

    def _formula(self, element: Any) -> str | None:
        """The text of an embedded object that is a formula; None for others."""
        if len(element):  # of a document in one file
            root = element[0]
        else:
            path = posixpath.normpath(value_of(element, "xlink:href") or "-")
            part = posixpath.join(path, _CONTENT)
            root = self._part(part)
        is_formula = root is not None and name_of(root) == "math:math"
        return formula_text(root) if is_formula else None

    def title(self) -> str:
        """The title in the properties; empty if that is none."""
        title = self._property("dc:title")
        return "" if _FORMS["no_title"].fullmatch(title) else title

    def authors(self) -> tuple[str, ...]:
        """The author in the properties: a name of two words, and none of an account."""
        author = self._property("meta:initial-creator") or self._property("dc:creator")
        return tuple(name for name in names_in(author) if " " in name)

    def _property(self, name: str) -> str:
        root = self._content if self._archive is None else self._part(_META)
        found = _child(_child(root, "office:meta"), name)
        return one_line("".join(found.itertext())) if found is not None else ""

    def asides(self) -> Iterator[LeftOut]:
        """The running heads and feet."""
        masters = _child(self._common, "office:master-styles")
        roots = [_child(self._common, "office:automatic-styles"), *self._common_styles()]
        reader = BodyReader(_styles(roots), self._formula)
        pages = masters.iterchildren(full("style:master-page")) if masters is not None else ()
        texts = [one_line(block.text) for page in pages for block in reader.blocks(page)]
        if unique := list(dict.fromkeys(filter(None, texts))):
            yield left_out("running head", unique)


def _styles(roots: list[Any]) -> Styles:
    return Styles([root for root in roots if root is not None])


def _child(element: Any, name: str) -> Any:
    return element.find(full(name)) if element is not None else None


def _is_encrypted(archive: Archive) -> bool:
    """Whether the parts of an archive are encrypted."""
    return _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST)
