"""The index on disk follows the files, and is the user's alone."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from pagesum_cli.documents.read import read_file
from pagesum_cli.retrieval.find import find
from pagesum_cli.retrieval.index import index, index_path, opened


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setattr("pagesum_cli.retrieval.index.folder_for", lambda kind: folder)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    texts = {"a.txt": "The council met in May. It lent seed.", "b.txt": "Owls hunt at night."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in texts]


def asked(question: str, files: list[str], *, is_kept: bool = True) -> tuple[list[str], list[str]]:
    """The answers, and the files that were read for them."""
    were_read: list[str] = []

    def read(path: str):  # type: ignore[no-untyped-def]
        were_read.append(Path(path).name)
        return read_file(path)

    with opened(is_kept, pytest.fail) as store:
        indexed = index(store, files, read, lambda number: None)
        found = find(question, store, list(indexed.contents), 20)
    return [one.passage.text for one in found.answers], were_read


def test_files_are_read_once(files: list[str]) -> None:
    assert asked("owls", files) == (["Owls hunt at night."], ["a.txt", "b.txt"])
    assert asked("owls", files) == (["Owls hunt at night."], [])
    os.utime(files[1])
    assert asked("owls", files)[1] == []  # its content is the same


def test_a_changed_file_is_read_again_and_its_old_text_is_gone(files: list[str]) -> None:
    asked("owls", files)
    Path(files[1]).write_text("Bread is dear.")
    texts, were_read = asked("bread", files)
    assert texts[0] == "Bread is dear."
    assert were_read == ["b.txt"]
    assert asked("owls", files)[0] == []
    assert b"Owls" not in index_path().read_bytes()


def test_what_is_asked_of_some_files_comes_from_these(files: list[str]) -> None:
    asked("owls", files)
    assert asked("owls", files[:1])[0] == []


def test_the_text_of_a_removed_file_is_removed(files: list[str]) -> None:
    asked("owls", files)
    Path(files[1]).unlink()
    asked("council", files[:1])
    assert b"Owls" not in index_path().read_bytes()


def test_only_the_user_can_read_the_index(files: list[str]) -> None:
    asked("owls", files)
    assert stat.S_IMODE(index_path().stat().st_mode) == 0o600
    assert stat.S_IMODE(index_path().parent.stat().st_mode) == 0o700


def test_nothing_is_kept_if_so_asked(files: list[str]) -> None:
    assert asked("owls", files, is_kept=False)[0] == ["Owls hunt at night."]
    assert not index_path().exists()


def test_a_broken_index_is_made_anew(files: list[str]) -> None:
    asked("owls", files)
    index_path().write_bytes(b"no database" * 1000)
    assert asked("owls", files)[1] == ["a.txt", "b.txt"]


def test_files_of_the_same_content_answer_once(files: list[str]) -> None:
    Path(files[0]).write_text(Path(files[1]).read_text())
    assert asked("owls", files)[0] == ["Owls hunt at night."]


def test_an_index_of_another_form_is_made_anew(files: list[str]) -> None:
    asked("owls", files)
    with sqlite3.connect(index_path()) as database:
        database.execute("UPDATE made SET version = '1'")
        database.execute("DROP TABLE words")
        database.execute("CREATE VIRTUAL TABLE words USING fts5 (body, heading)")
    database.close()
    assert asked("owls", files) == (["Owls hunt at night."], ["a.txt", "b.txt"])


def test_a_file_of_hardly_anything_but_holes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.touch()
    os.truncate(path, 150 << 30)
    with opened(True, pytest.fail) as store:
        indexed = index(store, [str(path)], read_file, lambda number: None)
    (error,) = indexed.errors.values()
    assert "153,600 MB, of which the disk holds 0 MB" in error.message
