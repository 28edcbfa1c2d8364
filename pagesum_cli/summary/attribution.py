"""Which sentences of the documents support a summary's sentences; no model is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..documents.boxes import boxes_of
from ..documents.model import Document, Sentence
from ..errors import PagesumError
from ..locality.flow import Pages
from ..text.words import Units, support
from .check.checker import MIN_SUPPORT, Checker, Place
from .check.claims import Claim
from .summary import SourceSentence, Summary, SummarySentence

MAX_EVIDENCE = 2
"""Sentences of the sentence's own page that are shown as evidence."""

MIN_GAIN = 0.1
"""What a further sentence must add to the support to be evidence too."""

Candidates = Sequence[tuple[Sentence, Units]]


def with_places(sentences: Sequence[SummarySentence], documents: Sequence[Document]) -> tuple[SummarySentence, ...]:
    """Quotes with the boxes of their lines and the numbers printed on their pages, where a document knows them."""
    by_name = {document.name: document for document in documents}
    if len(by_name) < len(documents):  # a name does not say which document it is
        return tuple(sentences)
    return tuple(_with_place(sentence, by_name) for sentence in sentences)


def _with_place(sentence: SummarySentence, documents: Mapping[str, Document]) -> SummarySentence:
    source = sentence.source
    if source is None or source.file not in documents:
        return sentence
    document = documents[source.file]
    boxes = boxes_of(document, source.start, source.end)
    labels = document.page_labels
    printed = tuple(labels[page - 1] for page in source.pdf_pages if page <= len(labels))
    return replace(sentence, source=replace(source, boxes=boxes, page_labels=printed))


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
