"""The parties of an opinion of a court."""

import pytest

from pagesum_cli.documents.pdf.parties import has_court, is_court, parties_of

HEAD = ["No. 20-1507", "MILL COMPANY OF HOLLOW,", "Plaintiff, Appellant,"]


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
        (["v."], ""),
    ],
)
def test_the_parties_are_beside_the_line_between_them(lines: list[str], expected: str) -> None:
    assert parties_of(lines) == expected


def test_a_court_is_known_by_its_name() -> None:
    assert is_court("United States Court of Appeals")
    assert not is_court("Courtyards of the Valley")
    assert has_court(["[PUBLISH]", "IN THE UNITED STATES COURT OF APPEALS"])
    assert not has_court(["The mill", "v."])
