"""Numbers with their nouns."""

import pytest

from pagesum_cli.retrieval import numbers
from pagesum_cli.retrieval.numbers import numbers_of
from pagesum_cli.text.tables import table


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We got 300 requests and granted 98 of them.", [("300", "requests"), ("98", "")]),
        ("It pays 75% of the premium.", [("75%", "premium")]),
        ("You must be at least thirteen years old.", [("thirteen", "years old")]),
        ("within thirty (30) days of notice", [("thirty (30)", "days")]),
        ("a $5.2 million scheme", [("$5.2 million", "scheme")]),
        ("two-thirds of the members", [("two-thirds", "members")]),
        ("1,495 respondents, 3 700 answers", [("1,495", "respondents"), ("3 700", "answers")]),
        ("On 5 May 2015 and March 3, 2014 nothing happened [9, 12].", []),
        ("There are none.", []),
        ("It was approved 4-1 at 6 a.m. on March 5, and by 5–2 at 18:30.", []),
        ("a 4-1 vote, 3-2 decision and a vote of 7 to 2", []),
        ("Section 8(b), 31 U.S.C. § 1535 and clause 9.1.3 of the 118th Congress", []),
        ("Tables 2 and 3 of Executive Order 13800 list request 2024-0117.", []),
        ("in 2019–20, in the 1990s, on 2024-03-14 and 3/15/2024", []),
        ("In 2016 elections drew 2000 participants.", [("2000", "participants")]),
        ("the third party, no one, a third of them", [("third", "")]),
        ("37 °C, 5mg and 10 mg/dL", [("37 °C", ""), ("5mg", ""), ("10 mg/dL", "")]),
        (
            "It has 4.7 × 10⁻² S cm⁻¹ at room temperature, before 10⁻⁶.",
            [("4.7 × 10⁻²", "S cm⁻¹"), ("10⁻⁶", "")],
        ),
        ("$3M, USD 500 and 500 €", [("$3M", ""), ("USD 500", ""), ("500 €", "")]),
        ("It takes 4–6 weeks.", [("4–6", "weeks")]),
        ("116/20 To Approve 3/4 of the budget", [("3/4", "budget")]),
        ("for nineteen farms of W 5", [("nineteen", "farms"), ("5", "")]),
        ("For category 2 projects, see appendix p 14 and Order (EO) 13800.", []),
    ],
)
def test_numbers_have_their_nouns(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.text, one.noun) for one in numbers_of(text)] == found


@pytest.mark.parametrize(
    "row", table(numbers.__file__, "numbers.toml")["none"], ids=lambda r: r["why"]
)
def test_what_is_no_quantity_has_an_example_and_an_exception(row: dict[str, str]) -> None:
    assert not numbers_of(row["example"])
    assert numbers_of(row["other"])


def test_a_number_is_money_a_share_or_a_duration() -> None:
    found = numbers_of("It costs $1.2 million, 5 % more, for 20 business days and 300 requests.")
    kinds = [(one.is_money, one.is_share, one.is_duration) for one in found]
    assert kinds == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
        (False, False, False),
    ]


def test_a_unit_is_cut_before_the_number_it_is_divided_by() -> None:
    assert [one.noun for one in numbers_of("The oil had 33 mg/0.5 ml.")] == ["mg"]
