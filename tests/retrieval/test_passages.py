"""What a document is found by: sentences and rows with what they are about."""

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.readers.markdown import markdown_document
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
        (
            ["Please grind the rye in time. Clean up after yourself. Mow the meadow in June."],
            [
                "Please grind the rye in time.",
                "Clean up after yourself.",
                "Mow the meadow in June.",
            ],
        ),
    ],
)
def test_the_name_of_what_follows_goes_with_it(paragraphs: list[str], expected: list[str]) -> None:
    assert texts_of(*paragraphs) == expected


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (["Table 3. Wet hay by mill."], ["Table 3. Wet hay by mill."]),
        (["The mill burned. See Minutes (Dkt. 30)."], ["The mill burned."]),
        (["The mill burned (see below).", "Figure S2."], ["The mill burned (see below)."]),
        (["See that the mill is closed by 9."], ["See that the mill is closed by 9."]),
        (["Section 4."], ["Section 4."]),
    ],
)
def test_what_only_names_another_place_is_no_passage(
    paragraphs: list[str], expected: list[str]
) -> None:
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


def test_the_head_of_a_table_is_no_row_of_it() -> None:
    head = ("[*4] | Mill | Fine", "No. | Year | sec. 6662(a)")
    rows = ("27735-13 | 2009 | 1,631", "12 | 13", "Old mill | 2010 | 1,183")
    table = LeftOut("table", "", 0, rows=(*head, *rows))
    found = list(passages_of(Document("a", (), left_out=(table,))))
    assert [one.text for one in found] == [rows[0], rows[2]]
    assert {one.headings for one in found} == {" ".join(head)}


def test_rows_of_years_are_no_head() -> None:
    rows = ("Old mill | built 1840", "New mill | 1871", "Cost | 50 euros")
    assert texts_of(left_out=(LeftOut("table", "", 0, rows=rows),)) == list(rows)


def test_a_table_that_begins_without_values_has_no_long_head() -> None:
    rows = (*(f"Mill {letter}2" for letter in "ABCD"), "Cost | 50 euros")
    assert texts_of(left_out=(LeftOut("table", "", 0, rows=rows),)) == list(rows)


ITEMS = """# Mills

We would like to have:

- a new wheel
- two sieves
- a mule

Agenda of the millers:

1. Work of the mill
2. The wheel was mended.
3. Fines. A miller pays 50 euros.
"""


def test_items_of_a_list_are_passages_of_their_own() -> None:
    found = [one.text for one in passages_of(markdown_document(ITEMS, "mills.md", ""))]
    fines = ["A miller pays 50 euros."]
    own = ["a new wheel", "two sieves", "a mule", "Work of the mill", "The wheel was mended."]
    assert found == [*own, *fines]


LIST = """# Mills

Within 30 days after the first frost:

1.  Write rules for the mill.

    a)  The rules must name:

      >i. *The miller*, with an address.

    b)  The rules must not:

      >i. Ask for money. Millers may take gifts.

      >ii. *Sell wet hay to any farmer*.

2.  Mend the wheel.

At the end of the second year (Friday, 2 September):

Open all of the mills.
"""


def test_an_item_has_the_nearest_lead_in_above_it() -> None:
    document = markdown_document(LIST, "mills.md", "")
    found = [one.opening + one.text for one in passages_of(document)]
    limit = "Within 30 days after the first frost:"
    ban = f"{limit} … b) The rules must not:"
    assert f"{limit} … a) The rules must name: i. The miller, with an address." in found
    assert f"{ban} i. Ask for money." in found
    assert "Millers may take gifts." in found
    assert f"{ban} … ii. Sell wet hay to any farmer." in found
    assert f"{limit} … 2. Mend the wheel." in found
    assert "Open all of the mills." in found


def test_a_speaker_is_named_before_the_first_words_of_a_turn() -> None:
    turn = Paragraph("Berg: Okay. The mill is sold to the town.", speaker="Berg", body=6)
    found = passages_of(Document("a.txt", (Section("", (turn,)),)))
    assert [one.opening + one.text for one in found] == [
        "Berg: Okay. The mill is sold to the town."
    ]


def test_a_sentence_without_a_heading_has_its_number() -> None:
    texts = "The mill burned. It was rebuilt.", "Nobody slept."
    unnamed, named = Section("", (Paragraph(texts[0]),)), Section("Night", (Paragraph(texts[1]),))
    found = passages_of(Document("a", (unnamed, named)))
    assert [one.sentence_number for one in found] == [1, 2, None]


def test_a_word_with_a_colon_is_shown_before_the_names_below_it() -> None:
    section = Section("", tuple(map(Paragraph, ("Absent:", "Reed. Hill arrived at noon."))))
    found = next(passages_of(Document("a.txt", (section,))))
    assert found.opening + found.text == "Absent: Reed."
