"""Speech that was written down without marks, as captions are: where one can cut it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..text.tables import patterns
from .model import Paragraph, Section

_FORMS = patterns(__file__, "unpunctuated.toml")

MIN_TEXT = 150  # words of a text, from which on it can be known to be without marks
WORDS_FOR_MARK = 100  # words for each mark, from which on a text is without them
MOST = 60  # words of a piece
SHORTEST, USUAL = 15, 35  # words of a piece before words that surely begin a clause, and others

_MARK = re.compile(r"[.,;:?!](?=\s|$)")
_WORD = re.compile(r"\S+")


def is_unpunctuated(texts: Sequence[str]) -> bool:
    """Whether texts that belong together are of words without marks between them."""
    words = sum(len(text.split()) for text in texts)
    marks = sum(len(_MARK.findall(text)) for text in texts)
    return words >= MIN_TEXT and marks * WORDS_FOR_MARK <= words


def is_spoken_question(text: str) -> bool:
    """Whether words without marks are what somebody asks another one."""
    return _FORMS["question"].search(text) is not None


def is_cut_inside(text: str) -> bool:
    """Whether a piece goes on with the clause before it, where no better cut was found."""
    return _FORMS["inside"].match(text) is not None


def with_pieces(sections: Sequence[Section]) -> list[Section]:
    """Sections in which long paragraphs without marks are cut into pieces that one can read; those
    of other documents stay as they are.
    """
    texts = [one.text for section in sections for one in section.paragraphs]
    if not is_unpunctuated(texts):
        return list(sections)
    return [replace(one, paragraphs=tuple(map(_with_pieces, one.paragraphs))) for one in sections]


def _with_pieces(paragraph: Paragraph) -> Paragraph:
    """A paragraph whose pieces are kept apart like lines."""
    if paragraph != Paragraph(paragraph.text) or len(paragraph.text.split()) <= MOST:
        return paragraph
    return replace(paragraph, line_ends=tuple(_cuts(paragraph.text)))


def _cuts(text: str) -> Iterator[int]:
    """The offsets at which pieces end."""
    starts = [match.start() for match in _WORD.finditer(text)]
    strong, weak = _places("strong", text), _places("weak", text)
    first = 0
    while len(starts) - first > MOST:
        last = min(first + MOST, len(starts) - SHORTEST)
        surely = (n for n in range(first + SHORTEST, last) if starts[n] in strong)
        perhaps = (n for n in range(first + USUAL, last) if starts[n] in weak)
        first = next(surely, None) or next(perhaps, None) or last
        yield starts[first]


def _places(form: str, text: str) -> set[int]:
    """The offsets at which a clause can begin."""
    found = (match.start() for match in _FORMS[form].finditer(text))
    return {place for place in found if not _FORMS["open"].search(text, max(0, place - 20), place)}
