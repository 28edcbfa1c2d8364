"""``pagesum summarize`` on a tiny checkpoint of random weights: real, but without sense."""

import gzip
import json
import os
import re
import shutil
from dataclasses import replace
from functools import partial

import pytest


@pytest.fixture
def summarize(pagesum, tiny_checkpoint):
    def call(*arguments, **options):
        return pagesum(
            "summarize", *arguments, "--model", tiny_checkpoint, "--device", "cpu", **options
        )

    return call


def json_of(result):
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_piped_text_is_the_summary_alone_and_what_was_done_is_on_stderr(summarize, report):
    result = summarize(report)
    assert result.code == 0
    assert result.out == json_of(summarize(report, "--format", "json"))["summary"] + "\n"
    assert result.err.startswith("The late harvest: ")
    assert "discourse; model" in result.err
    assert summarize(report, "-q") == replace(result, err="")


def test_json_holds_every_page_and_sums_to_one(summarize, report, tiny_checkpoint):
    data = json_of(summarize(report, "--format", "json"))
    assert data["schema"] == 1
    assert data["model"] == str(tiny_checkpoint)
    assert data["locality"] == "discourse"
    for sentence in data["sentences"]:
        assert sorted(share["page"] for share in sentence["pages"]) == [
            page["page"] for page in data["pages"]
        ]
        assert sum(share["confidence"] for share in sentence["pages"]) == pytest.approx(1, abs=1e-3)
    assert sum(page["confidence"] for page in data["pages"]) == pytest.approx(1, abs=1e-3)
    assert data["seconds"].keys() == {"read", "encode", "decode"}


def test_the_same_command_gives_the_same_summary(summarize, report):
    first, second = (json_of(summarize(report, "--format", "json")) for _ in range(2))
    assert {**first, "seconds": None} == {**second, "seconds": None}


def test_flags_reach_the_model_and_are_kept_with_the_summary(summarize, letter):
    flags = [
        "--beams",
        "1",
        "--max-length",
        "9",
        "--min-length",
        "3",
        "--no-repeat-ngram",
        "2",
        "--page-tokens",
        "40",
    ]
    data = json_of(summarize(letter, "--format", "json", *flags))
    wanted = {"beams": 1, "max_length": 9, "min_length": 3, "no_repeat_ngram": 2, "page_tokens": 40}
    assert wanted.items() <= data["settings"].items()
    assert len(data["tokens"]) <= 9
    assert all(page["tokens"] <= 40 for page in data["pages"])


def test_length_words_change_the_length(summarize, letter):
    counts = {}
    for length in ("short", "long"):
        counts[length] = len(
            json_of(summarize(letter, "--format", "json", "--length", length, "--as-generated"))[
                "tokens"
            ]
        )
    assert counts["short"] < counts["long"]


def test_a_fixed_number_of_pages_as_in_the_paper(summarize, letter):
    data = json_of(
        summarize(letter, "--format", "json", "--num-pages", "5", "--locality", "spatial")
    )
    assert len(data["pages"]) == 5


def test_several_files_make_one_summary_by_document(summarize, letter, report):
    data = json_of(summarize(letter, report, "--format", "json"))
    assert data["locality"] == "document"
    assert {page["source"] for page in data["pages"]} == {"letter.txt", "report.md"}


def test_standard_input(summarize):
    data = json_of(
        summarize(
            "-", "--format", "json", stdin=b"Rain fell for eleven days. Prices rose in most towns."
        )
    )
    assert data["pages"][0]["source"] == "stdin"


