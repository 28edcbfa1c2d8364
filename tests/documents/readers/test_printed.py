"""Plain text as it was printed."""

import pytest

from pagesum_cli.documents.readers.text import lined_document, paragraphs_of

PROSE = [
    "The valley council met in March and agreed to rebuild the",
    "old stone bridge over the river before winter. Engineers had",
    "found that two of its five arches were unsafe for lorries",
    "above seven tonnes. The budget of four million was approved",
    "by eleven votes against three after a long debate. Work will",
    "start in June and is expected to last for about nine months.",
]
WHOLE = " ".join(PROSE)
POEM = ["Over the hill", "the wind went by", "and nobody knew", "where it would die", "at night"]
NAMES = ["1  apples", "2  ripe oranges and pears", "3  plums", "4  figs from Smyrna", "5  dates"]


def read(lines: list[str]) -> str:
    return lined_document("\n".join(lines), "text").text


def test_broken_words_are_joined_and_hyphens_of_words_stay() -> None:
    lines = [
        "The coun-",
        "cil of the val-",
        "ley has agreed to re-",
        "build the well-",
        "known bridge.",
    ]
    assert read(lines) == "The council of the valley has agreed to rebuild the well-known bridge."
    document = lined_document("\n".join(lines), "text")
    assert document.lines_of(0, len(document.text)) == (1, 5)


def test_the_other_words_of_a_text_say_whether_a_hyphen_stays() -> None:
    assert "a zorb-like toy" in read(["It is zorb-like.", "", "It was a zorb-", "like toy."])
    assert "two zorblats" in read(["Some zorblats ran.", "", "He saw two zorb-", "lats there."])


def test_double_spaced_lines_are_one_paragraph() -> None:
    assert read("\n\n".join(PROSE).split("\n")) == WHOLE


def test_a_larger_gap_ends_a_paragraph_of_double_spaced_text() -> None:
    text = "\n\n".join(PROSE) + "\n\n\n\n" + "\n\n".join(PROSE)
    assert read(text.split("\n")) == f"{WHOLE}\n\n{WHOLE}"


@pytest.mark.parametrize("form", ["{:>2}  {}", "{}\t{}", "{:>4} {}"])
def test_a_number_at_each_line_is_left_out(form: str) -> None:
    assert read([form.format(n, line) for n, line in enumerate(PROSE, start=1)]) == WHOLE


@pytest.mark.parametrize("form", ["{:>3}  {}", "{1:<62}    {0}"])
def test_a_number_at_every_fifth_line_is_left_out(form: str) -> None:
    lines = [
        form.format(n if n % 5 == 0 else "", line).rstrip()
        for n, line in enumerate(PROSE * 4, start=1)
    ]
    assert read(lines) == " ".join([WHOLE] * 4)


def test_running_heads_and_feet_are_left_out() -> None:
    def page(number: int) -> str:
        return (
            f"\n\nLee     Informational     [Page {number}]\n\f\nRFC 9999   Bridges   May 2024\n\n"
        )

    text = "\n".join(PROSE[:3]) + page(1) + "\n".join(PROSE[3:]) + page(2) + "\n".join(PROSE)
    document = lined_document(text, "text")
    assert document.text == f"{WHOLE}\n\n{WHOLE}"
    assert [one.reason for one in document.left_out] == ["running head"]


def test_pages_without_form_feeds_end_with_their_numbers() -> None:
    lines = [*PROSE[:3], "", "- 1 -", "", *PROSE[3:], "", "- 2 -", "", *PROSE]
    assert read(lines) == f"{WHOLE}\n\n{WHOLE}"


@pytest.mark.parametrize(
    "lines",
    [
        "\n\n".join(POEM).split("\n"),
        "\n\n".join(NAMES).split("\n"),
        NAMES,
        ["def f(a):", "    return a - \\", "        b", "", "# 1", "x = 2"],
        ["2019 was a good year.", "2020 was not.", "2021 began late.", "2022 ended."],
        "\n\n".join(["Rain fell on Monday.", "it did not on Tuesday."] * 4).split("\n"),
    ],
)
def test_other_text_is_left_alone(lines: list[str]) -> None:
    document = lined_document("\n".join(lines), "text")
    assert document.text.split() == " ".join(lines).split()
    gaps = sum(not line for line in lines)
    assert document.text.count("\n\n") >= gaps - 1


def test_a_sentence_in_pieces_on_lines_of_their_own_is_one() -> None:
    """A page copied from the web, whose lines are paragraphs, may break a line at each link."""
    first = f"The mill was sold to its miller yesterday. {'It is on the brook. ' * 9}Anna Berg,"
    text = f"{first}\n30,\nof Hollow Lane, paid\nMay 5, 2024, in full.\nThe court agreed."
    whole = f"{first} 30, of Hollow Lane, paid May 5, 2024, in full."
    assert [one.text for one in paragraphs_of(text)] == [whole, "The court agreed."]
    assert len(paragraphs_of(f"{'Mills and brooks ' * 20},\nDear Anna,\nThe end.")) == 3
