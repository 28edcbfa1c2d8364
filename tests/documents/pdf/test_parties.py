"""The parties of an opinion of a court."""

import pytest

from pagesum_cli.documents.pdf.parties import is_court, parties_of

HEAD = ["No. 20-1507", "MILL COMPANY OF HOLLOW,", "Plaintiff, Appellant,"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([*HEAD, "v.", "ANNA BERG, in her capacity as"], "MILL COMPANY OF HOLLOW v. ANNA BERG"),
        (["Carl Moor,", "versus", "Mill Company; Brook Company,"], "Carl Moor v. Mill Company"),
        ([*HEAD, "v.", "The Company of the Mill at the"], ""),  # goes on in the next line
        ([*HEAD, "ANNA BERG,"], ""),
        (["v."], ""),
    ],
)
def test_the_parties_are_beside_the_line_between_them(lines: list[str], expected: str) -> None:
    assert parties_of(lines) == expected


def test_a_court_is_known_by_its_name() -> None:
    assert is_court("United States Court of Appeals")
    assert not is_court("Courtyards of the Valley")