def test_citations_are_in_plain_text_if_asked_for_and_in_markdown_unless_refused(summarize, report):
    def is_cited(*flags):
        text = summarize(report, *flags).out.replace("\\", "")
        return any(f"[{name}" in text for name in ("Introduction", "Methods", "Results"))

    assert [is_cited(*flags) for flags in ([], ["--cite"], ["--no-cite"])] == [False, True, False]
    markdown = ["--format", "markdown"]
    assert [is_cited(*markdown, *flags) for flags in ([], ["--cite"], ["--no-cite"])] == [
        True,
        True,
        False,
    ]
    data = json_of(summarize(report, "--cite", "--bullets", "--format", "json"))
    assert data["summary"] == json_of(summarize(report, "--format", "json"))["summary"]


def test_bullets_are_a_list_of_the_sentences(summarize, report):
    count = len(json_of(summarize(report, "--format", "json"))["sentences"])
    for flags, start in (([], "• "), (["--format", "markdown"], "- ")):
        lines = summarize(report, "--bullets", *flags).out.splitlines()
        assert sum(line.startswith(start) for line in lines) == count


def test_words_left_out_are_reported_on_stderr(summarize, report):
    result = summarize(report, "--overflow", "truncate", "--page-tokens", "40", "--format", "json")
    assert any(page["truncated"] for page in json_of(result)["pages"])
    assert result.err.startswith("warning: ")
    assert "words are not read" in result.err
    assert summarize(report, "--overflow", "truncate", "--page-tokens", "40", "--quiet").err == ""


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.md", "# The late harvest\n"),
        ("a.json", "{\n"),
        ("a.html", "<!doctype html>"),
    ],
)
def test_an_output_file_has_the_format_of_its_extension(summarize, report, tmp_path, name, start):
    result = summarize(report, "-o", tmp_path / name)
    assert (result.code, result.out, result.err) == (0, "", f"wrote {tmp_path / name}\n")
    assert (tmp_path / name).read_text().startswith(start)


def test_each_prints_json_lines(summarize, letter, report):
    result = summarize(letter, report, "--each", "--format", "json")
    assert result.code == 0
    sources = [json.loads(line)["pages"][0]["source"] for line in result.out.splitlines()]
    assert sources == ["letter.txt", "report.md"]


def test_each_as_text_has_a_line_with_the_file_before_each(summarize, letter, report):
    out = summarize(letter, report, "--each").out
    texts = [summarize(file).out for file in (letter, report)]
    assert out == f"{letter}\n{texts[0]}\n{report}\n{texts[1]}"


def test_each_gives_what_each_file_alone_gives_whatever_fails(
    pagesum, tiny_extractive, letter, report, tmp_path
):
    (tmp_path / "empty.txt").touch()
    files = [letter, report, tmp_path / "empty.txt"] * 3
    names = [
        shutil.copy(file, tmp_path / f"{number}{file.suffix}") for number, file in enumerate(files)
    ]
    run = partial(pagesum, "summarize", "--model", tiny_extractive, "--no-history")
    result = run(*names, "--each")
    assert result.code == 1
    assert result.err.count("expected text, found an empty file") == 3
    alone = [
        f"{name}\n{run(name).out}"
        for name, file in zip(names, files, strict=True)
        if file.stat().st_size
    ]
    assert result.out == "\n".join(alone)


def test_each_summarizes_every_record(summarize, tmp_path):
    records = [
        {"id": "one", "text": "Rain fell for eleven days."},
        {
            "id": "two",
            "documents": [
                {"name": "a", "text": "Prices rose."},
                {"name": "b", "text": "Wheat cost more."},
            ],
        },
    ]
    path = tmp_path / "data.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    result = summarize(path, "--each", "--format", "jsonl")
    assert result.code == 0
    assert [json.loads(line)["locality"] for line in result.out.splitlines()] == [
        "spatial",
        "document",
    ]
    together = summarize(path)
    assert together.code == 0
    assert "3 documents in one summary; --each" in together.err


