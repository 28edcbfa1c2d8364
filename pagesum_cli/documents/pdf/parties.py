"""The parties of an opinion of a court, from the first page of a PDF (English)."""

import re
from collections.abc import Sequence

# a line of its own between the parties, or with the number of the case beside it
AGAINST = re.compile(r"(?i)[–-]?(?:vs?\.|v|versus)[–-]?(?: {1,3}no\. .*)?")
ROLES = ("plaintiff", "appell", "petitioner", "respondent", "defendant", "claimant", "movant")
COURT = " court "
BEFORE = 3  # lines between the name of the first party and the one between the parties
MAX_WORDS = 10  # of a name
FIRST = 12  # lines of a page, one of which names the court
_BESIDE = re.compile(r"[\uf8e6-\uf8fe]| ?\*.*| [->X]$")
"""The rule between two columns, and what is beside it."""
_NO_NAME = re.compile(r"(?i)\W*(?:no\. |\(|opinion$|$)")


def is_court(title: str) -> bool:
    """Whether a title has hardly more than the name of a court."""
    return COURT in f" {title.lower()} " and len(title.split()) <= MAX_WORDS


def has_court(lines: Sequence[str]) -> bool:
    """Whether the first lines name a court."""
    return any(is_court(line) for line in lines[:FIRST])


def parties_beside(title: str, lines: Sequence[str]) -> str:
    """A title; that of an opinion of a court which has none but the court's name is its parties,
    where the lines of its first page list them.
    """
    is_opinion = is_court(title) or (not title and has_court(lines))
    return (parties_of(lines) or title) if is_opinion else title


def parties_of(lines: Sequence[str]) -> str:
    """The names of the first party of each side; empty if a line of its own is not between them, or
    where a name ends is not clear.
    """
    lines = _without_beside(lines)
    middle = next((place for place, one in enumerate(lines) if AGAINST.fullmatch(one)), 0)
    before = [one for one in lines[max(middle - BEFORE, 0) : middle] if not _is_role(one)]
    after = lines[middle + 1 : middle + 3]
    if not before or not after:
        return ""
    names = [_name(before[-1]), _name(after[0]) or _name(" ".join(after))]
    return " v. ".join(names) if all(names) else ""


def _without_beside(lines: Sequence[str]) -> list[str]:
    """The lines without what is in a column beside the parties."""
    cut = [_BESIDE.sub("", one).strip() for one in lines]
    return [one for one in cut if not _NO_NAME.match(one)]


def _is_role(line: str) -> bool:
    """Whether a line says what part a party has in the case."""
    return line.lower().startswith(ROLES)


def _name(line: str) -> str:
    """The name at the beginning of a line, up to a comma or a semicolon; empty if it has none."""
    name, end, rest = line.replace(";", ",").partition(",")
    if any(role in rest.lower() for role in ROLES):
        return ""  # two columns that run into each other
    is_short = 0 < len(name.split()) <= MAX_WORDS
    return name.strip() if end and is_short and name[0].isupper() else ""
