"""Books: each chapter is summarized, then the joined summaries of the chapters (Pang et al., 2023:
two levels).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from typing import Any

from .documents.books.chapters import Chapter, Chapters, chapters_of
from .documents.coverage import coverage_of
from .documents.guard.sources import Input, OnProgress, read_documents
from .documents.model import Document, LeftOut, Paragraph, Section
from .errors import PagesumError, UsageError, explained
from .locality import Pages, as_automatic
from .locality.flow import words_in
from .options import (
    GenerationOptions,
    PagingOptions,
    RecursionOptions,
    refuse_unused,
    supported,
    with_options,
)
from .shapes.clauses import has_clauses
from .shapes.outline import Division, Outline, outlined, titles_in
from .shapes.points import Place, Point, openings, points_of
from .shapes.provisions import offered
from .summarizer import PageSummarizer
from .summary.attribution import with_evidence
from .summary.openings import alone, with_openings
from .summary.origins import Origins, start_of, with_quoted
from .summary.summary import Summary, SummaryParagraph, SummarySentence
from .system import return_memory

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
        reasons = ", ".join(
            f"{reason} ({number:,} words)" for reason, number in words.most_common()
        )
        return (f"in no chapter: {reasons}",) if reasons else ()


def book_of(documents: Sequence[Document]) -> Book:
    """Find the chapters of a document; each of several documents is a chapter."""
    if not documents:
        raise PagesumError(
            "nothing to summarize: no document was given", "name a file, or pass a Document"
        )
    if len(documents) > 1:
        found = Chapters(tuple(Chapter(one.title or one.name, one) for one in documents), "files")
    else:
        found = chapters_of(documents[0])
    chapters = tuple(chapter for chapter in found.chapters if _text_words(chapter))
    empty = tuple(chapter.title for chapter in found.chapters if not _text_words(chapter))
    return Book(
        tuple(documents), chapters or found.chapters[:1], found.found_by, empty, found.left_out
    )


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
        source: A book, or several documents that are a chapter each; see
            :meth:`PageSummarizer.summarize`.
        summarizer: Summarizes the chapters' summaries.
        chapter_summarizer: Summarizes the chapters; by default the same.
        paging, password, trim: See :meth:`PageSummarizer.summarize`.
        generation: How long the book's summary is; see :func:`chapter_options` for the chapters'.
        on_chapter: Called with the number of each chapter, from 1 on, how many there are, and its
            title.
        options: Single options of ``paging`` and ``generation`` by name.

    Returns:
        The book's summary, whose ``pages`` are the chapters and whose ``chapters`` are their
        summaries. A book of one
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
    paging = as_automatic(book.documents, paging, summarizer.model.config.locality)
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
        book,
        of_chapters,
        failed,
        paging=paging,
        generation=generation,
        trim=trim,
        on_begin=on_begin,
    )
    return summarize_book(
        book, dict(chapters), summarizer, paging=paging, generation=generation, trim=trim
    )


def chapter_options(options: GenerationOptions) -> GenerationOptions:
    """The options for a chapter: without the lengths, which are those of the book's summary."""
    return replace(
        options, length=None, words=None, sentences=None, min_length=None, max_length=None
    )


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
    """Summarize the chapters of a book, one after another; yields each number, from 0 on, with its
    summary.

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


def _chapter_summary(
    chapter: Chapter,
    summarizer: PageSummarizer,
    paging: PagingOptions,
    options: GenerationOptions,
    trim: bool,
) -> Summary:
    """The summary of a chapter; a short one, or one no longer than its summary, is its own."""
    # keeps nothing in memory that is computed from the whole book
    document = replace(chapter.document)
    cuts: list[Pages] = []
    if _text_words(chapter) >= SHORT:
        summary = summarizer.summarize(
            document, paging=paging, generation=options, trim=trim, on_pages=cuts.append
        )
        if not any(map(str.isalnum, summary.text)):
            raise PagesumError(
                f"{summarizer.name} ended the summary before its first word", "use another --model"
            )
    text = [
        one for cut in cuts for page in cut.pages for one in page.sentences if not one.is_heading
    ]
    if not cuts or len(summary.text.split()) >= words_in(text):
        cuts.clear()
        verbatim = bool(options.verbatim)
        summary = summarizer.quote_all(
            document, paging=paging, on_pages=cuts.append, verbatim=verbatim
        )
    about_book = summarizer.notes([document])  # the same for every chapter
    notes = tuple(note for note in summary.notes if note not in about_book)
    return with_evidence(replace(summary, title=chapter.title, notes=notes), cuts[0])


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

    An extractive model gives an overview and a line for each chapter, unless there is a focus or a
    limit of tokens.

    A sentence that quotes a quote has its ``source`` in the book. Any other has as ``evidence``
    sentences of the chapters' summaries, and is supported if one of these is.

    Args:
        book, summarizer, paging, generation, trim: See :func:`summarize_recursively`.
        summaries: The chapters' summaries by number, at least one.
        on_pages: Called with the pages of the joined summaries.
        on_progress: See :meth:`PageSummarizer.summarize`.
        is_outlined: Whether there may be an overview and lines; otherwise the sentences stand in
            reading order.
    """
    numbers = sorted(summaries)
    chapters = own = [summaries[number] for number in numbers]
    divided = [book.chapters[number] for number in numbers]
    options = supported(generation, summarizer.model.offers)
    is_outlined = is_outlined and not summarizer.model.generates and has_free_shape(generation)
    binds = is_outlined and len(book.documents) == 1 and has_clauses(book.documents[0])
    if is_outlined:
        quote_all = partial(summarizer.quote_all, paging=paging, verbatim=bool(options.verbatim))
        others = offered if binds else None
        chapters = [
            _with_openings(summary, chapter, quote_all, others)
            for summary, chapter in zip(own, divided, strict=True)
        ]
    # Extraction from a cluster covers more of the chapters; generating models read one document, as
    # they are trained.
    joined = joined_summaries(book, chapters, as_cluster=not summarizer.model.generates)
    cuts: list[Pages] = []
    outline: Outline | None = None
    if is_outlined:
        divisions = [Division(one.title, one.words, titles_in(one.document)) for one in divided]

        def placed(point: Point) -> Point:
            pair = chapters[point.group].sentences[max(point.number - 1, 0) : point.number + 1]
            section = pair[-1].source.section if pair[-1].source else ""
            return replace(point, section=section, follows=_are_neighbors(pair[0], pair[-1]))

        def choose(pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
            nonlocal outline
            groups = {document.name: number for number, document in enumerate(joined)}
            points = points_of(pages, scores, groups, [one.title for one in divisions], book.title)
            points = [placed(one) for one in points]
            outline = outlined(points, divisions, options, book.title, has_provisions=binds)
            return [point.place for point in outline.points]

        summary = summarizer.quote(
            joined,
            choose,
            paging=paging,
            generation=options,
            on_pages=cuts.append,
            on_progress=on_progress,
        )
    else:
        summary = summarizer.summarize(
            joined,
            paging=paging,
            generation=options,
            trim=trim,
            on_pages=cuts.append,
            on_progress=on_progress,
        )
    on_pages(cuts[0])
    about_joined = summarizer.notes(joined)
    notes = tuple(note for note in summary.notes if note not in about_joined)
    parts = ("read", "encode", "decode")
    verbatim = bool(options.verbatim)
    traced = Origins(joined, cuts[0], chapters, verbatim=verbatim).traced(summary)
    if outline is not None:
        sentences = _with_context(traced.sentences)
        paragraphs = list(_paragraphs(outline, traced))
        opened = _opened(sentences, paragraphs, verbatim)
        traced = replace(traced, sentences=tuple(opened)).in_paragraphs(paragraphs)
        traced = with_quoted(traced, own, verbatim=verbatim)
    unread_words = sum(chapter.unread_words for chapter in chapters)
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
        seconds={
            part: sum(one.seconds.get(part, 0.0) for one in (*chapters, summary)) for part in parts
        },
        unread_words=unread_words,
        hidden_words=sum(document.hidden_words for document in book.documents),
        coverage=coverage_of(book.documents, unread_words, book.left_out),
        notes=(*book.notes, *summarizer.notes(book.documents), *_notes(chapters), *notes),
    )


