"""Books are evaluated chapter by chapter, then by the chapters' summaries."""

import json
import shutil

import pytest

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.systems import BookSystem, RunRequest, chapters_of_record
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer

PLACES = ("harvest", "council", "river")
CHAPTERS = [
    {
        "heading": f"Chapter {place}",
        "text": " ".join(
            f"The {place} of town number {town} was reported to the council in May."
            for town in range(6)
        ),
    }
    for place in PLACES
]
BOOK = {"id": "b", "sections": CHAPTERS, "summary": "The harvest was reported to the council."}


@pytest.fixture(scope="module")
def mini():
    return PageSummarizer.from_pretrained("mini", device="cpu", dtype="float32")


def request(model, **changes):
    return RunRequest(str(model), **changes)


def test_a_books_summary_quotes_its_chapters_summaries(mini):
    system = BookSystem(mini, request("mini"), mini, PagingOptions())
    (result,) = system.results([record_of(BOOK)])
    # Each sentence is one of the summaries of the chapters, made alone.
    alone = [
        mini.summarize(record_of({"id": "c", "sections": [chapter]}).documents[0])
        for chapter in CHAPTERS
    ]
    quoted = {sentence.text for summary in alone for sentence in summary.sentences}
    assert result.sentences
    assert {one.text for one in result.sentences} <= quoted
    assert len(result.page_confidences) == len(PLACES)
    assert (system.settings["recursive"], system.settings["chapter_model"]) == (True, "mini")


def test_a_book_with_several_references_is_read_once(mini):
    system = BookSystem(mini, request("mini"), mini, PagingOptions())
    records = [record_of({**BOOK, "id": name, "summary": name}) for name in ("one", "two")]
    results = system.results(records)
    assert [one.reference for one in results] == ["one", "two"]
    assert results[0].prediction == results[1].prediction
    assert len(system._done) == 1


def test_each_section_is_a_chapter_and_sections_of_sections_are_not():
    book = chapters_of_record(
        record_of({**BOOK, "sections": [*CHAPTERS, {"heading": "Empty", "text": ""}]})
    )
    assert [one.title for one in book.chapters] == [f"Chapter {place}" for place in PLACES]
    assert [one.document.read_sections[0][0].text for one in book.chapters] == [
        one["text"] for one in CHAPTERS
    ]
    nested = [CHAPTERS[0], {**CHAPTERS[1], "heading": "1.1", "level": 2}, CHAPTERS[2]]
    found = chapters_of_record(record_of({**BOOK, "sections": nested})).chapters
    assert [len(one.document.read_sections) for one in found] == [2, 1]
    assert len(chapters_of_record(record_of({"text": "One page.", "summary": "s"})).chapters) == 1
    cluster = {
        "documents": [{"name": "a", "text": "One is."}, {"name": "b", "text": "Two are."}],
        "summary": "s",
    }
    assert [one.title for one in chapters_of_record(record_of(cluster)).chapters] == ["a", "b"]


def test_a_chapter_model_of_its_own(mini, tiny_checkpoint):
    book = PageSummarizer.from_pretrained(str(tiny_checkpoint), device="cpu", dtype="float32")
    system = BookSystem(
        book,
        request(tiny_checkpoint, generation=GenerationOptions(max_length=8)),
        mini,
        PagingOptions(),
    )
    (result,) = system.results([record_of(BOOK)])
    assert len(result.page_confidences) == len(PLACES)
    assert system.settings["chapter_model"] == "mini"
    assert system.settings["chapter_weights"] != system.settings["weights"]


def test_a_chapter_that_fails_is_named(mini, monkeypatch):
    def fail(*arguments, **options):
        raise PagesumError("no memory", "use less")

    monkeypatch.setattr(mini, "summarize", fail)
    with pytest.raises(PagesumError, match="Chapter harvest: no memory"):
        BookSystem(mini, request("mini"), mini, PagingOptions()).results([record_of(BOOK)])


def test_books_from_the_command_line(pagesum, tmp_path, tiny_extractive):
    other = shutil.copytree(tiny_extractive, tmp_path / "chapters")
    value = {
        **BOOK,
        "chapter_summaries": [{"heading": "I", "text": "The harvest was reported. It was late."}],
    }
    (tmp_path / "books.jsonl").write_text(
        "".join(json.dumps({**value, "id": one}) + "\n" for one in "ab")
    )
    command = ["eval", "--data", tmp_path / "books.jsonl", "--model", tiny_extractive]
    recursive = pagesum(
        *command,
        "--recursive",
        "--chapter-model",
        other,
        "--format",
        "json",
        "--output",
        tmp_path / "r",
    )
    assert recursive.code == 0, recursive.err
    lines = [
        json.loads(line) for line in (tmp_path / "r" / "results.jsonl").read_text().splitlines()
    ]
    assert [line["settings"]["chapter_model"] for line in lines] == [str(other)] * 2
    assert json.loads(recursive.out)["uses_reference"] == []
    read = pagesum(*command, "--chapter-summaries", "--format", "json")
    assert json.loads(read.out)["uses_reference"] == [str(tiny_extractive)]
    shown = pagesum(*command, "--chapter-summaries", "--format", "markdown", "--baseline", "lead")
    assert f"| {tiny_extractive} § |" in shown.out
    assert "§ uses the reference summary" in shown.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chapter-model", "mini"], "--chapter-model without --recursive"),
        (
            ["--recursive", "--chapter-summaries"],
            "--recursive given together with --chapter-summaries",
        ),
        (["--recursive", "--check"], "--recursive does nothing with --check"),
        (["--recursive", "--chapter-model", "no/such/model"], "no/such/model"),
    ],
)
def test_wrong_usage_of_books_is_reported(pagesum, arguments, message):
    result = pagesum("eval", "--data", "sample", *arguments)
    assert (result.out, message in result.err) == ("", True)