def test_a_file_that_fails_is_reported_at_the_end_and_the_others_are_done(
    summarize, letter, report, tmp_path
):
    empty = tmp_path / "empty.txt"
    empty.touch()
    out = tmp_path / "out"
    result = summarize(
        letter, empty, tmp_path / "missing.pdf", report, "--each", "--output-dir", out
    )
    assert result.code == 1
    assert {path.name for path in out.iterdir()} == {"letter.txt", "report.txt", ".pagesum.jsonl"}
    assert "empty.txt" in result.err
    assert "missing.pdf" in result.err
    assert result.err.splitlines()[-1] == "error: 2 of 4 could not be summarized"


def test_what_is_done_is_not_done_again(summarize, letter, report, tmp_path):
    out = tmp_path / "out"
    assert summarize(letter, "--each", "--output-dir", out).code == 0
    before = (out / "letter.txt").stat()
    result = summarize(letter, report, "--each", "--output-dir", out)
    assert result.err == "1 of 2 already done\n"
    after = (out / "letter.txt").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (out / "report.txt").exists()


def test_standard_input_is_never_taken_for_done(summarize, tmp_path):
    out = tmp_path / "out"
    for text in (b"Rain fell for eleven days.", b"Prices rose in most towns."):
        result = summarize("-", "--each", "--output-dir", out, "--format", "json", stdin=text)
        assert (result.code, result.err) == (0, "")
        assert len(json.loads((out / "stdin.json").read_text())["pages"]) == 1
    assert len((out / ".pagesum.jsonl").read_text().split("\n")[1:]) == 2


def test_records_on_standard_input_are_summarized_one_by_one_as_in_a_file(summarize, tmp_path):
    records = [{"id": name, "text": "Rain fell for eleven days."} for name in ("a", "b")]
    lines = "\n".join([*map(json.dumps, records), "{broken"]).encode()
    out = tmp_path / "out"
    result = summarize("-", "--each", "--output-dir", out, stdin=lines)
    assert result.code == 1
    assert result.err.startswith("error: standard input, line 3: expected a JSON object")
    assert {path.name for path in out.glob("*.txt")} == {"stdin-a.txt", "stdin-b.txt"}
    assert "2 of 3 already done" in summarize("-", "--each", "--output-dir", out, stdin=lines).err
    ids = [
        json.loads(line)["settings"]["id"]
        for line in summarize("-", "--each", "--format", "jsonl", stdin=lines).out.splitlines()
    ]
    assert ids == ["-#a", "-#b"]


@pytest.mark.parametrize("change", ["input", "settings", "output removed"])
def test_what_is_outdated_is_done_again(summarize, letter, tmp_path, change):
    out = tmp_path / "out"
    flags = [letter, "--each", "--output-dir", out]
    summarize(*flags)
    inode = (out / "letter.txt").stat().st_ino
    if change == "input":
        letter.write_text("Quite another letter.")
    elif change == "settings":
        flags += ["--max-length", "7"]
    else:
        (out / "letter.txt").rename(tmp_path / "kept")
    result = summarize(*flags)
    assert (result.code, result.err) == (0, "")
    assert (out / "letter.txt").stat().st_ino != inode


def test_a_file_that_is_not_ours_is_left_alone(summarize, letter, tmp_path):
    # The output folder is that of the input, and the output would have the input's name.
    before = letter.read_text()
    result = summarize(letter, "--each", "--output-dir", letter.parent)
    assert result.code == 1
    assert "was not written by pagesum" in result.err
    assert letter.read_text() == before


def test_summaries_are_not_summarized_where_their_folder_lies_in_the_input(summarize, letter):
    out = letter.parent / "out"
    for _ in range(2):
        assert summarize(letter.parent, "--each", "--output-dir", out).code == 0
    assert [path.name for path in out.glob("*.txt")] == ["letter.txt"]


