"""Which majority a text requires: a claim that names another one than the documents is wrong."""

import re
from collections.abc import Iterator

from ...text.tables import table
from .notation import Reading, any_of

_WAYS = {
    way: norm
    for norm, ways in table(__file__, "meanings.toml")["majorities"].items()
    for way in ways.replace("_", " ").split("|")
}
_MAJORITY = re.compile(
    rf"(?<!\w)(?:(?P<before>{any_of(_WAYS)})(?:\s\([^()]{{1,9}}\))?\s(?:majority|vote)"
    rf"|majority\sof\s(?P<behind>{any_of(_WAYS)}))(?!\w)",
    re.IGNORECASE,
)


def majorities_in(text: str) -> Iterator[Reading]:
    """The majorities that a text names, in order."""
    for match in _MAJORITY.finditer(text):
        way = re.sub(r"[\s-]", " ", (match["before"] or match["behind"]).lower())
        yield Reading(*match.span(), f"{_WAYS[way]} majority ")


def other_majorities(claim: str, source: str) -> Iterator[tuple[Reading, Reading]]:
    """The majorities of a claim that a source does not have, each with the first one that it
    has.
    """
    has = list(majorities_in(source))
    norms = {one.norm for one in has}
    for one in majorities_in(claim):
        if has and one.norm not in norms:
            yield one, has[0]
