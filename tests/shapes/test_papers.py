"""Paragraphs by sections."""

from shape_texts import WHEAT

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.shapes.papers import TopSections, is_paper


def test_a_paper_is_known_by_its_sections() -> None:
    assert is_paper([WHEAT])
    assert not is_paper([WHEAT, WHEAT])
    assert not is_paper([Document("a.txt", (Section("Wheat", (Paragraph("Wheat grows."),)),))])


def test_a_place_belongs_to_a_top_section() -> None:
    nested = Section("Farms", (Paragraph("Forty farms took part."),), level=2)
    document = Document("a.md", (*WHEAT.sections[:2], nested, *WHEAT.sections[2:]))
    assert TopSections(document).heading(document.text.index("Forty farms"))[1] == "Methods"
