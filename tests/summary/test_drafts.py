"""Quotes are sentences of the source text; what is left out and put in is recorded."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.summary.drafts import LengthLimit, quoted
from pagesum_cli.summary.repairs import applied
from pagesum_cli.summary.summary import Draft


def pages_of(*paragraphs: str) -> tuple[Document, Pages]:
    document = Document(
        "a.txt", (Section("2 Methods", tuple(Paragraph(text, ((0, 3),)) for text in paragraphs)),)
    )
    sentences = tuple(sentence for sentence in all_sentences(document) if not sentence.is_heading)
    return document, Pages("spatial", (Page("2 Methods", "a.txt", "", sentences, 0),))


def quotes(*paragraphs: str) -> list[str]:
    document, pages = pages_of(*paragraphs)
    count = len(pages.pages[0].sentences)
    draft = Draft([[1.0]] * count, sentences=tuple((0, place) for place in range(count)))
    written = quoted(pages, draft, documents=[document])
    for sentence in written.sentences:
        source = sentence.source
        assert sentence.text == applied(
            document.text[source.start : source.end], source.omitted, source.inserted
        )
    whole = quoted(pages, draft, documents=[document], verbatim=True)
    assert [one.text for one in whole.sentences] == [one.text for one in pages.pages[0].sentences]
    assert not any(one.source.omitted or one.source.inserted for one in whole.sentences)
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


def test_a_summary_of_several_documents_says_once_where_and_when_each_was_written():
    documents, pages = [], []
    for name, origin in (("a", "The Herald, 3 January 2024"), ("b", "")):
        document, cut = pages_of("It rained.", "Prices rose.")
        documents.append(replace(document, name=name, origin=origin))
        pages.append(replace(cut.pages[0], source=name))
    places = tuple((page, place) for page in (0, 1) for place in (0, 1))
    cluster, draft = Pages("document", tuple(pages)), Draft([[1.0, 0.0]] * 4, sentences=places)
    texts = ["It rained.", "Prices rose."] * 2
    dated = [f"[The Herald, 3 January 2024] {texts[0]}", *texts[1:]]
    assert [one.text for one in quoted(cluster, draft, documents=documents).sentences] == dated
    assert [
        one.text for one in quoted(cluster, draft, documents=documents, verbatim=True).sentences
    ] == texts
    assert [one.text for one in quoted(cluster, draft, documents=documents[:1]).sentences] == texts


def test_bullets_are_left_out_and_a_capital_begins():
    assert quotes("First it rains.", "- the harvest is late.", "• It rose.") == [
        "First it rains.",
        "The harvest is late.",
        "It rose.",
    ]


def test_a_sentence_loses_its_connective_unless_the_sentence_before_is_quoted():
    assert quotes("Therefore, we sowed late.", "However, it rained.") == [
        "We sowed late.",
        "However, it rained.",
    ]
    _, pages = pages_of("It rained.", "However, it froze.", "It snowed.", "In addition, it thawed.")

    def shown(*places: int, context: tuple[bool, ...] = ()) -> list[tuple[str, bool]]:
        draft = Draft(
            [[1.0]] * len(places),
            sentences=tuple((0, one) for one in places),
            needs_context=context,
        )
        return [(one.text, one.needs_context) for one in quoted(pages, draft).sentences]

    assert shown(0, 1) == [("It rained.", False), ("However, it froze.", False)]
    assert shown(0, 3) == [("It rained.", False), ("It thawed.", False)]
    assert shown(1, 3) == [("However, it froze.", True), ("It thawed.", False)]
    assert shown(2, 3) == [("It snowed.", False), ("In addition, it thawed.", False)]
    assert shown(2, 3, context=(True, True)) == [
        ("It snowed.", True),
        ("In addition, it thawed.", False),
    ]


def test_a_quote_knows_its_place():
    _, pages = pages_of("It rained. It snowed.")
    (sentence,) = quoted(pages, Draft([[1.0]], sentences=((0, 1),))).sentences
    source = sentence.source
    assert (source.page, source.sentence, source.file, source.section) == (
        0,
        1,
        "a.txt",
        "2 Methods",
    )
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
    first, last = (
        replace(whole.pages[0], sentences=whole.pages[0].sentences[a:b])
        for a, b in ((0, 2), (2, 4))
    )
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
    assert (
        after(replace(page, sentences=(one,)), replace(page, source="b.txt", sentences=(two,)))
        == ""
    )
    assert after(replace(page, sentences=(one,)), replace(page, sentences=(three,))) == ""


SENTENCES = [
    "One two three four.",
    "Five six seven.",
    "Eight nine ten eleven twelve.",
    "Thirteen (four",
]


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
