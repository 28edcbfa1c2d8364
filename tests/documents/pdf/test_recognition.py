"""Scanned pages are read by Tesseract: here a program that answers what Tesseract would."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pdf_resources import PICTURE, with_resources
from pdf_writer import Sheet, write

from pagesum_cli.documents.boxes import boxes_of
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.pdf import recognition
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.errors import PagesumError
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim

PAGE = f"612 0 0 792 0 0 cm {PICTURE}"  # a picture that fills the page
LINES = (
    "The farmers sowed 420 acres of wheat|96 96 96 62 96 96 96",
    "in the spring and the fox watched.|96 40 96 96 96 96 96",
    "They sold the harvest in the autumn.|96 96 96 96 96 96 96",
    "ei ~. gu|12 20 31",
)
INSTALLED = "List of available languages (3):\neng\nosd\ndeu"

Scan = Callable[[str], None]


def hocr(lines: tuple[str, ...] = LINES) -> str:
    """What Tesseract writes for lines at 300 dots per inch, each with its words' confidences."""
    found = []
    for number, line in enumerate(lines):
        text, _, confidences = line.partition("|")
        top, left, spans = 300 + 60 * number, 300, []
        for word, confidence in zip(text.split(), confidences.split(), strict=True):
            box = f"bbox {left} {top} {left + 20 * len(word)} {top + 42}"
            title = f"{box}; x_wconf {confidence}"
            spans.append(f"<span class='ocrx_word' title='{title}'>{word}</span>")
            left += 20 * len(word) + 14
        title = f"bbox 300 {top} {left} {top + 42}; baseline 0 -10; x_size {42 + number}"
        found.append(f"<span class='ocr_line' title='{title}'>{''.join(spans)}</span>")
    return f"<html><body>{''.join(found)}</body></html>"


@pytest.fixture
def scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scan]:
    """Installs a program that recognizes what it is told, and only that."""

    def install(answer: str) -> None:
        (tmp_path / "answer").write_text(answer, encoding="utf-8")
        program = tmp_path / "tesseract"
        program.write_text(
            f"#!/bin/sh\nif [ $1 = --list-langs ]; then echo '{INSTALLED}'; exit; fi\n"
            f'/bin/cat > {tmp_path}/picture; echo "$@" > {tmp_path}/arguments\n'
            f"exec /bin/cat {tmp_path}/answer\n",
            encoding="utf-8",
        )
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(recognition.LANGUAGES, raising=False)
    recognition.languages.cache_clear()
    yield install
    recognition.languages.cache_clear()


