"""Drop caps: large initials beside the first lines of a text, which begin its first word."""

import re
from collections import Counter
from collections.abc import Sequence

from ...text.words import ranks
from .runs import Run

LARGE = 1.7  # times the size of the text
NEAR = 1.0  # gap between an initial and its text, as a share of the text's size
DROPPED = 0.3  # how far the first line is above the baseline of its initial, likewise

_INITIAL = re.compile(r"[“‘\"'«¿¡]?[^\W\d_a-z]")
_WORD = re.compile(r"[^\W\d_]+")
_WORDS_OF_ONE_LETTER = frozenset("AIO")


def with_initials(runs: list[Run]) -> list[Run]:
    """Runs of a page, of which drop caps are joined to the line that they begin."""
    sizes: Counter[float] = Counter()
    for run in runs:
        sizes[run.size] += len(run.text)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0.0)
    initials = [
        run for run in runs if run.size >= LARGE * usual and _INITIAL.fullmatch(run.text.strip())
    ]
    gone: set[int] = set()
    for initial in initials:
        line = _first_line(initial, runs)
        if line is not None:
            line.text = _joined(initial.text.strip(), line.text)
            gone.add(id(initial))
    return [run for run in runs if id(run) not in gone] if gone else runs


def _first_line(initial: Run, runs: Sequence[Run]) -> Run | None:
    """The highest line right of an initial whose baseline is above that of the initial."""
    beside = [
        run
        for run in runs
        if LARGE * run.size <= initial.size
        and -0.2 * initial.size < run.x0 - initial.x1 < NEAR * run.size
        and DROPPED * run.size < run.y - initial.y < initial.size
        and run.text.strip()
    ]
    return max(beside, key=lambda run: (run.y, -run.x0), default=None)


def _joined(initial: str, text: str) -> str:
    """An initial and the text after it: one word, unless the initial is a word of its own."""
    match = _WORD.match(text)
    rest = match[0].lower() if match else ""
    letter = initial[-1]
    is_word = letter in _WORDS_OF_ONE_LETTER and rest in ranks()
    is_apart = not rest or (is_word and letter.lower() + rest not in ranks())
    return f"{initial} {text.lstrip()}" if is_apart else initial + text
