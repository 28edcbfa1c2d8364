"""The parties of a case, which its title page names: "Harlow Mills Ltd., Appellant, versus Benton
Farms, Respondent". A claim may name a party by its name or by its role.
"""

import re
from collections.abc import Container, Iterator, Mapping

from .notation import Reading

_OPENING = 1500  # characters of a document in which its title page is
_ROLES = "appellants?|respondents?|petitioners?|plaintiffs?|defendants?|applicants?|claimants?"
_NAME = r"[A-Z][\w&'’-]*\.?(?:\s(?:(?:of|and|the|&)\s)?[A-Z][\w&'’-]*\.?){0,9}"
_PARTY = re.compile(rf"(?P<name>{_NAME})[\s.…,–-]{{1,12}}(?P<role>(?i:{_ROLES}))\b(?:\s?\(s\))?")
_AGAINST = re.compile(r"(?<!\w)(?:v\.?|vs\.?|versus|and|-against-)(?!\w)", re.IGNORECASE)
_NAMED = re.compile(r"(?<!\w)[A-Z][\w&-]*(?:\s[A-Z][\w&-]*){0,9}(?P<own>['’]s)?(?!\w)")
_SHORTEST = 4  # letters of the beginning of a name that stands for it


def parties_in(text: str) -> dict[str, str]:
    """The letters of the name of each party by its role, if a title page names two."""
    opening = text[:_OPENING]
    found = dict[str, str]()
    for match in _PARTY.finditer(opening):
        role = match["role"].lower().removesuffix("s")
        if not re.fullmatch(_ROLES, match["name"], re.IGNORECASE):
            found.setdefault(role, _letters(match["name"]))
    is_case = len(found) == len({*found.values()}) > 1 and _AGAINST.search(opening)
    return found if is_case else {}


def named_parties(
    text: str, parties: Mapping[str, str], words: Container[str]
) -> Iterator[Reading]:
    """The names of parties in a text, each as its role, if this is among some words."""
    for match in _NAMED.finditer(text) if parties else ():
        name = match[0].removesuffix(match["own"] or "")
        letters = _letters(name)
        for role, party in parties.items():
            norm = f"{role}s" if match["own"] else role
            is_party = len(letters) >= _SHORTEST and party.startswith(letters)
            if is_party and norm in words and letters not in words:
                yield Reading(*match.span(), norm)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))
