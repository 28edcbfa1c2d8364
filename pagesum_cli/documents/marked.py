"""Paragraphs with what the markup of their file says: labels, depths, blocks, lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..text.cleaning import one_line
from ..text.tables import patterns
from .model import Block, Paragraph

_FORMS = patterns(__file__, "marked.toml")

MAX_DEPTH = 9  # deeper lists have this depth
MAX_TERM = 60  # characters of a defined term that is the label of its definition
MAX_HEAD, MAX_STOPPED = 14, 8  # words of a run-in heading, and of one that ends in a full stop
MIN_REST = 3  # words after a run-in heading without a mark at its end
MAX_LINE = 60  # characters of a line of verse, or of an address
MIN_LINES = 3  # lines of these
CAPITAL_SHARE = 0.8  # share of these that begin with a capital or a figure
VERSE_WORDS = 4  # words of a line of verse, on average; addresses have fewer
MAX_ENDED, MAX_FIGURES = 0.6, 0.2  # shares of lines of verse that end like sentences; with figures
_OPENING = "\"'“‘„«(—–- "  # what may stand in front of the first letter of a line


@dataclass(frozen=True, slots=True)
class Marks:
    """What the markup says about a paragraph; offsets count in the text of the file."""

    label: str = ""  # that the text does not hold
    depth: int = 0
    goes_on: bool = False  # whether it is a further paragraph of an item
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
    body, label = _opening(raw, text, marks)
    ends, block = _lines(raw, text, marks)
    is_nested = marks.goes_on and _FORMS["printed_label"].match(text) is not None
    return Paragraph(
        text,
        label=label,
        body=body,
        depth=min(marks.depth + is_nested, MAX_DEPTH),
        block=block,
        line_ends=tuple(end for end in ends if end > body),
    )


def _opening(raw: str, text: str, marks: Marks) -> tuple[int, str]:
    """The offset at which the sentences of a paragraph begin, and its label."""
    label = "" if _FORMS["printed_label"].match(text) else marks.label
    if body := _offset(raw, text, marks.term):
        term = text[:body].rstrip()
        is_name = len(term) <= MAX_TERM and any(map(str.isalnum, term))
        return body, term.rstrip(":") if is_name else ""
    offset = _offset(raw, text, marks.head) if marks.head else 0
    body = _after_head(text, offset, is_item=marks.depth > 0) if marks.head else 0
    head = text[:body].rstrip()
    return body, head if _FORMS["question_or_answer"].fullmatch(head) else label


def _offset(raw: str, text: str, offset: int) -> int:
    """The offset in a paragraph of what begins at one in the file; 0 if nothing stands there."""
    rest = one_line(raw[offset:]) if offset else ""
    return len(text) - len(rest) if rest and text.endswith(rest) else 0


def _after_head(text: str, offset: int, *, is_item: bool) -> int:
    """Where the sentences begin after a bold beginning that is worded like a run-in heading."""
    sign = _FORMS["sign"].match(text, offset)
    start = sign.end() if sign else offset
    head, rest = text[:start].strip(), text[start:]
    is_short = len(head.split()) <= MAX_HEAD and any(map(str.isalnum, head))
    if not (rest and is_short) or _begins_sentence(head, rest, is_item=is_item):
        return 0
    return start if _is_head(head, rest) else 0


def _is_head(head: str, rest: str) -> bool:
    """Whether bold words are a heading of the rest, by the mark between them or its capital; a
    term in quotation marks is a part of its definition.
    """
    if _FORMS["defined"].fullmatch(head):
        return False
    if head.endswith((":", "—", "–", "-")):
        return True
    if head.endswith((".", "!", "?")):
        return head.endswith(".") and len(head.split()) <= MAX_STOPPED
    goes_on = _FORMS["goes_on"].search(head) is not None
    return rest[0].isupper() and len(rest.split()) >= MIN_REST and not goes_on


def _begins_sentence(head: str, rest: str, *, is_item: bool) -> bool:
    """Whether bold words are in the same sentence as the rest, which begins with a small letter or
    has the end of their term. Before a colon, they may be the name of a speaker, but in an item.
    """
    is_term = head[-1:].isalnum() and _FORMS["rest_of_term"].match(rest) is not None
    goes_on = rest[0].islower() and (is_item or not head.endswith(":"))
    return (is_term or goes_on) and _FORMS["name"].search(head) is not None


def _lines(raw: str, text: str, marks: Marks) -> tuple[list[int], Block]:
    """The offsets at which lines end that are kept apart, and the block of the paragraph."""
    places = [0, *marks.breaks, len(raw)]
    lines = [one_line(raw[a:b]) for a, b in pairwise(places)] if marks.breaks else []
    filled = [line for line in lines if line]
    if " ".join(filled) != text:  # also where a word is broken at the end of a line
        return [], marks.block
    if marks.keeps_lines:
        return _ends(lines, keeps_all=True), marks.block
    keeps_all = are_apart(filled)
    block: Block = "verse" if keeps_all and is_verse(filled) else marks.block
    return _ends(lines, keeps_all=keeps_all), block


def _ends(lines: Sequence[str], *, keeps_all: bool) -> list[int]:
    """Where lines end in their text: all of them, or those before an empty line."""
    ends: list[int] = []
    offset = -1  # a space stands between two lines
    for line, following in pairwise([*lines, ""]):
        if line:
            offset += 1 + len(line)
            if keeps_all or not following:
                ends.append(offset)
    return ends[:-1]


def are_apart(lines: Sequence[str]) -> bool:
    """Whether lines look like verse or an address: short, most with a capital or a figure first."""
    if len(lines) < MIN_LINES or max(map(len, lines)) > MAX_LINE:
        return False
    firsts = [line.lstrip(_OPENING)[:1] for line in lines]
    capitals = sum(first.isupper() or first.isdigit() for first in firsts)
    return capitals >= CAPITAL_SHARE * len(lines)


def is_verse(lines: Sequence[str]) -> bool:
    """Whether lines that are kept apart are verse: of several words, over which sentences run."""
    words = sum(len(line.split()) for line in lines)
    with_figures = sum(any(map(str.isdigit, line)) for line in lines)
    ended = sum(line.endswith((".", "!", "?", ":")) for line in lines)
    is_long = words >= VERSE_WORDS * len(lines)
    is_text = with_figures <= MAX_FIGURES * len(lines)
    return is_long and is_text and ended <= MAX_ENDED * len(lines)
