"""``pagesum inspect`` as it is typed."""

import json
import subprocess
import sys

import pytest

from pagesum_cli.summary.history import recall

SENTENCES = "The harvest was late this year. Prices rose in most towns."


@pytest.fixture
def result(pagesum, report, tiny_checkpoint, tmp_path):
    """What ``summarize --format json`` wrote about the report."""
    done = pagesum(
        "summarize", report, "--model", tiny_checkpoint, "--format", "json", "--no-history"
    )
    assert done.code == 0, done.err
    path = tmp_path / "result.json"
    path.write_text(done.out, encoding="utf-8")
    return path


def test_a_file_is_summarized_and_drawn(pagesum, report, tiny_checkpoint):
    done = pagesum("inspect", report, "--model", tiny_checkpoint)
    assert done.code == 0, done.err
    for part in (
        "The late harvest",
        "Introduction",
        "Methods",
        "confidence",
        "space locality",
        "time locality",
    ):
        assert part in done.out
    assert recall().text.split()[0] in done.out


def test_alone_it_draws_the_last_summary(pagesum, report, letter, tiny_checkpoint):
    pagesum("summarize", letter, "--model", tiny_checkpoint, "--history")
    pagesum("summarize", report, "--model", tiny_checkpoint, "--history")
    assert "The late harvest" in pagesum("inspect").out
    before = pagesum("inspect", "--last", "2")
    assert before.code == 0
    assert "The late harvest" not in before.out


def test_only_the_latest_summary_is_kept_unless_history_is_turned_on(
    pagesum, report, letter, tiny_extractive, history, config_home
):
    command = ("summarize", "--model", tiny_extractive)
    assert pagesum(*command, letter).code == pagesum(*command, report).code == 0
    assert len(list(history.iterdir())) == 1
    before = pagesum("inspect", "--last", "2")
    assert before.code == 2
    assert "one summary is kept" in before.err
    assert "history = true" in before.err
    (config_home / "pagesum" / "config.toml").write_text("history = true\n")
    assert pagesum(*command, letter).code == pagesum(*command, report).code == 0
    assert pagesum("inspect", report, "--model", tiny_extractive).code == 0
    assert len(list(history.iterdir())) == 3  # two, and the latest one


def test_no_history_keeps_nothing(pagesum, report, tiny_checkpoint):
    assert pagesum("inspect", report, "--model", tiny_checkpoint, "--no-history").code == 0
    done = pagesum("inspect")
    assert done.code == 1
    assert "no summary is kept" in done.err


def test_a_saved_result_is_drawn_again(pagesum, result):
    done = pagesum("inspect", result, "--evidence")
    assert done.code == 0, done.err
    assert "evidence in the document" in done.out
    assert pagesum("inspect", "-", stdin=result.read_bytes()).out == pagesum("inspect", result).out


