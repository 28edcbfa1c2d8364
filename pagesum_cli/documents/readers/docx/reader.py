"""Word documents (DOCX) → Document, the markup by python-docx.

python-docx's own way of opening a file reads every part of it, refuses templates, documents with macros and files in
which a picture is missing, and takes quadratic time for many parts: only the parts that hold text are given to it.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ....errors import PagesumError
from ....text.cleaning import one_line
from ...article.article import parts_of_article
from ...article.building import SectionBuilder, document, left_out
from ...article.divisions import plain
from ...article.wording import CAPTION, is_prose, may_be_heading
from ...input import Input
from ...model import Document, LeftOut
from ..archive import Archive
from .text import Block, BodyReader, Style, styles_of

_MAIN, _CORE, _DEFAULT = "officeDocument", "core-properties", "word/document.xml"
_ASIDES = {
    "footnotes": "footnote",
    "endnotes": "footnote",
    "comments": "comment",
    "header": "running head",
    "footer": "running head",
}
"""Parts beside the text by the last word of their relationship's type, and the reason why they are left out."""

_STRICT, _USUAL = (
    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
)
_STYLES_LEFT_OUT = re.compile(r"(toc (?:\d|heading)|table of figures|caption|(?:foot|end)note text|bibliography)\b")
_REASONS = {"caption": "caption", "footnote text": "footnote", "endnote text": "footnote", "bibliography": "references"}
_NO_TITLE = re.compile(
    r"\A(?:(?:microsoft )?word\b.*|untitled.*|document\d*|.{0,200}\.(?:docx?|rtf|odt)|\W*)", re.IGNORECASE
)

HEADING_WORDS = 40  # words of a paragraph above which it is no heading, whatever its style
HEADINGS_SHARE = 0.3  # share of all words above which short paragraphs in bold or large type are no headings
MAX_SIZES = 6  # levels of headings that are recognized by their size


def read(source: Input) -> list[Document]:
    """The one document of a Word document."""
    return [docx_document(source.data, source.name, source.path)]


def docx_document(data: bytes, name: str, source: str) -> Document:
    """DOCX → Document.

    Headings are the paragraphs with an outline level, by their style or their own; without any, those in bold or large
    type. Insertions are read, deletions are not. Left out are tables (but not those for layout), captions, notes,
    comments, headers and footers, the table of contents and the bibliography.
    """
    package = _Package(Archive(data, source, "Word document"))
    styles, default = package.styles()
    body = package.part(package.main)
    blocks = list(BodyReader(styles, default).blocks(body))
    asides = [*package.asides()]
    if all(block.reason for block in blocks):  # nothing but tables or text boxes, as in a form
        for block in blocks:
            block.reason = "" if block.reason in ("table", "text box") else block.reason
    title, blocks = _with_headings(blocks, package.title())
    groups: dict[str, list[str]] = {}
    builder = SectionBuilder()
    for block in blocks:
        if block.reason:
            groups.setdefault(block.reason, []).append(one_line(block.text))
        elif block.style.level:
            builder.heading(block.text, block.style.level, "style" if block.is_guess else "outline")
        else:
            builder.paragraph(block.text)
    dropped = [left_out(reason, texts) for reason, texts in groups.items()] + asides
    title, sections = parts_of_article(builder.sections(), dropped, title)
    return document(name, sections, title=title or package.title(), source=source, left_out=dropped)


