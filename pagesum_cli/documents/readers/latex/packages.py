r"""Packages that lie beside a source: what they define, as far as it is no program."""

import re
from collections.abc import Iterator

from .inline import FORMS, ends_of_groups

MAX_ARGUMENTS = 6  # of a definition
_NAMED = re.compile(
    r"\\(?:newacronym|newabbreviation|newglossaryentry|DeclareAcronym|DeclareSIUnit|acrodef"
    r"|newminted|newmintinline|lstnewenvironment|DefineVerbatimEnvironment|newenvironment"
    r"|renewenvironment)(?![A-Za-z@])\*?"
)
_PROGRAM = re.compile(r"\\(?:else|fi|or|endcsname)(?![a-z])|\\if|\\[A-Za-z]*@[A-Za-z]|##")


def definitions(text: str) -> str:
    """The definitions of a package: of macros whose text is no program, and of terms, units and
    environments.
    """
    return "\n".join(_definitions(text, ends_of_groups(text)))


def _definitions(text: str, ends: dict[int, int]) -> Iterator[str]:
    place = 0
    for match in re.finditer(r"\\[A-Za-z]", text):
        start = match.start()
        if start < place:
            continue
        if found := FORMS["definition"].match(text, start):
            place = ends.get(found.end(), found.end())
        elif found := _NAMED.match(text, start):
            place = _end_of_arguments(text, found.end(), ends)
        if found and not _PROGRAM.search(text, start, place):
            yield text[start:place]


def _end_of_arguments(text: str, place: int, ends: dict[int, int]) -> int:
    """Where the arguments end that begin at a place."""
    for _ in range(MAX_ARGUMENTS):
        after = place
        while text[after : after + 1].isspace():
            after += 1
        if after in ends:
            place = ends[after]
        elif found := FORMS["option"].match(text, after) or FORMS["macro"].match(text, after):
            if found[0][0] == "\\" and text[place - 1] == "}":
                break
            place = found.end()
        else:
            break
    return place
