"""Text from documents, made safe to print."""

import pytest

from pagesum_cli.views.plain import one_line
from pagesum_cli.views.tables import percents, size


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("two\nlines\tand  spaces ", "two lines and spaces"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("bell\x07 null\x00 csi\x9b2J", "bell null csi2J"),
        ("right\u202eleft\u2066", "rightleft"),
        ("\ud800broken", "broken"),
        ("naïve – 東京 🧑\u200d🌾", "naïve – 東京 🧑\u200d🌾"),
        ("[bold]kept[/bold]", "[bold]kept[/bold]"),
        ("", ""),
    ],
)
def test_one_line(text, safe):
    assert one_line(text) == safe


@pytest.mark.parametrize(
    "shares", [[1.0], [1 / 3] * 3, [0.995, 0.004, 0.001], [0.0, 1.0], [1 / 7] * 7, [1e-9, 1 - 1e-9]]
)
def test_percents_add_up_to_a_hundred(shares):
    texts = percents(shares)
    assert sum(int(text.split()[0]) for text in texts if not text.startswith("<")) == 100
    assert all(text != "0 %" for text, share in zip(texts, shares, strict=True) if share > 0)


def test_of_equal_shares_the_first_are_rounded_up() -> None:
    shares = [1 / 15 + (number % 3) * 1e-12 for number in range(15)]
    assert percents(shares) == ["7 %"] * 10 + ["6 %"] * 5


def test_size():
    assert [size(number) for number in (0, 999, 25_300, 72_000_000, 1_625_000_000)] == [
        "0 bytes",
        "999 bytes",
        "25 kB",
        "72 MB",
        "1.6 GB",
    ]
