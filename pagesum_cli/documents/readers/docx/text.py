"""The markup of a Word document's body → blocks: paragraphs and headings in order, and why some are no text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...article.wording import is_prose
from .styles import Style, W, is_on

_SKIPPED = frozenset(["del", "moveFrom", "Fallback", "rt", "delText", "del", "footnoteRef", "endnoteRef", "object"])
"""Elements without text: what tracked changes delete, other forms of the same, readings of characters."""

_SPACES = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}
_MATHEMATICS = {"den": "/", "sup": "^", "sub": "_"}
"""What is written before a part of a formula."""

_SYMBOLS = dict(
    zip(
        "ABCDEFGHIKLMNOPQRSTUWXYZabcdefghiklmnopqrstuwxyz±°·´×£³",
        "ΑΒΧΔΕΦΓΗΙΚΛΜΝΟΠΘΡΣΤΥΩΞΨΖαβχδεφγηικλμνοπθρστυωξψζ±°·××≤≥",
        strict=True,
    )
)
"""The font Symbol."""

_FIELDS = {"TOC": "contents", "INDEX": "index", "BIBLIOGRAPHY": "references"}
_BIBLIOGRAPHIES = ("ADDIN ZOTERO_BIBL", "ADDIN EN.REFLIST", "ADDIN MENDELEY BIBLIOGRAPHY", "ADDIN CSL_BIBLIOGRAPHY")
_GALLERIES = {"Table of Contents": "contents", "Bibliographies": "references", "Cover Pages": "front matter"}
_CITATION = re.compile(r"[\d,;–—\s-]+")
_BEFORE_CITATION = re.compile(r"(?:[^\W\d_]{4}|[.,;:!?)\]”’\"])$")

LAYOUT_SHARE = 0.5
"""Share of a table's words in prose from which on it is no table, but text laid out in cells."""


@dataclass(slots=True)
class Block:
    """A paragraph or a heading.

    Attributes:
        text: Its words, with line ends.
        style: Its style, its own properties included; bold and size are those of most letters.
        reason: Why it is no text; empty for text.
    """

    text: str
    style: Style
    reason: str = ""


@dataclass
class _Field:
    """A field: its code up to ``separate``, then its result."""

    code: str = ""
    is_result: bool = False

    @property
    def reason(self) -> str:
        words = " ".join(self.code.upper().split())
        return "references" if words.startswith(_BIBLIOGRAPHIES) else _FIELDS.get(words.partition(" ")[0], "")


@dataclass
class _Text:
    """A paragraph under construction."""

    parts: list[str] = field(default_factory=list)
    letters: int = 0
    bold: int = 0
    sizes: dict[int, int] = field(default_factory=dict)
    reason: str = ""
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
        """The blocks in an element, in order; those of a table are text only if the table is for layout.

        Args:
            parent: The element.
            reason: Why all of them are no text.
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
        prose = sum(len(one.text.split()) for one in blocks if one.reason in ("", "caption") and is_prose(one.text))
        is_layout = prose > 0 and prose >= LAYOUT_SHARE * words
        for one in blocks:
            one.reason = one.reason or ("" if is_layout else "table")
            if not is_prose(one.text) and not one.style.level:
                one.reason = one.reason or "table"
        yield from blocks

    def _paragraph(self, paragraph: Any, reason: str) -> Iterator[Block]:
        properties = paragraph.find(f"{W}pPr")
        style = self._default
        if properties is not None:
            named = properties.find(f"{W}pStyle")
            style = self._styles.get(named.get(f"{W}val"), style) if named is not None else style
            bold, size = style.bold, style.size
            style = style.with_properties(paragraph)
        else:
            bold, size = style.bold, style.size
        text = _Text(reason=reason)
        self._inline(paragraph, text, bold, size)
        most = max(text.sizes, key=lambda one: text.sizes[one]) if text.sizes else size
        look = Style(style.name, style.level, text.bold > 0.9 * text.letters > 0, most)
        if "".join(text.parts).strip():
            yield Block("".join(text.parts), look, text.reason)
        for box in text.boxes:
            inside = list(self.blocks(box, reason))
            is_text = is_prose(" ".join(one.text for one in inside))
            for one in inside:
                one.reason = one.reason or ("" if is_text else "text box")
            yield from inside

    def _inline(self, paragraph: Any, text: _Text, bold: bool, size: int) -> None:
        """Add the text in a paragraph, without recursion."""
        stack: list[Any] = [(child, bold, size, False) for child in reversed(paragraph)]
        while stack:
            element, bold, size, is_raised = stack.pop()
            name = _name(element)
            if name in _SKIPPED or name.endswith("Pr"):
                continue
            if name == "t":
                self._add(element.text or "", text, bold, size, is_raised)
            elif name in _SPACES:
                self._add(_SPACES[name], text, bold, size, False)
            elif name == "sym":
                self._add(_symbol(element), text, bold, size, False)
            elif name == "fldChar":
                self._field(element.get(f"{W}fldCharType"))
            elif name == "instrText":
                if self._fields and not self._fields[-1].is_result and len(self._fields[-1].code) < 200:
                    self._fields[-1].code += element.text or ""
            elif name == "txbxContent":
                text.boxes.append(element)
            else:
                if name == "r" and (properties := element.find(f"{W}rPr")) is not None:
                    if is_on(properties, "vanish"):
                        continue
                    is_raised = _is_raised(properties)
                    bold = is_on(properties, "b", default=bold)
                    points = properties.find(f"{W}sz")
                    if points is not None and (points.get(f"{W}val") or "").isdecimal():
                        size = min(int(points.get(f"{W}val")[:5]), 10_000)
                if name in _MATHEMATICS and len(element):
                    self._add(_MATHEMATICS[name], text, bold, size, False)
                stack += [(child, bold, size, is_raised) for child in reversed(element)]

    def _add(self, words: str, text: _Text, bold: bool, size: int, is_raised: bool) -> None:
        if not words or not all(one.is_result for one in self._fields):
            return
        before = text.parts[-1] if text.parts else ""
        if is_raised and _CITATION.fullmatch(words) and _BEFORE_CITATION.search(before[-8:]):
            return  # the number of a reference
        if not text.reason and words.strip():
            text.reason = next((one.reason for one in self._fields if one.reason), "")
        text.parts.append(words)
        text.letters += len(words)
        text.bold += len(words) * bold
        text.sizes[size] = text.sizes.get(size, 0) + len(words)

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
    """The reason why a content control of Word's building blocks (a table of contents …) is no text."""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return "" if gallery is None else _GALLERIES.get(gallery.get(f"{W}val"), "")


def _is_raised(properties: Any) -> bool:
    align = properties.find(f"{W}vertAlign")
    return align is not None and align.get(f"{W}val") == "superscript"


def _symbol(element: Any) -> str:
    """A character by its number in a font; those of fonts for symbols are in a private area."""
    try:
        code = int(element.get(f"{W}char") or "", 16)
    except ValueError:
        return ""
    if 0xF000 <= code < 0xF100:
        return _SYMBOLS.get(chr(code - 0xF000), "") if element.get(f"{W}font") == "Symbol" else ""
    return chr(code) if 0x20 <= code < 0xD800 else ""
