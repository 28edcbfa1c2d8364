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
    place = _Place(aside, before, size, following)
    for kind in (_kind_by_form(place), _kind_by_table(place), _kind_by_words(place)):
        if kind is not None:
            return kind
    return ""


@dataclass(frozen=True)
class _Place:
    """An aside where it stands."""

    aside: Aside
    before: Aside | None
    size: float  # of the running text
    following: Line | None  # the line after it

    @property
    def first(self) -> Line:
        """Its first line."""
        return self.aside.lines[0]

    @property
    def is_apart(self) -> bool:
        """Whether there is space between it and the line that follows."""
        line = self.following
        return line is not None and not 0 < line.gap <= 1.5 * line.size

    @property
    def is_low(self) -> bool:
        """Whether it is the last of the running text in the lower part of its column."""
        last, line = self.aside.lines[-1], self.following
        is_in_column = line is not None and (line.page, line.column) == (last.page, last.column)
        is_last = line is None or not is_in_column or line.size < 0.93 * self.size
        return self.first.y < 0.4 * self.first.height and is_last

    @property
    def is_code(self) -> bool:
        """Whether many of its characters are those of a program, and it has no cells."""
        text = self.aside.text
        signs = sum(map(_SIGNS.__contains__, text))
        return len(text) > 40 and not self.has_cells and signs > 0.1 * len(text.replace(" ", ""))

    @property
    def is_small_note(self) -> bool:
        """Whether it is short, and in smaller type than the text."""
        return self.first.size < 0.9 * self.size and len(self.aside.text.split()) < NOTE_WORDS

    @property
    def has_cells(self) -> bool:
        """Whether many of its lines have cells."""
        lines = self.aside.lines
        return sum(line.cells > 1 for line in lines) >= 0.3 * len(lines)


def _kind_by_form(place: _Place) -> str | None:
    """The kind of an aside whose beginning or lines say it."""
    if place.aside.is_rows:
        return "table or figure"
    if place.aside.is_caption:
        return "caption"
    if NOTICE.match(place.aside.text):
        return "notice"
    if FORMS["editor"].match(place.aside.text):
        return "footnote"
    if place.aside.is_foreign:
        return _foreign_kind(place)
    return "" if begins_back_matter(place.aside.text) else None


def _foreign_kind(place: _Place) -> str:
    """The kind of an aside in another font than the text."""
    if place.is_apart and place.following is not None and place.following.text[0].islower():
        return "caption"
    return "table or figure" if place.is_apart and not is_prose(place.aside.text) else ""


def _kind_by_table(place: _Place) -> str | None:
    """The kind of an aside that belongs to the table or figure before it; None for another one."""
    before, first = place.before, place.first
    if before is None or before.lines[-1].page != first.page:
        return None
    is_note = FORMS["table_note"].match(place.aside.text) is not None
    is_noted = is_note and before.kind in ("caption", "table or figure")
    is_below = before.lines[-1].column == first.column and _is_of_table(before, place)
    return "table or figure" if is_noted or is_below else None


def _is_of_table(before: Aside, place: _Place) -> bool:
    """Whether the aside before another one in its column is a table or its caption."""
    is_short = place.first.page > 1 and len(place.aside.text.split()) < NOTE_WORDS
    follows_table = is_short and before.kind == "table or figure"
    return follows_table or before.is_caption or _is_table(before)


def _is_table(aside: Aside) -> bool:
    is_named = FORMS["table"].match(aside.lines[0].text) is not None
    return is_named or sum(line.cells > 1 for line in aside.lines) > 1


def _kind_by_words(place: _Place) -> str:
    """The kind of an aside by what it says and where it stands on its page."""
    text = place.aside.text
    if place.first.page <= FRONT_PAGES and _is_address(text):
        return "affiliation"
    if place.is_code:
        return "code"
    if FORMS["marked"].match(text) and place.is_low:
        return "footnote"
    if place.has_cells or not is_prose(text):
        return "table or figure"
    return "footnote" if place.is_low and place.is_small_note else ""


def _is_address(text: str) -> bool:
    """Whether a text is authors' addresses."""
    words = text.split()
    if FORMS["e_mail"].search(text) and len(words) < NOTE_WORDS:
        return True
    names = sum(word[:1].isupper() for word in words)
    return FORMS["affiliation"].match(text) is not None and names > 0.3 * len(words)
