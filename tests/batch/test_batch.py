"""Jobs, names of outputs, and folders of results."""

import json
import os

import pytest

from pagesum_cli.batch.folder import OutputFolder
from pagesum_cli.batch.jobs import Job, Records, is_data_set, jobs_of, output_names
from pagesum_cli.errors import PagesumError


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
        (
            ["a/x/paper.txt", "b/x/paper.txt", "c/notes.txt"],
            ["a-x-paper.txt", "b-x-paper.txt", "notes"],
        ),
        (["a/Paper.txt", "b/paper.txt"], ["a-Paper.txt", "b-paper.txt"]),
        (
            ["a/x/paper.txt", "b/x/paper.txt", "b/y/paper.txt"],
            ["a-x-paper.txt", "b-x-paper.txt", "y-paper.txt"],
        ),
        (["a/b.c.txt", "a/.hidden.txt"], ["b.c", "hidden"]),
        (["a/we?ird\n*name.txt"], ["we_ird__name"]),
    ],
)
def test_names_of_outputs_are_short_and_never_the_same(files, paths, names):
    assert names_of(files(*paths)) == names


def test_every_record_has_a_name_of_its_own(tmp_path):
    path = tmp_path / "data.jsonl"
    ids = ["a", "a/b", "a_b", "../../etc/passwd", "x" * 500, "漢" * 150, "漢" * 151]
    path.write_text("\n".join(json.dumps({"id": name, "text": "Some words."}) for name in ids))
    names = names_of([path])
    assert len(set(names)) == len(ids)
    assert not any(
        "/" in name or name.startswith(".") or len(name.encode()) > 210 for name in names
    )


def test_half_a_line_in_the_ledger_is_passed_over(tmp_path):
    folder = OutputFolder(str(tmp_path), {})
    folder.write("a.txt", "digest", "text")
    with open(tmp_path / ".pagesum.jsonl", "a") as ledger:
        ledger.write('\n["b.txt", "dig')
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


def test_a_file_that_is_not_ours_is_replaced_with_force(tmp_path):
    folder = OutputFolder(str(tmp_path), {}, force=True)
    (tmp_path / "a.txt").write_text("my own words")
    assert not folder.is_done("a.txt", "digest")
    folder.write("a.txt", "digest", "text")
    assert (tmp_path / "a.txt").read_text() == "text"


def test_a_result_edited_while_the_others_are_made_is_not_written_over(tmp_path):
    folder = OutputFolder(str(tmp_path), {})
    assert not folder.is_done("a.txt", "digest")
    (tmp_path / "a.txt").write_text("my own words")
    with pytest.raises(PagesumError, match="not written by pagesum"):
        folder.write("a.txt", "digest", "text")
    assert (tmp_path / "a.txt").read_text() == "my own words"


def test_one_process_at_a_time_writes_into_a_folder(tmp_path):
    first, second = OutputFolder(str(tmp_path), {}), OutputFolder(str(tmp_path), {})
    with first.locked():
        with pytest.raises(PagesumError, match="another command is writing"), second.locked():
            pass
        first.write("a.txt", "digest", "text")
    with second.locked():
        assert second.is_done("a.txt", "digest")


@pytest.mark.parametrize(
    "line", ["{}", "[1, 2, 3, 4]", '[["a"], "b", "c", "d"]', "[" * 10_000, '"', "\xff"]
)
def test_a_ledger_that_is_not_ours_is_passed_over(tmp_path, line):
    (tmp_path / ".pagesum.jsonl").write_text(f"{line}\n", encoding="latin-1")
    folder = OutputFolder(str(tmp_path), {})
    folder.write("a.txt", "digest", "text")
    assert OutputFolder(str(tmp_path), {}).is_done("a.txt", "digest")


@pytest.mark.parametrize("force", [True, False])
def test_an_input_is_never_replaced_even_if_it_was_a_result(tmp_path, force):
    path = str(tmp_path / "a.txt")
    OutputFolder(str(tmp_path), {}).write("a.txt", "digest", "text")
    problems = []
    jobs = jobs_of([path], None, lambda label, error: pytest.fail(str(error)))
    folder = OutputFolder(str(tmp_path), {}, force=force)
    assert folder.pending(
        jobs, [path], ".txt", lambda label, error: problems.append(error.message)
    ) == ({}, 0)
    assert problems == [f"{path} is one of the documents, and would be overwritten"]


