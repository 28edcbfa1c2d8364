import random
from pathlib import Path

import pytest
import tiny

import pagesum_cli
from pagesum_cli.datasets.record import Record
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import UsageError
from pagesum_cli.locality import paginate
from pagesum_cli.models.tasks import Abstractive, Plan
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import PageTokenizer


def cut(documents, locality="auto", *, page_tokens=512, title_tokens=0, **options):
    options = PagingOptions(locality=locality, page_tokens=page_tokens, **options)
    return paginate(documents, options, tiny.Words(title_tokens))


def document(
    name="paper.txt",
    sections=(("1 Introduction", "We ask. We answer."), ("2 Results", "It works.")),
):
    return Document(name, tuple(Section(heading, (Paragraph(text),)) for heading, text in sections))


def test_a_fixed_number_of_pages_has_labelled_fillers():
    pages = cut([document()], "discourse", page_tokens=64, num_pages=3)
    assert [page.label for page in pages.pages] == ["1 Introduction", "2 Results", "(no page)"]
    assert [page.text for page in pages.pages] == [
        "1 Introduction We ask. We answer.",
        "2 Results It works.",
        ".",
    ]


def test_units_beyond_the_fixed_number_are_counted_as_dropped():
    pages = cut([document()], "discourse", page_tokens=64, num_pages=1)
    assert len(pages.pages) == 1
    assert pages.dropped_words == 4  # "2 Results It works."


def test_spatial_pages_are_those_of_the_sentences():
    sentences = [f"Sentence {number} is here." for number in range(11)]
    paper = document(sections=(("", " ".join(sentences)),))
    pages = cut([paper], "spatial", page_tokens=64, num_pages=4)
    # 11 // 4 a page, the remainder on the last
    runs = [sentences[:2], sentences[2:4], sentences[4:6], sentences[6:]]
    assert [page.text for page in pages.pages] == [" ".join(run) for run in runs]
    assert pages.pages[-1].label == "sentences 7–11"


def test_fewer_sentences_than_pages_all_stand_on_the_last():
    pages = cut(
        [document(sections=(("", "It rained. It snowed."),))],
        "spatial",
        page_tokens=64,
        num_pages=3,
    )
    assert [page.text for page in pages.pages] == [".", ".", "It rained. It snowed."]


def test_a_page_too_long_is_truncated_and_says_so():
    long = document(sections=(("", "one two three four. " * 30),))
    pages = cut([long], "spatial", page_tokens=40, num_pages=1)
    (page,) = pages.pages
    kept = len(page.text.split())
    assert page.tokens == 40
    assert 38 <= kept <= 40
    assert page.truncated_words == 120 - kept


def test_sections_are_a_page_each_without_fillers():
    empty = document(
        sections=(
            ("1 Introduction", "We ask. We answer."),
            ("", ""),
            ("2 Results", "It works. " * 60),
        )
    )
    pages = cut([empty], "discourse", page_tokens=40, num_pages="units")
    assert [page.label for page in pages.pages] == ["1 Introduction", "2 Results"]
    assert pages.pages[0].text == "1 Introduction We ask. We answer."
    assert (pages.pages[1].tokens, pages.pages[1].truncated_words > 0) == (40, True)
    limited = cut([empty], "discourse", page_tokens=64, num_pages="units", max_pages=1)
    assert (len(limited.pages), limited.dropped_words) == (1, 122)


def test_documents_are_a_page_each_without_fillers():
    cluster = [document(f"{name}.txt", (("", f"It is {name}."),)) for name in "abc"]
    pages = cut(cluster, "document", page_tokens=64, num_pages="units")
    assert [page.text for page in pages.pages] == ["It is a.", "It is b.", "It is c."]


def test_units_and_tokens_need_the_locality_that_they_are_of():
    with pytest.raises(UsageError, match="units with spatial"):
        cut([document()], "spatial", num_pages="units")
    with pytest.raises(UsageError, match="tokens with discourse"):
        cut([document()], "discourse", num_pages="tokens")


@pytest.fixture(scope="module")
def bart():
    return PageTokenizer.load(Path(pagesum_cli.__file__).parent / "assets" / "bart")


def long_paper(words=6000):
    odd = ["λ-calculus", "🙂", "(2022)", "e.g.", "x", "antidisestablishmentarianism", "水"]
    chosen = random.Random(5).choices(["the", "Photosynthesis", "naïve", *odd], k=words)
    ends = [f"{word}." if number % 17 == 0 else word for number, word in enumerate(chosen)]
    return document("long.txt", (("", " ".join(ends)),))


@pytest.mark.parametrize(("page_tokens", "number"), [(128, 32), (256, 16), (512, 8), (1024, 4)])
def test_table_5_reads_the_same_4096_tokens_on_pages_of_any_size(bart, page_tokens, number):
    paper = long_paper()
    options = PagingOptions(
        "spatial", page_tokens=page_tokens, num_pages="tokens", document_tokens=4096
    )
    pages = paginate([paper], options, bart)
    joined = " ".join(sentence for sentence in paper.text.split("\n"))
    expected = bart.backend.encode(joined, add_special_tokens=False).ids[:4096]
    plan = Plan(None, "", None, options, 256)
    trained = Abstractive().encode(Record("1", (paper,), "A summary."), bart, plan).example.pages
    read = [page.ids for page in bart.encode_pages(pages, page_tokens, spaced=False)]
    assert [len(ids) for ids in read] == [page_tokens] * number
    assert [token for ids in read for token in ids] == expected
    assert [list(ids) for ids in trained] == read
    assert [page.tokens for page in pages.pages] == [page_tokens] * number
    assert pages.dropped_words > 1000


def test_pages_cut_between_tokens_keep_the_places_of_their_sentences(bart):
    paper = long_paper(400)
    pages = paginate([paper], PagingOptions("spatial", page_tokens=64, num_pages="tokens"), bart)
    sentences = [sentence for page in pages.pages for sentence in page.sentences]
    assert all(sentence.text == paper.text[sentence.start : sentence.end] for sentence in sentences)
    assert "".join(page.text for page in pages.pages) == " ".join(paper.text.split())
    assert pages.unread_words == 0