def test_redrawing_loads_no_model(result):
    code = (
        f"import sys; from pagesum_cli.cli.app import run; code = "
        f"run(['inspect', {str(result)!r}]); "
    )
    code += (
        "print(code, sorted({'torch', 'transformers', 'matplotlib'} & sys.modules.keys()), "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"


def test_json_lines_are_drawn_one_after_the_other(pagesum, result, tmp_path):
    lines = tmp_path / "all.jsonl"
    lines.write_text((json.dumps(json.loads(result.read_text())) + "\n") * 2)
    done = pagesum("inspect", lines)
    assert done.out.count("space locality") == 2
    refused = pagesum("inspect", lines, "--export", tmp_path / "a.csv")
    assert refused.code == 2


def test_a_given_summary_is_drawn_with_its_log_probabilities(
    pagesum, report, tiny_checkpoint, tmp_path
):
    reference = tmp_path / "reference.txt"
    reference.write_text(SENTENCES)
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--summary", reference)
    assert done.code == 0, done.err
    assert "log p" in done.out
    for word in SENTENCES.split():
        assert word in done.out


def test_quotes_are_drawn_by_sentence_with_the_parts_that_competed(
    pagesum, report, tiny_extractive
):
    done = pagesum("inspect", report, "--model", tiny_extractive, "--evidence")
    assert (done.code, done.err) == (0, "")
    assert "at each sentence, the strongest part has" in " ".join(done.out.split())
    below = done.out.partition("evidence in the document")[2]
    for sentence in recall().sentences:
        assert below.count(sentence.text) == 1
        assert f"↓ {sentence.source.after}" in below or not sentence.source.after


def test_given_sentences_are_aligned_by_an_extractive_model(
    pagesum, report, tiny_extractive, tmp_path
):
    reference = tmp_path / "reference.txt"
    reference.write_text("Prices rose in towns. Farms on the hills lost wheat.")
    done = pagesum("inspect", report, "--model", tiny_extractive, "--summary", reference)
    assert (done.code, done.err) == (0, "")
    assert [sentence.source.section for sentence in recall().sentences] == [
        "Introduction",
        "Results",
    ]
    assert "↑" not in done.out
    assert "Prices rose in most towns." in " ".join(done.out.split())


def test_a_reference_longer_than_the_positions(pagesum, report, tiny_checkpoint, tmp_path):
    reference = tmp_path / "reference.txt"
    reference.write_text(SENTENCES * 40)
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--summary", reference)
    assert done.code == 1
    assert "the given summary has" in done.err
    assert "positions for 127" in done.err


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
        sentence["source"] = None
    result.write_text(json.dumps(data))
    done = pagesum("inspect", result, "--evidence")
    assert done.code == 0
    assert "by sentence, not by word" in done.err
    assert "without its evidence" in done.err


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"schema": 2, "pages": []}, "schema 2 where 1 was expected"),
        ({"schema": 1, "n": 9}, "expected a summary"),
    ],
)
def test_json_of_another_schema(pagesum, tmp_path, data, reason):
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data))
    done = pagesum("inspect", path)
    assert done.code == 1
    assert reason in done.err
    assert "Traceback" not in done.err


def test_unknown_json(pagesum, tmp_path, tiny_checkpoint):
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


def test_exports_never_replace_what_is_read_and_other_files_only_with_force(
    pagesum, result, report, tmp_path
):
    table = tmp_path / "a.csv"
    table.write_text("my own words")
    for path in (result, report):
        refused = pagesum("inspect", path, "--export", table)
        assert (refused.code, refused.out) == (1, "")
        assert f"{table} exists" in refused.err
    assert table.read_text() == "my own words"
    assert pagesum("inspect", result, "--export", table, "--export", table, "--force").code == 0
    assert table.read_text().startswith("step,")
    before = result.read_bytes()
    assert pagesum("inspect", result, "--export", result, "--force").code == 2
    assert result.read_bytes() == before


def test_nothing_is_lost_when_an_export_fails(pagesum, report, tiny_checkpoint, tmp_path):
    (tmp_path / "a.csv").symlink_to("/dev/full")
    done = pagesum("inspect", report, "--model", tiny_checkpoint, "--export", tmp_path / "a.csv")
    assert done.code == 1
    assert "cannot be written" in done.err
    assert "space locality" in done.out
    assert pagesum("inspect").code == 0


def test_a_file_that_cannot_be_written_is_reported_before_the_model_is_loaded(
    pagesum, report, tmp_path
):
    done = pagesum(
        "inspect", report, "--export", tmp_path / "none" / "a.csv", "--export", tmp_path / "b.csv"
    )
    assert (done.code, done.out) == (1, "")
    assert "there is no folder" in done.err
    assert not (tmp_path / "b.csv").exists()


