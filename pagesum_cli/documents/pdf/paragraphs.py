"""Lines of a PDF → paragraphs."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from ..amendments import ends_amendment, is_amendment
from ..article.back_matter import NOTICE, SHORT, begins_back_matter, is_back_matter
from ..article.divisions import number_of
from ..article.wording import CAPTION, ends_sentence
from ..model import Paragraph
from .asides import FRONT_PAGES, Aside, kind_of
from .fonts import family, is_monospaced
from .headings import Body
from .joined_lines import BEGINNING, JoinedLines
from .lines import Line
from .patterns import FORMS
from .runs import Dropped
from .table_rows import rows_of

_place = attrgetter("page", "column", "size")

FOOT = 0.15  # share of the height of a page, at its foot, where addresses with e-mail stand
FULL_LINES = 5
"""Full lines of smaller type, more than those of the document's size, make it the running text of a
section.
"""


def paragraphs_of(
    lines: Sequence[Line],
    body: Body,
    dropped: Dropped,
    following: Line | None = None,
    *,
    heading: str | None = "",
) -> list[Paragraph]:
    """Lines of a section → paragraphs. Captions, notes, and the insides of tables and figures are
    left out.

    ``following`` is the line after them; ``heading`` is None for the lines before the first
    heading.
    """
    size = body.size if heading is None else _text_size(lines, body.size)
    if (
        heading
        and is_back_matter(heading)
        and sum(len(line.text.split()) for line in lines) < SHORT
    ):
        # "None.", in smaller type
        size = min(size, *(line.size for line in lines)) if lines else size
    builder = _Builder(body, size, dropped)
    for line in lines:
        if line.is_in_margin:
            dropped.add("heading in the margin", line.text, line.page)
        else:
            builder.add(line)
    return builder.paragraphs(following)


def _text_size(lines: Sequence[Line], size: float) -> float:
    """The size of a section's running text: smaller than the document's if most of its full lines
    are.
    """
    counts: Counter[float] = Counter()
    caption: Line | None = None
    for line in lines:
        if CAPTION.match(line.text):
            caption = line
        elif caption is not None and _place(line) != _place(caption):
            caption = None
        if (
            caption is None
            and line.cells == 1
            and line.x1 - line.x0 > 0.85 * line.width
            and line.letters > 20
        ):
            counts[line.size] += 1
    if not counts:
        return size
    common, count = counts.most_common(1)[0]
    same = sum(number for other, number in counts.items() if other >= 0.97 * size)
    return min(size, common) if count >= FULL_LINES and count > same else size


def is_list_item(text: str) -> bool:
    """Whether a text begins like an item of a list."""
    return (FORMS["bullet"].match(text) or FORMS["numbered_item"].match(text)) is not None


def _is_short(line: Line) -> bool:
    """Whether a line ends before the others of its column, as the last of a paragraph does."""
    room = max(0.03 * line.width, line.size) if line.is_justified else 0.1 * line.width
    return line.x1 < line.right - room


def _is_inside_margin(line: Line) -> bool:
    """Whether a line begins to the right of its column's left edge."""
    return line.x0 > line.left + 0.7 * line.size


def _spelled_number(text: str) -> int | None:
    """The number in words at the end of a text; None where there is none."""
    *_, word = text.split() or [""]
    return None if word[-1:].isdecimal() else number_of(word)


def _begins_inside_sentence(line: Line) -> bool:
    """Whether a line begins like the middle of a sentence."""
    return line.text[0].islower() or FORMS["in_brackets"].match(line.text) is not None


def _is_ended(line: Line) -> bool:
    """Whether a sentence ends with a line; not if the line is full and ends with the label of what
    is in the next one: "… and Lee. Absent:".
    """
    is_label = FORMS["label_at_end"].search(line.text) is not None
    return ends_sentence(line.text) and (_is_short(line) or not is_label)


def _is_title_of(last: Line, line: Line) -> bool:
    """Whether a line in bold is the title of the text in the next one."""
    return last.all_bold and not line.bold and line.lead == 0 and line.text[0].isupper()


def _begins_back_matter(line: Line, is_below_end: bool) -> bool:
    """Whether acknowledgments or the like begin below the end of a sentence or paragraph."""
    return is_below_end and begins_back_matter(line.text)


