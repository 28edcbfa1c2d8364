"""Quotes of the tools carry what they need to be understood: lead-ins, labels, speakers."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import anyio
from editing.server import labels, serving

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.errors import PagesumError
from pagesum_cli.options import EditorOptions, ModelOptions
from pagesum_cli.server.folders import Folders, Text
from pagesum_cli.server.lines import MendedLines, mended
from pagesum_cli.server.mcp import in_thread, tool_of
from pagesum_cli.server.tools import Tools

PARAGRAPHS = (
    Paragraph("A person under the age of 18 may not:"),
    Paragraph("(a) drive a bus with passengers; or", label="(a)", body=4, depth=1),
    Paragraph("(b) fly a kite near an airport.", label="(b)", body=4, depth=1),
    Paragraph("Mr Bates: I saw nothing in the harbour.", body=10, speaker="Mr Bates"),
)


class OneFile(Folders):
    """A folder with one document that is not in a file."""

    def __init__(self) -> None:
        document = Document("law.txt", (Section("§ 3121", PARAGRAPHS),))
        self.text = Text(document, tuple(all_sentences(document)), "")

    def read(
        self, names: Sequence[str], on_file: Callable[[], None]
    ) -> tuple[list[Text], list[str]]:
        return [self.text], []


@pytest.fixture
def tools() -> Tools:
    return Tools(OneFile(), ModelOptions(), lambda: None)


def test_an_editor_chooses_what_an_assistant_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with serving(labels({"(b) fly a kite near an airport."})) as server:
        options = EditorOptions(editor=server.name).generation()
        tools = Tools(OneFile(), ModelOptions("mini"), lambda: None, options)
        (quote,) = tools.summarize(["law.txt"])["sentences"]
        assert server.messages
    assert quote["text"] == "fly a kite near an airport."


def test_what_is_found_has_its_opening(tools: Tools) -> None:
    found = tools.find("Who may fly a kite near an airport?")["quotes"][0]
    assert found["opening"] == "A person under the age of 18 may not: … (b) "
    assert found["text"] == "fly a kite near an airport."
    assert tools.find("harbour")["quotes"][0]["opening"] == "Mr Bates: "


def test_an_item_is_found_by_the_words_of_its_lead_in(tools: Tools) -> None:
    quotes = tools.find("What may a person of age 18 not drive?")["quotes"]
    assert quotes[0]["text"] == "drive a bus with passengers; or"
    assert not any(one["text"].endswith("not:") for one in quotes)


def test_passages_have_their_labels(tools: Tools) -> None:
    passages = tools.read("law.txt")["passages"]
    text = tools._folders.read([], lambda: None)[0][0].document.text
    assert all(text[one["start"] : one["end"]] == one["text"] for one in passages)
    assert passages[-1]["text"] == PARAGRAPHS[-1].text


def test_what_is_found_checks_as_verbatim_with_its_opening(tools: Tools) -> None:
    found = tools.find("kite")["quotes"][0]
    (claim,) = tools.check(f"{found['opening']}{found['text']} {found['citation']}")["claims"]
    assert claim["verdict"] == "verbatim"
    assert claim["source"]["text"] == found["text"]
    assert [one["text"] for one in claim["lead_ins"]] == [PARAGRAPHS[0].text]


def test_nothing_that_is_checked_does_not_hold(tools: Tools) -> None:
    assert tools.check("Key points")["holds"] is False
    assert tools.check("I saw nothing in the harbour.")["holds"] is True


def test_an_unknown_argument_is_refused(tools: Tools) -> None:
    from pydantic import ValidationError

    tool = tool_of(in_thread(tools.read, anyio.Lock()))
    assert tool.parameters["additionalProperties"] is False
    with pytest.raises(ValidationError, match="pages"):
        tool.fn_metadata.validate_arguments({"file": "law.txt", "pages": [2]})


@pytest.mark.parametrize("question", ["", "?", "\x07", " \u200b ", "…"])
def test_a_question_without_words_is_refused(tools: Tools, question: str) -> None:
    with pytest.raises(PagesumError, match="expected a question or topic, found no word"):
        tools.find(question)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"file": "a"}\n', {"file": "a"}),
        (b'{"file": "\\ud800"}\n', {"file": "\ufffd"}),
        (b'{"file": "\\ud83d\\ude00 \\udc00"}\n', {"file": "\U0001f600 \ufffd"}),
    ],
)
def test_half_a_surrogate_pair_in_a_request_is_mended(line: bytes, expected: object) -> None:
    stream = TextIOWrapper(MendedLines(BytesIO(line * 2)), encoding="utf-8")
    assert [json.loads(one) for one in stream] == [expected, expected]


def test_a_line_that_is_no_json_stays() -> None:
    assert mended(b'{"\\ud800"\n') == b'{"\\ud800"\n'
