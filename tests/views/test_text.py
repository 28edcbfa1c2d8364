"""Summaries as a reader sees them."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from pagesum_cli.summary import SourceSentence
from pagesum_cli.views.text import ROWS, text_view


def drawn(summary, width=80, **options):
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False, emoji=False)
    console.print(text_view(summary, **options))
    return console.file.getvalue()


def percents_in(text):
    return [int(number) for number in re.findall(r" (\d+) %", text)]


def test_title_then_summary_then_a_line_for_each_page(summary):
    lines = drawn(summary).splitlines()
    assert lines[0].strip() == summary.title
    assert " ".join(" ".join(lines[2:6]).split()).startswith(summary.text[:100])
    for page in summary.pages:
        assert any(line.startswith(page.label) for line in lines)


@pytest.mark.parametrize("width", [30, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(summary, a_summary, width):
    long_label = a_summary(labels=[f"{i} {'A very long heading ' * 6}" for i in range(9)])
    for one in (summary, long_label):
        assert max(len(line.rstrip()) for line in drawn(one, width).splitlines()) <= width


def test_running_text_stays_readable_on_a_wide_terminal(summary):
    text = drawn(summary, 200).splitlines()[2]
    assert len(text.rstrip()) <= 96


def test_shares_add_up_to_a_hundred(summary):
    assert sum(percents_in(drawn(summary))) == 100


def test_the_strongest_page_has_the_longest_bar(summary):
    strongest = max(summary.pages, key=lambda page: page.confidence)
    bars = {line: line.count("█") for line in drawn(summary).splitlines()}
    assert max(bars, key=bars.get).startswith(strongest.label)


def test_many_pages_are_drawn_together_and_shares_still_add_up(a_summary):
    many = a_summary(labels=[f"sentences {40 * i + 1}–{40 * i + 40}" for i in range(200)])
    text = drawn(many)
    lines = [line for line in text.splitlines() if "%" in line]
    assert len(lines) <= 2 * ROWS
    assert sum(percents_in(text)) == 100
    assert " pages, sentences " in text


def test_where_no_page_stands_out_equal_bands_of_pages_are_drawn(a_summary):
    many = a_summary(labels=[f"sentences {i}" for i in range(160)])
    even = type(many)(**{**vars(many), "pages": tuple(replace(page, confidence=1 / 160) for page in many.pages)})
    lines = [line for line in drawn(even).splitlines() if "%" in line]
    assert len(lines) == ROWS
    assert all(line.startswith("10 pages, sentences ") for line in lines)


def test_the_parts_of_a_section_are_drawn_together_where_there_are_many_pages(a_summary):
    labels = [f"2 Methods ({i}/20)" for i in range(1, 21)] + ["3 Results"]
    text = drawn(a_summary(labels=labels))
    assert "2 Methods (1–20)" in text
    assert len([line for line in text.splitlines() if "%" in line]) == 2


def test_cite_names_the_strongest_page_behind_each_sentence(summary):
    text = " ".join(drawn(summary, cite=True).split())
    for sentence, label in zip(summary.sentences, ("[3 Results, p. 5–6]", "[1 Introduction, p. 2–3]"), strict=False):
        assert f"{sentence.text} {label}" in text


def test_cite_names_the_pdf_pages_of_the_evidence(summary):
    quoted = SourceSentence("Farms lost it.", page=4, pdf_pages=(6,), support=1.0)
    elsewhere = SourceSentence("Half of it.", page=1, pdf_pages=(3,), support=1.0)
    first = replace(summary.sentences[0], supported=True, evidence=(quoted, elsewhere))
    for supported, place in ((True, "[3 Results, p. 6]"), (False, "[3 Results, p. 5–6]")):
        told = replace(summary, sentences=(replace(first, supported=supported), *summary.sentences[1:]))
        assert place in " ".join(drawn(told, cite=True).split())


def test_cite_names_the_document_where_there_are_several(a_summary):
    text = " ".join(drawn(a_summary(sources=("a.pdf", "b.pdf")), cite=True).split())
    assert "[b.pdf: 1 Introduction, p. 2–3]" in text


def test_truncated_pages_are_marked(summary):
    line = next(line for line in drawn(summary).splitlines() if line.startswith("2 Methods (2/2)"))
    assert "truncated" in line


def test_text_from_documents_is_neither_markup_nor_escape_code(a_summary):
    nasty = "[bold red]x[/] \x1b[31mred\x1b[0m \x9b2J \u202eevil\x07"
    hostile = a_summary(labels=[nasty] * 2, sentences=[nasty], title=nasty, sources=[nasty])
    text = drawn(hostile, 120, cite=True)
    assert "[bold red]x[/]" in text
    assert not set(text) & set("\x1b\x9b\x07\u202e")


def test_a_summary_without_a_word_can_be_drawn(a_summary):
    empty = a_summary(sentences=["x"])
    empty = type(empty)(**{**vars(empty), "sentences": (), "text": ""})
    assert "6 pages" in drawn(empty)
