"""``pagesum check``: the contract, exit codes, and bad input."""

import json
import os

import pytest

TEXT = """The council lent the farmers seed for the spring. Bread cost 24 cents in June.

Prices rose because the harvest failed in the north.
"""


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def summary(tmp_path):
    def written(content, name="summary.md"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return written


def test_json_follows_the_contract(pagesum, text, summary):
    result = pagesum(
        "check",
        summary("Bread cost 42 cents in June [p. 3]. Prices rose."),
        text,
        "--format",
        "json",
    )
    assert result.code == 1
    data = json.loads(result.out)
    assert data["schema"] == 1
    (file,) = data["files"]
    assert file.keys() == {"file", "sha256", "text_sha256", "reader"}
    assert (file["file"], len(file["sha256"])) == ("report.txt", 64)
    first, second = data["claims"]
    assert (first["text"], first["verdict"]) == ("Bread cost 42 cents in June", "differs")
    assert first["differences"] == [{"kind": "number", "claim": "42", "document": "24"}]
    assert first["citation"] == {"text": "[p. 3]", "holds": False}
    source = first["source"]
    assert source.keys() == {"file", "section", "pdf_pages", "start", "end", "text"}
    assert TEXT[source["start"] : source["end"]] == source["text"]
    assert (second["verdict"], "citation" in second) == ("edited", False)


@pytest.mark.parametrize(
    ("content", "flags", "code", "shown"),
    [
        ("Bread cost 24 cents in June.", [], 0, "1 verbatim"),
        ("Bread cost 24 cents in June. [report.txt]", [], 0, "1 verbatim"),
        ("Bread cost 24 cents in June. [p. 9]", [], 1, "cited wrongly"),
        ("Bread cost 42 cents in June.", [], 1, "number: “42”, the document has “24”"),
        ("In the north the harvest was poor, so that prices rose.", [], 0, "not proven"),
        ("In the north the harvest was poor, so that prices rose.", ["--strict"], 1, "not proven"),
        ("Astronauts landed on Mars.", [], 1, "1 not found"),
        ("<p>The report says “the harvest failed in the north”.</p>", [], 0, "1 verbatim"),
    ],
)
def test_exit_codes(pagesum, text, summary, content, flags, code, shown):
    name = "summary.html" if content.startswith("<") else "summary.txt"
    result = pagesum("check", summary(content, name), text, *flags)
    assert (result.code, shown in result.out) == (code, True), result.out


@pytest.mark.parametrize(
    "content", ["Урожай на севере погиб.", "Astronauten landeten auf dem Mars."]
)
def test_the_wrong_file_and_another_language_are_pointed_out(pagesum, text, summary, content):
    result = pagesum("check", summary(content), text)
    assert (result.code, "is this the summary of another document" in result.err) == (1, True)


def test_standard_input(pagesum, text):
    result = pagesum("check", "-", text, stdin=b"Bread cost 24 cents in June.\n")
    assert (result.code, "1 verbatim" in result.out) == (0, True)
    assert pagesum("check", "-", "-", stdin=b"Else.").code == 2


@pytest.mark.parametrize(("content", "code"), [("", 1), ("   \n", 1), ("Key points\n", 2)])
def test_a_summary_without_a_claim_is_refused(pagesum, text, summary, content, code):
    result = pagesum("check", summary(content), text)
    assert (result.code, result.out, result.err.startswith("error: ")) == (code, "", True)


def test_a_summary_of_pagesum_stands_in_its_document(pagesum, tiny_extractive, report, tmp_path):
    saved = tmp_path / "saved.json"
    done = pagesum("summarize", report, "--model", tiny_extractive, "--format", "json")
    saved.write_text(done.out, encoding="utf-8")
    result = pagesum("check", saved, report, "--format", "json")
    assert result.code == 0, result.out
    claims = json.loads(result.out)["claims"]
    assert {one["verdict"] for one in claims} <= {"verbatim", "edited"}
    assert all(one["citation"]["holds"] for one in claims)


def test_a_reading_page_is_checked_without_the_document_on_it(
    pagesum, tiny_extractive, report, tmp_path
):
    page = tmp_path / "page.html"
    pagesum("summarize", report, "--model", tiny_extractive, "--words", "30", "--output", page)
    claims = json.loads(pagesum("check", page, report, "--format", "json").out)["claims"]
    assert 1 <= len(claims) <= 4
    assert all(one["citation"]["holds"] for one in claims if "citation" in one)


def test_again_says_what_has_changed(pagesum, text, summary, tmp_path):
    given, saved = summary("Bread cost 24 cents in June. Prices rose."), tmp_path / "check.json"
    saved.write_text(pagesum("check", given, text, "--format", "json").out, encoding="utf-8")
    assert "nothing has changed" in pagesum("check", given, text, "--again", saved).out
    text.write_text(TEXT.replace("24", "25"), encoding="utf-8")
    result = pagesum("check", given, text, "--again", saved)
    assert "changed: report.txt" in result.out
    assert "verbatim → differs: Bread cost 24 cents in June." in result.out
    changes = json.loads(pagesum("check", given, text, "--again", saved, "--format", "json").out)[
        "changes"
    ]
    assert changes[1] == {
        "claim": "Bread cost 24 cents in June.",
        "before": "verbatim",
        "now": "differs",
    }


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "1", '{"schema": 1}', '{"schema": 1, "files": 1, "claims": [{}]}']
)
def test_another_file_for_again_is_refused(pagesum, text, summary, content):
    result = pagesum("check", summary("Else."), text, "--again", summary(content, "other.json"))
    assert (result.code, result.err.startswith("error: ")) == (1, True)


def test_a_pdf_of_images_is_refused_before_claims_are_checked(pagesum, summary, tmp_path):
    import pypdfium2

    pdf = pypdfium2.PdfDocument.new()
    pdf.new_page(200, 200)
    pdf.save(tmp_path / "scan.pdf")
    result = pagesum("check", summary("Else."), tmp_path / "scan.pdf")
    assert (result.code, result.out, "ocr" in result.err.lower()) == (1, "", True)


def test_a_summary_of_hardly_anything_but_holes_is_refused_before_it_is_read(
    pagesum, text, tmp_path
):
    path = tmp_path / "a.json"
    path.touch()
    os.truncate(path, 150 << 30)
    result = pagesum("check", path, text)
    assert result.code == 1
    assert "153,600 MB, of which the disk holds 0 MB" in result.err


def test_escape_codes_are_not_printed(pagesum, text, summary):
    result = pagesum("check", summary("\x1b[31mBread[/] cost \u202e42 cents in June."), text)
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out


@pytest.mark.slow
@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.stress)])
def test_thousands_of_claims(pagesum, text, summary, count):
    sentences = "".join(f"Bread number {number} cost 24 cents in June. " for number in range(count))
    result = pagesum("check", summary(sentences, "summary.txt"), text)
    assert (result.code, f"{count:,} claims" in result.out) == (1, True)
