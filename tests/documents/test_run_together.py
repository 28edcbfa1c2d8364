"""Items that were run together in a paragraph become paragraphs of their own."""

from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.run_together import parted

MINUTES = (
    "Minutes of 4 March 63/20 Apologies were read by the chair. 64/20 To Approve: Mill The council "
    "sold it (minute 66/20). 65/20 Payments of 12/20 and 1 were agreed. 66/20 The meeting closed."
)
LIST = (
    "The council approved: • Flour for the mill at a cost of £225. • A band for the fair at £250. "
    "• Stones"
)


def paragraphs(*texts: str) -> list[Paragraph]:
    section = Section("", tuple(map(Paragraph, texts)))
    return list(parted([section])[0].paragraphs)


def test_consecutive_numbers_of_items_begin_paragraphs() -> None:
    parts = paragraphs(MINUTES)
    assert [(one.label, one.text[one.body :]) for one in parts] == [
        ("", "Minutes of 4 March"),
        ("63/20", "Apologies were read by the chair."),
        ("64/20", "To Approve: Mill The council sold it (minute 66/20)."),
        ("65/20", "Payments of 12/20 and 1 were agreed."),
        ("66/20", "The meeting closed."),
    ]


def test_a_few_fractions_and_dates_are_text() -> None:
    text = "Of 1/20 Mills and 2/20 Barns, 3/20 Were sold on 4/19 Mondays."
    assert paragraphs(text) == [Paragraph(text)]


def test_bullets_within_a_paragraph_begin_paragraphs() -> None:
    assert [one.text for one in paragraphs(LIST)] == [
        "The council approved:",
        "• Flour for the mill at a cost of £225.",
        "• A band for the fair at £250.",
        "• Stones",
    ]


def test_a_line_of_links_is_no_list() -> None:
    text = "Home • News • Mills and barns • Contact"
    assert paragraphs(text) == [Paragraph(text)]


def test_what_a_file_says_of_a_paragraph_stays() -> None:
    known = Paragraph(LIST, page_starts=((0, 1),))
    assert parted([Section("", (known,))]) == [Section("", (known,))]


def test_a_motion_after_the_rows_of_a_table_begins_a_paragraph() -> None:
    rows = "Payments are due. Payee Net Total Clerk 298.52 298.52 Hall 85.00 85.00 Total 383.52"
    motion = "Cllr Anna Berg-Hale proposed payments, seconded by Cllr Carl Dahl, all in favour."
    assert [one.text for one in paragraphs(f"{rows} {motion}")] == [rows, motion]


def test_a_motion_with_an_amount_before_it_is_text() -> None:
    text = (
        "Stones cost £90. The price of £45.50 and what the Chair said is noted as Mr Berg moved on."
    )
    assert paragraphs(text) == [Paragraph(text)]
