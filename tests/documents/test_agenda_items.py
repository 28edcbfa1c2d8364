"""Items of an agenda with their results, which a converter ran together."""

from pagesum_cli.documents.agenda_items import with_items
from pagesum_cli.documents.model import Paragraph

AGENDA = (
    "Disposition: REQUESTS 38 Request of Anna Berg to speak (Talk) PLACED ON FILE *39 Grant of $4 "
    "for the mill (Ordinance) (Y-5) 184350 Bureau of Mills 40 Adopt a plan for the year",
    "March 4, 2011 2 of 18 10-11 (Ordinance) PASSED TO SECOND READING JANUARY 19, 2011 AT 9:30 AM "
    "Bureau of Roads S-41 Pay the claim of Carl Dorn (Y-4; N-1 Fox) 184351",
    "Berg: Item 38. Go ahead.",
)


def texts(*paragraphs: str) -> list[tuple[str, str]]:
    return [(one.label, one.text) for one in with_items([*map(Paragraph, paragraphs)])]


def test_each_item_ends_with_its_result() -> None:
    assert texts(*AGENDA) == [
        ("", "Disposition: REQUESTS"),
        ("38", "38 Request of Anna Berg to speak (Talk) PLACED ON FILE"),
        ("39", "*39 Grant of $4 for the mill (Ordinance) (Y-5) 184350"),
        ("", "Bureau of Mills"),
        (
            "40",
            "40 Adopt a plan for the year 10-11 (Ordinance) PASSED TO SECOND READING JANUARY 19, "
            "2011 AT 9:30 AM",
        ),
        ("", "Bureau of Roads"),
        ("41", "S-41 Pay the claim of Carl Dorn (Y-4; N-1 Fox) 184351"),
        ("", "Berg: Item 38. Go ahead."),
    ]


def test_numbers_without_results_are_text() -> None:
    text = "In 1 Mill, 2 Barns, 3 Roads and 4 Bridges (Y-5) were paid for."
    assert texts(text) == [("", text)]
