"""Which quote of which chapter each sentence of a book's summary is."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

from ..documents.model import GAP, Document, Sentence
from ..locality import Page, Pages
from .attribution import with_evidence
from .openings import with_openings
from .summary import (
    PageShare,
    Source,
    SourceSentence,
    Summary,
    SummaryPage,
    SummarySentence,
    SummaryToken,
)


def _explained_once(sentences: Iterable[SummarySentence]) -> Iterator[SummarySentence]:
    """Quotes without explanations that were given before: each chapter's summary explains its
    abbreviations.
    """
    told = ""
    for sentence in sentences:
        text, source = sentence.text, sentence.source
        if source:
            kept = []
            for at, piece in source.inserted:
                at -= len(sentence.text) - len(text)
                if piece.startswith(" [") and piece[2:-1].lower() in told:
                    text = text[:at] + text[at + len(piece) :]
                else:
                    kept.append((at, piece))
            source = replace(source, inserted=tuple(kept))
        told += f"{text.lower()}\n"
        yield replace(sentence, text=text, source=source)


class Origins:
    """Traces a summary of joined summaries, which were cut into pages, back to the chapters and to
    the book.
    """

    def __init__(
        self,
        joined: Sequence[Document],
        pages: Pages,
        chapters: Sequence[Summary],
        *,
        verbatim: bool = False,
    ) -> None:
        self._chapters, self._verbatim = chapters, verbatim
        # by document: offset, chapter, sentence or -1
        self._places: dict[str, list[tuple[int, int, int]]] = {}
        number = 0
        for document in joined:
            places = self._places.setdefault(document.name, [])
            for section, start in zip(document.sections, document.starts, strict=True):
                first = 0 if not section.heading else -1
                for place, part in enumerate(section.parts, first):
                    places.append((start, number, place))
                    start += len(part) + len(GAP)
                number += 1
        self._shares = [self._shares_of(page) for page in pages.pages]
        self._names = [page.source for page in pages.pages]

    def _place(self, name: str, offset: int) -> tuple[int, int, int]:
        """Offset, chapter and sentence (-1 for its title) of what holds a character of a joined
        document.
        """
        places = self._places[name]
        return places[bisect_right(places, offset, key=itemgetter(0)) - 1]

    def traced(self, summary: Summary) -> Summary:
        """The summary with the chapters as its pages."""
        tokens = tuple(
            SummaryToken(
                one.text, tuple(round(share, 5) for share in self._by_chapter(one.confidences))
            )
            for one in summary.tokens
        )
        shares = self._by_chapter([page.confidence for page in summary.pages])
        explained = list(_explained_once(map(self._sentence, summary.sentences)))
        own_sentences = tuple(with_openings(explained, verbatim=self._verbatim))
        is_quoted = any(sentence.source for sentence in summary.sentences)
        found = replace(
            summary,
            text=" ".join(one.shown for one in own_sentences) if is_quoted else summary.text,
            sentences=own_sentences,
            tokens=tokens,
            pages=tuple(map(_row, range(len(shares)), self._chapters, shares)),
            chapters=tuple(self._chapters),
        )
        rows = Pages(summary.locality, tuple(map(_page, self._chapters)))
        pairs = zip(found.sentences, with_evidence(found, rows).sentences, strict=True)
        sentences = (
            self._with_numbers(best) if own.evidence is None else own for own, best in pairs
        )
        return replace(found, sentences=tuple(sentences))

    def _shares_of(self, page: Page) -> list[float]:
        """The share of each chapter in the text of a page; a page without text belongs to all
        alike.
        """
        characters: Counter[int] = Counter()
        for sentence in page.sentences if page.source in self._places else ():
            characters[self._place(page.source, sentence.start)[1]] += len(sentence.text)
        total = characters.total()
        return [
            characters[n] / total if total else 1 / len(self._chapters)
            for n in range(len(self._chapters))
        ]

    def _by_chapter(self, confidences: Sequence[float]) -> list[float]:
        """Confidences of pages ``(P,)`` as those of chapters; a page of several is divided by
        length.
        """
        rows = zip(*self._shares, strict=True)
        return [
            sum(share * one for share, one in zip(row, confidences, strict=True)) for row in rows
        ]

    def _sentence(self, sentence: SummarySentence) -> SummarySentence:
        by_page = {one.page: one.confidence for one in sentence.pages}
        shares = self._by_chapter([by_page[number] for number in range(len(self._shares))])
        ranked = sorted(enumerate(shares), key=lambda pair: -pair[1])
        pages = tuple(PageShare(chapter, share) for chapter, share in ranked)
        own = SummarySentence(
            sentence.text,
            pages,
            sentence.source,
            needs_context=sentence.needs_context,
            verdict=sentence.verdict,
            replaced=sentence.replaced,
        )
        return self._quote(own, sentence.source) if sentence.source else own

    def _quote(self, sentence: SummarySentence, source: Source) -> SummarySentence:
        """A chapter's quote as it is; the quote of a generated sentence has that as its evidence
        instead.
        """
        _, chapter, number = self._place(self._names[source.page], source.start)
        quoted = self._chapters[chapter].sentences[number]
        if quoted.source is None:
            evidence = SourceSentence(quoted.text, chapter, _pdf_pages(quoted), 1.0, number)
            supported = quoted.supported is not False
            return replace(
                sentence, text=quoted.text, source=None, supported=supported, evidence=(evidence,)
            )
        moved = quoted.with_sources(lambda one: replace(one, page=chapter, sentence=number))
        needs_context = sentence.needs_context or quoted.needs_context
        return replace(
            moved, pages=sentence.pages, needs_context=needs_context, evidence=None, supported=None
        )

    def _with_numbers(self, sentence: SummarySentence) -> SummarySentence:
        """A sentence whose evidence is numbered; it is supported if a sentence of its evidence
        is.
        """
        evidence = []
        supported = False
        for one in sentence.evidence or ():
            own = self._chapters[one.page].sentences
            number = next(number for number, other in enumerate(own) if other.text == one.text)
            supported |= own[number].supported is not False
            evidence.append(replace(one, sentence=number))
        return replace(
            sentence, supported=bool(sentence.supported) and supported, evidence=tuple(evidence)
        )


def _row(number: int, chapter: Summary, share: float) -> SummaryPage:
    """A chapter as a page of the book's summary."""
    pages = chapter.pages
    starts = [page.start for page in pages if page.start >= 0]
    pdf_pages = sorted({pdf_page for page in pages for pdf_page in page.pdf_pages})
    tokens = sum(page.tokens for page in pages)
    truncated = any(page.truncated for page in pages)
    printed = {
        number: label
        for page in pages
        for number, label in zip(page.pdf_pages, page.page_labels, strict=False)
    }
    labels = tuple(printed[number] for number in pdf_pages) if printed else ()
    span = (min(starts, default=-1), max(page.end for page in pages))
    return SummaryPage(
        number,
        chapter.title,
        _file(chapter),
        tuple(pdf_pages),
        tokens,
        truncated,
        share,
        *span,
        labels,
    )


