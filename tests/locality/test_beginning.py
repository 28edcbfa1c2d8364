"""The first tokens of a document: the same text on pages of any size."""

import pytest
import tiny

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import UsageError
from pagesum_cli.locality import paginate
from pagesum_cli.locality.paginate import shares
from pagesum_cli.options import PagingOptions

TOKENS = tiny.Words(per_word=2)
SENTENCES = [f"Sentence number {number} has exactly seven words." for number in range(200)]
REPORT = Document(
    "report",
    tuple(
        Section(
            f"{part} Part", tuple(Paragraph(text) for text in SENTENCES[50 * part : 50 * part + 50])
        )
        for part in range(4)
    ),
)


def pages_of(documents, limit, **options):
    return paginate(documents, PagingOptions(document_tokens=limit, **options), TOKENS)


@pytest.mark.parametrize("page_tokens", [40, 64, 128, 256])
def test_pages_of_every_size_hold_the_same_text(page_tokens):
    words = " ".join(part for section in REPORT.sections for part in section.parts).split()
    spatial = pages_of([REPORT], 901, page_tokens=page_tokens, locality="spatial")
    assert " ".join(page.text for page in spatial.pages).split() == words[:450]
    discourse = pages_of([REPORT], 901, page_tokens=page_tokens, locality="discourse")
    sentences = [one for page in discourse.pages for one in page.sentences if not one.is_heading]
    assert (
        " ".join(one.text for one in sentences)
        == " ".join(SENTENCES)[: len(" ".join(one.text for one in sentences))]
    )
    for cut in (spatial, discourse):
        assert cut.dropped_words == len(words) - 450
        assert not any(page.truncated_words for page in cut.pages)
        read = [one for page in cut.pages for one in page.sentences]
        assert all(REPORT.text[one.start : one.end] == one.text for one in read)


def test_nothing_is_cut_off_a_shorter_document():
    assert pages_of([REPORT], 10_000, page_tokens=64) == paginate(
        [REPORT], PagingOptions(page_tokens=64), TOKENS
    )


def test_each_document_of_a_cluster_is_cut():
    documents = [
        plain_document(" ".join(SENTENCES[:number]), f"{number}") for number in (3, 100, 150)
    ]
    cut = pages_of(documents, 140, page_tokens=200)
    assert [len(page.text.split()) for page in cut.pages] == [21, 70, 70]
    assert cut.dropped_words == 7 * (100 + 150) - 140


def by_rounds(lengths, total):
    """One token at a time of each document in turn, until there are ``total`` or none is left."""
    read = [0] * len(lengths)
    while sum(read) < min(total, sum(lengths)):
        for number, length in enumerate(lengths):
            if read[number] < length and sum(read) < total:
                read[number] += 1
    return read


@pytest.mark.parametrize(
    "lengths", [[900], [80, 900, 700], [500, 20, 1], [3, 3, 3], [0, 40, 1000, 999, 130]]
)
@pytest.mark.parametrize("total", [4, 100, 500, 1501])
def test_a_cluster_s_tokens_are_shared_as_if_one_was_taken_of_each_document_in_turn(lengths, total):
    found = shares(lengths, total)
    assert sum(found) == min(total, sum(lengths))
    turns = by_rounds(lengths, total)
    # of what divides unevenly
    assert max(abs(one - other) for one, other in zip(found, turns, strict=True)) <= 1


def test_documents_of_a_cluster_are_cut_together_and_the_rest_is_counted():
    documents = [
        plain_document(" ".join(SENTENCES[:number]), f"{number}") for number in (3, 100, 150)
    ]
    options = PagingOptions(source_tokens=602, page_tokens=600)
    cut = paginate(documents, options, TOKENS)
    assert [len(page.text.split()) for page in cut.pages] == [21, 140, 140]  # 2 tokens a word
    assert cut.dropped_words == 7 * 250 - 280
    assert paginate(documents[:1], options, TOKENS) == paginate(
        documents[:1], PagingOptions(page_tokens=600), TOKENS
    )


def test_of_one_document_the_first_tokens_are_read():
    read = paginate(
        [REPORT], PagingOptions(source_tokens=901, page_tokens=64, locality="spatial"), TOKENS
    )
    assert read == pages_of([REPORT], 901, page_tokens=64, locality="spatial")


def test_each_document_of_a_cluster_has_a_word_however_few_tokens_there_are():
    documents = [
        plain_document("One two.", "a"),
        plain_document("Three four.", "b"),
        plain_document("Five.", "c"),
    ]
    cut = paginate(documents, PagingOptions(source_tokens=1, page_tokens=64), TOKENS)
    assert [page.text for page in cut.pages] == ["One", "Three", "Five."]


def test_a_model_s_own_number_of_tokens_is_used_where_none_is_given():
    own = (64, None, 64, "auto", 500)
    assert PagingOptions().filled(*own).source_tokens == 500
    assert PagingOptions(source_tokens=9).filled(*own).source_tokens == 9
    assert PagingOptions(document_tokens=9).filled(*own).source_tokens is None
    with pytest.raises(UsageError, match="given together"):
        PagingOptions(source_tokens=9, document_tokens=9)


def test_a_first_word_of_many_tokens_is_read():
    assert (
        pages_of([plain_document("One two three.", "a")], 1, page_tokens=64).pages[0].text == "One"
    )


def test_a_data_set_s_own_sentences_are_cut_without_the_names_of_sections(tmp_path):
    value = {
        "article_text": SENTENCES[:40],
        "section_names": ["a", "b"],
        "sections": [SENTENCES[:20], SENTENCES[20:40]],
        "abstract_text": ["<S> S . </S>"],
    }
    (document,) = record_of(value).documents
    for options in ({}, {"num_pages": 3}):
        for limit, words in ((140, 70), (430, 215)):
            cut = pages_of([document], limit, page_tokens=1024, locality="spatial", **options)
            assert (
                " ".join(page.text for page in cut.pages).split()
                == " ".join(SENTENCES).split()[:words]
            )
    cut = pages_of([document], 142, page_tokens=1024, locality="discourse")
    assert " ".join(page.text for page in cut.pages).split() == [
        "a",
        *" ".join(SENTENCES).split()[:70],
    ]


def test_the_paper_s_own_pages_are_formed_of_the_beginning():
    cut = pages_of([REPORT], 901, page_tokens=512, num_pages=7, locality="spatial")
    assert len(cut.pages) == 7
    assert sum(len(page.text.split()) for page in cut.pages) == 450
