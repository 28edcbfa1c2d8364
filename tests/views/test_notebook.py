"""A summary in a notebook."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.citation import citations
from pagesum_cli.views.rows import TABLE_ROWS, table_rows

HOSTILE = '<script>alert(1)</script> "onmouseover="x" \' & </div> $x^2$ \x1b[31m \u202eevil\u202c'


class Parsed(HTMLParser):
    """Elements and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_sentences_have_their_place_as_tooltip_and_citation(quoted: Summary) -> None:
    page = Parsed(quoted._repr_html_())
    assert page.open == []
    spans = [
        attributes["title"]
        for tag, attributes in page.elements
        if tag == "span" and "title" in attributes
    ]
    assert spans == ["p. 5, 3 Results", "p. 4, 2 Methods", "p. 3–4, 2 Methods"]
    for sentence, place in zip(quoted.sentences, citations(quoted), strict=True):
        assert f"{sentence.text} {place}" in page.text
    assert page.text.startswith(quoted.title)


def test_consecutive_sentences_of_one_place_are_cited_once(quoted: Summary) -> None:
    first, *others = quoted.sentences
    twice = replace(quoted, sentences=(first, replace(first, text="Again."), *others))
    text = Parsed(twice._repr_html_()).text
    assert text.count("[p. 5, 3 Results]") == 1
    assert f"{first.text} Again. [p. 5, 3 Results]" in text


def test_shares_are_bars_that_add_up(summary: Summary) -> None:
    html = summary._repr_html_()
    assert sum(int(share) for share in re.findall(r">(\d+) %<", html)) == 100
    widths = [int(width) for width in re.findall(r"width:(\d+)%", html)]
    shares = [row.share for row in table_rows(summary)]
    assert widths == [round(100 * share / max(shares)) for share in shares]


def test_it_stays_small_for_a_long_document(a_summary) -> None:
    many = a_summary(labels=[f"{number} Part" for number in range(300)])
    html = many._repr_html_()
    assert html.count("<tr") <= TABLE_ROWS
    assert re.search(r"29\d further parts", html)
    assert len(html) < 6000
    assert sum(int(share) for share in re.findall(r">(\d+) %<", html)) == 100


def test_text_of_documents_is_never_markup(a_summary) -> None:
    hostile = a_summary(labels=[HOSTILE] * 2, sentences=[HOSTILE], title=HOSTILE, sources=[HOSTILE])
    html = replace(hostile, model=HOSTILE, locality=HOSTILE)._repr_html_()
    page = Parsed(html)
    assert page.open == []
    assert {tag for tag, _ in page.elements} == {"div", "span", "small", "table", "tr", "td"}
    assert {name for _, attributes in page.elements for name in attributes} == {
        "class",
        "style",
        "title",
    }
    assert all(
        HOSTILE[:9] not in (attributes.get("style") or "") for _, attributes in page.elements
    )
    assert "<script>alert(1)</script>" in unescape(page.text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", html)
    assert "mathjax_ignore" in (page.elements[0][1]["class"] or "")  # $x^2$ stays as it is


def test_colors_are_the_notebooks_own(summary: Summary) -> None:
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb|\b(?:black|white|gray)\b", summary._repr_html_())
    assert "<style" not in summary._repr_html_()


@pytest.mark.parametrize("title", ["", "Wheat"])
def test_a_summary_without_sentences_or_title(a_summary, title: str) -> None:
    empty = replace(a_summary(title=title), sentences=(), text="", tokens=())
    assert Parsed(empty._repr_html_()).open == []


def test_it_needs_neither_torch_nor_rich(summary: Summary) -> None:
    code = (
        "import json, sys; from pagesum_cli.summary.summary import Summary; "
        "print(Summary.from_json(json.load(sys.stdin))._repr_html_()); "
        "print(sorted({'torch', 'rich', 'typer', 'transformers'} & sys.modules.keys()), "
        "file=sys.stderr)"
    )
    data = json.dumps(summary.to_json())
    done = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{summary._repr_html_()}\n"
    assert done.stderr == "[]\n"
