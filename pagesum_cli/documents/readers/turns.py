"""Turns of speakers in plain text that begin inside of a line: "Thank you.    Berg: Good day."."""

import re
from collections import Counter

MIN_TURNS = 8  # names after wide spaces, from which on they are those of speakers
MIN_NAMES = 2  # names that come again

_NAME = r"[A-Z][\w.’'-]{1,20}(?: [A-Z][\w.’'-]{1,20}){0,3}"
_INSIDE = re.compile(rf"(?<=\S)[ \t]{{2,8}}(?=({_NAME}):\s)")
_WITH_OFFICE = re.compile(rf"(?<=[.?!\]])[ \t]{{2,8}}(?={_NAME}, [A-Z][^.:?!\n]{{2,100}}:\s)")
_FIRST = re.compile(rf"^[ \t]{{0,8}}({_NAME}):\s", re.MULTILINE)


def with_turns_apart(text: str) -> str:
    """A text with an empty line before each speaker's name, if names stand inside of its lines."""
    inside = _INSIDE.findall(text)
    counts = Counter([*inside, *_FIRST.findall(text)])
    known = [name for name, count in counts.items() if count > 1]
    if len(inside) < MIN_TURNS or len(known) < MIN_NAMES:
        return text
    either = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    text = _WITH_OFFICE.sub("\n\n", _INSIDE.sub("\n\n", text))
    return re.sub(rf"(?:\n|(?<=[.?!]) )(?=(?:{either}):\s)", "\n\n", text)
