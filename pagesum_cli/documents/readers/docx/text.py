"""The styles of a Word document, and the markup of its body → blocks: paragraphs and headings in order."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...article.wording import is_prose

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"  # the namespace of the markup
_HEADING = re.compile(r"heading ([1-9])\b")
_NO_OUTLINE = 9  # the outline level of body text


@dataclass(frozen=True)
class Style:
    """How paragraphs look.

    Attributes:
        name: In lower case; the built-in ones have English names in any language.
        level: Of a heading, from 1; 0 for text.
        bold: Whether the text is bold.
        size: In half points; 0 if not given.
    """

    name: str = ""
    level: int = 0
    bold: bool = False
    size: int = 0

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
        return replace(self, level=level, bold=bold, size=size)


def is_on(properties: Any, name: str, *, default: bool = False) -> bool:
    """Whether a switch such as ``w:b`` is on."""
    found = properties.find(W + name)
    return default if found is None else found.get(f"{W}val") not in ("0", "false", "off")


def value_of(properties: Any, name: str) -> str:
    """The value of a property such as ``w:sz``; empty if it is not given."""
    found = properties.find(W + name) if properties is not None else None
    return "" if found is None else found.get(f"{W}val") or ""


def styles_of(root: Any) -> tuple[Mapping[str, Style], Style]:
    """The paragraph styles by their ids, with what they inherit, and the default one."""
    elements = {one.styleId: one for one in root.style_lst if one.styleId}
    defaults = root.find(f"{W}docDefaults/{W}rPrDefault")
    base = Style() if defaults is None else Style().with_properties(defaults)
    styles: dict[str, Style] = {}
    for name in elements:
        chain: dict[str, None] = {}
        one: str = name
        while one in elements and one not in styles and one not in chain:  # some are based on each other in a circle
            chain[one] = None
            one = elements[one].basedOn_val or ""
        style = styles.get(one, base)
        for key in reversed(chain):
            called = (elements[key].name_val or key).lower()
            heading = _HEADING.match(called)
            level = int(heading[1]) if heading else style.level
            style = replace(style, name=called, level=level).with_properties(elements[key])
            if called in ("title", "subtitle", "toc heading"):
                style = replace(style, level=0)
            styles[key] = style
    defaults = (
        key
        for key, one in elements.items()
        if one.get(f"{W}type") == "paragraph" and one.get(f"{W}default") in ("1", "true", "on")
    )
    return styles, styles.get(next(defaults, ""), base)


_SKIPPED = frozenset(["del", "moveFrom", "Fallback", "rt", "delText", "del", "footnoteRef", "endnoteRef", "object"])
"""Elements without text: what tracked changes delete, other forms of the same, readings of characters."""

_SPACES = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_MATHEMATICS = {"den": "/", "sup": "^", "sub": "_"}  # what is written before a part of a formula
_LATIN, _GREEK = "ABCDEFGHIKLMNOPQRSTUWXYZabcdefghiklmnopqrstuwxyz", "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖαβχδεφγηικλμνοπθρστυωξψζ"
_SYMBOLS = {f"F0{ord(letter):02X}": symbol for letter, symbol in zip(_LATIN, _GREEK, strict=True)}
"""The letters of the font Symbol."""

_FIELDS = {
    "TOC": "contents",
    "INDEX": "index",
    **dict.fromkeys(("BIBLIOGRAPHY", "ADDIN ZOTERO_BIBL", "ADDIN EN.REFLIST"), "references"),
    **dict.fromkeys(("ADDIN MENDELEY BIBLIOGRAPHY", "ADDIN CSL_BIBLIOGRAPHY"), "references"),
}
_GALLERIES = {"Table of Contents": "contents", "Bibliographies": "references", "Cover Pages": "front matter"}
_CITATION = re.compile(r"[\d,;–—\s-]+")
_BEFORE_CITATION = re.compile(r"(?:[^\W\d_]{4}|[.,;:!?)\]”’\"])$")

LAYOUT_SHARE = 0.5  # share of a table's words in prose from which on it is no table, but text laid out in cells


@dataclass(slots=True)
class Block:
    """A paragraph or a heading.

    Attributes:
        text: Its words, with line ends.
        style: Its style, its own properties included; bold and size are those of most letters.
        reason: Why it is no text; empty for text.
        is_guess: Whether it is a heading by its looks only.
    """

    text: str
    style: Style
    reason: str = ""
    is_guess: bool = False


@dataclass(slots=True)
class _Field:
    """A field: its code up to ``separate``, then its result."""

    code: str = ""
    is_result: bool = False

    @property
    def reason(self) -> str:
        words = " ".join(self.code.upper().split())
        return next((reason for start, reason in _FIELDS.items() if words.startswith(start)), "")


@dataclass
class _Text:
    """A paragraph under construction: its text, and the number of letters of each look (bold, size)."""

    reason: str
    parts: list[str] = field(default_factory=list)
    looks: Counter[tuple[bool, int]] = field(default_factory=Counter)
    boxes: list[Any] = field(default_factory=list)


class BodyReader:
    """Reads the blocks of a body; fields may span several of them.

    Args:
        styles: By id.
        default: Of paragraphs without one.
    """

    def __init__(self, styles: Mapping[str, Style], default: Style) -> None:
        self._styles, self._default = styles, default
        self._fields: list[_Field] = []

    def blocks(self, parent: Any, reason: str = "") -> Iterator[Block]:
        """The blocks in an element, in order; those of a table are text only if the table is for layout."""
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
        prose = sum(len(one.text.split()) for one in blocks if one.reason in ("", "caption") and is_prose(one.text))
        is_layout = prose > 0 and prose >= LAYOUT_SHARE * words
        for one in blocks:
            one.reason = one.reason or ("" if is_layout else "table")
            if not is_prose(one.text) and not one.style.level:
                one.reason = one.reason or "table"
        yield from blocks

    def _paragraph(self, paragraph: Any, reason: str) -> Iterator[Block]:
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        style = self._default if named is None else self._styles.get(named.get(f"{W}val"), self._default)
        text = _Text(reason)
        self._inline(paragraph, text, style)
        sizes: Counter[int] = Counter()
        for (_, size), letters in text.looks.items():
            sizes[size] += letters
        bold = sum(letters for (is_bold, _), letters in text.looks.items() if is_bold) > 0.9 * sizes.total()
        size = sizes.most_common(1)[0][0] if sizes else style.size
        words = "".join(text.parts)
        if words.strip():
            yield Block(words, replace(style.with_properties(paragraph), bold=bold, size=size), text.reason)
        for box in text.boxes:
            inside = list(self.blocks(box, reason))
            is_text = is_prose(" ".join(one.text for one in inside))
            for one in inside:
                one.reason = one.reason or ("" if is_text else "text box")
            yield from inside

    def _inline(self, paragraph: Any, text: _Text, style: Style) -> None:
        stack: list[tuple[Any, Style, bool]] = [(child, style, False) for child in reversed(paragraph)]
        while stack:
            element, style, is_raised = stack.pop()
            name = _name(element)
            if name in _SKIPPED or name.endswith("Pr"):
                continue
            if name == "t":
                self._add(element.text or "", text, style, is_raised=is_raised)
            elif name in _SPACES:
                self._add(_SPACES[name], text, style)
            elif name == "sym" and element.get(f"{W}font") == "Symbol":
                self._add(_SYMBOLS.get((element.get(f"{W}char") or "").upper(), ""), text, style)
            elif name == "fldChar":
                self._field(element.get(f"{W}fldCharType"))
            elif name == "instrText":
                if self._fields and not self._fields[-1].is_result and len(self._fields[-1].code) < 200:
                    self._fields[-1].code += element.text or ""
            elif name == "txbxContent":
                text.boxes.append(element)
            else:
                properties = element.find(f"{W}rPr") if name == "r" else None
                if properties is not None:
                    if is_on(properties, "vanish"):
                        continue
                    style = style.with_properties(element)
                    is_raised = value_of(properties, "vertAlign") == "superscript"
                if name in _MATHEMATICS and len(element):
                    self._add(_MATHEMATICS[name], text, style)
                stack += [(child, style, is_raised) for child in reversed(element)]

    def _add(self, words: str, text: _Text, style: Style, *, is_raised: bool = False) -> None:
        if not words or not all(one.is_result for one in self._fields):
            return
        before = text.parts[-1] if text.parts else ""
        if is_raised and _CITATION.fullmatch(words) and _BEFORE_CITATION.search(before[-8:]):
            return  # the number of a reference
        if not text.reason and words.strip():
            text.reason = next((one.reason for one in self._fields if one.reason), "")
        text.parts.append(words)
        text.looks[style.bold, style.size] += len(words)

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
    return "" if gallery is None else _GALLERIES.get(gallery.get(f"{W}val"), "")
