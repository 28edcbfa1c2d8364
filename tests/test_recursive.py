"""Summaries of books: chapters first, then their summaries, traced back through both levels."""

import json
from collections.abc import Sequence
from itertools import chain

import pytest
import tiny
from tiny import TEXTS

from pagesum_cli.documents.books.chapters import Chapter
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import UsageError
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.recursive import (
    Book,
    book_of,
    joined_summaries,
    summarize_chapters,
    summarize_recursively,
)
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.summary.repairs import applied
from pagesum_cli.summary.summary import Summary

CHAPTERS = (
    "Chapter 1: The flood",
    "Chapter 2: The council",
    "Chapter 3: The mills",
    "Chapter 4: The bread",
)


def section(heading: str, *texts: str, level: int = 1, pdf_page: int = 0) -> Section:
    starts = ((0, pdf_page),) if pdf_page else ()
    return Section(heading, tuple(Paragraph(text, starts) for text in texts), level, "outline")


def a_book(chapters: Sequence[str] = CHAPTERS, name: str = "book.pdf") -> Document:
    """A chapter has ten sentences or so, and a second section; it stands on two PDF pages."""
    sections = []
    for number, title in enumerate(chapters):
        turned = TEXTS[number:] + TEXTS[:number]
        sections.append(section(title, f"{turned[0]} {turned[1]}", pdf_page=2 * number + 1))
        sections.append(section(f"More of {title}", *turned[2:], level=2, pdf_page=2 * number + 2))
    return Document(name, tuple(sections), "The late harvest", name)


@pytest.fixture(scope="module")
def quoting() -> PageSummarizer:
    tokenizer = tiny.word_piece(TEXTS, control_tokens=True)
    model = tiny.extractive(1, vocab_size=tokenizer.vocab_size, max_position_embeddings=128)
    return PageSummarizer(model, tokenizer, name="quoting")


@pytest.fixture(scope="module")
def writing() -> PageSummarizer:
    tokenizer = tiny.word_piece(TEXTS)
    generation = {
        "num_beams": 1,
        "max_length": 30,
        "min_length": 12,
        "forced_eos_token_id": tiny.END,
    }
    model = tiny.pagesum(1, vocab_size=tokenizer.vocab_size, generation=generation, **tiny.TOKENS)
    return PageSummarizer(model, tokenizer, name="writing")


def assert_consistent(summary: Summary, titles: Sequence[str]) -> None:
    assert [page.label for page in summary.pages] == list(titles)
    assert [chapter.title for chapter in summary.chapters] == list(titles)
    assert sum(page.confidence for page in summary.pages) == pytest.approx(1)
    for sentence in summary.sentences:
        assert sorted(one.page for one in sentence.pages) == list(range(len(titles)))
        assert sum(one.confidence for one in sentence.pages) == pytest.approx(1)
        for one in sentence.evidence or ():
            assert one.sentence is not None
            assert summary.chapters[one.page].sentences[one.sentence].text == one.text
    for token in summary.tokens:
        assert sum(token.confidences) == pytest.approx(1, abs=1e-3)
    for page, chapter in zip(summary.pages, summary.chapters, strict=True):
        assert page.tokens == sum(one.tokens for one in chapter.pages)
        assert sum(one.confidence for one in chapter.pages) == pytest.approx(1)
        assert not chapter.chapters
    assert Summary.from_json(json.loads(json.dumps(summary.to_json()))) == summary


