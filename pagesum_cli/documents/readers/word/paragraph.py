"""Paragraphs of word processors: their words and looks, and why some are no text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ....text.scripts import subscript, superscript
from ....text.tables import patterns
from ...article.wording import is_prose
from ...marked import NO_MARKS, Marks
from ...model import HIDDEN
from ...notes import FORMULA
from .styles import Script, Style

_FORMS = patterns(__file__, "word.toml")

# share of a table's words in prose from which on it is no table, but text laid out in cells
LAYOUT_SHARE = 0.5
MAX_BEFORE = 100  # characters before the number of a reference that are looked at
STRUCK, MARK = "struck out", "mark"  # reasons why words of a paragraph are left out


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of a paragraph in a table."""

    table: object  # what stands for the table
    row: int
    column: int


@dataclass(slots=True)
class Block:
    """A paragraph or a heading."""

    text: str  # its words, with line ends
    style: Style  # its style, its own properties included; bold and size are those of most letters
    reason: str = ""  # why it is no text; empty for text
    is_guess: bool = False  # whether it is a heading by its looks only
    marks: Marks = NO_MARKS
    cell: Cell | None = None  # where it is in a table, if that is known


@dataclass
class Text:
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

    def looking(self, style: Style) -> Style:
        """The style of the whole paragraph: bold and size are those of most letters."""
        sizes: Counter[int] = Counter()
        for (_, size), letters in self.looks.items():
            sizes[size] += letters
        bold = sum(letters for (is_bold, _), letters in self.looks.items() if is_bold)
        size = sizes.most_common(1)[0][0] if sizes else style.size
        return replace(style, bold=bold > 0.9 * sizes.total(), size=size)

    def blocks(self, style: Style, marks: Marks, reason: str = "") -> Iterator[Block]:
        """The paragraph in the style of the whole, and the words that are left out of it."""
        words = "".join(self.parts)
        if words.strip():
            yield Block(words, style, self.reason or reason, marks=marks)
        for why, dropped in self.dropped:
            if dropped.strip():
                yield Block(dropped, replace(style, level=0), why)

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


def mark_table(blocks: Sequence[Block]) -> None:
    """Mark the blocks of a table as such; what is prose in one for layout is text."""
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


def mark_box(blocks: Sequence[Block]) -> None:
    """Mark the blocks of a text box as such, unless it has prose; captions are known as such."""
    if is_prose(" ".join(one.text for one in blocks)):
        return
    for one in blocks:
        one.reason = one.reason or ("" if one.style.name == "caption" else "text box")