def _with_openings(
    summary: Summary,
    chapter: Chapter,
    quote_all: Callable[..., Summary],
    others: Callable[[Sequence[Point]], Sequence[Point]] | None,
) -> Summary:
    """The quotes of a chapter, and what its sections say first: lines are chosen from both.
    ``others`` selects more of its sentences.
    """
    if not all(one.source for one in summary.sentences):
        return summary
    document = replace(chapter.document)
    subject = document.title
    choose = partial(openings, title=chapter.title, subject=subject, others=others)
    quotes = quote_all(document, choose=choose).sentences
    by_start = {start_of(one): one for one in (*quotes, *summary.sentences)}
    return replace(summary, sentences=tuple(by_start[start] for start in sorted(by_start)))


def _are_neighbors(first: SummarySentence, second: SummarySentence) -> bool:
    """Whether a quote stands right after another one in its paragraph."""
    a, b = first.source, second.source
    return bool(
        a and b and (a.file, a.section) == (b.file, b.section) and 0 <= b.start - a.end <= 1
    )


def has_free_shape(generation: GenerationOptions) -> bool:
    """Whether the options leave the shape of a summary open: neither a focus, an editor nor a
    limit of tokens is given.
    """
    is_left_to_scores = generation.focus is None and generation.editor is None
    return is_left_to_scores and generation.min_length is None and generation.max_length is None


