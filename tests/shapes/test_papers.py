"""Paragraphs by sections."""

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.shapes.papers import TopSections, is_paper

TEXTS = {
    "Introduction": "We investigate whether warmer springs change "
    "the harvest of wheat in the valley.",
    "Methods": "Wheat was sown on forty farms in May and weighed again in August of each year.",
    "Results": "Harvests rose by twelve percent on the farms that were warmed by one degree.",
    "Limitations": "The farms in the study are not representative of those on the hills nearby.",
}
PAPER = Document(
    "paper.pdf", tuple(Section(name, (Paragraph(text),)) for name, text in TEXTS.items()), "Warmth"
)


def test_a_paper_is_known_by_its_sections() -> None:
    assert is_paper([PAPER])
    assert not is_paper([PAPER, PAPER])
    assert not is_paper([Document("a.txt", (Section("Wheat", (Paragraph("Wheat grows."),)),))])


def test_a_place_belongs_to_a_top_section() -> None:
    nested = Section("Farms", (Paragraph("Forty farms took part."),), level=2)
    document = Document("a.md", (*PAPER.sections[:2], nested, *PAPER.sections[2:]))
    assert TopSections(document).heading(document.text.index("Forty farms"))[1] == "Methods"