def test_nothing_is_loaded_when_all_is_done(
    summarize, letter, tmp_path, tiny_checkpoint, monkeypatch
):
    out = tmp_path / "out"
    summarize(letter, "--each", "--output-dir", out)
    monkeypatch.delattr("pagesum_cli.summarizer.PageSummarizer.from_pretrained")
    assert summarize(letter, "--each", "--output-dir", out).code == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "missing" / "a.txt", "there is no folder"),
        (lambda folder: folder, "found a folder"),
        (lambda folder: "/proc/a.txt", "cannot be written"),
    ],
)
def test_an_output_that_cannot_be_written_is_reported_before_the_input_is_read(
    summarize, tmp_path, make, message
):
    result = summarize("missing.txt", "-o", make(tmp_path))
    assert result.code == 1
    assert message in result.err
    assert "missing.txt" not in result.err


def test_a_full_disk_is_reported_in_one_line(summarize, letter):
    result = summarize(letter, "-o", "/dev/full")
    assert result.code == 1
    assert "No space left on device" in result.err.splitlines()[0]
    assert "Traceback" not in result.err


def test_a_plain_bart_gives_a_warning_about_untrained_confidences(
    pagesum, tiny_checkpoint, letter, tmp_path
):
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "bart"
    folder.mkdir()
    for path in tiny_checkpoint.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    weights = {
        k: v for k, v in load_file(folder / "model.safetensors").items() if not k.startswith("lin.")
    }
    save_file(weights, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "bart"}))
    result = pagesum("summarize", letter, "--model", folder)
    assert result.code == 0
    assert "untrained" in result.err


@pytest.mark.parametrize(("flag", "value"), [("--page-tokens", "500"), ("--max-length", "128")])
def test_values_beyond_the_model_are_refused_before_it_is_loaded(
    summarize, letter, flag, value, monkeypatch
):
    monkeypatch.delattr("pagesum_cli.summarizer.PageSummarizer.from_pretrained")
    result = summarize(letter, flag, value)
    assert result.code == 2
    assert "positions for" in result.err


def test_a_data_set_folder_is_summarized_record_by_record(pagesum, tiny_checkpoint, tmp_path):
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "test.src").write_text(
        "The council met. ||||| It lent seed.\nWheat cost more.\n"
    )
    (tmp_path / "set" / "test.tgt").write_text("S one.\nS two.\n")
    done = pagesum(
        "summarize", tmp_path / "set", "--each", "--model", tiny_checkpoint, "--format", "json"
    )
    assert done.code == 0, done.err
    summaries = [json.loads(line) for line in done.out.splitlines()]
    assert [len(one["pages"]) for one in summaries] == [2, 1]
    assert summaries[0]["locality"] == "document"


def test_quotes_are_slices_of_the_text_that_pages_writes(pagesum, tiny_extractive, report):
    data = json_of(pagesum("summarize", report, "--model", tiny_extractive, "--format", "json"))
    (document,) = json_of(pagesum("pages", report, "--model", tiny_extractive, "--format", "json"))[
        "documents"
    ]
    assert data["tokens"] == []
    assert data["sentences"]
    for sentence in data["sentences"]:
        source = sentence["source"]
        assert document["text"][source["start"] : source["end"]] == sentence["text"]
        assert source["file"] == "report.md"
        assert data["pages"][source["page"]]["label"].startswith(source["section"])


def test_an_input_is_never_the_output(summarize, letter):
    before = letter.read_bytes()
    for arguments in (
        [letter, "-o", letter],
        [letter.parent, "-o", letter],
        [letter, "--each", "-o", letter],
    ):
        result = summarize(*arguments)
        assert result.code == 2
        assert "would be overwritten" in result.err
    assert letter.read_bytes() == before


def test_an_existing_file_is_replaced_only_with_force(summarize, letter, tmp_path):
    output = tmp_path / "a.md"
    output.write_text("my own words")
    for flags in ([], ["--each"]):
        result = summarize(letter, "-o", output, *flags)
        assert (result.code, result.err.splitlines()[0]) == (1, f"error: {output} exists")
        assert "--force" in result.err
        assert output.read_text() == "my own words"
    for flags in ([], ["--each"]):
        output.write_text("my own words")
        assert summarize(letter, "-o", output, "--force", *flags).code == 0
        assert "my own words" not in output.read_text()


