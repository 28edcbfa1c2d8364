"""Where and when documents were written."""

from datetime import date

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.written import date_in, dated, is_byline, with_origin, written_on

STORY = "A ferry sank near the old bridge on Sunday, and twelve people were rescued from the river."


def origin(*texts: str) -> str:
    section = Section("", tuple(map(Paragraph, texts)))
    return with_origin(Document("a.txt", (section,))).origin


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"MOUNT VERNON, Ohio, March 3, 2024 (Reuters) – {STORY}", "Reuters, 3 March 2024"),
        (f"LONDON, 3 March 2024 - {STORY}", "3 March 2024"),
        (f"PARIS (AP) — {STORY}", "AP"),
        ("Published: 3 March 2024 10:15 GMT", "3 March 2024"),
        ("Last Updated: Sunday, 3 March 2024, 10:15 GMT", "3 March 2024"),
        ("By Anna Berg, March 3, 2024", "3 March 2024"),
        ("2024-03-03", "3 March 2024"),
        ("SUNDAY 03 MARCH 2024", "3 March 2024"),
        ("Sun Mar 3, 2024 1:28 PM GMT", "3 March 2024"),
        ("March 3, 2024 at 7:23 am", "3 March 2024"),
        ("Published March 3, 2024, updated March 5, 2024", "3 March 2024"),
        (f"On 3 March 2024, {STORY}", ""),
        ("NATO (the alliance) - a history", ""),
        ("31 February 2024", ""),
    ],
)
def test_a_dateline_or_a_line_with_a_date_says_it(text: str, expected: str) -> None:
    assert origin("The ferry", text, STORY) == expected


def test_the_date_of_one_line_and_the_outlet_of_another_are_both_given() -> None:
    assert origin("Published: 3 March 2024", f"PARIS (AP) — {STORY}") == "AP, 3 March 2024"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Published: 3 March 2024", True),
        ("By Anna Berg and Tom Wells, Staff Writers", True),
        ("By the river, three boats sank.", False),
        (STORY, False),
    ],
)
def test_a_byline_says_only_when_or_by_whom(line: str, expected: bool) -> None:
    assert is_byline(line) is expected


def test_what_the_file_says_stays() -> None:
    document = Document("a.eml", (Section("", (Paragraph("2024-03-03"),)),), origin="Anna Berg")
    assert with_origin(document).origin == "Anna Berg"


@pytest.mark.parametrize(
    "text", ["3rd of May, 2024", "May 3, 2024", "2024-05-03", "minutes_20240503.md", "3 May 2024"]
)
def test_a_date_in_any_form(text: str) -> None:
    found = date_in(text)
    assert found is not None
    assert found.isoformat() == "2024-05-03"


def test_a_day_without_a_year_has_that_of_the_other_articles() -> None:
    def article(*texts: str) -> Document:
        return with_origin(Document("a", (Section("", tuple(map(Paragraph, texts))),)))

    other = article("March 3, 2024", STORY)
    live = article(
        "The ferry", STORY, "Wednesday, March 6 update", STORY, "Tuesday, March 5", STORY
    )
    wrong = article("The ferry", STORY, "Friday, March 6 update", STORY)
    origins = [one.origin for one in dated([live, other, wrong])]
    assert origins == ["6 March 2024", "3 March 2024", ""]
    assert dated([live])[0].origin == ""


@pytest.mark.parametrize("line", ["WEDNESDAY 03 JULY 2013", "Wed Jul 3, 2013 1:28PM GMT"])
def test_a_line_with_a_date_is_when_a_document_was_written(line: str) -> None:
    section = Section("", (Paragraph(line), Paragraph(STORY)))
    found = written_on(Document("a.txt", (section,)))
    assert found == date(2013, 7, 3)


def test_a_sentence_is_not_when_a_document_was_written() -> None:
    section = Section("", (Paragraph("A ferry sank on 3 March 2024."),))
    assert written_on(Document("a.txt", (section,))) is None


@pytest.mark.parametrize(
    "note", ["[Added 2013-02-21 by By-law No. 238-2013]", "OWNER - A miller. [Amended 2019-07-18]"]
)
def test_the_amendment_of_a_clause_is_not_when_a_document_was_written(note: str) -> None:
    section = Section("", (Paragraph(note),))
    assert written_on(Document("a.pdf", (section,))) is None
