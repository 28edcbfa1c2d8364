from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences


def test_a_heading_right_above_another_one_has_the_page_of_what_follows():
    sections = (
        Section("1 Foxes", (Paragraph("They sleep.", ((0, 2),)),)),
        Section("2 Methods", ()),
        Section("2.1 Counting", (), 2),
        Section("Nights", (Paragraph("One waits. One counts.", ((0, 3), (11, 4))),), 3),
        Section("3 Owls", ()),
    )
    found = [(one.text, one.pdf_pages) for one in all_sentences(Document("a.pdf", sections))]
    assert found == [
        ("1 Foxes", (2,)),
        ("They sleep.", (2,)),
        ("2 Methods", (3,)),
        ("2.1 Counting", (3,)),
        ("Nights", (3,)),
        ("One waits.", (3,)),
        ("One counts.", (4,)),
        ("3 Owls", ()),
    ]
