"""Paragraphs by sections."""

from shape_texts import WHEAT, document_of

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.shapes.paper_slots import asides
from pagesum_cli.shapes.papers import TopSections, has_parts_of_paper, is_paper


def test_a_paper_is_known_by_its_sections() -> None:
    assert is_paper([WHEAT])
    assert not is_paper([WHEAT, WHEAT])
    assert not is_paper([Document("a.txt", (Section("Wheat", (Paragraph("Wheat grows."),)),))])


def test_a_place_belongs_to_a_top_section() -> None:
    nested = Section("Farms", (Paragraph("Forty farms took part."),), level=2)
    document = Document("a.md", (*WHEAT.sections[:2], nested, *WHEAT.sections[2:]))
    assert TopSections(document).heading(document.text.index("Forty farms"))[1] == "Methods"


def test_a_paper_that_cites_may_join_the_names_of_its_parts() -> None:
    sections = (Section("Results and analysis", (Paragraph("Wheat grew."),)),)
    document = Document("a.md", sections, left_out=(LeftOut("mark", "[@miller]", 1),))
    assert has_parts_of_paper(document)
    assert not has_parts_of_paper(Document("a.md", sections))


def test_an_example_with_made_up_data_is_aside_to_the_end_of_its_paragraph() -> None:
    texts = {
        "Methods": "We took the median. We illustrate this with simulated data. The mean rose by "
        "0.4 a year.",
        "Results": "Wheat rose by 0.2 a year.",
    }
    sentences = tuple(all_sentences(document_of(texts)))
    pages = Pages("discourse", (Page("paper", "paper.pdf", "", sentences, 100),))
    found = [pages.pages[page].sentences[place].text for page, place in sorted(asides(pages))]
    assert found == ["We illustrate this with simulated data.", "The mean rose by 0.4 a year."]
