"""Books: each chapter is summarized, then the joined summaries of the chapters (Pang et al., 2023: two levels)."""

import ctypes
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Any

from .documents.books.chapters import Chapter, Chapters, chapters_of
from .documents.model import GAP, Document, LeftOut, Paragraph, Section, Sentence
from .errors import PagesumError, UsageError, explained
from .locality import Page, Pages
from .locality.flow import words_in
from .options import GenerationOptions, PagingOptions, RecursionOptions, refuse_unused, supported
from .shapes.outline import Division, Outline, outlined, titles_in
from .shapes.points import Place, openings, points_of
from .summarizer import Input, OnProgress, PageSummarizer, read_documents, with_options
from .summary.attribution import with_evidence
from .summary.summary import (
    PageShare,
    Source,
    SourceSentence,
    Summary,
    SummaryPage,
    SummaryParagraph,
    SummarySentence,
    SummaryToken,
)

OnProblem = Callable[[int, PagesumError], None]
"""Called with the number of a chapter that cannot be summarized, and the reason."""

SHORT = 20  # words of a chapter below which it is its own summary, without asking the model


@dataclass(frozen=True)
class Book:
    """What is summarized chapter by chapter."""

    documents: tuple[Document, ...]  # the file, or one for each chapter
    chapters: tuple[Chapter, ...]  # those that have text, in reading order
    found_by: str  # see ``documents.chapters``; ``files`` if each document is a chapter
    empty: tuple[str, ...] = ()  # titles of chapters without text
    left_out: tuple[LeftOut, ...] = ()  # what is in no chapter, with the reason

    @property
    def title(self) -> str:
        """The title of the file; empty for several."""
        return self.documents[0].title if len(self.documents) == 1 else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is in no chapter, one line; nothing if all of the book is in one."""
        words: Counter[str] = Counter()
        for one in self.left_out:
            words[one.reason] += one.words
        reasons = ", ".join(f"{reason} ({number:,} words)" for reason, number in words.most_common())
        return (f"in no chapter: {reasons}",) if reasons else ()


def book_of(documents: Sequence[Document]) -> Book:
    """Find the chapters of a document; each of several documents is a chapter."""
    if not documents:
        raise PagesumError("nothing to summarize: no document was given", "name a file, or give a Document")
    if len(documents) > 1:
        found = Chapters(tuple(Chapter(one.title or one.name, one) for one in documents), "files")
    else:
        found = chapters_of(documents[0])
    chapters = tuple(chapter for chapter in found.chapters if _text_words(chapter))
    empty = tuple(chapter.title for chapter in found.chapters if not _text_words(chapter))
    return Book(tuple(documents), chapters or found.chapters[:1], found.found_by, empty, found.left_out)


def _text_words(chapter: Chapter) -> int:
    return sum(len(section.text.split()) for section, _ in chapter.document.read_sections)


def summarize_recursively(
    source: Input | Sequence[Input],
    summarizer: PageSummarizer,
    *,
    chapter_summarizer: PageSummarizer | None = None,
    paging: PagingOptions | None = None,
    generation: GenerationOptions | None = None,
    password: str | None = None,
    trim: bool = False,
    on_chapter: Callable[[int, int, str], None] | None = None,
    **options: Any,
) -> Summary:
    """Summarize a book: its chapters, then their summaries.

    Args:
        source: A book, or several documents that are a chapter each; see :meth:`PageSummarizer.summarize`.
        summarizer: Summarizes the chapters' summaries.
        chapter_summarizer: Summarizes the chapters; by default the same.
        paging, password, trim: See :meth:`PageSummarizer.summarize`.
        generation: How long the book's summary is; see :func:`chapter_options` for the chapters'.
        on_chapter: Called with the number of each chapter, from 1 on, how many there are, and its title.
        options: Single options of ``paging`` and ``generation`` by name.

    Returns:
        The book's summary, whose ``pages`` are the chapters and whose ``chapters`` are their summaries. A book of one
        chapter has an ordinary summary.

    Raises:
        PagesumError: The book cannot be read, or a chapter or the book cannot be summarized.
        UsageError: Options that contradict each other, or do nothing for this model.
    """
    paging, generation = with_options(paging, generation, options)
    RecursionOptions(recursive=True).check(paging)
    models = [summarizer, *([chapter_summarizer] if chapter_summarizer else [])]
    offers = frozenset[str]().union(*(model.model.offers for model in models))
    refuse_unused(generation, offers, " and ".join(model.name for model in models))
    book = book_of(read_documents(source, password))
    if len(book.chapters) == 1:
        only = chapter_summarizer or summarizer
        return only.summarize(book.documents, paging=paging, generation=generation, trim=trim)

    def failed(number: int, reason: PagesumError) -> None:
        raise reason

    def on_begin(number: int) -> None:
        if on_chapter:
            on_chapter(number + 1, len(book.chapters), book.chapters[number].title)

    of_chapters = chapter_summarizer or summarizer
    chapters = summarize_chapters(
        book, of_chapters, failed, paging=paging, generation=generation, trim=trim, on_begin=on_begin
    )
    return summarize_book(book, dict(chapters), summarizer, paging=paging, generation=generation, trim=trim)


def chapter_options(options: GenerationOptions) -> GenerationOptions:
    """The options for a chapter: without the lengths, which are those of the book's summary."""
    return replace(options, length=None, words=None, sentences=None, min_length=None, max_length=None)


