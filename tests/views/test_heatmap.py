"""The heat map on terminals of all kinds."""

import io
import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.console import Console

from pagesum_cli.provenance import steps_of
from pagesum_cli.summary import PageShare, Summary, SummaryPage, SummarySentence, SummaryToken
from pagesum_cli.views.colours import ANCHORS, COLOURS_OF_256, colour, ink, top_of
from pagesum_cli.views.evidence import NOT_SUPPORTED, evidence_view
from pagesum_cli.views.heatmap import HeatMap, folded, rows_of, shares_of, shortened, strongest, together
from pagesum_cli.views.inspection import figures_view, head_view, page_table

SYSTEMS = ("truecolor", "256", "standard", None)
WORDS = "Wheat rose in most towns, and bread followed. The council met (twice) in April. It lent seed to farms."


def drawn_summary(pages: int, words: list[str], log_probability: float | None = None) -> Summary:
    """Every word two tokens where it is long; confidences drawn by chance."""
    draw = random.Random(7)
    tokens = []
    for place, word in enumerate(words):
        for part, piece in enumerate([word[:4], word[4:]] if len(word) > 6 else [word]):
            raw = [draw.random() ** 4 for _ in range(pages)]
            row = tuple(value / sum(raw) for value in raw)
            tokens.append(SummaryToken((" " if place and not part else "") + piece, row, log_probability))
    sentences = re.findall(r".+?\.(?= |$)|.+$", " ".join(words))
    shares = [sum(column) / len(tokens) for column in zip(*(token.confidences for token in tokens), strict=True)]
    ranked = tuple(PageShare(page, shares[page]) for page in sorted(range(pages), key=lambda page: -shares[page]))
    return Summary(
        model="m",
        locality="discourse",
        title="",
        text=" ".join(words),
        sentences=tuple(SummarySentence(sentence.strip(), ranked) for sentence in sentences),
        tokens=tuple(tokens),
        pages=tuple(
            SummaryPage(page, f"{page} A section's heading", "a.pdf", (page + 1,), 9, False, shares[page])
            for page in range(pages)
        ),
        settings={},
        seconds={},
    )


def render(renderable, width=80, system=None, encoding="utf-8", no_color=False):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace")
    console = Console(
        file=file,
        width=width,
        color_system=system,
        force_terminal=system is not None,
        no_color=no_color,
        markup=False,
        emoji=False,
    )
    console.print(renderable)
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("by", ["token", "word", "sentence"])
def test_fits_any_terminal(width, system, by):
    lines = plain(render(HeatMap(drawn_summary(9, WORDS.split() * 4), by), width, system)).splitlines()
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("by", ["token", "word"])
def test_all_words_stand_under_the_map_in_order(by):
    lines = plain(render(HeatMap(drawn_summary(7, WORDS.split() * 3), by))).splitlines()
    text = " ".join(re.sub(r"^sentences? [\d–]+ +", "", line) for line in lines if re.match(r"sentences? \d", line))
    assert text.split()[-len(WORDS.split()) * 3 :] == WORDS.split() * 3


def test_each_word_stands_under_its_own_cells():
    summary = drawn_summary(2, ["alpha", "be", "gamma."])
    rows = tuple(
        replace(token, confidences=(1.0, 0.0) if token.text.strip() == "be" else (0.0, 1.0)) for token in summary.tokens
    )
    lines = render(HeatMap(replace(summary, tokens=rows))).splitlines()
    words = next(line for line in lines if line.startswith("sentence 1 "))
    first = next(line for line in lines[lines.index(words) - 3 :] if line.startswith("0 A section"))
    start = words.index("be")
    assert first[start : start + 2] == "██"
    assert "█" not in first[:start] + first[start + 2 :]


@pytest.mark.parametrize("most", [3, 5, 24, 59, 60])
def test_folded_pages_keep_the_total_and_their_order(most):
    steps = steps_of(drawn_summary(60, WORDS.split()), "word")
    lines = folded(shares_of(steps), most)
    assert [page for line in lines for page in line] == list(range(60))
    rows = rows_of([str(page) for page in range(60)], steps, lines)
    assert len(rows) <= most
    for step in range(len(steps)):
        assert sum(row.values[step] for row in rows) == pytest.approx(1)
    assert sum(row.share for row in rows) == pytest.approx(1)


def test_pages_with_a_share_stand_where_they_do_in_the_document():
    shares = [0.001] * 60
    shares[7], shares[8], shares[40] = 0.3, 0.002, 0.5
    lines = folded(shares, 10)
    assert lines == [tuple(range(7)), (7,), tuple(range(8, 40)), (40,), tuple(range(41, 60))]
    assert [together(line) for line in lines if len(line) > 1] == ["… 7 pages", "… 32 pages", "… 19 pages"]
    assert folded(shares, 3) == [tuple(range(40)), (40,), tuple(range(41, 60))]
    assert len(folded(shares, 60)) == 60


def test_a_line_of_words_names_the_pages_that_matter_in_it():
    assert strongest([0.1, 0.5, 0.05, 0.35], 6) == [(1,), (3,), [0, 2]]
    assert strongest([0.3, 0.3, 0.02, 0.3, 0.08], 3) == [(0,), (1,), [2, 3, 4]]
    assert strongest([0.4, 0.1, 0.5], 6) == [(0,), (1,), (2,)]
    assert strongest([0.25] * 4, 6) == [(0,), (1,), (2,), (3,)]


def test_shares_are_those_of_the_summary():
    summary = drawn_summary(4, WORDS.split())
    for by in ("token", "word"):
        assert shares_of(steps_of(summary, by)) == pytest.approx([page.confidence for page in summary.pages])


