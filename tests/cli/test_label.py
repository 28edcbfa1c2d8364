"""``pagesum label``: labels of a language model, and of people."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from editing.server import labels, serving

from pagesum_cli.batch.labelling import labels_of
from pagesum_cli.datasets.labels import json_lines, labelled_document
from pagesum_cli.datasets.readers import read_path
from pagesum_cli.editing.editor import Decision
from pagesum_cli.editing.prompts import Line

LENT = "The council lent the farmers seed for the spring sowing of barley."
BRIDGE = "The bridge is closed from May because its beams are rotten."
TEXT = f"# Decisions\n\n{LENT} Coats hung in the hall next door that day.\n\n# Bridge\n\n{BRIDGE}\n"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def minutes(tmp_path: Path) -> Path:
    path = tmp_path / "minutes.md"
    path.write_text(TEXT)
    return path


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_what_the_editor_chooses_is_quoted_as_far_as_the_budget_goes(
    pagesum: Any, minutes: Path, tmp_path: Path
) -> None:
    output = tmp_path / "labels.jsonl"
    with serving(labels({LENT, BRIDGE})) as server:
        arguments = ("label", minutes, "--editor", server.name, "--words", "12", "-o", output)
        result = pagesum(*arguments)
        assert result.code == 0, result.err
        calls = len(server.messages)
        assert f"{output} exists" in pagesum(*arguments).err
        assert pagesum(*arguments, "--force").code == 0
        assert len(server.messages) == calls  # the answers were kept
    (row,) = rows(output.read_text())
    texts = [text for _, text in row["sentences"]]
    assert texts[0] == LENT
    assert [row["quoted"], row["alternates"], row["rejected"]] == [[0], [texts.index(BRIDGE)], {}]
    assert (row["budget"], row["labelled_by"], row["sentences"][-1][0]) == (12, "fake", "Bridge")


def test_a_document_without_a_choice_is_left_out_and_fails(pagesum: Any, minutes: Path) -> None:
    with serving(lambda message: 500) as server:
        result = pagesum("label", minutes, "--editor", server.name)
    assert (result.code, result.out) == (1, "")
    assert "minutes.md: the editor chose nothing, so it is left out" in result.err


def test_labels_that_exist_are_kept_as_they_are(
    pagesum: Any, minutes: Path, tmp_path: Path
) -> None:
    row = rows(pagesum("label", minutes).out)[0]
    assert (row["quoted"], row["budget"]) == ([], 150)
    row |= {"quoted": [2], "rejected": {"1": "debris"}, "kind": "minutes", "note": "see 3"}
    given = tmp_path / "labels.jsonl"
    given.write_text(json.dumps(row) + "\n")
    with serving(lambda message: 500) as server:
        result = pagesum("label", given, "--editor", server.name)
        assert (result.code, server.messages) == (0, [])
    assert rows(result.out) == [row]


def test_an_address_elsewhere_and_a_guide_without_an_editor_are_refused(
    pagesum: Any, minutes: Path
) -> None:
    result = pagesum("label", minutes, "--editor", "https://example.org/v1#m")
    assert result.code == 2
    assert "--allow-network" in result.err
    assert pagesum("label", minutes, "--guide", minutes).code == 2


def test_pages_that_the_editor_did_not_choose_on_offer_nothing() -> None:
    lines = [Line(number // 2, "A b c.", "", 3, 0.0) for number in range(6)]
    decision = Decision((4, 0), (0, 1, 2, 3, 4, 5), frozenset({1}))
    found = labels_of(decision, lines, 3)
    assert (found.quoted, found.alternates, found.rejected) == ((4,), (0, 1, 5), ())


def test_other_files_in_json_are_read_as_by_summarize(pagesum: Any, tmp_path: Path) -> None:
    empty, records = tmp_path / "empty.jsonl", tmp_path / "records.jsonl"
    empty.write_text("")
    records.write_text(json.dumps({"id": "r1", "text": f"{LENT} {BRIDGE}"}) + "\n")
    assert "error: " in pagesum("label", empty).err
    (row,) = rows(pagesum("label", records).out)
    assert [text for _, text in row["sentences"]] == [LENT, BRIDGE]


def test_reasons_are_read_and_written_again(tmp_path: Path) -> None:
    value = {"id": "a", "title": "T", "kind": "essay", "budget": 9, "sentences": [["H", "A."]] * 3}
    value |= {"quoted": [0], "alternates": [], "rejected": {"2": "pointer", "1": "detail"}}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(value) + "\n")
    (record,) = read_path(path)
    assert rows(json_lines([labelled_document(record)])) == [value]


HOSTILE = "</script><script>alert(1)</script> <!-- $data \\u003c & said."


def test_the_page_holds_the_labels_as_data(pagesum: Any, tmp_path: Path) -> None:
    pairs = [[HOSTILE, HOSTILE], ["B", BRIDGE]]
    row = {"id": "a", "title": HOSTILE, "budget": 9, "sentences": pairs, "quoted": [1]}
    row |= {"alternates": [], "rejected": {"0": "debris"}}
    given = tmp_path / "labels.jsonl"
    given.write_text(json.dumps(row) + "\n")
    page = pagesum("label", given, "--format", "html").out
    assert page.count("<script") == 2 == page.count("</script>")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)
    (found,) = json.loads(data)
    assert found["sentences"][0][1] == HOSTILE
    assert (found["quoted"], found["rejected"]) == ([1], {"0": "debris"})
    assert "<option" in page
    assert "pointer" in page
