"""The names of cases by the parties that judgments list."""

import pytest

from pagesum_cli.documents.case_names import is_case_name, with_case_name
from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.readers.text import plain_document

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


COURT = "THE COURT (Third Chamber),"


def test_parties_in_the_proceedings_before_the_court_of_justice() -> None:
    request = "REQUEST for a preliminary ruling from the court of Brook, in the proceedings"
    lines = ("In Case C-1/22,", request, "Mill AG,", "KL,", "v", "Brook Gemeinde,")
    assert title_of(*lines, COURT, "gives the following") == "Mill AG v Brook Gemeinde"
    assert title_of(*lines, "It was a mill.") == ""
    assert title_of(*lines[:2], "Mill AG,", COURT) == ""


@pytest.mark.parametrize(
    "line",
    [
        "Mill (Attorney General) v. Brook",
        "Mill Pty Ltd (ACN 089 962 041) v Brook Pty Ltd [2006] FCA 15 (23 January 2006)",
        "MILL PLAYERS ASSN. v. BROOK, 532 U.S. 504 (2001)",
        "Mill for the County of Brook v. Miller et al.",
        "R v Mill (No. 2) [2010] EWCA Crim 3",
    ],
)
def test_a_line_with_the_name_of_a_case(line: str) -> None:
    assert is_case_name(line)


@pytest.mark.parametrize(
    "line",
    [
        "This is the appeal in Mill v. Brook from the county",
        "Mill v. Brook is dead",
        "Mill and Brook",
        "Mill v. Brook: a preview",
        "I say so. Mill v. Brook was wrong.",
    ],
)
def test_other_lines_name_no_case(line: str) -> None:
    assert not is_case_name(line)


def test_a_text_begins_with_the_name_of_its_case() -> None:
    read = plain_document("Mill v. Brook\n\nPer Curiam.\n\nThe mill was closed in May.", "a.txt")
    assert read.title == "Mill v. Brook"
    assert read.sections[0].paragraphs[0].text == "Per Curiam."


def test_both_parties_in_one_paragraph() -> None:
    court = "REPORTABLE IN THE SUPREME COURT OF THE VALLEY CIVIL APPEAL NO. 7 OF 2021"
    line = "[Arising out of Petition No. 5 of 2021] MILL & SONS LTD. Appellant (s) Versus {}"
    parties = line.format("BROOK TERMINAL LTD. ….. Respondent (s)")
    assert title_of(parties, "JUDGMENT", title=court) == "MILL & SONS LTD v BROOK TERMINAL LTD"
    assert title_of(line.format("the brook"), "JUDGMENT", title=court) == court
