"""What the reading process is made to do by the tests; the parent names the functions, see
``stream``.
"""

import os
import signal
import threading

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError, UsageError

KEPT: list[bytes] = []


def document(text="Owls hunt.", starts=()):
    return Document("a.txt", (Section("", (Paragraph(text, starts),)),))


def crash(path, on_problem):
    yield document()
    os.kill(os.getpid(), signal.SIGSEGV)


def fill(path, on_problem):
    yield document("x" * (1 << 32))


def spin(path, on_problem):
    import resource

    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (1, hard))
    while True:
        pass
    yield document()


def compute(path, on_problem):
    while True:
        pass
    yield document()


def grow(path, on_problem):
    KEPT.append(bytes(range(256)) * (300 << 12))
    yield os.getpid()


def fill_slowly(path, on_problem):
    kept = []
    while True:
        kept.append(bytes(range(256)) * (4 << 12))
        threading.Event().wait(0.01)
    yield document()


def wait(path, on_problem):
    on_problem("waiting")
    threading.Event().wait()
    yield document()


def number(path, on_problem):
    yield os.getpid()


def environment(path, on_problem):
    print("what libraries print", flush=True)
    on_problem("first")
    yield {
        "folder": os.getcwd(),
        "imported": sorted({"torch", "numpy", "rich", "typer"} & set(__import__("sys").modules)),
    }
    on_problem("second")


def wrong(path, on_problem):
    yield {"name": 3}


def wrong_offsets(path, on_problem):
    yield document(starts=((0, 1), (700, 2)))


def wrong_pages(path, on_problem):
    yield document(starts=((0, -1),))


def wrong_sections(path, on_problem):
    yield {"name": "a", "sections": [], "skipped": [7]}


def usage(path, on_problem):
    raise UsageError("a message", "a hint")


def unexpected(path, on_problem):
    raise KeyError("owl")


def surrogate(path, on_problem):
    raise PagesumError("half \ud800", None)