def test_a_quote_is_traced_through_both_levels_to_the_book(quoting: PageSummarizer) -> None:
    book = a_book()
    summary = summarize_recursively(book, quoting)
    assert_consistent(summary, CHAPTERS)
    assert summary.title == "The late harvest"
    ends = (*book.starts[2::2], len(book.text))
    for sentence in summary.sentences:
        source = sentence.source
        assert source is not None
        assert book.text[source.start : source.end] == sentence.text
        inner = summary.chapters[source.page].sentences[source.sentence]
        assert inner.text == sentence.text
        assert inner.source is not None
        assert (inner.source.start, inner.source.pdf_pages) == (source.start, source.pdf_pages)
        assert book.starts[2 * source.page] <= source.start < ends[source.page]
        assert source.section in (CHAPTERS[source.page], f"More of {CHAPTERS[source.page]}")
        first = 2 * source.page + 1
        assert source.pdf_pages == (
            (first,) if source.section == CHAPTERS[source.page] else (first + 1,)
        )
        assert source.file == "book.pdf"
        assert sentence.supported
    texts = [sentence.text for sentence in summary.sentences]
    assert len(set(texts)) == len(texts)
    for page, start, end in zip(summary.pages, book.starts[::2], ends, strict=True):
        assert start <= page.start < page.end <= end
    assert [page.pdf_pages for page in summary.pages] == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_chapters_of_a_quoted_book_are_summarized_as_they_would_be_alone(
    quoting: PageSummarizer,
) -> None:
    """The rest of the book neither counts as known nor is it read."""
    book = a_book()
    summary = summarize_recursively(book, quoting)
    for number, chapter in enumerate(summary.chapters):
        alone = Document("alone", book.sections[2 * number : 2 * number + 2], book.title)
        quotes = [one.text for one in quoting.summarize(alone).sentences]
        lines = [one.text for one in summary.sentences if one.source and one.source.page == number]
        assert [
            one.text for one in chapter.sentences if one.text in quotes or one.text not in lines
        ] == quotes
        assert set(lines) <= {one.text for one in chapter.sentences}
        assert chapter.text == " ".join(one.text for one in chapter.sentences)


def test_a_generated_sentence_is_traced_by_evidence(writing: PageSummarizer) -> None:
    summary = summarize_recursively(a_book(), writing)
    assert_consistent(summary, CHAPTERS)
    assert summary.tokens
    assert all(sentence.source is None for sentence in summary.sentences)
    for sentence in summary.sentences:
        if not sentence.evidence:  # random words may be in no chapter
            assert not sentence.supported
            continue
        strongest = sentence.pages[0].page
        assert sentence.evidence[0].page == strongest
        inner = summary.chapters[strongest].sentences[sentence.evidence[0].sentence or 0]
        assert inner.evidence is not None
        if sentence.supported:  # then the book supports it, not only the chapter's summary
            found = [
                summary.chapters[one.page].sentences[one.sentence or 0] for one in sentence.evidence
            ]
            assert any(one.supported for one in found)


def test_a_page_of_several_chapters_is_divided_among_them(writing: PageSummarizer) -> None:
    """Locality, size and number of pages are the model's matter: confidences are of chapters in any
    case.
    """
    for options in ({"locality": "spatial"}, {"locality": "document"}, {"page_tokens": 40}):
        assert_consistent(summarize_recursively(a_book(), writing, **options), CHAPTERS)
    fixed = summarize_recursively(
        a_book(), writing, num_pages=9, locality="spatial", page_tokens=40
    )
    assert_consistent(fixed, CHAPTERS)


