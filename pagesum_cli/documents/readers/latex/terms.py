"""Acronyms and terms of a glossary (glossaries, acro, acronym) → the words that are printed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ....text.tables import table
from .inline import ends_of_groups

_NAMES = table(__file__, "macros.toml")["terms"]
_FORMS = {name: form for form, names in _NAMES.items() for name in names.split()}

_DEFINED = re.compile(
    r"\\(?P<kind>newacronym|newglossaryentry|DeclareAcronym|newabbreviation|acrodef|acro|newacro)"
    r"\s*(?:\[(?P<options>(?:[^\[\]{}]|\{[^{}]{0,200}\}){0,200})\])?\s*\{(?P<key>[^{}]{1,80})\}"
    r"\s*(?:\[(?P<printed>[^\[\]{}]{0,80})\])?"
)
_FIELD = re.compile(
    r"(?<![a-z])(?P<name>[a-z]{1,40})\s{0,9}=\s{0,9}(?:\{(?P<braced>(?:[^{}]|\{[^{}]{0,200}\}){0,500})\}"
    r"|(?P<bare>[^,{}]{1,200}))"
)
_USED = re.compile(
    rf"\\(?P<name>{'|'.join(_FORMS)})\*?\s*(?:\[[^\[\]{{}}]{{0,200}}\])?"
    r"\{(?P<key>[^{}]{1,80})\}(?:\[(?P<end>[^\[\]{}]{0,40})\])?"
)


@dataclass(frozen=True)
class _Term:
    """The forms of a term."""

    short: str
    long: str = ""
    short_plural: str = ""
    long_plural: str = ""


def with_terms(text: str) -> str:
    """The source with words in the place of references to terms: the first time the long form of an
    acronym with the short one, then the short one.
    """
    terms = _terms(text)
    used: set[str] = set()

    def printed(found: re.Match[str]) -> str:
        term = terms.get(found["key"].strip())
        if term is None:
            return f"{{{found['key']}}}"
        form = _FORMS[found["name"]]
        is_plural = "pl" in found["name"] or found["name"] in ("acp", "acsp", "aclp", "acfp", "Acp")
        words = _printed(term, form, is_plural=is_plural, is_first=found["key"] not in used)
        if form == "first or short":
            used.add(found["key"])
        is_capital = found["name"][0].isupper()
        return f"{{{words[:1].upper() + words[1:] if is_capital else words}}}{found['end'] or ''}"

    return _USED.sub(printed, text) if terms else text


def _printed(term: _Term, form: str, *, is_plural: bool, is_first: bool) -> str:
    short = term.short_plural or f"{term.short}s" if is_plural else term.short
    long = term.long_plural or f"{term.long}s" if is_plural else term.long
    if not term.long or form == "short":
        return short
    if form == "long":
        return long
    return f"{long} ({short})" if form == "full" or is_first else short


def _terms(text: str) -> Mapping[str, _Term]:
    ends = ends_of_groups(text)
    terms: dict[str, _Term] = {}
    for found in _DEFINED.finditer(text):
        arguments = _groups(text, found.end(), ends)
        if found["kind"] in ("newglossaryentry", "DeclareAcronym"):
            fields = _fields(arguments[0] if arguments else "")
            short = fields.get("short") or fields.get("name") or found["key"]
            long = fields.get("long", "")
        elif found["kind"] in ("newacronym", "newabbreviation"):
            fields = _fields(found["options"] or "")
            short, long = (*arguments, "", "")[:2]
        else:
            fields = {}
            short, long = found["printed"] or found["key"], (*arguments, "")[0]
        plural = fields.get("plural", "")
        terms[found["key"].strip()] = _Term(
            short, long, fields.get("shortplural", plural), fields.get("longplural", "")
        )
    return terms


def _groups(text: str, place: int, ends: Mapping[int, int]) -> list[str]:
    """The arguments in braces behind a place."""
    found: list[str] = []
    while len(found) < 2:
        while text[place : place + 1].isspace():
            place += 1
        if place not in ends:
            break
        found.append(text[place + 1 : ends[place] - 1])
        place = ends[place]
    return found


def _fields(text: str) -> dict[str, str]:
    found = _FIELD.finditer(text)
    return {one["name"]: (one["braced"] or one["bare"] or "").strip() for one in found}
