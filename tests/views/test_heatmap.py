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

from pagesum_cli.summary.page_confidences import steps_of
from pagesum_cli.summary.summary import (
    PageShare,
    Source,
    Summary,
    SummaryPage,
    SummaryParagraph,
    SummarySentence,
    SummaryToken,
)
from pagesum_cli.views.evidence import NOT_SUPPORTED, evidence_view
from pagesum_cli.views.heatmap import TABLE_ROWS, HeatMap, figures_view, head_view, parts_table
from pagesum_cli.views.paint import ANCHORS, COLORS_OF_256, color, ink, shortened, top_of
from pagesum_cli.views.rows import folded, part_rows, strongest, with_values

SYSTEMS = ("truecolor", "256", "standard", None)
WORDS = (
    "Wheat rose in most towns, and bread followed. The council met (twice) in April. It lent "
    "seed to farms."
)


def drawn_summary(pages: int, words: list[str], log_probability: float | None = None) -> Summary:
    """Every word two tokens where it is long; random confidences."""
    draw = random.Random(7)
    tokens = []
    for place, word in enumerate(words):
        for part, piece in enumerate([word[:4], word[4:]] if len(word) > 6 else [word]):
            raw = [draw.random() ** 4 for _ in range(pages)]
            row = tuple(value / sum(raw) for value in raw)
            tokens.append(
                SummaryToken((" " if place and not part else "") + piece, row, log_probability)
            )
    sentences = re.findall(r".+?\.(?= |$)|.+$", " ".join(words))
    shares = [
        sum(column) / len(tokens)
        for column in zip(*(token.confidences for token in tokens), strict=True)
    ]
    ranked = tuple(
        PageShare(page, shares[page])
        for page in sorted(range(pages), key=lambda page: -shares[page])
    )
    return Summary(
        model="m",
        locality="discourse",
        title="",
        text=" ".join(words),
        sentences=tuple(SummarySentence(sentence.strip(), ranked) for sentence in sentences),
        tokens=tuple(tokens),
        pages=tuple(
            SummaryPage(
                page, f"{page} A section's heading", "a.pdf", (page + 1,), 9, False, shares[page]
            )
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
    lines = plain(
        render(HeatMap(drawn_summary(9, WORDS.split() * 4), by), width, system)
    ).splitlines()
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize("by", ["token", "word"])
def test_all_words_stand_under_the_map_in_order(by):
    lines = plain(render(HeatMap(drawn_summary(7, WORDS.split() * 3), by))).splitlines()
    text = " ".join(
        re.sub(r"^sentences? [\d–]+ +", "", line)
        for line in lines
        if re.match(r"sentences? \d", line)
    )
    assert text.split()[-len(WORDS.split()) * 3 :] == WORDS.split() * 3


def test_each_word_stands_under_its_own_cells():
    summary = drawn_summary(2, ["alpha", "be", "gamma."])
    rows = tuple(
        replace(token, confidences=(1.0, 0.0) if token.text.strip() == "be" else (0.0, 1.0))
        for token in summary.tokens
    )
    lines = render(HeatMap(replace(summary, tokens=rows))).splitlines()
    words = next(line for line in lines if line.startswith("sentence 1 "))
    first = next(line for line in lines[lines.index(words) - 3 :] if line.startswith("0 A section"))
    start = words.index("be")
    assert first[start : start + 2] == "██"
    assert "█" not in first[:start] + first[start + 2 :]


@pytest.mark.parametrize("most", [3, 5, 24, 59, 60])
def test_folded_sections_keep_the_total_and_their_order(most):
    summary = drawn_summary(60, WORDS.split())
    steps = steps_of(summary, "word")
    rows = folded(summary, steps, most)
    assert len(rows) <= most
    assert sorted(page.page for row in rows for page in row.pages) == list(range(60))
    own = [row.pages[0].page for row in rows if not row.is_rest]
    assert own == sorted(own)
    for step in range(len(steps)):
        assert sum(row.values[step] for row in rows) == pytest.approx(1)
    assert sum(row.share for row in rows) == pytest.approx(1)


def with_confidences(labels, columns, quoted=()):
    """A summary of a sentence for each column of confidences."""
    summary = drawn_summary(len(labels), ["Yes."] * len(columns))
    sources = [Source(page, 0, "a.pdf", "", (), 0, 1) for page in quoted] or [None] * len(columns)
    sentences = [
        SummarySentence(
            "Yes.", tuple(PageShare(page, share) for page, share in enumerate(column)), source
        )
        for column, source in zip(columns, sources, strict=True)
    ]
    pages = [replace(page, label=label) for page, label in zip(summary.pages, labels, strict=True)]
    return replace(summary, tokens=(), sentences=tuple(sentences), pages=tuple(pages))


def folded_rows(summary, most):
    rows = folded(summary, steps_of(summary, "sentence"), most)
    return [(row.label, tuple(page.page for page in row.pages)) for row in rows]


def test_the_parts_of_a_section_share_a_row_and_small_sections_the_last_one():
    labels = ["Abstract", "2 Methods (1/2)", "2 Methods (2/2)", "3 A", "4 B", "5 C", "6 End"]
    summary = with_confidences(labels, [[0.5, 0.1, 0.1, 0.01, 0.01, 0.01, 0.27]])
    rows = [
        ("Abstract", (0,)),
        ("2 Methods", (1, 2)),
        ("6 End", (6,)),
        ("3 further parts", (3, 4, 5)),
    ]
    assert folded_rows(summary, 16) == rows
    assert folded_rows(summary, 3) == [
        ("Abstract", (0,)),
        ("6 End", (6,)),
        ("5 further parts", (1, 2, 3, 4, 5)),
    ]


def test_what_is_quoted_has_a_row_however_small_its_share():
    labels = [str(number) for number in range(6)]
    summary = with_confidences(labels, [[0.5, 0.46, 0.01, 0.01, 0.01, 0.01]], quoted=[4])
    assert folded_rows(summary, 16) == [
        ("0", (0,)),
        ("1", (1,)),
        ("4", (4,)),
        ("3 further parts", (2, 3, 5)),
    ]
    assert folded_rows(summary, 3) == [("0", (0,)), ("4", (4,)), ("4 further parts", (1, 2, 3, 5))]


def test_what_competed_for_one_sentence_has_a_row():
    columns = [[0.93, 0.03, 0.02, 0.02], [0.99, 0.0, 0.01, 0.0], [0.7, 0.27, 0.01, 0.02]]
    summary = with_confidences(list("abcd"), columns)
    assert folded_rows(summary, 16) == [("a", (0,)), ("b", (1,)), ("2 further parts", (2, 3))]


def test_one_small_section_is_not_folded():
    summary = with_confidences(list("abc"), [[0.5, 0.49, 0.01]])
    assert [label for label, _ in folded_rows(summary, 16)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("shares", "most", "named"),
    [
        ([0.1, 0.5, 0.05, 0.35], 6, [1, 3]),
        ([0.3, 0.3, 0.02, 0.3, 0.08], 2, [0, 1]),
        ([0.25] * 4, 6, [0, 1, 2, 3]),
    ],
)
def test_a_line_of_words_names_its_strongest_sections(shares, most, named):
    summary = with_confidences([str(page) for page in range(len(shares))], [shares])
    rows = strongest(summary, steps_of(summary, "sentence"), most)
    assert [row.pages for row in rows] == [(summary.pages[page],) for page in named]


@pytest.mark.parametrize("width", [80, 120, 200])
@pytest.mark.parametrize("by", ["token", "word", "sentence"])
def test_a_sheet_has_at_most_three_screens_and_by_sentence_one(width, by):
    summary = drawn_summary(300, WORDS.split() * 40)
    lines = render(HeatMap(summary, by), width).splitlines()
    table = render(parts_table(summary, TABLE_ROWS), width).splitlines()
    figures = render(figures_view(summary), width).splitlines()
    assert len(lines) + len(table) + len(figures) + 5 <= 120


def test_by_sentence_it_fits_on_one_screen():
    for sentences in (4, 9, 20):
        text = " ".join(f"Wheat rose in {number} towns." for number in range(sentences))
        quoted = replace(drawn_summary(60, text.split()), tokens=())
        assert len(render(HeatMap(quoted), 80).splitlines()) + 3 <= 40


def test_the_beginning_of_each_sentence_stands_beside_its_number():
    text = " ".join(f"Wheat rose in {number} towns." for number in range(30))
    lines = render(HeatMap(replace(drawn_summary(4, text.split()), tokens=())), 80)
    assert all(
        re.search(rf"\b{number + 1} Wheat rose in {number} t", lines) for number in range(30)
    )


def test_all_draws_every_part_and_every_word():
    summary = drawn_summary(60, WORDS.split() * 20)
    text = render(HeatMap(summary))
    assert "--all draws them" in text
    whole = render(HeatMap(summary, whole=True))
    assert "--all" not in whole
    assert all(f"\n{page} A section" in whole for page in range(60))
    assert " ".join(whole.split()).count("Wheat rose") + whole.count("Wheat\n") >= 20


def test_shares_are_those_of_the_summary():
    summary = drawn_summary(4, WORDS.split())
    for by in ("token", "word"):
        rows = with_values(part_rows(summary), steps_of(summary, by))
        assert [row.share for row in rows] == pytest.approx(
            [page.confidence for page in summary.pages]
        )


def test_short_labels_keep_their_part():
    assert shortened("5 Other Research Problems (2/3)", 20) == "5 Other Resea… (2/3)"
    assert shortened("5 Other Research Problems", 12) == "5 Other Res…"
    assert shortened("1 A", 12) == "1 A"
    assert cell_len(shortened("収穫は失敗した (2/3)", 13)) <= 13


def test_without_colors_there_are_shades_and_numbers():
    summary = drawn_summary(3, WORDS.split())
    text = render(HeatMap(summary))
    assert "\x1b" not in text
    assert set("░▒▓█") <= set(text)
    top = max(steps_of(summary, "word")[0].confidences)
    assert f"{100 * top:.0f}" in text


@pytest.mark.parametrize("system", ["truecolor", "256", "standard"])
def test_no_color_gives_shades(system):
    # NO_COLOR: the terminal could show colors, and bold.
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system=system, no_color=True)
    assert set("░▒▓█") <= set(text)
    assert not re.search(r"\x1b\[[0-9;]*[34]\d", text)


def test_256_colors_grow_lighter_in_even_steps():
    lightness = [
        rgb_to_lightness(Color.from_ansi(number).get_truecolor()) for number in COLORS_OF_256
    ]
    assert all(10 < after - before < 20 for before, after in pairwise(lightness))
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system="256")
    assert {int(number) for number in re.findall(r"48;5;(\d+)", text)} == set(COLORS_OF_256)


