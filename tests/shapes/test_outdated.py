"""What earlier articles on an event say that later ones take back."""

import pytest
from shape_texts import chosen_of

FIRST = (
    "The ferry Marl sank off Harlow on Monday after a waterspout hit it, the coast guard says.",
    "The ferry Marl had eighty passengers from Harlow on board, and one person died.",
    "Six people from the ferry Marl are missing near Harlow, the mayor of the town says.",
    "The owner of the ferry Marl alleges that the pilots of Harlow caused the loss of his ship.",
)
LATER = (
    "The ferry Marl was raised near Harlow on Friday by two cranes from the port of Elm.",
    "Contrary to initial reports of a waterspout, a gust sank the ferry Marl off Harlow.",
    "Seven people died in the ferry Marl, the coast guard of Harlow says in a report.",
    "The owner of the ferry Marl withdrew what he said of the pilots of Harlow on Friday.",
)


def _both(first: str = "2024-08-19", later: str = "2024-08-24") -> list[str]:
    return chosen_of({f"{first}.txt": FIRST, f"{later}.txt": LATER}, 400)


@pytest.mark.parametrize("number", range(4))
def test_what_a_later_article_takes_back_is_not_quoted(number: int) -> None:
    assert FIRST[number] not in _both()


def test_what_takes_it_back_is_quoted_and_the_last_news() -> None:
    assert set(LATER) <= set(_both())


@pytest.mark.parametrize("number", range(4))
def test_what_no_later_article_takes_back_is_quoted(number: int) -> None:
    first = chosen_of({"2024-08-19.txt": FIRST, "2024-08-24.txt": LATER[:1]}, 400)
    assert FIRST[number] in first


def test_without_dates_nothing_is_left_out() -> None:
    assert not {FIRST[1], FIRST[2]}.isdisjoint(_both("a", "b"))
