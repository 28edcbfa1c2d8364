"""Which sentences of the documents support a summary's sentences; no model is needed."""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import cast

from ..documents.boxes import LineBox, boxes_of
from ..documents.guard.reading import stream
from ..documents.model import Document, Sentence
from ..errors import PagesumError
from ..locality.flow import Pages
from ..text.words import Units, support
from .check.checker import MIN_SUPPORT, Checker, Place
from .check.claims import Claim
from .summary import Source, SourceSentence, Summary, SummarySentence

_CLIPPED = "pagesum_cli.documents.pdf.marking:clipped"

MAX_EVIDENCE = 2
"""Sentences of the sentence's own page that are shown as evidence."""

MIN_GAIN = 0.1
"""What a further sentence must add to the support to be evidence too."""

Candidates = Sequence[tuple[Sentence, Units]]


def with_places(sentences: Sequence[SummarySentence], documents: Sequence[Document]) -> tuple[SummarySentence, ...]:
    """Quotes with their lines, the boxes of these and the numbers printed on their pages, where they are known."""
    by_name = {document.name: document for document in documents}
    if len(by_name) < len(documents):  # a name does not say which document it is
        return tuple(sentences)
    lines: dict[str, dict[int, Sequence[tuple[LineBox, str]]]] = defaultdict(dict)
    for number, sentence in enumerate(sentences):
        source = sentence.source
        if source and source.file in by_name:
            lines[source.file][number] = boxes_of(by_name[source.file], source.start, source.end)
    placed = list(sentences)
    for name, quotes in lines.items():
        boxes = iter(_clipped([line for quote in quotes.values() for line in quote], by_name[name].source))
        for number, quote in quotes.items():
            source = cast(Source, placed[number].source)
            printed = by_name[name].labels_of(source.pdf_pages)
            own = tuple(islice(boxes, len(quote)))
            of_file = by_name[name].lines_of(source.start, source.end)
            placed[number] = replace(
                placed[number], source=replace(source, boxes=own, page_labels=printed, lines=of_file)
            )
    return tuple(placed)


def _clipped(lines: Sequence[tuple[LineBox, str]], path: str) -> list[LineBox]:
    """The boxes of the quoted parts of lines; of the whole lines where the file cannot be read again."""
    whole = [box for box, _ in lines]
    if not whole or not os.path.isfile(path):
        return whole
    parts = [[box.pdf_page, [box.x0, box.y0, box.x1, box.y1], text] for box, text in lines]
    try:
        corners = list(stream(_CLIPPED, tuple, path, {"parts": parts}))
    except PagesumError:
        return whole
    return [LineBox(box.pdf_page, *own) for box, own in zip(whole, corners, strict=True)]


def best_source(text: str, pages: Pages) -> tuple[int, int]:
    """The source sentence that supports a given sentence best, as (page, index in ``page.sentences``)."""
    units = Units.of(text)
    places = [
        (support(units, Units.of(sentence.text)), -page, -place)
        for page, one in enumerate(pages.pages)
        for place, sentence in enumerate(one.sentences)
        if not sentence.is_heading
    ]
    if not places:
        raise PagesumError("the document has no sentence to align to", "give a document with text")
    _, page, place = max(places)
    return -page, -place


def with_evidence(summary: Summary, pages: Pages) -> Summary:
    """Add the source sentences that support each sentence of a summary.

    The evidence for a sentence is, inside its own page (where it is quoted from, else its strongest page), the sentence
    that supports it best and one more that adds at least :data:`MIN_GAIN`; then the best sentence of any other page
    where that supports it better by :data:`MIN_GAIN`. A sentence without support of :data:`MIN_SUPPORT`, or that
    differs from the document (see ``pagesum check``), is marked as not supported.

    Args:
        summary: Of these pages.
        pages: In the order of ``summary.pages``.
    """
    sources = [[(sentence, Units.of(sentence.text)) for sentence in page.sentences] for page in pages.pages]
    checker = Checker(Place(sentence, 0) for page in pages.pages for sentence in page.sentences)
    return replace(summary, sentences=tuple(_supported(sentence, sources, checker) for sentence in summary.sentences))


def _supported(sentence: SummarySentence, sources: Sequence[Candidates], checker: Checker) -> SummarySentence:
    units = Units.of(sentence.text)
    own = sentence.source.page if sentence.source else sentence.pages[0].page
    evidence: list[SourceSentence] = []
    covered = Units()
    for _ in range(MAX_EVIDENCE):
        best = _best(units, sources[own], covered)
        if best is None or best[1] - support(units, covered) < (MIN_GAIN if evidence else 1e-9):
            break
        evidence.append(_evidence(units, best, own))
        covered = covered | best[2]
    here = support(units, covered)
    others = [
        (best, page)
        for page, page_sources in enumerate(sources)
        if page != own and (best := _best(units, page_sources))
    ]
    elsewhere = 0.0
    if others:
        best, page = max(others, key=lambda pair: (pair[0][1], -pair[1]))
        elsewhere = best[1]
        if elsewhere >= here + MIN_GAIN:
            evidence.append(_evidence(units, best, page))
    checked = checker.check(Claim(sentence.text))
    is_supported = max(here, elsewhere) >= MIN_SUPPORT and (checked.is_supported or not checked.differences)
    return replace(sentence, supported=is_supported, evidence=tuple(evidence))


def _evidence(units: Units, best: tuple[Sentence, float, Units], page: int) -> SourceSentence:
    source, _, own = best
    return SourceSentence(source.text, page, source.pdf_pages, support(units, own))


def _best(units: Units, sources: Candidates, covered: Units | None = None) -> tuple[Sentence, float, Units] | None:
    """The source sentence with the most support, together with what is covered already; the first of equals."""
    best = None
    for sentence, own in sources:
        value = support(units, own if covered is None else covered | own)
        if best is None or value > best[1]:
            best = (sentence, value, own)
    return best