class _Builder:
    """Builds paragraphs line by line; prose in smaller type waits until the paragraph it interrupts
    is complete.
    """

    def __init__(self, body: Body, size: float, dropped: Dropped, *, is_box: bool = False) -> None:
        self._body, self._size, self._dropped, self._is_box = body, size, dropped, is_box
        self._box: list[Line] = []  # lines of a box, if the last one was in it
        self._done: list[Paragraph] = []
        self._text = JoinedLines()
        self._last: Line | None = None
        self._interrupted = ""  # what is left out since the last line
        self._waiting: list[Paragraph] = []
        self._aside: Aside | None = None
        self._before: Aside | None = None  # the aside above it, if nothing else is between
        self._is_captioned = False  # whether that is a caption

    def add(self, line: Line) -> None:
        """Add a line to the running text or to what interrupts it, or drop it."""
        if line.is_boxed and not self._is_box:
            self._add_to_box(line)
            return
        self._end_box()
        if FORMS["skipped_line"].match(line.text):
            self._dropped.add("link or ornament", line.text, line.page)
            return
        if self._is_code(line):
            self._drop("code", line)
            return
        if line.is_row:
            self._add_row(line)
        elif self._add_to_aside(line):
            return
        elif self._is_of_table_or_figure(line):
            self._drop("table or figure", line)
        else:
            self._add_text(line)

    def _add_to_box(self, line: Line) -> None:
        """Add a line to a box; each cell of a table of text is one of its own."""
        self._end_aside(line)
        if line.is_cell and self._box and self._box[-1].column != line.column:
            self._end_box()
        self._box.append(line)

    def _add_row(self, line: Line) -> None:
        """Add a row of a table."""
        aside = self._aside
        if aside is None or not aside.is_rows or aside.lines[-1].is_entry != line.is_entry:
            self._end_aside(line)
            aside = self._aside = Aside(is_rows=True)
        aside.lines.append(line)

    def _add_to_aside(self, line: Line) -> bool:
        """Add a line to what interrupts the running text; False if it does not belong there."""
        aside = self._aside_before(line)
        begins = self._begins_aside(line)
        is_foreign = not begins and self._is_foreign(line)
        if begins or is_foreign or self._is_small(line):
            if aside is None or begins:
                self._end_aside(line)
                aside = self._aside = Aside(is_foreign=is_foreign)
        elif aside is None or not (self._is_smaller(line) or aside.is_caption_continued_by(line)):
            return False
        aside.lines.append(line)
        return True

    def _aside_before(self, line: Line) -> Aside | None:
        """What interrupts the running text above a line, if the line may continue it."""
        aside = self._aside
        return aside if aside is not None and aside.is_continued_by(line) else None

    def _begins_aside(self, line: Line) -> bool:
        """Whether a caption, a notice or addresses begin."""
        return self._is_caption(line) or (
            self._is_smaller(line) and (bool(NOTICE.match(line.text)) or self._is_address(line))
        )

    def _is_small(self, line: Line) -> bool:
        """Whether a line is in smaller type than any of the running text."""
        return line.size < 0.93 * self._size

    def _is_smaller(self, line: Line) -> bool:
        """Whether a line is in slightly smaller type, which lines of running text may be, too."""
        return line.size < 0.97 * self._size

    def _add_text(self, line: Line) -> None:
        """Add a line to the running text."""
        self._end_aside(line)
        self._before = None
        if self._last is not None and self._is_new(line, self._last):
            self._end_text()
        self._text.add(line, self._body.words)
        self._last, self._interrupted = line, ""

    def paragraphs(self, following: Line | None) -> list[Paragraph]:
        """All paragraphs."""
        self._end_box()
        self._end_aside(following)
        self._end_text()
        return self._done

    def _drop_aside(self, aside: Aside) -> None:
        """Leave an aside out, a table by rows."""
        if aside.is_rows:
            self._drop_rows(aside)
        else:
            for line in aside.lines:
                self._dropped.add(aside.kind, line.text, line.page)
        self._interrupted = aside.kind

    def _drop_rows(self, aside: Aside) -> None:
        """Leave a table out, as one group whose first row says what the others are; the entries
        of a list with values are paragraphs, too.
        """
        rows = list(rows_of(aside.lines))
        first = aside.lines[0]
        if all(line.is_entry for line in aside.lines) and not self._is_captioned:
            self._dropped.add_rows([row.text for row in rows], first.page)
            self._end_text()
            self._done += (row.paragraph for row in rows)
            self._last = None
            return
        table = (first.page, first.column, first.y)
        for row in rows:
            self._dropped.add(aside.kind, row.text, row.lines[0].page, table)

    def _drop(self, reason: str, line: Line) -> None:
        """Leave a single line out."""
        self._end_aside(line)
        self._dropped.add(reason, line.text, line.page)
        self._interrupted = reason

    def _end_box(self) -> None:
        """Read the text of a box: it waits until the paragraph that it interrupts is complete."""
        if self._box:
            letters: Counter[float] = Counter()
            for line in self._box:
                letters[line.size] += line.letters
            size = min(self._size, letters.most_common(1)[0][0])
            inside = _Builder(self._body, size, self._dropped, is_box=True)
            for line in self._box:
                inside.add(line)
            self._waiting += inside.paragraphs(None)
            self._box, self._interrupted = [], "box"

    def _is_code(self, line: Line) -> bool:
        """Whether a line is one of a program, not of a sentence that names something of it."""
        is_mono = is_monospaced(line.font) and not is_monospaced(self._body.font)
        return is_mono and (self._is_smaller(line) or not self._goes_on(line))

    def _is_caption(self, line: Line) -> bool:
        """Whether a caption begins, not a line of a sentence: "… as in" / "Table 2. The …"."""
        if not CAPTION.match(line.text):
            return False
        if (
            self._last is not None
            and FORMS["names_next"].search(self._last.text[-20:])
            and self._goes_on(line)
        ):
            return False
        stands_out = line.lead > 0 or line.bold or self._is_smaller(line)
        return stands_out or not self._goes_on(line)

    def _is_address(self, line: Line) -> bool:
        """Whether authors' addresses begin below the text of the first pages, nearly as large as
        it.
        """
        if line.page > FRONT_PAGES or self._aside is not None:
            return False
        if family(line.font) == family(self._body.font):
            return False
        if line.y < FOOT * line.height and FORMS["e_mail"].search(line.text):
            return True
        is_named = FORMS["affiliation"].match(line.text) or FORMS["marked"].match(line.text)
        return line.gap > 1.6 * line.size and is_named is not None

    def _goes_on(self, line: Line) -> bool:
        """Whether the line above is full and its sentence is not complete."""
        last = self._last
        return (
            last is not None
            and self._aside is None
            and (last.page, last.column) == (line.page, line.column)
            and 0 < line.gap < max(1.75 * line.size, 1.3 * self._leading(line))
            and not ends_sentence(last.text)
            and last.x1 > last.right - 0.1 * last.width
        )

    def _is_foreign(self, line: Line) -> bool:
        """Whether a line in another font stands where a sentence should go on: a caption without a
        label.
        """
        last = self._last
        return (
            last is not None
            and self._aside is None
            and not self._is_small(line)
            and family(line.font) not in (family(last.font), family(self._body.font))
            and ((line.page, line.column) != (last.page, last.column) or line.gap > 1.5 * line.size)
            and not ends_sentence(last.text)
            and last.x1 > last.right - 0.1 * last.width
            and line.text[0].isupper()
        )

    def _is_of_table_or_figure(self, line: Line) -> bool:
        return (line.cells >= 3 and not self._goes_on(line)) or self._is_debris(line)

    def _is_debris(self, line: Line) -> bool:
        """Whether a line is numbers and labels of tables and figures, not the end of a sentence:
        "2019).\"
        """
        is_odd = (
            line.letters < 0.4 * len(line.text.replace(" ", ""))
            and line.x1 - line.x0 < 0.5 * line.width
        )
        return is_odd and not (self._goes_on(line) or self._is_needed(line))

    def _is_needed(self, line: Line) -> bool:
        """Whether a line of numbers right below another one completes it, or is a date with its
        label.
        """
        last = self._last
        if last is None or (last.page, last.column) != (line.page, line.column):
            return False
        is_below = self._aside is None and 0 < line.gap < 1.45 * line.size
        is_left_open = FORMS["left_open"].search(last.text[-20:]) is not None
        return is_below and (is_left_open or bool(FORMS["labelled_date"].match(line.text)))

    def _is_new(self, line: Line, last: Line) -> bool:
        """Whether a line begins a paragraph, or a note on an amendment does or ends there."""
        has_note = is_amendment(last.text) or is_amendment(line.text)
        is_after = ends_amendment(last.text) and not line.text[0].islower()
        return has_note or is_after or self._begins_paragraph(line, last)

    def _begins_paragraph(self, line: Line, last: Line) -> bool:
        is_short = _is_short(last)
        ended = _is_ended(last)
        if self._begins_item(line, last, ended) or _begins_back_matter(line, ended or is_short):
            return True
        is_indented = self._is_indented(line, last)
        is_shaped = is_indented or is_short
        if (line.page, line.column) != (last.page, last.column):
            return ended and is_shaped and not line.text[0].islower()
        if not ended:
            return self._breaks_sentence(line, last, is_short, is_indented)
        return is_shaped or line.gap > min(1.3 * self._leading(line), self._gap(line))

    def _begins_item(self, line: Line, last: Line, ended: bool) -> bool:
        """Whether a line begins an item of a list or a part of a box, or follows a program."""
        # "… you can write"
        is_after_code = self._interrupted == "code" and not ended and line.text[0].isupper()
        return (
            is_after_code
            or FORMS["bullet"].match(line.text) is not None
            or (self._is_box and line.bold != last.bold)
            or self._begins_numbered_item(line, last, ended)
        )

    def _begins_numbered_item(self, line: Line, last: Line, ended: bool) -> bool:
        # "(see Fig." / "7) and"
        closes = line.text[0] != "(" and last.text.rfind("(") > last.text.rfind(")")
        if FORMS["clause"].match(line.text):
            return ended or line.x0 < last.x0 - line.size
        form = FORMS["numbered_item" if line.cells == 1 else "item_apart"]
        if closes or not form.match(line.text):
            return False
        is_expected = is_list_item(self._text.beginning) or FORMS["before_item"].search(last.text)
        return ended or (bool(is_expected) and self._is_next_label(line, last))

    def _is_next_label(self, line: Line, last: Line) -> bool:
        """Whether a label may be one where no sentence ends: "(5)" not after "five", but as the
        first of its series or after the label "(4)" of this section, or after a comma or the like.
        """
        label = FORMS["bracketed_number"].match(line.text)
        if label is None:
            return True
        number = int(label["number"])
        if _spelled_number(last.text) == number:
            return False
        if number == 1 or FORMS["before_item"].search(last.text):
            return True
        texts = (self._text.beginning, *(one.text[:BEGINNING] for one in reversed(self._done)))
        return any(f"({number - 1})" in text or text.startswith(f"{number - 1})") for text in texts)

    def _breaks_sentence(self, line: Line, last: Line, is_short: bool, is_indented: bool) -> bool:
        """Whether a paragraph begins although the sentence above is not complete, as a title's.

        Below a full line, an indent alone begins none: it is a hanging one.
        """
        if self._is_inside(line, last):
            return False
        if is_short and _is_title_of(last, line):
            return True
        if self._is_alike_and_near(line, last) and not is_short and not is_indented:
            return False
        is_first = is_short and is_indented and not _is_inside_margin(last)
        return is_first or line.gap > self._gap(line)

    def _is_inside(self, line: Line, last: Line) -> bool:
        """Whether a line begins like the middle of a sentence, or is right below one that ends with
        a preposition or the like.
        """
        if _begins_inside_sentence(line):
            return True
        return FORMS["ends_inside"].search(last.text) is not None and line.gap <= self._gap(line)

    def _is_alike_and_near(self, line: Line, last: Line) -> bool:
        """Whether a line looks like the last one, and only a float or a formula is between them."""
        is_near = bool(self._interrupted) or line.gap < 3 * line.size
        return is_near and (line.size, line.font) == (last.size, last.font)

    def _gap(self, line: Line) -> float:
        """The distance of baselines above which a line is not the next of the same paragraph."""
        return max(1.75 * line.size, 1.2 * self._leading(line))

    def _leading(self, line: Line) -> float:
        """The usual distance of baselines in the size of a line."""
        return (self._body.leading or 1.2 * self._body.size) * line.size / self._body.size

    def _is_indented(self, line: Line, last: Line) -> bool:
        """Whether a line begins like a paragraph: not like all lines of an item, or of a quote, but
        its first.
        """
        if not line.left + 0.7 * line.size < line.x0 < line.left + 0.25 * line.width:
            return False
        is_same = (line.page, line.column) == (last.page, last.column) and abs(
            line.x0 - last.x0
        ) <= 1
        if self._text.line_count == 1 and line.x0 > self._text.x0 + 0.3 * line.size:
            return not is_list_item(self._text.beginning)
        return not (is_same and self._text.line_count > 1)

    def _end_text(self) -> None:
        self._done += self._text.paragraph() + self._waiting
        self._text, self._waiting = JoinedLines(), []

    def _end_aside(self, following: Line | None) -> None:
        """Read or drop what interrupts the text before the following line."""
        aside = self._aside
        if aside is None:
            return
        self._aside = None
        kind = aside.kind = kind_of(aside, self._before, self._size, following)
        self._is_captioned = self._before is not None and self._before.is_caption
        self._before = aside
        if not kind and aside.is_foreign:  # only another font
            for line in aside.lines:
                self._text.add(line, self._body.words)
            self._last = aside.lines[-1]
            return
        if kind:
            self._drop_aside(aside)
            return
        text = JoinedLines()
        last: Line | None = None
        for line in aside.lines:
            if last is not None and (line.bold != last.bold or line.gap > 1.75 * line.size):
                self._waiting += text.paragraph()
                text = JoinedLines()
            text.add(line, self._body.words)
            last = line
        self._waiting += text.paragraph()
