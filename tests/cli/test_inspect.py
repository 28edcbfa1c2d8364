"""``pagesum inspect`` as it is typed."""

import json
import subprocess
import sys

import pytest

from pagesum_cli.history import recall

SENTENCES = "The harvest was late this year. Prices rose in most towns."


@pytest.fixture
def result(pagesum, report, tiny_checkpoint, tmp_path):
    """What ``summarize --format json`` wrote about the report."""
    done = pagesum("summarize", report, "--model", tiny_checkpoint, "--format", "json", "--no-history")
    assert done.code == 0, done.err
    path = tmp_path / "result.json"
    path.write_text(done.out, encoding="utf-8")
    return path


def test_a_file_is_summarized_and_drawn(pagesum, report, tiny_checkpoint):
    done = pagesum("inspect", report, "--model", tiny_checkpoint)
    assert done.code == 0, done.err
    for part in ("The late harvest", "Introduction", "Methods", "confidence", "space locality", "time locality"):
        assert part in done.out
    assert recall().text.split()[0] in done.out


def test_alone_it_draws_the_last_summary(pagesum, report, letter, tiny_checkpoint):
    pagesum("summarize", letter, "--model", tiny_checkpoint)
    pagesum("summarize", report, "--model", tiny_checkpoint)
    assert "The late harvest" in pagesum("inspect").out
    before = pagesum("inspect", "--last", "2")
    assert before.code == 0
    assert "The late harvest" not in before.out


def test_no_history_keeps_nothing(pagesum, report, tiny_checkpoint):
    assert pagesum("inspect", report, "--model", tiny_checkpoint, "--no-history").code == 0
    done = pagesum("inspect")
    assert done.code == 1
    assert "no summary has been kept" in done.err


def test_a_saved_result_is_drawn_again(pagesum, result):
    done = pagesum("inspect", result, "--evidence")
    assert done.code == 0, done.err
    assert "what the document says" in done.out
    assert pagesum("inspect", "-", stdin=result.read_bytes()).out == pagesum("inspect", result).out


def test_redrawing_loads_no_model(result):
    code = f"import sys; from pagesum_cli.cli.app import run; code = run(['inspect', {str(result)!r}]); "
    code += "print(code, sorted({'torch', 'transformers', 'matplotlib'} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"


def test_json_lines_are_drawn_one_after_the_other(pagesum, result, tmp_path):
    lines = tmp_path / "all.jsonl"
    lines.write_text((json.dumps(json.loads(result.read_text())) + "\n") * 2)
    done = pagesum("inspect", lines)
    assert done.out.count("space locality") == 2
    refused = pagesum("inspect", lines, "--export", tmp_path / "a.csv")
    assert refused.code == 2


def test_a_given_summary_is_drawn_with_its_log_probabilities(pagesum, report, tiny_checkpoint, tmp_path):
    reference = tmp_path / "reference.txt"
    reference.write_text(SENTENCES)
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--summary", reference)
    assert done.code == 0, done.err
    assert "log p" in done.out
    for word in SENTENCES.split():
        assert word in done.out


def test_a_reference_longer_than_the_positions(pagesum, report, tiny_checkpoint, tmp_path):
    reference = tmp_path / "reference.txt"
    reference.write_text(SENTENCES * 40)
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--summary", reference)
    assert done.code == 1
    assert "reference.txt has" in done.err
    assert "positions for 127 only" in done.err


def test_one_page_leaves_nothing_to_compare(pagesum, letter, tiny_checkpoint):
    done = pagesum("inspect", letter, "--model", tiny_checkpoint, "--page-tokens", "128")
    assert done.code == 0
    assert "there is nothing to compare" in done.err
    assert recall().text in " ".join(done.out.split())
    assert "space locality" not in done.out


def test_results_without_tokens_are_drawn_by_sentence(pagesum, result):
    data = json.loads(result.read_text())
    del data["tokens"]
    for sentence in data["sentences"]:
        del sentence["evidence"], sentence["supported"]
    result.write_text(json.dumps(data))
    done = pagesum("inspect", result, "--evidence")
    assert done.code == 0
    assert "by sentence, not by word" in done.err
    assert "without its evidence" in done.err


@pytest.mark.parametrize(
    ("data", "reason"),
    [({"schema": 2, "pages": []}, "schema 2 where 1 was expected"), ({"schema": 1, "n": 9}, "expected a summary")],
)
def test_json_of_another_schema(pagesum, tmp_path, data, reason):
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data))
    done = pagesum("inspect", path)
    assert done.code == 1
    assert reason in done.err
    assert "Traceback" not in done.err


