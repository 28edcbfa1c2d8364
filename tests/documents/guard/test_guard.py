"""Files are read in another process: the same documents, and whatever becomes of that process, a
clear line.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert

from pagesum_cli.documents import read
from pagesum_cli.documents.guard import protocol, reading
from pagesum_cli.documents.guard.damage import naming_damage
from pagesum_cli.documents.guard.protocol import Limits, encoded
from pagesum_cli.documents.guard.reading import read_data, read_file, stream
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers import formats
from pagesum_cli.documents.readers.formats import Format
from pagesum_cli.errors import PagesumError, UsageError

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture(autouse=True)
def new_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let each test start processes of its own, which find ``functions``."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    end_all()
    yield
    end_all()


def end_all() -> None:
    """End the processes that are left, also those of tests that pretended to be another process."""
    for process in list(reading._running):
        process.end()
    reading._idle.clear()


def run(name: str, kind: Any = Document, **more: Any) -> list[Any]:
    return list(stream(f"functions:{name}", kind, "a.txt", {}, **more))


@pytest.mark.parametrize("name", ["paper.pdf", "book.epub"])
def test_documents_are_those_that_this_process_reads(name: str) -> None:
    path = str(EXAMPLES / name)
    assert read_file(path) == read.read_file(path)
    assert read_data(Path(path).read_bytes(), name) == read.read_file(
        name, given=Path(path).read_bytes()
    )


def test_standard_input_and_pipes_are_read_here_and_parsed_there(tmp_path: Path) -> None:
    assert read_file("-", stdin=BytesIO(b"# Owls\n\nThey hunt.\n"))[0].text == "Owls\n\nThey hunt."
    with pytest.raises(PagesumError, match=r"^standard input: expected text, found nothing"):
        read_file("-", stdin=BytesIO(b" "))
    reader, writer = os.pipe()
    os.write(writer, b"# Owls\n\nThey hunt.\n")
    os.close(writer)
    (document,) = read_file(f"/dev/fd/{reader}")
    os.close(reader)
    assert document.text.endswith("They hunt.")


def test_errors_and_problems_come_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PagesumError, match=r"^nowhere\.txt: no such file") as caught:
        read_file("nowhere.txt")
    assert caught.value.hint == "check the path"
    Path("records.jsonl").write_text('{"text": "Owls hunt."}\nnothing\n')
    problems: list[str] = []
    assert len(read_file("records.jsonl", on_problem=problems.append)) == 1
    assert problems[0].startswith("records.jsonl, line 2")
    with pytest.raises(UsageError, match=r"^a message$"):
        run("usage")
    damage = r"^a\.txt: expected an intact file, found a damaged one \(KeyError: 'owl'\)"
    with pytest.raises(PagesumError, match=damage) as caught:
        run("unexpected")
    assert any("functions.py" in note for note in caught.value.__notes__)
    with pytest.raises(PagesumError, match="half"):
        run("surrogate")


def test_whatever_a_reader_raises_is_one_line_with_the_name_of_the_file() -> None:
    for failure in (
        RecursionError("too deep"),
        AttributeError("two\nlines \x1b[31m"),
        OSError("without a number"),
        OSError(22, "Invalid argument"),  # seeking in a damaged archive
        AssertionError(),
    ):
        with pytest.raises(PagesumError) as caught, naming_damage("a.docx"):
            raise failure
        kind = type(failure).__name__
        assert caught.value.message.startswith(
            f"a.docx: expected an intact file, found a damaged one ({kind}"
        )
        assert "\n" not in caught.value.message
        assert "\x1b" not in caught.value.message
    others = MemoryError(), ImportError("lxml"), OSError(13, "Permission denied", "b.txt")
    for failure in others:
        with pytest.raises(type(failure)) as kept, naming_damage("a.docx"):
            raise failure
        assert kept.value is failure


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    sizes = {"a.txt": 200 << 30, "a.jsonl": 200 << 30, "a.pdf": 200 << 30, "a.json": 200 << 30}
    for name, size in sizes.items():
        path = tmp_path / name
        path.touch()
        os.truncate(path, size)
        with pytest.raises(PagesumError, match=f"{name}: (larger than|204,800 MB, of which)"):
            read_file(str(path))
    with pytest.raises(PagesumError, match="of which the disk holds 0 MB"):
        run_of(tmp_path / "a.jsonl")


def run_of(path: Path) -> list[Any]:
    return list(stream("functions:number", int, str(path), {}))


def test_one_process_reads_many_files_each_from_the_folder_of_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = run("number", int)
    monkeypatch.chdir(tmp_path)
    problems: list[str] = []
    (values,) = run("environment", dict[str, Any], on_problem=problems.append)
    assert values == {"folder": str(tmp_path), "imported": []}
    assert problems == ["first", "second"]
    assert run("number", int) == [first]


def test_threads_read_side_by_side() -> None:
    with ThreadPoolExecutor(3) as pool:
        texts = list(
            pool.map(lambda n: read_data(f"Owl {n} hunts.".encode(), "a.txt")[0].text, range(12))
        )
    assert texts == [f"Owl {n} hunts." for n in range(12)]
    assert len(reading._idle) <= reading.IDLE


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("crash", r"^a\.txt, record 2: the process that reads it has crashed \(SIGSEGV\)"),
        ("fill", r"^a\.txt, record 1: reading it takes more than [\d,]+ MB of memory"),
        ("spin", r"^a\.txt, record 1: reading it takes more than \d+ s of processor time"),
    ],
)
def test_a_crash_and_a_limit_are_one_line_and_the_next_file_is_read(
    name: str, message: str
) -> None:
    with pytest.raises(PagesumError, match=message) as caught:
        run(name)
    assert caught.value.hint
    assert "\n" not in caught.value.message
    assert read_data(b"Owls hunt.", "a.txt")[0].text == "Owls hunt."


def test_a_process_that_does_not_answer_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "WALL", 0)
    monkeypatch.setattr(protocol, "WALL_A_SECOND", 0)
    with pytest.raises(PagesumError, match=r"^a\.txt, record 1: reading it takes more than 0 s"):
        run("wait")
    assert not reading._running


def test_a_file_whose_reader_was_killed_is_not_read_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("nothing\n" + '{"text": "Owls hunt."}\n' * 50_000)
    monkeypatch.setattr(read, "read_file", None)

    def kill(problem: str) -> None:
        for running in reading._running:
            running._process.kill()

    with pytest.raises(PagesumError, match=r"records\.jsonl: .*crashed \(SIGKILL\)"):
        read_file(str(path), on_problem=kill)


@pytest.mark.parametrize("name", ["wrong", "wrong_offsets", "wrong_pages", "wrong_sections"])
def test_data_are_checked(name: str) -> None:
    with pytest.raises(PagesumError, match="returned something other than its text"):
        run(name)


def test_a_consumer_may_stop_early() -> None:
    items = stream("functions:crash", Document, "a.txt", {})
    assert next(items).name == "a.txt"
    items.close()
    assert not reading._running


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/true"])
def test_without_another_process_files_are_read_in_this_one(
    program: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert read_data(b"Owls hunt.", "a.txt")[0].text == "Owls hunt."
    assert "a.txt: read in this process: no other process can be started" in caplog.text
    assert run("number", int) == [os.getpid()]


def test_a_reader_that_was_registered_here_reads_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "owls.py").write_text(
        "from pagesum_cli import plain_document\n"
        "def read(source):\n    return [plain_document(source.data.decode().upper(), "
        "source.name, source.path)]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        formats, "FORMATS", [Format("owls", (".owl",), "owls:read"), *formats.FORMATS]
    )
    assert read_data(b"They hunt.", "a.owl")[0].text == "THEY HUNT."
    assert "its reader was registered here" in caplog.text
    assert not reading._running


def test_limits_grow_with_the_file() -> None:
    small, large = Limits.of(0), Limits.of(20_000_000)
    assert (small.memory, small.processor) < (1024, 30)
    assert large.processor > 5000 * 0.05  # 5,000 pages
    assert large.memory > 1500


def test_the_process_ends_with_its_parent() -> None:
    code = (
        "import os, sys\nfrom pagesum_cli.documents.guard import reading\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "reading.read_data(b'Owls.', 'a.txt')\n"
        "def stop(line): print(*(one._process.pid for one in reading._running), flush=True); "
        "os.kill(os.getpid(), 9)\n"
        "list(reading.stream('functions:wait', int, 'a.txt', {}, stop))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        number = int(parent.stdout.readline())
        parent.wait()
    ended = threading.Event()
    while not ended.wait(0.01):
        if not _is_running(number):
            ended.set()


def _is_running(number: int) -> bool:
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_document_with_every_field() -> None:
    (document,) = read.read_file(str(EXAMPLES / "paper.pdf"))
    changed = replace(
        document, skipped=frozenset({0}), listed=frozenset({0}), given="a\n", given_sentences=("a",)
    )
    assert convert(json.loads(encoded(changed)), Document) == changed
    reading._check(changed)
