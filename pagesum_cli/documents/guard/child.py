"""The process that reads: requests on standard input, answers on standard output, until the former
is closed.

Nothing is imported here that the format of a file does not need: it starts while the user waits.
"""

import contextlib
import gc
import json
import os
from collections.abc import Callable, Iterable
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ... import system
from .damage import naming_damage
from .protocol import Frames, Limits, encoded, send

USED = 256  # megabytes of memory above which a process does not read a second file


def main(suffix: str = "") -> None:
    """Answer requests; ``suffix``: of the name of the first file, if that is known."""
    gc.set_threshold(100_000)  # hardly any of the many objects of a long file are in cycles
    system.begin_as_child()
    requests, replies = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what libraries print

    def reply(kind: str, value: Any = None) -> None:
        send(replies, encoded((kind, value)))

    waiting: SimpleQueue[tuple[dict[str, Any], bytes | None]] = SimpleQueue()
    Thread(target=_receive, args=(Frames(system.Pipe(requests)), waiting), daemon=True).start()
    reply("ready")
    _import_reader(suffix)
    while True:
        _answer(*waiting.get(), reply)


def _import_reader(suffix: str) -> None:
    """Import what files with a suffix need, before the first request."""
    if not suffix:
        return
    from ..readers.formats import FORMATS

    modules = [one.reader.partition(":")[0] for one in FORMATS if suffix in one.suffixes]
    with contextlib.suppress(Exception):  # which reading reports
        for module in modules:
            import_module(module)


def _receive(frames: Frames, waiting: "SimpleQueue[tuple[dict[str, Any], bytes | None]]") -> None:
    """Receive requests; the end of the parent ends this process, whatever it does."""
    try:
        while True:
            request = json.loads(frames.next())
            waiting.put((request, frames.next() if request["has_content"] else None))
    finally:
        os._exit(1)


def _answer(
    request: dict[str, Any], content: bytes | None, reply: Callable[[str, Any], None]
) -> None:
    def on_size(size: int | None) -> None:
        Limits.of(size).impose()
        reply("size", size)

    try:
        on_size(request["size"])
        if request["folder"]:
            os.chdir(request["folder"])
        arguments: dict[str, Any] = dict(request["arguments"])
        arguments["on_problem"] = lambda line: reply("problem", line)
        if request["function"] is None:
            arguments["on_progress"] = lambda: reply("progress", None)
        with naming_damage(request["name"]):
            for item in _items(request["function"], arguments, content, on_size):
                reply("item", item)
                if request["is_stream"]:
                    on_size(request["size"])
    except MemoryError:
        reply("memory", None)
    except Exception as failure:
        import traceback

        from ...errors import explained

        error = explained(failure)
        is_own = error is failure and failure.__cause__ is None
        trace = "" if is_own else "".join(traceback.format_exception(failure))
        reply("error", (type(error).__name__, error.message, error.hint, trace))
    else:
        reply("end", system.memory_in_use() < USED << 20)


def _items(
    function: str | None,
    arguments: dict[str, Any],
    content: bytes | None,
    on_size: Callable[[int | None], None],
) -> Iterable[Any]:
    if function:
        from pkgutil import resolve_name

        given = {} if content is None else {"given": content}
        return resolve_name(function)(**arguments, **given)
    from ..read import read_file
    from ..selection import Address

    path = Address(arguments["path"]) if arguments.pop("is_address") else arguments["path"]
    return read_file(**{**arguments, "path": path}, given=content, on_size=on_size)
