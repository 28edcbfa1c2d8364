"""Paragraphs by sections, and the brief summary of a paper."""

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.papers import Brief, TopSections, is_paper

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


def test_a_brief_summary_has_a_sentence_for_each_role() -> None:
    sentences = tuple(
        Sentence(text, (), name, PAPER.text.index(text), PAPER.text.index(text) + len(text))
        for name, text in TEXTS.items()
    )
    pages = Pages("discourse", (Page("paper", "paper.pdf", "", sentences, 100),))
    scores = {(0, place): 0.0 for place in range(len(sentences))}
    assert Brief(PAPER, GenerationOptions()).choose(pages, scores) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
    ]
    assert Brief(PAPER, GenerationOptions(sentences=1)).choose(pages, scores) == [(0, 2)]
    without_method = scores | {(0, 1): -30.0}
    assert Brief(PAPER, GenerationOptions()).choose(pages, without_method) == [
        (0, 0),
        (0, 2),
        (0, 3),
    ]


def test_a_sentence_that_fits_no_slot_has_no_heading() -> None:
    text = "The harbour was built when ships were small and many."
    sections = tuple(Section(name, (Paragraph(text),)) for name in ("Introduction", "Results"))
    document = Document("harbour.pdf", sections)
    sentences = tuple(
        Sentence(text, (), section.heading, start, start + len(text))
        for section, start in zip(document.sections, document.starts, strict=True)
    )
    pages = Pages("discourse", (Page("harbour", "harbour.pdf", "", sentences, 100),))
    brief = Brief(document, GenerationOptions())
    assert brief.choose(pages, {(0, 0): 1.0, (0, 1): 0.0}) == [(0, 0)]
    assert [heading for heading, _ in brief._in_order()] == [""]
