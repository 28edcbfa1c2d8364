"""A chat model behind an address of this machine, whose answers a test gives."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

Reply = str | int | None
"""The text of an answer; or the status of an error; None: no answer until the test ends."""


class Server(ThreadingHTTPServer):
    """Answers each message with what a function makes of it."""

    daemon_threads = True

    def __init__(self, reply: Callable[[str], Reply], *, takes_form: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply, self.takes_form = reply, takes_form
        self.messages: list[str] = []
        self.ends = Event()

    @property
    def name(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1#fake"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "response_format" in body and not self.server.takes_form:
            return self._send(400, {"error": "no response_format"})
        message = body["messages"][0]["content"]
        self.server.messages.append(message)
        reply = self.server.reply(message)
        if reply is None:
            self.server.ends.wait()
            return None
        if isinstance(reply, int):
            return self._send(reply, {"error": "no"})
        return self._send(200, {"choices": [{"message": {"content": reply}}]})

    def _send(self, status: int, value: object) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(reply: Callable[[str], Reply], *, takes_form: bool = True) -> Iterator[Server]:
    """A server that runs meanwhile."""
    server = Server(reply, takes_form=takes_form)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.ends.set()
        server.shutdown()
        server.server_close()


def listed(message: str) -> dict[int, str]:
    """The numbered sentences of a message."""
    block = message.rpartition("<sentences>\n")[2].partition("\n</sentences>")[0]
    return {int(n): text for n, text in re.findall(r"^\[(\d+)\] (.*)$", block, re.M)}


def labels(chosen: set[str]) -> Callable[[str], str]:
    """Answers that choose the given sentences."""
    return lambda message: json.dumps(
        {"numbers": [number for number, text in listed(message).items() if text in chosen]}
    )