def read(*operators: str, pages: int = 1) -> Document:
    sheets = [Sheet() for _ in range(pages)]
    sheets[0].operators += operators
    return pdf_document(with_resources(write(sheets)), "a.pdf", "a.pdf")


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
class TestScans:
    def test_a_scanned_page_is_read(self, scan: Scan, tmp_path: Path) -> None:
        scan(hocr())
        document = read(PAGE)
        assert document.sections[0].text == (
            "The farmers sowed 420 acres of wheat in the spring and the fox watched. They sold the "
            "harvest in the autumn."
        )
        assert document.recognized == (1,)
        assert (tmp_path / "picture").read_bytes().startswith(b"P5 2550 3300 255\n")
        arguments = (tmp_path / "arguments").read_text(encoding="utf-8")
        assert arguments.split() == ["-", "-", "-l", "eng+deu", "--dpi", "300", "hocr"]

    @pytest.mark.parametrize(("letters", "recognized"), [(60, (1,)), (20, ())])
    def test_letters_that_are_drawn_as_areas_are_recognized(
        self, scan: Scan, letters: int, recognized: tuple[int, ...]
    ) -> None:
        scan(hocr())
        text = Sheet()
        text.text(72, 628, "The fox owes money to the owl.", 10, "F1")
        drawn = Sheet()
        drawn.operators += [f"{72 + 6 * one} 600 5 9 re f" for one in range(letters)]
        document = pdf_document(with_resources(write([drawn, text])), "a.pdf", "a.pdf")
        assert document.recognized == recognized

    def test_lines_stand_where_they_are(self, scan: Scan) -> None:
        scan(hocr())
        (box, _), *_ = boxes_of(read(PAGE), 10, 20)
        assert (round(box.x0), box.pdf_page) == (72, 1)
        assert box.y0 < 792 - 72 * (300 + 32) / 300 < box.y1

    def test_uncertain_words_are_named(self, scan: Scan) -> None:
        scan(hocr())
        document = read(PAGE)
        assert document.uncertain == ((1, "420"),)  # "the" is certain elsewhere
        assert document.uncertain_in("He had 420 and 421.", [1]) == ("420",)
        assert document.uncertain_in("He had 420.", [2]) == ()
        (line,) = unread([document])
        assert "1 page is scanned" in line
        assert "1 word may be wrong" in line

    def test_what_is_hardly_recognized_is_left_out(self, scan: Scan) -> None:
        scan(hocr())
        (left_out,) = read(PAGE).left_out
        assert (left_out.reason, left_out.words) == (recognition.ILLEGIBLE, 3)

    def test_an_uncertain_word_is_never_verbatim(self, scan: Scan) -> None:
        scan(hocr())
        checker = Checker.of([read(PAGE)])
        certain = checker.check(Claim("They sold the harvest in the autumn."))
        assert certain.verdict == "verbatim"
        claim = "The farmers sowed 420 acres of wheat in the spring and the fox watched."
        uncertain = checker.check(Claim(claim))
        assert uncertain.verdict == "edited"
        assert [(one.kind, one.span) for one in uncertain.differences] == [("uncertain", (18, 21))]

    def test_pages_with_text_are_not_recognized(self, scan: Scan) -> None:
        scan(hocr())
        document = read("BT /F1 10 Tf 72 628 Td (The fox owes money to the owl.) Tj ET", PAGE)
        assert document.recognized == ()

    def test_progress_is_reported_for_each_page(self, scan: Scan) -> None:
        scan(hocr())
        calls: list[None] = []
        sheet = Sheet()
        sheet.operators.append(PAGE)
        data = with_resources(write([sheet]))
        pdf_document(data, "a.pdf", "a.pdf", on_progress=lambda: calls.append(None))
        assert len(calls) == 1

    @pytest.mark.parametrize("answer", ["", "<html></html>", "not what it should be", "\0<\xff"])
    def test_nonsense_is_an_empty_page(self, scan: Scan, answer: str) -> None:
        scan(answer)
        with pytest.raises(PagesumError, match="Tesseract recognized no words"):
            read(PAGE)

    def test_an_unknown_language(self, scan: Scan, monkeypatch: pytest.MonkeyPatch) -> None:
        scan(hocr())
        monkeypatch.setenv(recognition.LANGUAGES, "deu+xyz")
        with pytest.raises(PagesumError, match="does not have the language 'xyz'") as caught:
            read(PAGE)
        assert "eng, deu" in str(caught.value.hint)

    def test_it_can_be_turned_off(self, scan: Scan, monkeypatch: pytest.MonkeyPatch) -> None:
        scan(hocr())
        monkeypatch.setenv(recognition.LANGUAGES, "none")
        with pytest.raises(PagesumError, match="no text layer: scanned") as caught:
            read(PAGE)
        assert "OCR" in str(caught.value.hint)


def test_without_the_program(scan: Scan) -> None:
    with pytest.raises(PagesumError, match="no text layer: scanned") as caught:
        read(PAGE)
    assert "apt install tesseract-ocr" in str(caught.value.hint)


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
@pytest.mark.slow
def test_tesseract_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is drawn, and its drawing is read."""
    import pypdfium2

    monkeypatch.setenv(recognition.LANGUAGES, "eng")
    recognition.languages.cache_clear()
    sheet = Sheet()
    sheet.lines(72, 700, ["The farmers sowed the wheat", "and sold it in the autumn."])
    file = pypdfium2.PdfDocument(write([sheet]))
    page = file[0]
    found = recognition.recognize(page.raw, page.get_size())
    recognition.languages.cache_clear()
    assert found is not None
    words = " ".join(run.text for run in found.text.runs)
    assert words == "The farmers sowed the wheat and sold it in the autumn."
    assert abs(found.text.runs[0].y - 700) < 2
