"""``pagesum eval``: flags, tables, and what goes wrong."""

import csv
import io
import json
import re
import shutil

import pytest

from pagesum_cli.files import locked

PREDICTIONS = ["The dog ran home. It slept.", "", "A bird flew over the house."]
REFERENCES = ["The dog ran home.", "A cat sat.", "A bird flew over a river."]


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "p.txt").write_text("\n".join(PREDICTIONS) + "\n")
    (tmp_path / "r.txt").write_text("\n".join(REFERENCES) + "\n")
    return "--predictions", tmp_path / "p.txt", "--references", tmp_path / "r.txt"


@pytest.fixture
def data(tmp_path):
    values = [
        {"id": f"d{i}", "text": f"{one} More was said. And more.", "summary": one}
        for i, one in enumerate(REFERENCES)
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return tmp_path / "data.jsonl"


def test_the_json_contract(pagesum, texts):
    result = pagesum("eval", *texts, "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert found["schema"] == 1
    assert found["n"] == 3
    assert found["signature"].startswith("rouge|lib:rouge-score-")
    assert {"data", "model", "metrics", "baselines"} <= set(found)
    assert list(found["metrics"]) == ["rouge1", "rouge2", "rougeLsum"]
    for score in found["metrics"].values():
        assert set(score) == {"f", "p", "r", "low", "high"}
        assert 0 <= score["low"] <= score["f"] <= score["high"] <= 100


def test_empty_predictions_score_0_and_are_counted(pagesum, texts):
    result = pagesum("eval", *texts, "--format", "json")
    # Unigrams of the first: 4 of 6 right, 4 of 4 found; of the third: 5 of 6, 5 of 6 ("a" counts
    # once on one side).
    expected = (2 * (4 / 6) / (4 / 6 + 1) + 0 + 4 / 6) / 3
    assert json.loads(result.out)["metrics"]["rouge1"]["f"] == pytest.approx(100 * expected)
    assert json.loads(result.out)["empty"] == 1
    assert "1 of 3 predictions are empty" in result.err


def test_a_folder_that_another_command_writes_to_is_refused(pagesum, tmp_path, texts):
    folder = tmp_path / "run"
    folder.mkdir()
    with locked(folder):
        result = pagesum("eval", *texts, "--output", folder)
    assert result.code == 1
    assert f"{folder}: another command is writing to this folder" in result.err
    assert [*folder.iterdir()] == []


def test_marks_between_sentences_are_warned_of(pagesum, texts):
    assert "which some programs put between" not in pagesum("eval", *texts).err
    texts[1].write_text("A dog ran. <n> It ran.\nA cat.\nA bird <n> flew.\n")
    assert "2 texts with <n>, which some programs put between" in pagesum("eval", *texts).err


def test_the_table_tells_the_scores_their_intervals_and_how_to_get_them_again(pagesum, texts):
    result = pagesum("eval", *texts)
    for part in (
        "R-1",
        "R-Lsum",
        "95 % interval",
        "precision",
        "1 empty prediction",
        "|L:sum|",
        "seed:12345",
    ):
        assert part in result.out
    again = next(line for line in result.out.splitlines() if line.startswith("pagesum eval "))
    assert again.split()[2:] == [str(one) for one in texts]


def test_every_format_has_the_same_figures(pagesum, texts):
    figures = json.loads(pagesum("eval", *texts, "--format", "json").out)["metrics"]
    shown = f"{figures['rouge2']['f']:.2f}"
    markdown = pagesum("eval", *texts, "--format", "markdown").out
    latex = pagesum("eval", *texts, "--format", "latex").out
    assert f"| {shown} |" in markdown
    assert f"& {shown} &" in latex
    assert r"\toprule" in latex
    rows = list(csv.DictReader(io.StringIO(pagesum("eval", *texts, "--format", "csv").out)))
    assert [float(row["value"]) for row in rows] == [score["f"] for score in figures.values()]


def test_the_papers_rows_stand_beside_ours_and_say_so(pagesum, tmp_path, texts, data):
    files = ["--predictions", texts[1], "--data", "govreport", "--data-dir", tmp_path]
    (tmp_path / "test.jsonl").write_text(data.read_text())
    result = pagesum("eval", *files, "--table", "paper")
    assert result.code == 0, result.err
    shown = [" ".join(line.split()) for line in result.out.splitlines()]
    assert "R-1 R-2 R-Lsum R-L (kind unknown) words" in shown
    assert "Table 1: PageSum (20,480) † 59.91 27.20 57.07" in shown
    assert "Table 1: HEPOS (7,168) * 55.00 21.13 51.67" in shown
    assert "† better than LED ‡, p < 0.01" in " ".join(shown)
    assert "--tokenize ptb" in result.err
    assert "means over 973 documents, these over 3" in result.err
    found = json.loads(pagesum("eval", *files, "--table", "paper:1", "--format", "json").out)[
        "published"
    ]
    row = next(one for one in found if (one["system"], one["max_input"]) == ("HEPOS", 7168))
    assert row["scores"] == {"rouge1": 55.0, "rouge2": 21.13, "rougeL-unknown": 51.67}
    other = pagesum("eval", *files, "--table", "paper:5")
    assert (other.code, other.out) == (2, "")
    assert "--table paper:5: the paper has no such scores on govreport" in other.err


def test_rows_of_the_dpp_paper_stand_beside_ours(pagesum, texts):
    command = [
        "eval",
        *texts,
        "--data",
        "multinews",
        "--table",
        "dpp-attention",
        "--metrics",
        "rouge1,rougeL,repetition",
    ]
    result = pagesum(*command)
    assert result.code == 0, result.err
    assert "Table 5: CTF+DPP" in result.out
    assert "Tables as published by Perez-Beltrachini and Lapata (2021); * reported" in " ".join(
        result.out.split()
    )
    rows = json.loads(pagesum(*command, "--format", "json").out)["published"]
    assert {(row["paper"], row["table"]) for row in rows} == {("dpp-attention", "5")}
    assert "Table 8: CTF" in pagesum(*command, "--table", "dpp-attention:8").out


def test_on_other_data_than_the_papers_there_is_no_row(pagesum, texts):
    result = pagesum("eval", *texts, "--table", "paper")
    assert result.code == 0, result.err
    assert "Table" not in result.out
    assert "the paper has scores on arxiv, govreport, multinews, pubmed" in result.err


def test_the_papers_rows_need_no_documents_where_nothing_reads_them(pagesum, tmp_path, texts):
    named = ("--data", "govreport", "--table", "paper")
    result = pagesum("eval", *texts, *named, "--output", tmp_path / "out")
    assert result.code == 0, result.err
    assert "Table 1: PageSum (20,480) †" in result.out
    assert "59.91" in result.out
    for needing in (
        ["--metrics", "novelty"],
        ["--baseline", "lead"],
        ["--data-dir", tmp_path / "none"],
    ):
        # there is no such data on this machine
        assert pagesum("eval", *texts, *named, *needing).code == 1
    results = tmp_path / "out" / "results.jsonl"
    results.write_text(
        results.read_text().replace('"settings": {', '"settings": {"data": "pubmed", ')
    )
    assert "48.24" in pagesum("eval", "--from", results, "--table", "paper", "--data", "pubmed").out
    other = pagesum("eval", "--from", results, *named)
    assert (other.code, other.out) == (1, "")
    assert "holds results on pubmed, not on govreport" in other.err


def test_results_of_other_documents_than_the_data_are_refused(pagesum, tmp_path, texts):
    assert pagesum("eval", *texts, "--output", tmp_path / "out").code == 0
    for metrics in ("rouge1", "novelty"):
        result = pagesum(
            "eval",
            "--from",
            tmp_path / "out" / "results.jsonl",
            "--data",
            "sample",
            "--metrics",
            metrics,
        )
        assert (result.code, result.out) == (1, "")
        assert "--data lacks 3 of the 3 documents" in result.err


def test_what_has_no_reference_is_left_out_and_told(pagesum, tmp_path, texts):
    texts[3].write_text("The dog ran home.\n\nA bird flew over a river.\n")
    result = pagesum("eval", *texts, "--format", "json")
    assert json.loads(result.out)["n"] == 2
    assert "without a reference, and left out: 1 document\n" in result.err


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            {"body": "A text.", "short": "T."},
            """expected "sections", "documents" or "text", found 'body', 'short'""",
        ),
        (
            {"text": "A text.", "highlights": "T."},
            """expected the summary in "summary", found 'text', 'highlights'""",
        ),
        (
            {"article": ["A text."], "summary": "T."},
            """expected the summary in "abstract" or "highlights", found 'article', 'summary'""",
        ),
    ],
)
def test_missing_fields_are_told_after_the_first_records_with_those_that_there_are(
    pagesum, tmp_path, record, message
):
    line = json.dumps(record) + "\n"
    (tmp_path / "columns.jsonl").write_text(line * 9 + "{" + line)
    result = pagesum("eval", "--data", tmp_path / "columns.jsonl", "--model", "mini")
    assert (result.code, result.out) == (1, "")
    # one line: the tenth record, which is broken, was not read
    error, hint = result.err.splitlines()
    assert f"columns.jsonl, line 1: {message}" in error
    assert hint.startswith("hint: a record is")


