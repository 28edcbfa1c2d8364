"""Documents as plain data: text in sections, with the place of each piece in its file."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

GAP = "\n\n"  # separates paragraphs in a document's text
# the reason why text is left out that the file holds and does not show to a reader
HIDDEN = "hidden"
UNSEEN = frozenset([HIDDEN, "outside the page", "clipped text"])
"""Reasons why words are left out that a reader of the file does not see."""

Block = Literal["", "quotation", "verse", "code"]
"""What a paragraph is; empty for ordinary text."""

Role = Literal["", "label", "citation", "lead-in"]
"""What a sentence is that is not quoted alone; empty for a sentence proper."""


@dataclass(frozen=True)
class Paragraph:
    """A run of text, with its PDF pages."""

    text: str  # the text on one line, control characters removed
    # ``(offset, pdf page)`` pairs in order: from character ``offset`` on, the text is on that page
    # (counted from 1). The first offset is 0. Empty if the file has no pages.
    page_starts: tuple[tuple[int, int], ...] = ()
    # whether the file delimits the text as one sentence, which is never split again
    is_sentence: bool = False
    # Where each of its lines stands on its page, packed, see ``boxes.py``; empty if that is not
    # known
    line_boxes: bytes = b""
    # of a recording, ``(offset, seconds)`` pairs, as ``page_starts``
    times: tuple[tuple[int, float], ...] = ()
    speaker: str = ""  # who says it; empty if that is not known
    # Its number or letter: ``(a)``, ``6.129.``, ``Q.``; several with a space between. The text may
    # begin with it, or not hold it (a numbered list of HTML)
    label: str = ""
    # Offset in the text at which its sentences begin, after a label, a run-in heading or the name
    # of its speaker
    body: int = 0
    # of an item of a list, how deep the list is nested, from 1; 0 for other paragraphs
    depth: int = 0
    block: Block = ""
    # of a document that counts its paragraphs, the number that it is under: ``127``
    number: str = ""
    # offsets at which lines end that the file keeps apart (verse, addresses)
    line_ends: tuple[int, ...] = ()

    def pdf_pages(self, start: int = 0, end: int | None = None) -> tuple[int, ...]:
        """The PDF pages of characters ``start`` to ``end``, in order."""
        if not self.page_starts:
            return ()
        end = len(self.text) if end is None else end
        ends = [offset for offset, _ in self.page_starts[1:]] + [len(self.text)]
        spans = zip(self.page_starts, ends, strict=True)
        return tuple(
            dict.fromkeys(page for (first, page), last in spans if first < end and last > start)
        )

    def time(self, start: int = 0) -> float | None:
        """The second of the recording at which the words around character ``start`` begin; None if
        it is not known.
        """
        return max((seconds for offset, seconds in self.times if offset <= start), default=None)


def clock(seconds: float) -> str:
    """Time in a recording: ``12:04``, ``1:02:04``."""
    hours, minutes = divmod(int(seconds) // 60, 60)
    return (
        f"{hours}:{minutes:02}:{int(seconds) % 60:02}"
        if hours
        else f"{minutes:02}:{int(seconds) % 60:02}"
    )


def named(within: str, heading: str) -> str:
    """What a section is called, with the heading of the abstract that it is a part of."""
    return f"{within.strip(' .:')}, {heading}" if within else heading


@dataclass(frozen=True)
class Section:
    """A heading and the paragraphs under it."""

    # as printed, with its number; empty if there is none (the text before the first heading)
    heading: str
    paragraphs: tuple[Paragraph, ...]  # in reading order
    level: int = 1  # 1 for a top-level heading
    # How the heading was recognized: ``outline`` (also the markup of Markdown, HTML and records),
    # ``numbering``, ``style``, ``name`` or ``fallback``
    found_by: str = "fallback"
    # The whole section exactly as a data set gives it, white space included; None if its parts say
    # it all
    given: str | None = None
    # Its sentences likewise, also those without words; empty if the paragraphs are the same
    given_sentences: tuple[str, ...] = ()
    within: str = ""  # of a part of a structured abstract, the heading of the abstract

    @property
    def name(self) -> str:
        """What it is called: ``Methods``, ``Abstract, Methods``."""
        return named(self.within, self.heading)

    @property
    def text(self) -> str:
        """The paragraphs, a blank line between two."""
        return GAP.join(paragraph.text for paragraph in self.paragraphs)

    @property
    def parts(self) -> tuple[str, ...]:
        """The heading, if there is one, and the text of each paragraph."""
        return (
            *([self.heading] if self.heading else []),
            *(paragraph.text for paragraph in self.paragraphs),
        )

    def placed(self, start: int = 0) -> "Iterator[tuple[Paragraph, int]]":
        """The paragraphs, each with its offset in a text in which the section begins at
        ``start``.
        """
        start += len(self.heading) + len(GAP) if self.heading else 0
        for paragraph in self.paragraphs:
            yield paragraph, start
            start += len(paragraph.text) + len(GAP)

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The section's PDF pages, in order."""
        return tuple(
            dict.fromkeys(page for paragraph in self.paragraphs for page in paragraph.pdf_pages())
        )


