"""Works that a claim cites by author and year."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import Checked
from pagesum_cli.summary.check.works import without_works, works_in

TEXT = "None of the mills of the valley were closed in the spring."


def check(claim: str, *texts: str) -> Checked:
    document = Document(
        "a.txt",
        (Section("", tuple(map(Paragraph, texts))),),
        authors=("Ada Harlow",),
        left_out=(LeftOut("running head", "Harlow et al. The Mill (2020) 20:537", 7),),
    )
    return Checker.of([document]).check(Claim(claim))


@pytest.mark.parametrize(
    ("text", "rest", "years"),
    [
        ("It grew (Lee et al., 2020).", "It grew.", ["2020"]),
        ("It grew (Lee et al., 2020; Smith, 2019).", "It grew.", ["2020", "2019"]),
        ("Lee et al. (2021) found that it grew.", "it grew.", ["2021"]),
        ("According to Lee and Smith (2021), it grew.", "it grew.", ["2021"]),
        ("It grew [@lee2020].", "It grew.", []),
        ("It grew (March 2020).", "It grew (March 2020).", []),
        ("It grew in Mayfield (2020).", "It grew in Mayfield (2020).", []),
    ],
)
def test_citations_by_author_and_year_are_set_aside(text: str, rest: str, years: list[str]) -> None:
    assert " ".join(without_works(text).split()).replace(" .", ".") == rest
    assert [one.year for one in works_in(text)] == years


@pytest.mark.parametrize(
    ("claim", "verdict", "differences"),
    [
        (f"{TEXT[:-1]} (Harlow et al., 2020).", "verbatim", []),
        (f"Harlow et al. (2020) found that {TEXT[0].lower()}{TEXT[1:]}", "verbatim", []),
        (f"{TEXT[:-1]} (Lee et al., 2011).", "verbatim", []),
        (f"{TEXT[:-1]} (Harlow et al., 2019).", "differs", [("citation", "2019", "2020")]),
    ],
)
def test_a_citation_is_no_part_of_a_claim_but_its_year_is_compared(
    claim: str, verdict: str, differences: list[tuple[str, str, str]]
) -> None:
    found = check(claim, TEXT, "Others were open all year.")
    assert found.verdict == verdict
    assert [(one.kind, one.claim, one.document) for one in found.differences] == differences
