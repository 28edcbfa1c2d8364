"""Lines that are typed with spaces between their letters: "F I N D I N G S  O F"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ...text.words import ranks
from .runs import Run

MIN_LETTERS = 3  # letters of a line that may be typed so
SPACE = 0.25  # width of a space, as a share of the size
WIDER = 0.12  # by how much gaps between words exceed those between letters, likewise
KNOWN = 0.7  # share of the words that are known, where a line is not in capitals

_NUMBER = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.)")
_LETTER = re.compile(r"[(“\"‘']?(?:\w|[&/–—-])[.,:;!?)”\"’']{0,2}|[.,:;!?&/–—-]")
_WORD = re.compile(r"[^\W\d_]+")


def without_letter_spaces(text: str, runs: Sequence[Run]) -> str:
    """The text of a line: one that is typed with spaces between its letters, and wider ones between
    its words, has only spaces between its words.
    """
    pieces = text.split()
    number = pieces.pop(0) if pieces and _NUMBER.fullmatch(pieces[0]) else ""
    if not _are_letters(pieces):
        return text
    words = _words(runs)
    if number and words[0] != number:
        words[:1] = [number, words[0].removeprefix(number)]
    joined = " ".join(words)
    has_small = any(map(str.islower, text))
    return text if has_small and not _is_known(joined) else joined


def _are_letters(pieces: Sequence[str]) -> bool:
    """Whether pieces are single characters, most of them letters."""
    if not all(map(_LETTER.fullmatch, pieces)):
        return False
    count = sum(map(str.isalpha, "".join(pieces)))
    return count >= MIN_LETTERS and 2 * count > len(pieces)


def _is_known(text: str) -> bool:
    """Whether nearly all words of a text are known ones, and there is one of several letters."""
    words = _WORD.findall(text.lower())
    known = [word for word in words if word in ranks()]
    return len(known) >= KNOWN * len(words) and max(map(len, known), default=0) > MIN_LETTERS


def _words(runs: Sequence[Run]) -> list[str]:
    """Words of a line whose pieces are letters: one ends at each gap that is wider than most."""
    drawn = [run for run in runs if run.text.strip()]
    gaps = [_gap(before, after) for before, after in pairwise(drawn)]
    limit = sorted(gaps)[len(gaps) // 3] + WIDER if gaps else 0.0
    words = [_joined(drawn[0])]
    for gap, run in zip(gaps, drawn[1:], strict=True):
        if gap > limit:
            words.append(_joined(run))
        else:
            words[-1] += _joined(run)
    return words


def _gap(before: Run, after: Run) -> float:
    """The gap between the letters of two pieces, one of which may end with a space."""
    return (after.x0 - before.x1) / before.size + SPACE * before.text.endswith(" ")


def _joined(run: Run) -> str:
    return "".join(run.text.split())