@dataclass(frozen=True)
class LeftOut:
    """Text of a file that is not part of its document."""

    # ``back matter``, ``references``, ``caption``, ``table``, ``running head``, ``navigation`` …
    reason: str
    text: str  # the text on one line; what is repeated, as a running head, once
    words: int  # number of its words, also of repeated ones
    pdf_pages: tuple[int, ...] = ()  # its PDF pages
    # of a table, the text of each row, as far as they are known; also of one that is read
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """The text of a file, or of a record of a data set, in sections."""

    name: str  # used in labels: the file's name, ``stdin``, or a record's id
    # In reading order; one or more, with one or more words in all. In a data set, single documents
    # of a cluster and single sections may have none: they count where a fixed number of pages is
    # formed.
    sections: tuple[Section, ...]
    title: str = ""  # as printed; empty if unknown
    source: str = ""  # the path as the user gave it
    # text of the file that is not part of the sections, with the reason
    left_out: tuple[LeftOut, ...] = ()
    # indexes of sections that are not read, though offsets count them
    skipped: frozenset[int] = frozenset()
    # Indexes of sections whose headings a contents page or the navigation of the file lists
    listed: frozenset[int] = frozenset()
    # The whole document exactly as a data set gives it, white space included; None if its sections
    # say it all
    given: str | None = None
    # Its sentences without the names of its sections, where a data set gives both (arXiv, PubMed):
    # what spatial locality reads
    given_sentences: tuple[str, ...] = ()
    # the numbers printed on the PDF pages, in order; empty if they are not known
    page_labels: tuple[str, ...] = ()
    # outlet (or sender) and date, as far as the file gives them: ``The Herald, 3 January 2024``
    origin: str = ""
    authors: tuple[str, ...] = ()  # as far as the file's metadata names them
    recognized: tuple[
        int, ...
    ] = ()  # PDF pages whose text was recognized, because they are scanned
    # words on these that may be wrong, each with its PDF page
    uncertain: tuple[tuple[int, str], ...] = ()
    # offsets in :attr:`text` at which the file's lines begin; empty if not known
    line_starts: tuple[int, ...] = ()
    # Of source in one file or several, offsets in :attr:`text` from which on it is in a line of a
    # file; the line is 0 where that is not known. Empty for other documents
    source_lines: tuple[tuple[int, str, int], ...] = ()
    # whether the file has it all in capitals, as captions, which are read in sentence case
    was_capitals: bool = False

    @cached_property
    def text(self) -> str:
        """Headings and paragraphs in order, a blank line between two. Sentences' offsets count in
        it.
        """
        return GAP.join(part for section in self.sections for part in section.parts)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset in :attr:`text` at which each section starts."""
        starts, offset = [], 0
        for section in self.sections:
            starts.append(offset)
            offset += sum(len(part) + len(GAP) for part in section.parts)
        return tuple(starts)

    @property
    def paragraph_starts(self) -> tuple[int, ...]:
        """The offset in :attr:`text` at which each paragraph starts."""
        both = zip(self.sections, self.starts, strict=True)
        return tuple(offset for section, start in both for _, offset in section.placed(start))

    @property
    def read_sections(self) -> tuple[tuple[Section, int], ...]:
        """The sections that are read, each with its offset in :attr:`text`."""
        both = zip(self.sections, self.starts, strict=True)
        return tuple(one for number, one in enumerate(both) if number not in self.skipped)

    def lines_of(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and the last line of a part of :attr:`text`; None if they are not known."""
        if self.source_lines:
            (file, first), (last_file, last) = self._place(start), self._place(end - 1)
            return (first, last) if file == last_file and 0 < first <= last else None
        lines = self.line_starts
        return (bisect_right(lines, start), bisect_left(lines, end)) if lines else None

    def file_of(self, start: int) -> str:
        """Of a document in several files, the one in which its text is; else empty."""
        return self._place(start)[0] if len(self.source_files) > 1 else ""

    @cached_property
    def source_files(self) -> frozenset[str]:
        """The files in which the text of a document is, where its lines are known."""
        return frozenset(file for _, file, _ in self.source_lines if file)

    def _place(self, offset: int) -> tuple[str, int]:
        """The file and the line of a character."""
        number = bisect_right(self.source_lines, offset, key=lambda one: one[0])
        _, file, line = self.source_lines[number - 1] if number else (0, "", 0)
        return file, line

    @property
    def labels(self) -> dict[int, str]:
        """The number printed on each PDF page; empty if they are not known."""
        return dict(enumerate(self.page_labels, start=1))

    def labels_of(self, pdf_pages: Iterable[int]) -> tuple[str, ...]:
        """The numbers printed on PDF pages; empty if they are not known."""
        return tuple(
            self.page_labels[page - 1] for page in pdf_pages if page <= len(self.page_labels)
        )

    def uncertain_in(self, text: str, pdf_pages: Collection[int]) -> tuple[str, ...]:
        """The words of a text on some PDF pages that were recognized there, and may be wrong."""
        found = {word for page, word in self.uncertain if page in pdf_pages}
        return tuple(dict.fromkeys(word for word in text.split() if word in found))

    @property
    def has_words(self) -> bool:
        """Whether any section has text."""
        return any(section.paragraphs for section in self.sections)

    @property
    def hidden_words(self) -> int:
        """How many words the file holds that a reader of it does not see; they are left out."""
        return sum(one.words for one in self.left_out if one.reason == HIDDEN)

    @property
    def is_recording(self) -> bool:
        """Whether the text is the transcript of a recording."""
        return any(paragraph.times for section in self.sections for paragraph in section.paragraphs)

    @property
    def has_headings(self) -> bool:
        """Whether any section has a heading."""
        return any(section.heading for section in self.sections)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document, without the label, the run-in heading or the speaker's name in
    front of it.
    """

    text: str  # the sentence, ``document.text[start:end]``
    pdf_pages: tuple[int, ...] = ()  # its PDF pages
    heading: str = ""  # the heading of its section
    # start, end: offsets in the document's text; -1 for a text that is not from a document
    start: int = -1
    end: int = -1
    is_heading: bool = False  # whether it is that heading itself
    time: float | None = None  # of a recording, when it is spoken, in seconds
    speaker: str = ""  # by whom it is spoken; empty if that is not known
    # what stands in front of it in its paragraph: label, run-in heading, speaker's name
    front: str = ""
    label: str = ""  # of its paragraph, see :class:`Paragraph`
    # the labels of the paragraphs that this one is below, the outermost first
    parents: tuple[str, ...] = ()
    # of an item, the sentence that it completes, which may have one itself
    lead_in: "Sentence | None" = None
    role: Role = ""
    block: Block = ""  # of its paragraph, see :class:`Paragraph`
    within: str = ""  # of its section, see :class:`Section`
    paragraph: str = ""  # the number that it is under, see ``number`` of :class:`Paragraph`
    is_part: bool = False  # whether it is only a part of a sentence that is too long for a page

    @property
    def section(self) -> str:
        """What its section is called: ``Methods``, ``Abstract, Methods``."""
        return named(self.within, self.heading)

    @property
    def printed(self) -> str:
        """The sentence with what stands in front of it: what a page holds."""
        return f"{self.front} {self.text}" if self.front else self.text

    @property
    def front_start(self) -> int:
        """The offset of what stands in front of it, or else its own."""
        return self.start - len(self.front) - 1 if self.front else self.start

    @property
    def is_spoken(self) -> bool:
        """Whether it is of a recording, or somebody is named who speaks."""
        return bool(self.speaker) or self.time is not None

    @property
    def is_quotable(self) -> bool:
        """Whether it can be a quote of its own."""
        return not (self.is_heading or self.role or self.is_part)

    @property
    def lead_ins(self) -> "tuple[Sentence, ...]":
        """The sentences that an item completes, the outermost first."""
        return (*self.lead_in.lead_ins, self.lead_in) if self.lead_in else ()


def words(document: Document) -> Iterator[str]:
    """Every word of the document's headings and text, in order."""
    for section in document.sections:
        yield from section.heading.split()
        for paragraph in section.paragraphs:
            yield from paragraph.text.split()
