"""Blind reading, with made-up documents and readers that follow a rule."""

import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
WORD = {"oldest": "pebble", "newest": "harbour"}
IDS = [f"court/case {number}: “Ähre”" if number % 2 else f"lesson/{number}" for number in range(12)]
Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.syspath_prepend(str(FOLDER))
    import blind

    def ran(*arguments: str | Path) -> str:
        monkeypatch.setattr(sys, "argv", ["blind.py", *map(str, arguments)])
        blind.main()
        return capsys.readouterr().out

    return ran


@pytest.fixture
def given(tmp_path: Path) -> list[str | Path]:
    """Documents and two versions, as arguments of ``sheets``."""
    with lzma.open(tmp_path / "documents.jsonl.xz", "wt", encoding="utf-8") as lines:
        for one in IDS:
            sentences = [
                ["", "It begins."],
                ["Outcome", "The harbour\nopened."],
                ["Outcome", "Yes."],
            ]
            row = {"id": one, "kind": one.split("/")[0], "title": "A\ntitle", "budget": 9}
            lines.write(json.dumps(row | {"sentences": sentences}) + "\n")
    for version, word in WORD.items():
        (tmp_path / version).mkdir()
        for one in IDS:
            texts = [f"The {word}\nopened.", "It was late.", "Nobody came."]
            rows = [{"text": text, "begins": text[:2] != "It"} for text in texts]
            name = re.sub("[^A-Za-z0-9._Ä-]", "_", one)
            (tmp_path / version / f"{name}.json").write_text(json.dumps({"sentences": rows}))
    versions = [f"{version}={tmp_path / version}" for version in WORD]
    return [tmp_path / "documents.jsonl.xz", *versions, "--output", tmp_path / "sheets"]


def answer(sheet: str) -> dict[str, Any]:
    """Prefers the extract with the harbour, where the second sentence is not lost."""
    name, *extracts = re.split(r"\n\n### Extract ", sheet)
    good = next(extract[0] for extract in extracts if "harbour" in extract)
    grades = {
        number: {
            "content": 5 if number == good else 2,
            "reading": 4 if number == good else 3,
            "lost": [] if number == good else [f"{number}.2"],
            "worst": f"{number}.3: of {'harbours' if number == good else 'pebbles'}",
        }
        for number in (extract[0] for extract in extracts)
    }
    return {"document": name.split("\n")[0], "extracts": grades, "preferred": good}


def answered(sheets: Path) -> list[Path]:
    """Files with the answers to all sheets."""
    files = []
    for path in sorted((sheets / "readers").glob("reader*.md")):
        answers = [answer(sheet) for sheet in path.read_text().split("\n## ")[1:]]
        files.append(sheets / f"{path.stem}.jsonl")
        files[-1].write_text("".join(json.dumps(one) + "\n" for one in answers))
    return files


def test_the_right_version_wins(run: Run, given: list, tmp_path: Path) -> None:
    run("sheets", *given)
    out = run("count", tmp_path / "sheets", *answered(tmp_path / "sheets"))
    assert "| oldest | 8 | 2.00 | 3.00 | 33.3% | 0 of 24 |" in out
    assert "| newest | 8 | 5.00 | 4.00 | 0.0% | 24 of 24 |" in out
    assert "| lesson | newest | 8 | 5.00 | 4.00 | 0.0% | 12 of 12 |" in out
    assert "| 12 | 100% | 0.00 | 0.00 |" in out
    oldest, newest = out.split("### oldest")[1].split("### newest")
    assert (oldest.count("of pebbles"), newest.count("of harbours")) == (24, 24)
    assert "of pebbles" not in newest


def test_two_readers_get_each_document_in_different_orders(
    run: Run, given: list, tmp_path: Path
) -> None:
    run("sheets", *given)
    key = json.loads((tmp_path / "sheets" / "key.json").read_text())
    orders = [list(row["readers"].values()) for row in key["documents"].values()]
    assert all(sorted(pair) == [["newest", "oldest"], ["oldest", "newest"]] for pair in orders)
    loads = Counter(reader for row in key["documents"].values() for reader in row["readers"])
    assert loads == {f"reader{number}": 6 for number in (1, 2, 3, 4)}


def test_sheets_show_extracts_but_no_key(run: Run, given: list, tmp_path: Path) -> None:
    run("sheets", *given)
    readers = tmp_path / "sheets" / "readers"
    files = [path for path in readers.rglob("*") if path.is_file()]
    assert len(files) == 4 + len(IDS) + 1
    assert not any(version in path.read_text() for path in files for version in WORD)
    assert not any("key" in path.name for path in files)
    sheet = (readers / "reader1.md").read_text()
    assert "- Kind: lesson\n- Title: A title\n- Text: documents/lesson_" in sheet
    assert "2.1 The harbour opened.\n2.2 It was late.\n\n---\n\n2.3 Nobody came.\n" in sheet
    text = "# A title\n\nIt begins.\n\n## Outcome\n\nThe harbour opened.\n\nYes.\n"
    assert (readers / "documents" / "court_case_1___Ähre_.txt").read_text() == text


def test_nothing_is_written_without_all_extracts_nor_twice(
    run: Run, given: list, tmp_path: Path
) -> None:
    path = tmp_path / "newest" / "lesson_4.json"
    text = path.read_text()
    path.unlink()
    with pytest.raises(SystemExit, match=r"^newest: 1 of 12 missing in .*, lesson_4\.json first$"):
        run("sheets", *given)
    assert not (tmp_path / "sheets").exists()
    path.write_text(text)
    run("sheets", *given)
    with pytest.raises(SystemExit, match="exists already"):
        run("sheets", *given, "--seed", "1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"content": 6}, "content must be 1"),
        ({"reading": True}, "reading must be 1"),
        ({"lost": ["1.4"]}, r"there is no sentence 1\.4"),
        ({"lost": [1.1]}, "numbers in quotes"),
        ({"worst": " "}, "worst must be"),
        ({"preferred": "3"}, "preferred must be 1, 2 or none"),
        ({"document": "another"}, "no document another"),
        ({"extracts": {}}, "extracts must be 1, 2"),
    ],
)
def test_wrong_answers_are_refused(
    run: Run, given: list, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    run("sheets", *given)
    files = answered(tmp_path / "sheets")
    lines = files[0].read_text().splitlines()
    row = json.loads(lines[1])
    changed = row if set(change) <= set(row) else row["extracts"]["1"]
    changed.update(change)
    files[0].write_text("\n".join([lines[0], json.dumps(row), *lines[2:]]))
    with pytest.raises(SystemExit, match=rf"reader1\.jsonl:2: .*{message}"):
        run("count", tmp_path / "sheets", *files)


def test_missing_answers_are_refused(run: Run, given: list, tmp_path: Path) -> None:
    run("sheets", *given)
    files = answered(tmp_path / "sheets")
    with pytest.raises(SystemExit, match="no answers of reader4"):
        run("count", tmp_path / "sheets", *files[:3])
    lines = files[1].read_text().splitlines(keepends=True)
    files[1].write_text("".join(lines[1:]))
    with pytest.raises(SystemExit, match=r"reader2\.jsonl: 1 of 6 not answered"):
        run("count", tmp_path / "sheets", *files)
    files[1].write_text("".join([*lines, lines[0]]))
    with pytest.raises(SystemExit, match=r"reader2\.jsonl:7: .* is answered already"):
        run("count", tmp_path / "sheets", *files)