def test_a_reader_that_leaves_early_gets_its_files(result, tmp_path):
    table = tmp_path / "a.csv"
    command = [sys.executable, "-m", "pagesum_cli", "inspect", str(result), "--export", str(table)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        running.stdout.close()
        assert running.wait(60) == 0
    assert table.exists()


def test_all_draws_every_part(pagesum, result):
    data = json.loads(result.read_text())
    labels = [f"{page['label']} (1/2)" for page in data["pages"]]
    for page, label in zip(data["pages"], labels, strict=True):
        page["label"] = label
    result.write_text(json.dumps(data))
    assert not any(label in pagesum("inspect", result).out for label in labels)
    assert all(pagesum("inspect", result, "--all").out.count(label) for label in labels)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["{report}", "--export", "a.gif"], ".png, .svg, .pdf, .html, .json, .csv"),
        (["--summary", "{report}"], "--summary without FILES"),
        (["{report}", "--by", "letter"], "not one of 'token', 'word', 'sentence'"),
        (["{report}", "--rows", "2"], "expected at least 3"),
        (["{result}", "--summary", "{report}"], "which is a summary"),
    ],
)
def test_wrong_usage(pagesum, report, result, arguments, reason):
    done = pagesum("inspect", *(one.format(report=report, result=result) for one in arguments))
    assert done.code == 2
    assert reason in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{result}", "--beams", "2"], "--beams does nothing with {result}, which is a summary"),
        (["--model", "mini"], "--model does nothing without FILES"),
        (["{report}", "--last", "2"], "--last does nothing with documents"),
        (
            ["{report}", "--summary", "{report}", "--beams", "2"],
            "--beams does nothing with --summary",
        ),
        (["{report}", "--summary", "{report}", "--trim"], "--trim does nothing with --summary"),
        (
            ["{report}", "--summary", "{report}", "--recursive"],
            "--recursive does nothing with --summary",
        ),
        (
            ["{report}", "--model", "mini", "--length-penalty", "2"],
            "length-penalty does nothing with mini",
        ),
    ],
)
def test_flags_that_do_nothing_are_refused(pagesum, report, result, arguments, message):
    done = pagesum("inspect", *(part.format(report=report, result=result) for part in arguments))
    assert done.code == 2
    assert message.format(result=result) in done.err


def test_summaries_carry_their_evidence(pagesum, report, tiny_checkpoint):
    arguments = ("summarize", report, "--model", tiny_checkpoint, "--cite", "--format")
    assert "## Evidence" in pagesum(*arguments, "markdown").out
    page = pagesum(*arguments, "html").out
    assert 'class="q"' in page or "No sentence of the document" in page
    sentences = json.loads(pagesum(*arguments, "json").out)["sentences"]
    assert all(isinstance(sentence["supported"], bool) for sentence in sentences)


RECORD = {
    "id": "harvest-1971",
    "sections": [
        {
            "heading": "Introduction",
            "text": "The harvest was late this year. Farms on the hills lost wheat.",
        },
        {
            "heading": "Results",
            "text": "Prices rose in most towns. The mills of the rivers closed in the winter.",
        },
    ],
    "summary": ["The harvest was late . It rained", "Prices rose in most towns."],
}


@pytest.fixture
def records(tmp_path):
    others = [{"id": "harvest-1972", "text": "Rain fell."}, {"id": "b", "text": 5}]
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (*others, RECORD)))
    return path


def test_the_reference_of_a_record_is_read_by_the_model(
    pagesum, records, tiny_checkpoint, tmp_path
):
    exported = tmp_path / "a.json"
    flags = (
        "--data",
        records,
        "--id",
        "harvest-1971",
        "--model",
        tiny_checkpoint,
        "--locality",
        "discourse",
    )
    done = pagesum("inspect", *flags, "--summary", "reference", "--export", exported)
    assert done.code == 0, done.err
    summary = json.loads(exported.read_text())
    assert summary["summary"] == " ".join(RECORD["summary"])
    assert [one["text"] for one in summary["sentences"]] == RECORD["summary"]  # not split again
    assert summary["settings"]["id"] == f"{records}#harvest-1971"
    assert all(token["log_probability"] < 0 for token in summary["tokens"])
    text = tmp_path / "reference.txt"
    text.write_text(summary["summary"])
    document = tmp_path / "document.jsonl"
    document.write_text(json.dumps(RECORD))
    again = tmp_path / "b.json"
    by_file = pagesum("inspect", document, "--summary", text, *flags[4:], "--export", again)
    assert by_file.code == 0, by_file.err
    assert json.loads(again.read_text())["tokens"] == summary["tokens"]


