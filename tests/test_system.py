"""The commands where a system lacks what Linux has; the parts of the module that knows systems."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pagesum_cli import system
from pagesum_cli.batch.jobs import distinct
from pagesum_cli.documents import input
from pagesum_cli.files import NAME_BYTES, safe_name
from pagesum_cli.models.weights import read_tensors

ROOT = Path(__file__).parents[1]
HOSTILE = ROOT / "tests" / "data" / "hostile"
SYSTEMS = ("windows", "macos")
FOLDERS = (ROOT / "tests" / "systems", ROOT / "tests" / "documents" / "guard", ROOT)


def environment(lacks_as: str, **more: str) -> dict[str, str]:
    """Of a process where a system's lack is hidden, and of those that it starts."""
    path = os.pathsep.join(map(str, FOLDERS))
    return {**os.environ, "PYTHONPATH": path, "LACKS_AS": lacks_as, **more}


@pytest.mark.parametrize("lacks_as", SYSTEMS)
def test_commands_keep_their_promises_where_a_system_lacks_something(
    lacks_as: str, letter: Path, tiny_extractive: Path, tmp_path: Path
) -> None:
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    for name in ("corrupt.jsonl.gz", "docx_lzma.docx", "gutter_tc1e20.pdf", "pdf_cff_index.pdf"):
        (hostile / name).write_bytes((HOSTILE / name).read_bytes())
    arguments = [str(tmp_path), str(letter), str(tiny_extractive), str(hostile)]
    done = subprocess.run(
        [sys.executable, str(FOLDERS[0] / "driver.py"), *arguments],
        env=environment(lacks_as, XDG_STATE_HOME=str(tmp_path / "state")),
        capture_output=True,
        text=True,
        timeout=60,
    )
    cases: dict[str, Any] = dict(json.loads(line) for line in done.stdout.splitlines())
    assert cases.pop("crash").endswith("the process that reads it has crashed (SIGSEGV)")
    hostile_messages = cases.pop("hostile")
    assert len(hostile_messages) == 2
    assert all("expected" in message for message in hostile_messages)
    start = "a.txt, record 1: reading it takes more than"
    assert cases == {
        "one process": 1,
        "renewed": 2,
        "fill_slowly": f"{start} 128 MB of memory",
        "compute": f"{start} 0 s of processor time",
        "wait": f"{start} 0 s",
        "next": "Owls hunt.",
        "summarize": 0,
        "each": 0,
        "names": [".pagesum.jsonl", "_con.txt", "b.txt"],
        "again": 0,
        "kept": True,
        "locked": 1,
        "removed": True,
    }
    assert done.stderr.splitlines() == [
        "error: " + f"{tmp_path}/results: another command is writing to this folder",
        "hint: wait until it is done, or name another --output-dir",
    ]


@pytest.mark.parametrize("lacks_as", SYSTEMS)
def test_ctrl_c_ends_a_command_and_the_process_that_reads(lacks_as: str) -> None:
    code = (
        "import sys\nfrom pagesum_cli.cli.console import guarded\n"
        "from pagesum_cli.documents.guard import reading\n"
        "def show(line): print(*(one._process.pid for one in reading._running), flush=True)\n"
        "sys.exit(guarded(lambda: list(reading.stream('functions:wait', int, 'a', {}, show))))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment(lacks_as),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout
        reader = int(command.stdout.readline())
        command.send_signal(signal.SIGINT)
        _, errors = command.communicate(timeout=20)
    assert (command.returncode, errors) == (130, "interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(reader, 0)


@pytest.mark.parametrize(
    "text",
    ["con", "NUL", "aux.tar", "Com1", "LPT9", "con .txt", "lpt¹", "COM0" + ".x" * 99],
)
def test_no_name_is_that_of_a_device(text: str) -> None:
    name = safe_name(text)
    assert name.startswith("_")
    assert len(name.encode()) <= NAME_BYTES


def test_names_are_those_that_every_system_takes() -> None:
    for text in ("a. ", "a:b", "a<b>", 'a"b', "a|b?*", "a/b\\c", "", "...", "console", "nullable"):
        name = system.portable_name(text)
        assert name
        assert name == name.rstrip(" .")
        assert not set(name) & set('<>:"/\\|?*')
    assert system.portable_name("console.txt") == "console.txt"


def test_names_differ_where_letters_are_composed_in_two_ways() -> None:
    assert distinct(["caf\u00e9", "cafe\u0301", "CAFE\u0301"]) == [
        "caf\u00e9",
        "cafe\u0301-2",
        "CAFE\u0301-3",
    ]


def test_a_file_that_cannot_be_replaced_while_it_is_mapped_is_not_mapped(
    tmp_path: Path, tiny_extractive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input, "MAPPED", 4)
    path = tmp_path / "a.txt"
    path.write_bytes(b"Owls hunt.")
    weights = tiny_extractive / "model.safetensors"
    assert not isinstance(input.Input("a", str(path)).mapped, bytes)
    monkeypatch.setattr(system, "REPLACES_OPEN_FILES", False)
    assert input.Input("a", str(path)).mapped == b"Owls hunt."
    kept = read_tensors(weights)
    assert kept
    if sys.platform == "linux":
        assert str(weights) not in Path("/proc/self/maps").read_text()


def test_the_size_on_the_disk_is_that_of_the_file_where_the_system_does_not_tell() -> None:
    status = cast(os.stat_result, SimpleNamespace(st_size=700))
    assert system.bytes_on_disk(status) == 700
    assert (
        system.bytes_on_disk(cast(os.stat_result, SimpleNamespace(st_size=700, st_blocks=1))) == 512
    )


@pytest.mark.parametrize("kind", ["cache", "config", "data", "state"])
def test_a_variable_sets_the_folder_on_every_system(
    kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path))
    assert system.folder_for(kind) == tmp_path / "pagesum"


def test_a_process_ends_in_words() -> None:
    assert system.ending_of(1) == "exit code 1"
    assert system.ending_of(0xC0000005) == "exit code 0xC0000005"
    assert system.ending_of(-11) == "SIGSEGV"
    assert system.ending_of(-999) == "signal 999"


def test_the_maker_of_the_processor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nvendor_id\t: AuthenticAMD\nvendor_id\t: AuthenticAMD\n")
    monkeypatch.setattr("builtins.open", lambda *_, **__: info.open(encoding="utf-8"))
    assert system.processor_maker() == "AuthenticAMD"
    info.write_text("processor\t: 0\n")  # as on ARM
    assert system.processor_maker() == ""
    info.unlink()
    monkeypatch.setattr("platform.processor", lambda: "Intel64 Family 6 Model 143, GenuineIntel")
    assert system.processor_maker() == "GenuineIntel"
