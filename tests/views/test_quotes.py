"""Summaries of quoted sentences: where a quote stands is a fact."""

import io
import json
import re
from dataclasses import replace

import pytest
from rich.console import Console

from pagesum_cli.summary.page_confidences import page_figures
from pagesum_cli.summary.summary import Source, Summary
from pagesum_cli.views.citation import citation_of
from pagesum_cli.views.evidence import evidence_view, has_evidence, with_reason
from pagesum_cli.views.export import csv_text
from pagesum_cli.views.formats import written
from pagesum_cli.views.heatmap import HeatMap, figures_view, parts_table
from pagesum_cli.views.reading_page.page import reading_page
from pagesum_cli.views.rows import section_rows

LABELS = (
    "Abstract",
    "1 Introduction",
    "2 Methods (1/2)",
    "2 Methods (2/2)",
    "3 Results",
    "4 Discussion",
)


def drawn(renderable):
    console = Console(file=io.StringIO(), width=120, color_system=None)
    console.print(renderable)
    return console.file.getvalue()


def test_a_citation_names_the_section_and_page_where_the_quote_stands(quoted):
    assert [citation_of(quoted, sentence).text for sentence in quoted.sentences] == [
        "p. 5, 3 Results",
        "p. 4, 2 Methods",
        "p. 3–4, 2 Methods",
    ]


@pytest.mark.parametrize(
    ("label", "cited"),
    [
        ("Opening – 1 Lessons", "Opening"),
        ("a.md: Opening – 1 Lessons (1/2)", "Opening"),
        ("Opening (1/2)", "Opening"),
        ("p. 3–5", "p. 3–5"),
    ],
)
def test_a_citation_of_the_opening_does_not_name_the_section_after_it(a_summary, label, cited):
    summary = a_summary()
    summary = replace(summary, pages=(replace(summary.pages[0], label=label), *summary.pages[1:]))
    sentence = replace(
        summary.sentences[0], source=Source(0, 0, summary.pages[0].source, "", (), 0, 9)
    )
    assert citation_of(summary, sentence).text == cited


def test_the_columns_of_the_heat_map_are_the_sentences_and_show_which_parts_competed(quoted):
    text = drawn(HeatMap(quoted, "word"))
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    for row in section_rows(quoted):
        numbers = {page.page for page in row.pages}
        for sentence in quoted.sentences:
            share = sum(share.confidence for share in sentence.pages if share.page in numbers)
            assert f"{100 * share:.0f}" in lines[row.label]
    assert [int(number) for number in lines["sentence"].split()[1:]] == [1, 2, 3]


def test_brackets_mark_the_section_where_the_quote_stands(quoted):
    lines = {line.split("  ")[0]: line for line in drawn(HeatMap(quoted, "word")).splitlines()}
    marked = {label: len(re.findall(r"\[\d+\]", line)) for label, line in lines.items()}
    assert {label: number for label, number in marked.items() if number} == {
        "3 Results": 1,
        "2 Methods": 2,
    }


def test_the_sentences_below_name_the_section_they_stand_in_not_the_strongest(quoted):
    lines = drawn(HeatMap(quoted)).splitlines()
    below = [line for line in lines if re.match(r"[123] (Farms|The council|Two hundred)", line)]
    places = ["p. 5, 3 Results", "p. 4, 2 Methods", "p. 3–4, 2 Methods"]
    assert all(line.rstrip().endswith(place) for line, place in zip(below, places, strict=True))


def test_each_part_counts_the_sentences_quoted_from_it(quoted):
    assert [one.sentences for one in page_figures(quoted)] == [(), (), (2,), (1,), (0,), ()]
    text = drawn(parts_table(quoted, 9))
    assert sum(one.words for one in page_figures(quoted)) == len(quoted.text.split())
    assert " at " not in text.splitlines()[0]


def test_figures_are_by_sentence(quoted):
    assert "at each sentence" in drawn(figures_view(quoted))


def test_evidence_is_a_quote_between_its_neighbors(quoted):
    text = drawn(evidence_view(quoted)).splitlines()
    first = next(place for place, line in enumerate(text) if quoted.sentences[0].text in line)
    assert text[first - 1].strip() == "1 ↑ Rain fell for eleven days."
    assert text[first].rstrip().endswith("[p. 5, 3 Results]")
    assert text[first + 1].strip() == "↓ The hills lost a tenth."
    for sentence in quoted.sentences:
        assert " ".join(" ".join(text).split()).count(sentence.text) == 1
    assert "✗" not in "".join(text)
    assert "The hills lost a tenth." in reading_page(quoted)


