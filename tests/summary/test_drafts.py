"""Quotes are exact spans of the source text; only what joins them to nothing is left out."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.summary.drafts import LengthLimit, opener_length, quoted
from pagesum_cli.summary.summary import Draft


def pages_of(*paragraphs: str) -> tuple[Document, Pages]:
    document = Document("a.txt", (Section("2 Methods", tuple(Paragraph(text, ((0, 3),)) for text in paragraphs)),))
    sentences = tuple(sentence for sentence in all_sentences(document) if not sentence.is_heading)
    return document, Pages("spatial", (Page("2 Methods", "a.txt", "", sentences, 0),))


def quotes(*paragraphs: str) -> list[str]:
    document, pages = pages_of(*paragraphs)
    count = len(pages.pages[0].sentences)
    written = quoted(pages, Draft([[1.0]] * count, sentences=tuple((0, place) for place in range(count))))
    for sentence in written.sentences:
        span = document.text[sentence.source.start : sentence.source.end]
        assert sentence.text in (span, span[:1].upper() + span[1:])
    return [sentence.text for sentence in written.sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Huawei Technologies (华为技术有限公司) was founded in 1987.",
        "Die Größe α² ≤ 3,5 µm – «sehr» klein.",
        "मूल पाठ वैसा ही रहता है.",
        "النص كما هو.",
        "We set x_{i,j} = 0 and ran `loader.load()`.",
        "iPhone sales rose.",
        "e.g. this one stays as it is.",
    ],
)
def test_any_script_and_symbol_comes_out_as_it_went_in(text):
    assert quotes(text) == [text]


def test_bullets_are_left_out_and_a_capital_begins():
    assert quotes("First it rains.", "- the harvest is late.", "• It rose.") == [
        "First it rains.",
        "The harvest is late.",
        "It rose.",
    ]


def test_only_the_first_sentence_loses_its_connective():
    assert quotes("Therefore, we sowed late.", "However, it rained.") == ["We sowed late.", "However, it rained."]


@pytest.mark.parametrize("text", ["- loader.load does it.", "- “Quoted.”", "Thus spoke he.", "-5 degrees.", "- x", "–"])
def test_what_a_capital_cannot_follow_stays(text):
    assert opener_length(text, is_first=True) == (2 if text == "- x" else 0)


def test_a_quote_knows_its_place():
    _, pages = pages_of("It rained. It snowed.")
    (sentence,) = quoted(pages, Draft([[1.0]], sentences=((0, 1),))).sentences
    source = sentence.source
    assert (source.page, source.sentence, source.file, source.section) == (0, 1, "a.txt", "2 Methods")
    assert source.pdf_pages == (3,)
    assert (source.start, source.end) == (22, 32)


def neighbors(pages: Pages, page: int, place: int) -> tuple[str | None, str | None]:
    draft = Draft([[1.0] * len(pages.pages)], sentences=((page, place),))
    (sentence,) = quoted(pages, draft).sentences
    return sentence.source.before, sentence.source.after


def test_a_quote_knows_its_neighbors_also_on_other_pages_of_its_section():
    _, whole = pages_of("It rained. It froze.", "- It snowed. It thawed.")
    assert neighbors(whole, 0, 1) == ("It rained.", "- It snowed.")
    assert neighbors(whole, 0, 0)[0] == ""
    assert neighbors(whole, 0, 3)[1] == ""
    first, last = (replace(whole.pages[0], sentences=whole.pages[0].sentences[a:b]) for a, b in ((0, 2), (2, 4)))
    assert neighbors(replace(whole, pages=(first, last)), 0, 1) == ("It rained.", "- It snowed.")
    assert neighbors(replace(whole, pages=(first, last)), 1, 0) == ("It froze.", "It thawed.")


def test_a_sentence_of_another_section_or_document_or_behind_a_gap_is_no_neighbor():
    _, whole = pages_of("It rained. It froze. It thawed.")
    one, two, three = whole.pages[0].sentences
    page = whole.pages[0]

    def after(*pages: Page) -> str | None:
        return neighbors(Pages("spatial", pages), 0, 0)[1]

    assert after(replace(page, sentences=(one, two))) == "It froze."
    assert after(replace(page, sentences=(one, replace(two, heading="3 Results")))) == ""
    assert after(replace(page, sentences=(one, replace(two, is_heading=True)))) == ""
    assert after(replace(page, sentences=(one,)), replace(page, source="b.txt", sentences=(two,))) == ""
    assert after(replace(page, sentences=(one,)), replace(page, sentences=(three,))) == ""


SENTENCES = ["One two three four.", "Five six seven.", "Eight nine ten eleven twelve.", "Thirteen (four"]


@pytest.mark.parametrize(
    ("kept", "count"),
    [
        (LengthLimit(), 4),
        (LengthLimit(trim=True), 3),
        (LengthLimit(sentences=2), 2),
        (LengthLimit(sentences=9), 4),
        (LengthLimit(True, sentences=9), 3),
        (LengthLimit(words=7), 2),
        (LengthLimit(True, words=10), 3),
        (LengthLimit(words=1), 1),
    ],
)
def test_generated_sentences_that_are_kept(kept: LengthLimit, count: int) -> None:
    assert kept.count(SENTENCES, is_cut_off=True) == count


def test_datelines_and_numbers_are_not_quoted() -> None:
    for opener in ("RIVERTON (AP) — ", "NEW YORK, Jan. 3 (Reuters) - ", "LONDON — ", "3. ", "(iv) ", "b) "):
        assert opener_length(f"{opener}The harvest was late.", is_first=False) == len(opener)
    for text in ("A. thaliana grows.", "3.5 million were sold.", "NASA launched it.", "I — unlike you — left."):
        assert opener_length(text, is_first=False) == 0
