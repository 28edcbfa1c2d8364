"""``pagesum summarize`` on a tiny checkpoint of random weights: real, but without sense."""

import gzip
import json

import pytest


@pytest.fixture
def summarize(pagesum, tiny_checkpoint):
    def call(*arguments, **options):
        return pagesum("summarize", *arguments, "--model", tiny_checkpoint, "--device", "cpu", **options)

    return call


def json_of(result):
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_text_has_title_summary_and_pages(summarize, report):
    result = summarize(report)
    assert result.code == 0
    assert result.out.startswith("The late harvest\n\n")
    assert "discourse" in result.out
    assert "\x1b" not in result.out
    assert result.err == ""


def test_json_holds_every_page_and_sums_to_one(summarize, report, tiny_checkpoint):
    data = json_of(summarize(report, "--format", "json"))
    assert data["schema"] == 1
    assert data["model"] == str(tiny_checkpoint)
    assert data["locality"] == "discourse"
    for sentence in data["sentences"]:
        assert sorted(share["page"] for share in sentence["pages"]) == [page["page"] for page in data["pages"]]
        assert sum(share["confidence"] for share in sentence["pages"]) == pytest.approx(1, abs=1e-3)
    assert sum(page["confidence"] for page in data["pages"]) == pytest.approx(1, abs=1e-3)
    assert data["seconds"].keys() == {"read", "encode", "decode"}


def test_the_same_command_gives_the_same_summary(summarize, report):
    first, second = (json_of(summarize(report, "--format", "json")) for _ in range(2))
    assert {**first, "seconds": None} == {**second, "seconds": None}


def test_flags_reach_the_model_and_are_kept_with_the_summary(summarize, letter):
    flags = ["--beams", "1", "--max-length", "9", "--min-length", "3", "--no-repeat-ngram", "2", "--page-tokens", "40"]
    data = json_of(summarize(letter, "--format", "json", *flags))
    wanted = {"beams": 1, "max_length": 9, "min_length": 3, "no_repeat_ngram": 2, "page_tokens": 40}
    assert wanted.items() <= data["settings"].items()
    assert len(data["tokens"]) <= 9
    assert all(page["tokens"] <= 40 for page in data["pages"])


def test_length_words_change_the_length(summarize, letter):
    counts = {}
    for length in ("short", "long"):
        counts[length] = len(json_of(summarize(letter, "--format", "json", "--length", length))["tokens"])
    assert counts["short"] < counts["long"]


def test_a_fixed_number_of_pages_as_in_the_paper(summarize, letter):
    data = json_of(summarize(letter, "--format", "json", "--num-pages", "5", "--locality", "spatial"))
    assert len(data["pages"]) == 5


def test_several_files_make_one_summary_by_document(summarize, letter, report):
    data = json_of(summarize(letter, report, "--format", "json"))
    assert data["locality"] == "document"
    assert {page["source"] for page in data["pages"]} == {"letter.txt", "report.md"}


def test_standard_input(summarize):
    data = json_of(summarize("-", "--format", "json", stdin=b"Rain fell for eleven days. Prices rose in most towns."))
    assert data["pages"][0]["source"] == "stdin"


def test_cite_marks_sentences_with_their_page(summarize, report):
    assert any(f"[{name}" in summarize(report, "--cite").out for name in ("Introduction", "Methods", "Results"))


def test_what_is_left_out_is_told_on_stderr(summarize, report):
    result = summarize(report, "--overflow", "truncate", "--page-tokens", "40", "--format", "json")
    assert any(page["truncated"] for page in json_of(result)["pages"])
    assert result.err.startswith("warning: ")
    assert "words are left out" in result.err
    assert summarize(report, "--overflow", "truncate", "--page-tokens", "40", "--quiet").err == ""


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.txt", "The late harvest\n"),
        ("a.md", "# The late harvest\n"),
        ("a.json", "{\n"),
        ("a.html", "<!doctype html>"),
    ],
)
def test_an_output_file_is_written_in_the_form_that_its_name_says(summarize, report, tmp_path, name, start):
    result = summarize(report, "-o", tmp_path / name)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / name).read_text().startswith(start)