def test_a_first_line_that_is_no_record_is_left_out(pagesum, tmp_path, texts, data):
    data.write_text('{"version": 2}\n' + data.read_text())
    result = pagesum("eval", *texts[:2], "--data", data, "--format", "json")
    assert json.loads(result.out)["n"] == 3
    assert "line 1" in result.err


def test_summaries_are_not_needed_where_references_are_given(pagesum, tmp_path, texts, data):
    values = [json.loads(line) for line in data.read_text().splitlines()]
    data.write_text(
        "".join(json.dumps({"id": one["id"], "text": one["text"]}) + "\n" for one in values)
    )
    result = pagesum("eval", *texts, "--data", data, "--metrics", "novelty")
    assert result.code == 0, result.err


def test_a_folder_that_cannot_be_written_is_told_before_any_work(pagesum, tmp_path, texts):
    (tmp_path / "file").write_text("")
    result = pagesum("eval", *texts, "--output", tmp_path / "file")
    assert (result.code, result.out) == (1, "")
    assert "file: cannot be written (File exists)" in result.err
    assert "name another --output" in result.err


def test_baselines_are_rows_of_the_same_table(pagesum, texts, data):
    arguments = ["eval", "--predictions", texts[1], "--data", data, "--baseline", "lead,oracle"]
    found = json.loads(pagesum(*arguments, "--format", "json").out)
    assert list(found["baselines"]) == ["lead", "oracle"]
    assert found["baselines"]["oracle"]["rouge1"]["f"] == pytest.approx(100)
    table = pagesum(*arguments).out
    assert "lead" in table
    assert "oracle" in table


