"""Human evaluation: from systems' results to sheets, and from annotators' sheets to a table."""

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, permutations
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.results import Result
from pagesum_cli.lab.annotation import (
    Annotation,
    Sheet,
    krippendorff_alpha,
    make_sheet,
    read_annotations,
    read_key,
    report_of,
)
from pagesum_cli.lab.protocols import ERRORS, Item, Mark

TYPES = list(ERRORS)
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability": four observers, twelve units, α
# = 0.849 (interval).
OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)


@pytest.fixture
def results(tmp_path: Path) -> dict[str, Path]:
    """Two systems' summaries of 40 documents."""
    paths = {}
    for system in ("first", "second"):
        path = paths[system] = tmp_path / system / "results.jsonl"
        path.parent.mkdir()
        lines = [
            {
                "id": f"document-{number}",
                "prediction": f"=Wheat  in county {number} was late, <b>says</b> {system[0]} "
                f"one. Rain\nfell there.",
                "reference": f"Rain in county {number}. The harvest was late.",
            }
            for number in range(40)
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
    return paths


@pytest.fixture
def sheets(results: dict[str, Path], tmp_path: Path, pagesum: Callable) -> Path:
    folder = tmp_path / "sheets"
    flags = [word for path in results.values() for word in ("--results", path)]
    made = pagesum("eval", "--annotate", folder, *flags)
    assert made.code == 0, made.err
    assert "60 summaries of 30 out of 40 documents by first, second, seed 12345" in made.out
    return folder


def key_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.key.json")


def filled(
    folder: Path, fill: Callable[[dict], list[tuple[str, str]]], path: Path, delimiter: str = ","
) -> Path:
    """A sheet as an annotator fills it in: ``fill`` gives the errors and spans of a line."""
    rows = list(csv.DictReader(io.StringIO((folder / "sheet.csv").read_text())))
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        for row in rows:
            for error, span in fill(row) or [("", "")]:
                writer.writerow({**row, "error": error, "span": span})
    return path


def test_alpha_is_that_of_the_literature() -> None:
    assert krippendorff_alpha(list(zip(*OBSERVERS, strict=True))) == pytest.approx(0.849, abs=5e-4)


def test_alpha_of_a_small_example_worked_by_hand() -> None:
    """Units (0, 1), (1, 1), (2, 4): D_o = (2·1 + 0 + 2·4) / 6; D_e = mean over ordered pairs of 0 1
    1 1 2 4.
    """
    values = [0, 1, 1, 1, 2, 4]
    expected = sum((a - b) ** 2 for a, b in permutations(values, 2)) / 30
    assert krippendorff_alpha([(0, 1), (1, 1), (2, 4)]) == pytest.approx(1 - (10 / 6) / expected)


def test_alpha_at_the_edges() -> None:
    assert krippendorff_alpha([(1, 1), (2, 2), (None, 5)]) == pytest.approx(1)
    assert krippendorff_alpha([(0, 1), (1, 0)]) == pytest.approx(-0.5)
    assert krippendorff_alpha([(3, 3), (3, 3)]) is None  # nothing varies
    assert krippendorff_alpha([(1, None), (2,)]) is None  # nobody to agree with
    assert krippendorff_alpha([]) is None


def test_sheets_are_anonymous_shuffled_and_the_same_for_the_same_seed(
    sheets: Path, results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    sheet = read_key(key_of(sheets))
    assert Counter(entry.systems[0] for entry in sheet.items) == {"first": 30, "second": 30}
    assert len({entry.document for entry in sheet.items}) == 30
    systems = [entry.systems[0] for entry in sheet.items]
    assert len({system for system, following in pairwise(systems) if system == following}) == 2
    text = "".join(path.read_text() for path in sheets.iterdir())
    assert "document-" not in text
    assert "results.jsonl" not in text
    assert not {"first", "second"} & {entry.code for entry in sheet.items}
    flags = [word for path in results.values() for word in ("--results", path)]
    for seed, same in (("12345", True), ("1", False)):
        folder = tmp_path / f"seed{seed}"
        assert pagesum("eval", "--annotate", folder, *flags, "--seed", seed).code == 0
        assert ((folder / "sheet.csv").read_text() == (sheets / "sheet.csv").read_text()) is same
    lines = list(csv.reader(io.StringIO((sheets / "sheet.csv").read_text())))
    # a spreadsheet would compute it
    assert not any(cell.startswith("=") for line in lines for cell in line)


def test_references_can_be_a_system(
    results: dict[str, Path], tmp_path: Path, pagesum: Callable
) -> None:
    flags = ("--results", f"ours={results['first']}", "--references-as-system", "--documents", "50")
    made = pagesum("eval", "--annotate", tmp_path / "sheets", *flags)
    assert "80 summaries of 40 out of 40 documents by ours, reference" in made.out
    assert "warning: 40 documents" in made.err


def test_simulated_annotators_come_back_as_the_table_and_the_agreement(
    sheets: Path, tmp_path: Path, pagesum: Callable
) -> None:
    """The first system is made worse; everything is counted again here, and α by its definition."""
    sheet = read_key(key_of(sheets))
    system = {entry.code: entry.systems[0] for entry in sheet.items}
    document = {entry.code: entry.document for entry in sheet.items}
    rng, counted, files = random.Random(5), [], []
    for annotator in range(3):
        counts: Counter[tuple[str, str]] = Counter()

        def fill(row: dict, counts: Counter = counts) -> list[tuple[str, str]]:
            chance = {"first": 0.6, "second": 0.1}[system[row["code"]]]
            errors = [error for error in TYPES if rng.random() < chance * (error != "InconE")]
            counts.update((row["code"], error) for error in errors)
            return [(error, rng.choice(["", row["text"].split()[0]])) for error in errors]

        files.append(
            filled(sheets, fill, tmp_path / f"annotator{annotator}.csv", ",;\t"[annotator])
        )
        counted.append(counts)
    flags = [word for path in files for word in ("--annotations", path)]
    result = pagesum("eval", *flags, "--key", key_of(sheets), "--format", "json")
    assert result.code == 0, result.err
    report = json.loads(result.out)
    for name in ("first", "second"):
        own = [code for code in system if system[code] == name]
        expected = {
            error: sum(counts[code, error] for counts in counted for code in own) / 3
            for error in TYPES
        }
        assert report["scores"][name] == pytest.approx(
            {**expected, "Total": sum(expected.values())}
        )
    units = [[counts[code, error] for counts in counted] for code in system for error in TYPES]
    values = [value for unit in units for value in unit]
    observed = sum((a - b) ** 2 / 2 for unit in units for a, b in permutations(unit, 2)) / len(
        values
    )
    spread = Counter(values)
    pairs = sum(spread[a] * (spread[b] - (a == b)) * (a - b) ** 2 for a in spread for b in spread)
    assert report["alphas"]["Total"] == pytest.approx(
        1 - observed / (pairs / (len(values) * (len(values) - 1)))
    )
    assert report["alphas"]["InconE"] is None
    p = {one["label"]: one["p"] for one in report["significance"]}
    assert p["Total"] == pytest.approx(1 / 1001)
    assert p["InconE"] == 1
    assert len(document) == 60
    shown = pagesum("eval", *flags, "--key", key_of(sheets))
    assert f"{report['scores']['first']['Total']:.1f}" in shown.out
    assert "α" in shown.out
    for name in ("markdown", "latex", "csv"):
        assert "RefE" in pagesum("eval", *flags, "--key", key_of(sheets), "--format", name).out


def test_what_was_not_read_is_missing_and_the_same_mark_twice_is_one() -> None:
    entries = tuple(Item(f"S{n}", f"d{n // 2}", ("ab"[n % 2],), ("One two.",)) for n in range(4))
    sheet = Sheet("errors", entries, 0, 2)
    mark = Mark("RefE", (0, 3))
    report = report_of(
        sheet,
        [
            Annotation(
                "x",
                {"S0": frozenset({mark}), "S1": frozenset(), "S2": frozenset(), "S3": frozenset()},
            ),
            Annotation("y", {"S0": frozenset({mark, Mark("RefE", (4, 8))})}),
        ],
    )
    assert report.scores["a"] == {"RefE": 1.5, "TopicE": 0, "InconE": 0, "RepE": 0, "Total": 1.5}
    assert report.incomplete == 3
    with pytest.raises(PagesumError, match="b was not judged by RefE"):
        report_of(sheet, [Annotation("y", {"S0": frozenset()})])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("code,error\nS99x,RefE\n", "line 2: unknown code 'S99x', expected S01"),
        (
            "code,error\nS01,\nS01,Ref\n",
            "line 3: unknown error 'Ref', expected one of RefE, TopicE, InconE, RepE",
        ),
        ("code,error,span\nS01,RefE,not there\n", "the span 'not there' is not in the text of S01"),
        ("code,error,start,end\nS01,RefE,3,999\n", "span 3–999 is not in the text of S01"),
        ("code,error,start,end\nS01,RefE,5,5\n", "span 5–5"),
        ("code,error,start,end\nS01,RefE,-1,5\n", "span -1–5"),
        ("code,error,start,end,span\nS01,RefE,0,3,other\n", "span 0–3 is not in the text of S01"),
        ("code,sentence,error\nS01,7,RefE\n", "sentence '7', but S01 has"),
        (
            "code,sentence,text,error\nS01,1,Another text.,RefE\n",
            "the text is not that of S01 in the key",
        ),
        ("code,error,span\nS01,,Rain\n", "a span without an error"),
        ("one,two\n1,2\n", "expected a filled-in sheet with the columns code and error"),
        ("code,error\n", "no summary was annotated"),
        ("", "expected a filled-in sheet"),
    ],
)
def test_what_is_wrong_in_a_sheet_is_said_in_one_line(
    lines: str, message: str, sheets: Path, tmp_path: Path, pagesum: Callable
) -> None:
    path = tmp_path / "filled.csv"
    path.write_text(lines)
    result = pagesum("eval", "--annotations", path, "--key", key_of(sheets))
    assert result.code == 1
    assert message in result.err
    assert result.err.count("error:") == 1


