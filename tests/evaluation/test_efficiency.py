"""What summaries cost by the length of the source."""

import json
import re
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.evaluation.efficiency import efficiency_of, measured
from pagesum_cli.evaluation.results import Result

MEGABYTE = 2**20


class Reader:
    """A system that reads a token a word, and takes a kilobyte for each."""

    settings: ClassVar[dict] = {}
    batch_size = 2

    def __init__(self, is_local=True):
        self.is_local = is_local

    def results(self, batch):
        counts = [len(record.texts[0].split()) for record in batch]
        held = bytearray(b"x") * (1024 * sum(counts))
        assert len(held)
        return [
            Result(one.id, "p", one.summary, source_tokens=count)
            for one, count in zip(batch, counts, strict=True)
        ]


def record(words):
    return record_of({"id": str(words), "text": "word " * words, "summary": "s"})


def test_the_time_of_a_batch_is_shared_by_source_tokens():
    short, long = measured(Reader(), [record(100), record(300)])
    assert long.seconds == pytest.approx(3 * short.seconds)
    assert short.seconds > 0


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the peak is that of the whole process"
)
def test_memory_is_that_of_the_batch_not_of_those_before():
    (long,) = measured(Reader(), [record(300_000)])
    (short,) = measured(Reader(), [record(1000)])
    assert long.peak_memory - short.peak_memory > 200 * MEGABYTE
    (elsewhere,) = measured(Reader(is_local=False), [record(1000)])
    assert elsewhere.peak_memory == 0


def test_documents_are_grouped_by_doubling_lengths():
    costs = [(600, 1.0, 5), (1000, 3.0, 9), (1024, 2.0, 7), (0, 9.0, 9)]
    results = [
        Result(str(place), "", "", source_tokens=tokens, seconds=seconds, peak_memory=memory)
        for place, (tokens, seconds, memory) in enumerate(costs)
    ]
    short, long = efficiency_of(results)  # one does not say how much was read
    assert (short.first, short.documents, short.source_tokens, short.seconds) == (512, 2, 800, 2.0)
    assert (short.tokens_per_second, short.peak_memory) == (400, 9)
    assert (long.first, long.documents, long.tokens_per_second) == (1024, 1, 512)


@pytest.fixture
def data(tmp_path):
    values = [
        {"id": str(n), "text": "The harvest was late. " * n, "summary": "It was late."}
        for n in (4, 5, 40)
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return tmp_path / "data.jsonl"


def test_eval_shows_what_each_length_costs_and_shows_it_again(
    pagesum, tiny_checkpoint, tmp_path, data
):
    run = [
        "eval",
        "--data",
        data,
        "--model",
        tiny_checkpoint,
        "--processes",
        "1",
        "--batch-size",
        "2",
        "--efficiency",
    ]
    out = tmp_path / "out"
    found = json.loads(pagesum(*run, "--output", out, "--format", "json").out)["efficiency"][
        str(tiny_checkpoint)
    ]
    lines = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [one["documents"] for one in found] == [2, 1]
    assert found[1]["seconds"] == lines[2]["seconds"]
    assert found[1]["tokens_per_second"] == pytest.approx(
        lines[2]["source_tokens"] / lines[2]["seconds"]
    )
    assert found[0]["peak_memory"] == max(one["peak_memory"] for one in lines[:2]) > MEGABYTE
    plot = (out / "efficiency.svg").read_text()
    assert plot.startswith("<?xml")
    again = ["eval", "--from", out / "results.jsonl", "--efficiency", "--processes", "1"]
    assert json.loads(pagesum(*again, "--format", "json").out)["efficiency"] == {
        str(tiny_checkpoint): found
    }
    shown = f"{found[1]['tokens_per_second']:,.0f}"
    markdown = pagesum(*again, "--format", "markdown").out
    assert re.search(
        rf"\| {shown} \| {found[1]['seconds']:.2f} \| {found[1]['peak_memory'] / MEGABYTE:,.0f} \|",
        markdown,
    )
    table = pagesum(*again).out
    assert "seconds a document" in table
    assert shown in table
    assert "efficiency" not in json.loads(
        pagesum(*again[:3], "--processes", "1", "--format", "json").out
    )


def test_what_does_not_say_its_costs_is_reported(pagesum, tmp_path, data):
    (tmp_path / "p.txt").write_text("It was late.\n" * 3)
    texts = ["--predictions", tmp_path / "p.txt", "--data", data]
    refused = pagesum("eval", *texts, "--efficiency")
    assert (refused.code, refused.out) == (2, "")
    assert "--efficiency does nothing with --predictions" in refused.err
    pagesum("eval", *texts, "--output", tmp_path / "out")
    result = pagesum(
        "eval", "--from", tmp_path / "out" / "results.jsonl", "--efficiency", "--format", "json"
    )
    assert "its results have no figures on time and memory" in result.err
    assert "efficiency" not in json.loads(result.out)


def test_a_plot_needs_matplotlib_before_anything_is_computed(pagesum, tmp_path, data, monkeypatch):
    find = sys.modules["importlib.util"].find_spec
    monkeypatch.setattr(
        "pagesum_cli.errors.find_spec", lambda name: None if name == "matplotlib" else find(name)
    )
    result = pagesum("eval", "--data", data, "--efficiency", "--output", tmp_path / "out")
    assert (result.code, result.out) == (1, "")
    assert "matplotlib is not installed" in result.err
    assert not Path(tmp_path / "out").exists()
