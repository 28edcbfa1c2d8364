"""Acronyms and terms of a glossary (glossaries, acro, acronym) → the words that are printed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....text.tables import table
from .inline import ends_of_groups

_NAMES = table(__file__, "macros.toml")["terms"]
_FORMS = {
    name: form for form, names in _NAMES.items() if form != "plurals" for name in names.split()
}

_DEFINED = re.compile(
    r"\\(?P<kind>newacronym|newglossaryentry|DeclareAcronym|newabbreviation|acrodef|acro|newacro)"
    r"\*?\s*(?:\[(?P<options>(?:[^\[\]{}]|\{[^{}]{0,200}\}){0,200})\])?\s*\{(?P<key>[^{}]{1,80})\}"
    r"\s*(?:\[(?P<printed>(?:[^\[\]{}]|\{[^{}]{0,80}\}){0,80})\])?"
)
_FIELD = re.compile(
    r"(?<![a-z-])(?P<name>[a-z-]{1,40})\s{0,9}=\s{0,9}(?:\{(?P<braced>(?:[^{}]|\{[^{}]{0,200}\}){0,500})\}"
    r"|(?P<bare>[^,{}]{1,200}))"
)
_PLURALS = frozenset(_NAMES["plurals"].split())
_USED = re.compile(
    rf"\\(?P<name>{'|'.join(_FORMS)})\*?\s*(?:\[[^\[\]{{}}]{{0,200}}\])?"
    r"\s?\{(?P<key>[^{}]{1,80})\}(?:\[(?P<end>[^\[\]{}]{0,40})\])?"
)
_OWN_WORDS = re.compile(
    r"\\(?:gls(?:link|disp)|Gls(?:link|disp))\*?\s?(?:\[[^\[\]{}]{0,200}\])?\{[^{}]{1,80}\}(?=\{)"
)
_NO_WORDS = re.compile(
    r"\\(?:glsadd|glsreset|glsunset|glslocal(?:un|re)set|acused|acreset)\s?\{[^{}]{1,80}\}"
)
MAX_DEPTH = 4  # terms in the words of terms


@dataclass(frozen=True)
class _Term:
    """The forms of a term."""

    short: str
    long: str = ""
    short_plural: str = ""
    long_plural: str = ""
    first: str = ""  # what is printed the first time, where it is given

    @property
    def plural(self) -> "_Term":
        """The forms of several."""
        long = self.long_plural or (self.long and f"{self.long}s")
        return _Term(self.short_plural or f"{self.short}s", long)


def with_terms(text: str) -> str:
    """The source with words in the place of references to terms: the first time the long form of an
    acronym with the short one, then the short one.
    """
    terms, text = _terms(_OWN_WORDS.sub("", _NO_WORDS.sub("", text)))
    return _Terms(terms).text(text) if terms else text


class _Terms:
    """Prints the terms of a document, one after the other."""

    def __init__(self, terms: Mapping[str, _Term]) -> None:
        self._terms = terms
        self._used: set[str] = set()

    def text(self, text: str, depth: int = 0) -> str:
        """The source with the words of terms, in which others may be."""
        if depth > MAX_DEPTH:
            return text
        return _USED.sub(lambda found: self._of(found, depth), text)

    def _of(self, found: re.Match[str], depth: int) -> str:
        name, key = found["name"], found["key"].strip()
        term = self._terms.get(key)
        if term is None:
            return f"{{{key}}}"
        form = _FORMS[name]
        term = term.plural if "pl" in name or name in _PLURALS else term
        words = _printed(term, form, is_first=key not in self._used)
        if form == "first or short":
            self._used.add(key)
        words = self.text(words, depth + 1)
        words = words[:1].upper() + words[1:] if name[0].isupper() else words
        return f"{{{words}}}{found['end'] or ''}"


def _printed(term: _Term, form: str, *, is_first: bool) -> str:
    """The words of a term in one of its forms."""
    if form == "first or short":
        form = "full" if is_first else "short"
        if is_first and term.first:
            return term.first
    forms = {"short": term.short, "long": term.long, "full": f"{term.long} ({term.short})"}
    return forms[form] if term.long else term.short


def _terms(text: str) -> tuple[Mapping[str, _Term], str]:
    """The terms that a source defines, and the source without these definitions; a list of acronyms
    is printed.
    """
    ends = ends_of_groups(text)
    terms: dict[str, _Term] = {}
    pieces: list[str] = []
    place = 0
    for found in _DEFINED.finditer(text):
        count = 2 if found["kind"] in ("newacronym", "newabbreviation") else 1
        groups, end = _groups(text, found.end(), ends, count)
        if found.start() < place or not groups:
            continue
        term = _term(found, groups)
        terms[found["key"].strip()] = term
        listed = f"\n\n{{{term.short}}} {term.long}\n\n" if found["kind"] == "acro" else ""
        pieces += [text[place : found.start()], listed]
        place = end
    return terms, "".join([*pieces, text[place:]])


def _term(found: re.Match[str], groups: Sequence[str]) -> _Term:
    """The term of a definition, by the arguments after its key."""
    if found["kind"] in ("newglossaryentry", "DeclareAcronym"):
        fields = _fields(groups[0])
        short = fields.get("short") or fields.get("text") or fields.get("name") or found["key"]
        long = fields.get("long", "")
    elif found["kind"] in ("newacronym", "newabbreviation"):
        fields = _fields(found["options"] or "")
        short, long = (*groups, "")[:2]
    else:
        fields = {}
        short, long = found["printed"] or found["key"], groups[0]
    plural = fields.get("plural", "")
    return _Term(
        short,
        long,
        fields.get("shortplural", fields.get("short-plural-form", plural)),
        fields.get("longplural", fields.get("long-plural-form", "")),
        fields.get("first", ""),
    )


def _groups(text: str, place: int, ends: Mapping[int, int], count: int) -> tuple[list[str], int]:
    """The arguments in braces behind a place, and where they end."""
    found: list[str] = []
    end = place
    while len(found) < count:
        while text[place : place + 1].isspace():
            place += 1
        if place not in ends:
            break
        found.append(text[place + 1 : ends[place] - 1])
        place = end = ends[place]
    return found, end


def _fields(text: str) -> dict[str, str]:
    found = _FIELD.finditer(text)
    return {one["name"]: (one["braced"] or one["bare"] or "").strip() for one in found}
