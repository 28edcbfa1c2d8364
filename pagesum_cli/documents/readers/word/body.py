"""The body of a Word document as blocks: paragraphs and headings, with why one is no text."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ....text.tables import patterns, table
from ...marked import Marks
from ...model import HIDDEN
from ...notes import FORMULA, FORMULA_MARK
from .cells import Cells
from .formulas import field_formula, formula
from .numbering import Numberings, W, is_on, value_of
from .paragraph import Block, Text, mark_box, mark_table
from .styles import Style, background_of
from .symbols import unsymbolic

_NAMES, _FORMS = table(__file__, "word.toml"), patterns(__file__, "word.toml")
_SKIPPED = frozenset(_NAMES["skipped"])
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_OLE = "{urn:schemas-microsoft-com:office:office}OLEObject"

MAX_FIELDS, MAX_CODE = 100, 1000  # fields in each other, and characters of the code of one
MAX_SPAN = 60  # columns that a cell of a table covers, at most
MAX_AROUND = 12  # elements around a box that are looked at


@dataclass(slots=True)
class _Field:
    """A field: its code up to ``separate``, then its result."""

    code: str = ""
    is_result: bool = False

    @property
    def words(self) -> str:
        """The code in capitals."""
        return " ".join(self.code.upper().split())

    @property
    def reason(self) -> str:
        """Why its result is no text; empty for text."""
        fields = _NAMES["fields"].items()
        return next((reason for start, reason in fields if self.words.startswith(start)), "")


Included = Callable[[str], Iterator[Block]]
"""The blocks of another part, by the id of its relationship."""


class BodyReader:
    """Reads the blocks of a body; fields may span several of them."""

    def __init__(
        self,
        styles: Mapping[str, Style],
        default: Style,
        numberings: Numberings | None = None,
        included: Included = lambda relation: iter(()),
    ) -> None:
        self._styles, self._default = styles, default
        self._numberings = numberings or Numberings()
        self._included = included
        self._fields: list[_Field] = []
        self._open: Text | None = None  # a paragraph that goes on in the next one
        self._background = default.background
        self._cells = Cells()

    def blocks(self, parent: Any, reason: str = "") -> Iterator[Block]:
        """The blocks in an element, in order; those of a table are text only if the table is for
        layout.
        """
        for child in parent:
            name = _name(child)
            if name == "p":
                yield from self._paragraph(child, reason)
            elif name == "tbl":
                yield from self._closed()
                yield from self._table(child, reason)
            elif name == "altChunk":
                yield from self._closed()
                yield from self._included(child.get(_RELATION) or "")
            elif _is_inside(child, name):
                self._enter(child, name)
                around, self._background = self._background, self._behind(child, name)
                why = HIDDEN if _is_hidden_row(child, name) else reason or _gallery(child, name)
                yield from self.blocks(child, why)
                self._background = around
        if _name(parent) in ("body", "tc", "txbxContent"):
            yield from self._closed()

    def _enter(self, element: Any, name: str) -> None:
        """Note the row or cell of a table that begins."""
        if name == "tr":
            self._cells.begin_row()
        elif name == "tc":
            self._cells.begin_cell(_span(element))

    def _behind(self, element: Any, name: str) -> str:
        """The color behind the text of an element."""
        properties = element.find(f"{W}tcPr") if name == "tc" else None
        return background_of(properties, self._background)

    def _closed(self) -> Iterator[Block]:
        """End a paragraph that would go on in the next one, where there is none."""
        if self._open is not None:
            text, self._open = self._open, None
            yield from self._blocks_of(text, self._default)

    def _table(self, table: Any, reason: str) -> Iterator[Block]:
        background = self._background
        if value_of(table.find(f"{W}tblPr"), "tblStyle"):  # which may have colors
            self._background = ""
        around, self._cells = self._cells, Cells()
        blocks = self._cells.place(self.blocks(table, reason))
        self._background, self._cells = background, around
        mark_table(blocks)
        yield from blocks

    def _paragraph(self, paragraph: Any, reason: str) -> Iterator[Block]:
        style = self._styles.get(
            value_of(paragraph.find(f"{W}pPr"), "pStyle"),
            self._default,
        )
        if style.background == self._default.background:
            style = replace(style, background=self._background)
        own = style.with_properties(paragraph)
        text = self._open or Text(reason)
        self._open = None
        looks = replace(style, background=own.background, is_unreadable=own.is_unreadable)
        self._inline(paragraph, text, looks)
        if _goes_on(paragraph):
            self._open = text
        else:
            yield from self._blocks_of(text, own, reason)

    def _blocks_of(self, text: Text, style: Style, reason: str = "") -> Iterator[Block]:
        """The blocks of a paragraph: itself, what of it is no text, and its boxes."""
        text.end_script()
        style = text.looking(style)
        marks = self._marks(text, style)  # the items of lists are counted, with words or without
        yield from text.blocks(style, marks)
        for box, is_hidden in text.boxes:
            yield from self._box(box, HIDDEN if is_hidden else reason)

    def _box(self, box: Any, reason: str) -> Iterator[Block]:
        background, self._background = self._background, ""
        inside = list(self.blocks(box, reason))
        self._background = background
        mark_box(inside)
        yield from inside

    def _marks(self, text: Text, style: Style) -> Marks:
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

    def _inline(self, paragraph: Any, text: Text, style: Style) -> None:
        stack: list[tuple[Any, Style]] = [(child, style) for child in reversed(paragraph)]
        while stack:
            element, style = stack.pop()
            name = _name(element)
            if name == "r":
                style = self._style_of_run(element, style)
            if not self._leaf(element, name, text, style) and _is_inside(element, name):
                stack += [(child, style) for child in reversed(element)]

    def _style_of_run(self, run: Any, style: Style) -> Style:
        properties = run.find(f"{W}rPr")
        if properties is None:
            return style
        named = self._styles.get(value_of(properties, "rStyle"))
        return (style.with_style(named) if named else style).with_runs(properties)

    def _leaf(self, element: Any, name: str, text: Text, style: Style) -> bool:
        """Add an element without elements that have text to be read; whether it is one."""
        if name == "t":
            self._add(unsymbolic(element.text or "", style.font), text, style)
        elif name == "sym":
            self._add(_symbol(element), text, style)
        elif name in _NAMES["spaces"]:
            self._add(_NAMES["spaces"][name], text, style)
            if name in ("br", "cr") and element.get(f"{W}type") in (None, "textWrapping"):
                text.end_script()
                text.breaks.append(text.length)
        elif name == "fldChar":
            self._field(element.get(f"{W}fldCharType"), text, style)
        elif name == "instrText":
            self._code(element.text or "")
        elif name == "txbxContent":
            text.boxes.append((element, style.is_hidden or _is_hidden_box(element)))
        elif name in ("oMath", "oMathPara"):
            self._formula(formula(element), text, style)
        elif name == "object":
            if _is_equation(element):
                self._formula("", text, style)
        else:
            return False
        return True

    def _formula(self, words: str, text: Text, style: Style) -> None:
        """Add a formula; one that cannot be read is marked and counted."""
        is_hidden = style.is_hidden or style.is_struck
        if not words and not is_hidden:
            text.drop(FORMULA, FORMULA_MARK)
        self._add(words or FORMULA_MARK, text, replace(style, script=""))

    def _add(self, words: str, text: Text, style: Style) -> None:
        if not words or not all(one.is_result for one in self._fields):
            return
        if not text.reason and words.strip():
            text.reason = next((one.reason for one in self._fields if one.reason), "")
        text.add(words, style)

    def _code(self, words: str) -> None:
        last = self._fields[-1] if self._fields else None
        if last is not None and not last.is_result and len(last.code) < MAX_CODE:
            last.code += words

    def _field(self, kind: str | None, text: Text, style: Style) -> None:
        if kind == "begin" and len(self._fields) < MAX_FIELDS:
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_result = True
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if not ended.is_result and ended.words.startswith("EQ "):  # it is drawn by its code
                self._formula(field_formula(ended.code), text, style)


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "del"


def _is_inside(element: Any, name: str) -> bool:
    """Whether there may be text in an element: it is no property, and not deleted."""
    if name in _SKIPPED or name.endswith("Pr"):
        return False
    if name not in ("tr", "tc"):
        return True
    properties = element.find(f"{W}{name}Pr")
    change = "del" if name == "tr" else "cellDel"
    return properties is None or properties.find(f"{W}{change}") is None


def _span(cell: Any) -> int:
    """How many columns a cell of a table covers."""
    span = value_of(cell.find(f"{W}tcPr"), "gridSpan")
    return min(int(span), MAX_SPAN) if span.isdigit() and int(span) else 1


def _goes_on(paragraph: Any) -> bool:
    """Whether the next paragraph is the rest of this one: its end is deleted, or it is a large
    first letter.
    """
    properties = paragraph.find(f"{W}pPr")
    if properties is None:
        return False
    frame, mark = properties.find(f"{W}framePr"), properties.find(f"{W}rPr")
    if frame is not None and frame.get(f"{W}dropCap") in ("drop", "margin"):
        return True
    return mark is not None and any(mark.find(f"{W}{one}") is not None for one in _DELETED)


_DELETED = ("del", "moveFrom")


def _is_equation(element: Any) -> bool:
    """Whether an embedded object is a formula of an editor of formulas."""
    names = (one.get("ProgID") or "" for one in element.iter(_OLE))
    return any(name.startswith(("Equation", "MathType")) for name in names)


def _symbol(element: Any) -> str:
    """The character of ``w:sym``: a font, and a code in it."""
    try:
        code = int(element.get(f"{W}char") or "", 16)
    except ValueError:
        return ""
    is_private = code < 0x100 or 0xE000 <= code <= 0xF8FF
    character = chr(0xF000 + code % 0x100) if is_private else chr(code) if code < 0xD800 else ""
    return unsymbolic(character, element.get(f"{W}font") or "")


def _is_hidden_row(element: Any, name: str) -> bool:
    return name == "tr" and is_on(element.find(f"{W}trPr"), "hidden")


def _is_hidden_box(box: Any) -> bool:
    """Whether the shape around the text of a box is not shown."""
    for one in islice(box.iterancestors(), MAX_AROUND):
        style = "".join((one.get("style") or "").lower().split())
        if _name(one) == "p" or "visibility:hidden" in style:
            return _name(one) != "p"
        properties = one.find("{*}docPr")
        if properties is not None and properties.get("hidden") in ("1", "true"):
            return True
    return False


def _gallery(control: Any, name: str) -> str:
    if name != "sdt":
        return ""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return "" if gallery is None else _NAMES["galleries"].get(gallery.get(f"{W}val"), "")
