"""Sentences chosen for a summary."""

from dataclasses import replace

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from pagesum_cli.documents.document import Document, Paragraph, Section
from pagesum_cli.documents.records import Record
from pagesum_cli.marks import HEADING
from pagesum_cli.tokenization import PageTokenizer
from pagesum_cli.training.extracts import CLUSTER_SUMMARY, choose, extract

BODY = [
    "The weather was fine on the day of the visit.",
    "We propose a new method that reads every page of a report.",
    "It rained in the evening and nobody went out again.",
    "The method is faster than all others on three data sets.",
    "A method.",
]
SUMMARY = "We propose a method that reads every page. It is faster than all others on three data sets."


@pytest.fixture
def tokenizer() -> PageTokenizer:
    words = Tokenizer(models.WordLevel(unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = ["?", "<s>", "</s>", *(f"mark{number}" for number in range(30))]
    words.train_from_iterator([*BODY, "Intro Results Title"], trainers.WordLevelTrainer(special_tokens=special))
    words.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return PageTokenizer(words, 3)


def record(*bodies: list[str], summary: str = SUMMARY, title: str = "") -> Record:
    sections = [
        Section(heading, (Paragraph(" ".join(body)),))
        for heading, body in zip(["Intro", "Results"], bodies, strict=False)
    ]
    return Record("a", (Document("a", tuple(sections), title=title),), summary)


def test_the_sentences_that_say_what_the_summary_says() -> None:
    assert sorted(choose(BODY, SUMMARY)) == [1, 3]
    assert choose(BODY, "") == []
    assert choose([], SUMMARY) == []
    assert sorted(choose(BODY, SUMMARY, fit=[True, True, True, False, True])) == [1]


def test_words_are_compared_as_rouge_compares_them() -> None:
    said = "Proposed methods are reading pages of some reports."
    assert choose([BODY[0], said], "A method proposes to read each page of each report.") == [1]


def test_a_record_becomes_pages_of_pieces_with_what_was_chosen(tokenizer: PageTokenizer) -> None:
    found = extract(record(BODY[:2], BODY[2:]), tokenizer, "auto", 40, ends=())
    assert found.places == [0, 1]
    assert [[piece.is_heading for piece in page] for page in found.pages] == [
        [True, False, False],
        [True, False, False, False],
    ]
    chosen = {(p, n) for p, page in enumerate(found.pages) for n, piece in enumerate(page) if piece.rank is not None}
    assert chosen == {(0, 2), (1, 2)}
    worths = [piece.worth for page in found.pages for piece in page]
    assert worths[0] == worths[3] == 0  # headings
    assert min(worths[2], worths[5]) > max(worths[1], worths[4])
    assert all(0 <= worth <= 1 for worth in worths)


def test_how_long_the_summary_is_is_known_of_a_cluster_as_far_as_it_counts(tokenizer: PageTokenizer) -> None:
    one = record(BODY, summary="word " * 300)
    assert extract(one, tokenizer, "auto", 60, ends=()).summary_tokens == 300 + 1  # a mark before it
    cluster = replace(one, documents=one.documents * 2)
    assert extract(cluster, tokenizer, "auto", 60, ends=()).summary_tokens == CLUSTER_SUMMARY + 1


def test_what_is_not_closed_is_not_chosen(tokenizer: PageTokenizer) -> None:
    whole = record(BODY[:2], BODY[2:])
    closed = extract(whole, tokenizer, "auto", 40, ends=())
    end = int(closed.pages[1][2].ids[-1])
    found = extract(whole, tokenizer, "auto", 40, ends=[end])
    assert found.pages[1][2].rank == 0
    assert closed.pages[0][2].rank is not None
    assert found.pages[0][2].rank is None
    assert found.pages[0][2].worth == 0 < closed.pages[0][2].worth


def test_the_pieces_are_what_the_model_reads(tokenizer: PageTokenizer) -> None:
    from pagesum_cli.locality import cut

    one = record(BODY[:2], BODY[2:], title="Title")
    known = {"special_tokens": tokenizer.special_tokens, "title_tokens": tokenizer.title_tokens}
    pages = cut(one.documents, count_tokens=tokenizer.count, page_tokens=40, **known)
    assert [page.title for page in pages.pages] == ["Title", "Title"]
    ids = tokenizer.ids(pages, 40)
    assert [len(page) for page in ids] == [page.tokens for page in pages.pages]
    found = extract(one, tokenizer, "auto", 40, ends=())
    for page, place, pieces in zip(ids, found.places, found.pages, strict=True):
        read = [1, 3 + place, *(token for piece in pieces for token in (3 + piece.mark, *piece.ids.tolist())), 2]
        assert page == read
        assert page[2] == 3 + HEADING