def test_baselines_are_as_long_as_the_systems_summaries_and_the_signature_says_so(
    pagesum, tmp_path, data
):
    (tmp_path / "long.txt").write_text("One two three four five six seven eight.\n" * 3)
    arguments = ["eval", "--predictions", tmp_path / "long.txt", "--data", data, "--format", "json"]
    arguments += ["--baseline", "lead"]
    own = json.loads(pagesum(*arguments).out)
    assert own["lengths"]["lead"] == pytest.approx(8, abs=1)
    assert "|baseline-words:system|" in own["signature"]
    references = json.loads(pagesum(*arguments, "--baseline-length", "reference").out)
    assert references["lengths"]["lead"] < own["lengths"]["lead"]
    assert "|baseline-words:reference|" in references["signature"]
    assert "--baseline-length reference" in references["command"]
    # A run scored again has the same rows.
    assert pagesum(*arguments[:-2], "--output", tmp_path / "out").code == 0
    again = [
        "eval",
        "--from",
        tmp_path / "out" / "results.jsonl",
        "--data",
        data,
        "--baseline",
        "lead",
    ]
    assert json.loads(pagesum(*again, "--format", "json").out)["baselines"] == own["baselines"]


def test_documents_that_baselines_lack_are_told_before_anything_is_scored(
    pagesum, tmp_path, texts, data
):
    assert pagesum("eval", *texts[:2], "--data", data, "--output", tmp_path / "out").code == 0
    data.write_text("".join(data.read_text().splitlines(keepends=True)[:2]))
    results = tmp_path / "out" / "results.jsonl"
    result = pagesum(
        "eval",
        "--from",
        results,
        "--data",
        data,
        "--baseline",
        "lead",
        "--output",
        tmp_path / "again",
    )
    assert (result.code, result.out) == (1, "")
    assert "--data lacks 1 of the 3 documents" in result.err
    assert "'d2'" in result.err
    assert not (tmp_path / "again" / "results.jsonl").exists()


