"""Which words are important."""

from pagesum_cli.text.words import are_important

REFERENCE = "The councils lent seeds to farms in 1923, and they don't charge."


def important(text: str) -> list[str]:
    words = text.split()
    return [word for word, one in zip(words, are_important(words, REFERENCE), strict=True) if one]


def test_words_of_the_reference_are_important_by_their_stems() -> None:
    assert important("council lending seed farming farm 1923 charged") == [
        "council",
        "seed",
        "farming",
        "farm",
        "1923",
        "charged",
    ]


def test_stop_words_and_others_are_not() -> None:
    assert important("the to and they t in wheat") == []
    assert are_important(["", "wheat"], REFERENCE) == [False, False]
    assert are_important(["wheat"], "") == [False]
