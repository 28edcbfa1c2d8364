"""The body of a Word document as blocks: paragraphs and headings, with why one is no text."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from ....text.scripts import subscript, superscript
from ....text.tables import patterns, table
from ...article.wording import is_prose
from ...marked import NO_MARKS, Marks
from ...model import HIDDEN
from ...notes import FORMULA, FORMULA_MARK
from .formulas import field_formula, formula
from .numbering import Numberings, W, is_on, value_of
from .styles import Script, Style, background_of
from .symbols import unsymbolic

_NAMES, _FORMS = table(__file__, "word.toml"), patterns(__file__, "word.toml")
_SKIPPED = frozenset(_NAMES["skipped"])
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_OLE = "{urn:schemas-microsoft-com:office:office}OLEObject"

# share of a table's words in prose from which on it is no table, but text laid out in cells
LAYOUT_SHARE = 0.5
MAX_FIELDS, MAX_CODE = 100, 1000  # fields in each other, and characters of the code of one
MAX_AROUND = 12  # elements around a box that are looked at
MAX_BEFORE = 100  # characters before the number of a reference that are looked at
STRUCK, MARK = "struck out", "mark"  # reasons why words of a paragraph are left out


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
    def words(self) -> str:
        """The code in capitals."""
        return " ".join(self.code.upper().split())

    @property
    def reason(self) -> str:
        """Why its result is no text; empty for text."""
        fields = _NAMES["fields"].items()
        return next((reason for start, reason in fields if self.words.startswith(start)), "")


@dataclass
class _Text:
    """A paragraph under construction: its text, and the number of letters of each look (bold,
    size).
    """

    reason: str
    parts: list[str] = field(default_factory=list)
    looks: Counter[tuple[bool, int]] = field(default_factory=Counter)
    # boxes, and whether they are hidden
    boxes: list[tuple[Any, bool]] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)  # reason and words
    length: int = 0
    head: int = 0  # the end of its bold beginning
    breaks: list[int] = field(default_factory=list)
    script: list[str] = field(default_factory=list)  # the last words, where they are a script
    script_style: Style = field(default_factory=Style)

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
        if style.is_hidden or style.is_struck:
            self.drop(HIDDEN if style.is_hidden else STRUCK, words)
            return
        if self.script and style.script != self.script_style.script:
            self.end_script()
        if style.script:
            self.script.append(words)
            self.script_style = style
        else:
            self._add(words, style)

    def drop(self, reason: str, words: str) -> None:
        """Leave words out; those that follow each other are one."""
        if self.dropped and self.dropped[-1][0] == reason and reason != FORMULA:
            words = self.dropped.pop()[1] + words
        self.dropped.append((reason, words))

    def end_script(self) -> None:
        """Write the script that ends here, unless it is the number of a reference."""
        words, style = "".join(self.script), self.script_style
        self.script.clear()
        if style.script == "superscript" and _is_reference(words, self._end()):
            self.drop(MARK, words + " ")
        elif words:
            self._add(_written(words, style.script), style)

    def _end(self) -> str:
        """The last words so far."""
        return "".join(part[-MAX_BEFORE:] for part in self.parts[-8:])[-MAX_BEFORE:]

    def _add(self, words: str, style: Style) -> None:
        self.parts.append(words)
        self.looks[style.bold, style.size] += len(words)
        if self.head == self.length and (style.bold or not words.strip()):
            self.head += len(words)
        self.length += len(words)


def _written(words: str, script: Script) -> str:
    return superscript(words) if script == "superscript" else subscript(words)


def _is_reference(words: str, before: str) -> bool:
    """Whether raised figures are the number of a reference, and no exponent."""
    if not _FORMS["citation"].fullmatch(words) or _FORMS["unit"].search(before):
        return False
    in_brackets = _FORMS["in_brackets"].search(before)
    if in_brackets and _FORMS["term"].fullmatch(in_brackets[1]):
        return False
    return _FORMS["before_citation"].search(before) is not None


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
        self._open: _Text | None = None  # a paragraph that goes on in the next one
        self._background = default.background

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
                around, self._background = self._background, self._behind(child, name)
                why = HIDDEN if _is_hidden_row(child, name) else reason or _gallery(child, name)
                yield from self.blocks(child, why)
                self._background = around
        if _name(parent) in ("body", "tc", "txbxContent"):
            yield from self._closed()

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
        blocks = list(self.blocks(table, reason))
        self._background = background
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
        style = self._styles.get(
            value_of(paragraph.find(f"{W}pPr"), "pStyle"),
            self._default,
        )
        if style.background == self._default.background:
            style = replace(style, background=self._background)
        own = style.with_properties(paragraph)
        text = self._open or _Text(reason)
        self._open = None
        looks = replace(style, background=own.background, is_unreadable=own.is_unreadable)
        self._inline(paragraph, text, looks)
        if _goes_on(paragraph):
            self._open = text
        else:
            yield from self._blocks_of(text, own, reason)

    def _blocks_of(self, text: _Text, style: Style, reason: str = "") -> Iterator[Block]:
        """The blocks of a paragraph: itself, what of it is no text, and its boxes."""
        text.end_script()
        words = "".join(text.parts)
        bold, size = text.look(style)
        style = replace(style, bold=bold, size=size)
        marks = self._marks(text, style)  # the items of lists are counted, with words or without
        if words.strip():
            yield Block(words, style, text.reason, marks=marks)
        for why, dropped in text.dropped:
            if dropped.strip():
                yield Block(dropped, replace(style, level=0), why)
        for box, is_hidden in text.boxes:
            yield from self._box(box, HIDDEN if is_hidden else reason)

    def _box(self, box: Any, reason: str) -> Iterator[Block]:
        background, self._background = self._background, ""
        inside = list(self.blocks(box, reason))
        self._background = background
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

    def _leaf(self, element: Any, name: str, text: _Text, style: Style) -> bool:
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

    def _formula(self, words: str, text: _Text, style: Style) -> None:
        """Add a formula; one that cannot be read is marked and counted."""
        is_hidden = style.is_hidden or style.is_struck
        if not words and not is_hidden:
            text.drop(FORMULA, FORMULA_MARK)
        self._add(words or FORMULA_MARK, text, replace(style, script=""))

    def _add(self, words: str, text: _Text, style: Style) -> None:
        if not words or not all(one.is_result for one in self._fields):
            return
        if not text.reason and words.strip():
            text.reason = next((one.reason for one in self._fields if one.reason), "")
        text.add(words, style)

    def _code(self, words: str) -> None:
        last = self._fields[-1] if self._fields else None
        if last is not None and not last.is_result and len(last.code) < MAX_CODE:
            last.code += words

    def _field(self, kind: str | None, text: _Text, style: Style) -> None:
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
