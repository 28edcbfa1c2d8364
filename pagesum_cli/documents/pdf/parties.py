"""The parties of an opinion of a court, from the first page of a PDF (English)."""

import re
from collections.abc import Sequence
from itertools import takewhile

# a line of its own between the parties, or with the number of the case beside it
AGAINST = re.compile(r"(?i)[–-]?(?:vs?\.|v|versus)[–-]?(?: {1,3}no\. .*)?")
ROLES = ("plaintiff", "appell", "petitioner", "respondent", "defendant", "claimant", "movant")
COURT = re.compile(r"(?i)\bcourt\b|\bappeals board\b|\bboard of (?:\w+ )?appeals\b|\btribunal\b")
BEFORE = 3  # lines between the name of the first party and the one between the parties
MIN_BRACKETS = 3  # lines with one, in the column between the parties and what is beside them
MAX_LINES = 5  # of the names of both parties above how the case came to the court
MAX_WORDS = 10  # of a name
MAX_COURT = 16  # of the name of a court after "in the"
MATTER = 16  # lines of a page, one of which has a case's matter
MAX_MATTER = 14  # words of a matter
FIRST = 12  # lines of a page, one of which names the court
_BESIDE = re.compile(r"[\uf8e6-\uf8fe]| ?\*.*| [->X]$")
"""The rule between two columns, and what is beside it."""
_BRACKET = re.compile(r" ?\)(?: .*)?$")
_CAME = re.compile(r"(?:ON )?(?:WRITS? OF CERTIORARI|CERTIORARI|PETITION|APPEAL|CERTIFICATE)S? ")
_BOTH = re.compile(r"[^a-z]{3,120} v\. [^a-z]{3,120}")
_MATTER = re.compile(r"(?i)in re:? \w|in the matter of \w")
_NUMBER = re.compile(r"(?i)\s(?:(?:case|docket|civil|misc\.) )?(?:nos?\. |mdl (?:no\.|docket)).*")
_NO_NAME = re.compile(r"(?i)\W*(?:no\. |\(|opinion$|$)")


def is_court(title: str) -> bool:
    """Whether a title has hardly more than the name of a court."""
    most = MAX_COURT if title.lower().startswith("in the ") else MAX_WORDS
    return COURT.search(title) is not None and len(title.split()) <= most


def has_court(lines: Sequence[str]) -> bool:
    """Whether the first lines name a court."""
    return any(is_court(line) for line in lines[:FIRST])


def parties_beside(title: str, lines: Sequence[str]) -> str:
    """A title; that of an opinion of a court which has none but the court's name is its parties,
    where the lines of its first page list them.
    """
    is_opinion = is_court(title) or (not title and has_court(lines))
    names = (parties_in_one(lines) or parties_of(lines) or matter_of(lines)) if is_opinion else ""
    return names or title


def matter_of(lines: Sequence[str]) -> str:
    """The matter of a case without two parties, "In re Mill Litigation", up to the comma after it;
    empty where there is none, or where it ends is not clear.
    """
    lines = [_NUMBER.sub("", one).strip() for one in lines[:MATTER]]
    start = next((place for place, one in enumerate(lines) if _MATTER.match(one)), len(lines))
    name, end, rest = " ".join(lines[start : start + BEFORE]).partition(",")
    is_last = not rest or any(one.endswith(f"{name.split()[-1]},") for one in lines)
    return name if end and is_last and _is_matter(name) else ""


def _is_matter(name: str) -> bool:
    """Whether words may be the name of a matter."""
    is_one = ". " not in name and not is_court(name)
    return is_one and len(name.split()) <= MAX_MATTER


def parties_in_one(lines: Sequence[str]) -> str:
    """The names in capitals on both sides of a "v.", on the lines above one that says how the case
    came to the court; empty where there are none.
    """
    end = next((place for place, one in enumerate(lines) if _CAME.match(one)), 0)
    above = takewhile(_is_in_capitals, reversed(lines[max(end - MAX_LINES, 0) : end]))
    names = " ".join(reversed([*above]))
    return names if _BOTH.fullmatch(names) and not is_court(names) else ""


def _is_in_capitals(line: str) -> bool:
    """Whether a line has names in capitals, and names no court."""
    return line.replace(" v.", "").isupper() and not is_court(line)


def parties_of(lines: Sequence[str]) -> str:
    """The names of the first party of each side; empty if a line of its own is not between them, or
    where a name ends is not clear.
    """
    lines = _without_beside(_without_brackets(lines))
    middle = next((place for place, one in enumerate(lines) if AGAINST.fullmatch(one)), 0)
    before = [one for one in lines[max(middle - BEFORE, 0) : middle] if not _is_role(one)]
    after = lines[middle + 1 : middle + 3]
    if not before or not after:
        return ""
    names = [_name(before[-1]), _name(after[0]) or _name(" ".join(after))]
    return " v. ".join(names) if all(names) else ""


def _without_brackets(lines: Sequence[str]) -> Sequence[str]:
    """The lines without what is in a column beside the parties behind a column of brackets, if
    there is one; a name of one line then ends with a comma.
    """
    cut = [one if "(" in one.partition(")")[0] else _BRACKET.sub("", one) for one in lines]
    inside = [one if one != line else "" for one, line in zip(cut, lines, strict=True)]
    has = [one != line for one, line in zip(cut, lines, strict=True)]
    if sum(has) < MIN_BRACKETS:
        return lines
    around = ["", *inside, ""]
    return [
        f"{one.rstrip(',')}," if _is_alone(around[place : place + 3]) else one
        for place, one in enumerate(cut)
    ]


def _is_alone(lines: Sequence[str]) -> bool:
    """Whether the second of three lines is a name that neither of the others belongs to."""
    before, name, after = lines
    is_name = bool(name) and not (_is_role(name) or AGAINST.fullmatch(name))
    return is_name and all(
        not one or _is_role(one) or AGAINST.fullmatch(one) for one in (before, after)
    )


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
