"""Sentences that announce others."""

import pytest

from pagesum_cli.text.announcements import announced, is_announcement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This study has some limitations.", True),
        ("However, there are several limitations to this study that should be acknowledged.", True),
        ("The present trial has two main strengths:", True),
        ("This study has some limitations, such as its small sample.", False),
        ("Our study has the limitation of a small sample.", False),
        ("The study has limitations because it was small.", False),
    ],
)
def test_an_announcement_says_nothing_else(text: str, expected: bool) -> None:
    assert is_announcement(text) is expected


def test_the_next_sentence_and_further_items_are_announced() -> None:
    texts = [
        "It rained.",
        "The study has two limitations.",
        "Only ten farms took part.",
        "They are small.",
        "Secondly, no farm was on a hill.",
        "It rained again.",
    ]
    assert list(announced(texts)) == ["", "", texts[1], "", texts[1], ""]
