"""The parties of an opinion of a court."""

import pytest

from pagesum_cli.documents.pdf.parties import (
    has_court,
    is_court,
    matter_of,
    parties_in_one,
    parties_of,
)

HEAD = ["No. 20-1507", "MILL COMPANY OF HOLLOW,", "Plaintiff, Appellant,"]

ANNA = "ANNA BERG v. STATE OF MILL"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([*HEAD, "v.", "ANNA BERG, in her capacity as"], "MILL COMPANY OF HOLLOW v. ANNA BERG"),
        (["Carl Moor,", "versus", "Mill Company; Brook Company,"], "Carl Moor v. Mill Company"),
        ([*HEAD, "v.", "The Company of the Mill at the"], ""),  # goes on in the next line
        (
            ["ANNA BERG, X", "-", "v. -", "MILL AND BROOK", "COMPANY, -"],
            "ANNA BERG v. MILL AND BROOK COMPANY",
        ),
        (
            ["Anna Berg, *", "* District of", "v. * Mill", "Carl Moor, Jr., *"],
            "Anna Berg v. Carl Moor",
        ),
        (
            ["ANNA BERG,", "v. No. 06-6", "(D. Mill)", "CARL MOOR, Warden, (D.C."],
            "ANNA BERG v. CARL MOOR",
        ),
        (["ANNA BERG,", "–v.–", "CARL MOOR, Warden,"], "ANNA BERG v. CARL MOOR"),
        (["ANNA BERG; C Plaintiffs-Appellants,ARL MOOR", "v.", "OPINION", "MILL CO.,"], ""),
        ([*HEAD, "ANNA BERG,"], ""),
        (
            ["Anna Berg ) Docket No. 6", ")", "v. ) File No. 7", ")", "Mill and Brook ) Moor", ")"],
            "Anna Berg v. Mill and Brook",
        ),
        (["ANNA BERG, ) No. 6", "Appellant, )", "vs. ) No. 7", "STATE OF MILL, )"], ANNA),
        (["The Company of ) No. 6", "the Mill )", "v. )", "Brook and )", "Mill Co ) 7"], ""),
        (["v."], ""),
    ],
)
def test_the_parties_are_beside_the_line_between_them(lines: list[str], expected: str) -> None:
    assert parties_of(lines) == expected


def test_a_court_is_known_by_its_name() -> None:
    assert is_court("United States Court of Appeals")
    assert is_court("WORKERS’ COMPENSATION APPEALS BOARD")
    assert is_court("IN THE UNITED STATES DISTRICT COURT FOR THE EASTERN DISTRICT OF NEW MILL")
    assert not is_court("Courtyards of the Valley")
    assert has_court(["[PUBLISH]", "IN THE UNITED STATES COURT OF APPEALS"])
    assert not has_court(["The mill", "v."])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Syllabus", "MILL CO. v. BROOK", "CERTIORARI TO THE COURT OF"], "MILL CO. v. BROOK"),
        (
            [
                "SUPREME COURT OF THE BROOK",
                "MILL CO. v.",
                "BERG ET AL.",
                "ON WRIT OF CERTIORARI TO",
            ],
            "MILL CO. v. BERG ET AL.",
        ),
        (["MILL CO. v. BROOK", "Argued in May"], ""),
        (["IN RE MILL", "ON PETITION FOR WRIT OF"], ""),
    ],
)
def test_the_parties_are_in_capitals_above_how_the_case_came(
    lines: list[str], expected: str
) -> None:
    assert parties_in_one(lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["MILL COURT", "IN RE: Dry Mill Stones No. MD 15", "Litigation,"],
            "IN RE: Dry Mill Stones Litigation",
        ),
        (["In re Mill Co.,", "Debtor."], "In re Mill Co."),
        (["IN RE Dry Mill Stones", "The miller asked for stones. He, too, was dry."], ""),
        (["IN RE MILL", "ON PETITION FOR WRIT OF"], ""),
        (["A mill", "v.", "A brook,"], ""),
    ],
)
def test_a_case_without_two_parties_has_a_matter(lines: list[str], expected: str) -> None:
    assert matter_of(lines) == expected
