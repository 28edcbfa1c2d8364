"""A series of summaries: what fails is reported, what is done is kept."""

import errno
import json

import pytest
import typer

from pagesum_cli.cli.console import Talk
from pagesum_cli.cli.summarize import Series
from pagesum_cli.errors import PagesumError
from pagesum_cli.summarizer import PageSummarizer


@pytest.fixture
def folder(tmp_path, letter, report):
    """A folder with a letter, a report, and documents that fail in the middle of the work."""
    (tmp_path / "memory.txt").write_text("There is no memory for this one.")
    (tmp_path / "surprise.txt").write_text("Nobody expected this one.")
    return tmp_path


@pytest.fixture
def failing(monkeypatch):
    """Makes the model fail on some documents, as it does not on purpose."""
    summarize = PageSummarizer.summarize

    def fail(self, documents, **options):
        if documents[0].name == "memory.txt":
            raise MemoryError
        if documents[0].name == "surprise.txt":
            raise KeyError("surprise")
        return summarize(self, documents, **options)

    monkeypatch.setattr(PageSummarizer, "summarize", fail)


@pytest.mark.parametrize("place", [["--output-dir", "out"], ["-o", "all.jsonl"], []])
def test_whatever_stops_one_document_the_others_are_summarized(
    pagesum, folder, failing, tiny_checkpoint, tmp_path, monkeypatch, place
):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    command = [
        "summarize",
        folder,
        "missing.txt",
        "--each",
        "--format",
        "jsonl",
        "--model",
        tiny_checkpoint,
        *place,
    ]
    result = pagesum(*command)
    assert result.code == 1
    lines = result.err.splitlines()
    assert sum("unexpected KeyError: 'surprise'" in line for line in lines) == 1
    assert sum("memory.txt: out of memory" in line for line in lines) == 1
    assert sum("missing.txt: no such file" in line for line in lines) == 1
    assert lines[-1] == "error: 3 of 5 could not be summarized"
    if "--output-dir" in place:
        (shard,) = (tmp_path / "here" / "out").glob("[!.]*")
        assert len(shard.read_text().splitlines()) == 2
        assert "2 of 5 already done" in pagesum(*command).err.splitlines()
    else:
        text = (tmp_path / "here" / "all.jsonl").read_text() if place else result.out
        assert [json.loads(line)["pages"][0]["source"] for line in text.splitlines()] == [
            "letter.txt",
            "report.md",
        ]


def test_a_traceback_shows_where_with_debug(pagesum, folder, failing, tiny_checkpoint):
    result = pagesum("summarize", folder, "--each", "--debug", "--model", tiny_checkpoint)
    assert "in fail" in result.err
    assert result.err.endswith("error: 2 of 4 could not be summarized\n")


def test_a_model_that_cannot_be_loaded_is_one_error(pagesum, folder, tiny_checkpoint, monkeypatch):
    def broken(*arguments, **options):
        raise PagesumError("no model today")

    monkeypatch.setattr(PageSummarizer, "from_pretrained", broken)
    result = pagesum("summarize", folder, "--each", "--model", tiny_checkpoint)
    assert (result.code, result.err) == (1, "error: no model today\n")


def test_a_full_disk_ends_the_series_and_a_name_that_is_too_long_does_not(capsys):
    def run(*numbers):
        with Series(Talk(), debug=False) as series:
            series.add(len(numbers) + 1)
            for number in numbers:
                with series.writing("a.txt"):
                    raise OSError(number, "message", "file")
            with series.writing("b.txt"):
                pass

    with pytest.raises(typer.Exit):
        run(errno.ENAMETOOLONG)
    assert capsys.readouterr().err.splitlines()[-1] == "error: 1 of 2 could not be summarized"
    with pytest.raises(OSError, match="message"):
        run(errno.ENAMETOOLONG, errno.ENOSPC)
    assert capsys.readouterr().err == "error: a.txt: file: message\n"


def test_an_interruption_says_how_much_is_done(capsys):
    def run():
        with Series(Talk(), debug=False) as series:
            series.failed("a.txt", PagesumError("a.txt: broken"))
            series.add(3)
            with series.writing("b.txt"):
                pass
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run()
    assert capsys.readouterr().err == "error: a.txt: broken\n1 of 4 done\n"


def test_what_cannot_be_read_is_reported_before_the_others_are_summarized(
    pagesum, letter, tiny_checkpoint, monkeypatch
):
    # root can read everything
    monkeypatch.setattr("os.access", lambda path, mode: "letter" not in str(path))
    command = ["summarize", letter, "missing.txt", "--model", tiny_checkpoint]
    result = pagesum(*command)
    assert result.code == 1
    assert result.err.startswith(
        f"error: {letter}: cannot be read (Permission denied); missing.txt: no such file\n"
    )

    def stop(*arguments, **options):
        raise PagesumError("no model today")

    monkeypatch.setattr(PageSummarizer, "from_pretrained", stop)
    (letter.parent / "other.txt").write_text("Rain fell.")
    lines = pagesum(*command, letter.parent / "other.txt", "--each").err.splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    assert ["cannot be read" in errors[0], "missing.txt" in errors[1], errors[-1]] == [
        True,
        True,
        "error: no model today",
    ]
