"""CNN/DailyMail, SummScreen and BookSum, on files made here in the form in which they are
published.
"""

import json
from hashlib import sha1
from pathlib import Path

import pytest

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.datasets.named import DATA_SETS, DataRequest, _value, check_data, read_data
from pagesum_cli.datasets.readers import data_set_split, read_path
from pagesum_cli.errors import PagesumError

STORY = (
    "(CNN) The fair opened.\n\nRain fell.\n\n@highlight\n\nFair opens\n\n@highlight\n\nIt rained\n"
)
SENTENCES = ("Fair opens", "It rained")


def read(name: str, folder: Path, **request: object) -> list:
    problems: list[str] = []
    records = read_data(DataRequest(name, folder, **request), problems.append)  # type: ignore[arg-type]
    return [*records, *problems]


def test_stories_are_found_by_the_hash_of_their_url_in_either_papers_folder(tmp_path: Path) -> None:
    urls = {"cnn": "http://web.archive.org/a", "dailymail": "http://web.archive.org/b"}
    (tmp_path / "url_lists").mkdir()
    for name, url in urls.items():
        (tmp_path / name / "stories").mkdir(parents=True)
        (tmp_path / name / "stories" / f"{sha1(url.encode()).hexdigest()}.story").write_text(STORY)
        # parts of all_test
        (tmp_path / "url_lists" / f"{name}_wayback_test_urls.txt").write_text("http://another\n")
    (tmp_path / "url_lists" / "all_test.txt").write_text(
        "".join(f"{url}\n" for url in [*urls.values(), "http://no"])
    )
    first, second, problem = read("cnndm", tmp_path)
    assert first.id == sha1(urls["cnn"].encode()).hexdigest() != second.id
    assert first.documents[0].text == "(CNN) The fair opened.\n\nRain fell."
    assert (first.summary, first.summary_sentences) == ("Fair opens It rained", SENTENCES)
    assert sha1(b"http://no").hexdigest() in problem


@pytest.mark.parametrize(
    ("split", "folder"), [("test", "test"), ("validation", "val"), ("train", "train")]
)
def test_stories_in_a_folder_of_the_split(tmp_path: Path, split: str, folder: str) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "x.story").write_text(STORY)
    assert [one.id for one in read("cnndm", tmp_path, split=split)] == ["x"]
    assert data_set_split(tmp_path) == split


def test_highlights_of_the_hub_have_a_sentence_on_each_line() -> None:
    row = {"id": "7", "document": "One is. Two are.", "summary": "Fair opens .\nIt rained ."}
    source = DATA_SETS["cnndm"].hub
    assert source is not None
    record = record_of(_value(row, source))
    assert record.summary_sentences == ("Fair opens .", "It rained .")
    assert record.texts == ("One is. Two are.",)
    jsonl = record_of({"article": "One is.", "highlights": ["A b", "C d"], "id": "8"})
    assert (jsonl.summary, jsonl.extra) == ("A b C d", {})
    own = record_of(
        {"text": "One is.", "summary": "A.", "highlights": "not a summary", "chapter": "3"}
    )
    assert (own.summary, own.texts) == ("A.", ("One is.",))


def screenplay(name: str) -> str:
    value = {
        "filename": f"{name}.json",
        "Show Title": "A show",
        "Episode Title": "An episode",
        "Transcript": [
            "ENTITY1 : Hello . Who is th@@ ere ?",
            "[ SCENE_BREAK ]",
            "",
            "ENTITY2 : Me .",
        ],
        "Recap": ["ENTITY1 hears ENTITY2 . They m@@ eet ."],
    }
    return json.dumps(value) + "\n"


