"""Folders of shards: what stands in them is there once, whatever happened before."""

import json

import pytest

from pagesum_cli.batch.folder import LEDGER
from pagesum_cli.batch.jobs import Job, jobs_of
from pagesum_cli.batch.shards import Shards


def jobs(count, digest="1"):
    return [Job(f"a.jsonl#{number}", (), list, f"{digest}-{number}") for number in range(count)]


def line(job, text="A summary."):
    fields = {"model": "mini", "title": "", "summary": text, "settings": {"id": job.label}}
    return json.dumps(fields, ensure_ascii=False) + "\n"


def filled(folder, todo, size=3, parquet=False, settings=0, text="A summary."):
    """The folder after a run over jobs; and how many of them were done before."""
    shards = Shards(str(folder), {"settings": settings}, parquet=parquet, size=size)
    with shards.locked():
        left, done = shards.pending(todo, [], "", pytest.fail)
        for job, key in left.items():
            shards.write(key, job.digest, line(job, text))
        shards.finish()
    return done


def rows(folder):
    return [json.loads(one) for path in sorted(folder.glob("part-*.jsonl")) for one in open(path, encoding="utf-8")]


def ids(folder):
    return [row["settings"]["id"] for row in rows(folder)]


def test_summaries_stand_in_order_in_shards_of_one_size(tmp_path):
    assert filled(tmp_path, jobs(7)) == 0
    assert ids(tmp_path) == [job.label for job in jobs(7)]
    counts = {path.name: len(path.read_text().splitlines()) for path in tmp_path.glob("[!.]*")}
    assert counts == {"part-00000.jsonl": 3, "part-00001.jsonl": 3, "part-00002.jsonl": 1}


def test_a_second_run_adds_what_is_new_to_the_last_shard(tmp_path):
    filled(tmp_path, jobs(4))
    assert filled(tmp_path, jobs(8)) == 4
    assert ids(tmp_path) == [job.label for job in jobs(8)]
    assert len(list(tmp_path.glob("[!.]*"))) == 3


@pytest.mark.parametrize("kept", [1, 0.5, 0])
def test_what_an_interruption_cut_off_is_made_again(tmp_path, kept):
    filled(tmp_path, jobs(5))
    last = tmp_path / "part-00001.jsonl"
    data = last.read_bytes()
    start = data.index(b"\n") + 1
    last.write_bytes(data[: start + int(kept * (len(data) - start))])
    assert filled(tmp_path, jobs(6)) == (5 if kept == 1 else 4)
    assert ids(tmp_path) == [job.label for job in jobs(6)]


def test_every_moment_of_an_interruption_leaves_each_summary_once(tmp_path):
    filled(tmp_path / "whole", jobs(4))
    ledger = (tmp_path / "whole" / LEDGER).read_bytes()
    data = [(tmp_path / "whole" / f"part-0000{number}.jsonl").read_bytes() for number in (0, 1)]
    # The ledger is ahead of the shards by one summary at most.
    moments = [(len(ledger), (len(data[0]), written)) for written in range(0, len(data[1]), 7)]
    first = ledger.rindex(b"\n[")
    moments += [(first + written, (len(data[0]), 0)) for written in range(0, len(ledger) - first, 5)]
    for number, (recorded, lengths) in enumerate(moments):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / LEDGER).write_bytes(ledger[:recorded])
        for part, length in enumerate(lengths):
            (folder / f"part-0000{part}.jsonl").write_bytes(data[part][:length])
        filled(folder, jobs(6))
        assert ids(folder) == [job.label for job in jobs(6)]


@pytest.mark.parametrize("change", [{"settings": 1}, {"todo": jobs(4, "2")}])
def test_what_is_outdated_is_replaced(tmp_path, change):
    filled(tmp_path, jobs(5))
    assert filled(tmp_path, **{"todo": jobs(5), "text": "A newer one.", **change}) == 0
    assert sorted(ids(tmp_path)) == [job.label for job in jobs(5)]
    newer = {row["settings"]["id"] for row in rows(tmp_path) if row["summary"] == "A newer one."}
    assert newer == {job.label for job in (change.get("todo") or jobs(5))}
    assert filled(tmp_path, **{"todo": jobs(5), **change}) == len(newer)


def test_a_shard_that_was_removed_is_made_again(tmp_path):
    filled(tmp_path, jobs(7))
    (tmp_path / "part-00001.jsonl").unlink()
    assert filled(tmp_path, jobs(7)) == 4
    assert sorted(ids(tmp_path)) == [job.label for job in jobs(7)]


