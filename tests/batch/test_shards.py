"""Folders of shards: what stands in them is there once, whatever happened before."""

import contextlib
import json
import resource
import shutil
from functools import partial
from pathlib import Path

import pytest

from pagesum_cli.batch.jobs import Job, jobs_of
from pagesum_cli.batch.shards import Shards

parquet = pytest.importorskip("pyarrow.parquet")


def jobs(count, digest="1"):
    return [Job(f"a.jsonl#{number}", (), list, f"{digest}-{number}") for number in range(count)]


def line(job, text="A summary."):
    fields = {"model": "mini", "title": "", "summary": text, "settings": {"id": job.label}}
    return json.dumps(fields, ensure_ascii=False) + "\n"


def filled(folder, todo, size=3, suffix=".jsonl", settings=0, text="A summary."):
    """The folder after a run over jobs; and how many of them were done before."""
    shards = Shards(str(folder), {"settings": settings}, suffix, size)
    with shards.locked():
        left, done = shards.pending(todo, [], "", pytest.fail)
        for job, key in left.items():
            shards.write(key, job.digest, line(job, text))
        shards.finish()
    return done


def rows(folder):
    found = []
    for path in sorted(folder.glob("part-*")):
        if path.suffix == ".parquet":
            found += map(json.loads, parquet.read_table(path)["json"].to_pylist())
        else:
            found += map(json.loads, path.read_text(encoding="utf-8").split("\n")[:-1])
    return found


def ids(folder):
    return [row["settings"]["id"] for row in rows(folder)]


def test_summaries_stand_in_order_in_shards_of_one_size(tmp_path):
    assert filled(tmp_path, jobs(7)) == 0
    assert ids(tmp_path) == [job.label for job in jobs(7)]
    counts = {path.name: len(path.read_text().splitlines()) for path in tmp_path.glob("[!.]*")}
    assert counts == {"part-00000.jsonl": 3, "part-00001.jsonl": 3, "part-00002.jsonl": 1}


def test_a_second_run_goes_on_in_order(tmp_path):
    filled(tmp_path, jobs(4))
    assert filled(tmp_path, jobs(8)) == 4
    assert ids(tmp_path) == [job.label for job in jobs(8)]
    assert sorted(len(path.read_text().splitlines()) for path in tmp_path.glob("[!.]*")) == [
        2,
        3,
        3,
    ]
    names = {path.name for path in tmp_path.glob("[!.]*")}
    assert filled(tmp_path, jobs(8)) == 8
    assert {path.name for path in tmp_path.glob("[!.]*")} == names