class _Package:
    """The parts of a Word document."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        roots = self._related("")
        mains = [path for path in (*(path for kind, path in roots if kind == _MAIN), _DEFAULT) if path in archive]
        if not mains:
            raise PagesumError(
                f"{archive.source}: expected a Word document, found another kind of archive", "check the file"
            )
        self.main = mains[0]
        self._core = next((path for kind, path in roots if kind == _CORE), "")
        self._parts = self._related(self.main)

    def part(self, path: str) -> Any:
        """The root of a part."""
        from docx.oxml.parser import parse_xml
        from lxml.etree import XMLSyntaxError

        data = self._archive.read(path).replace(_STRICT, _USUAL)
        if b"<!DOCTYPE" in data[:4096] or b"<!ENTITY" in data:
            raise self._archive.with_entities(path)
        try:
            return parse_xml(data)
        except XMLSyntaxError as error:
            raise self._archive.damaged(f"{path}: {error}") from error

    def _related(self, path: str) -> list[tuple[str, str]]:
        folder, name = posixpath.split(path)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        if relations not in self._archive:
            return []
        return [
            (
                (one.get("Type") or "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, one.get("Target") or "")).lstrip("/"),
            )
            for one in self.part(relations)
            if one.get("TargetMode") != "External"
        ]

    def styles(self) -> tuple[Mapping[str, Style], Style]:
        from docx.oxml.styles import CT_Styles

        path = next((path for kind, path in self._parts if kind == "styles" and path in self._archive), "")
        root = self.part(path) if path else None
        return styles_of(root) if isinstance(root, CT_Styles) else ({}, Style())

    def title(self) -> str:
        from docx.oxml.coreprops import CT_CoreProperties

        core = self.part(self._core) if self._core in self._archive else None
        title = one_line(core.title_text) if isinstance(core, CT_CoreProperties) else ""
        return "" if _NO_TITLE.fullmatch(title) else title

    def asides(self) -> Iterator[LeftOut]:
        groups: dict[str, dict[str, None]] = {}
        for kind, path in dict.fromkeys(self._parts):
            if kind in _ASIDES and path in self._archive:
                reader = BodyReader({}, Style())
                texts = (one_line(block.text) for block in reader.blocks(self.part(path)))
                groups.setdefault(_ASIDES[kind], {}).update(dict.fromkeys(filter(None, texts)))
        yield from (left_out(reason, texts) for reason, texts in groups.items() if texts)


def _with_headings(blocks: Sequence[Block], known: str) -> tuple[str, list[Block]]:
    """The title (``known``: that of the properties), and the blocks with the reasons and levels that they have."""
    for block in blocks:
        style = block.style
        if match := _STYLES_LEFT_OUT.match(style.name):
            block.reason = block.reason or _REASONS.get(match[1], "contents")
        elif style.level and _words([block]) > HEADING_WORDS:
            block.style = replace(style, level=0)
        elif not style.level and _is_caption(one_line(block.text[:300])):
            block.reason = block.reason or "caption"
    text = [block for block in blocks if not block.reason]
    first = [*takewhile(lambda block: not block.style.level, text[:10])]
    for block in first:
        if block.style.name == "title" or (known and plain(block.text) == plain(known)):
            block.reason = "title"
        elif block.style.name == "subtitle":
            block.reason = "front matter"
    text = [block for block in text if not block.reason]
    if not any(block.style.level for block in text):
        guessed = _guessed(text)
        is_alone = all(one.style.level > guessed[0].style.level for one in guessed[1:])
        if guessed and guessed[0] is text[0] and is_alone and not any(one.reason == "title" for one in first):
            text[0].reason = "title"
            for block in guessed[1:]:
                block.style = replace(block.style, level=block.style.level - 1)
    title = " ".join(one_line(block.text) for block in blocks if block.reason == "title")
    return title, [block for block in blocks if block.reason != "title"]


def _is_caption(text: str) -> bool:
    """Whether a paragraph is a caption, and no sentence such as "Table 1 shows …"."""
    match = CAPTION.match(text)
    return match is not None and (match[0].rstrip()[-1] in ".:|–—" or not is_prose(text))


def _guessed(blocks: Sequence[Block]) -> list[Block]:
    """Make headings of short paragraphs in bold or large type, where two or more stand before ordinary text."""
    letters: Counter[tuple[int, bool]] = Counter()
    for block in blocks:
        letters[_look(block)] += len(block.text)
    size, bold = letters.most_common(1)[0][0] if letters else (0, False)
    found = [
        block
        for block in blocks[:-1]
        if (block.style.size > 1.1 * size or (block.style.size >= size and block.style.bold and not bold))
        and may_be_heading(one_line(block.text))
        and not one_line(block.text).endswith(".")
    ]
    if len(found) < 2 or _words(found) > HEADINGS_SHARE * _words(blocks):
        return []
    used = sorted(set(map(_look, found)), reverse=True)
    for block in found:
        level = min(used.index(_look(block)) + 1, MAX_SIZES)
        block.style, block.is_guess = replace(block.style, level=level), True
    return found


def _look(block: Block) -> tuple[int, bool]:
    return block.style.size, block.style.bold


def _words(blocks: Sequence[Block]) -> int:
    return sum(len(block.text.split()) for block in blocks)
