"""``pagesum`` that starts at once: a process that has imported it forks for each call, so that what
most calls spend their time with is done once.

    python prepared.py FOLDER

makes the command ``pagesum`` in a folder, prints ``ready``, and answers its calls until standard
input ends. Each is a process of its own, with the streams, folder and variables of its caller.
"""

import hashlib
import json
import os
import select
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path

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
    import pagesum_cli.models.extractive.plain
    import pagesum_cli.summarizer  # noqa: F401
    from pagesum_cli.cli.app import VERBS

    for verb in VERBS:
        import_module(f"pagesum_cli.cli.{verb}")
    remember_states(folder)
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


def remember_states(folder: Path) -> None:
    """Let the language model of ``editor`` read the same text once: many lines of the documentation
    summarize the same paper, and this takes most of their time.
    """
    import torch

    from pagesum_cli.models.extractive.language_model import LanguageModelExtractor

    read = LanguageModelExtractor._read

    def remembered(model, windows):
        texts = [window.ids.tolist() for window in windows]
        key = repr((model.config, model.dtype, torch.is_grad_enabled(), texts))
        path = folder / hashlib.sha256(key.encode()).hexdigest()
        if not path.exists():
            torch.save(read(model, windows), path)
        return torch.load(path)

    LanguageModelExtractor._read = remembered


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
