"""The summary of several news articles on one event."""

import pytest
from shape_texts import chosen_of

from pagesum_cli.shapes.coverage import days_ago, outcome_rank
from pagesum_cli.shapes.developments import agreeing, says_same
from pagesum_cli.shapes.points import Point

SALE = (
    "A small company has bought the Marl mill at an auction in Harlow on Sunday.",
    "The mill in Harlow was sold by the county because of its unpaid taxes.",
    "Berg Brothers paid $4 million for the Marl mill in Harlow, the county says.",
    "Many people came to the auction although it was raining all day.",
)
BUYER = (
    "Nobody in Harlow knows who is behind the company that bought the Marl mill.",
    "The company was founded in Harlow only two days before the auction of the mill.",
    "A small company has bought the Marl mill at an auction in Harlow.",
)
OWNER = (
    "The county of Harlow has new plans for the brook beside the Marl mill.",
    "The Marl mill in Harlow was sold at an auction last month.",
    "The state railway now owns the Marl mill in Harlow and its yard.",
    "Ducks and geese may soon return to the brook, the county says.",
)


def test_the_latest_outcome_is_in_the_summary_and_the_amount() -> None:
    chosen = chosen_of({"a.txt": SALE, "b.txt": BUYER, "c.txt": OWNER}, 90)
    assert chosen[0] == SALE[0]
    assert SALE[2] in chosen
    assert OWNER[2] in chosen


def test_the_outcome_is_not_lost_in_a_short_summary() -> None:
    assert OWNER[2] in chosen_of({"a.txt": SALE, "b.txt": BUYER, "c.txt": OWNER}, 35)


def test_nothing_is_said_twice() -> None:
    chosen = chosen_of({"a.txt": SALE, "b.txt": BUYER, "c.txt": OWNER}, 400)
    assert BUYER[2] not in chosen


def test_what_was_a_month_ago_comes_after_the_news_of_it() -> None:
    chosen = chosen_of({"c.txt": OWNER, "a.txt": SALE, "b.txt": BUYER}, 120)
    assert chosen[0] == SALE[0]
    assert chosen[-1] in OWNER
    assert OWNER[2] in chosen


def test_what_happened_on_a_day_that_a_later_article_names_comes_first() -> None:
    before = (
        "The dam at Marl may burst because the rain of Sunday filled the lake above Harlow.",
        "The county of Harlow asked those who live below the Marl dam to leave their houses.",
    )
    after = (
        "The Marl dam at Harlow burst on Monday, June 24, and the water took a house with it.",
        "The owners of the house below the Marl dam had left Harlow before the water came.",
    )
    chosen = chosen_of({"2024-06-24.txt": before, "2024-06-27.txt": after}, 90)
    assert chosen == [after[0], *before, after[1]]


def test_a_rare_pair_of_words_is_not_said_twice() -> None:
    old = "The dam at Marl is in imminent failure condition, with debris in the brook."
    again = "Marl Dam was in imminent failure condition, Harlow County announced on Facebook."
    other = "After 14 days, the imminent failure condition of the dam made its owners sell it."
    points = [Point((0, n), 0, text, 0.0) for n, text in enumerate((old, again, other))]
    assert says_same(points[1], points[0])
    assert not says_same(points[2], points[0])


def test_articles_agree_on_most_words_and_all_numbers() -> None:
    texts = (
        "A ship hit the Marl bridge on Tuesday and 6 men were missing.",
        "On Tuesday 6 men were missing at Harlow after a ship hit the Marl bridge in the dark.",
        "On Tuesday 2 men were missing at Harlow after a ship hit the Marl bridge in the dark.",
        "After a ship hit the Marl bridge, divers found the 6 men in the brook.",
        "A ship hit the Marl bridge on Tuesday and 6 men could be missing.",
    )
    points = [Point((n, 0), n, text, 0.0) for n, text in enumerate(texts)]
    assert agreeing(points[0], points) == {1}


def test_dates_in_the_names_of_files_are_an_order() -> None:
    names = {"2024-05-09.txt": SALE, "2024-05-03.txt": BUYER, "2024-05-30.txt": OWNER}
    assert chosen_of(names, 120)[0] in BUYER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The state railway now owns the mill.", 0),
        ("The mill was sold for $4 million to the railway.", 0),
        ("The miller was sentenced to two years.", 1),
        ("The miller died at his home.", 2),
        ("The miller may have been sentenced.", None),
        ("The mill is tall.", None),
    ],
)
def test_how_a_matter_ended(text: str, expected: int | None) -> None:
    assert outcome_rank(text) == expected


def test_days_ago() -> None:
    assert days_ago("It was sold last week.") == 8
    assert days_ago("It was sold last month.") == 30
    assert days_ago("It was sold.") is None


QUAKE = (
    "A strong earthquake hit the Marl valley near Harlow on Tuesday, killing at least 3 people.",
    "Houses near Harlow in the Marl valley fell down when the earthquake came, officials say.",
    "The Marl valley is vulnerable to earthquakes because two plates meet below Harlow and move.",
    "In 2004, an earthquake in the Marl valley near Harlow set off a wave that killed 900 people.",
    "Five people died and seven were hurt in the aftershocks of that earthquake near Harlow.",
)
LATER = (
    "http://www.example.org/news/earthquake",
    "Tuesday in the valley",
    "Soldiers search the Marl valley near Harlow after an earthquake that left 24 people dead.",
    "The earthquake near Harlow damaged 300 houses in the Marl valley, the county says.",
)


def test_the_last_toll_comes_first_and_no_background() -> None:
    chosen = chosen_of({"2013-07-02.txt": QUAKE, "2013-07-03.txt": LATER}, 32)
    assert chosen[0] == LATER[2]
    assert not {*QUAKE[2:], *LATER[:2]}.intersection(chosen)
