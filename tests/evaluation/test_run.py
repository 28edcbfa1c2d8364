"""A run: batched, stopped, resumed, shared by processes: always the same results."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import weakref

import pytest
import torch

from pagesum_cli.cli.console import Bar, Talk
from pagesum_cli.datasets.formats import record_of
from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.evaluation.results import FILE, read_results, shard_path
from pagesum_cli.evaluation.run import RunProgress, batches, results_of, run
from pagesum_cli.evaluation.scoring import World
from pagesum_cli.evaluation.systems import PageSystem, RunRequest
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer

SENTENCES = (
    "The harvest was late this year.",
    "Wheat cost a third more than the year before.",
    "The council met twice.",
    "It lent seed to forty farms.",
    "Farms by the river lost nearly half of it.",
)
VALUES = [
    {
        "id": f"doc{number}",
        "text": " ".join(SENTENCES[(number + step) % 5] for step in range(3 + 7 * (number % 4))),
        "summary": SENTENCES[number % 5],
    }
    for number in range(9)
]
RECORDS = [record_of(value) for value in VALUES]


class Heard(RunProgress):
    """Collects the warnings and the ids of scored documents."""

    def __init__(self):
        talk = Talk(quiet=True)
        self.lines = []
        talk.warn = self.lines.append
        super().__init__(talk, Bar(Talk(quiet=True), ""))

    def scored(self, result):
        super().scored(result)
        self.lines.append(result.id)


def call(folder, checkpoint, **changes):
    heard = Heard()
    summarizer = PageSummarizer.from_pretrained(str(checkpoint), device="cpu", dtype="float32")
    request = RunRequest(str(checkpoint), **{"batch_size": 2, **changes})
    return run(
        RECORDS, PageSystem(summarizer, request), [Rouge()], folder, 1, World(), heard
    ), heard.lines


def without_seconds(results):
    costs = ("seconds", "peak_memory")
    return [{key: value for key, value in vars(one).items() if key not in costs} for one in results]


def test_batches_are_of_about_equal_length_the_longest_first_the_others_mixed():
    records = [
        record_of({"id": str(n), "text": "word " * (n + 1), "summary": "s"}) for n in range(40)
    ]
    made = [[int(record.id) for record in batch] for batch in batches(records, 4)]
    assert made[0] == [39, 38, 37, 36]
    assert (
        sorted(made, reverse=True)
        == [list(range(end, end - 4, -1)) for end in range(39, 0, -4)]
        != made
    )
    assert made == [[int(record.id) for record in batch] for batch in batches(records, 4)]


def test_results_are_in_the_order_of_the_data_and_tell_the_pages(tiny_checkpoint, tmp_path):
    results, heard = call(tmp_path, tiny_checkpoint)
    assert [one.id for one in results] == [record.id for record in RECORDS]
    assert sorted(heard) == sorted(one.id for one in results)
    for one in results:
        assert set(one.scores) == {"rouge1", "rouge2", "rougeLsum"}
        assert sum(one.page_confidences) == pytest.approx(1)
        assert all(len(sentence.support) == len(one.page_confidences) for sentence in one.sentences)
        assert one.settings["weights"]
        assert one.settings["beams"] == 2
    assert read_results(tmp_path / FILE, pytest.fail) == results


@pytest.mark.slow
def test_a_batch_writes_what_single_documents_write(tiny_checkpoint, tmp_path):
    together, _ = call(None, tiny_checkpoint, batch_size=4)
    alone, _ = call(None, tiny_checkpoint, batch_size=1)
    assert [one.prediction for one in together] == [one.prediction for one in alone]
    for first, second in zip(together, alone, strict=True):
        assert first.page_confidences == pytest.approx(second.page_confidences, abs=1e-4)


def test_what_is_done_is_not_done_again(tiny_checkpoint, tmp_path):
    first, _ = call(tmp_path, tiny_checkpoint)
    again, heard = call(tmp_path, tiny_checkpoint)
    assert again == first
    assert heard == []


@pytest.mark.slow
def test_a_stopped_run_goes_on_to_the_same_results(tiny_checkpoint, tmp_path):
    whole, _ = call(None, tiny_checkpoint)
    call(tmp_path, tiny_checkpoint)
    lines = (tmp_path / FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / FILE).unlink()
    shard_path(tmp_path, 0).write_bytes(b"".join(lines[:4]) + lines[4][:50])  # as kill -9 leaves it
    results, heard = call(tmp_path, tiny_checkpoint)
    assert without_seconds(results) == without_seconds(whole)
    assert len([one for one in heard if one.startswith("doc")]) == 5
    assert any("broken" in one for one in heard)


def test_other_settings_are_refused(tiny_checkpoint, tmp_path):
    call(tmp_path, tiny_checkpoint)
    with pytest.raises(PagesumError, match="beams was 2 and is now 1"):
        call(tmp_path, tiny_checkpoint, generation=GenerationOptions(beams=1))
    with pytest.raises(PagesumError, match="locality was 'auto' and is now 'spatial'"):
        call(tmp_path, tiny_checkpoint, paging=PagingOptions(locality="spatial"))


def test_an_error_while_saving_is_not_lost(tiny_checkpoint, tmp_path, monkeypatch):
    def full(path, result):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pagesum_cli.evaluation.run.append_result", full)
    with pytest.raises(OSError, match="No space left"):
        call(tmp_path, tiny_checkpoint)


def command(checkpoint, data, output, *more):
    return ["eval", "--data", data, "--model", checkpoint, "--device", "cpu", "--dtype", "float32",
            "--format", "json", "--processes", "1", "--output", output, *more]  # fmt: skip


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in VALUES))
    return path


@pytest.mark.stress
def test_a_killed_program_goes_on_to_the_same_table(tiny_checkpoint, tmp_path, data, pagesum):
    # Twelve times as many, so that it takes time.
    values = [{**value, "id": f"{value['id']}-{copy}"} for copy in range(12) for value in VALUES]
    data.write_text("".join(json.dumps(value) + "\n" for value in values))
    expected = json.loads(pagesum(*command(tiny_checkpoint, data, tmp_path / "whole")).out)
    output = tmp_path / "killed"
    arguments = [str(one) for one in command(tiny_checkpoint, data, output)]
    for lines, how in ((1, signal.SIGKILL), (8, signal.SIGINT)):
        process = subprocess.Popen(
            [sys.executable, "-m", "pagesum_cli", *arguments],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        part = shard_path(output, 0)
        end = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < end:
            if part.exists() and part.read_bytes().count(b"\n") >= lines:
                break
            time.sleep(0.002)
        os.killpg(process.pid, how)  # as Ctrl-C on a terminal: the scoring processes too
        told = process.communicate()[1]
        assert process.returncode == (130 if how == signal.SIGINT else -how)
        assert "Traceback" not in told
    assert "of 108 documents are in" in told
    assert "interrupted" in told
    result = pagesum(*command(tiny_checkpoint, data, output))
    assert result.code == 0, result.err
    assert "were done before" in result.err
    assert json.loads(result.out)["metrics"] == expected["metrics"]
    ids = [json.loads(line)["id"] for line in (output / FILE).read_text().splitlines()]
    assert ids == [value["id"] for value in values]


@pytest.mark.stress
def test_two_processes_give_the_same_table_once(tiny_checkpoint, tmp_path, data, pagesum):
    expected = json.loads(pagesum(*command(tiny_checkpoint, data, tmp_path / "one")).out)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    launch = [sys.executable, "-m", "accelerate.commands.accelerate_cli", "launch", "--multi_gpu",
              "--num_processes", "2", "--main_process_port", str(port), "-m",
              "pagesum_cli"]  # fmt: skip
    arguments = [str(one) for one in command(tiny_checkpoint, data, tmp_path / "two")]
    done = subprocess.run([*launch, *arguments], env={**os.environ, "OMP_NUM_THREADS": "1"},
                          capture_output=True, text=True, timeout=900)  # fmt: skip
    assert done.returncode == 0, done.stderr
    # one process alone tells the table
    assert json.loads(done.stdout)["metrics"] == expected["metrics"]
    files = [(tmp_path / name / FILE).read_text().splitlines() for name in ("one", "two")]
    first, second = (
        [(one["id"], one["prediction"]) for one in map(json.loads, lines)] for lines in files
    )
    assert first == second
    assert not list((tmp_path / "two").glob("*part*"))


def test_what_a_batch_took_is_free_again_before_its_documents_are_tried_one_by_one(
    tiny_checkpoint, monkeypatch
):
    """On a GPU, an error that is being handled holds the memory that the failed attempt took."""
    summarizer = PageSummarizer.from_pretrained(str(tiny_checkpoint), device="cpu", dtype="float32")
    scorer, taken, sizes = type(summarizer.model).scorer, [], []

    def small_device(self, memory, beams):
        sizes.append(memory.pages.batch)
        assert not [one for one in taken if one() is not None]
        if memory.pages.batch > 1:
            taken.append(weakref.ref(memory.states))
            raise torch.OutOfMemoryError("CUDA out of memory")
        return scorer(self, memory, beams)

    monkeypatch.setattr(type(summarizer.model), "scorer", small_device)
    found = results_of(PageSystem(summarizer, RunRequest(str(tiny_checkpoint))), RECORDS[:3])
    assert [one.id for one in found] == ["doc0", "doc1", "doc2"]
    assert (sizes, len(taken)) == ([3, 1, 1, 1], 1)
