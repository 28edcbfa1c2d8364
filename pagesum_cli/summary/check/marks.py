"""What a summary puts around the sentences of a document: labels, speakers, "…", "[citation]"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...documents.model import Sentence
from .differences import Difference
from .tokens import Token

Span = tuple[int, int]

JOINS = frozenset(":;…")  # signs between the parts of a list

_CITATION = re.compile(r"\[citation\]")
_LEFT_OUT = re.compile(r"(?:\b(?:and/or|and|or|but)\s+)?…")
_GOES_ON = re.compile(r"[;,]?\s+(?:and/or|and|or|but)[\s.;,…]*$")
_NAMED = re.compile(r"([^\W\d_][^:.!?\"“”\n]{0,60}):\s+(?=\S)")
_TURN = re.compile(r"[QA][.:]?")


def without(tokens: Sequence[Token], spans: Sequence[Span]) -> list[Token]:
    """The tokens that are in none of some spans of their text."""
    return [one for one in tokens if not any(start <= one.start < end for start, end in spans)]


@dataclass(frozen=True)
class Marks:
    """What of a claim is not of the sentence that it copies."""

    spans: tuple[Span, ...] = ()
    differences: tuple[Difference, ...] = ()  # a speaker who is not the one of the document


def name_in(claim: str, start: int = 0) -> re.Match[str] | None:
    """What may be the name of a speaker: ``Mr Bates: ``."""
    return _NAMED.match(claim, start)


def core_of(claim: str, labels: frozenset[str], *, has_speakers: bool) -> int:
    """Where a claim begins behind one of these labels and the name of a speaker."""
    first = claim.split(" ", 1)[0]
    start = len(first) + 1 if first in labels and first != claim else 0
    name = name_in(claim, start) if has_speakers else None
    return name.end() if name else start


def marks_of(claim: str, sentence: Sentence) -> Marks:
    """What a claim has around a sentence of a document, of which it is a copy otherwise."""
    spans = [] if "[citation]" in sentence.text else [one.span() for one in _CITATION.finditer(claim)]
    if "…" not in sentence.text:
        spans += [(place, place + 1) for place, sign in enumerate(claim) if sign == "…"]
    start = 0
    if sentence.label and claim.startswith(f"{sentence.label} "):
        start = len(sentence.label) + 1
    name, speaker = name_in(claim, start), speaker_of(sentence)
    if not name or not speaker or sentence.text.startswith(name[0].rstrip()):
        return Marks((*spans, (0, start)))
    is_right = _is_same(name[1], speaker)
    wrong = () if is_right else (Difference("speaker", name[1], speaker, name.span(1)),)
    return Marks((*spans, (0, name.end())), wrong)


def speaker_of(sentence: Sentence) -> str:
    """Who says a sentence, or the letter of its question or answer."""
    return sentence.speaker or (sentence.label if _TURN.fullmatch(sentence.label) else "")


def _is_same(one: str, other: str) -> bool:
    """Whether two names may be of the same speaker: one has all words of the other."""
    left, right = (set(re.findall(r"\w+", name.lower())) for name in (one, other))
    return left <= right or right <= left


def marks_in_list(claim: str, parts: Sequence[Sentence]) -> Marks:
    """What a claim has between these parts of a list: their labels, and signs of what is left out."""
    spans = [one.span() for one in (*_LEFT_OUT.finditer(claim), *_CITATION.finditer(claim))]
    start = 0
    for part in parts:
        first = part.text.split(" ", 1)[0]
        label = re.compile(rf"(?<!\S){re.escape(part.label)}\s+(?={re.escape(first)})", re.IGNORECASE)
        if part.label and (match := label.search(claim, start)):
            spans.append(match.span())
            start = match.end()
    own = marks_of(claim, parts[0])
    return Marks((*spans, *own.spans), own.differences)


def list_text(claim: str, parts: Sequence[Sentence], follows: Sequence[bool]) -> str:
    """Parts of a list as one sentence.

    The last word of an item ("; or") belongs to it where no other item is left out before the
    next part, which ``follows`` it; at the end, where the claim ends so too.
    """
    ends = [*follows, _GOES_ON.search(claim) is not None]
    texts = (one.text if kept else _GOES_ON.sub("", one.text) for one, kept in zip(parts, ends, strict=True))
    return " ".join(texts)
