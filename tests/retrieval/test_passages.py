"""What a document is found by: sentences and rows with what they are about."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.retrieval.passages import passages_of


def texts_of(*paragraphs: str, left_out: tuple[LeftOut, ...] = ()) -> list[str]:
    section = Section("Mills", tuple(map(Paragraph, paragraphs)))
    found = passages_of(Document("a", (section,), left_out=left_out))
    return [one.opening + one.text for one in found]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (["Fines. A miller pays 50 euros."], ["Fines. A miller pays 50 euros."]),
        (["Late fees", "A miller pays 50 euros."], ["Late fees A miller pays 50 euros."]),
        (["A miller pays 50 euros. Fines."], ["A miller pays 50 euros.", "Fines."]),
        (["Motion carried. The mill stays."], ["Motion carried.", "The mill stays."]),
        (["No fines.", "The mill stays."], ["No fines.", "The mill stays."]),
    ],
)
def test_the_name_of_what_follows_goes_with_it(paragraphs: list[str], expected: list[str]) -> None:
    assert texts_of(*paragraphs) == expected


def test_a_row_is_found_once() -> None:
    rows = ("Offence | Fine", "Wet hay | 50 euros", "Old hay | 60 euros")
    table = LeftOut("table", "", 0, rows=rows)
    expected = ["Wet hay 50 euros", "Old hay | 60 euros"]
    assert texts_of("Wet hay 50 euros", left_out=(table,)) == expected


def test_the_cells_of_a_row_are_no_passages_of_their_own() -> None:
    table = LeftOut("table", "", 0, rows=("OMB | Mend the mill by May. | 90 days",))
    found = texts_of("OMB", "Mend the mill by May.", "90 days", left_out=(table,))
    assert found == ["Mend the mill by May.", "OMB | Mend the mill by May. | 90 days"]
