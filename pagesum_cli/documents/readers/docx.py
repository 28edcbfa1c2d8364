"""Word documents (DOCX) → Document, the markup by python-docx."""

import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from ...errors import PagesumError
from ...text.cleaning import one_line
from ...text.tables import patterns, table
from ..article.article import parts_of_article
from ..article.building import SectionBuilder, document, left_out
from ..article.divisions import plain
from ..article.wording import CAPTION, is_prose, may_be_heading
from ..input import Input
from ..lists import integer
from ..marked import NO_MARKS, Marks
from ..model import Document, LeftOut
from .archive import Archive
from .numbering import Numberings, NumberOf, W, is_on, value_of

_NO_OUTLINE = 9  # the outline level of body text


@dataclass(frozen=True)
class Style:
    """How paragraphs look."""

    name: str = ""  # in lower case; the built-in ones have English names in any language
    level: int = 0  # of a heading, from 1; 0 for text
    bold: bool = False  # whether the text is bold
    size: int = 0  # in half points; 0 if not given
    key: str = ""  # the id of the style
    number: NumberOf | None = None  # of a list

    def with_properties(self, element: Any) -> "Style":
        """The style changed by the properties (``w:pPr``, ``w:rPr``) of an element."""
        level, bold, size = self.level, self.bold, self.size
        properties = element.find(f"{W}pPr")
        outline = value_of(properties, "outlineLvl")
        if outline.isdecimal():
            level = int(outline) + 1 if int(outline) < _NO_OUTLINE else 0
        runs = element.find(f"{W}rPr")
        if runs is not None:
            bold = is_on(runs, "b", default=bold)
            points = value_of(runs, "sz")
            size = int(points) if points.isdecimal() and len(points) < 5 else size
        return replace(self, level=level, bold=bold, size=size, number=self._number(properties))

    def _number(self, properties: Any) -> NumberOf | None:
        """The numbering and the level that properties give; a level of -1 is that of the style."""
        own = properties.find(f"{W}numPr") if properties is not None else None
        if own is None:
            return self.number
        inherited, level = self.number or ("", -1)
        number = value_of(own, "numId") or inherited
        return (number, integer(value_of(own, "ilvl"), level)) if number not in ("", "0") else None


def styles_of(root: Any) -> tuple[Mapping[str, Style], Style]:
    """The paragraph styles by their ids, with what they inherit, and the default one."""
    elements = {one.styleId: one for one in root.style_lst if one.styleId}
    defaults = root.find(f"{W}docDefaults/{W}rPrDefault")
    base = Style() if defaults is None else Style().with_properties(defaults)
    styles: dict[str, Style] = {}
    for name in elements:
        chain: dict[str, None] = {}
        one: str = name
        # some are based on each other in a circle
        while one in elements and one not in styles and one not in chain:
            chain[one] = None
            one = elements[one].basedOn_val or ""
        style = styles.get(one, base)
        for key in reversed(chain):
            called = (elements[key].name_val or key).lower()
            heading = _FORMS["heading"].match(called)
            level = int(heading[1]) if heading else style.level
            style = replace(style, name=called, level=level, key=key).with_properties(elements[key])
            if called in ("title", "subtitle", "toc heading"):
                style = replace(style, level=0)
            styles[key] = style
    defaults = (
        key
        for key, one in elements.items()
        if one.get(f"{W}type") == "paragraph" and one.get(f"{W}default") in ("1", "true", "on")
    )
    return styles, styles.get(next(defaults, ""), base)


_NAMES, _FORMS = table(__file__, "docx.toml"), patterns(__file__, "docx.toml")
_SKIPPED = frozenset(_NAMES["skipped"])

# share of a table's words in prose from which on it is no table, but text laid out in cells
LAYOUT_SHARE = 0.5


@dataclass(slots=True)
class Block:
    """A paragraph or a heading."""

    text: str  # its words, with line ends
    style: Style  # its style, its own properties included; bold and size are those of most letters
    reason: str = ""  # why it is no text; empty for text
    is_guess: bool = False  # whether it is a heading by its looks only
    marks: Marks = NO_MARKS


@dataclass(slots=True)
class _Field:
    """A field: its code up to ``separate``, then its result."""

    code: str = ""
    is_result: bool = False

    @property
    def reason(self) -> str:
        words = " ".join(self.code.upper().split())
        return next(
            (reason for start, reason in _NAMES["fields"].items() if words.startswith(start)), ""
        )


@dataclass
class _Text:
    """A paragraph under construction: its text, and the number of letters of each look (bold,
    size).
    """

    reason: str
    parts: list[str] = field(default_factory=list)
    looks: Counter[tuple[bool, int]] = field(default_factory=Counter)
    boxes: list[Any] = field(default_factory=list)
    length: int = 0
    head: int = 0  # the end of its bold beginning
    breaks: list[int] = field(default_factory=list)

    def look(self, style: Style) -> tuple[bool, int]:
        """Whether it is bold, and its size: what most letters are."""
        sizes: Counter[int] = Counter()
        for (_, size), letters in self.looks.items():
            sizes[size] += letters
        bold = sum(letters for (is_bold, _), letters in self.looks.items() if is_bold)
        size = sizes.most_common(1)[0][0] if sizes else style.size
        return bold > 0.9 * sizes.total(), size

    def add(self, words: str, style: Style) -> None:
        """Add words of one look."""
        self.parts.append(words)
        self.looks[style.bold, style.size] += len(words)
        if self.head == self.length and (style.bold or not words.strip()):
            self.head += len(words)
        self.length += len(words)


