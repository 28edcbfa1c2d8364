"""``pagesum pages``: the contract, and what people see."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pagesum_cli.documents.read import read_file

BOOK = Path(__file__).parents[2] / "docs" / "examples" / "book.epub"


def pages_of(result):
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_json_follows_the_contract(pagesum, tiny_checkpoint, report):
    data = pages_of(pagesum("pages", report, "--format", "json", "--model", tiny_checkpoint))
    assert data["schema"] == 1
    assert data["title"] == "The late harvest"
    assert data["locality"] == "discourse"
    assert {"heading", "level", "pdf_pages", "words", "found_by"} <= data["sections"][0].keys()
    assert [page["page"] for page in data["pages"]] == list(range(len(data["pages"])))
    assert {"page", "label", "source", "pdf_pages", "tokens", "truncated", "text"} == data["pages"][
        0
    ].keys()


@pytest.mark.parametrize("verb", ["pages", "inspect"])
def test_files_of_folders_are_selected_as_by_summarize(
    pagesum, tiny_checkpoint, report, letter, tmp_path, verb
):
    result = pagesum(verb, tmp_path, "--exclude", "*.txt", "--model", tiny_checkpoint)
    assert result.code == 0
    assert "The late harvest" in result.out
    refused = pagesum(verb, tmp_path, "--include", "*.pdf", "--model", tiny_checkpoint)
    assert "none of its 2 readable files is selected" in refused.err


@pytest.mark.parametrize("verb", ["pages", "inspect"])
def test_records_that_cannot_be_used_are_reported(pagesum, tiny_checkpoint, tmp_path, verb):
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": "Rain fell. Prices rose."}\n{broken\n')
    result = pagesum(verb, tmp_path / "a.jsonl", "--model", tiny_checkpoint)
    assert result.code == 0
    assert result.err.startswith(f"warning: {tmp_path / 'a.jsonl'}, line 2: ")


def test_json_holds_the_text_that_offsets_refer_to(pagesum, tiny_checkpoint, report):
    data = pages_of(pagesum("pages", report, "--format", "json", "--model", tiny_checkpoint))
    (document,) = data["documents"]
    assert document["name"] == "report.md"
    for section in data["sections"]:
        assert document["text"][section["start"] :].startswith(section["heading"])


def test_text_that_is_left_out_is_listed(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        "<nav>Home, news and all of our [b]topics[/b]</nav><h1>Owls</h1><p>They "
        "hunt.</p><h2>Food</h2><p>Mice."
    )
    (left_out,) = pages_of(pagesum("pages", path, "--format", "json", "--model", tiny_checkpoint))[
        "left_out"
    ]
    assert left_out == {
        "reason": "navigation",
        "text": "Home, news and all of our [b]topics[/b]",
        "words": 7,
        "pdf_pages": [],
        "source": "page.html",
    }
    lines = pagesum("pages", path, "--model", tiny_checkpoint).out.splitlines()
    assert any(line.split() == ["left", "out", "words", "beginning"] for line in lines)
    assert any(
        line.split()[:2] == ["navigation", "7"] and line.endswith("[b]topics[/b]") for line in lines
    )


def test_the_text_as_it_was_read(pagesum, tiny_checkpoint, letter, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        "<nav>Home and all of our "
        "topics</nav><h1>Owls\x1b[2J</h1><p>They\nhunt.</p><h2>Food</h2><p>[b]Mice."
    )
    flags = "--format", "text", "--model", tiny_checkpoint
    assert pagesum("pages", path, *flags).out == "Owls\n\nThey hunt.\n\nFood\n\n[b]Mice.\n"
    both = pagesum("pages", path, letter, *flags)
    assert both.err == ""
    assert both.out.split() == [
        *["Owls", "They", "hunt.", "Food", "[b]Mice."],
        *letter.read_text().split(),
    ]


def test_every_word_is_on_some_page(pagesum, tiny_checkpoint, letter):
    data = pages_of(pagesum("pages", letter, "--format", "json", "--model", tiny_checkpoint))
    assert " ".join(page["text"] for page in data["pages"]).split() == letter.read_text().split()
    assert all(page["tokens"] <= 64 for page in data["pages"])


def test_the_chapters_of_a_book_are_listed(pagesum):
    years = [str(year) for year in range(2007, 2017)]
    data = pages_of(pagesum("pages", BOOK, "--format", "json"))
    assert [chapter["title"] for chapter in data["chapters"]] == years
    assert {chapter["found_by"] for chapter in data["chapters"]} == {"outline"}
    assert [page for chapter in data["chapters"] for page in chapter["pages"]] == list(
        range(len(data["pages"]))
    )
    (document,) = data["documents"]
    for chapter in data["chapters"]:
        text = document["text"][chapter["start"] : chapter["end"]]
        assert text.startswith(chapter["title"])
        assert len(text.split()) == chapter["words"]
    assert {one["reason"] for one in data["left_out"]} == {"front matter", "contents"}
    lines = pagesum("pages", BOOK).out.splitlines()
    assert lines[1].split() == ["chapter", "words", "found", "by"]
    assert [line.split()[0] for line in lines[2:12]] == years


def test_parts_of_a_book_without_chapters(pagesum, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text(
        "\n\n".join(
            f"Rain fell on day {day} of that year, and prices rose." for day in range(1_200)
        )
    )
    lines = pagesum("pages", path).out.splitlines()
    rows = [line for line in lines if line.startswith("part ") and " of 3" in line]
    assert len(rows) == 3
    assert all("none found: parts of equal length" in row for row in rows)


def test_pages_outside_chapters_are_counted(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "book.md"
    path.write_text(
        "# Chapter 1\n\nRain fell.\n\n# Chapter 2\n\nPrices rose.\n\n# Index\n\nprices, 2\n"
    )
    lines = pagesum("pages", path, "--model", tiny_checkpoint).out.splitlines()
    assert any(line.split() == ["(none)", "3", "back", "matter"] for line in lines)
    data = pages_of(pagesum("pages", path, "--format", "json", "--model", tiny_checkpoint))
    assert [(one["reason"], one["words"]) for one in data["outside_chapters"]] == [
        ("back matter", 3)
    ]


def test_an_epub_on_standard_input(pagesum):
    data = pages_of(pagesum("pages", "-", "--format", "json", stdin=BOOK.read_bytes()))
    assert len(data["chapters"]) == 10


def test_several_files_are_a_page_or_more_each(pagesum, tiny_checkpoint, letter, report):
    data = pages_of(
        pagesum("pages", letter, report, "--format", "json", "--model", tiny_checkpoint)
    )
    assert data["locality"] == "document"
    assert {page["source"] for page in data["pages"]} == {"letter.txt", "report.md"}


def test_words_left_out_are_reported(pagesum, tiny_checkpoint, letter):
    result = pagesum(
        "pages", letter, "--max-pages", "1", "--page-tokens", "40", "--model", tiny_checkpoint
    )
    assert result.code == 0
    assert "words after the first part are not read" in result.err
    quiet = pagesum(
        "pages",
        letter,
        "--max-pages",
        "1",
        "--page-tokens",
        "40",
        "--model",
        tiny_checkpoint,
        "--quiet",
    )
    assert quiet.err == ""


def test_the_table_names_sections_and_pages(pagesum, tiny_checkpoint, report):
    result = pagesum("pages", report, "--model", tiny_checkpoint)
    assert "The late harvest" in result.out.splitlines()[0]
    assert "discourse locality" in result.out
    assert result.out.count("Methods") == 2


def test_a_long_heading_alone_gives_way(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "long.md"
    path.write_text(
        f"# {'A heading of very many words ' * 8}\n\nSome words. "
        f"And more.\n\n# Methods\n\nWe counted.\n"
    )
    out = pagesum("pages", path, "--model", tiny_checkpoint).out
    assert "found by" in out
    assert "tokens" in out
    assert all("A heading of" in line for line in out.splitlines() if "…" in line)


def test_standard_input(pagesum, tiny_checkpoint):
    data = pages_of(
        pagesum(
            "pages",
            "-",
            "--format",
            "json",
            "--model",
            tiny_checkpoint,
            stdin=b"Some words. And more.",
        )
    )
    assert data["pages"][0]["text"] == "Some words. And more."


def test_pages_longer_than_the_model_are_refused(pagesum, tiny_checkpoint, letter):
    result = pagesum("pages", letter, "--page-tokens", "4096", "--model", tiny_checkpoint)
    assert result.code == 2
    assert "positions for 128" in result.err


@pytest.mark.parametrize(
    ("name", "hint"), [("mimi", "did you mean mini?"), ("pubmed", "pagesum models"), ("", "")]
)
def test_an_unknown_model_is_reported_with_the_nearest_name(pagesum, letter, name, hint):
    result = pagesum("pages", letter, "--model", name)
    assert result.code == 1
    assert hint in result.err


def test_it_runs_without_torch(tiny_checkpoint, letter):
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None; "
        "sys.argv[0] = 'pagesum'; "
    )
    code += "from pagesum_cli.__main__ import main; main()"
    command = [sys.executable, "-c", code, "pages", str(letter), "--model", str(tiny_checkpoint)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("locality", "texts"),
    [
        ("spatial", ["Methods\nWe  counted. ", "", "Many. Few."]),
        ("discourse", ["Methods\nWe  counted. ", "", "Many. Few."]),
        ("document", ["Methods\nWe  counted. ", "", "Many. Few."]),
        ("auto", ["Methods\nWe  counted. ", "", "Many. Few."]),
    ],
)
def test_a_record_of_the_original_program_has_its_pages(pagesum, tmp_path, locality, texts):
    record = tmp_path / "0.json"
    record.write_text(json.dumps({"article": texts, "abstract": ["Some."]}))
    flags = "--locality", locality, "--format", "json"
    cut = json.loads(pagesum("pages", record, *flags, "--num-pages", "3").out)
    assert [page["text"] for page in cut["pages"]] == texts
    assert cut["locality"] == ("spatial" if locality == "auto" else locality)
    sections = [
        one["heading"] for one in json.loads(pagesum("pages", record, *flags).out)["sections"]
    ]
    assert ("Methods" in sections) == (locality == "discourse")


def test_what_is_lost_can_be_read(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "a.md"
    code = " ".join(f"word{number}" for number in range(100))
    path.write_text(f"The owls hunt.\n\n```\n{code}\n```\n\nAnd ~~they sleep~~ they rest.\n")
    left_out = pages_of(pagesum("pages", path, "--format", "json", "--model", tiny_checkpoint))[
        "left_out"
    ]
    assert [one["text"] for one in left_out] == [code, "they sleep"]


def test_attachments_have_a_row_each(pagesum, tiny_checkpoint, tmp_path):
    path = tmp_path / "a.eml"
    part = (
        "--b\nContent-Type: application/pdf\nContent-Disposition: attachment; "
        "filename={}.pdf\n\nx\n"
    )
    parts = "".join(part.format(name) for name in ("one", "two"))
    path.write_text(
        f"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nOwls hunt at "
        f"night.\n{parts}--b--\n"
    )
    result = pagesum("pages", path, "--model", tiny_checkpoint)
    rows = [line.split() for line in result.out.splitlines() if line.startswith("attachment")]
    assert rows == [["attachment", "0", "one.pdf"], ["attachment", "0", "two.pdf"]]
    assert "attachments were not read (one.pdf, two.pdf)" in result.err


def test_what_of_a_folder_is_not_read_is_named(pagesum, tiny_checkpoint, tmp_path):
    (tmp_path / "a.txt").write_text("Owls hunt at night.")
    (tmp_path / "b.sxw").write_text("x")
    (tmp_path / "c.docx").write_text("x")
    result = pagesum("pages", tmp_path, "--model", tiny_checkpoint)
    assert result.code == 0
    unreadable, broken = result.err.splitlines()
    assert unreadable.startswith(f"warning: {tmp_path}: no reader for b.sxw")
    assert broken.startswith(f"warning: not read: {tmp_path / 'c.docx'}: expected a Word document")
    assert (
        pagesum(
            "pages", tmp_path, "--exclude", "*.sxw", "--exclude", "c*", "--model", tiny_checkpoint
        ).err
        == ""
    )


def test_all_bad_files_are_named_at_once(pagesum, tiny_checkpoint, tmp_path):
    (tmp_path / "a.docx").write_text("x")
    (tmp_path / "b.txt").write_text("")
    both = pagesum("pages", tmp_path / "a.docx", tmp_path / "b.txt", "--model", tiny_checkpoint)
    assert (both.code, both.out) == (1, "")
    assert "a.docx: expected a Word document" in both.err
    assert "b.txt: expected text, found an empty file" in both.err
    missing = pagesum(
        "pages", "no.pdf", "never.pdf", "example.org/a.pdf", "", "--model", tiny_checkpoint
    )
    assert missing.err.startswith(
        "error: no.pdf: no such file; never.pdf: no such file; example.org/a.pdf: no such"
    )
    assert missing.code == 1


def test_missing_sections_are_reported(pagesum, tiny_checkpoint, letter):
    assert "no headings were found in letter.txt" in (
        pagesum("pages", letter, "--locality", "discourse", "--model", tiny_checkpoint).err
    )
    assert pagesum("pages", letter, "--model", tiny_checkpoint).err == ""


def test_a_document_has_as_many_words_in_all_views(pagesum, tiny_extractive, report, tmp_path):
    flags = ("--model", tiny_extractive)
    words = len(read_file(str(report))[0].text.split())
    assert f", {words} words, " in pagesum("pages", report, *flags).out
    assert pagesum("summarize", report, "-o", tmp_path / "page.html", *flags).code == 0
    assert f" · {words} words" in (tmp_path / "page.html").read_text(encoding="utf-8")