def test_each_prints_json_lines(summarize, letter, report):
    result = summarize(letter, report, "--each", "--format", "json")
    assert result.code == 0
    sources = [json.loads(line)["pages"][0]["source"] for line in result.out.splitlines()]
    assert sources == ["letter.txt", "report.md"]


def test_each_as_text_names_the_file_that_has_no_title(summarize, letter, report):
    out = summarize(letter, report, "--each").out
    assert out.startswith(f"{letter}\n\n")
    assert "\n\nThe late harvest\n\n" in out


def test_each_summarizes_every_record(summarize, tmp_path):
    records = [
        {"id": "one", "text": "Rain fell for eleven days."},
        {"id": "two", "documents": [{"name": "a", "text": "Prices rose."}, {"name": "b", "text": "Wheat cost more."}]},
    ]
    path = tmp_path / "data.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, records)).encode()))
    result = summarize(path, "--each", "--format", "jsonl")
    assert result.code == 0
    assert [json.loads(line)["locality"] for line in result.out.splitlines()] == ["spatial", "document"]
    together = summarize(path)
    assert together.code == 0
    assert "3 documents in one summary; --each" in together.err


def test_a_file_that_fails_is_told_at_the_end_and_the_others_are_done(summarize, letter, report, tmp_path):
    empty = tmp_path / "empty.txt"
    empty.touch()
    out = tmp_path / "out"
    result = summarize(letter, empty, tmp_path / "missing.pdf", report, "--each", "--output-dir", out)
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
    assert result.err == "1 of 2 done already\n"
    after = (out / "letter.txt").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (out / "report.txt").exists()


def test_standard_input_is_never_taken_for_done(summarize, tmp_path):
    out = tmp_path / "out"
    for text in (b"Rain fell for eleven days.", b"Prices rose in most towns."):
        result = summarize("-", "--each", "--output-dir", out, "--format", "json", stdin=text)
        assert (result.code, result.err) == (0, "")
        assert len(json.loads((out / "stdin.json").read_text())["pages"]) == 1
    assert len((out / ".pagesum.jsonl").read_text().splitlines()) == 2


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


def test_nothing_is_loaded_when_all_is_done(summarize, letter, tmp_path, tiny_checkpoint, monkeypatch):
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
def test_an_output_that_cannot_be_written_is_told_before_the_input_is_read(summarize, tmp_path, make, message):
    result = summarize("missing.txt", "-o", make(tmp_path))
    assert result.code == 1
    assert message in result.err
    assert "missing.txt" not in result.err


def test_a_full_disk_is_told_in_one_line(summarize, letter):
    result = summarize(letter, "-o", "/dev/full")
    assert result.code == 1
    assert "No space left on device" in result.err.splitlines()[0]
    assert "Traceback" not in result.err


def test_a_plain_bart_is_said_to_have_untrained_confidences(pagesum, tiny_checkpoint, letter, tmp_path):
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "bart"
    folder.mkdir()
    for path in tiny_checkpoint.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    weights = {k: v for k, v in load_file(folder / "model.safetensors").items() if not k.startswith("lin.")}
    save_file(weights, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "bart"}))
    result = pagesum("summarize", letter, "--model", folder)
    assert result.code == 0
    assert "untrained" in result.err


@pytest.mark.parametrize(("flag", "value"), [("--page-tokens", "500"), ("--max-length", "128")])
def test_values_beyond_the_model_are_refused_before_it_is_loaded(summarize, letter, flag, value, monkeypatch):
    monkeypatch.delattr("pagesum_cli.summarizer.PageSummarizer.from_pretrained")
    result = summarize(letter, flag, value)
    assert result.code == 2
    assert "positions for" in result.err
