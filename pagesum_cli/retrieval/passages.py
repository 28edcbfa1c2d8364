"""A document → its passages: sentences and table rows, each with its place."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..documents.article.building import cells_of_row
from ..documents.boxes import LineBox, boxes_in, placed_paragraphs
from ..documents.model import Document, Section, Sentence
from ..documents.sentences import sentence_numbers, sentences_of
from ..summary.openings import opening_of
from ..text.announcements import announced
from .forms import is_label, is_pointer, opens
from .limits import with_limits
from .marks import TimeMarks
from .others import form_by_place
from .rows import LONGEST_ROW, rows_in, shown
from .store import Entry
from .values import values_of
from .votes import Motions

SENTENCE, ROW = "sentence", "table row"
LONGEST_NAME = 1  # word with a colon that is shown before what follows
PATH = " › "  # separates the headings above a passage


@dataclass(frozen=True)
class Passage:
    """A sentence or a table row that may answer a question."""

    text: str
    kind: str  # :data:`SENTENCE` or :data:`ROW`
    section: str = ""  # the heading of its section
    headings: str = ""  # that and the headings above it
    pdf_pages: tuple[int, ...] = ()
    page_labels: tuple[str, ...] = ()  # the numbers printed on them; empty if not known
    # offsets in the document's text; -1 for a table row, which is not part of it
    start: int = -1
    end: int = -1
    opening: str = ""  # what is shown before it: its label, what it completes, who says it
    time: float | None = None  # of a recording, when it is spoken, in seconds
    lines: tuple[int, int] | None = None  # of plain text, its first and last line
    boxes: tuple[LineBox, ...] = ()  # where its lines stand on PDF pages
    source_file: str = ""  # of a document in several files, the one that its lines are in
    paragraph: str = ""  # of a document that counts its paragraphs, the number
    sentence_number: int | None = None  # if nothing else names its place
    motion: str = ""  # of a vote, the motion at the beginning of its opening
    heads: tuple[str, ...] = ()  # of a table row, the heads of its columns; empty if not known
    table: str = ""  # of a table row, the name of its table; empty if not known

    @property
    def shown(self) -> str:
        """Its text; that of a table row with the heads of its columns."""
        return shown(self.text, self.heads)

    @property
    def entry(self) -> Entry:
        """The passage as the store keeps it."""
        fields = {key: value for key, value in vars(self).items() if value not in ((), "", None)}
        fields["boxes"] = [list(vars(one).values()) for one in self.boxes]
        data = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
        # a motion is a passage of its own; in this one its words count like those of a heading
        body = self.opening.removeprefix(self.motion) + self.text
        heading = f"{self.headings} {self.motion}".strip()
        return Entry(body, heading, data, values_of(body), form_by_place(self.text, self.headings))

    @classmethod
    def from_data(cls, data: str) -> "Passage":
        """The passage that an entry was made from."""
        fields = json.loads(data)
        lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
        boxes = tuple(LineBox(*corners) for corners in fields["boxes"])
        return cls(**{**fields, **lists, "boxes": boxes})


def passages_of(document: Document) -> Iterator[Passage]:
    """The sentences of a document that can be quotes of their own, in order; then the rows of its
    tables, without those that are among the sentences.
    """
    known: set[str] = set()
    for passage in _numbered(document, _sentences_of(document, _cells_read(document))):
        known.add(passage.text)
        yield passage
    for row in _rows_of(document):
        if " ".join(filter(None, cells_of_row(row.text))) not in known:
            yield row


def _numbered(document: Document, passages: Iterable[Passage]) -> Iterator[Passage]:
    """Sentences, those that no section, page or time names the place of with their numbers."""
    numbers: dict[int, int] | None = None
    for passage in passages:
        if passage.section or passage.pdf_pages or passage.time is not None:
            yield passage
            continue
        numbers = sentence_numbers(document) if numbers is None else numbers
        yield replace(passage, sentence_number=numbers.get(passage.start))


def _sentences_of(document: Document, cells: Collection[str]) -> Iterator[Passage]:
    """The sentences that can be passages, without those that are cells of a table."""
    placed = placed_paragraphs(document)
    marks = TimeMarks(document.text)
    above: list[Section] = []
    for section, start in document.read_sections:
        while above and above[-1].level >= section.level:
            above.pop()
        above.append(section)
        headings = PATH.join(one.heading for one in above if one.heading)
        for sentence, opening, motion in _opened(section, start, cells):
            boxes = tuple(box for box, _ in boxes_in(placed, sentence.start, sentence.end))
            passage = _of_sentence(document, sentence, headings, boxes)
            both = (passage.opening, opening) if sentence.speaker else (opening, passage.opening)
            opening = motion + "".join(both)
            time = marks.before(sentence.start) if passage.time is None else passage.time
            yield replace(passage, opening=opening, motion=motion, time=time)


def _opened(
    section: Section, start: int, cells: Collection[str]
) -> Iterator[tuple[Sentence, str, str]]:
    """The sentences of a section that can be passages and are no cells, each with what is shown
    before it: a limit of time, an announcement, or a fragment that it goes on with; and before
    that, the motion of a vote.
    """
    sentences = _with_openings(sentences_of(section, start), section.heading)
    quotable = list(_without_pointers(sentences, cells))
    before, last, motions = "", -1, Motions()
    for number, (sentence, limit) in enumerate(quotable):
        following = [one for one, _ in quotable[number + 1 : number + 2]]
        is_first, last = sentence.start - last > 1, sentence.end
        motion = motions.before(sentence)
        if is_first and any(_opens(sentence, one) for one in following):
            before += ("" if limit in before else limit) + _with_opening(sentence, following)
            continue
        yield sentence, ("" if limit in before else limit) + before, motion
        before = ""


def _without_pointers(
    items: Iterable[tuple[Sentence, str]], cells: Collection[str]
) -> Iterator[tuple[Sentence, str]]:
    """The sentences that can be passages and are no cells, each with what is shown before it,
    without those that only name another place; the label of a figure, and a name with a colon, is
    shown before what follows it.
    """
    label, end = "", -1
    for sentence, before in items:
        if not sentence.is_quotable or sentence.text in cells:
            if _names_next(sentence):
                label, end = f"{sentence.text} ", sentence.end + 1
            continue
        is_next, end = sentence.start - end <= 1, sentence.end
        if is_pointer(sentence.text):
            label = f"{sentence.text} " if is_label(sentence.text) and not is_next else ""
            continue
        is_shown = is_next and sentence.lead_in is None
        yield sentence, (label if is_shown else "") + before
        label = ""


def _names_next(sentence: Sentence) -> bool:
    """Whether a sentence is a name with a colon, which may belong to the next one: "Absent:"."""
    is_name = len(sentence.text.split()) <= LONGEST_NAME and sentence.text.endswith(":")
    return is_name and sentence.role == "lead-in"


def _opens(sentence: Sentence, following: Sentence) -> bool:
    """Whether the first sentence of a paragraph is a name that belongs to what follows."""
    gap = following.start - sentence.end
    return not (gap > 1 and _is_item(sentence, following)) and opens(sentence.text, gap)


def _is_item(one: Sentence, other: Sentence) -> bool:
    """Whether a paragraph is an item of a list that the next one does not belong to: it completes
    a lead-in, or both have labels of the same level.
    """
    return one.lead_in is not None or bool(
        one.label and other.label and one.parents == other.parents
    )


def _cells_read(document: Document) -> frozenset[str]:
    """The cells of tables whose cells are read as text, those that are no sentences: the rows of
    these tables have them.
    """
    rows = (row for part in document.left_out if not part.words for row in part.rows)
    cells = (cell for row in rows if len(row) <= LONGEST_ROW for cell in cells_of_row(row))
    return frozenset(cell for cell in cells if not cell.endswith((".", "!", "?", ":", ";")))


def _with_openings(sentences: Iterable[Sentence], heading: str) -> Iterator[tuple[Sentence, str]]:
    """The sentences of a section, each with what is shown before it: a limit of time, or the
    sentence that announces it; without those that only announce another.
    """
    items = list(with_limits(sentences, heading))
    announcements = list(announced(sentence.text for sentence, _ in items))
    for (sentence, limit), announcement, after in zip(
        items, announcements, [*announcements, ""][1:], strict=True
    ):
        if after != sentence.text:
            yield sentence, limit + (f"{announcement} " if announcement else "")


def _rows_of(document: Document) -> Iterator[Passage]:
    """The rows of tables, under the rows of their heads."""
    for table, row in rows_in(document):
        labels = document.labels_of(table.pdf_pages)
        yield Passage(
            row.text,
            ROW,
            headings=row.above,
            pdf_pages=table.pdf_pages,
            page_labels=labels,
            heads=row.heads,
            table=row.table,
        )


def _of_sentence(
    document: Document, sentence: Sentence, headings: str, boxes: tuple[LineBox, ...]
) -> Passage:
    return Passage(
        sentence.text,
        SENTENCE,
        sentence.section if sentence.time is None else sentence.speaker,
        headings,
        sentence.pdf_pages,
        document.labels_of(sentence.pdf_pages),
        sentence.start,
        sentence.end,
        opening_of(sentence),
        sentence.time,
        document.lines_of(sentence.start, sentence.end),
        boxes,
        document.file_of(sentence.start),
        sentence.paragraph,
    )


def _with_opening(sentence: Sentence, following: Sequence[Sentence]) -> str:
    """A fragment that opens what follows, after its lead-ins if what follows does not have them."""
    is_item = sentence.lead_in and not any(one.lead_in for one in following)
    return (opening_of(sentence) if is_item else "") + f"{sentence.text} "
