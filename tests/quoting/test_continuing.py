"""Which sentences surely continue what stands before them."""

import pytest
from tiny import assert_linear

from pagesum_cli.quoting.continuing import continues, is_left_open


@pytest.mark.parametrize(
    "text",
    [
        "However, the mills were closed.",
        "Rather, seed should be kept in a dry place.",
        "The second big feature is its price.",
        "And fourth, it protects the mills.",
        "Both formats can be read.",
        "He simply denied that the mill had burned.",
        "Its wheels are of oak.",
        "It supports wheels of oak.",
        "It is a wheel of oak.",
        "It is the server sending a list to the client.",
        "It sends a list to the client.",
        "The basic idea is that each mill has one wheel.",
        "The Python one: pure functions are tested first.",
        "On the other hand, rye is cheap.",
    ],
)
def test_beginnings_that_name_or_oppose_what_stands_before(text: str) -> None:
    assert continues(text)


@pytest.mark.parametrize(
    "text",
    [
        "However late the rye is sown, it grows.",
        "Still waters are deep.",
        "In contrast to rye, wheat needs rain.",
        "Instead of rye, the farms grow wheat.",
        "Her Majesty closed the mills.",
        "It is obvious that the mills were closed.",
        "It was the miller who closed the mill.",
        "It is the duty of the miller to dry the seed.",
        "It takes ten days to dry the seed.",
        "The idea of a mill on a river is old.",
        "The method includes the drying of seed.",
        "The second quarter was dry.",
        "The former miller closed the mill.",
        "This means that the mills were closed.",
    ],
)
def test_other_beginnings(text: str) -> None:
    assert not continues(text)


@pytest.mark.parametrize(
    ("text", "is_open", "expected"),
    [
        ("“I have a mill,” he said.", False, False),
        ("“I have a mill.", False, True),
        ("It is of oak.", True, True),
        ("It is of oak.”", True, False),
        ("„Ich habe eine Mühle“, sagte er.", False, False),
        ("He said (“a mill", False, True),
    ],
)
def test_a_quotation_is_left_open(text: str, is_open: bool, expected: bool) -> None:
    assert is_left_open(text, is_open) is expected


def test_patterns_take_linear_time() -> None:
    assert_linear(lambda size: continues("It sees " + "that " * size), 20_000)
    assert_linear(lambda size: is_left_open("“ " * size, is_open=False), 20_000)