def test_a_record_is_summarized_without_its_reference(pagesum, records, tiny_extractive, tmp_path):
    done = pagesum("inspect", "--data", records, "--id", "harvest-1971", "--model", tiny_extractive)
    assert done.code == 0, done.err
    summary = recall()
    assert {one.source.file for one in summary.sentences} == {"harvest-1971"}
    assert summary.text != " ".join(RECORD["summary"])
    given = tmp_path / "given.txt"
    given.write_text("Prices rose in towns.")
    flags = "--data", records, "--id", "harvest-1971", "--model", tiny_extractive
    assert pagesum("inspect", *flags, "--summary", given).code == 0
    assert recall().text == "Prices rose in towns."
    assert pagesum("inspect", *flags, "--summary", "reference").code == 0
    assert [one.text for one in recall().sentences] == RECORD["summary"]


@pytest.mark.parametrize(
    ("flags", "code", "message", "hint"),
    [
        (
            ("--id", "harvest-1973"),
            1,
            "none of 2 records has the id 'harvest-1973'",
            "similar ids: harvest-197",
        ),
        (("--id", "?"), 1, "has the id '?'", "the first ids are harvest-1972, harvest-1971"),
        (
            ("--id", "harvest-1972", "--summary", "reference"),
            1,
            "#harvest-1972 has no summary",
            "leave --summary out",
        ),
        ((), 2, "--data without --id", "--id"),
        (
            ("a.txt", "--id", "b"),
            2,
            "--data given together with a.txt",
            "use files, or --data with --id",
        ),
        (("--id", "b", "--data-dir", "x"), 2, "--data-dir does nothing for --data", "arxiv"),
        (("--id", "b", "--password", "x"), 2, "--password does nothing", "files and folders"),
        (
            ("--id", "harvest-1972", "--summary", "none.txt"),
            1,
            "none.txt: no such file",
            "check the path",
        ),
    ],
)
def test_what_is_wrong_with_a_record_is_one_line(
    pagesum, records, tiny_checkpoint, flags, code, message, hint
):
    done = pagesum("inspect", "--data", records, *flags, "--model", tiny_checkpoint)
    assert (done.code, done.out) == (code, "")
    error = [line for line in done.err.splitlines() if not line.startswith("warning")]
    assert len(error) == 2
    assert message in error[0]
    assert hint in error[1]


@pytest.mark.parametrize("flags", [("--id", "b"), ("--split", "train"), ("--data-dir", "x")])
def test_flags_of_a_record_without_data(pagesum, flags):
    done = pagesum("inspect", *flags)
    assert done.code == 2
    assert f"{flags[0]} without --data" in done.err


def test_the_reference_of_files_is_not_known(pagesum, report, tiny_checkpoint):
    done = pagesum("inspect", report, "--summary", "reference", "--model", tiny_checkpoint)
    assert done.code == 2
    assert "--summary reference without --data" in done.err


def test_data_is_never_replaced_by_an_export(pagesum, records, tiny_checkpoint):
    data = records.rename(records.with_suffix(".json"))
    before = data.read_bytes()
    flags = "--data", data, "--id", "harvest-1971", "--model", tiny_checkpoint
    assert pagesum("inspect", *flags, "--export", data, "--force").code == 2
    assert data.read_bytes() == before


def test_a_named_data_set_is_cut_by_its_locality(pagesum, tiny_checkpoint, tmp_path):
    (tmp_path / "test.src").write_text(
        "The harvest was late. It rained. ||||| Prices rose in most towns.\n"
    )
    (tmp_path / "test.tgt").write_text("Prices rose.\n")
    flags = "--data", "multinews", "--data-dir", tmp_path, "--id", "1", "--model", tiny_checkpoint
    assert pagesum("inspect", *flags, "--summary", "reference").code == 0
    assert [page.label for page in recall().pages] == ["1/1", "1/2"]
    assert pagesum("inspect", *flags, "--locality", "spatial", "--num-pages", "7").code == 0
    assert len(recall().pages) == 7


def test_o_is_short_for_export(pagesum, result, tmp_path):
    assert pagesum("inspect", result, "-o", tmp_path / "parts.csv").code == 0
    assert (tmp_path / "parts.csv").read_text(encoding="utf-8").startswith("step,")