class BodyReader:
    """Reads the blocks of a body; fields may span several of them."""

    def __init__(
        self, styles: Mapping[str, Style], default: Style, numberings: Numberings | None = None
    ) -> None:
        self._styles, self._default = styles, default
        self._numberings = numberings or Numberings()
        self._fields: list[_Field] = []

    def blocks(self, parent: Any, reason: str = "") -> Iterator[Block]:
        """The blocks in an element, in order; those of a table are text only if the table is for
        layout.
        """
        for child in parent:
            name = _name(child)
            if name == "p":
                yield from self._paragraph(child, reason)
            elif name == "tbl":
                yield from self._table(child, reason)
            elif name == "sdt":
                yield from self.blocks(child, reason or _gallery(child))
            elif name not in _SKIPPED and not name.endswith("Pr"):
                yield from self.blocks(child, reason)

    def _table(self, table: Any, reason: str) -> Iterator[Block]:
        blocks = list(self.blocks(table, reason))
        words = sum(len(one.text.split()) for one in blocks)
        prose = sum(
            len(one.text.split())
            for one in blocks
            if one.reason in ("", "caption") and is_prose(one.text)
        )
        is_layout = prose > 0 and prose >= LAYOUT_SHARE * words
        for one in blocks:
            one.reason = one.reason or ("" if is_layout else "table")
            if not is_prose(one.text) and not one.style.level:
                one.reason = one.reason or "table"
        yield from blocks

    def _paragraph(self, paragraph: Any, reason: str) -> Iterator[Block]:
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        style = (
            self._default
            if named is None
            else self._styles.get(named.get(f"{W}val"), self._default)
        )
        text = _Text(reason)
        self._inline(paragraph, text, style)
        words = "".join(text.parts)
        bold, size = text.look(style)
        style = replace(style.with_properties(paragraph), bold=bold, size=size)
        marks = self._marks(text, style)  # the items of lists are counted, with words or without
        if words.strip():
            yield Block(words, style, text.reason, marks=marks)
        for box in text.boxes:
            inside = list(self.blocks(box, reason))
            is_text = is_prose(" ".join(one.text for one in inside))
            for one in inside:
                one.reason = one.reason or ("" if is_text else "text box")
            yield from inside

    def _marks(self, text: _Text, style: Style) -> Marks:
        """What numbering, style and bold words say about a paragraph."""
        number, level = style.number or ("", 0)
        if level < 0:
            level = self._numberings.level_of_style(number, style.key)
        depth = level + 1 if number else 0
        if named := _FORMS["list_style"].fullmatch(style.name):
            depth = max(depth, int(named[1] or 1))
        return Marks(
            label=self._numberings.label(number, level),
            depth=depth,
            block=_NAMES["blocks"].get(style.name, ""),
            head=text.head,
            breaks=tuple(text.breaks),
            keeps_lines=_NAMES["blocks"].get(style.name) == "verse",
        )

    def _inline(self, paragraph: Any, text: _Text, style: Style) -> None:
        stack: list[tuple[Any, Style, bool]] = [
            (child, style, False) for child in reversed(paragraph)
        ]
        while stack:
            element, style, is_raised = stack.pop()
            name = _name(element)
            if name in _SKIPPED or name.endswith("Pr"):
                continue
            if name == "t":
                self._add(element.text or "", text, style, is_raised=is_raised)
            elif name in _NAMES["spaces"]:
                self._add(_NAMES["spaces"][name], text, style)
                if name in ("br", "cr") and element.get(f"{W}type") in (None, "textWrapping"):
                    text.breaks.append(text.length)
            elif name == "fldChar":
                self._field(element.get(f"{W}fldCharType"))
            elif name == "instrText":
                if (
                    self._fields
                    and not self._fields[-1].is_result
                    and len(self._fields[-1].code) < 200
                ):
                    self._fields[-1].code += element.text or ""
            elif name == "txbxContent":
                text.boxes.append(element)
            else:
                properties = element.find(f"{W}rPr") if name == "r" else None
                if properties is not None:
                    if is_on(properties, "vanish"):
                        continue
                    named = self._styles.get(value_of(properties, "rStyle"), style)
                    style = replace(style, bold=style.bold or named.bold).with_properties(element)
                    is_raised = value_of(properties, "vertAlign") == "superscript"
                if name in _NAMES["mathematics"] and len(element):
                    self._add(_NAMES["mathematics"][name], text, style)
                stack += [(child, style, is_raised) for child in reversed(element)]

    def _add(self, words: str, text: _Text, style: Style, *, is_raised: bool = False) -> None:
        if not words or not all(one.is_result for one in self._fields):
            return
        before = text.parts[-1] if text.parts else ""
        if (
            is_raised
            and _FORMS["citation"].fullmatch(words)
            and _FORMS["before_citation"].search(before[-8:])
        ):
            return  # the number of a reference
        if not text.reason and words.strip():
            text.reason = next((one.reason for one in self._fields if one.reason), "")
        text.add(words, style)

    def _field(self, kind: str | None) -> None:
        if kind == "begin" and len(self._fields) < 100:
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_result = True
        elif kind == "end" and self._fields:
            self._fields.pop()


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "del"


