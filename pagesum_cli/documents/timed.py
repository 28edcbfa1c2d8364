"""Transcripts in ordinary text: "[00:04:17] Anna Berg: Are we ready?", "Berg (00:04:17): …"."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from re import Match

from ..text.tables import patterns
from .model import Paragraph, Section

_FORMS = patterns(__file__, "timed.toml")

MIN_TURNS, MIN_NAMES = 4, 2  # times beside names, and names that come again, of a transcript
IN_ORDER = 0.9  # share of its times that are not before the one in front of them


def with_times(sections: Sequence[Section]) -> list[Section]:
    """The sections of a transcript, a paragraph for each turn, which knows its times; these are no
    longer in the text. Sections of other documents stay as they are.
    """
    paragraphs = [one for section in sections for one in section.paragraphs]
    names = _names_in(paragraphs)
    if not names or any(one.page_starts for one in paragraphs):
        return list(sections)
    turns = _Turns(names)
    return [_timed(section, turns) for section in sections]


def _timed(section: Section, turns: "_Turns") -> Section:
    heading = _FORMS["mark"].sub("", section.heading).strip()
    paragraphs = tuple(turn for one in section.paragraphs for turn in turns.of(one))
    return replace(section, heading=heading or section.heading, paragraphs=paragraphs)


def _names_in(paragraphs: Sequence[Paragraph]) -> set[str]:
    """The names that come again beside times, in a transcript; none in other documents."""
    texts = [one.text for one in paragraphs]
    counts = Counter(name for text in texts for name in _names_beside_times(text))
    names = {name for name, count in counts.items() if count > 1}
    is_timed = len(names) >= MIN_NAMES and counts.total() >= MIN_TURNS
    return names if is_timed and _are_in_order(texts) else set()


def _names_beside_times(text: str) -> Iterator[str]:
    yield from (match["name"] for match in _FORMS["turn"].finditer(text))
    if match := _FORMS["time_after"].match(text):
        yield match["name"]


def _are_in_order(texts: Sequence[str]) -> bool:
    times = [_seconds(match) for text in texts for match in _FORMS["mark"].finditer(text)]
    in_order = sum(before <= after for before, after in pairwise(times))
    return in_order >= IN_ORDER * (len(times) - 1)


def _seconds(mark: Match[str]) -> float:
    hours, minutes, seconds = (int(mark[part] or 0) for part in ("hours", "minutes", "seconds"))
    return 3600.0 * hours + 60 * minutes + seconds


class _Turns:
    """Makes paragraphs of turns, and knows the time of the one before."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self._last: float | None = None

    def of(self, paragraph: Paragraph) -> Iterator[Paragraph]:
        """The turns in a paragraph, each with its times."""
        text = paragraph.text
        if named := _FORMS["time_after"].match(text):
            text = f"{named['mark']} {named['name']}:{text[named.end() :]}"
        marks = list(_FORMS["mark"].finditer(text))
        if not marks:
            yield self._unmarked(paragraph)
            return
        turn = self._begun(text[: marks[0].start()].strip())
        for mark, end in zip(marks, [*(one.start() for one in marks[1:]), len(text)], strict=True):
            if turn.text and self._begins_turn(text, mark):
                yield turn
                turn = Paragraph("")
            turn = self._longer(turn, _seconds(mark), text[mark.end() : end].strip())
        if turn.text:
            yield turn

    def _begins_turn(self, text: str, mark: Match[str]) -> bool:
        turn = _FORMS["turn"].match(text, mark.start())
        return turn is not None and turn["name"] in self._names

    def _begun(self, text: str) -> Paragraph:
        """The words before the first time in a paragraph."""
        return Paragraph(text, times=self._times) if text else Paragraph("")

    def _unmarked(self, paragraph: Paragraph) -> Paragraph:
        return replace(paragraph, times=self._times)

    @property
    def _times(self) -> tuple[tuple[int, float], ...]:
        return () if self._last is None else ((0, self._last),)

    def _longer(self, turn: Paragraph, seconds: float, words: str) -> Paragraph:
        """A turn with the words after a time."""
        self._last = seconds
        offset = len(turn.text) + 1 if turn.text else 0
        times = dict(turn.times) | {offset: seconds}
        return replace(turn, text=f"{turn.text} {words}".strip(), times=tuple(times.items()))
