"""What a law threatens, and by when something must be done, is named apart."""

from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.outline import Division, outlined
from pagesum_cli.shapes.points import Point
from pagesum_cli.shapes.provisions import offered, provisions_of

FINE = "A miller who sells wet flour is liable to a fine of 500 euros."
OFFENCE = "A miller who hides an inspector's key is guilty of an offence."
DEADLINE = "The baker must pay for the flour within thirty days of its delivery."
EXCEPTION = "The rules of trade do not apply to windmills on the coast."
TERM = "“Grain” means the seeds of wheat, barley and rye."
OTHERS = [
    "Sacks are numbered in the order of the harvest.",
    "Rivers turn the wheels of the valley.",
]
TEXTS = [OTHERS[0], DEADLINE, OFFENCE, OTHERS[1], EXCEPTION, TERM, FINE]
POINTS = [Point((0, n), n % 2, text, -float(n)) for n, text in enumerate(TEXTS)]
DIVISIONS = [Division("1 Sacks", 4000), Division("2 Rivers", 4000)]


def test_provisions_stand_by_kind() -> None:
    found = {one.title: [point.text for point in one.points] for one in provisions_of(POINTS, [])}
    assert found == {
        "Penalties": [OFFENCE, FINE],
        "Deadlines": [DEADLINE],
        "Exceptions": [EXCEPTION],
        "Definitions": [TERM],
    }


def test_an_amount_comes_before_what_has_none() -> None:
    (found,) = provisions_of(POINTS, [], sentences=1)
    assert [one.text for one in found.points] == [FINE]


def test_a_quoted_sentence_is_not_repeated() -> None:
    used = [POINTS[1]]
    assert "Deadlines" not in [one.title for one in provisions_of(POINTS, used)]


def test_a_chapter_offers_its_provisions() -> None:
    assert {one.text for one in offered(POINTS)} == {*TEXTS} - {*OTHERS}


def test_only_a_book_of_clauses_names_them_apart() -> None:
    options = GenerationOptions()
    plain = outlined(POINTS, DIVISIONS, options)
    law = outlined(POINTS, DIVISIONS, options, has_provisions=True)
    assert not plain.provisions
    named = [point for one in law.provisions for point in one.points]
    assert named
    assert len({one.place for one in law.points}) == len(law.points)


def test_they_are_within_a_number_of_words() -> None:
    options = GenerationOptions(words=60)
    law = outlined(POINTS, DIVISIONS, options, has_provisions=True)
    assert sum(one.words for one in law.points) <= 66
