"""Notes among the paragraphs of a page that was made from print, by their numbers and marks."""

import re
from collections.abc import Iterable

from ..article.building import left_out
from ..model import LeftOut
from .blocks import Block

MIN_NOTES = 5  # numbered paragraphs that are taken for notes only together
MAX_GAP = 6  # between the numbers of two notes, as those under tables may not be numbered so
_MARK = re.compile(r"\[(\d{1,3})\]")
_NOTE = re.compile(r"\s{0,4}(\d{1,3})\s{1,4}(?=[A-Z“\"])")


def without_numbered_notes(blocks: Iterable[Block], dropped: list[LeftOut]) -> list[Block]:
    """Blocks without notes: paragraphs that begin with rising numbers, each of which is a mark in
    brackets in the text before it: "… in 2022. [27]", "27 A report of …".
    """
    blocks = list(blocks)
    notes = _notes(blocks)
    if len(notes) < MIN_NOTES:
        return blocks
    dropped.append(left_out("footnote", [blocks[place].text for place in notes]))
    taken = set(notes)
    return [one for place, one in enumerate(blocks) if place not in taken]


def _notes(blocks: Iterable[Block]) -> list[int]:
    """The places of what may be notes."""
    marked: set[int] = set()
    notes: list[int] = []
    last = 0
    for place, block in enumerate(blocks):
        number = _number(block)
        follows = 0 < number - last <= MAX_GAP
        if number in marked and (follows or number == 1):
            notes.append(place)
            last = number
        else:
            marked.update(map(int, _MARK.findall(block.text)))
    return notes


def _number(block: Block) -> int:
    """The number at the head of a paragraph; 0 if it has none."""
    found = None if block.level or block.marks.label else _NOTE.match(block.text)
    return int(found[1]) if found else 0
