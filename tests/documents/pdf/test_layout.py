"""The passes from the text that is drawn to lines, and the places of these."""

import pytest

from pagesum_cli.documents.pdf.reader import PAGE_PASSES, read_lines
from pagesum_cli.documents.pdf.runs import Dropped, PageText, Run


def pages() -> list[PageText]:
    """Pages with a running head."""
    return [
        PageText(
            [
                Run(text, 72, 300, y, 10, False, False, "F")
                for text, y in (("A head", 770), (f"Text of page {number}", 400))
            ]
        )
        for number in range(1, 5)
    ]


def test_each_pass_can_be_switched_off_by_name() -> None:
    passes = [name for name, _ in PAGE_PASSES if name != "lines"]
    everything = [line.text for line in read_lines(pages(), Dropped(), passes)]
    assert "A head" in everything
    dropped = Dropped()
    assert [line.text for line in read_lines(pages(), dropped)] == [
        f"Text of page {n}" for n in range(1, 5)
    ]
    assert [group.reason for group in dropped.left_out()] == ["running head"]
    kept = [line.text for line in read_lines(pages(), Dropped(), {"running heads"})]
    assert kept.count("A head") == 4


@pytest.mark.parametrize(
    ("turn", "box"),
    [
        (0, (72, 398, 300, 406)),
        (90, (394, 72, 402, 300)),
        (180, (300, 394, 528, 402)),
        (270, (398, 300, 406, 528)),
    ],
)
def test_boxes_of_lines_are_those_of_the_page_before_it_is_turned(
    turn: int, box: tuple[float, ...]
) -> None:
    width, height = 600, 800
    run = Run("Text", 72, 300, 400, 8, False, False, "F", turn)
    (line,) = read_lines([PageText([run], width, height)], Dropped())
    assert line.box == pytest.approx(box, abs=1)