def test_a_model_is_run_resumed_and_scored_again(pagesum, tiny_checkpoint, tmp_path, data):
    run = [
        "eval",
        "--data",
        data,
        "--model",
        tiny_checkpoint,
        "--dtype",
        "float32",
        "--output",
        tmp_path / "out",
        "--format",
        "json",
    ]
    first = pagesum(*run, "--metrics", "rouge1,repetition,attribution,novelty")
    assert first.code == 0, first.err
    again = pagesum(*run, "--metrics", "rouge1,repetition,attribution,novelty")
    assert again.out == first.out
    assert "3 documents were done before" in again.err
    lines = [
        json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()
    ]
    assert [line["id"] for line in lines] == ["d0", "d1", "d2"]
    assert {"id", "prediction", "reference", "scores", "page_confidences"} <= set(lines[0])
    again = ["eval", "--from", tmp_path / "out" / "results.jsonl", "--output", tmp_path / "scored"]
    scored = pagesum(*again, "--metrics", "rouge1,rougeL", "--format", "json")
    assert json.loads(scored.out)["metrics"]["rouge1"] == json.loads(first.out)["metrics"]["rouge1"]
    kept = [
        json.loads(line)
        for line in (tmp_path / "scored" / "results.jsonl").read_text().splitlines()
    ]
    assert [(line["id"], set(line["scores"]) - set(lines[0]["scores"])) for line in kept] == [
        (line["id"], {"rougeL"}) for line in lines
    ]
    other = pagesum(*run, "--beams", "1")
    assert other.code == 1
    assert "beams was 2 and is now 1" in other.err
    mixed = tmp_path / "mixed.jsonl"
    lines[2]["settings"]["beams"] = 1
    mixed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    both = pagesum("eval", "--from", mixed)
    assert both.code == 1
    assert "mixed.jsonl holds results with other settings: beams" in both.err


def test_a_checkpoint_without_settings_of_its_own_gets_those_of_the_paper(
    pagesum, tiny_checkpoint, tmp_path
):
    official = tmp_path / "official"
    shutil.copytree(tiny_checkpoint, official)
    config = json.loads((official / "config.json").read_text())
    (official / "config.json").write_text(json.dumps({**config, "model_type": "bart"}))
    (tmp_path / "test.src").write_text("The council met. ||||| It lent seed.\n")
    (tmp_path / "test.tgt").write_text("The council lent seed.\n")
    run = [
        "eval",
        "--data",
        "multinews",
        "--data-dir",
        tmp_path,
        "--dtype",
        "float32",
        "--output",
        tmp_path / "out",
    ]
    flags = ["--beams", "1", "--min-length", "3", "--max-length", "9"]
    result = pagesum(*run, *flags, "--model", official)
    assert result.code == 0, result.err
    told = "as in the paper for multinews: --page-tokens 128 --num-pages 7 --no-repeat-ngram 3"
    assert told in result.err
    settings = json.loads((tmp_path / "out" / "results.jsonl").read_text())["settings"]
    assert {
        settings["locality"],
        settings["num_pages"],
        settings["beams"],
        settings["max_length"],
    } == {
        "document",
        7,
        1,
        9,
    }
    own = pagesum(*run[:5], "--check", "--model", tiny_checkpoint)
    assert "as in the paper" not in own.err
    assert "2.0 on average, 2 at most" in own.out


def test_two_systems_are_compared(pagesum, tmp_path, texts):
    (tmp_path / "q.txt").write_text("\n".join(REFERENCES) + "\n")
    for name in ("p", "q"):
        files = ["--predictions", tmp_path / f"{name}.txt", "--references", texts[3]]
        assert pagesum("eval", *files, "--output", tmp_path / name).code == 0
    arguments = [
        "eval",
        "--compare",
        tmp_path / "p" / "results.jsonl",
        tmp_path / "q" / "results.jsonl",
    ]
    shown = pagesum(*arguments, "--format", "json", "--output", tmp_path / "compared").out
    found = json.loads(shown)
    assert json.loads((tmp_path / "compared" / "comparison.json").read_text()) == found
    one = found["metrics"]["rouge1"]
    assert one["second"] == pytest.approx(100)
    assert one["difference"] == pytest.approx(one["second"] - one["first"])
    assert (one["wins"], one["ties"], one["losses"]) == (3, 0, 0)
    assert 0 < one["p_bootstrap"] <= 1
    assert "wins–ties–losses" in pagesum(*arguments).out
    assert r"\begin{tabular}" in pagesum(*arguments, "--format", "latex").out


