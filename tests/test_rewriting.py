"""Quotes that a language model rewrites: a server that is there, fails, or says something else."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pagesum_cli import chat
from pagesum_cli.chat import KEY
from pagesum_cli.rewriting import REQUEST, whole_sentences

TEXT = (
    "The harvest of rye was late in the valley, because rain fell for eleven days in April. "
    "The new library opened on Monday with forty thousand books for children."
)
GOOD = (
    "The late harvest of rye in the valley is due to rain, which fell for eleven days in April. "
    "On Monday, the new library opened with forty thousand books for children."
)
WRONG = GOOD.replace("forty", "ninety")


class Server(ThreadingHTTPServer):
    """Answers every message with ``answer``: a text, bytes as they are, or None for silence."""

    answer: str | bytes | None = GOOD
    finish = "stop"

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[dict[str, Any]] = []
        self.end = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1#tiny"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.respond(b'{"data": []}')

    def do_POST(self) -> None:
        self.server.seen.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        answer = self.server.answer
        if answer is None:
            self.server.end.wait(20)
        elif isinstance(answer, bytes):
            self.respond(answer, cut=True)
        else:
            choice = {"message": {"content": answer}, "finish_reason": self.server.finish}
            self.respond(json.dumps({"choices": [choice]}).encode())

    def respond(self, body: bytes, *, cut: bool = False) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + 9 * cut))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(chat, "sleep", lambda seconds: None)
    monkeypatch.delenv(KEY, raising=False)
    server = Server()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.end.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "town.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def rewrite(pagesum: Callable[..., Any], file: Path, server: Server) -> Callable[..., Any]:
    def call(*more: str) -> Any:
        given = ("summarize", file, "--fast", "--sentences", "2", "--no-history")
        return pagesum(*given, "--rewrite", server.address, "--format", "json", *more)

    return call


def test_each_sentence_keeps_its_quotes(rewrite: Callable[..., Any], server: Server) -> None:
    result = rewrite()
    assert result.code == 0, result.err
    data = json.loads(result.out)
    assert data["summary"] == GOOD
    quotes = [[TEXT[one["start"] : one["end"]] for one in own["quotes"]] for own in
              data["sentences"]]  # fmt: skip
    assert [len(one) for one in quotes] == [1, 1]
    assert "harvest" in quotes[0][0]
    assert "library" in quotes[1][0]
    assert {one["verdict"] for one in data["sentences"]} <= {"edited", "paraphrase"}
    (asked,) = server.seen
    (message,) = asked["messages"]
    assert message["content"].startswith(REQUEST)
    assert all(one in message["content"] for (one,) in quotes)


def test_what_differs_gives_way_to_its_quote(rewrite: Callable[..., Any], server: Server) -> None:
    server.answer = WRONG
    data = json.loads(rewrite().out)
    assert "ninety" not in data["summary"]
    first, second = data["sentences"]
    assert second["text"] in TEXT
    assert "ninety" in second["replaced"]
    assert "replaced" not in first
    untouched = json.loads(rewrite("--as-generated").out)
    assert untouched["summary"] == WRONG
    assert not any("verdict" in one for one in untouched["sentences"])


def test_an_answer_that_is_cut_off_loses_its_last_sentence(
    rewrite: Callable[..., Any], server: Server
) -> None:
    server.answer, server.finish = GOOD.partition("library")[0] + "library", "length"
    result = rewrite()
    assert json.loads(result.out)["summary"] == GOOD.partition(" On Monday")[0]
    assert "1 of 2 quotes are not in the rewritten text" in result.err


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I am sorry, but I cannot help with that.", "none of its sentences is proven"),
        ("<think>The user wants", "none of its sentences is proven"),
        ("  ", "the answer has no text"),
        (b'{"choices": [{"mess', "the answer was cut off"),
        (None, "no answer in 0.2 seconds"),
    ],
)
def test_the_quotes_stand_where_the_server_fails(
    rewrite: Callable[..., Any],
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    answer: str | bytes | None,
    reason: str,
) -> None:
    server.answer = answer
    if answer is None:
        monkeypatch.setattr(chat, "SILENCE", 0.2)
    result = rewrite()
    assert result.code == 0
    data = json.loads(result.out)
    assert all(one["source"] and "verdict" not in one for one in data["sentences"])
    assert data["summary"] == TEXT
    (line,) = (line for line in result.err.splitlines() if reason in line)
    assert line.startswith("warning: ")
    assert line.endswith("the quotes are shown as they are")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("http://127.0.0.1:1#m", "it cannot be reached"),
        ("https://api.example.org#m", "https://api.example.org/v1 is not this machine"),
        ("http://127.0.0.1:80", "--rewrite …: expected URL#MODEL"),
        ("mini", "--rewrite mini: expected a language model, or URL#MODEL"),
    ],
)
def test_what_cannot_rewrite_is_refused_before_anything_is_read(
    pagesum: Callable[..., Any],
    file: Path,
    name: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chat, "sleep", lambda seconds: None)
    result = pagesum("summarize", file, "--fast", "--rewrite", name)
    assert (result.code > 0, result.out) == (True, "")
    assert message in result.err


def test_options_that_do_nothing_are_refused(
    pagesum: Callable[..., Any], file: Path, tiny_checkpoint: Path
) -> None:
    only_quotes = pagesum("summarize", file, "--fast", "--as-generated")
    assert "--as-generated does nothing with mini" in only_quotes.err
    writes = pagesum("summarize", file, "--model", tiny_checkpoint, "--rewrite", "mini")
    assert "which generates text itself" in writes.err


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("<think>Well. Hm.</think>\nRye is late.", "Rye is late."),
        ("# Summary\n\n- Rye is **late**.\n- It rains.", "Rye is late. It rains."),
        ("1. Rye is late.\n2. It rains", "Rye is late. It rains"),
        ("<think>Well.", ""),
    ],
)
def test_an_answer_becomes_running_text(answer: str, text: str) -> None:
    assert whole_sentences(answer, is_cut_off=False) == text
