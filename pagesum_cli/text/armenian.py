"""Ends of sentences in Armenian, which writes a colon for a full stop: pysbd knows them.

Its cost grows faster than the text, and some of its patterns never return from long runs of
numbers or marks, so it sees short pieces without such runs.
"""

import re
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

PIECE = 1000  # characters of a piece
LIMIT = 200_000  # characters of a text above which pysbd would take too long

_LETTER = re.compile("[\u0531-\u0587]")
_WORD_CHARACTER = re.compile(r"[^\W\d_]")
_PIECE = re.compile(rf"(?s)\S(?:.{{0,{PIECE}}}(?<=[:\u0589.])(?=\s|$)|.{{0,{PIECE}}}\S)?")
_RUN = re.compile(r"[\d,\s-]{10,}|(?:[^\w\s] ?){6,}")
_PLACEHOLDERS = re.compile("[∯∮ȸȹ♨☝♬♭☉☈☇☄ƪ☏♟♝⎋✂⌬ᓰᓱᓳᓴᓷᓸ&\\\\]")
"""Characters that pysbd puts into a text, and takes for its own."""


def is_armenian(text: str) -> bool:
    """Whether most letters of a text are Armenian, and it is not too long."""
    if text.isascii() or len(text) > LIMIT or _LETTER.search(text) is None:
        return False
    return 2 * len(_LETTER.findall(text)) > len(_WORD_CHARACTER.findall(text))


def cuts_of(text: str) -> Iterator[int]:
    """Where a sentence begins after another one."""
    for match in _PIECE.finditer(text):
        piece = re.sub(r"\s", " ", _PLACEHOLDERS.sub("x", match[0]))
        piece = _RUN.sub(lambda run: "x" * len(run[0]), piece)
        place = match.start()
        for sentence in _sentences(piece):
            if place:
                yield place
            place += len(sentence)


def _sentences(piece: str) -> list[str]:
    sentences: list[str] = _segmenter().segment(piece)
    return sentences if "".join(sentences) == piece else [piece]


@cache
def _segmenter() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pysbd's own string escapes
        import pysbd

    return pysbd.Segmenter(language="hy", clean=False)
