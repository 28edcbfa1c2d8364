"""Word documents with numbered paragraphs: what is text, and what is a heading."""

from docx import Document as WordDocument
from word_files import DAY, PROSE, add_xml, outline, read, run

LEVEL = '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
COUNTED = 20


def test_sentences_with_the_level_of_a_heading_are_text() -> None:
    word = WordDocument()
    add_xml(word, LEVEL + run("The course of the night"))
    add_xml(word, LEVEL + run(PROSE))
    add_xml(word, LEVEL + run(DAY))
    assert outline(read(word)) == [(1, "The course of the night", [PROSE, DAY])]


def test_a_question_may_be_a_heading() -> None:
    question = "Why do the owls of the river hunt by night and sleep by day?"
    word = WordDocument()
    word.add_heading(question, 1)
    word.add_paragraph(PROSE)
    assert outline(read(word)) == [(1, question, [PROSE])]


def test_short_lines_above_numbered_paragraphs_are_headings() -> None:
    word = WordDocument()
    word.add_paragraph("City of London")
    word.add_paragraph("Before the commission of the river")
    word.add_paragraph("The report of the commission was given on that day.")
    word.add_paragraph("Introduction")
    for number in range(1, COUNTED + 1):
        if number == 10:
            word.add_paragraph("The owls of the river")
        word.add_paragraph(f"{number}. {PROSE}")
    word.add_paragraph("Anna Berg")
    headings = [one.heading for one in read(word).sections]
    assert headings == ["", "Introduction", "The owls of the river"]


def test_short_lines_in_a_document_that_does_not_count_are_text() -> None:
    word = WordDocument()
    word.add_paragraph("City of London")
    for number in range(1, COUNTED // 2):
        word.add_paragraph("The owls of the river")
        word.add_paragraph(f"{number}. {PROSE}")
    assert [one.heading for one in read(word).sections] == [""]


def test_a_template_is_no_title() -> None:
    word = WordDocument()
    word.core_properties.title = "Annual Report Template"
    word.add_paragraph(PROSE)
    assert read(word).title == ""