class Killed(BaseException):
    """The end of a process, as far as files are concerned."""


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_every_moment_of_an_interruption_leaves_each_summary_once(tmp_path, monkeypatch, suffix):
    from pagesum_cli.batch import shards

    steps = {"append": shards.append, "write_file": shards.write_file, "unlink": shards.Path.unlink}
    calls = iter(())

    def interrupted(name, *arguments, **options):
        if not (moment := next(calls, None)):
            return steps[name](*arguments, **options)
        if name == "append" and moment == "half":
            steps[name](arguments[0], arguments[1][: len(arguments[1]) // 2])
        raise Killed

    for name in ("append", "write_file"):
        monkeypatch.setattr(shards, name, partial(interrupted, name))
    monkeypatch.setattr(
        shards.Path, "unlink", lambda path, **options: interrupted("unlink", path, **options)
    )
    for number in range(12):
        for how in ("before", "half"):
            folder = tmp_path / f"{number}-{how}"
            filled(folder, jobs(4), suffix=suffix, text="An old one.")
            calls = iter([None] * number + [how])
            with contextlib.suppress(Killed):
                filled(folder, [*jobs(1, "2"), *jobs(9)[1:]], suffix=suffix)
            calls = iter(())
            filled(folder, [*jobs(1, "2"), *jobs(9)[1:]], suffix=suffix)
            assert sorted(ids(folder)) == [job.label for job in jobs(9)]


def test_a_full_disk_loses_nothing_that_was_written(tmp_path):
    filled(tmp_path, jobs(4))
    before, limits = ids(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    # as if the disk were full, for large files
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            filled(tmp_path, jobs(9), text="A long summary. " * 40)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ids(tmp_path) == before
    assert filled(tmp_path, jobs(9)) == 4
    assert ids(tmp_path) == [job.label for job in jobs(9)]


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


def test_files_of_somebody_else_stay(tmp_path):
    (tmp_path / "part-00000.jsonl").write_text("mine\n")
    filled(tmp_path, jobs(2))
    assert (tmp_path / "part-00000.jsonl").read_text() == "mine\n"
    assert len((tmp_path / "part-00001.jsonl").read_text().splitlines()) == 2


def test_shards_of_parquet_have_columns(tmp_path):
    text = "Two\u2028lines."
    filled(tmp_path, jobs(4), suffix=".parquet", text=text)
    assert filled(tmp_path, jobs(5), suffix=".parquet", text=text) == 4
    tables = [parquet.read_table(path) for path in sorted(tmp_path.glob("[!.]*"))]
    assert [table.num_rows for table in tables] == [3, 2]
    assert tables[0].column_names == ["id", "model", "title", "summary", "json"]
    assert [one for table in tables for one in table["id"].to_pylist()] == [
        job.label for job in jobs(5)
    ]
    assert {one for table in tables for one in table["summary"].to_pylist()} == {text}


def test_what_is_ready_is_written_before_a_shard_is_full(tmp_path, monkeypatch):
    monkeypatch.setattr("pagesum_cli.batch.shards.COMMIT", 0.0)
    shards = Shards(str(tmp_path), {})
    shards.write("a", "1", "{}\n")
    assert Shards(str(tmp_path), {}).pending([Job("a", (), list, "1")], [], "", pytest.fail) == (
        {},
        1,
    )


def test_records_with_the_same_id_are_each_written(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text(
        "".join(json.dumps({"id": "x", "text": f"Text {number}."}) + "\n" for number in range(3))
    )
    todo = jobs_of([str(source)], None, pytest.fail)
    filled(tmp_path / "out", todo)
    assert filled(tmp_path / "out", todo) == 3
    assert ids(tmp_path / "out") == [f"{source}#x"] * 3


def test_the_records_of_a_file_are_not_kept_in_memory(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text(
        "".join(json.dumps({"text": f"Text {number}."}) + "\n" for number in range(5))
    )
    read = jobs_of([str(source)], None, pytest.fail)
    for number in (0, 1, 3, 2, 4):  # in one pass, or in a second one
        assert read[number].read()[0].text == f"Text {number}."
    source.write_text(json.dumps({"text": "Other words."}) + "\n")
    for number in (0, 4):
        with pytest.raises(Exception, match="has changed since it was scanned"):
            read[number].read()


def test_each_writes_shards_from_parquet_and_goes_on(pagesum, tmp_path, tiny_extractive):
    arrow = pytest.importorskip("pyarrow")
    records = [
        {"id": name, "title": None, "text": f"Rain fell for eleven days. Then came {name}."}
        for name in "abc"
    ]
    parquet.write_table(arrow.Table.from_pylist(records), tmp_path / "data.parquet")
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.parquet").write_text("no Parquet")
    command = [
        "summarize",
        tmp_path,
        "--each",
        "--model",
        tiny_extractive,
        "--output-dir",
        tmp_path / "out",
    ]
    result = pagesum(*command, "--format", "jsonl")
    assert result.code == 1
    assert sorted(ids(tmp_path / "out")) == [
        f"{tmp_path / 'data.parquet'}#{name}" for name in "abc"
    ]
    errors = [line for line in result.err.splitlines() if line.startswith("error")]
    assert "bad.parquet: expected Parquet, found something else" in errors[0]
    assert errors[1].endswith("empty.jsonl: expected records, found none")
    assert "3 of 5 already done" in pagesum(*command, "--format", "jsonl").err
    assert pagesum(*command, "--format", "parquet").code == 1
    assert len(list((tmp_path / "out").glob("part-*.parquet"))) == 1


@pytest.mark.slow
def test_a_folder_of_several_formats_names_what_is_wrong_and_loses_nothing_else(
    pagesum, tmp_path, tiny_extractive
):
    """Repeated ids, a record above the limit of 64 MB, empty files of records, one that is none, a
    PDF among them.
    """
    arrow = pytest.importorskip("pyarrow")
    folder = tmp_path / "in"
    folder.mkdir()
    record = '{"id": "x", "text": "Rain fell for eleven days."}\n'
    (folder / "a.jsonl").write_text(
        record + f'{{"id": "y", "text": "{"x" * (64 << 20)}"}}\n' + record
    )
    rows = arrow.Table.from_pylist([{"id": "z", "text": "The river rose by four metres."}])
    parquet.write_table(rows, folder / "b.parquet")
    parquet.write_table(rows.slice(0, 0), folder / "empty.parquet")
    (folder / "empty.jsonl").write_text("")
    (folder / "none.pdf").write_text("no PDF")
    shutil.copy(Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf", folder)
    command = [
        "--each",
        "--model",
        tiny_extractive,
        "--output-dir",
        tmp_path / "out",
        "--format",
        "jsonl",
    ]
    result = pagesum("summarize", folder, *command)
    assert result.code == 1
    labels = ["a.jsonl#x", "a.jsonl#x", "b.parquet#z", "paper.pdf"]
    assert ids(tmp_path / "out") == [str(folder / label) for label in labels]
    lines = [line.replace(f"{folder}/", "") for line in result.err.splitlines()]
    assert [line for line in lines if line.startswith("error")] == [
        "error: a.jsonl, line 2: longer than 64 MB",
        "error: empty.jsonl: expected records, found none",
        "error: empty.parquet: expected records, found none",
        "error: none.pdf: expected a PDF, found something else",
        "error: 4 of 8 could not be summarized",
    ]
    assert (
        "warning: 1 ids occur more than once, such as a.jsonl#x; every record is summarized"
        in lines
    )


def test_repeated_ids_are_one_line(pagesum, tmp_path, tiny_extractive):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x", "text": "Rain fell for eleven days."}\n' * 3)
    result = pagesum("summarize", path, "--each", "--model", tiny_extractive, "--format", "jsonl")
    assert (
        result.err
        == f"warning: 1 ids occur more than once, such as {path}#x; every record is summarized\n"
    )
    assert len(result.out.splitlines()) == 3


@pytest.mark.parametrize("place", [["-o", "a.parquet"], ["--format", "parquet"]])
def test_parquet_needs_a_folder(pagesum, letter, place):
    result = pagesum("summarize", letter, *place)
    assert result.code == 2
    assert result.err.splitlines() == [
        "error: Parquet holds many summaries",
        "hint: add --each and an --output-dir",
    ]
