"""Streams, signals and terminals, in processes of their own."""

import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stdout

import pytest

from pagesum_cli.cli import console

PAGESUM = [sys.executable, "-m", "pagesum_cli"]


@pytest.fixture
def slow(tmp_path, tiny_checkpoint):
    """A command that works for a while."""
    path = tmp_path / "long.txt"
    path.write_text("Rain fell for eleven days in April. " * 20_000)
    # A sign of life from main() itself: before that Python answers an interruption in its own way.
    started = """
import os
from pagesum_cli import __main__ as program
from pagesum_cli.cli.interrupt import on_interrupt

def first(handler):
    on_interrupt(handler)
    program.on_interrupt = on_interrupt
    os.write(1, b".")

program.on_interrupt = first
program.main()
"""
    return [
        sys.executable,
        "-c",
        started,
        "summarize",
        str(path),
        "--model",
        str(tiny_checkpoint),
        "--device",
        "cpu",
    ]


def on_terminal(command, columns=80, **environment):
    """What a command writes to a terminal."""
    parent, child = pty.openpty()
    variables = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", **environment}
    process = subprocess.Popen(
        command, stdout=child, stderr=child, stdin=subprocess.DEVNULL, env=variables
    )
    os.close(child)
    written = b""
    while True:
        try:
            data = os.read(parent, 65536)
        except OSError:  # Linux says so at the end
            break
        if not data:
            break
        written += data
    os.close(parent)
    process.wait()
    return process.returncode, written.decode()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0, 3.0])
def test_an_interruption_is_one_line_and_130_at_any_instant(slow, seconds):
    process = subprocess.Popen(slow, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, b"", b"interrupted")


TERMINATED = """
import signal
from pagesum_cli import __main__ as program
from pagesum_cli.cli import app

app.run = lambda arguments: signal.raise_signal(signal.SIGTERM)
program.main()
"""


def test_the_signal_to_end_ends_and_shows_the_cursor():
    command = [sys.executable, "-c", TERMINATED]
    assert on_terminal(command) == (-signal.SIGTERM, "\x1b[?25h")
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGTERM, b"", b"")


@pytest.mark.slow
def test_an_interruption_keeps_the_files_that_are_finished(tmp_path, tiny_checkpoint):
    for i in range(60):
        (tmp_path / f"{i:03}.txt").write_text("Rain fell for eleven days in April. " * 50)
    out = tmp_path / "out"
    command = [
        *PAGESUM,
        "summarize",
        str(tmp_path),
        "--each",
        "--output-dir",
        str(out),
        "--model",
        str(tiny_checkpoint),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not list(out.glob("*.txt")):
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    finished = sorted(out.glob("*.txt"))
    assert all(path.read_text().endswith("\n") for path in finished)
    assert not list(out.glob(".*.part"))
    times = {path: path.stat().st_mtime_ns for path in finished}
    subprocess.run(command, check=True, capture_output=True)
    assert len(list(out.glob("*.txt"))) == 60
    assert {path: path.stat().st_mtime_ns for path in finished} == times


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("to_file", [True, False])
def test_a_series_that_is_stopped_leaves_whole_lines(tmp_path, tiny_checkpoint, end, to_file):
    (tmp_path / "in").mkdir()
    for i in range(200):
        (tmp_path / "in" / f"{i:03}.txt").write_text("Rain fell for eleven days in April. " * 50)
    output = tmp_path / "all.jsonl"
    command = [
        *PAGESUM,
        "summarize",
        str(tmp_path / "in"),
        "--each",
        "--format",
        "jsonl",
        "--model",
    ]
    command += [str(tiny_checkpoint), *(["-o", str(output)] if to_file else [])]
    with open(tmp_path / "stdout", "wb") as stdout:
        process = subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE, text=True)
        written = output if to_file else tmp_path / "stdout"
        while not written.exists() or written.read_bytes().count(b"\n") < 2:
            time.sleep(0.02)
            assert process.poll() is None
        process.send_signal(end)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == (130 if end == signal.SIGINT else -end)
    lines = written.read_text().splitlines()
    assert [json.loads(line)["pages"][0]["source"] for line in lines] == [
        f"{i:03}.txt" for i in range(len(lines))
    ]
    assert len(lines) < 200
    if end == signal.SIGINT:
        assert err.splitlines()[-2:] == [f"{len(lines)} of 200 done", "interrupted"]
    assert {path.name for path in tmp_path.iterdir()} == {
        "in",
        "stdout",
        *(["all.jsonl"] if to_file else []),
    }


@pytest.mark.slow
def test_a_closed_stderr_takes_no_error_to_stdout(letter, tiny_checkpoint):
    for path, code in ((letter, 0), ("missing.txt", 1)):
        command = shlex.join([*PAGESUM, "summarize", str(path), "--model", str(tiny_checkpoint)])
        done = subprocess.run(
            ["sh", "-c", f"{command} 2>&-"], stdout=subprocess.PIPE, text=True, check=False
        )
        assert done.returncode == code
        assert "error" not in done.stdout


