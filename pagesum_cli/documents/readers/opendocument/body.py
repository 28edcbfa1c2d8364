"""The body of an OpenDocument text as blocks: paragraphs and headings, with why one is no text."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ....text.cleaning import one_line
from ....text.tables import table
from ...article.wording import is_prose
from ...lists import integer
from ...marked import Marks
from ...model import HIDDEN
from ...notes import FORMULA, FORMULA_MARK
from ..word.paragraph import Block, Text, mark_box, mark_table
from ..word.styles import WHITE, Style
from ..word.symbols import unsymbolic
from .lists import Lists
from .markup import full, name_of, value_of
from .styles import Styles

_NAMES = table(__file__, "opendocument.toml")
_SKIPPED, _SHAPES = frozenset(_NAMES["skipped"].split()), frozenset(_NAMES["shapes"].split())
_ITEMS = ("text:list-item", "text:list-header")
_NOT_SHOWN = ("collapse", "filter")  # rows of a table
_LINE_ENDS = str.maketrans("\n\r\t", "   ")
CODE = "code"
MAX_SPACES = 100  # that one element stands for
MAX_LEVEL = 10  # of a heading

Formula = Callable[[Any], str | None]
"""The text of an embedded object that is a formula, empty if it cannot be read; None for others."""


class BodyReader:
    """Reads the blocks of a body, or of what stands beside it."""

    def __init__(self, styles: Styles, formula: Formula, background: str = WHITE) -> None:
        self._styles, self._formula = styles, formula
        self._lists = Lists(styles)
        self._background = background
        self._readers: dict[str, Callable[[Any, str], Iterator[Block]]] = {
            "text:p": self._paragraph,
            "text:h": self._paragraph,
            "text:list": self._list,
            "text:numbered-paragraph": self._list,
            "table:table": self._table,
            **dict.fromkeys(_SHAPES, self._box),
        }

    def blocks(self, parent: Any, reason: str = "") -> Iterator[Block]:
        """The blocks in an element, in order; those of a table are text only if the table is for
        layout.
        """
        for child in parent:
            name = name_of(child)
            if not name or name in _SKIPPED:
                continue
            if name in _ITEMS:
                self._lists.item(child)
            if reader := self._readers.get(name):
                yield from reader(child, reason)
            else:
                yield from self._inside(child, name, reason)

    def _inside(self, element: Any, name: str, reason: str) -> Iterator[Block]:
        """The blocks in an index, a section, or a part of a table."""
        around = self._background
        family = name.partition(":")[2]  # of the styles of cells, rows and sections
        style = value_of(element, "table:style-name", "text:style-name")
        self._background = self._styles.background(family, style, around)
        why = HIDDEN if _is_hidden(element, name) else reason or _NAMES["indexes"].get(name, "")
        yield from self.blocks(element, why)
        self._background = around

    def _list(self, element: Any, reason: str) -> Iterator[Block]:
        first = element.find(f".//{full('text:p')}")
        named = value_of(first, "text:style-name")
        self._lists.begin(element, self._styles.list_of_paragraph(named))
        if name_of(element) == "text:numbered-paragraph":
            self._lists.item(element)
        yield from self.blocks(element, reason)
        self._lists.end()

    def _table(self, element: Any, reason: str) -> Iterator[Block]:
        blocks = [*self._inside(element, "table:table", reason)]
        mark_table(blocks)
        yield from blocks

    def _box(self, element: Any, reason: str) -> Iterator[Block]:
        """The blocks of a drawn shape."""
        around, lists = self._background, self._lists
        self._background, self._lists = "", Lists(self._styles)
        is_hidden = self._styles.is_hidden("graphic", value_of(element, "draw:style-name"))
        blocks = [*self.blocks(element, HIDDEN if is_hidden else reason)]
        self._background, self._lists = around, lists
        mark_box(blocks)
        yield from blocks

    def _paragraph(self, element: Any, reason: str) -> Iterator[Block]:
        name = value_of(element, "text:style-name")
        style = self._styles.paragraph(name, self._background)
        if name_of(element) == "text:h":
            level = integer(value_of(element, "text:outline-level"), 1)
            style = replace(style, level=max(1, min(level, MAX_LEVEL)))
        text = Text(reason)
        self._inline(element, text, style)
        text.end_script()
        style = text.looking(style)
        marks = self._marks(text, style)  # the items of lists are counted, with words or without
        is_code = style.name == "source code" and not is_prose("".join(text.parts))
        yield from text.blocks(style, marks, CODE if is_code else "")
        for box, is_hidden in text.boxes:
            yield from self._box(box, HIDDEN if is_hidden else reason)

    def _marks(self, text: Text, style: Style) -> Marks:
        """What lists, style and bold words say about a paragraph."""
        is_verse = style.name == "verse"
        return replace(
            self._lists.marks(),
            block="verse" if is_verse else "quotation" if style.name == "quotations" else "",
            head=text.head,
            breaks=tuple(text.breaks),
            keeps_lines=is_verse,
        )

    def _inline(self, paragraph: Any, text: Text, style: Style) -> None:
        stack: list[tuple[Any, Style]] = []
        _push_content(stack, paragraph, style)
        while stack:
            element, style = stack.pop()
            if isinstance(element, str):
                words = unsymbolic(element.translate(_LINE_ENDS), style.font)
                text.add(words, style)
                continue
            if element.tail:
                stack.append((element.tail, style))
            name = name_of(element)
            inner = self._style_of_run(element, style)
            if name and name not in _SKIPPED and not self._leaf(element, name, text, inner):
                _push_content(stack, element, inner)

    def _style_of_run(self, element: Any, style: Style) -> Style:
        if name := value_of(element, "text:style-name"):
            style = self._styles.run(name, style)
        is_hidden = value_of(element, "text:is-hidden") == "true"
        if is_hidden or value_of(element, "text:display") == "none":
            style = replace(style, is_vanished=True)
        return style

    def _leaf(self, element: Any, name: str, text: Text, style: Style) -> bool:
        """Add an element without elements that have text to be read; whether it is one."""
        if name in ("text:s", "text:tab"):
            count = integer(value_of(element, "text:c"), 1)
            text.add(" " * min(count, MAX_SPACES), style)
        elif name == "text:line-break":
            text.add("\n", style)
            text.end_script()
            text.breaks.append(text.length)
        elif name == "text:hidden-paragraph":
            text.reason = HIDDEN if style.is_vanished else text.reason
        elif name == "text:hidden-text":
            words = value_of(element, "text:string-value") or element.text or ""
            text.add(words.translate(_LINE_ENDS), style)
        elif name in _NAMES["asides"]:
            text.drop(_NAMES["asides"][name], self._words_beside(element) + " ")
        elif name in _SHAPES:
            self._shape(element, text, style)
        else:
            return False
        return True

    def _words_beside(self, element: Any) -> str:
        """The words of a note or a comment."""
        lists, self._lists = self._lists, Lists(self._styles)
        words = " ".join(one_line(one.text) for one in self.blocks(element))
        self._lists = lists
        return words

    def _shape(self, element: Any, text: Text, style: Style) -> None:
        """Add a formula, or note a shape with its text."""
        embedded = element.find(full("draw:object"))
        formula = None if embedded is None else self._formula(embedded)
        if formula is None:
            text.boxes.append((element, style.is_hidden))
            return
        if not (formula or style.is_hidden or style.is_struck):
            text.drop(FORMULA, FORMULA_MARK)
        text.add(formula or FORMULA_MARK, replace(style, script=""))


def _push_content(stack: list[tuple[Any, Style]], element: Any, style: Style) -> None:
    """Put what is in an element on a stack, the first on top."""
    stack += [(child, style) for child in reversed(element)]
    if element.text:
        stack.append((element.text, style))


def _is_hidden(element: Any, name: str) -> bool:
    """Whether a section or a row is not shown."""
    if name == "text:section":
        is_hidden = value_of(element, "text:is-hidden") == "true"
        return is_hidden or value_of(element, "text:display") == "none"
    return value_of(element, "table:visibility") in _NOT_SHOWN
