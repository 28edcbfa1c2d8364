"""Which passages are questions, headings, entries of a table of contents or rows, by form."""

import re

from ..documents.article.building import CELL

QUESTION, STUB, ROW, OTHERS = "question", "stub", "row", "others"
ENTRY_END = 20  # characters at its end by which an entry is recognized
_HEADING = re.compile(r"(?:[\d.]{1,16} )?(?:[^\W\d][\w’'/&,-]*+(?: |$)){1,8}")
"""A few words without a number or a sign."""
_LABEL = re.compile(r"(?:[\d.]{1,8}|[A-Za-z][.)]|\(\w{1,3}\)) ")
_TITLE = re.compile(r"(?:\(?(?:[A-Z][\w'’-]*|[a-z]{1,3})\)?[,:]?(?: |$)){5,25}")
"""Words without a number or a stop at the end, the longer of which begin with capitals."""
_ENTRY = re.compile(r"(?:\.{3}|(?: \.){3}|…|\t)\s?\d{1,4}$")
"""The end of an entry of a table of contents."""


_NAME = re.compile(r"(?:[^\W\d][\w'’/&,-]*+(?:\s|[.:]?$)){1,4}")
"""A few words, perhaps with a stop, that may be the name of what follows: "Late fees."."""
_STATES = re.compile(r"(?i:\b(?:is|are|was|were|has|have|had|none|no|yes|not|n't|\w+ed)\b)")


_POINTER = re.compile(
    r"(?i)\(?(?:(?:see|cf\.?|refer to|source) )?(?:also )?(?:the )?"
    r"(?:(?:supplementary|extended data) )?"
    r"(?:tables?|figures?|figs?\.?|charts?|box(?:es)?|plates?|schemes?|graphs?|maps?|equations?"
    r"|eqs?\.?|listings?|algorithms?|exhibits?|appendix|appendices|annex(?:es)?|panels?)"
    r"\s?(?:[A-Z]{0,2}[\d.]{1,6}[a-z]?|[IVX]{1,5}|[A-Z])\b"
    r"(?: (?:\(continued\)|continued|cont\.|below|above))?[\s.:;)]*"
)
"""The label of a figure or table, or one that points at it: "Table 3.", "See Table 3."."""
_SEE = re.compile(r"\(?(?:See|Cf\.) (?=[^.]*[A-Z\d(])[\w\s.,&'’()§:/-]{1,50}")
_SPEAKS = re.compile(r"(?i)\b(?:how|what|why|where|when|that|if|whether|who|to|you|your)\b")


def is_label(text: str) -> bool:
    """Whether a text is the label of a figure or table alone: "Table 3."."""
    return _POINTER.fullmatch(text) is not None and not text.lower().startswith(("see", "cf", "("))


def is_pointer(text: str) -> bool:
    """Whether a text only names another place: "Table 3.", "See Minutes (Dkt. 30)."."""
    if _POINTER.fullmatch(text):
        return True
    return _SEE.fullmatch(text) is not None and not _SPEAKS.search(text)


def opens(text: str, gap: int) -> bool:
    """Whether a text names what follows in its paragraph, or after a ``gap`` of several characters
    in the next one: "Fines.", but not "Motion carried.".
    """
    if not _NAME.fullmatch(text) or _STATES.search(text):
        return False
    return 0 <= gap <= 1 or not text.endswith(".")


def form_of(text: str) -> str:
    """:data:`QUESTION`; :data:`STUB` for a heading or an entry of a table of contents; :data:`ROW`
    for the cells of a table; or empty.
    """
    if text.endswith("?"):
        return QUESTION
    if CELL in text:
        return ROW
    is_heading = _HEADING.fullmatch(text) or _is_title(text)
    return STUB if is_heading or _ENTRY.search(text[-ENTRY_END:]) else ""


def _is_title(text: str) -> bool:
    """Whether a text has the form of a title; one with the label of an item may end with a stop."""
    label = _LABEL.match(text)
    if label and not _STATES.search(text):
        text = text[label.end() :].removesuffix(".")
    return _TITLE.fullmatch(text) is not None
