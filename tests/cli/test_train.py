"""``pagesum train`` as typed."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from pagesum_cli.cli.train import RunOptions, _job

TINY = [
    *("--init", "scratch", "--device", "cpu", "--batch", "4", "--accumulate", "1", "--epochs", "1"),
    *("--page-tokens", "64", "--target-tokens", "16", "--locality", "spatial"),
    *(part
      for value in ("vocabulary=300", "width=16", "layers=1", "heads=2", "max_length=12",
                    "min_length=0")
      for part in ("--set", value)),
]  # fmt: skip


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "mine.jsonl"
    records = [
        {"id": f"d{n}", "text": f"Line {n} says it all.", "summary": f"[bold]line[/] {n}"}
        for n in range(9)
    ]
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
        (
            ["--data", "x", "--output", "y", "--set", "epoch=3"],
            "--set epoch: unknown setting",
            "did you mean epochs?",
        ),
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
        (
            ["--data", "{data}", "--validation", "nowhere.jsonl"],
            "nowhere.jsonl: no such file or folder",
        ),
        (["--resume"], "holds no run to continue"),
        (["--data", "{folder}"], "no validation split"),
        (["--data", "{data}", "--output", "{data}/run"], "cannot be made in"),
        (["--data", "{data}", "--init", "nowhere"], "no model 'nowhere'"),
    ],
)
def test_what_is_missing_is_reported_before_anything_is_prepared(
    pagesum, data, tmp_path, arguments, message
):
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


def test_missing_packages_are_reported_first_and_all_at_once(pagesum, data, tmp_path, monkeypatch):
    lacking = {"accelerate", "tensorboard", "pyarrow"}
    monkeypatch.setattr(
        "pagesum_cli.errors.find_spec", lambda name: None if name in lacking else find_spec(name)
    )
    result = pagesum("train", "--data", "owner/name", "--output", str(tmp_path / "run"))
    assert result.code == 1
    assert "error: Accelerate and TensorBoard and pyarrow are not installed" in result.err
    assert "pip install -c constraints.txt '.[train,data]' in the clone" in result.err
    lacking -= {"pyarrow", "tensorboard"}
    of_file = pagesum("train", "--data", data, "--output", str(tmp_path / "run"))
    assert "error: Accelerate is not installed" in of_file.err


@pytest.mark.parametrize("lacking", [set(), {"matplotlib"}])
def test_curves_are_drawn_where_matplotlib_is_installed(
    pagesum, data, tmp_path, monkeypatch, lacking
):
    monkeypatch.setattr(
        "pagesum_cli.errors.find_spec", lambda name: None if name in lacking else find_spec(name)
    )
    run = tmp_path / "run"
    result = pagesum("train", "--data", data, "--output", str(run), *TINY)
    assert result.code == 0
    assert "warning: the loss did not fall" in result.err
    assert (run / "curves.svg").exists() is not bool(lacking)
    assert (
        "no curves: Matplotlib is not installed" if lacking else "curves.svg shows the losses"
    ) in result.err


def test_records_that_are_in_both_splits_are_counted(pagesum, data, tmp_path):
    same = tmp_path / "same.jsonl"
    same.write_text('{"text": "Owls hunt. Mice hide.", "summary": "Owls hunt."}\n' * 24)
    arguments = (
        "--data",
        same,
        "--validation",
        same,
        "--output",
        tmp_path / "run",
        "--dry-run",
        *TINY,
    )
    assert (
        "records in both the training and the validation data: 24;"
        in pagesum("train", *arguments).err
    )


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("clip=inf", "clip inf: expected at most 1000000.0"),
        ("seed=5000000000", "seed 5000000000: expected at most 4294967295"),
        ("vocabulary=1000000000000", "expected at most 1000000"),
        ("vocabulary=1e12", "expected a whole number"),
        ("width=1000000000", "expected at most 65536"),
        (f"seed={'9' * 400}", "expected at most"),
        (f"seed={'9' * 5000}", "expected a whole number"),
        (f"epochs={'[' * 3000}", "expected a whole number"),
        (f"model={'[' * 3000}", "expected a table"),
        ("model.init_std=inf", "init_std is inf, expected at most"),
        ("init=\udcff", "expected a string"),
    ],
)
def test_values_out_of_range_are_refused_before_anything_is_written(
    pagesum, data, tmp_path, assignment, message
):
    result = pagesum(
        "train", "--data", data, "--output", str(tmp_path / "run"), *TINY, "--set", assignment
    )
    assert (result.code, result.err.count("error: ")) == (2, 1)
    assert message in result.err
    assert len(result.err) < 1000
    assert not (tmp_path / "run" / "settings.toml").exists()


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
    estimate = pagesum(
        "train", "--data", data, "--output", str(tmp_path / "run"), "--dry-run", *TINY
    )
    assert estimate.code == 0
    assert "8 for training, 1 for validation" in estimate.out
    assert not (tmp_path / "run").exists()


def test_labels_take_the_preset_that_learns_from_them(pagesum, tmp_path):
    job = _job(RunOptions(labels=("labels.jsonl",), output=tmp_path / "run"), {"seed": 7})
    assert (job.data, job.settings.init, job.settings.task) == (
        ("labels.jsonl",), "editor", "preferences",
    )  # fmt: skip
    result = pagesum("train", "--labels", "a.jsonl", "--data", "b.jsonl", "--output", "run")
    assert result.code == 2
    assert "--labels given together with --data" in result.err
