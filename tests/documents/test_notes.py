"""Notes on documents that suit few models."""

import ast
from pathlib import Path

import pagesum_cli.documents.notes
from pagesum_cli.documents.model import HIDDEN, Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.notes import FORMULA, notes_on, unread
from pagesum_cli.documents.read import read_file

TEXTS = Path(__file__).parents[1] / "data" / "unsuitable"
REPORT = Path(__file__).parents[2] / "docs" / "examples" / "beige_book" / "boston.txt"


def notes(*paths: Path, languages: tuple[str, ...] = ("en",)) -> tuple[str, ...]:
    return notes_on([read_file(str(path))[0] for path in paths], "tiny", languages)


def test_an_ordinary_report_has_none() -> None:
    assert notes(REPORT) == ()


def test_in_a_mixed_cluster_the_files_are_named() -> None:
    names = ("minutes.txt", "german.txt", "hearing.txt")
    dialogue, language = notes(REPORT, *(TEXTS / name for name in names))
    assert dialogue.startswith("minutes.txt and hearing.txt look like a dialogue")
    assert language.startswith("german.txt is in German, but tiny was trained on English")


def test_captions_in_capitals_are_named(tmp_path: Path) -> None:
    path = tmp_path / "council.vtt"
    words = "THE COUNCIL SELLS THE OLD MILL TO THE OWNER OF THE NEW ONE, WHO MENDS IT NEXT YEAR."
    path.write_text(f"WEBVTT\n\n00:23.289 --> 00:24.591\n{words}\n", "utf-8")
    assert "council.vtt is in capitals: quotes are in sentence case" in notes(path)[1]


def test_many_files_are_counted() -> None:
    names = ("minutes.txt", "hearing.txt")
    documents = [read_file(str(TEXTS / name))[0] for name in names]
    others = [type(documents[0])(f"{number}.txt", documents[0].sections) for number in range(5)]
    (note,) = notes_on([*documents, *others], "tiny", [])
    assert note.startswith("minutes.txt, hearing.txt, 0.txt and 4 more look like")


def test_a_model_of_unknown_languages_gets_no_note_on_them() -> None:
    assert notes(TEXTS / "german.txt", languages=()) == ()
    assert notes(TEXTS / "german.txt", languages=("de", "fr")) == ()
    assert "trained on German and French" in notes(REPORT, languages=("de", "fr"))[0]


def test_text_that_a_file_does_not_show_is_reported() -> None:
    dropped = [LeftOut(HIDDEN, "one two", 2), LeftOut("table", "1 2 3", 3), LeftOut(HIDDEN, "x", 1)]
    document = Document(
        "a.html",
        (Section("", (Paragraph("Text."),)),),
        left_out=(*dropped, LeftOut(FORMULA, "", 0)),
    )
    assert document.hidden_words == 3
    assert list(unread([document])) == [
        "a.html: 3 words in the file are not shown on the page, and were not read",
        "a.html: 1 formula could not be read: the text has [formula] instead",
    ]
    assert list(unread([Document("b.html", document.sections)])) == []


def test_readers_that_give_reasons_import_no_languages() -> None:
    tree = ast.parse(Path(pagesum_cli.documents.notes.__file__).read_text(encoding="utf-8"))
    imported = [one.module for one in tree.body if isinstance(one, ast.ImportFrom)]
    assert imported == ["collections.abc", "model"]
