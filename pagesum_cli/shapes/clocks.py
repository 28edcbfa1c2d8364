"""Times of day at which articles say that their event happened, to find those that differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from re import Match

from ..documents.model import Sentence
from ..text.tables import patterns

BEGINNING = 8  # sentences of an article among which it says when its event happened
HALF_DAY, DAY = 12 * 60, 24 * 60  # minutes
EXACT, NEAR = 9, 30  # minutes by which times of one event differ: both exact; one not

_FORMS = patterns(__file__, "clocks.toml")


@dataclass(frozen=True)
class Clock:
    """A time of day in a sentence."""

    text: str
    minutes: int  # since midnight; since midnight or noon if that is not known
    has_half: bool  # whether it is known to be before or after noon
    is_near: bool  # whether it is not exact
    days: frozenset[str]  # the weekdays that its sentence names
    sentence: Sentence

    def differs(self, other: "Clock") -> bool:
        """Whether two times cannot be of one event on one day."""
        if self.days and other.days and self.days.isdisjoint(other.days):
            return False
        period = DAY if self.has_half and other.has_half else HALF_DAY
        apart = abs(self.minutes - other.minutes) % period
        return min(apart, period - apart) > (NEAR if self.is_near or other.is_near else EXACT)


def clock_of_event(sentences: Sequence[Sentence]) -> Clock | None:
    """The time at which an article's event happened, by its first sentences; None if they give
    none, or several.
    """
    beginning = [one for one in sentences if not one.is_heading][:BEGINNING]
    found = [clock for sentence in beginning for clock in _clocks_of(sentence)]
    is_one = bool(found) and not any(found[0].differs(other) for other in found[1:])
    return found[0] if is_one else None


def _clocks_of(sentence: Sentence) -> Iterator[Clock]:
    """The times at which a sentence says that something happened."""
    text = sentence.text
    if not _FORMS["happened"].search(text) or _FORMS["other"].search(text):
        return
    days = frozenset(match[0].lower() for match in _FORMS["day"].finditer(text))
    for match in _FORMS["clock"].finditer(text):
        if not _FORMS["zone"].match(text[match.end() :]):
            near = _FORMS["near"].search(text[max(match.start() - 30, 0) : match.start()])
            shown = f"{near[0] if near else ''}{match[0]}"
            has_half = bool(match["half"] or match["hour24"])
            yield Clock(shown, _minutes(match), has_half, near is not None, days, sentence)
    for match in _FORMS["bare"].finditer(text):
        minutes = int(match["hour"]) % 12 * 60
        yield Clock(match[0], minutes, has_half=False, is_near=True, days=days, sentence=sentence)


def _minutes(match: Match[str]) -> int:
    """A time in minutes since midnight."""
    if match["hour24"]:
        return int(match["hour24"]) * 60 + int(match["minute24"])
    half = HALF_DAY if match["half"].lower() == "p" else 0
    return int(match["hour"]) % 12 * 60 + int(match["minute"] or 0) + half