@pytest.mark.parametrize("models", [("quoting", "writing"), ("writing", "quoting")])
def test_chapters_and_book_can_have_different_models(
    models: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    of_chapters, of_book = (request.getfixturevalue(name) for name in models)
    summary = summarize_recursively(a_book(), of_book, chapter_summarizer=of_chapters)
    assert_consistent(summary, CHAPTERS)
    assert summary.model == of_book.name
    assert summary.settings["chapter_model"] == of_chapters.name
    assert {chapter.model for chapter in summary.chapters} == {of_chapters.name}
    # A quote of a sentence that was generated is no quote of the book.
    assert all(sentence.source is None for sentence in summary.sentences)
    if of_book.name == "quoting":
        for sentence in summary.sentences:
            (evidence,) = sentence.evidence or ()
            assert sentence.text.lower() in evidence.text.lower()


def test_lengths_are_those_of_the_book(quoting: PageSummarizer) -> None:
    texts = [
        "Wheat was sown on all the hills of the north in March, before the rain came.",
        "Eleven mills stood by the river when the council closed the old bridge.",
        "Prices of bread rose by a fifth, although bakers had asked for help in time.",
        "Children carried salt and seed to every farm that the flood had cut off.",
    ]
    chapters = (section(f"Chapter {n}: Year {n}", text) for n, text in enumerate(texts, start=1))
    book = Document("book.txt", tuple(chapters))
    one = summarize_recursively(book, quoting, sentences=1)
    three = summarize_recursively(book, quoting, sentences=3)
    assert (len(one.sentences), len(three.sentences)) == (1, 3)
    assert [chapter.text for chapter in one.chapters] == [
        chapter.text for chapter in three.chapters
    ]


@pytest.mark.parametrize("model", ["quoting", "writing"])
def test_a_chapter_of_one_line_is_its_own_summary(
    model: str, request: pytest.FixtureRequest
) -> None:
    book = a_book()
    sections = (
        *book.sections,
        section("Chapter 5: The end", "The bread was good."),
        section("Index"),
    )
    summary = summarize_recursively(Document("book.txt", sections), request.getfixturevalue(model))
    last = next(one for one in summary.chapters if one.title == "Chapter 5: The end")
    assert last.text == "The bread was good."
    assert last.sentences[0].source is not None
    assert last.pages[0].confidence == 1
    assert all(chapter.text for chapter in summary.chapters)


def test_a_chapter_without_text_is_left_out() -> None:
    everything = frozenset(range(3))
    document = Document("book.txt", (section("1", TEXTS[0]), section("2"), section("3", TEXTS[1])))
    from pagesum_cli import recursive

    chapters = [
        Chapter(str(n + 1), Document("book.txt", document.sections, skipped=everything - {n}))
        for n in range(3)
    ]
    found = recursive.Chapters(tuple(chapters), "outline")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recursive, "chapters_of", lambda _: found)
        book = book_of([document])
    assert [chapter.title for chapter in book.chapters] == ["1", "3"]
    assert book.empty == ("2",)


def test_several_documents_are_a_chapter_each(quoting: PageSummarizer) -> None:
    documents = [
        Document(f"{name}.txt", (Section("", (Paragraph(" ".join(TEXTS[number : number + 2])),)),))
        for number, name in enumerate("abc")
    ]
    summary = summarize_recursively(documents, quoting)
    assert_consistent(summary, ("a.txt", "b.txt", "c.txt"))
    assert summary.settings["chapters_found_by"] == "files"
    for sentence in summary.sentences:
        source = sentence.source
        assert source is not None
        assert source.file == documents[source.page].name
        assert documents[source.page].text[source.start : source.end] == sentence.text


def test_a_book_of_one_chapter_is_summarized_directly(quoting: PageSummarizer) -> None:
    document = Document("letter.txt", (Section("", (Paragraph(" ".join(TEXTS)),)),))
    summary = summarize_recursively(document, quoting)
    assert summary.chapters == ()
    assert summary.text == quoting.summarize(document).text


def test_without_chapters_the_text_is_read_in_parts(quoting: PageSummarizer) -> None:
    paragraphs = tuple(Paragraph(text) for text in TEXTS * 300)
    document = Document("book.txt", (Section("", paragraphs),))
    book = book_of([document])
    if len(book.chapters) == 1:
        pytest.skip("chapters are not yet parted")
    assert book.found_by == "fallback"
    summary = summarize_recursively(document, quoting)
    assert len(summary.chapters) == len(book.chapters) > 1
    for sentence in summary.sentences:
        assert sentence.source is not None
        assert document.text[sentence.source.start : sentence.source.end] == sentence.text


def test_words_that_no_chapter_reads_are_counted(writing: PageSummarizer) -> None:
    summary = summarize_recursively(a_book(), writing, max_pages=1, page_tokens=40)
    words = sum(len(section.text.split()) for section in a_book().sections)
    (note,) = (note for note in summary.notes if "not read" in note)
    assert note.startswith("4 chapters: ")
    assert 0 < int(note.split()[2].replace(",", "")) < words


def test_one_chapter_that_fails_does_not_lose_the_others(quoting: PageSummarizer) -> None:
    document = a_book()
    chapters = list(book_of([document]).chapters)
    broken = Document("book.pdf", (Section("2", (None,)),))  # type: ignore[arg-type]
    chapters[1] = Chapter("broken", broken)
    problems: list[int] = []
    book = Book((document,), tuple(chapters), "outline")
    done = dict(
        summarize_chapters(
            book,
            quoting,
            lambda number, reason: problems.append(number),
            paging=PagingOptions(),
            generation=GenerationOptions(),
        )
    )
    assert sorted(done) == [0, 2, 3]
    assert problems == [1]