def test_the_two_parts_of_summscreen_are_told_apart(tmp_path: Path) -> None:
    for folder, name in (("ForeverDreaming", "fd"), ("TVMegaSite", "tms")):
        (tmp_path / folder).mkdir()
        for split in ("test", "dev"):
            (tmp_path / folder / f"{name}_{split}.json").write_text(screenplay(f"{name}-{split}"))
    (record,) = read("summscreen-tms", tmp_path, split="validation")
    assert record.id == "tms-dev.json"
    turns = [one.text for one in record.documents[0].sections[0].paragraphs]
    assert turns == ["ENTITY1 : Hello . Who is there ?", "[ SCENE_BREAK ]", "ENTITY2 : Me ."]
    assert (record.summary, record.summary_sentences) == ("ENTITY1 hears ENTITY2 . They meet .", ())
    assert read("summscreen-fd", tmp_path)[0].id == "fd-test.json"
    assert next(read_path(tmp_path / "TVMegaSite")).id == "tms-test.json"
    with pytest.raises(PagesumError, match=r"fd_test.json and tms_test.json") as error:
        next(read_path(tmp_path))
    assert "summscreen-fd --data-dir" in error.value.hint
    with pytest.raises(PagesumError, match="no test split"):
        read("summscreen-fd", tmp_path / "TVMegaSite")


def booksum(root: Path, prefix: str = "", summaries: str = "finished_summaries") -> Path:
    """BookSum as its repository and its scripts lay it out: one book of three chapters, summarized
    by two sources.
    """
    texts = {
        "01": "CHAPTER I\n\nOwls live in\nthe oak.",
        "02": "CHAPTER II\n\nMice fear owls.",
        "10": "FINIS\n\nThe end.",
    }
    books = root / "all_chapterized_books" / "9-chapters"
    books.mkdir(parents=True)
    for name, text in texts.items():
        (books / f"{name}.txt").write_text(text)
    (books / "chapters_1_to_2.txt").write_text("\n".join([texts["01"], texts["02"]]))
    (books / "book_clean.txt").write_text("\n".join(texts.values()))
    written = {
        "gradesaver/Owls/section_0_part_0": ["Owls and mice.", "They meet."],
        "shmoop/Owls/section_1_part_0": ["Owls live."],
        "shmoop/Owls/section_2_part_0": ["Mice fear."],
        "gradesaver/Owls/overview": ["A book of owls.", "It ends."],
        "sparknotes/Owls/overview": ["Owls again."],
    }
    for name, paragraphs in written.items():
        path = root / summaries / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"name": "x", "summary": paragraphs, "analysis": ["Not this."]}))

    def chapter(source: str, file: str, part: str, name: str) -> dict:
        return {
            "bid": "9",
            "is_aggregate": file.startswith("chapters"),
            "source": source,
            "chapter_path": f"{prefix}all_chapterized_books/9-chapters/{file}.txt",
            "summary_path": f"{prefix}finished_summaries/{source}/Owls/{part}.txt",
            "book_id": f"Owls.{name}",
            "summary_id": name,
        }

    def book(source: str) -> dict:
        return {
            "bid": "9",
            "source": source,
            "title": "Owls",
            "summary_path": f"{prefix}finished_summaries/{source}/Owls/overview.txt",
            "book_path": f"{prefix}all_chapterized_books/9-chapters/book_clean.txt",
        }

    chapters = [
        chapter("gradesaver", "chapters_1_to_2", "section_0_part_0", "chapters 1-2"),
        chapter("shmoop", "01", "section_1_part_0", "chapter 1"),
        chapter("shmoop", "02", "section_2_part_0", "chapter 2"),
    ]
    books_lines = [book("gradesaver"), book("sparknotes"), book("cliffnotes")]
    for split in ("test", "train", "val"):
        for level, name, lines in (
            ("chapter", f"chapter_summary_aligned_{split}_split", chapters),
            ("book", f"book_summaries_aligned_{split}", books_lines),
        ):
            folder = root / "alignments" / f"{level}-level-summary-alignments"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.jsonl").write_text(
                "".join(json.dumps(line) + "\n" for line in lines)
            )
    return root


