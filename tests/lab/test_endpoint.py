"""OpenAI-compatible endpoints as systems: a server on this machine answers as they do."""

import json
import socket
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest
import torch
from tiny import TEXTS
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from pagesum_cli import chat
from pagesum_cli.chat import KEY
from pagesum_cli.evaluation.results import FILE
from pagesum_cli.evaluation.systems import RunRequest
from pagesum_cli.lab import endpoint
from pagesum_cli.lab.endpoint import PREFIX, Endpoint
from pagesum_cli.options import GenerationOptions

SECRET = "sk-very-secret"
MODEL = "org/tiny"


class Server(ThreadingHTTPServer):
    """Summarizes a text as its first five words; ``script`` has answers that come before: status,
    headers and body.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.seen, self.keys, self.context, self.go_on = [], [], [], 2048, Event()

    @property
    def name(self):
        return f"{PREFIX}http://127.0.0.1:{self.server_port}#{MODEL}"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.server.context == 0:
            return self.scripted(404, {}, b"none here")
        return self.answer(
            {
                "data": [
                    {"id": "other", "max_model_len": 9},
                    {"id": MODEL, "max_model_len": self.server.context},
                ]
            }
        )

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.keys.append(self.headers["Authorization"])
        if self.server.script:
            return self.scripted(*self.server.script.pop(0))
        prompt = body["messages"][0]["content"]
        self.server.seen.append((self.path, body))
        words = prompt.partition("\n\n")[2].split()
        message = {"role": "assistant", "content": f"Summary: {' '.join(words[:5])}"}
        usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": 6}
        return self.answer(
            {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
        )

    def scripted(self, status, headers, body):
        if body is None:  # silence, until the test is over
            self.server.go_on.wait(30)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer(self, value):
        self.scripted(200, {}, json.dumps(value).encode())


@contextmanager
def serving():
    server = Server()
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.go_on.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(chat, "sleep", lambda seconds: None)
    monkeypatch.delenv(KEY, raising=False)
    with serving() as server:
        yield server


@pytest.fixture
def data(tmp_path):
    values = [
        {
            "id": "short",
            "text": "The harvest was late this year. Rain fell.",
            "summary": "It was late.",
        },
        {
            "id": "long",
            "text": "Wheat cost a third more than before. " * 400,
            "summary": "Wheat cost more.",
        },
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return tmp_path / "data.jsonl"


def command(data, server, *more):
    texts = data.with_name("p.txt")
    texts.write_text("Rain fell.\nWheat cost more.\n")
    of_texts = ["eval", "--predictions", texts, "--data", data, "--processes", "1"]
    return [*of_texts, "--system", server.name, "--max-length", "100", *more]


def test_a_document_is_read_whole_where_it_fits_and_else_in_parts_that_are_merged(
    pagesum, server, data, tmp_path
):
    result = pagesum(*command(data, server, "--output", tmp_path / "out", "--format", "json"))
    assert result.code == 0, result.err
    (path,) = (tmp_path / "out" / "systems").glob(f"*/{FILE}")
    short, long = (json.loads(line) for line in path.read_text().splitlines())
    assert short["prediction"] == "Summary: The harvest was late this"
    *parts, merge, whole = [body["messages"][0]["content"] for _, body in server.seen]
    assert whole.endswith("\n\nThe harvest was late this year. Rain fell.")
    assert len(parts) >= 2
    assert all(
        part.startswith("Summarize the part of a document below in at most 70 words.")
        for part in parts
    )
    assert sum(part.count("Wheat cost") for part in parts) == 400
    assert merge.startswith("Below are summaries of the parts")
    assert merge.count("Summary: Wheat cost a third more") == len(parts)
    assert long["prediction"] == "Summary: Summary: Wheat cost a third"
    assert long["generated_tokens"] == 6 * (len(parts) + 1)
    assert long["source_tokens"] == sum(len(one.split()) for one in (*parts, merge))
    assert long["seconds"] > 0
    assert long["settings"]["context_tokens"] == 2048
    assert long["settings"]["prompts"] == endpoint.PROMPTS
    assert {path for path, _ in server.seen} == {"/v1/chat/completions"}
    assert server.seen[0][1]["model"] == MODEL
    assert (server.seen[0][1]["max_tokens"], server.seen[0][1]["temperature"]) == (100, 0)
    assert long["peak_memory"] == 0
    assert json.loads(result.out)["systems"][server.name]["rouge1"]["f"] > 0


def test_the_context_can_be_given_and_is_part_of_the_settings(server):
    request = RunRequest(server.name, generation=GenerationOptions(max_length=100))
    assert Endpoint(request, 4096).settings["context_tokens"] == 4096
    assert Endpoint(request, None).settings["context_tokens"] == 2048
    assert Endpoint(RunRequest(server.name), None).settings["max_length"] == endpoint.MAX_TOKENS


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([(401, {}, f"wrong key {SECRET}".encode())], "the server answers 401"),
        (
            [(400, {}, b'{"error": "context\nlength"}')],
            'the server answers 400: {"error": "context length"}',
        ),
        ([(429, {"Retry-After": "7"}, b"slowly")] * 4, "the server answers 429: slowly"),
        ([(500, {}, f"oops {SECRET}".encode())] * 4, "the server answers 500: oops …"),
        ([(302, {"Location": "http://127.0.0.1:9/"}, b"")], "the server answers 302"),
        ([(200, {}, None)] * 4, "no answer in 0.2 seconds"),
        ([(200, {}, b"<html>")], "the answer is not JSON: '<html>'"),
        ([(200, {"Content-Length": "99"}, b'{"choices"')] * 4, "the answer was cut off"),
        ([(200, {}, b'{"choices": []}')], 'the answer is not a chat completion: {"choices": []}'),
        ([(200, {}, b'{"choices": [{"message": {"content": null}}]}')], "the answer has no text"),
    ],
)
def test_a_failure_is_one_line_and_what_is_done_is_kept(
    pagesum, server, data, tmp_path, monkeypatch, answers, message
):
    monkeypatch.setenv(KEY, SECRET)
    run = command(data, server, "--output", tmp_path / "out", "--quiet")
    asked = Endpoint.results

    def then_fail(self, batch):
        found = asked(self, batch)
        server.script += answers
        if (200, {}, None) in answers:
            monkeypatch.setattr(chat, "SILENCE", 0.2)
        return found

    monkeypatch.setattr(Endpoint, "results", then_fail)
    failed = pagesum(*run)
    assert (failed.code, failed.out) == (1, "")
    assert server.script == []  # it has tried as often as may help
    (line,) = (line for line in failed.err.splitlines() if line.startswith("error: "))
    assert message in line
    assert "hint: " in failed.err
    assert SECRET not in failed.err
    assert set(server.keys) == {f"Bearer {SECRET}"}
    monkeypatch.setattr(Endpoint, "results", asked)
    monkeypatch.setattr(chat, "SILENCE", 600.0)
    before = len(server.seen)
    assert pagesum(*run).code == 0
    assert len(server.seen) == before + 1  # the long document comes first, and was done
    assert not [
        one for one in (tmp_path / "out").rglob("*") if one.is_file() and SECRET in one.read_text()
    ]


def test_a_traceback_does_not_show_the_key(pagesum, server, data, monkeypatch):
    monkeypatch.setenv(KEY, SECRET)
    server.script.append((400, {}, f"no {SECRET}".encode()))
    failed = pagesum(*command(data, server, "--debug"))
    assert "Traceback" in failed.err
    assert "the server answers 400: no …" in failed.err
    assert SECRET not in failed.err


def test_what_passes_is_waited_for(pagesum, server, data, monkeypatch):
    waits = []
    monkeypatch.setattr(chat, "sleep", waits.append)
    server.script += [
        (429, {"Retry-After": "7"}, b""),
        (503, {}, b""),
        (429, {"Retry-After": "9999"}, b""),
    ]
    assert pagesum(*command(data, server)).code == 0
    assert waits == [7, 4, chat.LONGEST_WAIT]


@pytest.mark.parametrize(
    ("name", "key", "message"),
    [
        ("http://127.0.0.1:1", "", "expected openai:URL#MODEL"),
        ("ftp://127.0.0.1#m", "", "expected openai:URL#MODEL"),
        ("http://me:pass@127.0.0.1#m", "", "expected openai:URL#MODEL"),
        ("https://127.0.0.1/v1?key=pass#m", "", "expected openai:URL#MODEL"),
        ("https://api.example.org#m", "", "https://api.example.org/v1 is not this machine"),
        ("http://127.0.0.1.example.org#m", "", "is not this machine"),
        ("http://127.0.0.1:9#m", "zwei\nlines", f"{KEY} contains an invalid character"),
        ("http://127.0.0.1:9#m", "", "it cannot be reached"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_computed(
    pagesum, server, data, tmp_path, monkeypatch, name, key, message
):  # fmt: skip
    monkeypatch.setenv(KEY, key)
    result = pagesum(
        "eval", "--data", data, "--system", PREFIX + name, "--output", tmp_path / "out"
    )
    assert (result.code > 0, result.out) == (True, "")
    assert message in result.err
    assert "me:pass" not in result.err
    assert "key=pass" not in result.err
    assert "zwei" not in result.err
    assert not (tmp_path / "out").exists()


def test_a_key_is_never_sent_without_encryption_to_another_machine(pagesum, data, monkeypatch):
    monkeypatch.setenv(KEY, SECRET)
    names = [
        "--system",
        f"{PREFIX}http://api.example.org#m",
        "--allow-network",
        "--context-tokens",
        "4096",
    ]
    result = pagesum("eval", "--data", data, *names)
    assert f"{KEY} would be sent without encryption" in result.err
    assert SECRET not in result.err


def test_a_server_that_states_no_context_or_too_short_a_one_is_reported(pagesum, server, data):
    server.context = None
    missing = pagesum(*command(data, server))
    assert "it does not state the context length of org/tiny" in missing.err
    assert "--context-tokens" in missing.err
    server.context = 0
    unlisted = pagesum(*command(data, server))
    assert "the server answers 404: none here" in unlisted.err
    assert "--context-tokens" in unlisted.err
    short = pagesum(*command(data, server, "--context-tokens", "512", "--max-length", "300"))
    assert "a context of 512 tokens for answers of 300" in short.err
    assert server.seen == []


@pytest.fixture
def transformers_server(tmp_path):
    """``transformers serve`` with a chat model of random weights; the address and the model."""
    pytest.importorskip("fastapi", reason="transformers serve needs fastapi")
    torch.manual_seed(0)
    words = [
        "<pad>",
        "<s>",
        "</s>",
        "<unk>",
        *sorted(set("\n".join(TEXTS).lower().replace(".", " .").split())),
    ]
    backend = Tokenizer(
        models.WordLevel({word: place for place, word in enumerate(words)}, unk_token="<unk>")
    )
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, **names)
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}{% endfor %}"
    sizes = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
    }
    config = LlamaConfig(
        vocab_size=len(words), **sizes, pad_token_id=0, bos_token_id=1, eos_token_id=2
    )
    for part in (LlamaForCausalLM(config), tokenizer):
        part.save_pretrained(tmp_path / "chat")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    run = [
        sys.executable,
        "-c",
        "from transformers.cli.transformers import main; main()",
        "serve",
        "--device",
        "cpu",
    ]
    with subprocess.Popen([*run, "--port", port], stderr=subprocess.PIPE, text=True) as process:
        assert any("Uvicorn running" in line for line in process.stderr)
        Thread(target=process.stderr.read, daemon=True).start()
        yield f"http://localhost:{port}", str(tmp_path / "chat")
        process.terminate()


@pytest.mark.stress
def test_transformers_serve_is_such_an_endpoint(pagesum, data, tmp_path, transformers_server):
    system = f"{PREFIX}{'#'.join(transformers_server)}"
    (tmp_path / "p.txt").write_text("Rain fell.\nWheat cost more.\n")
    of_texts = [
        "eval",
        "--predictions",
        tmp_path / "p.txt",
        "--data",
        data,
        "--output",
        tmp_path / "out",
    ]
    done = pagesum(*of_texts, "--system", system, "--context-tokens", "2048", "--max-length", "16")
    assert done.code == 0, done.err
    (path,) = (tmp_path / "out" / "systems").glob(f"*/{FILE}")
    short, long = (json.loads(line) for line in path.read_text().splitlines())
    assert short["prediction"]
    assert 0 < short["generated_tokens"] <= 16
    assert long["source_tokens"] > 400 * 7  # each sentence of the document was read
