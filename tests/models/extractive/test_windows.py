"""Documents as a language model reads them: without control tokens, in windows with context."""

import torch

from pagesum_cli.models.extractive.windows import ControlTokens, Text, joined, windows_of

BREAK, FIRST = 50, 100
CONTROLS = ControlTokens(FIRST, BREAK)
HEADING, SENTENCE = FIRST + 8, FIRST + 9


def page(*ids: int) -> Text:
    return Text.of_page(torch.tensor([0, FIRST, *ids, 0]), CONTROLS)


def plain(text: Text) -> list[list[int]]:
    return [text.ids.tolist(), text.starts.tolist(), text.ends.tolist()]


def pieces(*lengths: int) -> Text:
    """Text of pieces whose tokens count up."""
    ends = torch.tensor(lengths).cumsum(0)
    return Text(torch.arange(int(ends[-1])), ends - torch.tensor(lengths), ends)


def test_line_breaks_stand_around_headings() -> None:
    text = page(HEADING, 1, 2, SENTENCE, 3, 4, 5, SENTENCE + 6, 6)
    assert plain(text) == [[0, BREAK, 1, 2, BREAK, 3, 4, 5, 6, 0], [2, 5, 8], [4, 8, 9]]
    text = page(SENTENCE, 1, HEADING, 2, HEADING, 3, SENTENCE, 4)
    assert text.ids.tolist() == [0, 1, BREAK, 2, BREAK, 3, BREAK, 4, 0]


def test_a_heading_at_the_end_of_a_page_changes_nothing_at_its_beginning() -> None:
    assert page(SENTENCE, 1, HEADING, 2).ids.tolist() == [0, 1, BREAK, 2, 0]


def test_a_title_is_separated_from_its_page() -> None:
    title, rest = page(HEADING, 1, 2, SENTENCE, 3, 4, SENTENCE, 5).without_first()
    assert title.tolist() == [0, BREAK, 1, 2]
    assert plain(rest) == [[BREAK, 3, 4, 5, 0], [1, 3], [3, 4]]
    title, rest = page(HEADING, 1, 2).without_first()
    assert title.tolist()[:4] == [0, BREAK, 1, 2]
    assert plain(rest) == [[], [], []]


def test_pages_are_joined() -> None:
    text = joined([page(SENTENCE, 1, 2), page(SENTENCE, 3), page(SENTENCE, 4)])
    assert plain(text) == [[0, 1, 2, 0, 0, 3, 0, 0, 4, 0], [1, 5, 8], [3, 6, 9]]


def test_a_window_has_the_title_and_what_stands_before() -> None:
    windows = windows_of(torch.tensor([90, 91]), pieces(*[4] * 5), length=8, context=3)
    assert list(map(plain, windows)) == [
        [[90, 91, *range(8)], [2, 6], [6, 10]],
        [[90, 91, *range(5, 16)], [5, 9], [9, 13]],
        [[90, 91, *range(13, 20)], [5], [9]],
    ]


def test_a_piece_is_in_one_window_as_a_whole_up_to_twice_its_length() -> None:
    windows = windows_of(torch.tensor([90]), pieces(3, 12, 30, 2), length=8, context=2)
    assert list(map(plain, windows)) == [
        [[90, 0, 1, 2], [1], [4]],
        [[90, *range(1, 15)], [3], [15]],
        [[90, *range(13, 31)], [3], [19]],
        [[90, 43, 44, 45, 46], [3], [5]],
    ]


def test_every_piece_is_in_one_window() -> None:
    lengths = torch.randint(1, 40, (200,), generator=torch.Generator().manual_seed(0)).tolist()
    text = pieces(*lengths)
    windows = windows_of(text.ids[:0], text, length=50, context=10)
    found = [
        window.ids[start:end].tolist()
        for window in windows
        for start, end in zip(window.starts, window.ends, strict=True)
    ]
    expected = zip(text.starts.tolist(), text.ends.tolist(), strict=True)
    assert found == [list(range(start, end)) for start, end in expected]
    assert max(len(window.ids) for window in windows) <= 60


def test_a_document_of_headings_alone_has_no_windows() -> None:
    title, rest = page(HEADING, 1).without_first()
    assert windows_of(title, rest, 8, 2) == []


def test_states_are_the_mean_and_the_last_one() -> None:
    layers = torch.randn(2, 7, 3)
    states = Text(torch.arange(7), torch.tensor([1, 4]), torch.tensor([4, 5])).states(layers)
    for row, (start, end) in zip(states, ((1, 4), (4, 5)), strict=True):
        parts = [part for one in layers for part in (one[start:end].mean(0), one[end - 1])]
        torch.testing.assert_close(row.view(2, 2, 3), torch.stack(parts).view(2, 2, 3))
