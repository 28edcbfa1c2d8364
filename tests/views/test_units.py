"""What stands before a quote, its speaker, lead-in and label, is shown in every view, apart from
the quote.
"""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.summary.drafts import quoted
from pagesum_cli.summary.summary import Draft, Summary, SummaryPage
from pagesum_cli.views.citation import citation_of
from pagesum_cli.views.evidence import evidence_view
from pagesum_cli.views.export import csv_text
from pagesum_cli.views.formats import written
from pagesum_cli.views.heatmap import HeatMap
from pagesum_cli.views.text import text_view

SHOWN = ["A person may not: … (b) fly a kite; …", "Mr Bates: I saw nothing."]


@pytest.fixture
def document() -> Document:
    law = (
        Paragraph("A person may not:"),
        Paragraph("(a) drive a bus; or", label="(a)", body=4, depth=1),
        Paragraph("(b) fly a kite; or", label="(b)", body=4, depth=1),
        Paragraph("(c) row a boat.", label="(c)", body=4, depth=1),
    )
    turn = Paragraph("Mr Bates: I saw nothing.", body=10, speaker="Mr Bates")
    return Document("a.txt", (Section("§ 3121", law), Section("Hearing", (turn,))), "Bus & kite")


@pytest.fixture
def units(document: Document) -> Summary:
    """A quoted item and a quoted turn of a speaker."""
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    cut = (
        Page("§ 3121", "a.txt", "", sentences[:4], 0),
        Page("Hearing", "a.txt", "", sentences[4:], 0),
    )
    draft = Draft([[0.9, 0.1], [0.2, 0.8]], sentences=((0, 2), (1, 0)))
    made = quoted(Pages("discourse", cut), draft, documents=[document])
    pages = tuple(
        SummaryPage(
            n, one.label, "a.txt", (), 9, False, 0.5, one.sentences[0].start, one.sentences[-1].end
        )
        for n, one in enumerate(cut)
    )
    return Summary(
        "mini", "discourse", document.title, made.text, made.sentences, (), pages, {}, {}
    )


def drawn(renderable: object, *, color: bool = False) -> str:
    console = Console(
        file=io.StringIO(),
        width=100,
        force_terminal=color,
        color_system="standard" if color else None,
    )
    with console.capture() as capture:
        console.print(renderable)
    return capture.get()


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_running_text_has_openings(units: Summary, name: str) -> None:
    text = written(units, name, cite=False)
    assert " ".join(SHOWN) in text.replace("\\", "")


def test_a_list_has_openings(units: Summary) -> None:
    lines = written(units, "text", cite=True, bullets=True).splitlines()
    assert lines == [f"• {SHOWN[0]} [§ 3121]", f"• {SHOWN[1]} [Hearing]"]


def test_openings_are_dim_on_a_terminal(units: Summary) -> None:
    assert "\x1b[2mA person may not: … (b) \x1b[0mfly a kite; …" in drawn(
        text_view(units), color=True
    )
    assert "\x1b[2mMr Bates: \x1b[0mI saw nothing." in drawn(
        HeatMap(units, by="sentence"), color=True
    )
    assert SHOWN[0] in drawn(evidence_view(units))


def test_openings_are_set_off_in_html(units: Summary, document: Document) -> None:
    page = written(units, "html", documents=[document])
    assert '<span class="o">A person may not: … (b) </span>fly a kite; …</a>' in page
    marked = [piece.partition("</a>")[0] for piece in page.split('<a class="q"')[1:]]
    assert [one.rpartition(">")[2] for one in marked] == [
        "A person may not:",
        "fly a kite; or",
        "I saw nothing.",
    ]
    assert '<span class="o">Mr Bates: </span>' in written(units, "html")
    assert ">Mr Bates: </span>I saw nothing.</span>" in units._repr_html_()


def test_a_table_names_the_letters_of_an_item(units: Summary) -> None:
    assert citation_of(units, units.sentences[0]).text == "§ 3121 (b)"
    assert "§ 3121 (b)" in drawn(HeatMap(units, by="sentence"))


def test_data_have_what_is_shown(units: Summary, document: Document) -> None:
    assert [
        line.split(",")[1].strip('"') for line in csv_text(units, "sentence").splitlines()[1:]
    ] == SHOWN
    items = json.loads(written(units, "annotations", documents=[document]))["items"]
    assert [one["body"]["value"] for one in items] == SHOWN
    exact = [one["selector"][0]["exact"] for one in items[0]["target"]]
    assert exact == ["fly a kite; or", "A person may not:"]
    assert [one["opening"] + one["text"] for one in units.to_json()["sentences"]] == SHOWN


def test_items_in_a_row_have_one_citation_for_all_of_their_lines(
    document: Document, units: Summary
) -> None:
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    cut = (Page("§ 3121", "a.txt", "", sentences, 0),)
    draft = Draft([[1.0]] * 3, sentences=((0, 1), (0, 2), (0, 4)))
    made = quoted(Pages("discourse", cut), draft, documents=[document])
    lines = {one.start: (n, n) for n, one in enumerate(sentences, 1)}
    placed = [
        one.with_sources(lambda own: replace(own, lines=lines[own.start])) for one in made.sentences
    ]
    summary = replace(units, sentences=tuple(placed), pages=units.pages[:1])
    assert written(summary, "text", cite=True) == (
        "A person may not: (a) drive a bus; or (b) fly a kite; … [lines 2–3, § 3121] "
        "Mr Bates: I saw nothing. [line 5, Hearing]"
    )
    assert written(summary, "text", cite=True, bullets=True).count("[") == 3