def test_one_file_of_many_summaries_names_the_way_to_resume(summarize, letter, tmp_path):
    output = tmp_path / "all.txt"
    assert summarize(letter, "--each", "-o", output).code == 0
    result = summarize(letter, "--each", "-o", output)
    assert result.code == 1
    assert result.err.splitlines()[1].startswith("hint: to resume stopped runs, use --output-dir")


def test_an_open_file_and_a_pipe_are_written_to(summarize, letter, tmp_path):
    text = summarize(letter).out
    with open(tmp_path / "log.txt", "w+b") as log:
        log.write(b"before\n")
        log.flush()
        for flags in ([], ["--each"]):
            assert summarize(letter, "-o", f"/dev/fd/{log.fileno()}", *flags).code == 0
    assert (tmp_path / "log.txt").read_text() == f"before\n{text}{letter}\n{text}"
    os.mkfifo(tmp_path / "pipe")
    result = summarize(letter, "--each", "-o", tmp_path / "pipe")
    assert (result.code, "redirect stdout" in result.err) == (2, True)


def test_an_input_is_never_replaced_even_with_force(summarize, letter, tmp_path):
    before = letter.read_bytes()
    link = tmp_path / "link.md"
    link.hardlink_to(letter)
    for output in (letter, link):
        assert summarize(letter, "-o", output, "--force").code == 2
    result = summarize(letter, "--each", "--output-dir", letter.parent, "--force")
    assert result.code == 1
    assert "is one of the documents" in result.err
    assert letter.read_bytes() == before


def test_an_edited_result_is_replaced_only_with_force(summarize, letter, report, tmp_path):
    out = tmp_path / "out"
    command = [letter, report, "--each", "--output-dir", out]
    assert summarize(*command).code == 0
    (out / "letter.txt").write_text("my own words")
    result = summarize(*command)
    assert result.code == 1
    assert result.err.startswith("1 of 2 already done\nerror: ")
    assert (out / "letter.txt").read_text() == "my own words"
    result = summarize(*command, "--force")
    assert (result.code, result.err) == (0, "1 of 2 already done\n")
    assert (out / "letter.txt").read_text() != "my own words"


def test_an_unknown_extension_is_one_line_with_all_that_are_known(summarize):
    result = summarize("missing.txt", "-o", "a.docx")
    assert result.code == 2
    assert (
        "unknown extension .docx, expected one of .txt, .md, .json, .jsonl, .html"
        in result.err.splitlines()[0]
    )


def test_records_that_cannot_be_used_are_reported_in_every_mode(summarize, tmp_path):
    path = tmp_path / "data.jsonl"
    good = [json.dumps({"id": name, "text": "Rain fell for eleven days."}) for name in "ab"]
    path.write_text("\n".join([good[0], "{broken", '{"id": "c"}', good[1], *["x"] * 5]))
    together = summarize(path)
    assert together.code == 0
    assert [f"warning: {path}, line {number}: " in together.err for number in (2, 3, 5, 6, 7)] == [
        True
    ] * 5
    assert "2 more records or files were left out" in together.err
    for flags in (["--each"], ["--each", "--output-dir", tmp_path / "out"]):
        result = summarize(path, *flags)
        assert result.code == 1
        assert all(
            f"error: {path}, line {number}: " in result.err for number in (2, 3, 5, 6, 7, 8, 9)
        )
        assert result.err.splitlines()[-1] == "error: 7 of 9 could not be summarized"
    assert "2 of 9 already done" in summarize(path, "--each", "--output-dir", tmp_path / "out").err


