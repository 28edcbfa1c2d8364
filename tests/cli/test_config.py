"""Configuration files, as ``pagesum summarize`` reads them."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty current folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def user(config_home):
    """Writes the user's own file."""
    path = config_home / "pagesum" / "config.toml"
    return path.write_text


@pytest.fixture
def summarize(pagesum, place, letter, tiny_checkpoint):
    """Runs ``pagesum summarize`` on the letter."""

    def call(*arguments):
        return pagesum(
            "summarize", letter, "--model", tiny_checkpoint, "--device", "cpu", *arguments
        )

    return call


@pytest.fixture
def settings(summarize):
    def call(*arguments):
        result = summarize("--format", "json", *arguments)
        assert result.code == 0, result.err
        return json.loads(result.out)["settings"]

    return call


def test_flags_win_over_the_folder_which_wins_over_the_user(place, user, settings):
    user("beams = 3\npage_tokens = 50\nmax_length = 20\n")
    Path("pagesum.toml").write_text("page-tokens = 60\nmax-length = 10\n")
    found = settings("--max-length", "9")
    assert (found["beams"], found["page_tokens"], found["max_length"]) == (3, 60, 9)
    without = settings("--no-config")
    assert (without["beams"], without["page_tokens"]) == (2, 64)


def test_the_variable_names_another_file_or_none(place, user, settings, monkeypatch):
    user("beams = 3\n")
    Path("other.toml").write_text("page_tokens = 60\n")
    monkeypatch.setenv("PAGESUM_CONFIG", "other.toml")
    assert (settings()["beams"], settings()["page_tokens"]) == (2, 60)
    monkeypatch.setenv("PAGESUM_CONFIG", "")
    assert (settings()["beams"], settings()["page_tokens"]) == (2, 64)


def test_a_flag_that_contradicts_a_default_wins(place, user, settings):
    user('length = "short"\nbeams = 3\nmax_pages = 1\n')
    found = settings("--max-length", "9", "--num-pages", "2")
    assert (found["max_length"], found["beams"], found["num_pages"]) == (9, 3, 2)
    assert not found.get("length")
    assert not found.get("max_pages")


def test_the_current_folder_cannot_choose_models_or_outputs(place, settings, tmp_path):
    Path("pagesum.toml").write_text(
        'model = "x/y"\noutput = "a.txt"\noutput-dir = "b"\nforce = true\nquiet = true\n'
    )
    assert Path(settings()["model"]).name == "tiny"
    assert [path.name for path in place.iterdir()] == ["pagesum.toml"]


def test_defaults_that_do_nothing_with_the_model_are_left_out(
    place, user, pagesum, letter, tiny_extractive, settings
):
    user("beams = 3\nlength_penalty = 0.5\ncoverage_penalty = 2.0\ntrim = true\nsentences = 1\n")
    command = ["summarize", letter, "--device", "cpu", "--format", "json"]
    quoted = pagesum(*command, "--model", tiny_extractive)
    assert quoted.code == 0, quoted.err
    found = json.loads(quoted.out)["settings"]
    assert (found["sentences"], {"beams", "length_penalty", "trim"} & found.keys()) == (1, set())
    assert "skipped" not in quoted.err
    verbose = pagesum(*command, "--model", tiny_extractive, "--verbose")
    for name in ("beams", "length-penalty", "coverage-penalty", "trim"):
        assert f"config.toml: {name} is skipped" in verbose.err
    assert "sentences is skipped" not in verbose.err
    generated = settings()
    assert (generated["beams"], generated["length_penalty"], generated["coverage_penalty"]) == (
        3,
        0.5,
        0.0,
    )
    assert settings("--beams", "1")["length_penalty"] != 0.5
    refused = pagesum(*command, "--model", tiny_extractive, "--trim")
    assert (refused.code, "trim does nothing with" in refused.err) == (2, True)


