"""Summaries as a reader sees them."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from pagesum_cli.summary.summary import Disagreement, Outcome, RivalNumber, Summary
from pagesum_cli.views.markdown import markdown_view
from pagesum_cli.views.notebook import notebook_view
from pagesum_cli.views.obsidian import obsidian_view
from pagesum_cli.views.reading_page.page import reading_page
from pagesum_cli.views.rows import TABLE_ROWS as ROWS
from pagesum_cli.views.text import plain_view, text_view


def drawn(summary, width=80, **options):
    console = Console(
        file=io.StringIO(),
        width=width,
        color_system=None,
        markup=False,
        highlight=False,
        emoji=False,
    )
    console.print(text_view(summary, **options))
    return console.file.getvalue()


def percents_in(text):
    return [int(number) for number in re.findall(r" (\d+) %", text)]


def test_title_then_summary_then_a_line_for_each_section(summary):
    lines = drawn(summary).splitlines()
    assert lines[0].strip() == summary.title
    assert " ".join(" ".join(lines[2:6]).split()).startswith(summary.text[:100])
    for label in ("Abstract", "1 Introduction", "2 Methods ", "3 Results", "4 Discussion"):
        assert len([line for line in lines if line.startswith(label)]) == 1


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


def test_the_strongest_section_has_the_longest_bar(summary):
    bars = {line: line.count("█") for line in drawn(summary).splitlines()}
    # two parts that have more than any other together
    assert max(bars, key=bars.get).startswith("2 Methods")


def test_many_pages_are_drawn_together_and_shares_still_add_up(a_summary):
    many = a_summary(labels=[f"sentences {40 * i + 1}–{40 * i + 40}" for i in range(200)])
    text = drawn(many)
    lines = [line for line in text.splitlines() if "%" in line]
    assert len(lines) <= ROWS
    assert sum(percents_in(text)) == 100
    assert re.match(r"1[89]\d further parts", lines[-1])


def test_where_no_page_stands_out_equal_bands_of_pages_are_drawn(a_summary):
    many = a_summary(labels=[f"sentences {i}" for i in range(160)])
    even = replace(many, pages=tuple(replace(page, confidence=1 / 160) for page in many.pages))
    lines = [line for line in drawn(even).splitlines() if "%" in line]
    assert len(lines) == ROWS
    assert all(line.startswith("10 parts, sentences ") for line in lines)


def test_the_parts_of_a_section_are_drawn_together_and_so_are_small_sections(a_summary):
    labels = [f"2 Methods ({i}/20)" for i in range(1, 21)] + ["3 Results", "4 A", "5 B", "6 C"]
    several = a_summary(labels=labels)
    shares = [0.02] * 20 + [0.57, 0.01, 0.01, 0.01]
    pages = [
        replace(page, confidence=share) for page, share in zip(several.pages, shares, strict=True)
    ]
    lines = [
        line.split()
        for line in drawn(replace(several, pages=tuple(pages))).splitlines()
        if "%" in line
    ]
    assert [line[:2] for line in lines] == [["2", "Methods"], ["3", "Results"], ["3", "further"]]
    assert lines[-1][-2:] == ["3", "%"]  # without a bar


def test_citations_follow_the_sentences(summary):
    text = " ".join(drawn(summary, cite=True).split())
    places = ("[p. 5–6, 3 Results]", "[p. 2–3, 1 Introduction]", "[p. 3–4, 2 Methods]")
    for sentence, place in zip(summary.sentences, places, strict=True):
        assert f"{sentence.text} {place}" in text
    assert "[" not in drawn(summary)


def test_bullets_are_one_sentence_each_and_cite_a_place_when_it_changes(quoted):
    twice = replace(quoted, sentences=(quoted.sentences[0], *quoted.sentences))
    lines = plain_view(twice, bullets=True, cite=True).splitlines()
    texts = [sentence.text for sentence in twice.sentences]
    places = [" [p. 5, 3 Results]", "", " [p. 4, 2 Methods]", " [p. 3–4]"]
    assert lines == [f"• {text}{place}" for text, place in zip(texts, places, strict=True)]


def test_a_motion_and_its_vote_are_one_item_with_one_citation(quoted):
    first, *others = quoted.sentences
    end = first.source.end
    vote, decision = Outcome("vote"), Outcome("decision", goes_on=True)
    after = replace(first, source=replace(first.source, start=end + 1, end=end + 9))
    motion = replace(first, outcome=None)
    seconded, carried = (replace(after, outcome=one) for one in (decision, vote))
    carried = replace(carried, source=replace(after.source, start=end + 10, end=end + 20))
    minutes = replace(quoted, sentences=(motion, seconded, carried, *others))
    lines = plain_view(minutes, cite=True).splitlines()
    text = first.text
    assert lines[0] == f"• {text} {text} {text} (vote) [p. 5, 3 Results]"
    assert len(lines) == 1 + len(others)
    bare = replace(seconded, outcome=Outcome("decision"))
    apart = replace(bare, source=replace(first.source, start=end + 90, end=end + 99))
    minutes = replace(quoted, sentences=(motion, apart, *others))
    assert len(plain_view(minutes).splitlines()) == 2 + len(others)


def test_two_decisions_in_a_row_are_two_items(quoted):
    first, *others = quoted.sentences
    start, end = first.source.start, first.source.end
    decision = replace(first, outcome=Outcome("decision"))
    after = replace(decision, source=replace(first.source, start=end + 1, end=end + 9))
    announced = replace(after, outcome=Outcome("decision", goes_on=True))
    wording = replace(decision, source=replace(first.source, start=end + 11, end=end + 20))
    for row, count in (((decision, after), 2), ((decision, announced, wording), 2)):
        minutes = replace(quoted, sentences=(*row, *others))
        assert len(plain_view(minutes).splitlines()) == count + len(others)
    assert start < end


def test_bullets_hang_on_a_terminal(summary):
    lines = drawn(summary, 40, bullets=True).splitlines()[2:]
    assert lines[0].startswith("• Farms by the river lost")
    assert lines[1].startswith("  ")
    assert [line[0] for line in lines[: lines.index("")]].count("•") == 3


def test_rival_numbers_are_shown_in_each_format_and_kept_in_json(summary):
    numbers = (
        RivalNumber("12", "a.txt", "AP, 3 May 2024", "", (), 0, 9, "12 died."),
        RivalNumber("14", "b.txt", "", "", (), 0, 9, "14 died."),
    )
    whole = replace(summary, disagreements=(Disagreement("people killed", numbers, "killed"),))
    line = "Sources disagree – people killed: 12 (a.txt, AP, 3 May 2024) · 14 (b.txt)"
    assert line in " ".join(drawn(whole).split())
    assert plain_view(whole).splitlines()[-2:] == ["", line]
    views = (markdown_view, obsidian_view, notebook_view, reading_page)
    assert all(line in view(whole) for view in views)
    assert all("Participants: Ann" in view(replace(whole, participants=("Ann",))) for view in views)
    data = whole.to_json()
    assert [one["number"] for one in data["disagreements"][0]["numbers"]] == ["12", "14"]
    assert Summary.from_json(data) == whole


def test_numbers_of_different_days_are_in_their_order(summary):
    later, earlier = (
        RivalNumber(number, f"{number}.txt", origin, "", (), 0, 9, "They died.")
        for number, origin in (("14", "AP, 5 May 2024"), ("12", "Reuters, 3 May 2024"))
    )
    rivals = (Disagreement("people killed", (later, earlier), "killed"),)
    last = plain_view(replace(summary, disagreements=rivals)).splitlines()[-1]
    assert last == (
        "Numbers by date – people killed: 12 (12.txt, Reuters, 3 May 2024) · "
        "14 (14.txt, AP, 5 May 2024)"
    )


def test_a_toll_that_rose_is_updated(summary):
    numbers = tuple(
        RivalNumber(number, f"{number}.txt", "", "", (), 0, 9, "They died.")
        for number in ("12", "14")
    )
    rivals = (Disagreement("people killed", numbers, "killed", is_updated=True),)
    last = plain_view(replace(summary, disagreements=rivals)).splitlines()[-1]
    assert last == "Updated – people killed: 12 (12.txt) · 14 (14.txt)"


def test_truncated_pages_are_marked(summary):
    line = next(line for line in drawn(summary).splitlines() if line.startswith("2 Methods"))
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
    assert "6 parts" in drawn(empty)


def test_each_chapter_of_a_book_has_a_row(a_summary):
    many = a_summary(labels=[f"Chapter {number}" for number in range(1, 31)])
    lines = [
        line for line in drawn(replace(many, chapters=(many,) * 30)).splitlines() if "%" in line
    ]
    assert [line.split()[1] for line in lines] == [str(number) for number in range(1, 31)]
