"""``pagesum train`` as typed."""

import json
from pathlib import Path

import pytest

TINY = [
    *("--init", "scratch", "--device", "cpu", "--batch", "4", "--accumulate", "1", "--epochs", "1"),
    *("--page-tokens", "64", "--target-tokens", "16", "--locality", "spatial"),
    *(part for value in ("vocabulary=300", "width=16", "layers=1", "heads=2", "max_length=12", "min_length=0")
      for part in ("--set", value)),
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "mine.jsonl"
    records = [{"id": f"d{n}", "text": f"Line {n} says it all.", "summary": f"[bold]line[/] {n}"} for n in range(9)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_shows_a_preset(pagesum):
    result = pagesum("train", "--show-preset", "govreport")
    assert result.code == 0
    assert 'optimizer = "adafactor"' in result.out
    assert result.err == ""


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["--data", "x"], "no --output", "--output run"),
        (["--output", "x"], "no --data", "--data mine.jsonl"),
        (["--show-preset", "pubmd"], "no preset 'pubmd'", "did you mean pubmed?"),
        (["--data", "x", "--output", "y", "--set", "epoch=3"], "--set epoch: unknown setting", "did you mean epochs?"),
        (["--data", "x", "--output", "y", "--set", "epochs"], "expected name=value", "epochs=3"),
        (
            ["--data", "x", "--output", "y", "--select", "rogue"],
            "'rogue' is not one of 'loss', 'rouge'",
            "did you mean rouge?",
        ),
        (
            ["--data", "x", "--output", "y", "--init", "a", "--init-encoder", "b"],
            "--init given together",
            "one or the other",
        ),
        (["--output", "nowhere", "--resume"], "nowhere holds no run to continue", "leave out --resume"),
    ],
)
def test_wrong_usage_is_reported_in_one_line(pagesum, arguments, message, hint):
    result = pagesum("train", *arguments)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err
    assert hint in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "{bad}"], """expected the summary in "summary", found 'text', 'highlights'"""),
        (["--data", "{data}", "--validation", "{bad}"], "expected the summary in"),
        (["--data", "{data}", "--validation", "nowhere.jsonl"], "no data set 'nowhere.jsonl'"),
        (["--data", "{folder}"], "no validation split"),
        (["--data", "{data}", "--output", "{data}/run"], "cannot be made in"),
        (["--data", "{data}", "--init", "nowhere"], "no model 'nowhere'"),
    ],
)
def test_what_is_missing_is_reported_before_anything_is_prepared(pagesum, data, tmp_path, arguments, message):
    bad, folder = tmp_path / "bad.jsonl", tmp_path / "folder"
    bad.write_text('{"text": "Owls hunt. Mice hide.", "highlights": "Owls hunt."}\n' * 9)
    folder.mkdir()
    (folder / "train.jsonl").write_text(Path(data).read_text())
    filled = [one.format(data=data, bad=bad, folder=folder) for one in arguments]
    output = [] if "--output" in filled else ["--output", str(tmp_path / "run")]
    result = pagesum("train", *filled, *output)
    assert result.code in (1, 2)
    assert message in result.err
    assert "hint: " in result.err
    assert not (tmp_path / "run").exists()
    assert not (tmp_path / "cache").exists()


def test_a_missing_package_is_reported_first(pagesum, data, tmp_path, monkeypatch):
    monkeypatch.setattr("pagesum_cli.errors.find_spec", lambda name: None)
    result = pagesum("train", "--data", "nowhere", "--output", str(tmp_path / "run"))
    assert result.code == 1
    assert "is not installed" in result.err
    assert "pip install '.[train]' in the clone" in result.err


def test_trains_and_names_the_next_command(pagesum, data, tmp_path):
    run = str(tmp_path / "run")
    result = pagesum("train", "--data", data, "--output", run, *TINY)
    assert result.code == 0
    assert result.out == ""
    assert "9 of 9 records used" in result.err
    assert f"pagesum summarize --model {run} FILE" in result.err
    again = pagesum("train", "--data", data, "--output", run, *TINY)
    assert again.code == 1
    assert "holds another run" in again.err
    assert "--resume" in again.err
    other = pagesum("train", "--resume", "--output", run, "--learning-rate", "0.1")
    assert other.code == 2
    assert "learning_rate is given again" in other.err


def test_shows_an_example_and_an_estimate_without_writing(pagesum, data, tmp_path):
    shown = pagesum("train", "--data", data, "--show-example", "--quiet", *TINY)
    assert shown.code == 0
    assert "<s>[bold]line[/] 1</s>" in shown.out
    estimate = pagesum("train", "--data", data, "--output", str(tmp_path / "run"), "--dry-run", *TINY)
    assert estimate.code == 0
    assert "8 for training, 1 for validation" in estimate.out
    assert not (tmp_path / "run").exists()
