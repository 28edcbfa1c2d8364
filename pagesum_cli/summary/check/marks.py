"""What a summary puts around the sentences of a document: labels, speakers, "…", "[citation]"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...documents.model import Sentence
from .differences import Difference
from .tokens import Token

Span = tuple[int, int]

JOINS = frozenset(":;…")  # signs between the parts of a list

_SIGN = re.compile(r"\[citation\]|…")
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


@dataclass(frozen=True)
class Labels:
    """What stands in front of the sentences of documents."""

    labels: frozenset[str]
    has_speakers: bool  # whether the speaker of some sentence is known

    def end_in(self, claim: str) -> int:
        """Where a claim begins behind a label and the name of a speaker."""
        first, space, rest = claim.partition(" ")
        start = len(first + space) if rest and first in self.labels else 0
        name = name_in(claim, start) if self.has_speakers else None
        return name.end() if name else start


def labels_of(sentences: Iterable[Sentence]) -> Labels:
    """The labels of sentences, and whether their speakers are known."""
    known = [(one.label, speaker_of(one)) for one in sentences]
    return Labels(frozenset(label for label, _ in known) - {""}, any(name for _, name in known))


def marks_of(claim: str, sentence: Sentence) -> Marks:
    """What a claim has around a sentence of a document, of which it is a copy otherwise."""
    label = f"{sentence.label} "
    start = len(label) if sentence.label and claim.startswith(label) else 0
    signs = [one.span() for one in _SIGN.finditer(claim) if one[0] not in sentence.text]
    name, speaker = name_in(claim, start), speaker_of(sentence)
    if name is None or not speaker or sentence.text.startswith(name[0].rstrip()):
        return Marks((*signs, (0, start)))
    is_right = _is_same(name[1], speaker)
    wrong = () if is_right else (Difference("speaker", name[1], speaker, name.span(1)),)
    return Marks((*signs, (0, name.end())), wrong)


def speaker_of(sentence: Sentence) -> str:
    """Who says a sentence, or the letter of its question or answer."""
    return sentence.speaker or (sentence.label if _TURN.fullmatch(sentence.label) else "")


def _is_same(one: str, other: str) -> bool:
    """Whether two names may be of the same speaker: one has all words of the other."""
    left, right = (set(re.findall(r"\w+", name.lower())) for name in (one, other))
    return left <= right or right <= left


def marks_in_list(claim: str, parts: Sequence[Sentence]) -> Marks:
    """What a claim has between these parts of a list: their labels, and signs of what is left out."""
    spans = [one.span() for form in (_LEFT_OUT, _SIGN) for one in form.finditer(claim)]
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