def test_json_of_nothing_known(pagesum, tmp_path, tiny_checkpoint):
    path = tmp_path / "other.json"
    path.write_text('{"foo": 1}')
    done = pagesum("inspect", path, "--model", tiny_checkpoint)
    assert done.code == 1
    assert "'foo'" in done.err


def test_files_are_exported(pagesum, result, tmp_path):
    page, table, again = (tmp_path / f"a.{suffix}" for suffix in ("html", "csv", "json"))
    done = pagesum("inspect", result, "--export", page, "--export", table, "--export", again)
    assert done.code == 0, done.err
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert pagesum("inspect", again).out == pagesum("inspect", result).out


def test_nothing_is_lost_when_an_export_fails(pagesum, report, tiny_checkpoint, tmp_path):
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--export", tmp_path / "no folder" / "a.csv")
    assert done.code == 1
    assert "cannot be written" in done.err
    assert "space locality" in done.out
    assert pagesum("inspect").code == 0


def test_the_other_files_are_written_where_one_cannot_be(pagesum, result, tmp_path):
    bad, good, worse = tmp_path / "no folder" / "a.csv", tmp_path / "b.csv", tmp_path / "none" / "c.csv"
    done = pagesum("inspect", result, "--export", bad, "--export", good, "--export", worse)
    assert done.code == 1
    assert good.exists()
    for path in (bad, worse):
        assert f"{path}: cannot be written" in done.err


def test_a_reader_that_leaves_early_gets_its_files(result, tmp_path):
    table = tmp_path / "a.csv"
    command = [sys.executable, "-m", "pagesum_cli", "inspect", str(result), "--export", str(table)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        running.stdout.close()
        assert running.wait(60) == 0
    assert table.exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["{report}", "--export", "a.gif"], ".png, .svg, .pdf, .html, .json, .csv"),
        (["--summary", "{report}"], "--summary without FILES"),
        (["--analysis", "spatial-locality"], "without FILES"),
        (["{report}", "--analysis", "spatial-locality", "--export", "a.html"], "unknown extension .html"),
        (["{report}", "--embeddings", "x"], "--embeddings without --analysis"),
        (["{report}", "--limit", "3"], "--limit without --analysis"),
        (["{report}", "--analysis", "long-distance", "--embeddings", "x"], "--embeddings with"),
        (["{report}", "--analysis", "nothing"], "expected one of spatial-locality, long-distance"),
        (["{report}", "--by", "letter"], "expected one of token, word, sentence"),
        (["{report}", "--rows", "2"], "expected 3 or more"),
        (["{result}", "--summary", "{report}"], "is a summary already"),
    ],
)
def test_wrong_usage(pagesum, report, result, arguments, reason):
    done = pagesum("inspect", *(one.format(report=report, result=result) for one in arguments))
    assert done.code == 2
    assert reason in done.err


def test_spatial_locality_of_files(pagesum, report, letter, tmp_path):
    numbers = tmp_path / "a.csv"
    done = pagesum("inspect", report, letter, "--analysis", "spatial-locality", "--export", numbers)
    assert done.code == 0, done.err
    assert "TF-IDF" in done.err
    assert "all pairs" in done.out
    assert numbers.read_text().startswith("distance,similarity,documents\n1,")


def test_an_encoder_that_is_not_there(pagesum, report):
    done = pagesum("inspect", report, "--analysis", "spatial-locality", "--embeddings", "no/such/folder")
    assert done.code == 1
    assert "no sentence encoder can be loaded" in done.err


def test_long_distance_needs_summaries(pagesum, report, tmp_path):
    done = pagesum("inspect", report, "--analysis", "long-distance")
    assert done.code == 1
    assert "no document here has a summary" in done.err
    reference = tmp_path / "reference.txt"
    reference.write_text(
        "Rain fell for eleven days in April, and farms on the hills lost a tenth of their wheat; farms by the river."
    )
    done = pagesum("inspect", report, "--analysis", "long-distance", "--summary", reference)
    assert done.code == 0, done.err
    assert "1 (100.0%) fuse two source sentences" in done.out


def test_summaries_carry_their_evidence(pagesum, report, tiny_checkpoint):
    arguments = ("summarize", report, "--model", tiny_checkpoint, "--cite", "--format")
    assert "## Evidence" in pagesum(*arguments, "markdown").out
    assert "<blockquote>" in pagesum(*arguments, "html").out or "in such words" in pagesum(*arguments, "html").out
    sentences = json.loads(pagesum(*arguments, "json").out)["sentences"]
    assert all(isinstance(sentence["supported"], bool) for sentence in sentences)
