"""Data sets on the hub, by a small server of our own that speaks as the hub does."""

import hashlib
import io
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pyarrow = pytest.importorskip("pyarrow")
from pyarrow import parquet  # noqa: E402

COMMITS = {"main": "a" * 40, "refs/convert/parquet": "b" * 40}


def packed(rows):
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), buffer)
    return buffer.getvalue()


FILES = {
    # Only a script on the main branch: read from the conversion.
    ("alexfabbri/multi_news", "main"): {"multi_news.py": b"raise SystemExit('never run')"},
    ("alexfabbri/multi_news", "refs/convert/parquet"): {
        "default/test/0000.parquet": packed([{"document": "One.|||||Two.", "summary": "S one."}]),
        "default/test/0001.parquet": packed([{"document": "Three.", "summary": "S two."}]),
        "default/train/0000.parquet": packed([{"document": "No.", "summary": "No."}]),
    },
    ("armanc/scientific_papers", "main"): {"scientific_papers.py": b""},
    ("armanc/scientific_papers", "refs/convert/parquet"): {
        "arxiv/partial-train/0000.parquet": packed(
            [{"article": "the beginning .", "abstract": "a part ."}]
        ),
        "arxiv/partial-test/0000.parquet": packed(
            [{"article": "an arxiv text .", "abstract": "an abstract ."}]
        ),
        "pubmed/test/0000.parquet": packed(
            [{"article": "a pubmed text .\nfig . 2 shows it .\n", "abstract": "a\nsum ."}]
        ),
    },
    ("ccdv/govreport-summarization", "main"): {
        "document/test-00000-of-00001.parquet": packed(
            [{"report": "A ||||| report.", "summary": "R."}]
        ),
        "document/contest.parquet": packed([{"report": "Wrong.", "summary": "W."}]),
    },
    ("me/mine", "main"): {"data/validation.parquet": packed([{"body": "Text.", "short": "T."}])},
}
REQUESTS = []


class Hub(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = self.path.split("?")[0].replace("%2F", "/")
        REQUESTS.append((self.command, path))
        for (repository, revision), files in FILES.items():
            commit = COMMITS[revision]
            if path == f"/api/datasets/{repository}/revision/{revision}":
                siblings = [{"rfilename": name} for name in files]
                return self.answer({"id": repository, "sha": commit, "siblings": siblings})
            if path.startswith(f"/api/datasets/{repository}/tree/{commit}"):
                tree = [
                    {"type": "file", "path": name, "size": len(data), "oid": oid(data)}
                    for name, data in files.items()
                ]
                return self.answer(tree)
            for name, data in files.items():
                if path == f"/datasets/{repository}/resolve/{commit}/{name}":
                    return self.answer(data, {"ETag": f'"{oid(data)}"', "X-Repo-Commit": commit})
        known = any(f"/{repository}/" in path for repository, _ in FILES)
        code = "RevisionNotFound" if known else "RepoNotFound"
        return self.answer({"error": "not found"}, {"X-Error-Code": code}, 404)

    def answer(self, value, headers=None, code=200):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(code)
        for name, text in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, text)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def oid(data):
    return hashlib.sha1(data).hexdigest()


@pytest.fixture(scope="module")
def hub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


PROGRAM = """
import json, sys
from pagesum_cli.errors import PagesumError
from pagesum_cli.datasets.named import DataRequest, read_data
try:
    records = read_data(DataRequest(**json.loads(sys.argv[1])), print)
    print(json.dumps([[r.summary, [d.sections[0].text for d in r.documents]] for r in records]))
except PagesumError as error:
    print(json.dumps([error.message, error.hint]))
"""


def read(endpoint, home, **request):
    """In a process of its own: the hub's library reads its settings once, when it is imported."""
    environment = {
        **os.environ,
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(home),
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
    environment.pop("HF_HUB_OFFLINE", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(request)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_data_set_that_is_only_a_script_is_read_from_its_conversion_and_kept(hub, tmp_path):
    expected = [["S one.", ["One.", "Two."]], ["S two.", ["Three."]]]
    assert read(hub, tmp_path, data="multinews") == expected
    assert not any("train" in path for _, path in REQUESTS)
    # from the cache, without the server
    assert read("http://127.0.0.1:9", tmp_path, data="multinews") == expected


def test_configurations_are_told_apart(hub, tmp_path):
    # A line of these is a sentence, which nobody has to guess again.
    assert read(hub, tmp_path, data="pubmed") == [
        ["a sum .", ["a pubmed text .\n\nfig . 2 shows it ."]]
    ]
    assert read(hub, tmp_path, data="arxiv") == [["an abstract .", ["an arxiv text ."]]]
    message, _ = read(hub, tmp_path, data="arxiv", split="train")  # not its beginning
    assert "only the beginning of the train split" in message


def test_parquet_on_the_main_branch_is_taken_and_a_report_is_one_document(hub, tmp_path):
    assert read(hub, tmp_path, data="govreport") == [["R.", ["A ||||| report."]]]


def test_any_data_set_with_named_columns(hub, tmp_path):
    request = {
        "data": "me/mine",
        "split": "validation",
        "document_column": "body",
        "summary_column": "short",
    }
    assert read(hub, tmp_path, **request) == [["T.", ["Text."]]]
    message, hint = read(hub, tmp_path, data="me/mine", split="validation")
    assert "no column 'document'; it has body, short" in message
    assert "--document-column" in hint
    message, _ = read(hub, tmp_path, data="me/mine", split="test")
    assert "no Parquet" in message


def test_an_unknown_data_set_on_the_hub(hub, tmp_path):
    message, _ = read(hub, tmp_path, data="me/nothing")
    assert "no such data set on the hub" in message


def test_offline_says_what_to_put_where(tmp_path):
    message, hint = read("http://127.0.0.1:9", tmp_path, data="multinews")
    assert "cannot be reached" in message
    assert "test.src and test.tgt" in hint
    assert "--data-dir" in hint