def _gallery(control: Any) -> str:
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return "" if gallery is None else _NAMES["galleries"].get(gallery.get(f"{W}val"), "")


_MAIN, _CORE, _DEFAULT = "officeDocument", "core-properties", "word/document.xml"
_STRICT, _USUAL = b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.strip("{}").encode()

HEADING_WORDS = 40  # words of a paragraph above which it is no heading, whatever its style
# share of all words above which short paragraphs in bold or large type are no headings
HEADINGS_SHARE = 0.3
MAX_SIZES = 6  # levels of headings that are recognized by their size


def read(source: Input) -> list[Document]:
    """The one document of a DOCX file.

    Headings are the paragraphs with an outline level, by their style or their own; without any,
    those in bold or large type. Insertions are read, deletions are not. Left out are tables (but
    not those for layout), captions, notes, comments, headers and footers, the table of contents and
    the bibliography.
    """
    package = _Package(Archive(source.data, source.path, "a Word document"))
    styles, default = package.styles()
    body = package.part(package.main)
    blocks = list(BodyReader(styles, default, package.numberings()).blocks(body))
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
            builder.paragraph(block.text, block.marks)
    dropped = [left_out(reason, texts) for reason, texts in groups.items()] + asides
    title, sections = parts_of_article(builder.sections(), dropped, title)
    title = title or package.title()
    return [document(source.name, sections, title=title, source=source.path, left_out=dropped)]


class _Package:
    """The parts of a Word document."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        roots = self._related("")
        mains = [
            path
            for path in (*(path for kind, path in roots if kind == _MAIN), _DEFAULT)
            if path in archive
        ]
        if not mains:
            message = f"{archive.source}: expected a Word document, found another kind of archive"
            raise PagesumError(message, "check the file")
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
                posixpath.normpath(posixpath.join("/", folder, one.get("Target") or "")).lstrip(
                    "/"
                ),
            )
            for one in self.part(relations)
            if one.get("TargetMode") != "External"
        ]

    def styles(self) -> tuple[Mapping[str, Style], Style]:
        from docx.oxml.styles import CT_Styles

        path = next(
            (path for kind, path in self._parts if kind == "styles" and path in self._archive), ""
        )
        root = self.part(path) if path else None
        return styles_of(root) if isinstance(root, CT_Styles) else ({}, Style())

    def numberings(self) -> Numberings:
        parts = (path for kind, path in self._parts if kind == "numbering")
        path = next(filter(self._archive.__contains__, parts), "")
        return Numberings(self.part(path) if path else None)

    def title(self) -> str:
        from docx.oxml.coreprops import CT_CoreProperties

        core = self.part(self._core) if self._core in self._archive else None
        title = one_line(core.title_text) if isinstance(core, CT_CoreProperties) else ""
        return "" if _FORMS["no_title"].fullmatch(title) else title

    def asides(self) -> Iterator[LeftOut]:
        groups: dict[str, dict[str, None]] = {}
        for kind, path in dict.fromkeys(self._parts):
            if kind in _NAMES["asides"] and path in self._archive:
                reader = BodyReader({}, Style())
                texts = (one_line(block.text) for block in reader.blocks(self.part(path)))
                groups.setdefault(_NAMES["asides"][kind], {}).update(
                    dict.fromkeys(filter(None, texts))
                )
        yield from (left_out(reason, texts) for reason, texts in groups.items() if texts)


def _with_headings(blocks: Sequence[Block], known: str) -> tuple[str, list[Block]]:
    """The title (``known``: that of the properties), and the blocks with the reasons and levels
    that they have.
    """
    for block in blocks:
        style = block.style
        if match := _FORMS["styles_left_out"].match(style.name):
            block.reason = block.reason or _NAMES["styles"].get(match[1], "contents")
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
        if (
            guessed
            and guessed[0] is text[0]
            and is_alone
            and not any(one.reason == "title" for one in first)
        ):
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
    """Make headings of short paragraphs in bold or large type, where two or more stand before
    ordinary text.
    """
    letters: Counter[tuple[int, bool]] = Counter()
    for block in blocks:
        letters[_look(block)] += len(block.text)
    size, bold = letters.most_common(1)[0][0] if letters else (0, False)
    found = [
        block
        for block in blocks[:-1]
        if (
            block.style.size > 1.1 * size
            or (block.style.size >= size and block.style.bold and not bold)
        )
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
