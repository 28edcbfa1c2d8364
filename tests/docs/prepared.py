"""``pagesum`` that starts at once: a process that has imported it forks for each call, so that what
most calls spend their time with is done once.

    python prepared.py FOLDER

makes the command ``pagesum`` in a folder, prints ``ready``, and answers its calls until standard
input ends. Each is a process of its own, with the streams, folder and variables of its caller.
"""

import hashlib
import json
import os
import pickle
import select
import signal
import socket
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from threading import get_ident
from typing import Any

MESSAGE = 1 << 17  # bytes: arguments and variables
COMMAND = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.connect({address!r})
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)])
socket.send_fds(server, [call.encode()], [0, 1, 2])
sys.exit(int(server.recv(9)))
"""


def main(folder: Path) -> None:
    """Answer calls."""
    import pagesum_cli.summarizer  # noqa: F401
    from pagesum_cli.cli.app import VERBS

    for verb in VERBS:
        import_module(f"pagesum_cli.cli.{verb}")
    remember_encoded(folder)
    address = folder / "socket"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(str(address))
    listener.listen()
    command = folder / "pagesum"
    command.write_text(COMMAND.format(python=sys.executable, address=str(address)))
    command.chmod(0o755)
    print("ready", flush=True)
    signal.signal(signal.SIGCHLD, lambda *_: os.waitpid(-1, os.WNOHANG))
    while listener in select.select([listener, sys.stdin], [], [])[0]:
        connection, _ = listener.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            answer(connection)
        connection.close()


def remember_encoded(folder: Path) -> None:
    """Let the bundled models encode the same text once: many lines of the documentation summarize
    the same paper, and this takes most of their time.
    """
    from pagesum_cli.models.extractive.language_model import LanguageModelExtractor
    from pagesum_cli.models.extractive.plain import PlainModel

    read, encode = LanguageModelExtractor._read, PlainModel.encode

    def remembered(key: tuple[Any, ...], encoded: Callable[[], Any]) -> Any:
        path = folder / hashlib.sha256(repr(key).encode()).hexdigest()
        if not path.exists():
            written = path.with_suffix(f".{os.getpid()}.{get_ident()}")
            written.write_bytes(pickle.dumps(encoded()))
            written.replace(path)
        return pickle.loads(path.read_bytes())

    def read_once(model: Any, windows: Any) -> Any:
        key = (model.config, model.dtype, [window.ids.tolist() for window in windows])
        # a copy of each, or each is written with all that it is a part of
        return remembered(key, lambda: [states.clone() for states in read(model, windows)])

    def encode_once(model: Any, pages: Any, places: Any) -> Any:
        key = (model.config, [[part.tolist() for part in parts] for parts in (pages, places)])
        return remembered(key, lambda: encode(model, pages, places))

    LanguageModelExtractor._read = read_once
    PlainModel.encode = encode_once


def answer(connection: socket.socket) -> None:
    """Run a call in a process, and send its exit code."""
    call, streams, *_ = socket.recv_fds(connection, MESSAGE, 3)
    process = os.fork()
    if not process:
        arguments, folder, variables = json.loads(call)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        connection.close()
        sys.stdin, sys.stdout, sys.stderr = map(open, range(3), ("r", "w", "w"))
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv = ["pagesum", *arguments]
        from pagesum_cli.__main__ import main as pagesum

        pagesum()
    _, status = os.waitpid(process, 0)
    connection.send(str(os.waitstatus_to_exitcode(status) % 256).encode())
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