def test_several_runs_of_a_system_are_compared_by_their_means(pagesum, tmp_path, texts):
    (tmp_path / "q.txt").write_text("\n".join(REFERENCES) + "\n")
    for name, run in (("p", "runs/1"), ("q", "runs/2"), ("q", "best")):
        files = ["--predictions", tmp_path / f"{name}.txt", "--references", texts[3]]
        assert pagesum("eval", *files, "--output", tmp_path / run).code == 0
    alone, best = tmp_path / "runs" / "1" / "results.jsonl", tmp_path / "best" / "results.jsonl"
    (tmp_path / "none").mkdir()

    def compared(*paths):
        return json.loads(pagesum("eval", "--compare", *paths, "--format", "json").out)

    worst, found = (
        compared(alone, best)["metrics"]["rouge1"]["first"],
        compared(tmp_path / "runs", best),
    )
    assert found["metrics"]["rouge1"]["first"] == pytest.approx((worst + 100) / 2)
    assert found["spread"][0]["rouge1"] == pytest.approx((100 - worst) / 2**0.5)
    assert (
        f"± {found['spread'][0]['rouge1']:.2f}"
        in pagesum("eval", "--compare", tmp_path / "runs", best).out
    )
    result = pagesum("eval", "--compare", tmp_path / "none", best)
    assert (result.code, result.err.splitlines()[-1]) == (1, "hint: name a file or such a folder")


def test_systems_on_different_documents_are_not_compared(pagesum, tmp_path, texts):
    assert pagesum("eval", *texts, "--output", tmp_path / "a").code == 0
    (tmp_path / "b.jsonl").write_text(
        "".join((tmp_path / "a" / "results.jsonl").read_text().splitlines(keepends=True)[:2])
    )
    result = pagesum("eval", "--compare", tmp_path / "a" / "results.jsonl", tmp_path / "b.jsonl")
    assert result.code == 1
    assert "1 of 3 documents are not in the other file, the first is '3'" in result.err


def test_check_tells_what_the_data_are_like_without_a_model(
    pagesum, tiny_checkpoint, tmp_path, data
):
    data.write_text(
        data.read_text() + data.read_text().splitlines()[0].replace("d0", "d9") + "\n{\n"
    )
    result = pagesum("eval", "--data", data, "--check", "--model", tiny_checkpoint)
    assert result.code == 0, result.err
    lines = {line.split("  ")[0].strip(): line for line in result.out.splitlines()}
    assert "4, without 1 that cannot be used" in lines["documents"]
    assert lines["duplicate texts"].split()[-1] == "1"
    assert "line 5" in result.err


def test_records_left_out_are_counted_even_where_warnings_are_not_shown(
    pagesum, tiny_checkpoint, data
):
    data.write_text(data.read_text() + '{\n{"id": "x", "text": "No reference."}\n')
    run = ["eval", "--data", data, "--model", tiny_checkpoint, "--max-length", "9", "-q"]
    result = pagesum(*run)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0].endswith("3 documents, 2 records left out")
    assert json.loads(pagesum(*run, "--format", "json").out)["left_out"] == 2


