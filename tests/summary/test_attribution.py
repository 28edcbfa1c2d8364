"""Evidence in the document for the sentences of a summary."""

import json
from dataclasses import replace

import pytest
from tiny import TWO_SENTENCES, summary_of

from pagesum_cli.documents.boxes import LineBox, pack
from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.summary.attribution import Units, support, with_evidence, with_places
from pagesum_cli.summary.summary import Source, Summary, SummarySentence


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The harvest failed in April.", 1.0),
        ("Nothing to do with it.", 0.0),
        ("A failed harvest.", 0.5),
    ],
)
def test_support_is_recall_of_words_and_pairs(source, expected):
    assert support(Units.of("The harvest failed"), Units.of(source)) == pytest.approx(
        expected, abs=0.26
    )
    assert 0 <= support(Units.of("The harvest failed"), Units.of(source)) <= 1


def test_support_of_the_sentence_itself_is_whole_in_any_script():
    for text in ("The harvest failed.", "Урожай погиб.", "収穫は失敗した。", "of the and"):
        assert support(Units.of(text), Units.of(text)) == 1
    assert support(Units.of("?!"), Units.of("?!")) == 0


def pages_of(*pages):
    made = tuple(
        Page(
            f"page {number}",
            "a.pdf",
            "",
            tuple(Sentence(text, (number + 1,)) for text in texts),
            10,
        )
        for number, texts in enumerate(pages)
    )
    return Pages("spatial", made)


def test_evidence_is_the_sentence_of_the_strongest_page_that_supports_it():
    pages = pages_of(
        ["It rained for days.", "In the north the harvest failed again."],
        ["Bread was scarce, prices rose."],
    )
    first, second = with_evidence(TWO_SENTENCES, pages).sentences
    assert first.evidence[0].text == "In the north the harvest failed again."
    assert (first.evidence[0].page, first.evidence[0].pdf_pages, first.supported) == (0, (1,), True)
    assert second.evidence[0].text == "Bread was scarce, prices rose."


def test_a_second_sentence_is_evidence_where_it_adds_something():
    summary = summary_of(
        [("x", (1, 0))], [("Wheat rotted in April and bread cost more in June.", 0)]
    )
    pages = pages_of(
        ["In April wheat rotted everywhere.", "Nobody knew why.", "Bread cost more in June."],
        ["Else."],
    )
    texts = [one.text for one in with_evidence(summary, pages).sentences[0].evidence]
    assert texts == ["Bread cost more in June.", "In April wheat rotted everywhere."]


def test_better_support_on_another_page_is_evidence_too():
    summary = summary_of([("x", (1, 0))], [("The mills held their prices until winter.", 0)])
    pages = pages_of(["The mills stood still."], ["The mills held their prices until winter."])
    found = with_evidence(summary, pages).sentences[0]
    assert [one.page for one in found.evidence] == [0, 1]
    assert found.evidence[1].support == 1
    assert found.supported


def test_what_nothing_supports_is_marked():
    summary = summary_of([("x", (1, 0))], [("Astronauts landed on Mars yesterday.", 0)])
    found = with_evidence(summary, pages_of(["The harvest failed."], ["Prices rose."])).sentences[0]
    assert (found.supported, found.evidence) == (False, ())


def test_evidence_survives_json():
    found = with_evidence(TWO_SENTENCES, pages_of(["The harvest failed."], ["Prices rose."]))
    assert Summary.from_json(found.to_json()) == found
    assert "evidence" not in TWO_SENTENCES.to_json()["sentences"][0]


def test_quotes_know_where_their_lines_stand_and_the_printed_numbers_of_their_pages():
    paragraph = Paragraph(
        "It rained for days.", ((0, 2),), line_boxes=pack([(0, 2, (72, 700, 200, 712))])
    )
    document = Document("a.pdf", (Section("", (paragraph,)),), page_labels=("i", "ii"))
    source = Source(0, 0, "a.pdf", "", (2,), 0, 19)
    summary = summary_of([("x", (1, 0))], [("It rained for days.", 0)])
    sentence = replace(summary.sentences[0], source=source)
    (placed,) = with_places([sentence], [document])
    assert placed.source == replace(
        source, boxes=(LineBox(2, 72, 700, 200, 712),), page_labels=("ii",)
    )
    assert with_places([sentence], [document, document]) == (sentence,)
    saved = replace(summary, sentences=(placed, *summary.sentences[1:]))
    data = json.loads(json.dumps(saved.to_json()))
    assert data["sentences"][0]["source"]["boxes"] == [
        {"pdf_page": 2, "x0": 72, "y0": 700, "x1": 200, "y1": 712}
    ]
    assert Summary.from_json(data) == saved
    assert "boxes" not in replace(saved, sentences=(sentence,)).to_json()["sentences"][0]["source"]


def test_quotes_in_no_section_know_their_number_in_the_document() -> None:
    paragraphs = (Paragraph("Prices rose. Mills closed."), Paragraph("Wheat fell."))
    document = Document("a.html", (Section("", paragraphs),))
    source = Source(0, 2, "a.html", "", (), 28, 39)
    sentence = SummarySentence("Wheat fell.", (), source)
    (placed,) = with_places([sentence], [document])
    assert placed.source is not None
    assert placed.source.sentence_number == 3
    with_lines = replace(document, line_starts=(0, 27))
    (placed,) = with_places([sentence], [with_lines])
    assert placed.source is not None
    assert (placed.source.sentence_number, placed.source.lines) == (None, (2, 2))