def test_file_names_too_long_in_bytes(summarize, tmp_path):
    path = tmp_path / f"{'漢' * 83}.jsonl"
    path.write_text(
        "\n".join(json.dumps({"id": name, "text": "Rain fell."}) for name in ("漢" * 150, "ok"))
    )
    result = summarize(path, "--each", "--output-dir", tmp_path / "out")
    assert (result.code, result.err) == (0, "")
    assert len(list((tmp_path / "out").glob("*.txt"))) == 2


@pytest.mark.parametrize("each", [[], ["--each"]])
def test_patterns_select_files_of_folders(summarize, letter, report, tmp_path, each):
    (tmp_path / "drafts").mkdir()
    (tmp_path / "drafts" / "old.md").write_text("Prices rose.")
    flags = [
        "--include",
        "*.md",
        "--include",
        "*.txt",
        "--exclude",
        "drafts",
        "--exclude",
        "letter.*",
    ]
    result = summarize(tmp_path, *flags, *each, "--format", "jsonl")
    assert result.code == 0
    assert {page["source"] for page in json.loads(result.out)["pages"]} == {"report.md"}
    assert summarize(tmp_path, "--exclude", "*", *each).code == 1


@pytest.mark.parametrize("name", ["all.jsonl", "all.md", "all.txt"])
def test_each_summary_is_written_when_it_is_ready(
    summarize, letter, report, tmp_path, name, monkeypatch
):
    from pagesum_cli.batch.worker import Worker

    output = tmp_path / name
    sizes = []
    made = Worker.summarize

    def spy(self, *arguments, **options):
        sizes.append(output.stat().st_size if output.exists() else 0)
        return made(self, *arguments, **options)

    monkeypatch.setattr(Worker, "summarize", spy)
    assert summarize(letter, report, "--each", "-o", output).code == 0
    assert sizes[0] == 0 < sizes[1] < output.stat().st_size
    written, shown = (
        output.read_text(),
        summarize(letter, report, "--each", *FORMAT_OF[output.suffix]).out,
    )
    assert re.sub(r'"seconds": {.*?}', "", written) == re.sub(r'"seconds": {.*?}', "", shown)


FORMAT_OF = {".jsonl": ["--format", "jsonl"], ".md": ["--format", "markdown"], ".txt": []}


def test_the_commit_of_a_model_of_the_hub_is_shown(
    pagesum, tiny_extractive, report, tmp_path, monkeypatch
):
    """The hub's library is replaced by one that has downloaded the checkpoint: tests have no
    network.
    """
    snapshot = tmp_path / "models--a--b" / "snapshots" / ("0123456789abcdef" * 2 + "01234567")
    shutil.copytree(tiny_extractive, snapshot)
    monkeypatch.setattr(
        "huggingface_hub.snapshot_download", lambda repository, **options: str(snapshot)
    )
    result = pagesum("summarize", report, "--model", "a/b")
    assert result.code == 0
    assert "a/b is at commit 0123456789ab of the hub" in result.err


@pytest.mark.parametrize(
    ("flags", "message", "hint"),
    [
        (["--output", "-"], "--output -: expected a file", "stdout"),
        (["--each", "--output", "all.json"], "all.json: --each writes JSON Lines", ".jsonl"),
        (
            ["--words", "9", "--sentences", "2"],
            "--words given together with --sentences",
            "one or the other",
        ),
        (["--focus", " "], "focus is empty", "a topic"),
    ],
)
def test_outputs_and_lengths_that_make_no_sense(summarize, report, flags, message, hint):
    result = summarize(report, *flags)
    assert (result.code, result.out) == (2, "")
    first, second = result.err.splitlines()
    assert message in first
    assert hint in second


def test_an_address_is_not_a_file(summarize):
    result = summarize("https://example.org/paper.pdf")
    assert result.code == 1
    assert "expected a file, found an address" in result.err


