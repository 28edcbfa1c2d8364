"""What a Python program gives to be summarized."""

from pathlib import Path

import pytest

from pagesum_cli.documents.guard.sources import read_documents
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError, UsageError


def test_paths_patterns_and_documents_are_read_in_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.txt").write_text(f"The mill of {name} opened.", encoding="utf-8")
    own = plain_document("The bridge closed.", "own")
    seen: list[tuple[str, int, int]] = []
    documents = read_documents(
        [own, tmp_path / "b.txt", str(tmp_path / "*.txt")],
        on_progress=lambda *progress: seen.append(progress),
    )
    assert [document.name for document in documents] == ["own", "b.txt", "a.txt", "b.txt"]
    assert seen == [("read", number, 4) for number in (1, 2, 3, 4)]


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(UsageError, match="expected a path or a Document, found 7"):
        read_documents(7)  # type: ignore[arg-type]
    with pytest.raises(PagesumError, match="no document was given"):
        read_documents([])


def test_files_without_a_reader_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The mill opened.", encoding="utf-8")
    (tmp_path / "b.unknown").write_bytes(b"\0")
    with pytest.warns(UserWarning, match="unknown"):
        assert len(read_documents(tmp_path)) == 1