def _page(chapter: Summary) -> Page:
    """The sentences of a chapter's summary as a page, to look for evidence in."""
    sentences = tuple(
        Sentence(one.text, _pdf_pages(one), chapter.title) for one in chapter.sentences
    )
    return Page(chapter.title, _file(chapter), chapter.title, sentences, 0)


def _file(chapter: Summary) -> str:
    """The name of a chapter's document, which an empty page lacks."""
    return next(filter(None, (page.source for page in chapter.pages)), "")


def _pdf_pages(sentence: SummarySentence) -> tuple[int, ...]:
    """The PDF pages of a quote, or of what supports a generated sentence."""
    if sentence.source:
        return sentence.source.pdf_pages
    evidence: tuple[SourceSentence, ...] = (sentence.evidence or ()) if sentence.supported else ()
    return tuple(sorted({page for one in evidence for page in one.pdf_pages}))


def with_quoted(summary: Summary, own: Sequence[Summary], *, verbatim: bool = False) -> Summary:
    """A book's summary, each chapter of which has its own summary and what else of it is quoted."""
    chapters, sentences = list(own), list(summary.sentences)
    origins = {
        number: (source, summary.chapters[source.page].sentences[source.sentence])
        for number, source in enumerate(one.source for one in sentences)
        if source
    }
    for source, origin in origins.values():
        chapter = chapters[source.page]
        if start_of(origin) not in map(start_of, chapter.sentences):
            added = sorted((*chapter.sentences, origin), key=start_of)
            quotes = tuple(with_openings(added, verbatim=verbatim))
            text = " ".join(one.shown for one in quotes)
            chapters[source.page] = replace(chapter, sentences=quotes, text=text)
    for number, (source, origin) in origins.items():
        starts = list(map(start_of, chapters[source.page].sentences))
        place = starts.index(start_of(origin))
        moved = partial(replace, sentence=place)
        sentences[number] = sentences[number].with_sources(moved)
    return replace(summary, sentences=tuple(sentences), chapters=tuple(chapters))


def start_of(sentence: SummarySentence) -> int:
    """Where its quote begins in the document; -1 if it is none."""
    return sentence.source.start if sentence.source else -1
