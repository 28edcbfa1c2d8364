"""The authors of a document, as its metadata names them."""

import re
from collections.abc import Iterable

from ...text.cleaning import one_line
from ...text.words import words_of
from ..model import Document

SHORT = 2  # letters up to which a word of a name is an initial or a particle

_ADDRESS = re.compile(r"<[^<>]*>|\([^()]*\)")
_AND = re.compile(r",?\s{1,9}(?:and|&)\s{1,9}")
_OF = re.compile(r"\b(?:of|for|the)\b")  # is in names of organizations
# of YAML and TOML: the value behind the key, or the items below it
_FIELD = re.compile(
    r"(?mi)^authors?[ \t]{0,9}[:=][ \t]{0,99}(?P<value>[^\n]{0,2000})"
    r"(?P<items>(?:\n(?:[ \t]{0,20}-[ \t]|[ \t]{1,20})[^\n]{0,500}){0,200})"
)
_ITEM = re.compile(
    r"(?m)^[ \t]*-[ \t]+(?:\{?[ \t]*(?:name|literal):)?(?P<name>[^\n,{}:]+)(?!:)(?=[\n,{}]|$)"
)
_NAME_BELOW = re.compile(r"(?m)^[ \t]+(?:name|literal):(?P<name>[^\n]+)")


def names_in(text: str) -> tuple[str, ...]:
    """The names in one text: between semicolons, or else between commas and *and* where this gives
    names of two words or more (``Doe, Jane`` is one).
    """
    parts = one_line(text).split(";")
    if len(parts) == 1 and not _OF.search(text):
        parts = _divided(parts[0])
    return _cleaned(parts)


def names_of_fields(fields: str) -> tuple[str, ...]:
    """The authors in the front matter of a Markdown file."""
    found = _FIELD.search(fields)
    if found is None:
        return ()
    value = found["value"].strip()
    if value.startswith("["):
        return _cleaned(value.strip("[]").split(","))
    if value:
        return names_in(_unquoted(value))
    names = [one["name"] for one in _ITEM.finditer(found["items"])]
    return _cleaned(names or [one["name"] for one in _NAME_BELOW.finditer(found["items"])])


def printed_names(names: Iterable[str], document: Document) -> tuple[str, ...]:
    """The names that are also on the first page of a PDF: its metadata often has the name of an
    account or of a program.
    """
    texts = [one.text for one in document.left_out if 1 in one.pdf_pages]
    for section in document.sections:
        texts += [one.text for one in section.paragraphs if 1 in one.pdf_pages()]
    words = set(words_of(" ".join(texts)))
    return tuple(name for name in names if _is_among(name, words))


def _divided(text: str) -> list[str]:
    for parts in (re.split(rf"{_AND.pattern}|,\s*", text), _AND.split(text)):
        if all(" " in part.strip() for part in parts):
            return parts
    return [text]


def _cleaned(parts: Iterable[str]) -> tuple[str, ...]:
    names = (one_line(_ADDRESS.sub("", _unquoted(part.strip()))) for part in parts)
    return tuple(dict.fromkeys(filter(None, names)))


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if is_quoted else text


def _is_among(name: str, words: set[str]) -> bool:
    own = words_of(name)
    long = [word for word in own if len(word) > SHORT] or own
    return bool(long) and words.issuperset(long)