def test_each_summary_of_a_series_names_its_record(pagesum, tiny_extractive, tmp_path):
    records = tmp_path / "a.jsonl"
    records.write_text(
        "".join(
            json.dumps({"id": f"r{n}", "text": "The harvest was late."}) + "\n" for n in range(2)
        )
    )
    result = pagesum(
        "summarize", records, "--each", "--format", "jsonl", "--model", tiny_extractive
    )
    ids = [json.loads(line)["settings"]["id"] for line in result.out.splitlines()]
    assert ids == [f"{records}#r0", f"{records}#r1"]


LETTER = """# A letter

## Abstract

The harvest was late this year in all of the valleys. Prices rose.

## Introduction

We asked two hundred farmers of the hills what they had sown in the spring. They sowed rye. \
The mills of the river
towns held their prices until the winter had come. Snow fell.
"""


@pytest.fixture
def quotes(pagesum, tiny_extractive, tmp_path):
    file = tmp_path / "letter.md"
    file.write_text(LETTER)
    return lambda *flags: pagesum(
        "summarize", file, "--model", tiny_extractive, "--format", "json", *flags
    )


def texts_of(result):
    return [sentence["text"] for sentence in json_of(result)["sentences"]]


def test_what_the_reader_knows_is_left_out(quotes):
    result = quotes("--beyond-abstract", "--sentences", "9")
    assert not any("harvest" in text or "Prices" in text for text in texts_of(result))
    assert "the abstract is left out: 13 words" in result.err
    assert "--sentences" not in result.err
    assert "the summary has" in result.err  # fewer than nine
    assert "They sowed rye." in texts_of(result)  # short, but a whole sentence


def test_a_focus_selects_what_is_relevant(quotes):
    assert texts_of(quotes("--focus", "What did the mills do?", "--sentences", "1")) == [
        "The mills of the river towns held their prices until the winter had come."
    ]
    result = quotes("--focus", "astronomy", "--sentences", "1")
    assert "no sentence is about 'astronomy'" in result.err
    assert "no sentence is about" in json_of(result)["notes"][-1]


def test_what_does_not_answer_a_focus_is_not_quoted_to_fill_a_length(
    pagesum, tiny_extractive, tmp_path
):
    file = tmp_path / "hills.txt"
    others = [
        f"The farmers of hill {n} sowed their fields of barley in week {n} of the spring."
        for n in range(40)
    ]
    file.write_text(
        "\n\n".join(
            [*others, "The mills of the river towns held the prices of flour all winter long."]
        )
    )
    flags = ("--focus", "prices of the mills", "--words", "200")
    result = pagesum("summarize", file, "--model", tiny_extractive, *flags)
    assert result.out == "The mills of the river towns held the prices of flour all winter long.\n"
    assert result.err.startswith(
        "warning: the summary has 14 words, not 200: no further sentence fits\n"
    )


def test_a_focus_comes_before_the_finding_of_a_paper(pagesum, tiny_extractive, tmp_path):
    file = tmp_path / "owls.md"
    file.write_text(
        "# Owls\n\n## Abstract\n\nOwls hunt at night in the woods of "
        "the valley and in its fields.\n\n"
        "## 1 Introduction\n\nThe mills of the river towns held their prices until the winter "
        "had come.\n\n"
        "## 2 Results\n\nWe found that the prices of owls were significantly higher than before, "
        "by 45 percent.\n"
    )
    flags = ("--focus", "prices of the mills", "--sentences", "1", "--format", "json")
    assert texts_of(pagesum("summarize", file, "--model", tiny_extractive, *flags)) == [
        "The mills of the river towns held their prices until the winter had come."
    ]


def test_verbatim_turns_repairs_off(pagesum, summarize, tiny_extractive, report, tmp_path):
    file = tmp_path / "list.txt"
    file.write_text("- Moreover, the harvest of the hills was late this year (Figure 2).")

    def text_of(*flags):
        return pagesum("summarize", file, "--model", tiny_extractive, *flags).out.splitlines()[0]

    assert text_of() == "The harvest of the hills was late this year."
    assert text_of("--verbatim") == file.read_text().removeprefix("- ")
    refused = summarize(report, "--verbatim")
    assert refused.code == 2
    assert "verbatim does nothing with" in refused.err