def test_check_tells_how_many_words_and_tokens_would_be_cut(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "long.jsonl"
    path.write_text(json.dumps({"text": "the " * 99 + "end.", "summary": "The end."}))
    result = pagesum(
        "eval", "--data", path, "--check", "--model", tiny_checkpoint, "--num-pages", "1"
    )
    (line,) = (line for line in result.out.splitlines() if line.startswith("cut documents"))
    words, tokens = re.search(r"1, (\d+) of 100 words not read, about (\d+) tokens", line).groups()
    assert 30 <= int(words) <= int(tokens) <= 2 * int(words)


@pytest.mark.parametrize(
    ("arguments", "code", "message", "hint"),
    [
        ([], 2, "nothing to score", "--data NAME"),
        (["--data", "multinew"], 2, "no data set 'multinew'", "did you mean multinews?"),
        (["--predictions", "x"], 2, "--predictions without references", "--references FILE"),
        (["--from", "y", "--check"], 2, "--check without --data", "add --data"),
        (["--references", "x"], 2, "--references without --predictions", "add --predictions"),
        (
            ["--predictions", "x", "--from", "y"],
            2,
            "--from does nothing with --predictions",
            "leave it out",
        ),
        (["--predictions", "x", "--references", "y"], 1, "x: no such file", "check the path"),
        (["--from", "nowhere.jsonl"], 1, "nowhere.jsonl: no such file", "check the path"),
        (
            ["--from", "nowhere.jsonl", "--data", "sample"],
            1,
            "nowhere.jsonl: no such file",
            "check the path",
        ),
        (["--compare", "a", "b"], 1, "a: no such file", "check the path"),
        (["--data", "sample", "--metrics", ","], 2, "--metrics is empty", "rouge1"),
        (
            ["--data", "sample", "--metrics", "rouge3"],
            2,
            "no metric 'rouge3'",
            "did you mean rouge",
        ),
        (
            ["--data", "sample", "--metrics", "bertscore"],
            2,
            "bertscore needs a model",
            "--metric-model bertscore=",
        ),
        (
            ["--data", "sample", "--metric-model", "bertscore"],
            2,
            "expected METRIC=NAME",
            "for example",
        ),
        (["--data", "sample", "--baseline", "led"], 2, "no baseline 'led'", "lead"),
        (
            ["--predictions", "x", "--references", "y", "--baseline", "lead"],
            2,
            "--baseline without --data",
            "--data",
        ),
        (
            ["--data", "sample", "--baseline-length", "9"],
            2,
            "--baseline-length without --baseline",
            "add --baseline",
        ),
        (
            ["--data", "sample", "--baseline", "lead", "--baseline-length", "0"],
            2,
            "expected system, reference",
            "system",
        ),
        (["--data", "sample", "--split", "tset"], 2, "'--split': 'tset'", "did you mean test?"),
        (
            ["--compare", "a", "b", "--data", "sample"],
            2,
            "--data does nothing with --compare",
            "leave it out",
        ),
        (
            ["--compare", "a", "b", "--beams", "2"],
            2,
            "--beams does nothing with --compare",
            "leave it out",
        ),
        (["--from", "y", "--limit", "3"], 2, "--limit without --data", "add --data"),
        (["--from", "y", "--model", "mini"], 2, "--model does nothing with --from", "leave it out"),
        (
            ["--data", "sample", "--data-dir", "d"],
            2,
            "--data-dir does nothing for --data sample",
            "multinews",
        ),
        (
            ["--data", "pubmed", "--summary-column", "s"],
            2,
            "--summary-column does nothing for --data pubmed",
            "hub",
        ),
        (["--data", "sample", "--model", "nowhere"], 1, "no model 'nowhere'", ""),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(pagesum, arguments, code, message, hint):
    result = pagesum("eval", *arguments)
    assert result.code == code, result.err
    assert message in result.err
    assert hint in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


@pytest.mark.parametrize(
    "arguments",
    [["--metrics", "rouge1,rouge-su4"], ["--baseline", "lead,lexrank"]],
    ids=["metric", "baseline"],
)
def test_a_missing_package_is_reported_before_anything_is_computed(
    pagesum, tmp_path, monkeypatch, arguments
):
    monkeypatch.setattr("pagesum_cli.errors.find_spec", lambda name: None)
    result = pagesum(
        "eval",
        "--data",
        "sample",
        "--model",
        tmp_path / "none",
        "--output",
        tmp_path / "out",
        *arguments,
    )
    assert (result.code, result.out) == (1, "")
    assert "is not installed" in result.err
    assert "pip install -c constraints.txt '.[metrics]'" in result.err
    assert not (tmp_path / "out").exists()


def test_data_that_is_not_there_leaves_no_folder(pagesum, tmp_path):
    result = pagesum("eval", "--data", "nowhere", "--output", tmp_path / "out")
    assert (result.code, (tmp_path / "out").exists()) == (2, False)
    assert "no data set 'nowhere'" in result.err


def test_what_a_metric_needs_is_checked_before_another_one_is_computed(pagesum, texts):
    result = pagesum("eval", *texts, "--metrics", "rouge1,attribution")
    assert (result.code, result.out) == (2, "")
    assert "--metrics attribution needs page confidences" in result.err


def test_a_metric_that_needs_documents_says_so(pagesum, texts):
    result = pagesum("eval", *texts, "--metrics", "novelty")
    assert (result.code, result.out) == (2, "")
    assert "--metrics novelty needs the documents" in result.err


def test_text_from_files_is_shown_as_it_is(pagesum, tmp_path, texts):
    evil = tmp_path / "[red]x&y_.txt"
    evil.write_text((tmp_path / "p.txt").read_text())
    arguments = ["eval", "--predictions", evil, *texts[2:]]
    assert "[red]x&y_.txt" in pagesum(*arguments).out
    assert r"[red]x\&y\_.txt" in pagesum(*arguments, "--format", "latex").out


@pytest.mark.slow
def test_eval_computes_in_float32_and_warns_of_less_with_beams(
    pagesum, data, tiny_checkpoint, tmp_path, monkeypatch
):
    monkeypatch.setattr("pagesum_cli.models.base.pick_dtype", pick := Picked())
    flags = [
        "eval",
        "--data",
        data,
        "--model",
        tiny_checkpoint,
        "--device",
        "cpu",
        "--limit",
        "1",
        "--max-length",
        "8",
    ]
    flags += ["--format", "json", "--processes", "1"]
    result = pagesum(*flags, "--beams", "2", "--output", tmp_path / "run")
    assert result.code == 0, result.err
    assert "|dtype:float32|" in json.loads(result.out)["signature"]
    assert "less precise" not in result.err
    assert set(pick.asked) == {"float32"}  # not auto, which is bfloat16 on some hardware
    other = pagesum(*flags, "--beams", "2", "--dtype", "bfloat16", "--output", tmp_path / "run")
    assert other.code == 1
    assert "dtype was 'float32' and is now 'bfloat16'" in other.err
    less = pagesum(*flags, "--beams", "2", "--dtype", "bfloat16")
    assert "|dtype:bfloat16|" in json.loads(less.out)["signature"]
    assert less.err.count("bfloat16 is less precise than float32") == 1


class Picked:
    """Picks the number format as the program does, and keeps what was asked for."""

    def __init__(self):
        from pagesum_cli.models.weights import pick_dtype

        self.asked, self.pick = [], pick_dtype

    def __call__(self, dtype, device):
        self.asked.append(dtype)
        return self.pick(dtype, device)


def test_given_summaries_have_no_number_format(pagesum, texts):
    assert "dtype" not in json.loads(pagesum("eval", *texts, "--format", "json").out)["signature"]


def test_a_reference_that_is_a_list_is_scored_by_its_sentences_and_again(
    pagesum, tmp_path, tiny_checkpoint
):
    record = {
        "id": "a",
        "text": "A dog ran. It was late.",
        "summary": ["( 1 ) As in fig . 3 .", "It was late ."],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    (tmp_path / "p.txt").write_text("It was as late as in fig 3.\n")
    flags = "--predictions", tmp_path / "p.txt", "--data", tmp_path / "a.jsonl", "--format", "json"
    first = pagesum("eval", *flags, "--output", tmp_path / "run")
    assert first.code == 0, first.err
    line = json.loads((tmp_path / "run" / "results.jsonl").read_text())
    assert line["reference_sentences"] == record["summary"]
    assert line["reference"] == " ".join(record["summary"])
    del line["scores"], line["scoring"]
    (tmp_path / "again.jsonl").write_text(json.dumps(line))
    again = pagesum("eval", "--from", tmp_path / "again.jsonl", "--format", "json")
    assert json.loads(again.out)["metrics"] == json.loads(first.out)["metrics"]


def test_scripts_that_rouge_does_not_read_are_pointed_out(pagesum, tmp_path):
    text = tmp_path / "thai.txt"
    text.write_text("สวัสดี ชาวโลก\n", encoding="utf-8")
    result = pagesum("eval", "--predictions", text, "--references", text)
    assert (result.code, "ROUGE reads a–z and 0–9 only" in result.err) == (0, True)
