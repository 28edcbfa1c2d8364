"""Evaluations as tables."""

import io

import pytest
from rich.console import Console

from pagesum_cli.evaluation.report import Evaluation, comparison_of, full_signature, row_of
from pagesum_cli.views.evaluation import as_csv, as_latex, as_markdown, detail_table, evaluation_view, systems_table


def evaluation(**changes):
    scores = [{"rouge1": {"f": f, "p": 10.0, "r": 90.0}, "rep-1": {"value": 1.0}} for f in (10.0, 20.0, 60.0)]
    del scores[2]["rep-1"]
    fields = {
        "data": "d",
        "model": "m",
        "n": 3,
        "signature": full_signature(["rouge|x"]),
        "system": row_of(scores, ["a b", "", "c d e f"]),
        "reference_words": 5.0,
        "command": "pagesum eval --data d",
    }
    return Evaluation(**{**fields, **changes})


def test_means_are_over_the_documents_that_have_the_score():
    found = evaluation()
    assert found.system.columns["rouge1"].means == {"f": 30.0, "p": 10.0, "r": 90.0}
    assert found.system.columns["rep-1"].n == 2
    assert (found.system.words, found.system.empty) == (2.0, 1)
    metrics = found.to_json()["metrics"]
    assert set(metrics["rouge1"]) == {"f", "p", "r", "low", "high"}
    assert metrics["rep-1"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 2}
    assert detail_table(found)[1][1][0] == "rep-1 (2 of 3)"


def test_the_terminal_shows_hostile_names_as_text():
    stream = io.StringIO()
    console = Console(file=stream, width=200, markup=False, highlight=False)
    published = {"[red]y": {"rouge1": 1.0}}
    console.print(evaluation_view(evaluation(model="[bold]x\x1b[31m", data="a\nb", published=published)))
    assert "[bold]x[31m" in stream.getvalue()
    assert "[red]y, as published" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize(
    ("write", "cell", "expected"),
    [
        (as_markdown, "a|b", r"a\|b"),
        (
            as_latex,
            "50% & _x_ \\ ~^ #{1}$",
            r"50\% \& \_x\_ \textbackslash{} \textasciitilde{}\textasciicircum{} \#\{1\}\$",
        ),
        (as_csv, 'a,"b"', '"a,""b"""'),
    ],
)
def test_each_format_writes_its_own_special_characters_as_text(write, cell, expected):
    assert expected in write(["", "x"], [[cell, "1"]])


def test_published_rows_are_marked_and_leave_out_what_was_not_published():
    header, rows = systems_table(evaluation(published={"Paper": {"rouge1": 59.91}}))
    assert header == ["", "R-1", "rep-1", "words"]
    assert rows[-1] == ["Paper, as published", "59.91", "", ""]


def test_scores_that_one_document_lacks_are_not_compared():
    scores = [{"rouge1": {"f": 1.0}, "rep-1": {"value": 1.0}}, {"rouge1": {"f": 2.0}}]
    assert list(comparison_of(scores, scores)) == ["rouge1"]
