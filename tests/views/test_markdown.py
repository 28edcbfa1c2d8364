"""Summaries as Markdown, read back by a Markdown parser."""

from html import unescape
from itertools import product

import pytest
from markdown_it import MarkdownIt

from pagesum_cli.views.markdown import escaped, markdown_view

NASTY = [
    "# no heading",
    "1. no list",
    "12) no list",
    "- no list",
    "+ no list",
    "> no quote",
    "*no* _emphasis_ `no code` ~~no strike~~",
    "[no link](http://example.org) ![no image](x.png)",
    "<script>alert(1)</script> &amp; <b>",
    "no | table | cell",
    "back\\slash \\*",
    "===",
    "--- ",
    "a\n\n# b",
    "$x^2$ costs $5",
]


def text_of(markdown):
    tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(markdown)
    inline = [token for token in tokens if token.type == "inline"]
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    return "".join(child.content for child in inline[0].children), {
        child.type for child in inline[0].children
    }


@pytest.mark.parametrize("nasty", NASTY)
def test_escaped_text_shows_letter_by_letter(nasty):
    text, kinds = text_of(escaped(nasty))
    assert text == " ".join(nasty.split())
    assert kinds <= {"text", "text_special"}


@pytest.mark.parametrize(
    ("marks", "length"), [("a *_~[](<>#1.-\\&=`", 2), ("a *_]([~", 3), ("1#-. ", 3)]
)
def test_any_marks_show_letter_by_letter(marks, length):
    parser = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    for text in map("".join, product(marks, repeat=length)):
        if shown := " ".join(text.split()):
            html = parser.render(escaped(text)).removeprefix("<p>").removesuffix("</p>\n")
            assert unescape(html) == shown


@pytest.mark.parametrize(
    "text",
    [
        *("1.5 million people", "-5 degrees", "(1) first", "[1][2] Smith [p. 3]", "p < 0.05 > q"),
        *("snake_case", "5 * 3 * 2", "~5 to ~10", "AT&T & Co. | it costs $5", "C# #1 (a): b-c"),
        "Name ____ and date",
    ],
)
def test_what_does_not_act_has_no_backslash(text):
    assert escaped(text) == text


def test_a_cell_has_no_bar():
    assert escaped("a | b [c", also="|") == r"a \| b [c"


def test_it_is_a_heading_a_paragraph_and_a_table_of_sections(summary):
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown_view(summary))
    inline = [token.content for token in tokens if token.type == "inline"]
    assert inline[:2] == [summary.title, summary.text]
    assert sum(token.type == "tr_open" for token in tokens) == 1 + 5


def test_bullets_are_a_list(summary):
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown_view(summary, bullets=True))
    inline = [token.content for token in tokens if token.type == "inline"]
    assert sum(token.type == "list_item_open" for token in tokens) == 3
    assert inline[1:4] == [sentence.text for sentence in summary.sentences]


def test_nasty_labels_stay_in_their_cell(a_summary):
    nasty = a_summary(labels=["a | b", "<img src=x>", "`c"], title="# *x*", sources=["|"])
    html = MarkdownIt("commonmark").enable("table").render(markdown_view(nasty, cite=True))
    assert html.count("<td") == 3 * 2
    assert "<img" not in html
    assert "<em>x" not in html


def test_cite_names_the_page(summary):
    assert "[p. 5–6, 3 Results]" in markdown_view(summary, cite=True)
    assert "[" not in markdown_view(summary)


def test_the_number_of_a_heading_acts_only_at_the_start_of_a_line():
    assert escaped("2. Purpose") == r"2\. Purpose"
    assert escaped("2. Purpose", begins_line=False) == "2. Purpose"
