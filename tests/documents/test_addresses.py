"""Documents on the web: fetched only where that is allowed, and refused in one line where they
cannot be.
"""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagesum_cli import files
from pagesum_cli.documents import fetching
from pagesum_cli.documents.guard import protocol
from pagesum_cli.documents.guard import reading as guarded
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.read import find_files, read_file
from pagesum_cli.documents.selection import Address, allowed
from pagesum_cli.errors import PagesumError

PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/notes": (200, {"Content-Type": "text/plain"}, b"Owls hunt at night."),
    "/README.md": (
        200,
        {"Content-Type": "text/plain"},
        b"# Owls\n\nThey hunt.\n\n## Food\n\nMice.\n",
    ),
    "/page": (
        200,
        {"Content-Type": "text/html; charset=koi8-r"},
        "<h1>Совы</h1><p>Охотятся.".encode("koi8-r"),
    ),
    "/paper.pdf?v=2": (200, {"Content-Type": "text/html"}, b"<p>Please log in.</p>"),
    "/get": (
        200,
        {"Content-Disposition": 'attachment; filename="../../etc/o\x07wls.txt"'},
        b"Owls.",
    ),
    "/%C3%A4": (200, {"Content-Type": "text/plain"}, b"Umlaut."),
    "/picture": (200, {"Content-Type": "image/png"}, b"\x89PNG\r\n\x1a\n"),
    "/moved": (302, {"Location": "/notes"}, b""),
    "/circle": (302, {"Location": "/circle"}, b""),
    "/file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/ftp": (302, {"Location": "ftp://localhost/x"}, b""),
    "/inside": (302, {"Location": "http://127.0.0.1:9/latest"}, b""),
    "/localhost": (302, {"Location": "http://localhost:9/latest"}, b""),
    "/mapped": (302, {"Location": "http://[::ffff:127.0.0.1]:9/latest"}, b""),
    "/decimal": (302, {"Location": "http://2130706433:9/latest"}, b""),
    "/cloud": (302, {"Location": "http://169.254.169.254/latest"}, b""),
    "/charset": (200, {"Content-Type": "text/html; charset=\x00"}, b"<p>Owls."),
    "/secret": (403, {}, b"no"),
    "/cut": (200, {"Content-Length": "500"}, b"Owls"),
    "/empty": (200, {}, b""),
    "/large": (200, {"Content-Length": "2000"}, b"x" * 2000),
    "/endless": (200, {}, b"x" * 2000),
}