def test_a_span_is_found_in_its_sentence(sheets: Path, tmp_path: Path) -> None:
    sheet = read_key(key_of(sheets))
    entry = sheet.items[0]
    assert entry.texts[0].endswith("Rain fell there.")
    path = tmp_path / "filled.csv"
    path.write_text(
        f"code,sentence,error,span\n{entry.code},2,RepE,fell  "
        f"there\n{entry.code},2,repe,fell there\n"
    )
    (mark,) = read_annotations(path, sheet).marks[entry.code]
    assert entry.texts[0][slice(*mark.value)] == "fell there"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--annotate", "{new}"), 2, "--annotate without --results"),
        (("--annotate", "{new}", "--results", "{first}"), 1, "needs two systems, found one"),
        (
            ("--annotate", "{new}", "--results", "{first}", "--results", "{first}"),
            2,
            "two systems are called 'first'",
        ),
        (
            ("--annotate", "{new}", "--results", "{first}", "--beams", "4"),
            2,
            "--beams does nothing with --annotate",
        ),
        (("--annotate", "{new}", "--results", "nowhere.jsonl"), 1, "nowhere.jsonl: no such file"),
        (
            ("--annotate", "{sheets}", "--results", "{first}", "--references-as-system"),
            1,
            "sheet.html exists",
        ),
        (("--annotations", "{first}"), 2, "--annotations without --key"),
        (("--annotations", "{first}", "--key", "{first}"), 1, "expected the key of a sheet"),
        (
            ("--annotations", "{first}", "--key", "{key}", "--seed", "1"),
            2,
            "--seed does nothing with --annotations",
        ),
        (
            ("--data", "sample", "--results", "{first}"),
            2,
            "--results does nothing where a model is run",
        ),
    ],
)
def test_flags_that_make_no_sense_are_refused(
    arguments: tuple[str, ...],
    code: int,
    message: str,
    sheets: Path,
    results: dict[str, Path],
    tmp_path: Path,
    pagesum: Callable,
) -> None:
    names = {"new": tmp_path / "new", "sheets": sheets, "key": key_of(sheets), **results}
    before = (sheets / "sheet.html").read_text()
    result = pagesum("eval", *(argument.format(**names) for argument in arguments))
    assert (result.code, message in result.err) == (code, True), result.err
    assert result.err.count("error:") == 1
    assert (sheets / "sheet.html").read_text() == before
    assert not (tmp_path / "new").exists()


def test_documents_that_not_all_systems_have_are_left_out() -> None:
    systems = {
        "a": [Result("1", "One.", "x"), Result("2", "Two.", "x"), Result("3", " ", "x")],
        "b": [Result("2", "2.", "x"), Result("3", "3.", "x")],
    }
    sheet = make_sheet("errors", systems, 30, 0)
    assert (sheet.documents, sheet.available) == (["2"], 1)
    with pytest.raises(PagesumError, match="no document has a summary of each of a, b"):
        make_sheet("errors", {**systems, "b": []}, 30, 0)
