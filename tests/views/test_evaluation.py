"""Evaluations as tables."""

import csv
import io
from dataclasses import replace

import pytest
from rich.console import Console

from pagesum_cli.evaluation.report import (
    ComparisonReport,
    Evaluation,
    PublishedRow,
    full_signature,
    row_of,
    significance_of,
)
from pagesum_cli.views.evaluation import (
    comparison_view,
    detail_table,
    evaluation_view,
    published_note,
    systems_table,
    written,
)
from pagesum_cli.views.tables import as_text


def evaluation(**changes):
    scores = [
        {"rouge1": {"f": f, "p": 10.0, "r": 90.0}, "rep-1": {"value": 1.0}}
        for f in (10.0, 20.0, 60.0)
    ]
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
    published = [PublishedRow("1", "[red]y", {"rouge1": 1.0})]
    console.print(
        evaluation_view(evaluation(model="[bold]x\x1b[31m", data="a\nb", published=published))
    )
    assert "[bold]x[31m" in stream.getvalue()
    assert "Table 1: [red]y" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize(
    ("output_format", "cell", "expected"),
    [
        ("markdown", "a|b", r"a\|b"),
        (
            "latex",
            "50% & _x_ \\ ~^ #{1}$",
            r"50\% \& \_x\_ \textbackslash{} \textasciitilde{}\textasciicircum{} \#\{1\}\$",
        ),
        ("csv", 'a,"b"', '"a,""b"""'),
    ],
)
def test_each_format_writes_its_own_special_characters_as_text(output_format, cell, expected):
    assert expected in as_text(["", "x"], [[cell, "1"]], output_format)


def test_published_rows_have_their_marks_and_an_unknown_rouge_l_a_column_of_its_own():
    rows = [
        PublishedRow(
            "1", "LED", {"rouge1": 48.1, "rougeL-unknown": 41.83}, 16384, marks=("reported",)
        ),
        PublishedRow(
            "5", "P", {"rouge1": 48.29}, 4096, 256, ("star", "dagger"), "LED (ddagger)", 0.01
        ),
    ]
    found = evaluation(published=rows)
    header, lines = systems_table(found)
    assert header == ["", "R-1", "rep-1", "R-L (kind unknown)", "words"]
    assert lines[0][:2] == ["m", "30.00"]
    assert lines[0][3] == ""
    assert lines[1] == ["Table 1: LED (16,384) *", "48.10", "", "41.83", ""]
    assert lines[2] == ["Table 5: P (16 × 256) ⋆†", "48.29", "", "", ""]
    assert "* reported by that system's own paper; ⋆ from" in published_note(rows)
    assert published_note(rows).endswith("† better than LED ‡, p < 0.01.")
    assert "‡ made" not in published_note(rows)
    assert r"(16 $\times$ 256) $^\star$$^\dagger$" in str(written(found, "latex"))
    values = [
        row
        for row in csv.DictReader(io.StringIO(str(written(found, "csv"))))
        if row["published"] == "yes"
    ]
    assert [(one["metric"], one["value"]) for one in values] == [
        ("rouge1", "48.1"),
        ("rougeL-unknown", "41.83"),
        ("rouge1", "48.29"),
    ]


def test_what_uses_the_reference_is_marked_in_every_format():
    bound = replace(row_of([{"rouge1": {"f": 90.0}}] * 3, ["a"] * 3), uses_reference=True)
    rows = [
        PublishedRow(
            "3",
            "Extractive Oracle",
            {"rouge1": 49.0},
            marks=("oracle",),
            paper="top-down",
            note="odd",
        )
    ]
    found = evaluation(baselines={"oracle": bound}, published=rows)
    assert found.to_json()["uses_reference"] == ["oracle"]
    for output_format in ("markdown", "csv"):
        text = str(written(found, output_format))
        assert "oracle §" in text
        assert "Table 3: Extractive Oracle §" in text
    assert r"oracle $^\S$ & 90.00" in str(written(found, "latex"))
    stream = io.StringIO()
    Console(file=stream, width=120, markup=False, highlight=False).print(written(found, "table"))
    assert "§ uses the reference summary" in stream.getvalue()
    assert "Pang et al. (2022). Table 3, Extractive Oracle: odd." in stream.getvalue()
    assert "§" not in str(written(evaluation(), "markdown"))


def test_scores_are_compared_on_the_documents_for_which_both_have_them():
    first = [
        {"rouge1": {"f": 1.0}, "rep-1": {"value": 1.0}},
        {"rouge1": {"f": 2.0}, "rep-2": {"value": 1.0}},
    ]
    second = [
        {"rouge1": {"f": 1.0}, "rep-1": {"value": 3.0}},
        {"rouge1": {"f": 2.0}, "rep-1": {"value": 9.0}},
    ]
    found = significance_of({"first": first, "second": second})
    assert [test.metric for test in found] == ["rouge1", "rep-1"]
    assert found[1].comparison.difference == pytest.approx(2.0)


