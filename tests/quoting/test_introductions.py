"""Which sentence first names what a later one takes as known."""

import pytest
from tiny import assert_linear

from pagesum_cli.quoting.introductions import (
    GOOD_FOR_NAME,
    GOOD_FOR_NOUN,
    introductions,
    named_in,
)

STORY = [
    "It was Mark Rogers who looked for metal.",
    "He called the robot Charles, after a father.",
    "The village signed a treaty with him.",
    "Where Mark was sad, Charles was calm.",
]


def found(texts: list[str], shown: tuple[int, ...] = (), title: str = "") -> list:
    """What introduces what the last sentence names."""
    named = named_in(texts, [title] * len(texts))
    return list(introductions(named, len(texts) - 1, shown))


def test_a_bare_name_is_introduced_where_it_is_first_named() -> None:
    assert found(STORY) == [(0, GOOD_FOR_NAME), (1, GOOD_FOR_NAME)]


@pytest.mark.parametrize(
    ("shown", "title", "expected"),
    [((0,), "", [1]), ((0, 1), "", []), ((), "Charles", [0]), ((2,), "", [0, 1])],
)
def test_not_what_is_shown_or_in_the_title(
    shown: tuple[int, ...], title: str, expected: list[int]
) -> None:
    assert [first for first, _ in found(STORY, shown, title)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The treaty was upheld in May.", [2]),
        ("They upheld the old treaty.", [2]),
        ("A treaty of peace was broken, and the treaty was void.", []),  # it says so itself
        ("The treaty of 1918 was upheld.", []),  # "of" says which
        ("Mark Rogers was upheld in May.", []),  # the whole name
        ("Its lawyers were in the town.", []),  # nothing names the town
    ],
)
def test_a_noun_after_the(text: str, expected: list[int]) -> None:
    assert [first for first, good in found([*STORY[:3], text]) if first < 3] == expected


def test_nouns_must_be_introduced_by_better_sentences() -> None:
    assert found([*STORY[:3], "The treaty was upheld."]) == [(2, GOOD_FOR_NOUN)]


def test_a_word_that_also_has_no_capital_is_no_name() -> None:
    texts = ["We met the Bishop of the town.", "A bishop sings.", "Yet Bishop sings."]
    assert found(texts) == []


def test_time_grows_with_the_text() -> None:
    assert_linear(lambda count: named_in(["the a A of. Of the a " * count], [""]), 2000)
