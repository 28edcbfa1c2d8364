"""The lines of LaTeX source in which a document's text is, in one file or several.

What is read is not what is written: macros are expanded, citations are gone. So the words of the
text are looked up in the source, three in a row, where they come next.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ...model import GAP
from .abstracts import spans_of_abstracts

GRAM = 3  # words in a row that are looked up
MIN_APART = 6  # words in a row that are found at another place than the next one
MAX_PLACES = 50  # at which words in a row are compared with more of them
WINDOW = 300  # words of the source after the last one found in which the next ones are
_WORD = re.compile(r"[^\W_]+")
_COMMENT = re.compile(r"(?<!\\)%.*")
_KEYS = re.compile(
    r"\\(?:[A-Za-z]{0,20}cite[A-Za-z]{0,20}|[A-Za-z]{0,20}ref|label|begin|end)"
    r"\*?\s?\{[^{}]{0,500}\}"
)
_COMMAND = re.compile(r"\\[A-Za-z@]+")

Place = tuple[str, int]
"""A file and a line in it, from 1; 0 where it is not known."""


def places_of(text: str, files: Mapping[str, str]) -> tuple[tuple[int, str, int], ...]:
    """The offsets in a document's text at which lines of its source begin, with file and line.

    Args:
        text: The text, its parts separated by blank lines.
        files: The source by the names of files.
    """
    source = _Source(files)
    found: list[tuple[int, str, int]] = []
    offset = 0
    for part in text.split(GAP):
        for start, place in source.places_in(part):
            if not found or found[-1][1:] != place:
                found.append((offset + start, *place))
        offset += len(part) + len(GAP)
    return tuple(found)


class _Source:
    """The words of the source, and where they are."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._words: list[str] = []
        self._places: list[Place] = []
        for name, text in files.items():
            for number, line in _lines_with_text(text):
                words = [*_words_of_line(line)]
                self._words += words
                self._places += [(name, number)] * len(words)
        self._index: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for place in range(len(self._words) - GRAM + 1):
            self._index[tuple(self._words[place : place + GRAM])].append(place)
        self._last = -1  # the place of the last word that was found

    def places_in(self, part: str) -> Iterator[tuple[int, Place]]:
        """The places of the words of a paragraph or heading, by their offsets; the first is 0."""
        matches = [*_WORD.finditer(part)]
        words = [one[0].lower() for one in matches]
        found = [self._place(words, number) for number in range(len(words))]
        known = [number for number, place in enumerate(found) if place >= 0]
        if not known:
            yield 0, ("", 0)
            return
        for number, match in enumerate(matches):
            nearest = _nearest(known, number)
            yield match.start() if number else 0, self._places[found[nearest]]

    def _place(self, words: Sequence[str], number: int) -> int:
        """The place of a word in the source; -1 if it is not found."""
        following = self._last + 1
        is_next = self._last >= 0 and self._words[following : following + 1] == [words[number]]
        place = following if is_next else self._looked_up(words, number)
        self._last = place if place >= 0 else self._last
        return place

    def _looked_up(self, words: Sequence[str], number: int) -> int:
        places = self._index.get(tuple(words[number : number + GRAM]), [])
        after = bisect_right(places, self._last)
        if places[after : after + 1] and places[after] <= self._last + WINDOW:
            return places[after]
        apart = list(words[number : number + MIN_APART])
        if len(places) == 1 or len(apart) == MIN_APART:
            same = (
                one for one in places[:MAX_PLACES] if self._words[one : one + len(apart)] == apart
            )
            return next(same, -1)
        return -1


def _lines_with_text(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a file, with their numbers: those of the preamble only in abstracts."""
    begin = max(text.find("\\begin{document}"), 0)
    first = text.count("\n", 0, begin)
    before: set[int] = set()
    for start, end in spans_of_abstracts(text[:begin]):
        before.update(range(text.count("\n", 0, start), text.count("\n", 0, end) + 1))
    for number, line in enumerate(text.split("\n")):
        if number >= first or number in before:
            yield number + 1, line


def _words_of_line(line: str) -> Iterator[str]:
    """The words of a line that may be in the text."""
    shown = _COMMAND.sub(" ", _KEYS.sub(" ", _COMMENT.sub("", line)))
    yield from (one[0].lower() for one in _WORD.finditer(shown))


def _nearest(known: Sequence[int], number: int) -> int:
    """Of some numbers in their order, the one that is nearest."""
    after = bisect_right(known, number)
    around = known[max(after - 1, 0) : after + 1]
    return min(around, key=lambda one: abs(one - number))