def test_a_neighbor_that_cannot_be_quoted_has_the_reason():
    assert with_reason("The hills lost a tenth.") == "The hills lost a tenth."
    reason = "(not quoted: begins inside. It begins in the middle of a sentence.)"
    assert with_reason("and the mills were closed.") == f"and the mills were closed. {reason}"


@pytest.mark.parametrize("place", [(3, 1), (0, 0)])
def test_a_neighbor_that_the_summary_quotes_too_is_not_repeated(quoted, place):
    first, second, *rest = quoted.sentences
    after = f"• {second.text}"
    page, number = place if place != (0, 0) else (4, 0)  # of the next part
    start = first.source.end + 2 if place == (0, 0) else second.source.start
    first = replace(first, source=replace(first.source, page=3, sentence=0, after=after))
    second = replace(second, source=replace(second.source, page=page, sentence=number, start=start))
    text = drawn(evidence_view(replace(quoted, sentences=(first, second, *rest))))
    assert text.count(second.text[:40]) == 1


def test_quotes_need_no_evidence_in_markdown(quoted):
    assert "Evidence" not in written(quoted, "markdown", cite=True)


def test_a_saved_summary_without_neighbors_has_no_evidence(quoted):
    assert has_evidence(quoted)
    old = [
        replace(one, source=replace(one.source, before=None, after=None))
        for one in quoted.sentences
    ]
    assert not has_evidence(replace(quoted, sentences=tuple(old)))


def test_json_keeps_the_source(quoted):
    data = json.loads(written(quoted, "json"))
    assert data["sentences"][0]["source"] == {
        "page": 4,
        "sentence": 2,
        "file": "harvest.pdf",
        "section": "3 Results",
        "pdf_pages": [5],
        "start": 900,
        "end": 975,
        "before": "Rain fell for eleven days.",
        "after": "The hills lost a tenth.",
    }
    assert data["tokens"] == []
    assert Summary.from_json(data).sentences[1].source == quoted.sentences[1].source


def test_exports_have_a_step_for_each_sentence(quoted):
    assert len(csv_text(quoted, "word").splitlines()) == 1 + 3
    # the page, bars of the parts, cells of the map
    assert reading_page(quoted).count("<title>") == 1 + 6 + 3 * 6


def test_a_quote_that_needs_context_has_a_sign_in_every_view(quoted):
    first, *others = quoted.sentences
    marked = replace(quoted, sentences=(replace(first, needs_context=True), *others))
    assert f"{first.text} ↩ [p. 5, 3 Results]" in written(marked, "text", cite=True)
    assert f"{first.text} (needs context)" in written(marked, "markdown", cite=False)
    for page in (written(marked, "html", cite=True), marked._repr_html_()):
        assert (
            page.count(
                'title="It refers to something that is not in the summary.">(needs context)</small>'
            )
            == 1
        )
    data = json.loads(written(marked, "json"))
    assert ["needs_context" in one for one in data["sentences"]] == [True, False, False]
    assert [one.needs_context for one in Summary.from_json(data).sentences] == [True, False, False]
    assert "↩" not in written(marked, "text", cite=False)  # the text alone
    for view in ("text", "markdown", "html"):
        assert not re.search("↩|[(]needs context[)]", written(quoted, view, cite=False))


@pytest.mark.parametrize(
    ("omitted", "inserted"),
    [
        ([[0, 4], [2, 5]], []),
        ([[5, 2]], []),
        ([[70, 80]], []),
        ([[0, 1]], [[0, "X"]]),
        ([[0, 1]], [[80, "F"]]),
        ([[0, 2]], [[0, "F"]]),
        ([[-1, 0]], []),
        ([], [["0", "F"]]),
    ],
)
def test_repairs_that_do_not_fit_are_refused(quoted, omitted, inserted):
    data = json.loads(written(quoted, "json"))
    data["sentences"][0]["source"]["end"] = 900 + len(quoted.sentences[0].text)
    data["sentences"][0]["source"] |= {"omitted": [[0, 1]], "inserted": [[0, "F"]]}
    assert Summary.from_json(data).sentences[0].source.inserted == ((0, "F"),)
    data["sentences"][0]["source"] |= {"omitted": omitted, "inserted": inserted}
    with pytest.raises(ValueError, match="expected"):
        Summary.from_json(data)
