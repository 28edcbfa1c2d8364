"""What interrupts the running text of a PDF: captions, tables, the insides of figures, notes,
addresses.
"""

from dataclasses import dataclass, field

from ..article.back_matter import NOTICE, begins_back_matter
from ..article.wording import CAPTION, ends_sentence, is_prose
from .fonts import family
from .lines import Line
from .patterns import FORMS

FRONT_PAGES = 2  # pages on which authors' addresses stand
NOTE_WORDS = 120  # words of a footnote without a mark

_SIGNS = frozenset("{}()[]=;:_#<>@|&\\\"'/+*")
"""A tenth of the characters of a program; hardly any of a text's."""


@dataclass
class Aside:
    """Lines one under another that are set in smaller type, or begin like a caption."""

    lines: list[Line] = field(default_factory=list)  # one or more, once it is used
    # whether it is in another font than the running text that it interrupts
    is_foreign: bool = False
    is_rows: bool = False  # whether it is made of rows of a table
    kind: str = ""  # see :func:`kind_of`

    @property
    def text(self) -> str:
        """Its text."""
        return " ".join(line.text for line in self.lines)

    @property
    def is_caption(self) -> bool:
        """Whether it begins like the caption of a figure or a table."""
        return bool(CAPTION.match(self.lines[0].text))

    def is_continued_by(self, line: Line) -> bool:
        """Whether a line is next to it and in its size, or goes on with its sentence in the next
        column.
        """
        last = self.lines[-1]
        if (line.page, line.column) != (last.page, last.column):
            goes_on = line.text[0].islower() or last.text.endswith("-")
            is_full = last.x1 > last.right - 0.1 * last.width
            if self.is_caption and len(self.lines) == 1 and not last.text.endswith("-"):
                return False  # its own column is as wide as it is
            return goes_on and is_full and line.style == last.style and not ends_sentence(last.text)
        return abs(line.size - last.size) < 0.6 and 0 < line.gap < 1.6 * line.size

    def is_caption_continued_by(self, line: Line) -> bool:
        """Whether a line in the size of the running text belongs to this caption."""
        last = self.lines[-1]
        if self.is_foreign:
            return family(line.font) == family(last.font)
        return self.is_caption and line.gap < (
            1.25 * last.gap if len(self.lines) > 1 else 1.45 * line.size
        )


def kind_of(aside: Aside, before: Aside | None, size: float, following: Line | None) -> str:
    """Why an aside is left out, which comes directly after the one ``before``; empty for prose that
    is read.
    """
    if aside.is_rows:
        return "table or figure"
    first, last, text = aside.lines[0], aside.lines[-1], aside.text
    if aside.is_caption:
        return "caption"
    if NOTICE.match(text):
        return "notice"
    if aside.is_foreign:
        is_apart = following is not None and not 0 < following.gap <= 1.5 * following.size
        if is_apart and following is not None and following.text[0].islower():
            return "caption"
        return "table or figure" if is_apart and not is_prose(text) else ""
    if begins_back_matter(text):
        return ""
    words = len(text.split())
    on_page = before is not None and before.lines[-1].page == first.page
    if (
        on_page
        and before is not None
        and before.kind in ("caption", "table or figure")
        and FORMS["table_note"].match(text)
    ):
        return "table or figure"
    if before is not None and (before.lines[-1].page, before.lines[-1].column) == (
        first.page,
        first.column,
    ):
        follows_table = before.kind == "table or figure" and first.page > 1 and words < NOTE_WORDS
        is_table = (
            FORMS["table"].match(before.lines[0].text)
            or sum(line.cells > 1 for line in before.lines) > 1
        )
        if before.is_caption or is_table or follows_table:
            return "table or figure"
    if first.page <= FRONT_PAGES and _is_address(text):
        return "affiliation"
    is_last = (
        following is None
        or (following.page, following.column) != (last.page, last.column)
        or following.size < 0.93 * size
    )
    low = first.y < 0.4 * first.height and is_last
    has_cells = sum(line.cells > 1 for line in aside.lines) >= 0.3 * len(aside.lines)
    if (
        len(text) > 40
        and not has_cells
        and sum(map(_SIGNS.__contains__, text)) > 0.1 * len(text.replace(" ", ""))
    ):
        return "code"
    prose = is_prose(text) and not has_cells
    if FORMS["marked"].match(text) and (low or not prose):
        return "footnote" if prose or low else "table or figure"
    if not prose:
        return "table or figure"
    return "footnote" if low and first.size < 0.9 * size and words < NOTE_WORDS else ""


def _is_address(text: str) -> bool:
    """Whether a text is authors' addresses."""
    words = text.split()
    if FORMS["e_mail"].search(text) and len(words) < NOTE_WORDS:
        return True
    names = sum(word[:1].isupper() for word in words)
    return FORMS["affiliation"].match(text) is not None and names > 0.3 * len(words)