def test_a_generating_model_has_no_focus(summarize, report):
    result = summarize(report, "--focus", "wheat")
    assert result.code == 2
    assert "focus does nothing with" in result.err


def test_what_is_generated_is_kept_and_trimmed_on_request(
    summarize, pagesum, report, tiny_checkpoint, tmp_path
):
    settings = json_of(summarize(report, "--format", "json"))["settings"]
    assert "trim" not in settings
    assert json_of(summarize(report, "--format", "json", "--trim"))["settings"]["trim"] is True
    each = summarize(report, "--each", "--format", "jsonl", "--trim")
    assert json.loads(each.out)["settings"]["trim"] is True
    file = tmp_path / "a.json"
    drawn = pagesum("inspect", report, "--model", tiny_checkpoint, "--trim", "--export", file)
    assert drawn.code == 0, drawn.err
    assert json.loads(file.read_text())["settings"]["trim"] is True


@pytest.mark.parametrize("each", [(), ("--each",)])
def test_what_is_generated_is_proven_unless_it_is_not_to_be(summarize, letter, each):
    name = "jsonl" if each else "json"
    result = summarize(letter, "--format", name, "--length", "short", *each)
    (quote,) = json_of(result)["sentences"]  # the model's weights are random
    assert quote["verdict"] in ("verbatim", "edited")
    assert quote["source"]
    own = json_of(summarize(letter, "--format", name, "--length", "short", "--as-generated", *each))
    assert not any("verdict" in one for one in own["sentences"])
    assert quote["replaced"] in own["summary"]
    shown = summarize(letter, "--length", "short", *each).err
    assert "0 sentences supported by the document, 1 replaced by quotes" in shown


@pytest.mark.parametrize("verb", [("summarize",), ("summarize", "--each"), ("inspect",)])
def test_an_extractive_model_has_nothing_to_trim(
    pagesum, report, tiny_extractive, monkeypatch, verb
):
    # refused before it is loaded
    monkeypatch.setattr("pagesum_cli.batch.worker.Worker.summarizer", None)
    result = pagesum(*verb, report, "--model", tiny_extractive, "--trim")
    assert (result.code, result.out) == (2, "")
    assert "trim does nothing with" in result.err
    assert result.err.count("\n") == 2  # error and hint


def test_where_summaries_are_kept_can_be_emptied(summarize, pagesum, letter):
    assert summarize(letter).code == 0
    assert pagesum("inspect").code == 0
    result = pagesum("inspect", "--forget")
    assert (result.code, result.out, result.err) == (0, "summaries deleted: 1\n", "")
    assert pagesum("inspect").code == 1


def test_the_everyday_name_of_a_choice_leads_to_it(summarize, letter):
    assert "did you mean discourse?" in summarize(letter, "--locality", "sections").err


def test_the_first_run_on_a_terminal_says_that_summaries_are_kept(
    summarize, letter, history, monkeypatch
):
    monkeypatch.setattr("pagesum_cli.cli.summarize.history_folder", lambda: history)
    kept = f"the latest summary is kept in {history} for pagesum inspect"
    assert kept not in summarize(letter, "--no-history", terminal=True).err
    assert kept in summarize(letter, terminal=True).err
    assert kept not in summarize(letter, terminal=True).err


def test_a_text_of_one_sentence_gets_no_bar(pagesum, tiny_extractive, tmp_path):
    path = tmp_path / "note.txt"
    path.write_text("The harvest was late this year.\n")
    shown = pagesum("summarize", path, "--model", tiny_extractive, terminal=True).out
    assert "The harvest was late this year." in shown
    assert "1 part" in shown
    assert "%" not in shown