@pytest.mark.parametrize(
    ("prefix", "summaries"),
    [("", "finished_summaries"), ("/export/longsum/booksumm/", "scripts/finished_summaries")],
)
def test_chapters_of_booksum(tmp_path: Path, prefix: str, summaries: str) -> None:
    booksum(tmp_path, prefix, summaries)
    for split in ("test", "train", "validation"):
        first, second, third = read("booksum-chapter", tmp_path, split=split)
    assert [one.id for one in (first, second, third)] == [
        "9/gradesaver/section_0_part_0", "9/shmoop/section_1_part_0", "9/shmoop/section_2_part_0"
    ]  # fmt: skip
    assert first.summary == "Owls and mice. They meet."
    (section,) = second.documents[0].sections
    assert (section.heading, [one.text for one in section.paragraphs]) == (
        "chapter 1", ["CHAPTER I", "Owls live in the oak."]
    )  # fmt: skip
    assert [one.id for one in read_path(tmp_path)] == [first.id, second.id, third.id]


def test_a_book_has_its_chapters_texts_and_beside_them_their_summaries(tmp_path: Path) -> None:
    booksum(tmp_path)
    first, second, problem = read("booksum-book", tmp_path)
    assert (first.id, first.summary) == ("9-gradesaver", "A book of owls. It ends.")
    headings = [section.heading for section in first.documents[0].sections]
    assert headings == ["chapter 1", "chapter 2", "10"]  # no summary names the last one
    assert first.documents[0].sections[1].text == "CHAPTER II\n\nMice fear owls."
    # Of the source of the book's summary, or of the one that has most.
    summaries = [
        [(one.heading, one.text) for one in book.chapter_summaries] for book in (first, second)
    ]
    assert summaries == [
        [("chapters 1-2", "Owls and mice. They meet.")],
        [("chapter 1", "Owls live."), ("chapter 2", "Mice fear.")],
    ]
    assert "cliffnotes" in problem


def test_a_book_model_reads_the_summaries_of_chapters(tmp_path: Path) -> None:
    booksum(tmp_path)
    for data, folder in (("booksum-book", tmp_path), (str(tmp_path), None)):
        request = DataRequest(data, folder, chapter_summaries=True)
        check_data(request, summaries=True)
        _, record = read_data(request, lambda problem: None)
        assert record.documents[0].text == "chapter 1\n\nOwls live.\n\nchapter 2\n\nMice fear."
        assert record.summary == "Owls again."


def test_own_records_may_have_summaries_of_chapters(tmp_path: Path) -> None:
    sections = [{"heading": "I", "text": "Owls live in the oak."}]
    value = {
        "id": "b",
        "sections": sections,
        "summary": "Owls.",
        "chapter_summaries": [{"heading": "I", "text": "O."}],
    }
    lines = [
        value,
        {**value, "id": "c", "chapter_summaries": []},
        {**value, "id": "d", "chapter_summaries": "O."},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    problems: list[str] = []
    request = DataRequest(str(tmp_path / "a.jsonl"), chapter_summaries=True)
    (record,) = read_data(request, problems.append)
    assert (record.id, record.documents[0].text) == ("b", "I\n\nO.")
    assert ["c: expected" in problems[0], "to be a list, found str" in problems[1]] == [True, True]


def test_a_list_names_no_files_outside_the_data_set(tmp_path: Path) -> None:
    booksum(tmp_path / "set")
    (tmp_path / "letter.txt").write_text("Dear Ann.")
    listed = (
        tmp_path
        / "set/alignments/chapter-level-summary-alignments/chapter_summary_aligned_test_split.jsonl"
    )
    first, *others = map(json.loads, listed.read_text().splitlines())
    paths = [str(tmp_path / "letter.txt"), "all_chapterized_books/../../letter.txt"]
    lines = [*({**first, "chapter_path": path} for path in paths), *others]
    listed.write_text("".join(json.dumps(line) + "\n" for line in lines))
    *records, one, two = read("booksum-chapter", tmp_path / "set")
    assert len(records) == 2
    assert "expected a path in all_chapterized_books or finished_summaries" in one
    assert "letter.txt" in two


def test_a_book_without_files_of_chapters_is_one_text(tmp_path: Path) -> None:
    booksum(tmp_path)
    for name in ("01", "02", "10"):
        (tmp_path / "all_chapterized_books" / "9-chapters" / f"{name}.txt").unlink()
    first, *_ = read("booksum-book", tmp_path)
    assert [section.heading for section in first.documents[0].sections] == [""]
    assert "Mice fear owls." in first.documents[0].text
