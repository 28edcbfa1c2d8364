r"""Comments and code in LaTeX source: listings, ``\verb``, and what the author defines as such."""

import re
from collections.abc import Callable, Iterator

from .inline import NAMES

_LISTINGS = NAMES["environments"]["listing"].split()
_MACRO_BEFORE = re.compile(r"\\[A-Za-z]++\Z")
MAX_NAME = 40  # characters of the name of a macro
_SPECIAL = re.compile(r"[\\{}$&#^_~%\[\]]")
_OPTIONS = r"\s{0,9}(?:\[[^\[\]]{0,200}\]\s{0,9}){0,2}"
_NAME = r"\{(?P<name>[A-Za-z]{1,40})\}"
_ENVIRONMENTS = (
    re.compile(r"\\newminted\s?(?:\[(?P<name>[A-Za-z]{1,40})\])?\s?\{(?P<language>[\w-]{1,40})\}"),
    re.compile(rf"\\(?:lstnewenvironment|(?:Define|Custom)VerbatimEnvironment){_NAME}"),
    re.compile(rf"\\(?:re)?new(?:tcblisting|mdlisting){_OPTIONS}{_NAME}"),
    re.compile(
        rf"\\(?:re)?newenvironment\*?\s?{_NAME}{_OPTIONS}\{{[^{{}}]{{0,200}}"
        rf"\\(?:VerbatimEnvironment|begin\{{(?:{'|'.join(_LISTINGS)})\*?\}})"
    ),
)
_MACROS = (
    re.compile(
        r"\\newmintinline\s?(?:\[(?P<name>[A-Za-z]{1,40})\])?\s?\{(?P<language>[\w-]{1,40})\}"
    ),
    re.compile(
        r"\\newcommand\*?\s?\{?\\(?P<name>[A-Za-z]{1,40})\}?\s?"
        r"\{\\(?:lstinline(?:\[[^\[\]]{0,200}\])?|mintinline\{\w{1,20}\}|verb)\s?\}"
    ),
)
_MARKS = re.compile(
    r"\\(?:MakeShortVerb\*?|lstMakeShortInline(?:\[[^\[\]]{0,200}\])?)\s?\{?\\?([|!\"+/])"
)


def declared(text: str) -> re.Pattern[str]:
    """A pattern of comments, of listings, and of what may hold a percent sign that begins no
    comment, with the environments and the macros that the author declares for code.
    """
    listings = "|".join([*_LISTINGS, *_names(_ENVIRONMENTS, text, "code")])
    macros = "".join(f"|{name}" for name in _names(_MACROS, text, "inline"))
    marks = "".join(re.escape(mark) for mark in sorted(set(_MARKS.findall(text))))
    marks = marks or r"^\s\S"  # none
    between = rf"(?P<short>[{marks}])(?P<between>[^\n|!\"+/]{{1,200}})(?P=short)"
    return re.compile(
        rf"\\begin\s?\{{(?P<listing>{listings})\*?\}}|"
        r"(?P<comment>%.*\n?[ \t]*+)|"
        r"(?P<url>\\(?:url|href|path|nolinkurl)\s?\{[^{}\n]*+\})|"
        rf"\\(?:[vV]erb\*?|lstinline(?:\[[^\]\n]{{0,200}}\])?|mintinline\{{\w{{1,20}}\}}{macros})"
        r"(?:(?P<mark>[^\w\s*{])(?P<verb>[^\n]{0,300}?)(?P=mark)|\{(?P<braced>[^{}\n]{0,300})\})|"
        rf"{between}|\\."
    )


def _names(forms: tuple[re.Pattern[str], ...], text: str, end: str) -> Iterator[str]:
    """The names that declarations give; those of minted have a language and an end instead."""
    for form in forms:
        for found in form.finditer(text):
            name = found["name"] or found["language"] + end
            yield re.escape(name)


def without_comments(
    text: str, code: re.Pattern[str], leave_out: Callable[[str, str], None]
) -> str:
    """The source without comments, and without listings, which are handed to ``leave_out``."""
    kept: list[str] = []
    place, missing = 0, set()
    while match := code.search(text, place):
        kept.append(text[place : match.start()])
        place = match.end()
        last = f"\\end{{{match['listing']}"
        if not match["listing"]:
            kept.append(_shown(match))
        elif last not in missing:
            end = text.find(last, place)
            if end < 0:
                missing.add(last)  # never look for it again
                continue
            if match["listing"] != "comment":
                leave_out("code", text[place:end])
                kept.append("\n\n")
            place = text.find("}", end) + 1
    return "".join([*kept, text[place:]])


def _shown(found: re.Match[str]) -> str:
    """The source of what is no listing, such that it means the same to the reader."""
    if found["url"]:
        return re.sub(r"(?<!\\)%", r"\\%", found[0])
    if verbatim := "".join(filter(None, found.group("verb", "braced", "between"))):
        return _SPECIAL.sub(_escaped, verbatim)
    if found["comment"]:
        return _after_comment(found.string, found.start(), found.end())
    return found[0]


def _after_comment(text: str, start: int, end: int) -> str:
    """What stays of a comment: an empty line ends the paragraph, the line ends a macro's name."""
    if text[end : end + 1] == "\n":
        return "\n"
    return " " if _MACRO_BEFORE.search(text, max(0, start - MAX_NAME), start) else ""


def _escaped(found: re.Match[str]) -> str:
    names = {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "[": "{[}",
        "]": "{]}",
    }
    return names.get(found[0], "\\" + found[0])
