"""The server as a program, called by the protocol's own client."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from tokenizers import ByteLevelBPETokenizer

import pagesum_cli

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402
from mcp.server.mcpserver.exceptions import ToolError  # noqa: E402

from pagesum_cli.errors import PagesumError  # noqa: E402
from pagesum_cli.server.mcp import in_thread  # noqa: E402

BPE = Path(pagesum_cli.__file__).parent / "assets" / "bart"
PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"
Talk = Callable[[Callable[[Any], Awaitable[None]]], None]
MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 40 documents, among them a paper and a recording, and a file beside it."""
    folder = tmp_path_factory.mktemp("library") / "papers"
    folder.mkdir()
    (folder.parent / "secret.txt").write_text("The password is swordfish, and nobody knows it.\n")
    (folder / "paper.pdf").write_bytes(PAPER.read_bytes())
    (folder / "talk.srt").write_text(
        "1\n00:12:04,000 --> 00:12:09,000\nANNA: "
        "The council lent the farmers seed for the spring.\n"
    )
    for number in range(38):
        months = [
            f"In {month}, bread cost {24 + number} cents in town {number}." for month in MONTHS
        ]
        text = (
            f"# Report {number}\n\n## Prices\n\n{' '.join(months[:6])}\n\n## "
            f"Later\n\n{' '.join(months[6:])}\n"
        )
        (folder / f"report{number:02}.md").write_text(text)
    (folder / "link.md").symlink_to(folder.parent / "secret.txt")
    return folder


@asynccontextmanager
async def client(folder: Path, model: Path) -> AsyncIterator[Any]:
    words = ["-m", "pagesum_cli", "mcp", str(folder), "--model", str(model)]
    parameters = StdioServerParameters(
        command=sys.executable, args=words, cwd=Path(__file__).parents[2]
    )
    async with mcp.Client(stdio_client(parameters)) as connected:
        yield connected


