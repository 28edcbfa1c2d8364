"""What the markup of a file says about its paragraphs, in the document model's terms: labels, depths, blocks, lines."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from ..text.cleaning import one_line
from ..text.tables import patterns
from .model import Block, Paragraph, Section

_FORMS = patterns(__file__, "marked.toml")

MAX_DEPTH = 9  # deeper lists have this depth
MAX_TERM = 60  # characters of a defined term that is the label of its definition
MAX_LABEL = 20  # characters of the labels of lists that begin at one place
MAX_HEAD, MAX_STOPPED_HEAD = 14, 8  # words of a run-in heading, and of one that ends in a full stop
MIN_REST = 3  # words after a run-in heading without a mark at its end
MAX_LINE = 60  # characters of a line of verse, or of an address
MIN_LINES = 3  # lines of these
CAPITAL_SHARE = 0.8  # share of these that begin with a capital or a figure
VERSE_WORDS = 4  # words of a line of verse, on average; addresses have fewer
MIN_CHANGES = 2  # changes of the speaker between neighbouring paragraphs of an interview
_OPENING = "\"'“‘„«(—–- "  # what may stand in front of the first letter of a line
_LARGEST_ROMAN = 3999
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(frozen=True, slots=True)
class Marks:
    """What the markup says about a paragraph; offsets count in its text as it stands in the file."""

    label: str = ""  # that the text does not hold
    depth: int = 0
    block: Block = ""
    term: int = 0  # the end of the term that the rest defines; 0 if there is none
    head: int = 0  # the end of its bold beginning; 0 if there is none
    breaks: tuple[int, ...] = ()  # where the file ends lines
    keeps_lines: bool = False  # whether these are kept apart: in verse, addresses


NO_MARKS = Marks()


def paragraph_of(raw: str, marks: Marks) -> Paragraph | None:
    """A paragraph with what its markup says; None if it has no words."""
    text = one_line(raw)
    if not text:
        return None
    label = "" if _FORMS["printed_label"].match(text) else marks.label
    body = _offset(raw, text, marks.term)
    if body:
        term = text[:body].rstrip()
        label = term.rstrip(":") if len(term) <= MAX_TERM and any(map(str.isalnum, term)) else ""
    elif marks.head:
        body = _after_head(text, _offset(raw, text, marks.head))
        head = text[:body].rstrip()
        label = head if _FORMS["question_or_answer"].fullmatch(head) else label
    ends, block = _lines(raw, text, marks)
    return Paragraph(
        text,
        label=label,
        body=body,
        depth=min(marks.depth, MAX_DEPTH),
        block=block,
        line_ends=tuple(end for end in ends if end > body),
    )


def _offset(raw: str, text: str, offset: int) -> int:
    """The offset in a paragraph of what begins at an offset in the file; 0 if nothing stands there."""
    rest = one_line(raw[offset:]) if offset else ""
    return len(text) - len(rest) if rest and text.endswith(rest) else 0


def _after_head(text: str, offset: int) -> int:
    """Where the sentences begin after a bold beginning: after it, if it is worded like a run-in heading."""
    sign = _FORMS["sign"].match(text, offset)
    start = sign.end() if sign else offset
    head, rest = text[:start].strip(), text[start:]
    words = len(head.split())
    if not rest or words > MAX_HEAD or not any(map(str.isalnum, head)):
        return 0
    if head.endswith((":", "—", "–", "-")):
        return start
    if head.endswith((".", "!", "?")):
        return start if head.endswith(".") and words <= MAX_STOPPED_HEAD else 0
    is_apart = rest[0].isupper() and len(rest.split()) >= MIN_REST
    return start if is_apart and not _FORMS["goes_on"].search(head) else 0


def _lines(raw: str, text: str, marks: Marks) -> tuple[list[int], Block]:
    """The offsets at which lines end that are kept apart, and the block that the paragraph is."""
    if not marks.breaks:
        return [], marks.block
    lines = [one_line(raw[a:b]) for a, b in pairwise([0, *marks.breaks, len(raw)])]
    filled = [line for line in lines if line]
    if " ".join(filled) != text:  # a word is broken at the end of a line
        return [], marks.block
    block = marks.block
    keeps_all = marks.keeps_lines
    if not keeps_all and are_apart(filled):
        keeps_all = True
        block = "verse" if is_verse(filled) else block
    ends: list[int] = []
    offset = 0
    for line, following in pairwise([*lines, ""]):
        if not line:
            continue
        offset += len(line) + (offset > 0)
        if offset < len(text) and (keeps_all or not following):
            ends.append(offset)
    return ends, block


def are_apart(lines: Sequence[str]) -> bool:
    """Whether lines look like verse or an address: all of them short, and most with a capital or a figure first."""
    if len(lines) < MIN_LINES or max(map(len, lines)) > MAX_LINE:
        return False
    firsts = [line.lstrip(_OPENING)[:1] for line in lines]
    return sum(first.isupper() or first.isdigit() for first in firsts) >= CAPITAL_SHARE * len(lines)


def is_verse(lines: Sequence[str]) -> bool:
    """Whether lines that are kept apart are verse: of several words, and sentences go on from one to the next."""
    words = sum(len(line.split()) for line in lines)
    figures = sum(any(map(str.isdigit, line)) for line in lines)
    ended = sum(line.endswith((".", "!", "?", ":")) for line in lines)
    return words >= VERSE_WORDS * len(lines) and 5 * figures <= len(lines) and ended <= 0.6 * len(lines)


Numbering = Callable[[int], str]
"""The label of an item by its number."""


@dataclass(slots=True)
class _List:
    numbering: Numbering | None  # None for bullets
    number: int  # of the next item
    step: int


class Lists:
    """The lists that are open while a file is read, and the label of the item whose text comes next."""

    def __init__(self) -> None:
        self._open: list[_List] = []
        self._label = ""

    @property
    def depth(self) -> int:
        return len(self._open)

    def begin(self, numbering: Numbering | None = None, start: int = 1, step: int = 1) -> None:
        """Open a list inside of the others."""
        self._open.append(_List(numbering, start, step))

    def end(self) -> None:
        """Close the innermost list."""
        self._label = ""
        del self._open[-1:]

    def item(self, number: int | None = None) -> None:
        """Begin an item, with a number of its own if one is given."""
        if not self._open:
            return
        innermost = self._open[-1]
        innermost.number = innermost.number if number is None else number
        label = innermost.numbering(innermost.number) if innermost.numbering else ""
        outer = self._label if len(self._label) < MAX_LABEL else ""  # of an item that begins with a list
        self._label = f"{outer} {label}".strip()
        innermost.number += innermost.step

    def end_item(self) -> None:
        """End an item: what follows has no label."""
        self._label = ""

    def taken_label(self) -> str:
        """The label of the paragraph that comes next; the ones after it have none."""
        label, self._label = self._label, ""
        return label


def counted(number: int, form: str) -> str:
    """A number in figures, letters or Roman numerals, by what stands for 1: ``1``, ``01``, ``a``, ``A``, ``i``, ``I``.

    What letters cannot say is written in figures.
    """
    digits = ""
    if form.lower() == "a" and number > 0:
        while number:
            number, rest = divmod(number - 1, 26)
            digits = chr(ord("a") + rest) + digits
    elif form.lower() == "i" and 0 < number <= _LARGEST_ROMAN:
        for value, letters in _ROMAN:
            count, number = divmod(number, value)
            digits += count * letters
    else:
        return str(number).zfill(len(form))
    return digits.upper() if form.isupper() else digits


def integer(text: str, default: int) -> int:
    """An integer of an attribute; the default where it is none, or has too many digits to be one."""
    return int(text) if _FORMS["integer"].fullmatch(text) else default


def with_speakers(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs say who speaks, where names in bold before a colon alternate, as in an interview."""
    return [replace(one, paragraphs=tuple(_with_speakers(one.paragraphs))) for one in sections]


def _with_speakers(paragraphs: Sequence[Paragraph]) -> Sequence[Paragraph]:
    names = [_name(one) for one in paragraphs]
    count = Counter(filter(None, names))
    known = {name for name, times in count.items() if times > 1}
    changes = sum(known >= {a, b} and a != b for a, b in pairwise(names))
    if changes < MIN_CHANGES:
        return paragraphs
    last = max(place for place, name in enumerate(names) if name)
    speakers = names[: last + 1]
    for place in range(1, len(speakers)):
        speakers[place] = speakers[place] or speakers[place - 1]  # who goes on
    return [
        replace(one, speaker=speaker) if speaker and not one.speaker else one
        for one, speaker in zip_longest(paragraphs, speakers)
    ]


def _name(paragraph: Paragraph) -> str:
    head = paragraph.text[: paragraph.body].rstrip()
    match = _FORMS["speaker"].fullmatch(head) if not paragraph.label else None
    return "" if match is None or _FORMS["no_speaker"].fullmatch(match["name"]) else match["name"]