def test_files_and_lines_of_somebody_else_stay(tmp_path):
    (tmp_path / "part-00000.jsonl").write_text("mine\n")
    filled(tmp_path, jobs(2))
    with open(tmp_path / "part-00001.jsonl", "a") as file:
        file.write("{}\n")
    assert filled(tmp_path, jobs(3)) == 2
    assert (tmp_path / "part-00000.jsonl").read_text() == "mine\n"
    assert (tmp_path / "part-00001.jsonl").read_text().endswith("{}\n")
    assert len((tmp_path / "part-00002.jsonl").read_text().splitlines()) == 1


def test_shards_become_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    text = "Two\u2028lines."
    filled(tmp_path, jobs(4), parquet=True, text=text)
    assert filled(tmp_path, jobs(5), parquet=True, text=text) == 4
    tables = [parquet.read_table(path) for path in sorted(tmp_path.glob("[!.]*"))]
    assert [table.num_rows for table in tables] == [3, 1, 1]
    assert tables[0].column_names == ["id", "model", "title", "summary", "json"]
    assert [one for table in tables for one in table["id"].to_pylist()] == [job.label for job in jobs(5)]
    assert {one for table in tables for one in table["summary"].to_pylist()} == {text}
    changed = [*jobs(1, "2"), *jobs(5)[1:]]
    assert filled(tmp_path, changed, parquet=True, text="A newer one.") == 4
    both = [parquet.read_table(path) for path in tmp_path.glob("[!.]*")]
    found = {row["id"]: row["summary"] for table in both for row in table.to_pylist()}
    assert sum(table.num_rows for table in both) == len(found) == 5
    assert [label for label, one in found.items() if one != text] == ["a.jsonl#0"]


def test_records_with_the_same_id_are_each_written(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text("".join(json.dumps({"id": "x", "text": f"Text {number}."}) + "\n" for number in range(3)))
    todo = jobs_of([str(source)], None, pytest.fail)
    filled(tmp_path / "out", todo)
    assert filled(tmp_path / "out", todo) == 3
    assert ids(tmp_path / "out") == [f"{source}#x"] * 3


def test_the_records_of_a_file_are_not_kept_in_memory(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text("".join(json.dumps({"text": f"Text {number}."}) + "\n" for number in range(5)))
    read = jobs_of([str(source)], None, pytest.fail)
    for number in (0, 1, 3, 2, 4):  # in one pass, or in a second one
        assert read[number].read()[0].text == f"Text {number}."
    source.write_text(json.dumps({"text": "Other words."}) + "\n")
    for number in (0, 4):
        with pytest.raises(Exception, match="has changed since it was looked through"):
            read[number].read()


def test_each_writes_shards_from_parquet_and_goes_on(pagesum, tmp_path, tiny_extractive):
    parquet, arrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    records = [{"id": name, "title": None, "text": f"Rain fell for eleven days. Then came {name}."} for name in "abc"]
    parquet.write_table(arrow.Table.from_pylist(records), tmp_path / "data.parquet")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.parquet").write_text("no Parquet")
    command = ["summarize", tmp_path, "--each", "--model", tiny_extractive, "--output-dir", tmp_path / "out"]
    result = pagesum(*command, "--format", "jsonl")
    assert result.code == 1
    assert sorted(ids(tmp_path / "out")) == [f"{tmp_path / 'data.parquet'}#{name}" for name in "abc"]
    warning, error, *_ = result.err.splitlines()
    assert warning.endswith("empty.jsonl: no records")
    assert "bad.parquet: expected Parquet, found something else" in error
    assert "3 of 4 already done" in pagesum(*command, "--format", "jsonl").err
    assert pagesum(*command, "--format", "parquet").code == 1
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 1


def test_repeated_ids_are_one_line(pagesum, tmp_path, tiny_extractive):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x", "text": "Rain fell for eleven days."}\n' * 3)
    result = pagesum("summarize", path, "--each", "--model", tiny_extractive, "--format", "jsonl")
    assert result.err == f"warning: 2 records have the id of an earlier one, as {path}#x; all are summarized\n"
    assert len(result.out.splitlines()) == 3


@pytest.mark.parametrize("place", [["-o", "a.parquet"], ["--format", "parquet"]])
def test_parquet_needs_a_folder(pagesum, letter, place):
    result = pagesum("summarize", letter, *place)
    assert result.code == 2
    assert result.err.splitlines() == [
        "error: Parquet holds many summaries",
        "hint: give --each and an --output-dir",
    ]
