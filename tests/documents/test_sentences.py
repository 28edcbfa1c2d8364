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


def _lead_in_of_item(text: str) -> str:
    """The lead-in of an item below a paragraph; empty without one."""
    above, item = Paragraph(text), Paragraph("Keep the gate shut, or", label="i.", depth=1)
    *_, last = all_sentences(Document("a.pdf", (Section("", (above, item)),)))
    return last.lead_in.text if last.lead_in else ""


def test_an_address_is_no_lead_in():
    for address in ("https://example.org/gates/list", "www.example.org", "<https://example.org>"):
        assert _lead_in_of_item(f"For a list of gates see: {address}") == ""


def test_a_count_of_people_and_a_note_in_brackets_are_no_lead_ins():
    for text in (
        "Members of the public 6",
        "Minutes of the meeting of 4 May 2017",
        "[Our italics]",
    ):
        assert _lead_in_of_item(text) == ""
    assert _lead_in_of_item("Members of the council must") != ""


def test_a_sentence_with_a_stop_that_announces_steps_is_a_lead_in():
    text = "Until the fence is mended, keepers must take one of the following steps each night."
    assert _lead_in_of_item(text) == text
    assert _lead_in_of_item("The following winter, all keepers took steps.") == ""


def test_a_run_in_heading_completes_a_lead_in_and_not_the_sentence_after_it():
    def lead_ins(above: str, text: str, body: int) -> list[bool]:
        paragraphs = (Paragraph(above), Paragraph(text, body=body, depth=1))
        found = all_sentences(Document("a.pdf", (Section("", paragraphs),)))
        return [one.lead_in is not None for one in found]

    item = "Cheaper. They need no mill."
    assert lead_ins("Small farms are:", item, 9) == [False, False]
    assert lead_ins("Small farms are:", item, 0) == [False, True, False]
    assert lead_ins("Small farms have two advantages:", item, 9) == [False, True]
    assert lead_ins("Farmers may not:", "Fees. charge more.", 6) == [False, True]


def test_a_lead_in_may_end_with_a_comma_before_the_first_item() -> None:
    above = Paragraph("No person shall cut a tree that is,")
    item = Paragraph("in a wood;", label="(a)", depth=1)
    *_, last = all_sentences(Document("a.pdf", (Section("", (above, item)),)))
    assert last.lead_in
    assert last.lead_in.text == above.text
    later = Paragraph("in a park;", label="(c)", depth=1)
    *_, last = all_sentences(Document("a.pdf", (Section("", (above, later)),)))
    assert last.lead_in is None