def test_what_cannot_be_looked_at_is_one_problem(files, tmp_path):
    jobs = jobs_of(
        list(map(str, files("in/a.txt", "in/b.txt"))),
        None,
        lambda label, error: pytest.fail(str(error)),
    )
    (tmp_path / "out" / "a.txt").mkdir(parents=True)
    problems = []
    folder = OutputFolder(str(tmp_path / "out"), {})
    todo, _ = folder.pending(jobs, [], ".txt", lambda label, error: problems.append(label))
    assert list(todo.values()) == ["b.txt"]
    assert problems == [jobs[0].label]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_read_before_its_summary(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (job,) = jobs_of([str(tmp_path / "pipe")], None, lambda label, error: pytest.fail(str(error)))
    assert job.digest is None


def test_what_is_unexpected_while_looking_is_a_problem_of_that_path(files, monkeypatch):
    paths = list(map(str, files("a.txt", "b.txt", "c.txt")))

    def broken(path):
        if path == paths[1]:
            raise ValueError("no idea")
        return None

    monkeypatch.setattr("pagesum_cli.batch.jobs._digest", broken)
    problems = {}
    assert [job.label for job in jobs_of(paths, None, problems.__setitem__)] == [paths[0], paths[2]]
    assert problems[paths[1]].message == "unexpected ValueError: no idea"


def test_a_data_set_folder_has_a_job_for_each_record(tmp_path):
    (tmp_path / "set" / "test").mkdir(parents=True)
    for number in (0, 2, 10):
        value = {"article": [f"It was {number} a.m. He left."], "abstract": ["S."]}
        (tmp_path / "set" / "test" / f"{number}.json").write_text(json.dumps(value))
    path = str(tmp_path / "set")
    assert is_data_set(path)
    jobs = jobs_of([path], None, lambda path, error: pytest.fail(str(error)))
    assert [job.label for job in jobs] == [f"{path}#{number}" for number in (0, 2, 10)]
    assert output_names(jobs) == ["set-0", "set-2", "set-10"]
    # In any order, also twice.
    assert [jobs[place].read()[0].name for place in (0, 1, 2, 1, 1)] == ["0", "2", "10", "2", "2"]
    assert len({job.digest for job in jobs}) == 3


def test_records_asked_for_a_little_out_of_order_are_read_in_one_pass(tmp_path, monkeypatch):
    path = tmp_path / "data.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"{n}", "text": f"Number {n}."}) + "\n" for n in range(6))
    )
    jobs = jobs_of([str(path)], None, lambda path, error: pytest.fail(str(error)))
    passes = []
    read_all_of = Records.all
    monkeypatch.setattr(Records, "all", lambda self: passes.append(1) or read_all_of(self))
    assert [jobs[place].read()[0].text for place in (1, 0, 3, 5, 4)] == [
        f"Number {n}." for n in (1, 0, 3, 5, 4)
    ]
    assert len(passes) == 1


def test_json_lines_by_another_name_have_a_job_for_each_record(tmp_path):
    (tmp_path / "test.txt").write_text(
        '{"article_id": "a", "article_text": ["one ."], "abstract_text": []}\n' * 2
    )
    (tmp_path / "notes.txt").write_text("{curly} words")
    assert not is_data_set(str(tmp_path / "notes.txt"))
    paths = [str(tmp_path / name) for name in ("test.txt", "notes.txt")]
    jobs = jobs_of(paths, None, lambda path, error: pytest.fail(str(error)))
    assert [job.label for job in jobs] == [f"{paths[0]}#a", f"{paths[0]}#a", paths[1]]
    assert output_names(jobs) == ["test-a", "test-a-2", "notes"]


def test_records_with_the_same_id_are_named_in_linear_time() -> None:
    jobs = [Job("a.jsonl#a", ("a-a", "a.jsonl-a"), list, None) for _ in range(30_000)]
    names = output_names(jobs)
    assert names[:3] == ["a-a", "a-a-2", "a-a-3"]
    assert len(set(names)) == len(jobs)


def test_units_of_article_lists_are_given(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"article": ["Methods\nWe ask.", "Results\nIt works."]})
    )
    (job,) = jobs_of(
        [str(tmp_path / "a.jsonl")], None, lambda path, error: pytest.fail(str(error)), "sections"
    )
    assert [section.heading for section in job.read()[0].sections] == ["Methods", "Results"]