def test_short_labels_keep_their_part():
    assert shortened("5 Other Research Problems (2/3)", 20) == "5 Other Resea… (2/3)"
    assert shortened("5 Other Research Problems", 12) == "5 Other Res…"
    assert shortened("1 A", 12) == "1 A"
    assert cell_len(shortened("収穫は失敗した (2/3)", 13)) <= 13


def test_without_colours_shades_and_numbers_tell():
    summary = drawn_summary(3, WORDS.split())
    text = render(HeatMap(summary))
    assert "\x1b" not in text
    assert set("░▒▓█") <= set(text)
    top = max(steps_of(summary, "word")[0].confidences)
    assert f"{100 * top:.0f}" in text


@pytest.mark.parametrize("system", ["truecolor", "256", "standard"])
def test_a_terminal_that_wants_no_colour_gets_shades(system):
    # NO_COLOR: the terminal could show colours all the same, and bold.
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system=system, no_color=True)
    assert set("░▒▓█") <= set(text)
    assert not re.search(r"\x1b\[[0-9;]*[34]\d", text)


def test_256_colours_grow_lighter_in_even_steps():
    lightness = [rgb_to_lightness(Color.from_ansi(number).get_truecolor()) for number in COLOURS_OF_256]
    assert all(10 < after - before < 20 for before, after in pairwise(lightness))
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system="256")
    assert {int(number) for number in re.findall(r"48;5;(\d+)", text)} == set(COLOURS_OF_256)


def rgb_to_lightness(rgb):
    """L* of CIE L*a*b*, 0–100."""
    linear = [(value / 255 + 0.055) ** 2.4 / 1.055**2.4 if value > 10 else value / 255 / 12.92 for value in rgb]
    return 116 * (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]) ** (1 / 3) - 16


def test_sixteen_colours_are_told_by_shades():
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system="standard")
    assert "▓" in text
    assert "\x1b[38;2" not in text


def test_many_colours_need_no_shades():
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system="truecolor")
    assert not set("░▒▓") & set(text)
    assert "\x1b[38;2" in text or "48;2;" in text


def test_a_terminal_without_unicode_gets_ascii():
    text = render(HeatMap(drawn_summary(3, WORDS.split())), encoding="ascii")
    assert "#" in text
    assert not set("░▒▓█") & set(text)


def test_sentences_have_numbers_in_their_cells():
    summary = drawn_summary(3, WORDS.split())
    lines = render(HeatMap(summary, "sentence"), width=100).splitlines()
    share = summary.sentences[0].pages[0]
    row = next(line for line in lines if line.startswith(f"{share.page} A"))
    assert f"{100 * share.confidence:.0f}" in row
    assert any("Wheat rose in most towns, and bread followed." in line for line in lines)


def test_log_probabilities_stand_under_the_tokens():
    text = render(HeatMap(drawn_summary(3, WORDS.split(), log_probability=-2.34), "token"))
    assert "log p" in text
    assert "-2.3" in text


def test_hostile_text_does_nothing():
    words = ["[red]alarm[/red]", "\x1b[31mred\x1b[0m", "\u202eevil", ":smile:", "fine."]
    summary = drawn_summary(3, words)
    summary = replace(summary, pages=(replace(summary.pages[0], label="[bold]\x1b]0;title\x07"), *summary.pages[1:]))
    for view in (HeatMap(summary), HeatMap(summary, "sentence"), page_table(summary, 9), head_view(summary, text=True)):
        text = render(view, 120)
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert "[red]alarm[/red]" in render(HeatMap(summary), 120)


@pytest.mark.parametrize("word", ["x" * 300, "収穫は失敗した" * 30, "e\u0301" * 100])
def test_words_longer_than_the_terminal(word):
    text = render(HeatMap(drawn_summary(3, ["a", word, "b."])), 60)
    assert text.count(word[0]) >= len(word) // len(set(word))


def test_the_smallest_summary():
    text = render(HeatMap(drawn_summary(2, ["Yes."])))
    assert "Yes." in text


def test_tables_under_the_map():
    summary = drawn_summary(60, WORDS.split() * 3)
    lines = [re.split(r" {2,}", line.strip()) for line in render(page_table(summary, 10), 100).splitlines()]
    assert lines[0] == ["page", "PDF", "share", "peak", "at", "leads", "words"]
    assert len(lines) <= 11
    pages = [int(found.group(1)) if (found := re.match(r"… (\d+) pages", line[0])) else 1 for line in lines[1:]]
    assert sum(pages) == 60
    assert sum(int(line[-1]) for line in lines[1:]) == len(WORDS.split()) * 3
    assert sum(float(line[2][:-1]) for line in lines[1:]) == pytest.approx(100, abs=0.5)
    assert lines[1][1] == "1" if pages[0] == 1 else f"1–{pages[0]}"
    assert "of 60 pages hold 80% of the weight" in render(figures_view(summary), 200)


def test_unsupported_sentences_are_marked(summary):
    first, *rest = summary.sentences
    marked = replace(summary, sentences=(replace(first, supported=False, evidence=()), *rest))
    assert NOT_SUPPORTED in " ".join(render(evidence_view(marked), 200).split())


def test_the_scale_is_even_in_lightness():
    # Luminance grows with every step, so that it reads in grey print and without seeing red or green.
    light = [0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2 for r, g, b in ANCHORS]
    assert light == sorted(light)
    assert colour(0) == ANCHORS[0]
    assert colour(7) == ANCHORS[-1]
    assert ink(colour(0)) == (255, 255, 255)
    assert ink(colour(1)) == (0, 0, 0)
    assert (top_of([0.31, 0.2]), top_of([1.0]), top_of([])) == (0.4, 1.0, 1.0)
