"""The verbs with an editor: what they report before they begin, and what they remember."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pagesum_cli.batch.announcing import announce_book, announce_each, files_of_editor
from pagesum_cli.batch.jobs import jobs_of
from pagesum_cli.batch.talk import Silent
from pagesum_cli.batch.worker import Worker
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions
from pagesum_cli.recursive import book_of

from .server import labels, serving

CHAPTER = (
    "The council of {0} bought {1} new trams for its harbour line. The trams run from May on, and "
    "their drivers are trained in the old depot of {0}. {2}"
)
EVENTS = {
    "Olden": "The mayor opened the line with forty guests.",
    "Varmen": "Rain flooded two cellars near the market.",
    "Tisby": "Farmers sold their wool for twice last year's price.",
    "Lund": "A school of music was founded by three sisters.",
}
PLACES = tuple(EVENTS)
BOOK = "\n\n".join(
    f"# Chapter {number}: {place}\n\n{CHAPTER.format(place, number + 2, EVENTS[place])}"
    for number, place in enumerate(PLACES, 1)
)
CHOSEN = set(EVENTS.values())
OPTIONS = ("--model", "mini", "--no-history", "--no-config")


@pytest.fixture(autouse=True)
def few_calls_are_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("pagesum_cli.editing.choosers.MANY_CALLS", 3)


def test_a_series_reports_once_what_the_editor_will_read(tmp_path: Path) -> None:
    files = [tmp_path / f"{place}.txt" for place in PLACES[:2]]
    for file in files:
        file.write_text(CHAPTER.format(file.stem, 7, EVENTS[file.stem]))
    talk, problems = Silent(), list[str]()
    paths = [*map(str, files), str(tmp_path / "missing.txt")]
    jobs = jobs_of(paths, None, lambda label, reason: problems.append(label))
    with serving(labels(CHOSEN)) as server:
        generation = GenerationOptions(editor=server.name)
        worker = Worker(ModelOptions("mini"), PagingOptions(), generation, talk, False)
        worker.is_light = True
        announce_each(worker, jobs)
        assert not server.messages
        for job in jobs[:2]:
            worker.summarize(job.read(), 0.0)
        assert len(server.messages) == 4
    (line,) = [line for line in talk.notes if "the editor" in line]
    assert line.startswith("the editor is called 4 times with about")


def test_a_book_reports_once_what_the_editor_will_read(pagesum: Callable, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text(BOOK)
    with serving(labels(CHOSEN)) as server:
        options = ("--recursive", "--words", "20", "--editor", server.name)
        result = pagesum("summarize", file, *options, *OPTIONS)
        calls = len(server.messages)
    assert result.code == 0
    assert result.err.count(f"the editor is called {calls} times with about") == 1
    assert {one for one in CHOSEN if one in result.out}


def test_a_brief_summary_quotes_what_the_editor_chose(pagesum: Callable, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text(BOOK)
    with serving(labels(CHOSEN)) as server:
        result = pagesum("summarize", file, "--brief", "--editor", server.name, *OPTIONS)
    assert result.code == 0
    assert all(sentence in result.out for sentence in CHOSEN)


def test_inspect_shows_what_the_editor_chose(pagesum: Callable, tmp_path: Path) -> None:
    file = tmp_path / "book.md"
    file.write_text(BOOK)
    with serving(labels(CHOSEN)) as server:
        options = ("--evidence", "--words", "40", "--editor", server.name)
        result = pagesum("inspect", file, "--model", "mini", *options)
    assert result.code == 0
    assert all(sentence in " ".join(result.out.split()) for sentence in CHOSEN)


def test_a_book_says_what_leaves_the_machine() -> None:
    generation = GenerationOptions(editor="https://example.org/v1#m", editor_network=True)
    talk = Silent()
    worker = Worker(ModelOptions("mini"), PagingOptions(), generation, talk, False)
    announce_book(worker, book_of([plain_document(BOOK, "book.md")]), range(len(PLACES)))
    assert [line for line in talk.notes if "go to https://example.org/v1" in line]


def test_summaries_depend_on_what_the_guide_says(tmp_path: Path) -> None:
    guide = tmp_path / "guide.txt"
    generation = GenerationOptions(editor="http://localhost:1#m", guide=str(guide))
    found = []
    for text in ("What was bought.", "What was bought.", "Who opened what."):
        guide.write_text(text)
        found.append(files_of_editor(generation))
    assert found[0] == found[1] != found[2]
    assert not files_of_editor(GenerationOptions())


@pytest.mark.parametrize("editor", ["mini", "no-such-model", "localhost:1#m"])
def test_what_is_no_editor_is_refused_before_anything_is_read(
    pagesum: Callable, editor: str
) -> None:
    result = pagesum("summarize", "missing.txt", "--editor", editor, *OPTIONS)
    assert result.code in (1, 2)
    assert "missing.txt" not in result.err
    assert "hint:" in result.err
