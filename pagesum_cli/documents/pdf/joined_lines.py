"""A paragraph of a PDF under construction, line by line."""

from ..boxes import Corners, pack
from ..model import Paragraph
from .hyphens import Words, is_broken_address
from .lines import Line
from .patterns import FORMS
from .segments import BREAK

# characters at the beginning and at the end of a paragraph that tell how it goes on
BEGINNING = 200


class JoinedLines:
    """The lines of a paragraph as one text."""

    def __init__(self) -> None:
        self._starts: list[tuple[int, int, Corners]] = []  # offset, page and box of each line
        self.beginning = ""
        self.x0 = 0.0  # of its first line
        self._parts: list[str] = []
        self._length = 0
        self._tail = ""

    def add(self, line: Line, words: Words) -> None:
        """Add a line; a word broken at the end of the line before is mended, unless it is written
        with a hyphen.
        """
        text, after = self._tail, line.text
        self.x0 = line.x0 if not self._starts else self.x0
        if not is_broken_address(text, after):
            self._join(text, after, words)
        elif text.endswith(BREAK):
            self._remove_last()
        self._starts.append((self._length, line.page, line.box))
        self._append(after)
        if len(self.beginning) < BEGINNING:
            self.beginning = f"{self.beginning} {after}" if self.beginning else after

    def _join(self, text: str, after: str, words: Words) -> None:
        """Mend a broken word, or add a space, between the end of a line and the next one."""
        joint = words.joint(text, after) if text.endswith("-") else None
        if joint is not None:
            self._remove_last()
            self._append(joint)
        elif text.endswith(BREAK):
            self._remove_last()
        elif text and not FORMS["joined"].search(text[-2:]) and not _is_number(text, after):
            self._append(" ")

    @property
    def line_count(self) -> int:
        """Number of its lines."""
        return len(self._starts)

    def _remove_last(self) -> None:
        self._parts[-1] = self._parts[-1][:-1]
        self._length -= 1
        self._tail = self._tail[:-1]

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._tail = (self._tail + text)[-BEGINNING:]

    def paragraph(self) -> list[Paragraph]:
        """The paragraph, if it has words."""
        text = "".join(self._parts).removesuffix(BREAK)
        if not text.strip():
            return []
        pages: dict[int, int] = {}
        for offset, page, _ in self._starts:
            pages.setdefault(page, offset)
        starts = tuple((offset, page) for page, offset in pages.items())
        return [Paragraph(text, starts, line_boxes=pack(self._starts))]


def _is_number(text: str, after: str) -> bool:
    """Whether a line ends after the point of a number that goes on in the next one."""
    head = FORMS["decimal_head"].search(text)
    return head is not None and FORMS["decimal_tail"].match(after) is not None