def test_ignored_keys_are_reported_unless_quiet(place, summarize):
    Path("pagesum.toml").write_text('dtype = "float16"\nquiet = true\ndevice = "cuda"\n')
    line = (
        "device, dtype, quiet in pagesum.toml ignored: a file in the current folder cannot set it\n"
    )
    assert summarize().err.startswith(line)
    assert summarize("--quiet").err == ""


def test_an_output_folder_is_for_each_and_a_format_for_standard_output(place, user, summarize):
    user('output_dir = "out"\nformat = "markdown"\n')
    assert summarize("--each").code == 0
    assert Path("out/letter.md").exists()
    assert summarize("-o", "a.json").code == 0
    assert json.loads(Path("a.json").read_text())["schema"] == 1
    assert summarize("--each", "-o", "b.txt").code == 0
    assert "| part |" in summarize().out


def test_patterns_of_a_file_are_a_list_or_one_string(place, user, pagesum, tiny_checkpoint, letter):
    command = [
        "summarize",
        letter.parent,
        "--each",
        "--format",
        "jsonl",
        "--model",
        tiny_checkpoint,
    ]
    (letter.parent / "b.md").write_text("Prices rose.")
    (letter.parent / "c.md").write_text("Prices fell.")
    for value, expected in (('"*.txt"', ["b.md", "c.md"]), ('["*.txt", "c*"]', ["b.md"])):
        user(f"exclude = {value}\n")
        lines = pagesum(*command).out.splitlines()
        assert [json.loads(line)["pages"][0]["source"] for line in lines] == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        (
            "beam = 3",
            "no key 'beam'; keys are the flags of pagesum summarize",
            "did you mean beams?",
        ),
        ("no_config = true", "no key 'no_config'", "did you mean no_cite?"),
        ("[summarize]\nbeams = 3", "no key 'summarize'", "--no-config"),
        ('beams = "four"', 'beams = "four": expected a whole number', "--no-config"),
        ("beams = true", "beams = true: expected a whole number", "--no-config"),
        ("beams = 0", "beams = 0: expected at least 1", "--no-config"),
        ("page-tokens = 7", "page_tokens = 7: expected at least 34", "--no-config"),
        ("each = 1", "each = 1: expected true or false", "--no-config"),
        (
            'length = "longer"',
            'length = "longer": expected one of short, medium, long',
            "did you mean long?",
        ),
        ('length_penalty = "x"', 'length_penalty = "x": expected a number', "--no-config"),
        ("length_penalty = nan", "length_penalty = NaN: expected a number", "--no-config"),
        ("exclude = [1]", "exclude = [1]: expected a list of strings", "--no-config"),
        ('password = "a\\u0000b"', "expected a string", "--no-config"),
        ("x = [", "expected TOML (", "--no-config"),
    ],
)
def test_errors_name_file_and_key(place, summarize, text, message, hint):
    Path("pagesum.toml").write_text(text)
    result = summarize()
    assert (result.code, result.out) == (2, "")
    first, second = result.err.splitlines()
    assert first.startswith("error: pagesum.toml: ")
    assert message in first
    assert hint in second


def test_files_that_are_not_there(place, summarize, monkeypatch):
    Path("pagesum.toml").mkdir()  # not a file: not meant
    assert summarize().code == 0
    monkeypatch.setenv("PAGESUM_CONFIG", "missing.toml")
    result = summarize()
    assert result.code == 1
    assert "missing.toml: cannot be read (No such file" in result.err


def test_other_verbs_read_no_file(place, pagesum, letter, tiny_checkpoint):
    Path("pagesum.toml").write_text("nonsense")
    assert pagesum("pages", letter, "--model", tiny_checkpoint).code == 0


def test_the_documented_file_is_valid(place, pagesum):
    text = (Path(__file__).parents[2] / "docs" / "quickstart.md").read_text()
    Path("pagesum.toml").write_text(text.split("```toml\n")[1].split("```")[0])
    assert "missing.txt: no such file" in pagesum("summarize", "missing.txt").err
