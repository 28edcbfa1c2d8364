"""Rows of tables are read with the heads of their columns."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut
from pagesum_cli.retrieval.numbers import Number
from pagesum_cli.retrieval.passages import passages_of
from pagesum_cli.retrieval.rows import numbers_of_row

MIC = ("Strain | Extract | MIC (mg/mL)", "Red fox | Leaves | 0.5", "Grey wolf | | 2.5")


def rows_of(*rows: str, caption: str = "") -> list[str]:
    """Each row as it is shown, after the name of its table."""
    table = LeftOut("table or figure", "", 1, (4,), rows)
    captions = (LeftOut("caption", caption, 1, (4,)),) if caption else ()
    found = passages_of(Document("a", (), left_out=(*captions, table)))
    return [f"{one.table} {one.shown}".strip() for one in found]


def test_a_cell_is_shown_with_the_head_of_its_column() -> None:
    assert rows_of(*MIC) == [
        "Red fox | Extract: Leaves | MIC (mg/mL): 0.5",
        "Grey wolf | MIC (mg/mL): 2.5",
    ]


def test_a_row_with_other_cells_is_shown_as_it_is() -> None:
    assert rows_of(*MIC, "Kite | 0.5")[-1] == "Kite | 0.5"


def test_pieces_of_notes_and_figures_are_no_rows() -> None:
    assert rows_of(*MIC, "ATCC 25923", "tion of the oil was 10 μg/well")[2:] == []


@pytest.mark.parametrize(
    ("head", "row", "expected"),
    [
        (
            ("Part | | May | | July", "| Oil | Ash | Oil | Ash"),
            "Root | 1.2 | 3.4 | 5.6 | 7.8",
            "Root | May Oil: 1.2 | May Ash: 3.4 | July Oil: 5.6 | July Ash: 7.8",
        ),
        (
            ("| | May | | July |", "Part | RI | Oil | Ash | Oil | Ash"),
            "Root | 950 | 1.2 | 3.4 | 5.6 | 7.8",
            "Root | RI: 950 | May Oil: 1.2 | May Ash: 3.4 | July Oil: 5.6 | July Ash: 7.8",
        ),
        (
            ("Oil | | MIC (mg/mL) |", "| Fox | Wolf | Bear"),
            "Thyme | 1.2 | 3.4 | 5.6",
            "Thyme | MIC (mg/mL) Fox: 1.2 | MIC (mg/mL) Wolf: 3.4 | MIC (mg/mL) Bear: 5.6",
        ),
        (
            ("Strain | Zone (mm) | | MIC", "| Oil | Drug | (mg/mL)"),
            "Fox | 1.2 | 3.4 | 5.6",
            "Fox | Zone (mm) Oil: 1.2 | Drug: 3.4 | MIC (mg/mL): 5.6",
        ),
        (
            ("Strain | Oil (µL)", "| 5 | 10"),
            "Fox | 1.2 | 3.4",
            "Fox | 5: 1.2 | 10: 3.4",
        ),
    ],
)
def test_a_head_in_two_rows(head: tuple[str, ...], row: str, expected: str) -> None:
    assert rows_of(*head, row, row)[0] == expected


def test_rows_of_numbers_with_heads_are_rows() -> None:
    found = rows_of("Dose (µg) | Death (%)", "5 | 12.5", "10 | 30.1")
    assert found == ["Dose (µg): 5 | Death (%): 12.5", "Dose (µg): 10 | Death (%): 30.1"]


def test_the_caption_names_the_table_if_it_is_the_only_one() -> None:
    one = "Table 2. Effects of the oil on animals."
    assert rows_of(*MIC, caption=one)[0].startswith("Table 2 Red fox")
    assert rows_of(*MIC, caption=f"{one} Table 3. Doses.")[0].startswith("Red fox")


def test_the_numbers_of_a_row_have_the_heads_of_their_columns() -> None:
    row, heads = "Red fox | 14 ± 1 | 0.5", ("Strain", "Zone (mm)", "MIC (mg/mL)")
    expected = (Number("14 ± 1", "Zone (mm)"), Number("0.5", "MIC (mg/mL)"))
    assert numbers_of_row(row, heads) == expected


OFFICES = (
    "Task | When | Who decides",
    "The choice of new benches for the park | Every spring | The Gardens Committee",
    "Repairs of the bandstand and its roof | After each storm | The Town Surveyor",
)


def test_rows_of_words_are_found_with_the_heads_of_their_columns() -> None:
    assert rows_of(*OFFICES) == [
        "The choice of new benches for the park | When: Every spring"
        " | Who decides: The Gardens Committee",
        "Repairs of the bandstand and its roof | When: After each storm"
        " | Who decides: The Town Surveyor",
    ]


def test_the_first_of_like_rows_of_words_is_no_head() -> None:
    names = ("Ann Reed | Chair | Parks", "Tom Hill | Clerk | Roads", "Eve Lark | Judge | Ponds")
    assert rows_of(*names) == list(names)


def test_pairs_of_words_have_no_heads() -> None:
    assert rows_of("Name | Ann Reed of the mill", "Street | Long lane at the mill") == [
        "Name | Ann Reed of the mill",
        "Street | Long lane at the mill",
    ]


def test_the_rest_of_a_table_without_cells_is_found_under_its_head() -> None:
    rest = LeftOut("table or figure", "", 1, (4,), ("Bench Fund Gardener Gifts of visitors",))
    table = LeftOut("table or figure", "", 1, (4,), OFFICES)
    found = list(passages_of(Document("a", (), left_out=(table, rest))))
    assert found[-1].text == "Bench Fund Gardener Gifts of visitors"
    assert "Who decides" in found[-1].headings