def _paragraphs(outline: Outline, summary: Summary) -> Iterator[SummaryParagraph]:
    """The overview, the provisions that are named apart, and each chapter that has lines."""
    numbers = iter(range(len(summary.sentences)))
    if outline.overview:
        yield SummaryParagraph("", tuple(islice(numbers, len(outline.overview))))
    for one in outline.provisions:
        yield SummaryParagraph(one.title, tuple(islice(numbers, len(one.points))))
    for page, lines, named in zip(summary.pages, outline.lines, outline.sections, strict=True):
        if lines or named:
            yield SummaryParagraph(
                page.label, tuple(islice(numbers, len(lines))), page.pdf_pages, named
            )


def _with_context(sentences: Sequence[SummarySentence]) -> list[SummarySentence]:
    """Sentences of which none needs the one before it that stands there."""
    found = list(sentences)
    for number, pair in enumerate(pairwise(sentences), 1):
        if _are_neighbors(*pair):
            found[number] = replace(pair[1], needs_context=False)
    return found


def _opened(
    sentences: Sequence[SummarySentence], paragraphs: Sequence[SummaryParagraph], verbatim: bool
) -> Iterator[SummarySentence]:
    """The sentences with their openings, which start afresh in each paragraph."""
    for paragraph in paragraphs:
        own = [sentences[number] for number in paragraph.sentences]
        yield from with_openings(own, verbatim=verbatim)


def joined_summaries(
    book: Book, chapters: Sequence[Summary], *, as_cluster: bool = False
) -> list[Document]:
    """What the book's summary is made of: a section for each chapter with its title and its
    summary's sentences.
    """
    sections = [
        Section(
            " ".join(chapter.title.split()),
            tuple(map(_as_paragraph, chapter.sentences)),
        )
        for chapter in chapters
    ]
    if as_cluster:
        return [
            Document(f"chapter {number}", (section,)) for number, section in enumerate(sections, 1)
        ]
    first = book.documents[0]
    return [Document(first.name, tuple(sections), book.title, first.source)]


def _as_paragraph(sentence: SummarySentence) -> Paragraph:
    """A sentence of a chapter's summary, behind its speaker, its lead-in and its label."""
    opening = alone(sentence).opening
    return Paragraph(opening + sentence.text, is_sentence=True, body=len(opening))


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