@pytest.mark.slow
def test_a_reader_that_closes_early_is_no_error(letter, tiny_checkpoint):
    command = [*PAGESUM, "pages", str(letter), "--format", "json", "--model", str(tiny_checkpoint)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.slow
def test_a_full_disk_on_stdout_is_one_line(letter, tiny_checkpoint):
    with open("/dev/full", "wb") as full:
        command = [*PAGESUM, "pages", str(letter), "--model", str(tiny_checkpoint)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: standard output: No space left on device\nhint: ")


@pytest.mark.slow
def test_greedy_text_streams_to_a_terminal_and_then_has_citations(pagesum, report, tiny_checkpoint):
    flags = [
        "summarize",
        str(report),
        "--model",
        str(tiny_checkpoint),
        "--device",
        "cpu",
        "--beams",
        "1",
        "--quiet",
        "--as-generated",  # or it is shown when it is proven
    ]
    plain = pagesum(*flags, "--cite").out
    code, shown = on_terminal([*PAGESUM, *flags], columns=50)
    assert code == 0
    erased = "\x1b[2K"  # what streamed is erased before the finished summary is drawn
    *streamed, finished = shown.split(erased)
    lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line).rstrip() for line in finished.splitlines()]
    assert max(map(len, lines)) <= 50
    assert plain.strip() in " ".join(lines)
    text = pagesum(*flags).out
    assert text.split()[0] in "".join(streamed)


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "colored"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_color_on_a_terminal_unless_no_color_is_set(variables, colored):
    variables = {"NO_COLOR": "", **variables}
    result = on_terminal([*PAGESUM, "pages", "missing.txt"], **variables)
    assert result[0] == 1
    assert ("\x1b[1;31merror:" in result[1]) == colored


@pytest.mark.slow
def test_help_is_quick_and_imports_neither_torch_nor_transformers():
    code = (
        "import sys; sys.argv = ['pagesum', '--help']; from pagesum_cli.cli.app import run; "
        "run(['--help']); "
    )
    code += (
        "print(sorted({'torch', 'transformers', 'rich', 'numpy'} & sys.modules.keys()), "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_an_unexpected_error_is_one_line(capsys):
    def broken():
        raise KeyError("x\x1b[31m\ny")

    assert console.guarded(broken) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 2
    assert "unexpected KeyError" in err
    assert "\x1b" not in err


class Terminal(io.StringIO):
    def isatty(self):
        return True


@contextmanager
def streaming(monkeypatch):
    """A stream on a terminal of 20 columns and 4 lines; and what that showed, one picture after
    another.
    """
    for name, value in {"COLUMNS": "20", "LINES": "4", "TERM": "xterm-256color"}.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()

    def pictures():
        return [
            re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", part)
            for part in terminal.getvalue().split("\x1b[2K")
        ]

    with redirect_stdout(terminal), console.Stream() as stream:
        yield stream, pictures


def test_streamed_words_wrap_and_the_last_lines_stay_in_sight(monkeypatch):
    with streaming(monkeypatch) as (stream, pictures):
        for piece in (
            "Rain fell for ",
            "eleven days",
            " in April and 東京東京東京 stood under water until May.",
        ):
            stream.write(piece)
        shown = pictures()[-1].splitlines()
    assert [line.strip() for line in shown] == ["東京東京東京 stood", "under water until", "May."]
    assert pictures()[-1].strip() == ""  # makes room for the finished summary


def test_what_was_streamed_stays_if_an_error_ends_it(monkeypatch):
    def broken():
        with streaming(monkeypatch) as (stream, pictures):
            stream.write("Rain fell.")
            kept.append(pictures)
            raise KeyError

    kept = []
    with pytest.raises(KeyError):
        broken()
    assert kept[0]()[-1].strip() == "Rain fell."


def test_nothing_is_drawn_if_nothing_streams(monkeypatch):
    with streaming(monkeypatch) as (_, pictures):
        pass
    assert "".join(pictures()).strip() == ""


def test_without_a_terminal_the_current_activity_is_a_line_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(console, "HEARTBEAT", 0.2)
    with console.Talk().progress("reading files") as bar:
        for number in range(100):
            bar.update("reading files", 1000 + number, 2000)
            time.sleep(0.01)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("reading files: 1,0")
    assert " of 2,000" in lines[0]
    assert len(lines) < 5  # each pause is longer by half than the one before


def test_a_line_says_how_long_it_goes_on(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(console.time, "monotonic", lambda: now[0])
    with console.Talk().progress("reading") as bar:
        for seconds, name, done in (
            (0, "reading", 2),
            (30, "reading", 5),
            (900, "reading", 8),
            (5000, "writing", 1),
        ):
            now[0] = float(seconds)
            bar.update(name, done, 10)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "reading: 5 of 10, about 50 s left",
        "reading: 8 of 10, about 5 min left",
        "writing: 1 of 10",
    ]


def test_quiet_says_nothing_now_and_then_either(capsys, monkeypatch):
    monkeypatch.setattr(console, "HEARTBEAT", 0.01)
    with console.Talk(quiet=True).progress("reading files") as bar:
        bar.update("reading files", 3, 10)
        time.sleep(0.1)
    assert capsys.readouterr().err == ""
