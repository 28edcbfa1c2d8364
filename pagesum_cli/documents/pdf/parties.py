"""The parties of an opinion of a court, from the first page of a PDF (English)."""

from collections.abc import Sequence

AGAINST = ("v.", "vs.", "v", "versus")  # a line of its own between the parties
ROLES = ("plaintiff", "appell", "petitioner", "respondent", "defendant", "claimant", "movant")
COURT = " court "
BEFORE = 3  # lines between the name of the first party and the one between the parties
MAX_WORDS = 10  # of a name


def is_court(title: str) -> bool:
    """Whether a title has hardly more than the name of a court."""
    return COURT in f" {title.lower()} " and len(title.split()) <= MAX_WORDS


def parties_of(lines: Sequence[str]) -> str:
    """The names of the first party of each side; empty if a line of its own is not between them, or
    where a name ends is not clear.
    """
    middle = next((place for place, one in enumerate(lines) if one.lower() in AGAINST), 0)
    before = [one for one in lines[max(middle - BEFORE, 0) : middle] if not _is_role(one)]
    after = lines[middle + 1 : middle + 2]
    if not before or not after:
        return ""
    names = [_name(before[-1]), _name(after[0])]
    return " v. ".join(names) if all(names) else ""


def _is_role(line: str) -> bool:
    """Whether a line says what part a party has in the case."""
    return line.lower().startswith(ROLES)


def _name(line: str) -> str:
    """The name at the beginning of a line, up to a comma or a semicolon; empty if it has none."""
    name, end, _ = line.replace(";", ",").partition(",")
    is_short = 0 < len(name.split()) <= MAX_WORDS
    return name.strip() if end and is_short and name[0].isupper() else ""