def rgb_to_lightness(rgb):
    """L* of CIE L*a*b*, 0–100."""
    linear = [
        (value / 255 + 0.055) ** 2.4 / 1.055**2.4 if value > 10 else value / 255 / 12.92
        for value in rgb
    ]
    return 116 * (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]) ** (1 / 3) - 16


def test_sixteen_colors_are_replaced_by_shades():
    text = render(HeatMap(drawn_summary(3, WORDS.split())), system="standard")
    assert "▓" in text
    assert "\x1b[38;2" not in text


def test_many_colors_need_no_shades():
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
    summary = replace(
        summary,
        pages=(replace(summary.pages[0], label="[bold]\x1b]0;title\x07"), *summary.pages[1:]),
    )
    for view in (
        HeatMap(summary),
        HeatMap(summary, "sentence"),
        parts_table(summary, 9),
        head_view(summary, text=True),
    ):
        text = render(view, 120)
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert "[red]alarm[/red]" in render(HeatMap(summary), 120)


@pytest.mark.parametrize("word", ["x" * 300, "収穫は失敗した" * 30, "e\u0301" * 100])
def test_words_longer_than_the_terminal_are_cut(word):
    lines = render(HeatMap(drawn_summary(3, ["a", word, "b."])), 60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert any("…" in line for line in lines)


def test_the_smallest_summary():
    text = render(HeatMap(drawn_summary(2, ["Yes."])))
    assert "Yes." in text


def test_quotes_that_a_kind_of_document_needs_are_not_those_of_the_shares():
    summary = drawn_summary(2, WORDS.split())
    assert "not the quotes" not in render(figures_view(summary), 200)
    shaped = replace(summary, paragraphs=(SummaryParagraph("Rules", (0, 1, 2)),))
    assert "not the quotes" in render(figures_view(shaped), 200)


def test_tables_under_the_map():
    summary = drawn_summary(60, WORDS.split() * 3)
    lines = [
        re.split(r" {2,}", line.strip())
        for line in render(parts_table(summary, 10), 100).splitlines()
    ]
    assert lines[0] == ["part", "page", "share", "peak", "at", "sentences", "words"]
    assert len(lines) <= 11
    further = int(re.match(r"(\d+) further parts", lines[-1][0]).group(1))
    assert further + len(lines) - 2 == 60
    assert sum(int(line[-1]) for line in lines[1:]) == len(WORDS.split()) * 3
    assert sum(float(line[-5][:-1]) for line in lines[1:]) == pytest.approx(100, abs=0.5)
    assert lines[1][1] == str(int(lines[1][0].split()[0]) + 1)
    assert "of the weight moves to other parts" in render(figures_view(summary), 200)


def test_unsupported_sentences_are_marked(summary):
    first, *rest = summary.sentences
    marked = replace(summary, sentences=(replace(first, supported=False, evidence=()), *rest))
    assert NOT_SUPPORTED in " ".join(render(evidence_view(marked), 200).split())


def test_the_scale_is_even_in_lightness():
    # Luminance grows with every step, so that it reads in grey print and without seeing red or
    # green.
    light = [
        0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2
        for r, g, b in ANCHORS
    ]
    assert light == sorted(light)
    assert color(0) == ANCHORS[0]
    assert color(7) == ANCHORS[-1]
    assert ink(color(0)) == (255, 255, 255)
    assert ink(color(1)) == (0, 0, 0)
    assert (top_of([0.31, 0.2]), top_of([1.0]), top_of([])) == (0.4, 1.0, 1.0)
