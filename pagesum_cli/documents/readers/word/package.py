"""The parts of a Word document: which there are, and what they hold."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from ....errors import PagesumError
from ....text.cleaning import one_line
from ....text.tables import patterns, table
from ...article.building import left_out
from ...model import LeftOut
from ..archive import Archive
from .body import BodyReader
from .included import blocks_of_part
from .numbering import Numberings, W
from .paragraph import Block
from .styles import Style, styles_of

_NAMES, _FORMS = table(__file__, "word.toml"), patterns(__file__, "word.toml")
_MAIN, _CORE, _DEFAULT = "officeDocument", "core-properties", "word/document.xml"
_STRICT, _USUAL = b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.strip("{}").encode()
_STRICT_MATH = b"http://purl.oclc.org/ooxml/officeDocument/math"
_USUAL_MATH = b"http://schemas.openxmlformats.org/officeDocument/2006/math"
_STRICT_RELATIONS = b"http://purl.oclc.org/ooxml/officeDocument/relationships"
_USUAL_RELATIONS = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAX_INCLUDED = 100  # documents that are included in each other, or one after the other


class Package:
    """The parts of a Word document.

    Args:
        archive: The file.
        on_problem: Called with one line for each part that cannot be read.
        included: Counts the documents that are included, also in each other.
    """

    def __init__(
        self,
        archive: Archive,
        *,
        on_problem: Callable[[str], None] = lambda message: None,
        included: Iterator[int] | None = None,
    ) -> None:
        self._archive, self._on_problem = archive, on_problem
        self._included = included or count()
        roots = self._related("")
        mains = [
            path
            for path in (*(path for kind, path, _ in roots if kind == _MAIN), _DEFAULT)
            if path in archive
        ]
        if not mains:
            message = f"{archive.source}: expected a Word document, found another kind of archive"
            raise PagesumError(message, "check the file")
        self.main = mains[0]
        self._core = next((path for kind, path, _ in roots if kind == _CORE), "")
        self._parts = self._related(self.main)

    def blocks(self) -> Iterator[Block]:
        """The blocks of the body."""
        styles, default = self._styles()
        root = self.part(self.main)
        if root.find(f"{W}background") is not None:  # the color of the pages, if they are printed
            default = replace(default, background="")
        reader = BodyReader(styles, default, self._numberings(), self._blocks_of_part)
        return reader.blocks(root)

    def part(self, path: str) -> Any:
        """The root of a part."""
        from docx.oxml.parser import parse_xml
        from lxml.etree import XMLSyntaxError

        data = self._archive.read(path).replace(_STRICT, _USUAL)
        data = data.replace(_STRICT_MATH, _USUAL_MATH)
        data = data.replace(_STRICT_RELATIONS, _USUAL_RELATIONS)
        if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
            raise self._archive.with_entities(path)
        try:
            return parse_xml(data)
        except XMLSyntaxError as error:
            raise self._archive.damaged(f"{path}: {error}") from error

    def _related(self, path: str) -> list[tuple[str, str, str]]:
        """The kinds, paths and ids of the parts that one refers to."""
        folder, name = posixpath.split(path)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self._archive:
            return []
        return [
            (
                (one.get("Type") or "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, one.get("Target") or "")).lstrip(
                    "/"
                ),
                one.get("Id") or "",
            )
            for one in self.part(relations)
            if one.get("TargetMode") != "External"
        ]

    def _path_of(self, kind: str) -> str:
        """The path of the first part of a kind; empty if there is none."""
        paths = (path for one, path, _ in self._parts if one == kind)
        return next(filter(self._archive.__contains__, paths), "")

    def _styles(self) -> tuple[Mapping[str, Style], Style]:
        path = self._path_of("styles")
        return styles_of(self.part(path)) if path else ({}, Style())

    def _numberings(self) -> Numberings:
        path = self._path_of("numbering")
        return Numberings(self.part(path) if path else None)

    def _blocks_of_part(self, relation: str) -> Iterator[Block]:
        """The blocks of a document that is included (``w:altChunk``), whatever its format."""
        path = next((path for _, path, one in self._parts if one == relation), "")
        if path not in self._archive or next(self._included) >= MAX_INCLUDED:
            self._on_problem(f"{self._archive.source}: an included part was not read ({path})")
            return
        data = self._archive.read(path)
        if data.startswith(b"PK"):
            inner = Archive(data, f"{self._archive.source}, {path}", "a Word document")
            package = Package(inner, on_problem=self._on_problem, included=self._included)
            yield from package.blocks()
        elif (blocks := blocks_of_part(data)) is not None:
            yield from blocks
        else:
            self._on_problem(f"{self._archive.source}: an included part was not read ({path})")

    def title(self) -> str:
        """The title in the properties; empty if that is none."""
        core = self.part(self._core) if self._core in self._archive else None
        named = core.find("{*}title") if core is not None else None
        title = one_line("".join(named.itertext())) if named is not None else ""
        return "" if _FORMS["no_title"].fullmatch(title) else title

    def asides(self) -> Iterator[LeftOut]:
        """What is beside the text: notes, comments, running heads."""
        groups: dict[str, dict[str, None]] = {}
        for kind, path in dict.fromkeys((kind, path) for kind, path, _ in self._parts):
            if kind in _NAMES["asides"] and path in self._archive:
                reader = BodyReader({}, Style())
                texts = (one_line(block.text) for block in reader.blocks(self.part(path)))
                groups.setdefault(_NAMES["asides"][kind], {}).update(
                    dict.fromkeys(filter(None, texts))
                )
        yield from (left_out(reason, texts) for reason, texts in groups.items() if texts)
