"""When a sentence of a transcript is spoken, by the times in its text."""

import re
from bisect import bisect_right

MIN_MARKS = 5  # of a text, from which on they are marks of a recording
_MARK = re.compile(r"\[(\d{1,2}):([0-5]\d)(?::([0-5]\d))?\]")


class TimeMarks:
    """The marks of time in a text: ``[00:53:00]``."""

    def __init__(self, text: str) -> None:
        marks = list(_MARK.finditer(text))
        times = [_seconds(mark) for mark in marks]
        is_recording = len(marks) >= MIN_MARKS and times == sorted(times)
        self._places = [mark.start() for mark in marks] if is_recording else []
        self._times = times

    def before(self, place: int) -> float | None:
        """The time of the last mark up to a place, in seconds; None if there is none."""
        number = bisect_right(self._places, place)
        return self._times[number - 1] if number else None


def _seconds(mark: re.Match[str]) -> float:
    """The time of a mark; of one with two numbers, minutes and seconds."""
    numbers = [int(one) for one in mark.groups() if one is not None]
    hours, minutes, seconds = (0, *numbers)[-3:]
    return float(3600 * hours + 60 * minutes + seconds)
