"""The persons of a press release: those of the news, and others of the case."""

import re

import pytest

from pagesum_cli.shapes.persons import (
    Persons,
    continues,
    families_of,
    full_names,
    identifies,
    surnames,
)
from pagesum_cli.shapes.points import Point

NEWS = "HOLLOW – Anna Berg, 43, was convicted on Tuesday of selling a bridge."
OTHER = "Carl Moor, 37, of Hollow, Marl County, is charged with 49 counts of theft."
FREE = "Moor is free and has a hearing on May 3."
HE = "He is free and has a hearing on May 3."
OWN = "Berg is free and has a hearing on May 3."
SHE = "She is free and has a hearing on May 3."
VICTIM = "Tom Marl, 50, bought the bridge for £6,000."
JUDGE = "The judge set the hearing for May 3."


def test_names_are_found_without_what_begins_the_sentence() -> None:
    assert full_names("While Anna B. Berg was away, Mr. Moor and Berg’s son came.") == [
        "Anna B. Berg"
    ]
    assert families_of(["Anna Berg", "Carl “Red” Moor"]) == {"Berg", "Moor"}
    assert surnames("In May Mr. Moor and Berg’s son came to Hollow.", {"Berg", "Moor"}) == {
        "Berg",
        "Moor",
    }
    assert surnames("In May Carl Moor came.", {"Moor"}) == set()


def test_the_accused_is_named_where_the_sentence_says_so() -> None:
    assert identifies("The District Attorney identified the defendant as Anna Berg, 43.")
    assert identifies("The defendant, Anna Berg, 43, was arraigned today.")
    assert not identifies("The police identified the victim as Carl Moor.")


def test_a_sentence_goes_on_with_the_person_before() -> None:
    assert continues("She was sentenced today.", {"Berg"})
    assert continues("Berg was sentenced today.", {"Berg"})
    assert not continues("Moor was sentenced today.", {"Berg"})


@pytest.mark.parametrize(
    ("lines", "is_own"),
    [
        ((NEWS, OWN), True),
        ((NEWS, SHE), True),
        ((NEWS, JUDGE), True),
        ((NEWS, VICTIM), True),
        ((NEWS, OTHER), False),
        ((NEWS, OTHER, FREE), False),
        ((NEWS, OTHER, HE), False),
        ((NEWS, OTHER, OWN), True),
        ((NEWS, "The co-defendant is free.", HE), False),
        (("Attorney Tom Marl announced on Tuesday that a miller was convicted.", SHE), False),
        (("A miller was convicted on Tuesday.", SHE), True),
    ],
)
def test_a_sentence_is_of_the_persons_of_the_news(lines: tuple[str, ...], is_own: bool) -> None:
    points = [Point((0, number), 0, text, 0.0) for number, text in enumerate(lines)]
    deeds = [re.compile("charged|convicted")]
    persons = Persons(points, lines, points[:1], deeds)
    assert persons.are_own(points[-1]) is is_own
