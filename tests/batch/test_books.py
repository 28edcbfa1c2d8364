"""Books on the command line: progress is kept, failures are reported, and the views know
chapters.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny import TEXTS

from pagesum_cli import recursive
from pagesum_cli.cli import console
from pagesum_cli.errors import PagesumError
from pagesum_cli.summary.summary import Summary

TITLES = ["Chapter 1: The flood", "Chapter 2: The council", "Chapter 3: The mills"]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A Markdown file with a title and three chapters, which have no sentence in common."""
    path = tmp_path / "book.md"
    texts = (TEXTS[:2], TEXTS[2:3], TEXTS[3:])
    chapters = (
        f"## {title}\n\n{' '.join(text)}\n" for title, text in zip(TITLES, texts, strict=True)
    )
    path.write_text("# The late harvest\n\n" + "\n".join(chapters), encoding="utf-8")
    return path


@pytest.fixture
def summarize(pagesum: Callable[..., Any], tiny_extractive: Path) -> Callable[..., Any]:
    def call(*arguments: object, model: Path = tiny_extractive) -> Any:
        return pagesum(
            "summarize",
            *map(str, arguments),
            "--recursive",
            "--model",
            str(model),
            "--device",
            "cpu",
        )

    return call


@pytest.fixture
def kept(history: Path) -> Path:
    """The folder of unfinished books."""
    return history.with_name("books")


