"""A summary → its claims, each with where the summary says that it stands."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ...text.sentences import sentence_spans
from ..summary import Summary
from .tokens import LENGTH, pieces_of

MIN_QUOTATION = 3
"""Words of a quotation that is a claim of its own."""

_NUMBERS = r"[\divxlc]{1,7}(?:\s?[–-]\s?[\divxlc]{1,7})?"
_PAGES = re.compile(
    rf"(?:(?P<before>[^,]{{1,150}}), )?pp?\. ?(?P<pages>{_NUMBERS}(?:, ?{_NUMBERS}){{0,20}})"
    rf"(?: \(PDF (?P<pdf>{_NUMBERS}(?:, ?{_NUMBERS}){{0,20}})\))?(?P<section>, .{{1,150}})?",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?P<clock>(?:\d{1,3}:)?\d\d:\d\d)(?:, (?P<speaker>.{1,150}))?")
_BRACKET = re.compile(r"\[(?P<square>[^\[\]\n]{1,300})\]|\((?P<round>pp?\. ?[\divxlc][^()\n]{0,100})\)", re.IGNORECASE)
_QUOTATION = re.compile(r'"([^"\n]{8,2000})"|“([^“”\n]{8,2000})”|«([^«»\n]{8,2000})»|„([^„“”\n]{8,2000})[“”]')
_BULLET = re.compile(r"\s{0,40}(?:[-*•·–]|\d{1,2}[.)])\s+")


@dataclass(frozen=True)
class Citation:
    """Where a summary says that something stands.

    Attributes:
        text: the citation as it is written.
        pages: PDF pages, or numbers printed on pages; of a recording the time, ``12:04``.
        is_pdf: whether they are PDF pages only.
        file: name of a document; empty if none is named.
        section: a heading; empty if none is named or pages are.
    """

    text: str
    pages: tuple[str, ...] = ()
    is_pdf: bool = False
    file: str = ""
    section: str = ""


@dataclass(frozen=True)
class Claim:
    """What a summary states.

    Attributes:
        text: a sentence, or a quotation in quotation marks within one.
        is_part: whether it need not be a whole sentence of the document.
        citation: the place that the summary cites for it; None without a citation.
    """

    text: str
    is_part: bool = False
    citation: Citation | None = None


def claims_of(text: str, files: Collection[str], headings: Collection[str]) -> Iterator[Claim]:
    """The sentences of a paragraph of a summary, each with the citation after it.

    Args:
        text: The paragraph.
        files: Names of the documents.
        headings: Headings of the documents.
    """
    start = 0
    found = ((match, _citation(match, files, headings)) for match in _BRACKET.finditer(text))
    for match, citation in [*((match, one) for match, one in found if one), (None, None)]:
        piece = text[start : match.start() if match else len(text)].lstrip(" .;,")
        sentences = list(_sentences(piece))
        for number, (sentence, is_part) in enumerate(sentences, 1):
            yield Claim(sentence, is_part, citation if number == len(sentences) else None)
        start = match.end() if match else 0


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    for start, end in sentence_spans(text):
        sentence = _without_mark(text[start:end])
        if bullet := _BULLET.match(sentence):
            sentence = sentence[bullet.end() :]
        pieces = list(pieces_of(sentence))
        for a, b in pieces:
            if any(map(str.isalnum, sentence[a:b])):
                yield sentence[a:b].strip(), len(pieces) > 1


def _without_mark(sentence: str) -> str:
    """The sentence without the sign that it needs context."""
    for mark in ("↩", "(needs context)"):
        sentence = sentence.removesuffix(mark).rstrip()
    return sentence


def claims_in(summary: Summary) -> Iterator[Claim]:
    """The sentences of a saved summary; a quote cites the place that it was quoted from."""
    for sentence in summary.sentences:
        citation = None
        if source := sentence.source:
            pages = tuple(map(str, source.pdf_pages))
            named = ", ".join([source.file, *([f"p. {', '.join(pages)}"] if pages else [])])
            citation = Citation(f"[{named}]", pages, True, source.file)
        for start, end in pieces_of(sentence.text):
            yield Claim(sentence.text[start:end], len(sentence.text) > LENGTH, citation)


def quotations_in(claim: Claim) -> list[Claim]:
    """The quotations in quotation marks within a sentence."""
    texts = [next(filter(None, match.groups())) for match in _QUOTATION.finditer(claim.text)]
    return [Claim(text, True, claim.citation) for text in texts if len(text.split()) >= MIN_QUOTATION]


def _citation(match: re.Match[str], files: Collection[str], headings: Collection[str]) -> Citation | None:
    inside = (match["square"] or match["round"]).strip()
    if found := _PAGES.fullmatch(inside):
        file = found["before"] or ""
        pages = tuple(_numbers((found["pdf"] or found["pages"]).lower()))
        return Citation(match[0], pages, bool(found["pdf"]), file if file in files else "")
    first, _, rest = inside.partition(", ")
    file, section = (first, rest) if first in files else ("", inside)
    if time := _TIME.fullmatch(section):
        return Citation(match[0], (time["clock"],), False, file, time["speaker"] or "")
    is_cut = section.endswith("…") and any(one.startswith(section[:-1]) for one in headings)
    if is_cut or section in headings or (file and not section):
        return Citation(match[0], (), False, file, section.rstrip("…"))
    return None


def _numbers(text: str) -> Iterator[str]:
    """``3–5, 7`` → 3, 4, 5, 7."""
    for part in text.split(","):
        ends: Sequence[str] = re.split("[–-]", part.replace(" ", ""))
        if all(map(str.isdecimal, ends)) and 0 <= int(ends[-1]) - int(ends[0]) < 1000:
            yield from map(str, range(int(ends[0]), int(ends[-1]) + 1))
        else:
            yield from ends
