"""``pagesum check --watch`` and ``--output``."""

import json
import os

import pytest

from pagesum_cli.cli import check, watching
from pagesum_cli.cli.watching import Watch


def save(path, text, at):
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))


def names(watch):
    return [os.path.basename(path) for path in watch.saved()]


def test_a_draft_is_reported_when_it_is_saved_and_no_longer_changes(tmp_path):
    draft = tmp_path / "draft.md"
    save(draft, "Bread cost 24 cents.", 1)
    watch = Watch(str(draft))
    assert names(watch) == ["draft.md"]  # at once
    assert names(watch) == []
    save(draft, "Bread cost", 2)
    assert names(watch) == []  # it may be half written
    assert names(watch) == ["draft.md"]
    draft.unlink()  # an editor replaces it
    assert names(watch) == []
    save(draft, "Bread cost 42 cents.", 3)
    assert (names(watch), names(watch), names(watch)) == ([], ["draft.md"], [])


def test_of_a_folder_new_drafts_are_found_and_copies_and_sources_are_not(tmp_path):
    for name in ("a.md", "source.txt", ".a.md.swp", "~$b.docx", "a.md~"):
        save(tmp_path / name, "Bread.", 1)
    (tmp_path / "old").mkdir()
    watch = Watch(str(tmp_path), [str(tmp_path / "source.txt")])
    assert names(watch) == ["a.md"]
    save(tmp_path / "b.md", "Bread.", 2)
    assert (names(watch), names(watch)) == ([], ["b.md"])


@pytest.fixture
def files(tmp_path):
    document, draft = tmp_path / "report.txt", tmp_path / "draft.md"
    document.write_text("Bread cost 24 cents in June. Prices rose in the north.\n", "utf-8")
    save(draft, "Bread cost 24 cents in June.", 1)
    return document, draft


@pytest.fixture
def steps(monkeypatch):
    """What is done while nothing is saved; then Ctrl-C."""
    given = []

    def wait(_):
        if not given:
            raise KeyboardInterrupt
        given.pop(0)()

    monkeypatch.setattr(check, "watch", lambda files, work: watching.watch(files, work, wait=wait))
    return given


def test_a_draft_is_checked_whenever_it_is_saved(pagesum, files, steps):
    document, draft = files
    steps += [
        lambda: save(draft, "", 2),
        lambda: None,
        lambda: save(draft, "Bread cost 42 cents in June.", 3),
        lambda: None,
    ]
    result = pagesum("check", "--watch", draft, document)
    assert result.code == 1  # of the last check
    assert result.out.index("1 verbatim") < result.out.index("1 differs")
    assert "error: " in result.err  # the empty draft; it goes on
    assert "Traceback" not in result.err


def test_ctrl_c_ends_with_the_code_of_the_last_check(pagesum, files, steps):
    document, draft = files
    assert pagesum("check", "--watch", draft.parent, document).code == 0
    draft.unlink()
    assert pagesum("check", "--watch", draft.parent, document).code == 130


@pytest.mark.parametrize(
    ("name", "begins"),
    [("report.html", "<!doctype html"), ("report.json", "{"), ("r.txt", "✓ verbatim")],
)
def test_the_format_is_that_of_the_extension(pagesum, files, tmp_path, name, begins):
    document, draft = files
    written = tmp_path / name
    arguments = ("check", draft, document, "--output", written)
    result = pagesum(*arguments)
    assert (result.code, result.out) == (0, "")
    assert written.read_text("utf-8").lower().startswith(begins)
    assert pagesum(*arguments).code == 1  # it exists
    assert pagesum(*arguments, "--force", "--format", "json").code == 0
    assert json.loads(written.read_text("utf-8"))["schema"] == 1


def test_outputs_that_cannot_be_written_are_refused_before_the_check(pagesum, files, tmp_path):
    document, draft = files
    for flags in (["-o", tmp_path / "a.pdf"], ["--watch", "--format", "html"], ["-o", document]):
        assert pagesum("check", draft, document, *flags).code == 2
    assert pagesum("check", "-", document, "--watch", stdin=b"Bread.").code == 2
    assert pagesum("check", tmp_path / "none", document, "--watch").code == 2
