"""Patterns that select files of a folder."""

import os

import pytest

from pagesum_cli.documents.read import find_files
from pagesum_cli.documents.selection import Selection
from pagesum_cli.errors import PagesumError

FILES = [
    "a.txt",
    "notes.md",
    "drafts/a.txt",
    "papers/2021/a.pdf",
    "papers/2021/drafts/b.pdf",
    "papers/[x].txt",
]


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ("*.txt", ["a.txt", "drafts/a.txt", "papers/[x].txt"]),
        ("drafts", ["drafts/a.txt", "papers/2021/drafts/b.pdf"]),
        ("drafts/", ["drafts/a.txt", "papers/2021/drafts/b.pdf"]),
        ("./drafts", ["drafts/a.txt"]),
        ("papers/*", ["papers/2021/a.pdf", "papers/2021/drafts/b.pdf", "papers/[x].txt"]),
        ("papers/*.txt", ["papers/[x].txt"]),
        ("papers/**/*.pdf", ["papers/2021/a.pdf", "papers/2021/drafts/b.pdf"]),
        ("**/a.*", ["a.txt", "drafts/a.txt", "papers/2021/a.pdf"]),
        ("2021/a.pdf", []),
        ("*/a.*", ["drafts/a.txt"]),
        ("?.txt", ["a.txt", "drafts/a.txt"]),
        ("[[]x].txt", ["papers/[x].txt"]),
        ("**", FILES),
    ],
)
def test_a_pattern_matches_names_paths_and_folders(pattern, matches):
    assert [path for path in FILES if path in Selection(include=(pattern,))] == matches
    assert [path for path in FILES if path not in Selection(exclude=(pattern,))] == matches


def test_what_is_excluded_is_not_included():
    selection = Selection(include=("*.txt", "*.pdf"), exclude=("drafts",))
    assert [path for path in FILES if path in selection] == [
        "a.txt",
        "papers/2021/a.pdf",
        "papers/[x].txt",
    ]


def test_many_stars_take_no_time():
    assert "/".join("a" * 40) not in Selection(include=("/".join(["**", "a"] * 20) + "/b",))


def test_only_files_of_folders_are_selected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for name in ("in/a.txt", "in/sub/b.md", "c.txt"):
        (tmp_path / name).write_text("words")
    selection = Selection(exclude=("*.txt",))
    assert find_files(["in", "c.txt", "in/*.txt"], selection) == [
        os.path.join("in", "sub", "b.md"),
        "c.txt",
        os.path.join("in", "a.txt"),
    ]
    with pytest.raises(PagesumError, match="none of its 2 readable files"):
        find_files(["in"], Selection(exclude=("*",)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("words")
    assert find_files([str(tmp_path)]) == [str(tmp_path / "b.txt")]


def test_a_subfolder_that_cannot_be_read_is_reported_and_the_others_are_read(tmp_path, monkeypatch):
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("words")
    scan = os.scandir

    def scandir(path):
        if os.path.basename(path) == "closed":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    problems = []
    found = find_files(
        [str(tmp_path)], on_problem=lambda path, reason: problems.append(reason.message)
    )
    assert found == [str(tmp_path / "open" / "a.txt")]
    assert problems == [f"{tmp_path / 'closed'}: cannot be read (Permission denied)"]
    with pytest.raises(PagesumError, match="Permission denied"):
        find_files([str(tmp_path)])
