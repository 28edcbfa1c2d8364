"""``--engine ray``: the same results as one process, and one line for what is wrong."""

import json
import os
import subprocess
import sys

import pytest

ray = pytest.importorskip("ray")

TEXTS = ["Rain fell for eleven days.", "The river rose by four metres.", "Nobody had expected the third flood."]
RUN = "import sys; from pagesum_cli.cli.app import run; sys.exit(run(sys.argv[1:]))"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_AUTH_MODE": "disabled"}


def corpus(path, count):
    """A file of records that differ."""
    records = (
        {"id": f"d{number}", "text": " ".join(f"{one} It was day {number}." for one in TEXTS * 3)}
        for number in range(count)
    )
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def pagesum(*arguments, **options):
    """A command line in a process of its own: Ray can be started once in a process."""
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, **options)


def by_name(folder):
    """The results in each file, without seconds."""
    found = {}
    for path in sorted(folder.glob("[!.]*")):
        text = path.read_text()
        lines = map(json.loads, text.splitlines()) if path.suffix == ".jsonl" else ()
        found[path.name] = [{**line, "seconds": 0} for line in lines] or text
    return found


@pytest.mark.slow
def test_the_results_are_those_of_one_process_in_the_same_order(tmp_path, letter, report, tiny_extractive):
    corpus(tmp_path / "data.jsonl", 6)
    (tmp_path / "broken.pdf").write_text("no PDF")
    command = ["summarize", letter, report, tmp_path / "data.jsonl", tmp_path / "broken.pdf", "--each"]
    command += ["--model", tiny_extractive, "--dtype", "float32", "--no-history"]
    for shape, engine in (
        ("jsonl", ["--engine", "ray", "--in-order"]),
        ("jsonl", []),
        ("json", ["--engine", "ray"]),
        ("json", []),
    ):
        folder = tmp_path / f"{shape}-{'ray' if engine else 'process'}"
        result = pagesum(*command, "--format", shape, "--output-dir", folder, *engine)
        assert result.returncode == 1
        lines = result.stderr.splitlines()
        assert [line for line in lines if line.startswith("error")][-1] == "error: 1 of 9 could not be summarized"
    assert len(by_name(tmp_path / "jsonl-process")["part-00000.jsonl"]) == 8
    for shape in ("jsonl", "markdown"):
        assert by_name(tmp_path / f"{shape}-ray") == by_name(tmp_path / f"{shape}-process")
    again = pagesum(*command, "--format", "jsonl", "--output-dir", tmp_path / "jsonl-ray")
    assert "8 of 9 already done" in again.stderr
    assert by_name(tmp_path / "jsonl-ray") == by_name(tmp_path / "jsonl-process")


def test_an_address_where_no_cluster_is_is_one_line(tmp_path, letter, tiny_extractive):
    command = ["summarize", letter, "--each", "--output-dir", tmp_path / "out", "--model", tiny_extractive]
    result = pagesum(*command, "--engine", "ray", "--ray-address", "127.0.0.1:9")
    assert result.returncode == 1
    error, hint = result.stderr.splitlines()[-2:]
    assert error == "error: 127.0.0.1:9: no Ray cluster answers there (Connection refused)"
    assert hint.startswith("hint: check --ray-address")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--engine", "ray"], "--engine without --output-dir"),
        (["--each", "--output-dir", "out", "--in-order"], "--in-order without --engine"),
        (["--each", "--output-dir", "out", "--ray-address", "auto"], "--ray-address without --engine"),
    ],
)
def test_flags_that_do_nothing_are_refused(letter, flags, message):
    result = pagesum("summarize", letter, *flags)
    assert result.returncode == 2
    assert message in result.stderr


def test_ray_is_not_imported_without_its_engine(tmp_path, letter, tiny_extractive):
    code = RUN.replace("sys.exit", "code =").replace("code =(", "code = (") + "; print(code, 'ray' in sys.modules)"
    command = ["summarize", letter, "--each", "--output-dir", tmp_path / "out", "--model", tiny_extractive]
    command = [sys.executable, "-c", code, *map(str, command)]
    result = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert result.stdout == "0 False\n"
