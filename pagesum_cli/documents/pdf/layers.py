"""Pages whose text is drawn twice: by two programs that recognized it, whose lines lie apart."""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from .runs import Run

REASON = "second text layer"
MIN_LETTERS = 200  # of each layer
MIN_SHARE = 0.6  # the shorter layer has this share of the letters of the other one
MAX_JUMPS = 10  # where the second layer may begin
MIN_JUMP = 0.4  # share of the height of the text by which the second layer begins above
PIECE, PIECES = 8, 40  # letters of a piece looked for in the other layer, and number of these
MIN_FOUND = 0.6  # share of the pieces of each layer that are in the other one

_OTHER = re.compile(r"[\W_]+")


def without_second_layer(runs: Sequence[Run]) -> tuple[Sequence[Run], Sequence[Run]]:
    """The runs of a page, and those of a layer that says again what was drawn before."""
    for place in islice(_jumps(runs), MAX_JUMPS):
        first, second = runs[:place], runs[place:]
        if _are_alike(_letters(first), _letters(second)):
            return first, second
    return runs, ()


def _jumps(runs: Sequence[Run]) -> Iterator[int]:
    """The numbers of the runs in the middle that are far from the ones before them, up or down."""
    lengths = list(accumulate(len(one.text) for one in runs))
    height = max((one.y for one in runs), default=0.0) - min((one.y for one in runs), default=0.0)
    for place in range(1, len(runs)):
        shorter, longer = sorted((lengths[place - 1], lengths[-1] - lengths[place - 1]))
        is_far = abs(runs[place].y - runs[place - 1].y) > MIN_JUMP * height > 0
        if is_far and shorter >= MIN_SHARE * longer:
            yield place


def _letters(runs: Sequence[Run]) -> str:
    return _OTHER.sub("", "".join(one.text for one in runs)).lower()


def _are_alike(one: str, other: str) -> bool:
    """Whether each of two texts has most of the pieces of the other one."""
    shorter, longer = sorted((len(one), len(other)))
    if shorter < MIN_LETTERS or shorter < MIN_SHARE * longer:
        return False
    return _has_pieces(one, other) and _has_pieces(other, one)


def _has_pieces(text: str, other: str) -> bool:
    """Whether a text has most of some pieces of another one."""
    step = max((len(other) - PIECE) // PIECES, 1)
    pieces = [other[place : place + PIECE] for place in range(0, len(other) - PIECE, step)]
    return sum(one in text for one in pieces) >= MIN_FOUND * len(pieces)
