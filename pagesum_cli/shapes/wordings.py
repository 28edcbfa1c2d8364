"""The wording that a decision announces: "The council agreed to add the following item:"."""

from collections.abc import Sequence
from itertools import accumulate

from ..documents.model import GAP, Sentence
from .motions import fits

LONGEST_LIST = 220  # words of a list that a motion has
LONGEST = 6  # sentences of a wording in quotation marks
QUOTES = {"“": "”", '"': '"', "«": "»"}


def wording_after(sentences: Sequence[Sentence], number: int) -> list[int] | None:
    """The numbers of the sentences of the wording that a decision announces: the paragraph in
    quotation marks after it. Empty where it announces something that does not follow in the text;
    None where it announces nothing, or a list that is known to be one.
    """
    one = sentences[number]
    is_listed = any(one.start == lead.start for lead in _next(sentences, number).lead_ins)
    is_open = one.text.endswith(":")
    is_announced = fits("announces", one.text)
    if is_listed or not (is_open or is_announced):
        return None
    found = _quoted(sentences, number + 1)
    return found if found or is_announced else None


def list_after(sentences: Sequence[Sentence], number: int, end: int) -> list[int]:
    """The numbers of the sentences of the list that a motion introduces, up to its result, and up
    to the last whole one within a length; empty where it introduces none.
    """
    one = sentences[number]
    is_listed = any(one.start == lead.start for lead in _next(sentences, number).lead_ins)
    if not (is_listed and one.text.endswith(":")):
        return []
    lengths = accumulate(len(sentences[other].text.split()) for other in range(number + 1, end))
    found = [other for other, words in enumerate(lengths, number + 1) if words <= LONGEST_LIST]
    while found and sentences[found[-1]].text.endswith(":"):
        found.pop()
    return found


def _next(sentences: Sequence[Sentence], number: int) -> Sentence:
    return sentences[min(number + 1, len(sentences) - 1)]


def _quoted(sentences: Sequence[Sentence], first: int) -> list[int]:
    """The numbers of the sentences of a paragraph that is in quotation marks as a whole; empty
    where there is none.
    """
    close = QUOTES.get(sentences[first].text[:1]) if first < len(sentences) else None
    if close is None:
        return []
    numbers = range(first, min(first + LONGEST, len(sentences)))
    last = next((number for number in numbers if _ends_paragraph(sentences, number)), None)
    is_whole = last is not None and sentences[last].text.rstrip(" .").endswith(close)
    return list(range(first, last + 1)) if last is not None and is_whole else []


def _ends_paragraph(sentences: Sequence[Sentence], number: int) -> bool:
    if number + 1 == len(sentences):
        return True
    return sentences[number + 1].front_start - sentences[number].end >= len(GAP)
