"""Streams, signals and terminals, in processes of their own."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from pagesum_cli.cli import console

PAGESUM = [sys.executable, "-m", "pagesum_cli"]


@pytest.fixture
def slow(tmp_path, tiny_checkpoint):
    """A command that works for a while."""
    path = tmp_path / "long.txt"
    path.write_text("Rain fell for eleven days in April. " * 20_000)
    # A sign of life first: before that Python itself has not started, and answers an interruption in its own way.
    started = "import os; from pagesum_cli.__main__ import main; os.write(1, b'.'); main()"
    return [sys.executable, "-c", started, "summarize", str(path), "--model", str(tiny_checkpoint), "--device", "cpu"]


def on_terminal(command, columns=80, **environment):
    """What a command writes to a terminal."""
    parent, child = pty.openpty()
    variables = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", **environment}
    process = subprocess.Popen(command, stdout=child, stderr=child, stdin=subprocess.DEVNULL, env=variables)
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
def test_a_reader_that_closes_early_is_no_error(letter, tiny_checkpoint):
    command = [*PAGESUM, "pages", str(letter), "--format", "json", "--model", str(tiny_checkpoint)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


@pytest.mark.slow
def test_a_full_disk_behind_stdout_is_one_line(letter, tiny_checkpoint):
    with open("/dev/full", "wb") as full:
        command = [*PAGESUM, "pages", str(letter), "--model", str(tiny_checkpoint)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: standard output: No space left on device\nhint: ")


@pytest.mark.slow
def test_greedy_text_streams_to_a_terminal_wrapped_and_complete(pagesum, report, tiny_checkpoint):
    flags = ["summarize", str(report), "--model", str(tiny_checkpoint), "--device", "cpu", "--beams", "1", "--quiet"]
    plain = pagesum(*flags).out
    code, shown = on_terminal([*PAGESUM, *flags], columns=50)
    assert code == 0
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in shown.splitlines()]
    assert max(map(len, lines)) <= 50
    summary = plain.split("\n\n")[1]
    assert summary in " ".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_on_a_terminal_unless_no_color_is_set(variables, coloured):
    variables = {"NO_COLOR": "", **variables}
    result = on_terminal([*PAGESUM, "pages", "missing.txt"], **variables)
    assert result[0] == 1
    assert ("\x1b[1;31merror:" in result[1]) == coloured


@pytest.mark.slow
def test_help_is_quick_and_imports_neither_torch_nor_transformers():
    code = "import sys; sys.argv = ['pagesum', '--help']; from pagesum_cli.cli.app import run; run(['--help']); "
    code += "print(sorted({'torch', 'transformers', 'rich', 'numpy'} & sys.modules.keys()), file=sys.stderr)"
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


def test_streamed_words_wrap_at_the_width(capsys):
    stream = console.Stream(20)
    for piece in ("Rain fell for ", "eleven days", " in April and 東京東京東京."):
        stream.write(piece)
    stream.close()
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines) == "Rain fell for eleven days in April and 東京東京東京."
    assert lines[0] == "Rain fell for eleven"
