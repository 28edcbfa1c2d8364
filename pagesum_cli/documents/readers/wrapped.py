"""Lines of plain text that were wrapped at a margin, perhaps in a font whose letters differ in
width, and among them a few that were not wrapped.
"""

from collections.abc import Sequence
from itertools import pairwise

from ...text.tables import patterns
from ..article.wording import ends_sentence

WRAPPED_LINE = 200  # characters of a line that may have been wrapped by hand or by a program
FULL = 0.9  # share of the lines of a text that are no longer than its full ones
MIN_WIDTH = 40  # characters of a line of prose; verse and lists have shorter ones
GOES_ON = 0.3  # share of the lines of prose that begin with a small letter
MAX_LONG = 0.1  # share of the lines that were not wrapped, and of the rows of tables
NEAR = 0.75  # share of the width that a line has at least if a word did not fit on it
WRAPPED = 0.9  # share of the lines with a small letter below them that are so long

_FORMS = patterns(__file__, "text.toml")


def full_width(lines: Sequence[str]) -> int:
    """The number of characters of a full line."""
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    return lengths[int(FULL * (len(lengths) - 1))] if lengths else 0


def margin_of(lines: Sequence[str]) -> int:
    """The number of characters at which the lines of prose were wrapped; 0 if they were not."""
    texts = [line.strip() for line in lines if line.strip()]
    short = [text for text in texts if len(text) <= WRAPPED_LINE]
    width, most = full_width(short), MAX_LONG * len(texts)
    if width < MIN_WIDTH or len(texts) - len(short) > most:
        return 0
    return width if sum(map(_has_columns, short)) <= most and _are_cut(texts, width) else 0


def _are_cut(texts: Sequence[str], width: int) -> bool:
    """Whether many lines have a small letter below them, and these are about as long as full
    ones.
    """
    open_lines = [before for before, after in pairwise(texts) if after[:1].islower()]
    near = sum(len(line) >= NEAR * width for line in open_lines)
    return len(open_lines) >= GOES_ON * len(texts) and near >= WRAPPED * len(open_lines)


def runs_on(before: str, after: str, margin: int) -> bool:
    """Whether a sentence goes on from a line to the next one, which may begin with a capital or a
    figure: it ends at the margin, or with a word that ends none: "the conduct of the miller and
    his" and "Majesty's officers".
    """
    before, after = before.strip(), after.strip()
    is_full = 0 < NEAR * margin <= len(before) <= WRAPPED_LINE
    is_other = ends_sentence(before) or before.isupper() or _has_columns(before)
    is_open = (is_full and not is_other) or _is_unended(before)
    return is_open and after != "" and not _FORMS["list_item"].match(after)


def _is_unended(text: str) -> bool:
    """Whether a text ends with a word that no sentence and no heading ends with: "the", "held
    that,"."""
    return _FORMS["unended"].search(text) is not None


def _has_columns(line: str) -> bool:
    return _FORMS["columns"].search(line) is not None
