"""Which sentences of the documents support a summary's sentences; no model is needed."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from ..documents.boxes import LineBox, boxes_of
from ..documents.guard.reading import stream
from ..documents.model import Document
from ..documents.sentences import sentence_numbers
from ..errors import PagesumError
from ..locality.flow import Pages
from ..text.words import Units, covering, support
from .openings import with_citations
from .repairs import applied
from .summary import Source, SourceSentence, Summary, SummarySentence

MIN_GAIN = 0.1  # by how much another page must support a sentence better to be evidence too


def with_places(
    sentences: Sequence[SummarySentence], documents: Sequence[Document]
) -> tuple[SummarySentence, ...]:
    """Quotes with their lines, the boxes of these, the numbers printed on their pages and the words
    that may be wrong, where they are known.
    """
    by_name = {document.name: document for document in documents}
    if len(by_name) < len(documents):  # a name does not say which document it is
        return tuple(sentences)
    sources = [source for one in sentences for source in (*one.sources, *one.quotes)]
    known: dict[tuple[str, int, int], dict[str, Any]] = {}
    for document in documents:
        own = [source for source in sources if source.file == document.name]
        for span, place in _located(own, document).items():
            known[document.name, *span] = place

    def placed(source: Source) -> Source:
        return replace(source, **known.get((source.file, source.start, source.end), {}))

    return tuple(one.with_sources(placed) for one in sentences)


def _located(
    sources: Sequence[Source], document: Document
) -> dict[tuple[int, int], dict[str, Any]]:
    """Fields of :class:`Source` that a document knows, by offsets."""
    spans = {(source.start, source.end): source.pdf_pages for source in sources}
    unnamed = {source.start for source in sources if _is_unnamed(source)}
    numbers = sentence_numbers(document) if unnamed else {}
    lines = [boxes_of(document, *span) for span in spans]
    boxes = iter(_clipped(list(chain.from_iterable(lines)), document.source))
    return {
        span: {
            "boxes": tuple(islice(boxes, len(own))),
            "page_labels": document.labels_of(pdf_pages),
            "lines": document.lines_of(*span),
            "source_file": document.file_of(span[0]),
            "sentence_number": numbers.get(span[0]) if span[0] in unnamed else None,
            "uncertain": document.uncertain_in(document.text[slice(*span)], pdf_pages),
        }
        for (span, pdf_pages), own in zip(spans.items(), lines, strict=True)
    }


def _is_unnamed(source: Source) -> bool:
    """Whether no section, page or time names the place of a quote."""
    return not source.section and not source.pdf_pages and source.time is None


def _clipped(lines: Sequence[tuple[LineBox, str]], path: str) -> list[LineBox]:
    """The boxes of the quoted parts of lines; of the whole lines where the file cannot be read
    again.
    """
    whole = [box for box, _ in lines]
    if not whole or not os.path.isfile(path):
        return whole
    parts = [[box.pdf_page, [box.x0, box.y0, box.x1, box.y1], text] for box, text in lines]
    try:
        corners = list(
            stream("pagesum_cli.documents.pdf.marking:clipped", tuple, path, {"parts": parts})
        )
    except PagesumError:
        return whole
    return [LineBox(box.pdf_page, *own) for box, own in zip(whole, corners, strict=True)]


def best_source(text: str, pages: Pages) -> tuple[int, int]:
    """The source sentence that supports a given sentence best, as (page, index in
    ``page.sentences``).
    """
    units = Units.of(text)
    sentences = {
        (page, place): sentence
        for page, one in enumerate(pages.pages)
        for place, sentence in enumerate(one.sentences)
        if not sentence.is_heading
    }
    quotable = {place: one for place, one in sentences.items() if one.is_quotable} or sentences
    supports = {place: support(units, Units.of(one.text)) for place, one in quotable.items()}
    if not supports:
        raise PagesumError("the document has no sentence to align to", "use a document with text")
    return max(supports, key=supports.__getitem__)


def with_evidence(summary: Summary, pages: Pages) -> Summary:
    """Add the source sentences that support each sentence of a summary of these pages.

    The evidence for a sentence is, inside its own page (where it is quoted from, else its strongest
    page), one or two sentences that :func:`~pagesum_cli.text.words.covering` selects; then the best
    sentence of any other page where that supports it better by :data:`MIN_GAIN`. A sentence that
    the document does not support (see ``pagesum check``) is marked as such.
    """
    units = [[Units.of(sentence.text) for sentence in page.sentences] for page in pages.pages]
    sentences = [_with_evidence(sentence, pages, units) for sentence in summary.sentences]
    if not all(sentence.supported for sentence in sentences):
        from .check.checker import Checker  # quotes need no check
        from .check.claims import Claim
        from .check.results import Place

        checker = Checker(Place(sentence, 0) for page in pages.pages for sentence in page.sentences)
        sentences = [
            replace(one, supported=one.supported or checker.check(Claim(one.text)).is_supported)
            for one in sentences
        ]
    return replace(summary, sentences=tuple(sentences))


def _with_evidence(
    sentence: SummarySentence, pages: Pages, units: Sequence[Sequence[Units]]
) -> SummarySentence:
    """A sentence with its evidence; supported if it is a quote, or proven."""
    own, ours = (
        sentence.source.page if sentence.source else sentence.pages[0].page,
        Units.of(sentence.text),
    )
    chosen, here = covering(ours, units[own])
    places = [(own, place) for place in chosen]
    others = (
        (page, place) for page, one in enumerate(units) if page != own for place in range(len(one))
    )
    elsewhere, *best = max(
        ((support(ours, units[a][b]), -a, -b) for a, b in others), default=(0.0,)
    )
    if elsewhere >= here + MIN_GAIN:
        places.append((-best[0], -best[1]))
    evidence = []
    for page, place in places:
        source = pages.pages[page].sentences[place]
        evidence.append(
            SourceSentence(source.text, page, source.pdf_pages, support(ours, units[page][place]))
        )
    is_proven = bool(sentence.verdict) or _is_quote(sentence, pages)
    return replace(sentence, supported=is_proven, evidence=tuple(evidence))


def _is_quote(sentence: SummarySentence, pages: Pages) -> bool:
    if (source := sentence.source) is None:
        return False
    page = pages.pages[source.page]
    first, *after = page.sentences[source.sentence :]
    citations = [one for one in after if first.end < one.end <= source.end]
    text = with_citations(first, citations)
    return sentence.text in (text, applied(text, source.omitted, source.inserted))
