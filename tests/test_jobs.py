"""What there is to do, what is done, and how files are put in place."""

import json

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.jobs import OutputFolder, jobs_of, output_names, write_file


def names_of(paths):
    problems = []
    jobs = jobs_of([str(path) for path in paths], None, lambda path, error: problems.append(error))
    assert not problems
    return output_names(jobs)


@pytest.fixture
def files(tmp_path):
    def make(*names):
        paths = [tmp_path / name for name in names]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("words")
        return paths

    return make


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/paper.txt", "a/notes.md"], ["paper", "notes"]),
        (["a/paper.txt", "a/paper.md"], ["paper.txt", "paper.md"]),
        (["a/paper.txt", "b/paper.txt"], ["a-paper.txt", "b-paper.txt"]),
        (["a/x/paper.txt", "b/x/paper.txt", "c/notes.txt"], ["a-x-paper.txt", "b-x-paper.txt", "notes"]),
        (["a/Paper.txt", "b/paper.txt"], ["a-Paper.txt", "b-paper.txt"]),
        (["a/b.c.txt", "a/.hidden.txt"], ["b.c", "hidden"]),
        (["a/we?ird\n*name.txt"], ["we_ird__name"]),
    ],
)
def test_names_of_outputs_are_short_and_never_the_same(files, paths, names):
    assert names_of(files(*paths)) == names


def test_every_record_has_a_name_of_its_own(tmp_path):
    path = tmp_path / "data.jsonl"
    ids = ["a", "a/b", "a_b", "../../etc/passwd", "x" * 500]
    path.write_text("\n".join(json.dumps({"id": name, "text": "Some words."}) for name in ids))
    names = names_of([path])
    assert len(set(names)) == len(ids)
    assert not any("/" in name or name.startswith(".") or len(name) > 210 for name in names)


def test_half_a_line_in_the_ledger_is_passed_over(tmp_path):
    folder = OutputFolder(str(tmp_path), {})
    folder.write("a.txt", "digest", "text")
    with open(tmp_path / ".pagesum.jsonl", "a") as ledger:
        ledger.write('["b.txt", "dig')
    again = OutputFolder(str(tmp_path), {})
    assert again.is_done("a.txt", "digest")
    again.write("b.txt", "digest", "text")
    assert OutputFolder(str(tmp_path), {}).is_done("b.txt", "digest")


def test_an_edited_result_is_not_written_over(tmp_path):
    folder = OutputFolder(str(tmp_path), {})
    folder.write("a.txt", "digest", "text")
    (tmp_path / "a.txt").write_text("my own words")
    with pytest.raises(PagesumError, match="edited"):
        OutputFolder(str(tmp_path), {}).is_done("a.txt", "digest")


def test_a_failed_write_leaves_what_was_there(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    target.write_text("before")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space"):
        write_file(str(target), "after")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_file(str(tmp_path / "link.txt"), "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"
