"""The names of cases by the parties that judgments list."""

import pytest

from pagesum_cli.documents.case_names import with_case_name
from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section

SIDES = ("ANNA MILL", "Claimant", "- and -", "BROOK LIMITED", "Defendant")


def title_of(*lines: str, title: str = "", rows: tuple[str, ...] = ()) -> str:
    section = Section("", tuple(map(Paragraph, lines)))
    left_out = (LeftOut("table", " ".join(rows), 5, rows=rows),) if rows else ()
    found = Document("a.docx", (section,), title=title, left_out=left_out)
    return with_case_name(found).title


@pytest.mark.parametrize("between", ["Between:", "BETWEEN", "B E T W E E N :"])
def test_parties_after_between(between: str) -> None:
    assert title_of("In the High Court", between, *SIDES) == "ANNA MILL v BROOK LIMITED"


def test_parties_in_the_first_table() -> None:
    assert title_of("In the High Court", rows=SIDES) == "ANNA MILL v BROOK LIMITED"


def test_for_whom_an_application_is_made() -> None:
    crown = ("THE QUEEN", "on the application of", *SIDES)
    assert title_of("Between:", *crown) == "R (ANNA MILL) v BROOK LIMITED"
    assert title_of("Between:", f"THE KING on the application of {SIDES[0]}", *SIDES[1:]) == (
        "R (ANNA MILL) v BROOK LIMITED"
    )


def test_a_number_is_no_title_but_another_one_is() -> None:
    lines = ("Between:", *SIDES)
    assert title_of(*lines, title="Neutral Citation Number: [2020] EWHC 1") != ""
    assert title_of(*lines, title="Neutral Citation Number: [2020] EWHC 1")[:4] == "ANNA"
    assert title_of(*lines, title="The mill at the brook") == "The mill at the brook"


def test_no_name_without_the_parts_of_both_sides() -> None:
    assert title_of("Between:", "Mill Co", "and", "Brook Co", "It is agreed as follows.") == ""
    assert title_of("Before:", "Lady Mill", "and", "Lord Brook", *SIDES[3:]) == ""
