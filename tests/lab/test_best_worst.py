"""Best-worst scaling: from systems' results to pairs, and from annotators' choices to scores and
tests.
"""

import csv
import io
import json
import math
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.results import Result
from pagesum_cli.lab.annotation import (
    Annotation,
    Sheet,
    make_sheet,
    read_annotations,
    read_key,
    report_of,
)
from pagesum_cli.lab.protocols import CRITERIA, Item, Mark

NAMES = ("first", "second", "third")


@pytest.fixture
def results(tmp_path: Path) -> dict[str, Path]:
    """Three systems' summaries of 20 documents."""
    paths = {}
    for system in NAMES:
        path = paths[system] = tmp_path / system / "results.jsonl"
        path.parent.mkdir()
        name = f"the {len(system)}-letter one\nof {system[:2]}"
        lines = [
            {
                "id": f"document-{number}",
                "prediction": f"=Wheat  in county {number} was late, says {name}.",
                "reference": f"Rain in county {number}.",
            }
            for number in range(20)
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
    return paths


def sheets(
    results: dict[str, Path], folder: Path, pagesum: Callable, names: tuple[str, ...], *more: str
) -> Sheet:
    flags = [word for name in names for word in ("--results", results[name])]
    made = pagesum("eval", "--annotate", folder, "--protocol", "best-worst", *flags, *more)
    assert made.code == 0, made.err
    return read_key(key_of(folder))


def key_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.key.json")


def filled(folder: Path, choose: Callable[[dict, str], str], path: Path) -> Path:
    """A sheet as an annotator fills it in: ``choose`` gives A, B or nothing for a line and a
    criterion.
    """
    rows = list(csv.DictReader(io.StringIO((folder / "sheet.csv").read_text())))
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows({**row, **{name: choose(row, name) for name in CRITERIA}} for row in rows)
    return path


def test_each_document_has_each_pair_of_systems_once_in_either_order(
    results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    sheet = sheets(results, tmp_path / "sheets", pagesum, NAMES, "--documents", "15")
    assert len(sheet.documents) == 15
    pairs = Counter((item.document, *sorted(item.systems)) for item in sheet.items)
    assert pairs == dict.fromkeys(
        ((one, *pair) for one in sheet.documents for pair in combinations(NAMES, 2)), 1
    )
    assert len({item.systems for item in sheet.items}) == 6  # each system is A and B
    for item in sheet.items:
        for system, text in zip(item.systems, item.texts, strict=True):
            assert text.endswith(f"the {len(system)}-letter one of {system[:2]}.")
    shown = "".join(path.read_text() for path in (tmp_path / "sheets").iterdir())
    assert "document-" not in shown
    assert "results.jsonl" not in shown
    assert "first" not in shown
    lines = list(csv.reader(io.StringIO((tmp_path / "sheets" / "sheet.csv").read_text())))
    assert lines[0] == ["code", "reference", "A", "B", "FactAcc", "Inform", "Gramm", "NonRed"]
    assert not any(cell.startswith("=") for line in lines for cell in line)
    assert sheets(results, tmp_path / "again", pagesum, NAMES, "--documents", "15") == sheet
    assert (
        sheets(results, tmp_path / "other", pagesum, NAMES, "--documents", "15", "--seed", "1")
        != sheet
    )


def test_two_systems_get_opposite_scores_and_the_paired_t_test(
    results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    pytest.importorskip("scipy")
    sheet = sheets(results, tmp_path / "sheets", pagesum, ("first", "second"), "--documents", "12")
    systems = {item.code: item.systems for item in sheet.items}
    documents = {item.code: item.document for item in sheet.items}
    rng, won, files = random.Random(3), Counter(), []
    for annotator in range(3):

        def choose(row: dict, criterion: str) -> str:
            if criterion == "Gramm":  # all the same
                return "AB"[systems[row["code"]].index("second")]
            best = (
                "second"
                if rng.random() < {"FactAcc": 0.8, "Inform": 0.5, "NonRed": 0.6}[criterion]
                else "first"
            )
            won[documents[row["code"]], criterion] += 1 if best == "second" else -1
            return rng.choice([str.upper, str.lower])("AB"[systems[row["code"]].index(best)])

        files.append(filled(tmp_path / "sheets", choose, tmp_path / f"{annotator}.csv"))
    flags = [word for path in files for word in ("--annotations", path)]
    command = ["eval", *flags, "--key", key_of(tmp_path / "sheets")]
    report = json.loads(pagesum(*command, "--format", "json").out)
    assert (report["protocol"], report["test"], report["anova"]) == (
        "best-worst",
        "paired t-test",
        {},
    )
    assert report["judgements"] == dict.fromkeys(CRITERIA, 36)
    p = {one["label"]: one["p"] for one in report["significance"]}
    for criterion in ("FactAcc", "Inform", "NonRed"):
        means = np.array([won[one, criterion] / 3 for one in sheet.documents])
        assert report["scores"]["second"][criterion] == pytest.approx(means.mean())
        assert report["scores"]["first"][criterion] == pytest.approx(-means.mean())
        # The paired t-test is that of the differences, 2 × means, against 0.
        t = means.mean() / (means.std(ddof=1) / math.sqrt(len(means)))
        assert p[criterion] == pytest.approx(two_sided(t, len(means) - 1), abs=1e-6)
    assert (report["scores"]["second"]["Gramm"], p["Gramm"]) == (1, 0)
    assert report["incomplete"] == 0
    shown = pagesum(*command)
    assert "12 documents, 3 annotators, 36 judgements by each criterion" in shown.out
    assert f"{report['scores']['second']['FactAcc']:.3f}" in shown.out
    for name in ("markdown", "latex", "csv"):
        assert "FactAcc" in pagesum(*command, "--format", name).out


def choices_of(annotation: Annotation) -> dict[tuple[str, str], int]:
    """The number of the better summary, by code and criterion."""
    return {
        (code, mark.label): mark.value[0]
        for code, marks in annotation.marks.items()
        for mark in marks
    }


def two_sided(t: float, freedom: int) -> float:
    """The p-value of Student's t by numerical integration of its density."""
    x = np.linspace(0, abs(t), 200001)
    density = (1 + x**2 / freedom) ** (-(freedom + 1) / 2)
    density *= math.gamma((freedom + 1) / 2) / (
        math.sqrt(freedom * math.pi) * math.gamma(freedom / 2)
    )
    return float(1 - 2 * np.trapezoid(density, x))


def test_three_systems_get_the_analysis_of_variance_and_tukeys_test(
    results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    pytest.importorskip("scipy")
    sheet = sheets(results, tmp_path / "sheets", pagesum, NAMES)
    systems = {item.code: item.systems for item in sheet.items}
    rng = random.Random(4)
    strength = {"first": 0.0, "second": 2.0, "third": 2.1}

    def choose(row: dict, criterion: str) -> str:
        a, b = systems[row["code"]]
        return "A" if rng.gauss(strength[a]) > rng.gauss(strength[b]) else "B"

    files = [filled(tmp_path / "sheets", choose, tmp_path / f"{n}.csv") for n in range(3)]
    report = report_of(sheet, [read_annotations(file, sheet) for file in files])
    assert report.test == "Tukey HSD"
    assert sum(score["FactAcc"] for score in report.scores.values()) == pytest.approx(0)
    assert report.scores["first"]["FactAcc"] < -0.5
    p = {(one.a, one.b): one.p for one in report.significance if one.label == "FactAcc"}
    assert p["first", "second"] < 0.01
    assert p["first", "third"] < 0.01
    assert p["second", "third"] > 0.05
    # F of the one-way analysis by its definition: a small p where it is large.
    choices = [choices_of(read_annotations(file, sheet)) for file in files]
    means = np.array([
        [
            np.mean([
                1 if item.systems[one[item.code, "FactAcc"]] == system else -1
                for item in sheet.items if item.document == document and system in item.systems
                for one in choices
            ])
            for document in sheet.documents
        ]
        for system in sheet.systems
    ])  # fmt: skip
    assert means.mean(1) == pytest.approx(
        [report.scores[system]["FactAcc"] for system in sheet.systems]
    )
    between = 20 * ((means.mean(1) - means.mean()) ** 2).sum() / 2
    within = ((means - means.mean(1, keepdims=True)) ** 2).sum() / (means.size - 3)
    from scipy import stats

    assert report.anova["FactAcc"] == pytest.approx(stats.f.sf(between / within, 2, means.size - 3))


def test_what_was_not_judged_is_missing() -> None:
    pytest.importorskip("scipy")
    items = tuple(
        Item(f"S{n}", f"d{n}", ("a", "b") if n else ("b", "a"), ("x", "y"), "R.") for n in range(2)
    )
    sheet = Sheet("best-worst", items, 0, 2)
    all_a = frozenset(Mark(criterion, (0,)) for criterion in CRITERIA)
    single_choice = Annotation("y", {"S0": frozenset([Mark("Inform", (0,))])})
    report = report_of(sheet, [Annotation("x", {"S0": all_a, "S1": all_a}), single_choice])
    # of S0, two judgements for b; of S1, one for a
    assert report.scores["b"]["Inform"] == pytest.approx(1 / 3)
    assert report.judgements == {"FactAcc": 2, "Inform": 3, "Gramm": 2, "NonRed": 2}
    assert report.incomplete == 2
    assert report.alphas["FactAcc"] is None
    one = report_of(Sheet("best-worst", items[:1], 0, 1), [Annotation("x", {"S0": all_a})])
    assert {test.p for test in one.significance} == {None}
    with pytest.raises(PagesumError, match="a was not judged by FactAcc"):
        report_of(sheet, [single_choice])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "code,FactAcc,Inform,Gramm,NonRed\nS99x,A,A,A,A\n",
            "line 2: unknown code 'S99x', expected S01",
        ),
        (
            "code,FactAcc,Inform,Gramm,NonRed\nS01,A,A,C,A\n",
            "line 2: Gramm is 'C', expected A or B",
        ),
        (
            "code,FactAcc,Inform,Gramm,NonRed\nS01,A,A,A,A\nS01,B,B,B,B\n",
            "line 3: S01 a second time",
        ),
        (
            "code,A,FactAcc,Inform,Gramm,NonRed\nS01,Another.,A,A,A,A\n",
            "summary A is not that of S01 in the key",
        ),
        (
            "code,FactAcc,Inform,Gramm\nS01,A,A,A\n",
            "with the columns code, FactAcc, Inform, Gramm and NonRed",
        ),
        ("code,FactAcc,Inform,Gramm,NonRed\nS01,,,,\n", "no summary was annotated"),
    ],
)
def test_what_is_wrong_in_a_sheet_of_pairs_is_said_in_one_line(
    lines: str, message: str, results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    sheets(results, tmp_path / "sheets", pagesum, ("first", "second"))
    path = tmp_path / "filled.csv"
    path.write_text(lines)
    result = pagesum("eval", "--annotations", path, "--key", key_of(tmp_path / "sheets"))
    assert (result.code, message in result.err) == (1, True), result.err
    assert result.err.count("error:") == 1


def test_flags_of_the_other_protocol_and_single_systems_are_refused(
    results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    command = [
        "eval",
        "--annotate",
        tmp_path / "new",
        "--protocol",
        "best-worst",
        "--results",
        results["first"],
    ]
    single = pagesum(*command)
    assert (single.code, "a sheet needs two systems, found one" in single.err) == (1, True)
    other = pagesum(*command, "--results", results["second"], "--references-as-system")
    assert (
        other.code,
        "--references-as-system does nothing with --protocol best-worst" in other.err,
    ) == (2, True)
    alone = pagesum("eval", "--data", "sample", "--protocol", "best-worst")
    assert (alone.code, "--protocol does nothing where a model is run" in alone.err) == (2, True)
    assert not (tmp_path / "new").exists()
    (tmp_path / "key.json").write_text(
        '{"protocol": "best-worst", "items": [{"code": "S1"}], "seed": 1}'
    )
    broken = pagesum("eval", "--annotations", results["first"], "--key", tmp_path / "key.json")
    assert (broken.code, "expected the key of a sheet" in broken.err) == (1, True)


def test_documents_without_a_reference_or_a_summary_are_left_out() -> None:
    systems = {
        "a": [Result("1", "One.", "x"), Result("2", "Two.", "x"), Result("3", "3.", " ")],
        "b": [Result("1", " ", "x"), Result("2", "2.", "x"), Result("3", "3.", " ")],
    }
    sheet = make_sheet("best-worst", systems, 30, 0)
    assert (sheet.documents, sheet.available) == (["2"], 1)
