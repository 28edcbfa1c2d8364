"""Only files below the folders can be read, by their names from there."""

import os
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.server.folders import Folders, Text

TEXT = "The council lent the farmers seed for the spring. Bread cost 24 cents in June.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with documents, and beside it what nobody should read, with links to it."""
    folder, outside = tmp_path / "papers", tmp_path / "outside"
    (folder / "2024").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    outside.mkdir()
    for path in (
        folder / "a.txt",
        folder / "2024/b.txt",
        folder / ".hidden/c.txt",
        outside / "secret.txt",
    ):
        path.write_text(TEXT, encoding="utf-8")
    (folder / "link.txt").symlink_to(outside / "secret.txt")
    (folder / "hidden.txt").symlink_to(folder / ".hidden/c.txt")
    (folder / "folder").symlink_to(outside, target_is_directory=True)
    (folder / "inside.txt").symlink_to("2024/b.txt")
    (folder / "nowhere.txt").symlink_to("gone.txt")
    os.mkfifo(folder / "pipe.txt")
    return folder


def read(folders: Folders, *names: str) -> tuple[list[Text], list[str]]:
    return folders.read(names, lambda: None)


def test_files_have_names_and_links_lead_to_files_inside_only(folder: Path) -> None:
    assert list(Folders([str(folder)]).files()) == ["2024/b.txt", "a.txt", "inside.txt"]
    names = list(Folders([str(folder / "2024"), str(folder.parent / "outside")]).files())
    assert names == ["outside/secret.txt", "papers/2024/b.txt"]


@pytest.mark.parametrize(
    "name",
    [
        *(
            "../outside/secret.txt",
            "2024/../../outside/secret.txt",
            "link.txt",
            "folder/secret.txt",
            "hidden.txt",
            "-",
        ),
        *(
            ".hidden/c.txt",
            "pipe.txt",
            "nowhere.txt",
            "",
            ".",
            "/etc/passwd",
            "file:///etc/passwd",
            "a.txt\0",
        ),
        *("*.txt", "https://example.org/a.txt", "./a.txt", "x" * 5000),
    ],
)
def test_nothing_else_is_read(name: str, folder: Path) -> None:
    with pytest.raises(PagesumError, match="no such file in the folders") as caught:
        read(Folders([str(folder)]), name)
    assert len(caught.value.message) < 300


def test_a_link_that_is_changed_later_leads_nowhere(folder: Path) -> None:
    folders = Folders([str(folder)])
    assert read(folders, "a.txt")
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(folder.parent / "outside/secret.txt")
    with pytest.raises(PagesumError, match="no such file"):
        read(folders, "a.txt")


def test_a_changed_file_is_read_again(folder: Path) -> None:
    folders = Folders([str(folder)])
    ((before,), _), _ = (
        read(folders, "a.txt"),
        (folder / "a.txt").write_text("Rain fell in May, and much of it.\n"),
    )
    ((after,), _) = read(folders, "a.txt")
    assert after.document.text == "Rain fell in May, and much of it."
    assert before.digest != after.digest


def test_of_all_files_those_that_cannot_be_read_are_named(folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "records.jsonl").write_text('{"text": "Rain fell."}\n' * 2)
    texts, problems = read(Folders([str(folder)]))
    assert [text.document.name for text in texts] == ["2024/b.txt", "a.txt", "inside.txt"]
    assert [problem.partition(":")[0] for problem in problems] == ["broken.pdf", "records.jsonl"]
    with pytest.raises(PagesumError, match=r"^broken\.pdf: "):
        read(Folders([str(folder)]), "a.txt", "broken.pdf")


def test_folders_must_be_folders(folder: Path) -> None:
    with pytest.raises(PagesumError, match="expected a folder"):
        Folders([str(folder / "a.txt")])


def test_an_empty_folder_has_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match="no readable file"):
        read(Folders([str(tmp_path)]))


def test_a_name_that_is_not_utf_8_is_listed_and_read(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text(TEXT)
    with open(os.fsencode(tmp_path) + b"/caf\xe9.txt", "w") as file:
        file.write(TEXT)
    folders = Folders([str(tmp_path)])
    assert list(folders.files()) == ["caf\\xe9.txt", "good.txt"]
    (text,), _ = read(folders, "caf\\xe9.txt")
    assert text.document.text.startswith("The council")
