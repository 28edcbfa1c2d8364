"""PDFs are read in another process while PyTorch is imported; what goes wrong there is reported
here.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Timer

import pytest

from pagesum_cli.batch.jobs import Job
from pagesum_cli.batch.several import Given, read_job
from pagesum_cli.batch.threads import in_order
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"

CODE = """
import sys
from pagesum_cli.batch.reading import Source, read_files, start_reading
from pagesum_cli.cli.console import Talk
from pagesum_cli.errors import PagesumError
talk = Talk(quiet=True)
wait = start_reading(Source(sys.argv[1:], sys.argv[1:]), talk)
try:
    reading = wait()
    imported = "pypdf" in sys.modules
    again = read_files(Source(sys.argv[1:], sys.argv[1:]), talk)
    print(imported, reading.documents == again.documents, reading.seconds > 0)
except PagesumError as error:
    print(error.message, "/", error.hint)
"""


def read(*paths: Path) -> str:
    command = [sys.executable, "-c", CODE, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_documents_come_from_the_other_process() -> None:
    assert read(PAPER) == f"{sys.platform != 'linux'} True True"


def test_errors_come_from_the_other_process(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    message, _, hint = read(tmp_path / "broken.pdf").partition(" / ")
    assert "broken.pdf" in message
    assert hint


def test_texts_are_read_at_once(letter: Path) -> None:
    assert read(letter).endswith("True True")


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_other_process_ends_with_the_first(end: signal.Signals) -> None:
    code = (  # a shell's background job ignores SIGINT, and so would what it starts
        "import signal, sys, time; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from pagesum_cli.batch.reading import Source, start_reading; from "
        "pagesum_cli.cli.console import "
        "Talk; start_reading(Source(sys.argv[1:], sys.argv[1:]), Talk(quiet=True)); "
        "print('reading', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, *[str(PAPER)] * 5]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"reading\n"
        if end == signal.SIGINT:  # as Ctrl-C on a terminal, to all processes
            os.killpg(process.pid, end)
        else:
            process.send_signal(end)
        # The other process holds the standard output too: the end of file comes only when both have
        # ended.
        process.communicate(timeout=20)


def test_the_next_document_is_read_while_one_is_summarized() -> None:
    begun = {name: Event() for name in "abc"}

    def job(name: str) -> Job:
        def documents() -> list[Document]:
            begun[name].set()
            if name == "b":
                raise PagesumError("b cannot be read", "")
            return [plain_document(f"It is {name}.", name)]

        return Job(name, (name,), documents, None)

    ahead = in_order(read_job, [job(name) for name in "abc"], 1)
    first = next(ahead)
    assert isinstance(first, Given)
    assert begun["b"].wait(60)  # before it is asked for
    assert not begun["c"].is_set()
    second, third = ahead
    assert isinstance(second, PagesumError)
    assert isinstance(third, Given)
    assert (first.label, third.label) == ("a", "c")


def test_threads_give_results_in_order_and_none_is_far_ahead() -> None:
    begun, go_on = SimpleQueue[int](), Event()

    def double(number: int) -> int:
        begun.put(number)
        if number == 0:
            assert go_on.wait(60)
        if number == 3:
            raise PagesumError("not 3", "")
        return 2 * number

    results = in_order(double, range(20), 2)
    # the others do not wait for the first
    Timer(0, lambda: ([begun.get() for _ in range(4)], go_on.set())).start()
    assert next(results) == 0
    assert begun.qsize() == 0  # four of twenty were begun
    rest = list(results)
    assert isinstance(rest[2], PagesumError)
    assert [rest[0], rest[1], *rest[3:]] == [2, 4, *range(8, 40, 2)]