@pytest.fixture
def chapters_made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of the chapters that a model summarizes, in order; set ``stops`` to fail before one of
    them.
    """
    made: list[str] = []
    summarize = recursive._chapter_summary

    def counted(chapter: Any, *rest: Any) -> Summary:
        summary = summarize(chapter, *rest)
        made.append(chapter.title)
        return summary

    monkeypatch.setattr(recursive, "_chapter_summary", counted)
    return made


def stop_before(
    title: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> pytest.MonkeyPatch:
    """Raise an error in place of the summary of a chapter."""
    summarize = recursive._chapter_summary

    def stopping(chapter: Any, *rest: Any) -> Summary:
        if chapter.title == title:
            raise error
        return summarize(chapter, *rest)

    monkeypatch.setattr(recursive, "_chapter_summary", stopping)
    return monkeypatch


def json_of(result: Any) -> dict[str, Any]:
    assert result.code == 0, result.err
    data: dict[str, Any] = json.loads(result.out)
    return data


def without_times(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "seconds": 0, "chapters": [{**one, "seconds": 0} for one in data["chapters"]]}


def test_an_interrupted_book_goes_on_where_it_was(
    summarize: Callable[..., Any],
    book: Path,
    kept: Path,
    chapters_made: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = json_of(summarize(book, "--format", "json"))
    chapters_made.clear()
    with monkeypatch.context() as patch:
        stop_before(TITLES[2], KeyboardInterrupt(), patch)
        stopped = summarize(book, "--format", "json")
    assert (stopped.code, stopped.out) == (130, "")
    assert "2 of 3 chapters are kept; run the same command to continue" in stopped.err
    assert chapters_made == TITLES[:2]
    (file,) = kept.iterdir()
    assert file.stat().st_mode & 0o077 == 0
    chapters_made.clear()
    result = summarize(book, "--format", "json")
    assert "2 of 3 chapters were summarized before" in result.err
    assert chapters_made == TITLES[2:]
    assert without_times(json_of(result)) == without_times(whole)
    assert not list(kept.iterdir())


def test_a_line_that_was_cut_off_is_made_again(
    summarize: Callable[..., Any],
    book: Path,
    kept: Path,
    chapters_made: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        stop_before(TITLES[2], KeyboardInterrupt(), patch)
        summarize(book)
    (file,) = kept.iterdir()
    file.write_bytes(file.read_bytes()[:-50])
    chapters_made.clear()
    with monkeypatch.context() as patch:
        stop_before(TITLES[2], KeyboardInterrupt(), patch)
        summarize(book)
    assert chapters_made == TITLES[1:2]
    chapters_made.clear()
    assert summarize(book).code == 0
    assert chapters_made == TITLES[2:]


@pytest.mark.parametrize("change", ["text", "option", "model", "length"])
def test_what_is_kept_belongs_to_one_text_model_and_set_of_options(
    change: str, summarize: Callable[..., Any], book: Path, tiny_checkpoint: Path,
    chapters_made: list[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    with monkeypatch.context() as patch:
        stop_before(TITLES[2], KeyboardInterrupt(), patch)
        summarize(book)
    chapters_made.clear()
    more: list[object] = []
    if change == "text":
        book.write_text(book.read_text().replace("eleven", "twelve"))
    elif change != "model":
        more = ["--page-tokens", 64] if change == "option" else ["--length", "short"]
    model = {"model": tiny_checkpoint} if change == "model" else {}
    assert summarize(book, *more, **model).code == 0
    # The length is that of the book's summary only.
    assert chapters_made == (TITLES[2:] if change == "length" else TITLES)


def test_nothing_is_kept_with_no_history(
    summarize: Callable[..., Any], book: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_before(TITLES[2], KeyboardInterrupt(), monkeypatch)
    stopped = summarize(book, "--no-history")
    assert "kept" not in stopped.err
    assert not kept.exists()


def test_a_chapter_that_fails_is_reported_and_tried_again(
    summarize: Callable[..., Any],
    book: Path,
    chapters_made: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        stop_before(TITLES[1], PagesumError("no memory"), patch)
        result = summarize(book, "--format", "json")
    assert result.code == 1
    data = json.loads(result.out)
    assert [chapter["title"] for chapter in data["chapters"]] == [TITLES[0], TITLES[2]]
    assert "1 of 3 chapters are missing" in data["notes"]
    assert f"error: chapter 2/3 ({TITLES[1]}): no memory" in result.err
    chapters_made.clear()
    assert [
        chapter["title"] for chapter in json_of(summarize(book, "--format", "json"))["chapters"]
    ] == TITLES
    assert chapters_made == TITLES[1:2]


def test_if_every_chapter_fails_so_does_the_book(
    summarize: Callable[..., Any], book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Summary:
        raise PagesumError("no memory")

    monkeypatch.setattr(recursive, "_chapter_summary", failing)
    result = summarize(book)
    assert (result.code, result.out) == (1, "")
    assert "no memory" in result.err


def test_the_chapters_can_have_a_model_of_their_own(
    summarize: Callable[..., Any], book: Path, tiny_checkpoint: Path
) -> None:
    data = json_of(summarize(book, "--chapter-model", tiny_checkpoint, "--format", "json"))
    assert {chapter["model"] for chapter in data["chapters"]} == {str(tiny_checkpoint)}
    assert data["model"] != str(tiny_checkpoint)
    assert data["settings"]["chapter_model"] == str(tiny_checkpoint)
    missing = summarize(book, "--chapter-model", "nothing-like-it")
    assert missing.code == 1
    assert "nothing-like-it" in missing.err


def test_progress_is_reported_by_chapter(
    summarize: Callable[..., Any], book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []

    def update(bar: console.Bar, description: str, done: float, total: float) -> None:
        shown.append(f"{description} {done / total:.1f}")

    monkeypatch.setattr(console.Bar, "update", update)
    result = summarize(book)
    assert result.err.count("\n") == 2  # calm where it is no terminal
    chapters = [line for line in shown if line.startswith("chapter ")]
    shares = (0.0, 0.4, 0.6)  # of the words of all chapters
    assert chapters == [
        f"chapter {n + 1}/3: {TITLES[n]}, words read {share}" for n, share in enumerate(shares)
    ]


def test_several_files_are_chapters_and_with_each_books(
    summarize: Callable[..., Any], book: Path, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(" ".join(TEXTS))
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    data = json_of(summarize(*files, "--format", "json"))
    assert [chapter["title"] for chapter in data["chapters"]] == ["a.txt", "b.txt"]
    lines = summarize(book, *files, "--each", "--format", "jsonl")
    assert lines.code == 0
    books = [json.loads(line) for line in lines.out.splitlines()]
    assert [len(one.get("chapters", ())) for one in books] == [3, 0, 0]
    assert lines.err.count("only one chapter was found: it is summarized directly") == 2


def test_a_folder_of_books_is_up_to_date_or_not(
    summarize: Callable[..., Any], book: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    each = [book, "--each", "--output-dir", out, "--chapters"]
    assert summarize(*each).code == 0
    assert all(title in (out / "book.txt").read_text() for title in TITLES)
    assert "1 of 1 already done" in summarize(*each).err


def test_parts_stand_in_for_chapters_and_this_is_said(
    summarize: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "long.txt"
    path.write_text("\n\n".join(TEXTS * 120))
    result = summarize(path, "--format", "json")
    data = json_of(result)
    assert (
        f"no chapters were found: the text is summarized in {len(data['chapters'])} parts"
        in result.err
    )
    assert data["chapters"][0]["title"] == f"part 1 of {len(data['chapters'])}"


def test_flags_of_books_need_books(
    pagesum: Callable[..., Any], summarize: Callable[..., Any], book: Path
) -> None:
    for flags in (["--chapters"], ["--chapter-model", "mini"]):
        result = pagesum("summarize", book, *flags)
        assert result.code == 2
        assert f"{flags[0]} without --recursive" in result.err
    assert summarize(book, "--beyond-abstract").code == 2


def test_text_and_markdown_have_chapters_on_request(
    summarize: Callable[..., Any], book: Path
) -> None:
    plain, full = (f"\n{summarize(book, *flags).out}" for flags in ((), ("--chapters", "--cite")))
    assert all(plain.count(f"\n{title}\n") == 1 for title in TITLES)
    assert all(full.count(f"\n{title}\n") == 2 for title in TITLES)
    assert any(f"[{title}]" in full for title in TITLES)
    markdown = summarize(book, "--chapters", "--format", "markdown").out
    assert all(f"## {title}\n\n" in markdown for title in TITLES)
    assert "| chapter | share |" in markdown


@pytest.mark.parametrize("model", ["tiny_extractive", "tiny_checkpoint"])
def test_the_page_has_the_chapters_folded_below(
    model: str,
    summarize: Callable[..., Any],
    book: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    out = tmp_path / "summary.html"
    assert summarize(book, "--output", out, model=request.getfixturevalue(model)).code == 0
    page = out.read_text(encoding="utf-8")
    assert page.count("<details>") == 3
    for number, title in enumerate(TITLES):
        assert f"<summary>{number + 1}. {title} " in page
        assert f'href="#p{number}"' in page
        assert f'id="p{number}"' in page
    assert "3 chapters." in page


@pytest.mark.parametrize("model", ["tiny_extractive", "tiny_checkpoint"])
def test_inspect_draws_chapters_as_rows_and_one_chapter(
    model: str, pagesum: Callable[..., Any], summarize: Callable[..., Any], book: Path,
    tmp_path: Path, request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    path = tmp_path / "book.json"
    assert summarize(book, "--output", path, model=request.getfixturevalue(model)).code == 0
    saved, latest = (
        pagesum("inspect", path, "--all", "--evidence"),
        pagesum("inspect", "--all", "--evidence"),
    )
    assert saved.code == latest.code == 0
    assert saved.out == latest.out
    assert "3 chapters" in saved.out
    assert all(title in " ".join(saved.out.split()) for title in TITLES)
    chapter = pagesum("inspect", path, "--chapter", "2")
    assert chapter.code == 0
    assert chapter.out.startswith(TITLES[1])
    assert TITLES[0] not in chapter.out
    assert pagesum("inspect", path, "--chapter", "4").code == 2
    page = tmp_path / "map.html"
    assert pagesum("inspect", path, "--export", page).code == 0
    assert page.read_text(encoding="utf-8").count("<details><summary>") >= 3


def test_inspect_summarizes_books_too(
    pagesum: Callable[..., Any], book: Path, tiny_extractive: Path
) -> None:
    result = pagesum("inspect", book, "--recursive", "--model", tiny_extractive)
    assert result.code == 0
    assert "3 chapters" in result.out
    alone = pagesum("inspect", book, "--model", tiny_extractive, "--chapter", "1")
    assert alone.code == 2
    assert "no chapters" in alone.err