async def called(server: Any, name: str, **arguments: object) -> dict[str, Any]:
    result = await server.call_tool(name, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    return answer


async def refused(server: Any, name: str, **arguments: object) -> str:
    result = await server.call_tool(name, arguments)
    assert result.is_error
    return str(result.content[0].text)


@pytest.fixture(scope="module")
def talk(folder: Path, tiny_extractive: Path) -> Iterator[Talk]:
    """Has something talk to a server, the same one for all tests."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(client(folder, tiny_extractive)) as server,
    ):
        yield lambda conversation: portal.call(conversation, server)


def test_the_tools_and_their_citations(talk: Any, folder: Path) -> None:
    async def conversation(server: Any) -> None:
        tools = (await server.list_tools()).tools
        assert [tool.name for tool in tools] == ["map", "read", "summarize", "find", "check"]
        assert all(tool.annotations.read_only_hint for tool in tools)
        described = json.dumps(
            [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools]
        )
        tokenizer = ByteLevelBPETokenizer(str(BPE / "vocab.json"), str(BPE / "merges.txt"))
        assert len(tokenizer.encode(described).ids) <= 1500

        files = (await called(server, "map"))["files"]
        assert len(files) == 40
        assert {"file": "link.md"} not in files
        overview = await called(server, "map", file="paper.pdf")
        (number,) = (
            one["section"] for one in overview["sections"] if one["heading"] == "1 Introduction"
        )

        passages = (await called(server, "read", file="paper.pdf", section=number))["passages"]
        on_page = (await called(server, "read", file="paper.pdf", pdf_pages=[3]))["passages"]
        summary = (await called(server, "summarize", files=["paper.pdf", "talk.srt"], words=60))[
            "sentences"
        ]
        quotes = (
            await called(
                server, "find", question="Who lent seed?", files=["talk.srt", "report03.md"]
            )
        )["quotes"]
        assert quotes[0]["citation"] == "[talk.srt, 12:04, ANNA]"
        assert all("PDF 3" in one["citation"] for one in on_page)
        for one in [*passages, *on_page, *summary, *quotes]:
            text = f"{one['text']} {one['citation']}"
            checked = await called(server, "check", text=text)
            *_, last = checked["claims"]
            assert last["citation"] == {"text": one["citation"], "holds": True}
            assert {claim["verdict"] for claim in checked["claims"]} <= {"verbatim", "edited"}, (
                checked
            )

        wrong = await called(
            server,
            "check",
            text="The council sold the farmers seed for the spring. [talk.srt, 12:05]",
        )
        assert (wrong["holds"], wrong["claims"][0]["citation"]["holds"]) == (False, False)

    talk(conversation)


@pytest.mark.slow
def test_long_answers_go_on(talk: Any) -> None:
    async def conversation(server: Any) -> None:
        read: list[str] = []
        offset: int | None = 0
        while offset is not None:
            answer = await called(server, "read", file="paper.pdf", offset=offset)
            assert len(json.dumps(answer)) < 20_000
            read += [one["text"] for one in answer["passages"]]
            offset = answer["next"]
        assert (
            len(" ".join(read).split()) == (await called(server, "map", file="paper.pdf"))["words"]
        )
        first = await called(server, "find", question="What did bread cost?")
        second = await called(server, "find", question="What did bread cost?", offset=first["next"])
        assert len(first["quotes"]) + len(second["quotes"]) == second["next"]
        assert first["quotes"][-1] != second["quotes"][0]

    talk(conversation)


def test_nothing_outside_of_the_folders_is_read(talk: Any, folder: Path) -> None:
    names = [
        "../secret.txt",
        "link.md",
        str(folder.parent / "secret.txt"),
        "/etc/passwd",
        "gone.md",
        "report00.md\0",
    ]
    others = {
        "find": {"question": "What is the password?"},
        "check": {"text": "The password is swordfish."},
    }

    async def conversation(server: Any) -> None:
        for name, tool in product(names, ("map", "read", "summarize", "find", "check")):
            given = (
                {"file": name}
                if tool in ("map", "read")
                else {"files": [name], **others.get(tool, {})}
            )
            message = await refused(server, tool, **given)
            assert "no such file in the folders" in message
            assert "swordfish" not in message
        assert await called(server, "map")

    talk(conversation)


def test_wrong_arguments_are_refused(talk: Any) -> None:
    async def conversation(server: Any) -> None:
        for name, arguments in (
            ("map", {"offset": -1}),
            ("read", {"file": "paper.pdf", "section": 999}),
            ("read", {}),
            ("summarize", {"files": []}),
            ("summarize", {"files": ["paper.pdf"], "words": 10**9}),
            ("check", {"text": "x" * 100_001}),
            ("check", {"text": " "}),
        ):
            assert await refused(server, name, **arguments)
        assert (await called(server, "map", offset=10**9)) == {"files": [], "next": None}
        assert (await called(server, "find", question="Zebras?", files=["talk.srt"]))[
            "quotes"
        ] == []

    talk(conversation)


@pytest.mark.slow
def test_two_clients_each_have_a_server(folder: Path, tiny_extractive: Path) -> None:
    answers: list[dict[str, Any]] = []

    async def one() -> None:
        async with client(folder, tiny_extractive) as server:
            answers.append(await called(server, "find", question="What did bread cost?"))

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(one)
            group.start_soon(one)

    anyio.run(main)
    assert answers[0] == answers[1]


def test_a_cancelled_call_stops() -> None:
    began, ended = Event(), Event()

    def work() -> dict[str, Any]:
        began.set()
        try:
            while True:
                anyio.from_thread.check_cancelled()
        finally:
            ended.set()

    async def main() -> None:
        lock = anyio.Lock()
        async with anyio.create_task_group() as group:
            group.start_soon(in_thread(work, lock))
            await anyio.to_thread.run_sync(began.wait)
            group.cancel_scope.cancel()
        await anyio.to_thread.run_sync(ended.wait)
        assert await in_thread(lambda: {"next": None}, lock)() == {"next": None}

    anyio.run(main)


def test_a_cancelled_call_gives_up_the_file_that_it_reads(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from pagesum_cli.documents.guard import reading

    began, ended = Event(), Event()
    send = reading.Process.send

    # the reader waits for ever
    monkeypatch.setattr(reading.Process, "send", lambda process, request: began.set())
    path = tmp_path / "a.txt"
    path.write_text("Rain fell in May.\n")

    def work() -> dict[str, Any]:
        try:
            return {"documents": reading.read_file(str(path))}
        finally:
            ended.set()

    async def main() -> None:
        lock = anyio.Lock()
        async with anyio.create_task_group() as group:
            group.start_soon(in_thread(work, lock))
            await anyio.to_thread.run_sync(began.wait)
            group.cancel_scope.cancel()
        await anyio.to_thread.run_sync(ended.wait)
        monkeypatch.setattr(reading.Process, "send", send)
        assert (await in_thread(work, lock)())["documents"]

    anyio.run(main)


def test_a_failure_is_one_line() -> None:
    def work() -> dict[str, Any]:
        raise PagesumError("a.pdf: expected a PDF", "download it again")

    with pytest.raises(ToolError, match=r"^a\.pdf: expected a PDF; download it again$"):
        anyio.run(in_thread(work, anyio.Lock()))


@pytest.mark.stress
def test_a_thousand_calls(talk: Any) -> None:
    async def conversation(server: Any) -> None:
        for number in range(200):
            name = f"report{number % 38:02}.md"
            await called(server, "map", file=name)
            await called(server, "read", file=name, section=number % 2)
            await called(server, "find", question=f"What did bread cost in town {number}?")
            await called(
                server, "check", text=f"In May, bread cost {24 + number % 38} cents.", files=[name]
            )
            await called(server, "summarize", files=[name], words=20)

    talk(conversation)


def test_it_ends_with_its_input(folder: Path, tiny_extractive: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "pagesum_cli",
        "mcp",
        str(folder),
        "--model",
        str(tiny_extractive),
    ]
    done = subprocess.run(words, input="nonsense\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