def test_options_that_make_no_sense_for_a_book_are_refused(quoting: PageSummarizer) -> None:
    with pytest.raises(UsageError, match="beyond-abstract"):
        summarize_recursively(a_book(), quoting, beyond_abstract=True)
    with pytest.raises(UsageError, match="no option 'lenght'"):
        summarize_recursively(a_book(), quoting, lenght="short")


def test_the_joined_summaries_are_sections_or_documents(quoting: PageSummarizer) -> None:
    summary = summarize_recursively(a_book(), quoting)
    book = book_of([a_book()])
    (one,) = joined_summaries(book, summary.chapters)
    many = joined_summaries(book, summary.chapters, as_cluster=True)
    assert [section.heading for section in one.sections] == list(CHAPTERS)
    assert [section for document in many for section in document.sections] == list(one.sections)
    sentences = chain.from_iterable(chapter.sentences for chapter in summary.chapters)
    assert [paragraph.text for part in one.sections for paragraph in part.paragraphs] == [
        one.text for one in sentences
    ]


def test_older_json_and_json_that_does_not_fit_together(quoting: PageSummarizer) -> None:
    data = summarize_recursively(a_book(), quoting).to_json()
    without = {name: value for name, value in data.items() if name != "chapters"}
    for sentence in without["sentences"]:
        for one in sentence["evidence"]:
            del one["sentence"]
    assert Summary.from_json(json.loads(json.dumps(without))).chapters == ()
    fresh = json.loads(json.dumps(summarize_recursively(a_book(), quoting).to_json()))
    chapters = fresh["chapters"]
    for wrong in (chapters[:2], [{**one, "chapters": [one]} for one in chapters], [1, 2, 3, 4], 7):
        with pytest.raises(ValueError, match="expected"):
            Summary.from_json({**fresh, "chapters": wrong})
    fresh["sentences"][0]["source"]["sentence"] = 99
    with pytest.raises(ValueError, match="sentences of the chapters"):
        Summary.from_json(fresh)


def test_a_books_quotes_are_those_of_its_chapters(quoting: PageSummarizer) -> None:
    said = [
        f"{name} was late (Fig. {n}). However, the {name} of the town was sold."
        for n, name in enumerate(NAMES, 1)
    ]
    sections = tuple(Section(f"Chapter {n}", (Paragraph(text),)) for n, text in enumerate(said, 1))
    book = Document("book.txt", sections)
    for verbatim in (False, True):
        summary = summarize_recursively(book, quoting, sentences=3, verbatim=verbatim)
        assert summary.text.split("\n\n") == [sentence.text for sentence in summary.sentences]
        for sentence in summary.sentences:
            source = sentence.source
            assert source is not None
            assert sentence.text == summary.chapters[source.page].sentences[source.sentence].text
            slice_ = book.text[source.start : source.end]
            assert sentence.text == applied(slice_, source.omitted, source.inserted)
            assert (sentence.text == slice_) is (verbatim or "Fig" not in slice_)
        before = [None, *summary.sentences]
        for previous, sentence in zip(before, summary.sentences, strict=False):
            follows = previous and previous.source.page == sentence.source.page
            assert sentence.needs_context is (sentence.text.startswith("However") and not follows)


NAMES = ("Wheat", "Barley", "Rye", "Oats")


def test_an_abbreviation_is_explained_once_in_a_book(quoting: PageSummarizer) -> None:
    first = "The Village Mill Council (VMC) met. The VMC was late."
    said = [f"The VMC of {name.lower()} was late and sold all of it." for name in NAMES]
    sections = tuple(
        Section(f"Chapter {n}", (Paragraph(f"{first} {text}"),)) for n, text in enumerate(said, 1)
    )
    book = Document("book.txt", sections)
    summary = summarize_recursively(book, quoting, sentences=8)
    assert any(
        "[Village Mill Council]" in one.text
        for chapter in summary.chapters
        for one in chapter.sentences
    )
    assert summary.text.lower().count("[village mill council]") <= 1
    for sentence in summary.sentences:
        source = sentence.source
        assert source is not None
        slice_ = book.text[source.start : source.end]
        assert sentence.text == applied(slice_, source.omitted, source.inserted)
