"""Text that follows a list in front of it, below a heading of the list that is larger."""

import pytest

from pagesum_cli.documents.article.front_lists import with_text_beside_lists
from pagesum_cli.documents.model import Paragraph, Section


def levels(*sections: tuple[str, int, int]) -> list[int]:
    given = [Section(name, (Paragraph("word " * n),), level) for name, level, n in sections]
    return [one.level for one in with_text_beside_lists(given)]


def test_text_is_raised_to_the_level_of_a_list_before_it() -> None:
    sections = (
        ("Contents", 1, 100),
        ("Figures", 2, 50),
        ("Abbreviations", 1, 60),
        ("Markets Are Uncertain", 2, 3000),
        ("Technologies", 3, 2000),
        ("Appendix I", 1, 2000),
    )
    assert levels(*sections) == [1, 2, 1, 1, 2, 1]


def test_parts_of_a_list_stay_below_it() -> None:
    text, late = ("Methods", 1, 3000), ("References", 1, 20)
    assert levels(text, late, ("Primary sources", 2, 1500)) == [1, 1, 2]
    assert levels(("Abbreviations", 1, 60), ("Symbols", 2, 90), text, late) == [1, 2, 1, 1]
    assert levels(("Introduction", 1, 60), ("Scope", 2, 900), text) == [1, 2, 1]


@pytest.mark.parametrize(
    "beginning", ["March 5, 2026", "The Honorable Robert Bennett", "Dear Mr. Chairman:"]
)
def test_a_letter_below_a_list_is_no_part_of_it(beginning: str) -> None:
    texts = [
        "DOE Department of Energy",
        "GSA General Services",
        beginning,
        "We were asked to look.",
    ]
    paragraphs = tuple(map(Paragraph, texts))
    parts = with_text_beside_lists([Section("Abbreviations", paragraphs, 2)])
    assert [(one.heading, len(one.paragraphs)) for one in parts] == [("Abbreviations", 2), ("", 2)]
    (same,) = with_text_beside_lists([Section("Background", paragraphs)])
    assert len(same.paragraphs) == 4