def summarize_chapters(
    book: Book,
    summarizer: PageSummarizer,
    on_problem: OnProblem,
    *,
    paging: PagingOptions,
    generation: GenerationOptions,
    trim: bool = False,
    done: Collection[int] = (),
    on_begin: Callable[[int], None] = lambda number: None,
) -> Iterator[tuple[int, Summary]]:
    """Summarize the chapters of a book, one after another; yields each number, from 0 on, with its summary.

    Args:
        book, summarizer, paging, generation, trim: See :func:`summarize_recursively`.
        on_problem: Called for each chapter that fails; the others are summarized.
        done: Numbers of chapters that are left out.
        on_begin: Called with the number of each chapter.

    Raises:
        UsageError: Options that would fail for every chapter.
    """
    options = supported(chapter_options(generation), summarizer.model.offers)
    for number, chapter in enumerate(book.chapters):
        if number in done:
            continue
        on_begin(number)
        try:
            summary = _chapter_summary(chapter, summarizer, paging, options, trim)
        except UsageError:
            raise
        except Exception as failure:
            on_problem(number, explained(failure))
        else:
            yield number, summary
        return_memory()


def return_memory() -> None:
    """Return freed memory to the system: glibc keeps the pieces between what outlives a chapter, more with each one."""
    with suppress(OSError, AttributeError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def _chapter_summary(
    chapter: Chapter, summarizer: PageSummarizer, paging: PagingOptions, options: GenerationOptions, trim: bool
) -> Summary:
    """The summary of a chapter; a short one, or one no longer than its summary, is its own."""
    document = replace(chapter.document)  # keeps nothing in memory that is computed from the whole book
    cuts: list[Pages] = []
    if _text_words(chapter) >= SHORT:
        summary = summarizer.summarize(document, paging=paging, generation=options, trim=trim, on_pages=cuts.append)
        if not any(map(str.isalnum, summary.text)):
            raise PagesumError(f"{summarizer.name} ended the summary before its first word", "use another --model")
    if not cuts or len(summary.text.split()) >= _words_of(cuts[0]):
        cuts.clear()
        verbatim = bool(options.verbatim)
        summary = summarizer.quote_all(document, paging=paging, on_pages=cuts.append, verbatim=verbatim)
    about_book = summarizer.notes([document])  # the same for every chapter
    notes = tuple(note for note in summary.notes if note not in about_book)
    return with_evidence(replace(summary, title=chapter.title, notes=notes), cuts[0])


def _words_of(pages: Pages) -> int:
    return words_in([sentence for page in pages.pages for sentence in page.sentences if not sentence.is_heading])


def summarize_book(
    book: Book,
    summaries: Mapping[int, Summary],
    summarizer: PageSummarizer,
    *,
    paging: PagingOptions,
    generation: GenerationOptions,
    trim: bool = False,
    on_pages: Callable[[Pages], None] = lambda pages: None,
    on_progress: OnProgress | None = None,
    is_outlined: bool = True,
) -> Summary:
    """Summarize the summaries of a book's chapters.

    An extractive model gives an overview and a line for each chapter, unless there is a focus or a limit of tokens.

    A sentence that quotes a quote has its ``source`` in the book. Any other has as ``evidence`` sentences of the
    chapters' summaries, and is supported if one of these is.

    Args:
        book, summarizer, paging, generation, trim: See :func:`summarize_recursively`.
        summaries: The chapters' summaries by number, at least one.
        on_pages: Called with the pages of the joined summaries.
        on_progress: See :meth:`PageSummarizer.summarize`.
        is_outlined: Whether there may be an overview and lines; otherwise the sentences stand in reading order.
    """
    numbers = sorted(summaries)
    chapters = own = [summaries[number] for number in numbers]
    divided = [book.chapters[number] for number in numbers]
    options = supported(generation, summarizer.model.offers)
    is_outlined = is_outlined and not summarizer.model.generates and has_free_shape(generation)
    if is_outlined:
        chapters = [
            _with_openings(summary, chapter, summarizer, paging, bool(options.verbatim))
            for summary, chapter in zip(own, divided, strict=True)
        ]
    # Extraction from a cluster covers more of the chapters; generating models read one document, as they are trained.
    joined = joined_summaries(book, chapters, as_cluster=not summarizer.model.generates)
    cuts: list[Pages] = []
    outline: Outline | None = None
    if is_outlined:
        divisions = [Division(one.title, one.words, titles_in(one.document)) for one in divided]

        def choose(pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
            nonlocal outline
            groups = {document.name: number for number, document in enumerate(joined)}
            points = points_of(pages, scores, groups, [one.title for one in divisions], book.title)
            outline = outlined(points, divisions, options, book.title)
            return [point.place for point in outline.points]

        summary = summarizer.quote(
            joined, choose, paging=paging, generation=options, on_pages=cuts.append, on_progress=on_progress
        )
    else:
        summary = summarizer.summarize(
            joined, paging=paging, generation=options, trim=trim, on_pages=cuts.append, on_progress=on_progress
        )
    on_pages(cuts[0])
    about_joined = summarizer.notes(joined)
    notes = tuple(note for note in summary.notes if note not in about_joined)
    parts = ("read", "encode", "decode")
    traced = _Origins(joined, cuts[0], chapters).traced(summary)
    if outline is not None:
        traced = _with_quoted(traced.in_paragraphs(_paragraphs(outline, traced)), own)
    return replace(
        traced,
        title=book.title,
        settings={
            **summary.settings,
            "sources": [document.source or document.name for document in book.documents],
            "recursive": True,
            "chapter_model": chapters[0].model,
            "chapters_found_by": book.found_by,
        },
        seconds={part: sum(one.seconds.get(part, 0.0) for one in (*chapters, summary)) for part in parts},
        unread_words=sum(chapter.unread_words for chapter in chapters),
        notes=(*book.notes, *summarizer.notes(book.documents), *_notes(chapters), *notes),
    )


def _with_openings(
    summary: Summary, chapter: Chapter, summarizer: PageSummarizer, paging: PagingOptions, verbatim: bool
) -> Summary:
    """The quotes of a chapter, and what its sections say first: lines are chosen from both."""
    if not all(one.source for one in summary.sentences):
        return summary
    document = replace(chapter.document)
    choose = partial(openings, title=chapter.title, subject=document.title)
    quotes = summarizer.quote_all(document, paging=paging, verbatim=verbatim, choose=choose).sentences
    by_start = {_start(one): one for one in (*quotes, *summary.sentences)}
    return replace(summary, sentences=tuple(by_start[start] for start in sorted(by_start)))


def _start(sentence: SummarySentence) -> int:
    return sentence.source.start if sentence.source else -1


def _with_quoted(summary: Summary, own: Sequence[Summary]) -> Summary:
    """A book's summary whose chapters have their own summaries, and what else of them is quoted."""
    chapters, sentences = list(own), list(summary.sentences)
    origins = {
        number: (source, summary.chapters[source.page].sentences[source.sentence])
        for number, source in enumerate(one.source for one in sentences)
        if source
    }
    for source, origin in origins.values():
        chapter = chapters[source.page]
        if origin not in chapter.sentences:
            quotes = tuple(sorted((*chapter.sentences, origin), key=_start))
            chapters[source.page] = replace(chapter, sentences=quotes, text=" ".join(one.text for one in quotes))
    for number, (source, origin) in origins.items():
        moved = replace(source, sentence=chapters[source.page].sentences.index(origin))
        sentences[number] = replace(sentences[number], source=moved)
    return replace(summary, sentences=tuple(sentences), chapters=tuple(chapters))


def has_free_shape(generation: GenerationOptions) -> bool:
    """Whether the options leave the shape of a summary open: neither a focus nor a limit of tokens is given."""
    return generation.focus is None and generation.min_length is None and generation.max_length is None


def _paragraphs(outline: Outline, summary: Summary) -> Iterator[SummaryParagraph]:
    """The overview, and each chapter that has lines."""
    numbers = iter(range(len(summary.sentences)))
    if outline.overview:
        yield SummaryParagraph("", tuple(islice(numbers, len(outline.overview))))
    for page, lines, named in zip(summary.pages, outline.lines, outline.sections, strict=True):
        if lines or named:
            yield SummaryParagraph(page.label, tuple(islice(numbers, len(lines))), page.pdf_pages, named)


def joined_summaries(book: Book, chapters: Sequence[Summary], *, as_cluster: bool = False) -> list[Document]:
    """What the book's summary is made of: a section for each chapter with its title and its summary's sentences."""
    sections = [
        Section(
            " ".join(chapter.title.split()),
            tuple(Paragraph(sentence.text, is_sentence=True) for sentence in chapter.sentences),
        )
        for chapter in chapters
    ]
    if as_cluster:
        return [Document(f"chapter {number}", (section,)) for number, section in enumerate(sections, 1)]
    first = book.documents[0]
    return [Document(first.name, tuple(sections), book.title, first.source)]


def _notes(chapters: Sequence[Summary]) -> Iterator[str]:
    """What is unusual about the chapters' summaries, each once."""
    titles: dict[str, list[str]] = {}
    for chapter in chapters:
        for note in chapter.notes:
            titles.setdefault(note, []).append(chapter.title)
    if unread := [chapter for chapter in chapters if chapter.unread_words]:
        words = sum(chapter.unread_words for chapter in unread)
        titles[f"{words:,} words are not read"] = [chapter.title for chapter in unread]
    for note, named in titles.items():
        yield f"{named[0] if len(named) == 1 else f'{len(named)} chapters'}: {note}"


def _explained_once(sentences: Iterable[SummarySentence]) -> Iterator[SummarySentence]:
    """Quotes without explanations that were given before: each chapter's summary explains its abbreviations."""
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


class _Origins:
    """Traces a summary of joined summaries, which were cut into pages, back to the chapters and to the book."""

    def __init__(self, joined: Sequence[Document], pages: Pages, chapters: Sequence[Summary]) -> None:
        self._chapters = chapters
        self._places: dict[str, list[tuple[int, int, int]]] = {}  # by document: offset, chapter, sentence or -1
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
        """Offset, chapter and sentence (-1 for its title) of what holds a character of a joined document."""
        places = self._places[name]
        return places[bisect_right(places, offset, key=itemgetter(0)) - 1]

    def traced(self, summary: Summary) -> Summary:
        """The summary with the chapters as its pages."""
        tokens = tuple(
            SummaryToken(one.text, tuple(round(share, 5) for share in self._by_chapter(one.confidences)))
            for one in summary.tokens
        )
        shares = self._by_chapter([page.confidence for page in summary.pages])
        own_sentences = tuple(_explained_once(map(self._sentence, summary.sentences)))
        is_quoted = any(sentence.source for sentence in summary.sentences)
        found = replace(
            summary,
            text=" ".join(sentence.text for sentence in own_sentences) if is_quoted else summary.text,
            sentences=own_sentences,
            tokens=tokens,
            pages=tuple(map(_row, range(len(shares)), self._chapters, shares)),
            chapters=tuple(self._chapters),
        )
        rows = Pages(summary.locality, tuple(map(_page, self._chapters)))
        pairs = zip(found.sentences, with_evidence(found, rows).sentences, strict=True)
        sentences = (self._with_numbers(best) if own.evidence is None else own for own, best in pairs)
        return replace(found, sentences=tuple(sentences))

    def _shares_of(self, page: Page) -> list[float]:
        """The share of each chapter in the text of a page; a page without text belongs to all alike."""
        characters: Counter[int] = Counter()
        for sentence in page.sentences if page.source in self._places else ():
            characters[self._place(page.source, sentence.start)[1]] += len(sentence.text)
        total = characters.total()
        return [characters[n] / total if total else 1 / len(self._chapters) for n in range(len(self._chapters))]

    def _by_chapter(self, confidences: Sequence[float]) -> list[float]:
        """Confidences of pages ``(P,)`` as those of chapters; a page of several is divided by length."""
        rows = zip(*self._shares, strict=True)
        return [sum(share * one for share, one in zip(row, confidences, strict=True)) for row in rows]

    def _sentence(self, sentence: SummarySentence) -> SummarySentence:
        by_page = {one.page: one.confidence for one in sentence.pages}
        shares = self._by_chapter([by_page[number] for number in range(len(self._shares))])
        ranked = sorted(enumerate(shares), key=lambda pair: -pair[1])
        pages = tuple(PageShare(chapter, share) for chapter, share in ranked)
        own = SummarySentence(sentence.text, pages, sentence.source, needs_context=sentence.needs_context)
        return self._quote(own, sentence.source) if sentence.source else own

    def _quote(self, sentence: SummarySentence, source: Source) -> SummarySentence:
        """A chapter's quote as it is; the quote of a generated sentence has that as its evidence instead."""
        _, chapter, number = self._place(self._names[source.page], source.start)
        quoted = self._chapters[chapter].sentences[number]
        if quoted.source is None:
            evidence = SourceSentence(quoted.text, chapter, _pdf_pages(quoted), 1.0, number)
            supported = quoted.supported is not False
            return replace(sentence, text=quoted.text, source=None, supported=supported, evidence=(evidence,))
        return replace(
            sentence,
            text=quoted.text,
            source=replace(quoted.source, page=chapter, sentence=number),
            needs_context=sentence.needs_context or quoted.needs_context,
        )

    def _with_numbers(self, sentence: SummarySentence) -> SummarySentence:
        """A sentence whose evidence is numbered; it is supported if a sentence of its evidence is."""
        evidence = []
        supported = False
        for one in sentence.evidence or ():
            own = self._chapters[one.page].sentences
            number = next(number for number, other in enumerate(own) if other.text == one.text)
            supported |= own[number].supported is not False
            evidence.append(replace(one, sentence=number))
        return replace(sentence, supported=bool(sentence.supported) and supported, evidence=tuple(evidence))


def _row(number: int, chapter: Summary, share: float) -> SummaryPage:
    """A chapter as a page of the book's summary."""
    pages = chapter.pages
    starts = [page.start for page in pages if page.start >= 0]
    pdf_pages = sorted({pdf_page for page in pages for pdf_page in page.pdf_pages})
    tokens = sum(page.tokens for page in pages)
    truncated = any(page.truncated for page in pages)
    printed = {number: label for page in pages for number, label in zip(page.pdf_pages, page.page_labels, strict=False)}
    labels = tuple(printed[number] for number in pdf_pages) if printed else ()
    span = (min(starts, default=-1), max(page.end for page in pages))
    return SummaryPage(number, chapter.title, _file(chapter), tuple(pdf_pages), tokens, truncated, share, *span, labels)


def _page(chapter: Summary) -> Page:
    """The sentences of a chapter's summary as a page, to look for evidence in."""
    sentences = tuple(Sentence(one.text, _pdf_pages(one), chapter.title) for one in chapter.sentences)
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
