"""Lines of a PDF → paragraphs."""

import re
from collections.abc import Sequence

from ..document import Paragraph
from .body import Body
from .dropped import Dropped
from .hyphens import Words
from .lines import Line
from .patterns import BOILERPLATE, CAPTION, TERMINAL, is_prose

_SKIPPED = re.compile(r"^(?:https?://\S+|doi:\S+|\W+|page \d+ of \d+)$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^)]{5}")
"""Words in brackets, where ``(1)`` or ``(viii)`` numbers an item of a list."""


BEGINNING = 200
"""Characters at the beginning and at the end of a paragraph that tell how it goes on."""


def paragraphs_of(lines: Sequence[Line], body: Body, dropped: Dropped) -> list[Paragraph]:
    """Lines → paragraphs; captions and notes after the paragraph they interrupt, the insides of tables left out.

    Args:
        lines: The lines of a section.
        body: The body text.
        dropped: Collects what is left out.
    """
    builder = _Builder(body, dropped)
    for line in lines:
        builder.add(line)
    return builder.paragraphs()


class _Text:
    """A paragraph under construction."""

    def __init__(self) -> None:
        self.starts: list[tuple[int, int]] = []
        self.beginning = ""
        self._parts: list[str] = []
        self._length = 0
        self._tail = ""

    def add(self, line: Line, words: Words) -> None:
        """Add a line; a word broken at the end of the line before is mended, unless it is written with a hyphen."""
        text, after = self._tail, line.text
        joint = words.joint(text, after) if text.endswith("-") and after[:1].islower() else None
        if joint is not None:
            self._parts[-1] = self._parts[-1][:-1]
            self._length -= 1
            self._tail = text[:-1]
            self._append(joint)
        elif text and not text.endswith(("/", "–", "—")) and not (text[-1] == "-" and text[-2:-1].isalnum()):
            self._append(" ")
        if not self.starts or self.starts[-1][1] != line.page:
            self.starts.append((self._length, line.page))
        self._append(after)
        if len(self.beginning) < BEGINNING:
            self.beginning = f"{self.beginning} {after}" if self.beginning else after

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._tail = (self._tail + text)[-BEGINNING:]

    def paragraph(self) -> list[Paragraph]:
        """The paragraph, if it has words."""
        text = "".join(self._parts)
        return [Paragraph(text, tuple(self.starts))] if text.strip() else []


class _Builder:
    """Builds paragraphs line by line; captions and notes wait until the paragraph they interrupt is complete."""

    def __init__(self, body: Body, dropped: Dropped) -> None:
        self._body, self._dropped = body, dropped
        self._done: list[Paragraph] = []
        self._text = _Text()
        self._last: Line | None = None
        self._waiting: list[Paragraph] = []
        self._aside: _Text | None = None  # a caption or a note
        self._last_aside: Line | None = None

    def add(self, line: Line) -> None:
        """Add a line to the running text or to the caption beside it, or drop it."""
        if _SKIPPED.match(line.text):
            self._dropped.add("link or ornament", line.text, line.page)
            return
        size = self._body.size
        is_caption = bool(CAPTION.match(line.text)) and (
            line.lead > 0 or line.size < 0.97 * size or line.bold or line.gap == 0 or line.gap > 1.5 * line.size
        )
        continues = self._continues_aside(line)
        if is_caption or line.size < 0.93 * size or (continues and line.size < 0.97 * size):
            if not continues or is_caption or self._aside is None:
                self._end_aside()
                self._aside = _Text()
            if line.cells <= 2:
                self._aside.add(line, self._body.words)
            else:
                self._dropped.add("table, figure or note", line.text, line.page)
            self._last_aside = line
        elif continues and self._is_caption_continued(line) and self._aside is not None:
            self._aside.add(line, self._body.words)
            self._last_aside = line
        else:
            self._end_aside()
            if line.cells >= 3 or _is_debris(line):
                self._dropped.add("table, figure or note", line.text, line.page)
                return
            if self._last is not None and _begins_paragraph(line, self._last):
                self._end_text()
            self._text.add(line, self._body.words)
            self._last = line

    def paragraphs(self) -> list[Paragraph]:
        """All paragraphs, but for publishers' notices."""
        self._end_aside()
        self._end_text()
        kept = []
        for paragraph in self._done:
            if BOILERPLATE.match(paragraph.text):
                self._dropped.add("notice", paragraph.text, paragraph.page_starts[0][1])
            else:
                kept.append(paragraph)
        return kept

    def _continues_aside(self, line: Line) -> bool:
        last = self._last_aside
        return (
            self._aside is not None
            and last is not None
            and line.column == last.column
            and line.page == last.page
            and abs(line.size - last.size) < 0.6
            and 0 < line.gap < 1.6 * line.size
        )

    def _is_caption_continued(self, line: Line) -> bool:
        last = self._last_aside
        is_caption = self._aside is not None and bool(CAPTION.match(self._aside.beginning))
        return is_caption and last is not None and bool(last.gap) and line.gap < 1.25 * last.gap

    def _end_text(self) -> None:
        self._done += self._text.paragraph() + self._waiting
        self._text, self._waiting = _Text(), []

    def _end_aside(self) -> None:
        for paragraph in self._aside.paragraph() if self._aside is not None else ():
            if is_prose(paragraph.text) or CAPTION.match(paragraph.text):
                self._waiting.append(paragraph)
            else:
                self._dropped.add("table, figure or note", paragraph.text, paragraph.page_starts[0][1])
        self._aside = None


def _is_debris(line: Line) -> bool:
    """Whether a line is numbers and labels of tables and figures."""
    return line.letters < 0.4 * len(line.text.replace(" ", "")) and line.x1 - line.x0 < 0.5 * line.width


def _begins_paragraph(line: Line, last: Line) -> bool:
    indented = line.left + 0.7 * line.size < line.x0 < line.left + 0.25 * line.width
    ended = bool(TERMINAL.search(last.text))
    short = last.x1 < last.right - 0.1 * last.width
    if (line.page, line.column) != (last.page, last.column):
        return ended and (indented or short) and not line.text[0].islower()
    if not ended and (line.text[0].islower() or _IN_BRACKETS.match(line.text)):
        return False
    was_indented = last.x0 > last.left + 0.7 * last.size
    return (indented and not was_indented) or (ended and short) or line.gap > 1.75 * line.size or (indented and ended)
