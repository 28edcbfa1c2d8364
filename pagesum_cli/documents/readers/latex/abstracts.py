"""Abstracts that stand before the document in a LaTeX source, as some classes have them."""

import re
from collections.abc import Callable, Iterator

from ...article.wording import is_prose
from .inline import ends_of_groups, words_of

ABSTRACTS = {"abstract": "Abstract", "significancestatement": "Significance"}
"""Macros whose argument is an abstract, with their headings."""

_ENVIRONMENT = re.compile(r"\\begin\s?\{abstract\}(?s:.{0,20000}?)\\end\s?\{abstract\}")
_MACRO = re.compile(rf"\\(?:{'|'.join(ABSTRACTS)})\s?(?=\{{)")
_BEGIN = "\\begin{document}"


def with_abstract_inside(text: str, begin_of: Callable[[str], int]) -> str:
    """The source with the abstracts before its document at the beginning of it."""
    begin = begin_of(text)
    if begin <= 0:
        return text
    preamble = text[:begin]
    abstracts = [preamble[start:end] for start, end in spans_of_abstracts(preamble)]
    found = [one for one in abstracts if is_prose(words_of(one))]
    inside = begin + len(_BEGIN)
    return "\n\n".join([text[:inside], *found, text[inside:]]) if found else text


def spans_of_abstracts(preamble: str) -> Iterator[tuple[int, int]]:
    """Where the abstracts before a document are: environments first, then macros with their
    arguments.
    """
    yield from (one.span() for one in _ENVIRONMENT.finditer(preamble))
    ends = ends_of_groups(preamble)
    for macro in _MACRO.finditer(preamble):
        if end := ends.get(macro.end()):
            yield macro.start(), end
