"""The matrix as a file."""

import csv
import io
import json
import re

import pytest

from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.export import KNOWN, check_export, export


@pytest.mark.parametrize("path", ["a.gif", "a", "a.", ".png.exe"])
def test_an_unknown_extension_names_the_known_ones(path):
    with pytest.raises(UsageError) as caught:
        check_export(path)
    assert all(suffix in caught.value.message for suffix in KNOWN)


def test_without_matplotlib_the_hint_names_the_package(monkeypatch):
    monkeypatch.setattr("pagesum_cli.errors.find_spec", lambda name: None)
    with pytest.raises(PagesumError, match="matplotlib is not installed") as caught:
        check_export("a.png")
    assert "'.[figures]'" in caught.value.hint
    check_export("a.html")


def test_json_can_be_drawn_again(summary, tmp_path):
    path = tmp_path / "a.json"
    export(summary, str(path), "word")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert Summary.from_json(data) == summary
    assert data["figures"]["locality"]["pages"] == 6


def test_csv_is_the_matrix(summary, tmp_path):
    path = tmp_path / "a.csv"
    export(summary, str(path), "sentence")
    header, *rows = csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
    assert header[:3] == ["step", "text", "sentence"]
    assert len(header) == 3 + 6
    assert [row[1] for row in rows] == [sentence.text for sentence in summary.sentences]
    assert all(abs(sum(map(float, row[3:])) - 1) < 1e-4 for row in rows)


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_figures(summary, tmp_path, suffix, start):
    pytest.importorskip("matplotlib")
    path = tmp_path / f"a.{suffix}"
    export(summary, str(path), "word")
    data = path.read_bytes()
    assert data.startswith(start)
    export(summary, str(path), "word")
    assert path.read_bytes() == data  # the same every time


def test_a_figure_takes_formulas_and_missing_glyphs_as_text(a_summary, tmp_path, recwarn):
    pytest.importorskip("matplotlib")
    summary = a_summary(
        labels=("$\\frac{", "収穫", "a_b^{"), sentences=("It cost $5 and $6.", "収穫 $x$.")
    )
    export(summary, str(tmp_path / "a.svg"), "word")
    export(summary, str(tmp_path / "a.png"), "sentence")
    assert not list(recwarn)


def test_a_figure_of_many_pages_is_no_higher_than_a_page(a_summary, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.svg"
    export(a_summary(labels=[f"Section {page}" for page in range(200)]), str(path), "word")
    text = path.read_text(encoding="utf-8")
    assert float(re.search(r'height="([\d.]+)pt"', text).group(1)) < 9 * 72
    assert re.search(r"<!-- \d+ further parts -->", text)


def test_cells_are_vectors_in_svg(summary, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "a.svg"
    export(summary, str(path), "sentence")
    text = path.read_text(encoding="utf-8")
    # The only image is the gradient of the scale.
    assert text.count("<image") <= 1
    assert len(re.findall(r'id="QuadMesh_', text)) >= 1


def test_a_path_that_cannot_be_written(summary, tmp_path):
    with pytest.raises(PagesumError, match="cannot be written"):
        export(summary, str(tmp_path / "no such folder" / "a.csv"), "word")