ENDED = threading.Event()
"""Ends what the server writes without end."""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/drops":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while not ENDED.wait(0.1):
                self.wfile.write(b"a")
            return
        if self.path == "/silent":
            threading.Event().wait(1.5)
            return
        status, headers, body = PAGES.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        thread = threading.Thread(target=one.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{one.server_port}"
        ENDED.set()
        one.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def read(address: str) -> Document:
    (document,) = read_file(find_files(allowed([address]))[0])
    return document


def test_an_address_is_not_fetched_unless_that_is_allowed(server: str) -> None:
    with pytest.raises(PagesumError, match="expected a file, found an address") as caught:
        find_files([f"{server}/notes"])
    assert "--allow-network" in (caught.value.hint or "")
    with pytest.raises(PagesumError, match="no such file"):
        read_file(f"{server}/notes")


def test_documents_are_named_after_their_address(server: str) -> None:
    document = read(f"{server}/notes")
    assert (document.name, document.source, document.text) == (
        "notes",
        f"{server}/notes",
        "Owls hunt at night.",
    )


@pytest.mark.parametrize(
    ("path", "name", "title", "text"),
    [
        ("/README.md", "README.md", "Owls", "They hunt.\n\nFood\n\nMice."),
        ("/page", "page", "", "Совы\n\nОхотятся."),
        ("/paper.pdf?v=2", "paper.pdf", "", "Please log in."),
        ("/get", "owls.txt", "", "Owls."),
        ("/ä", "ä", "", "Umlaut."),
        ("/moved", "notes", "", "Owls hunt at night."),
        ("/charset", "charset", "", "Owls."),
    ],
)
def test_the_format_is_that_of_the_media_type_or_the_name(
    server: str, path: str, name: str, title: str, text: str
) -> None:
    document = read(server + path)
    assert (document.name, document.title, document.text) == (name, title, text)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/missing", "the server answers 404 Not Found"),
        ("/secret", "the server answers 403"),
        ("/cut", "cut off"),
        ("/empty", "found nothing"),
        ("/circle", "the server answers 302"),
        ("/file", "is not allowed"),
        ("/ftp", "which is not a web address"),
        ("/inside", "inside this computer or network"),
        ("/localhost", "inside this computer or network"),
        ("/mapped", "inside this computer or network"),
        ("/decimal", "inside this computer or network"),
        ("/cloud", "inside this computer or network"),
        ("/picture", "found a picture"),
        ("/large", "larger than 0 MB"),
        ("/endless", "larger than 0 MB"),
        ("/silent", "does not answer in time"),
    ],
)
def test_what_cannot_be_fetched_is_said_in_one_line(
    server: str, path: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "FILE_LIMIT", 1000)
    monkeypatch.setattr(fetching, "SILENCE", 0.3)
    with pytest.raises(PagesumError, match=message) as caught:
        read(server + path)
    assert caught.value.message.startswith(f"{server}{path}: ")
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_server_that_never_ends_its_answer(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "FETCHING", 1)
    with pytest.raises(PagesumError, match="/drops: reading it takes more than 1 s") as caught:
        guarded.read_file(Address(f"{server}/drops"))
    assert caught.value.hint == "try again later, or download it first"
    assert guarded.read_file(Address(f"{server}/notes"))[0].name == "notes"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("http://127.0.0.1:1/x", "cannot be fetched"),
        ("http://nowhere.invalid/x", "cannot be found"),
        ("http://[::1/x", "cannot be fetched"),
        ("http://a b/x", "cannot be"),
    ],
)
def test_servers_that_are_not_there(address: str, message: str) -> None:
    with pytest.raises(PagesumError, match=message):
        read(address)


def test_a_connection_that_is_not_secure(server: str) -> None:
    with pytest.raises(PagesumError, match="the connection is not secure"):
        read(server.replace("http:", "https:") + "/notes")


@pytest.mark.parametrize("argument", ["ftp://host/x", "file:///etc/passwd", "notes.txt"])
def test_only_web_addresses_are_allowed(argument: str) -> None:
    assert not isinstance(allowed([argument])[0], Address)


@pytest.mark.parametrize("verb", ["summarize", "pages", "inspect"])
def test_the_flag_of_the_command_line(pagesum, tiny_extractive, server: str, verb: str) -> None:
    refused = pagesum(verb, f"{server}/README.md", "--model", tiny_extractive)
    assert (refused.code, refused.out) == (1, "")
    assert "hint: --allow-network fetches it" in refused.err
    result = pagesum(verb, f"{server}/README.md", "--allow-network", "--model", tiny_extractive)
    assert result.code == 0, result.err


def test_a_folder_cannot_turn_the_network_on(
    pagesum, tiny_extractive, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pagesum.toml").write_text("allow-network = true\n")
    monkeypatch.chdir(tmp_path)
    result = pagesum("summarize", f"{server}/notes", "--model", tiny_extractive)
    assert result.code == 1
    assert "allow_network in pagesum.toml ignored" in result.err


def test_each_of_several_addresses(pagesum, tiny_extractive, server: str, tmp_path: Path) -> None:
    paths = [f"{server}/README.md", f"{server}/notes", f"{server}/missing"]
    flags = (
        "--each",
        "--output-dir",
        tmp_path / "out",
        "--allow-network",
        "--model",
        tiny_extractive,
    )
    result = pagesum("summarize", *paths, *flags)
    assert result.code == 1
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*.txt")) == [
        "README.txt",
        "notes.txt",
    ]
    assert "404 Not Found" in result.err


def test_the_limit_is_that_of_files() -> None:
    assert fetching.FILE_LIMIT == files.FILE_LIMIT