def test_a_table_wider_than_the_terminal_is_divided_and_nothing_is_cut():
    scores = [
        {name: {"f": 10.0} for name in ("rouge1", "rouge2", "rougeLsum")}
        | {"coherence": {"value": 98.1}}
    ] * 2
    published = (
        PublishedRow(
            "1",
            "PageSum",
            {"rouge1": 49.72, "rougeL-unknown": 44.69},
            max_input=7168,
            marks=("star",),
        ),
        *(
            PublishedRow("3", f"PageSum-Discourse{place}", {"coherence": 97.98})
            for place in range(5)
        ),
    )
    stream = io.StringIO()
    shown = written(
        evaluation(n=2, system=row_of(scores, ["a b"] * 2), published=published), "table"
    )
    Console(file=stream, width=80, markup=False, highlight=False).print(shown)
    lines = [" ".join(line.split()) for line in stream.getvalue().splitlines()]
    assert max(map(len, stream.getvalue().splitlines())) <= 80
    assert "…" not in stream.getvalue()
    assert {"R-1 R-2 R-Lsum coherence", "R-L (kind unknown) words"} <= set(lines)
    assert "Table 3: PageSum-Discourse4 97.98" in lines
    assert [line for line in lines if line.startswith("Table 1: PageSum (7,168) ⋆")] == [
        "Table 1: PageSum (7,168) ⋆ 49.72",
        "Table 1: PageSum (7,168) ⋆ 44.69",
    ]


def test_a_comparison_fits_80_columns():
    scores = [{"rouge1": {"f": 10.0 + place}} for place in range(8)]
    (test,) = significance_of({"first": scores, "second": scores})
    report = ComparisonReport("a", "b", 8, "rouge|x", {"rouge1": test.comparison})
    stream = io.StringIO()
    Console(file=stream, width=80, markup=False, highlight=False).print(comparison_view(report))
    shown = stream.getvalue()
    assert "…" not in shown
    for name in (
        "first",
        "difference",
        "95 % interval",
        "p bootstrap",
        "p randomization",
        "wins–ties–losses",
    ):
        assert name in shown
    assert shown.count("R-1 ") == 2


def with_a_system():
    scores = {
        "m": [{"rouge1": {"f": 10.0 + place}, "rep-1": {"value": 1.0}} for place in range(8)],
        "led": [{"rouge1": {"f": 12.0 + place}} for place in range(8)],
    }
    scores["led"][0]["rep-1"] = {"value": 4.0}
    rows = {name: row_of(one, ["a b"] * 8) for name, one in scores.items()}
    return evaluation(
        n=8, system=rows["m"], systems={"led": rows["led"]}, significance=significance_of(scores)
    )


def test_each_two_systems_are_tested_on_the_documents_for_which_both_have_the_score():
    rouge, repetition = with_a_system().to_json()["significance"]
    assert (rouge["a"], rouge["b"], rouge["metric"], rouge["difference"]) == (
        "m",
        "led",
        "rouge1",
        2.0,
    )
    # Exchanged at random, eight differences of 2 have the same sign once in 128 times.
    assert rouge["p"] == max(rouge["p_bootstrap"], rouge["p_randomization"])
    assert rouge["p_randomization"] == pytest.approx(1 / 128, abs=0.008)
    assert "n" not in rouge
    assert (repetition["difference"], repetition["n"]) == (3.0, 1)


@pytest.mark.parametrize("output_format", ["table", "markdown", "latex"])
def test_differences_of_systems_stand_below_the_table(output_format):
    stream = io.StringIO()
    Console(file=stream, width=200, markup=False, highlight=False).print(
        written(with_a_system(), output_format)
    )
    shown = stream.getvalue()
    assert shown.index("R-1") < shown.index("led") < shown.index("led against m")
    assert "+2.00" in shown
    assert "led against m (1 of 8)" in shown
    assert ("†" in shown) or (r"+2.00 $^\dagger$" in shown)


def test_differences_are_rows_of_the_csv():
    lines = list(csv.DictReader(io.StringIO(str(written(with_a_system(), "csv")))))
    values = [(one["system"], one["against"], one["metric"], float(one["value"])) for one in lines]
    assert ("led", "", "rouge1", 15.5) in values
    assert ("led", "m", "rouge1", 2.0) in values
    (test,) = [one for one in lines if one["against"] and one["metric"] == "rouge1"]
    assert 0 < float(test["p_randomization"]) < 0.05
    assert (test["low"], test["high"], test["documents"]) == ("2.0", "2.0", "8")
