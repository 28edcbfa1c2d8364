"""The names of sections, from ``names.toml``."""

import re
from typing import Any

from ...text.tables import table


def alternatives(*names: str) -> str:
    """A regular expression for any entry of some lists of ``names.toml`` (``back_matter.weak``)."""
    entries: list[str] = []
    for name in names:
        found: Any = table(__file__, "names.toml")
        for part in name.split("."):
            found = found[part]
        entries += found
    return f"(?:{'|'.join(entries)})"


def pattern(*names: str, before: str = "", after: str = "") -> re.Pattern[str]:
    """The compiled :func:`alternatives`, with what may stand before and after them."""
    return re.compile(before + alternatives(*names) + after, re.IGNORECASE)


_KINDS = ("introduction", "methods", "results", "discussion", "conclusion", "references")

LABELS = rf"(?:study )?{alternatives('sections.labels')}"
"""What the parts of a structured abstract are called, as a regular expression."""

# the label of an abstract, alone or before its text
ABSTRACT = pattern("abstract", after=r"\b\s*[:.—–-]*\s*")
NUMBER = re.compile(
    r"(?P<label>(?:§ ?)?(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z](?:\.\d{1,2}){1,3}\.?|"
    r"(?:[IVX]{1,5}|[A-Z])\.|"
    r"(?:chapter|section|part|appendix) (?:\d{1,2}|[A-Z]|[IVX]{1,5})[.:]?))\s+"
    r"(?:[|–—]\s*)?(?P<name>\S.*)",
    re.IGNORECASE,
)
"""A heading with its number."""

_ABSTRACT = pattern("abstract", before=r"\W{0,8}(?:\d+\.? )?", after=r"\W{0,8}")
_REFERENCES = pattern("references", before=r"(?>(?:\W|\d|[ivx]{1,6}+\.){0,20})", after=r"\W*+")
_USUAL = pattern("sections.usual", *(f"kinds.{kind}" for kind in _KINDS))
_KIND = re.compile(
    "|".join(f"(?P<{kind}>{alternatives(f'kinds.{kind}')})" for kind in _KINDS), re.IGNORECASE
)
_LABEL = re.compile(LABELS, re.IGNORECASE)


def bare(heading: str) -> str:
    """A heading without its number."""
    match = NUMBER.match(heading)
    return match["name"] if match else heading


def bare_name(heading: str) -> str:
    """A heading without its number and the punctuation around it."""
    return bare(heading).strip(" .:")


def core_name(heading: str) -> str:
    """Which part of a paper a heading begins (introduction, methods, results …); empty for another
    heading.
    """
    match = _KIND.fullmatch(bare_name(heading))
    return match.lastgroup or "" if match else ""


def is_abstract(heading: str) -> bool:
    """Whether a heading is that of the abstract."""
    return _ABSTRACT.fullmatch(heading) is not None


def is_of_abstract(name: str) -> bool:
    """Whether the name of a section is that of the abstract or of a part of it:
    ``Abstract, Methods``.
    """
    return is_abstract(name.partition(", ")[0])


def is_references(heading: str) -> bool:
    """Whether a heading is that of the list of references."""
    return _REFERENCES.fullmatch(heading) is not None


def is_label(heading: str) -> bool:
    """Whether a heading is one that structured abstracts have."""
    return _LABEL.fullmatch(heading.strip(" .:—–-")) is not None


def is_name(heading: str) -> bool:
    """Whether a heading has one of the names that sections of papers usually have."""
    return _USUAL.fullmatch(bare_name(heading)) is not None or is_references(heading)
