"""Text of a PDF that nobody sees is left out and counted; what a person sees is read."""

from collections.abc import Callable
from io import BytesIO

import pytest
from pdf_resources import PICTURE, TEXT, dictionary, stream, with_resources
from pdf_writer import LINES, PROSE, Sheet, write
from pypdf import PdfWriter
from pypdf.generic import NameObject, TextStringObject

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.errors import PagesumError


def read(*operators: str, lines: list[str] = LINES) -> Document:
    sheet = Sheet()
    sheet.lines(72, 700, lines)
    sheet.operators += operators
    return pdf_document(with_resources(write([sheet])), "a.pdf", "a.pdf")


HIDDEN = {
    "invisible": f"3 Tr {TEXT}",
    "white": f"1 g {TEXT}",
    "nearly white": f"0.99 0.99 1 rg {TEXT}",
    "light gray that is all but white": f"0.95 g {TEXT}",
    "below a white area of two parts": f"{TEXT} 1 g 60 615 100 22 re f 160 615 300 22 re f",
    "in white that a form inherits": "1 g /Form Do",
    "in the red of an area": f"1 0 0 rg 60 615 400 22 re f 0.99 0 0 rg {TEXT}",
    "below a thick line": f"{TEXT} 0 G 20 w 60 630 m 460 630 l S",
    "black on a thick line": f"0 G 20 w 60 630 m 460 630 l S {TEXT}",
    "pressed to a line": TEXT.replace("72 628 Td", "0.02 0 0 1 72 628 Tm"),
    "pressed to a row": TEXT.replace("72 628 Td", "1 0 0 0.02 72 628 Tm"),
    "without any width": TEXT.replace("BT", "BT 0 Tz"),
    "clipped by letters": f"BT /F1 10 Tf 7 Tr 400 20 Td ( ) Tj ET 0 Tr {TEXT}",
    "tiny": TEXT.replace("10 Tf", "1 Tf"),
    "white stroke": f"1 Tr 1 G {TEXT}",
    "white on a white area": f"1 g 60 615 400 22 re f {TEXT}",
    "black on black": f"60 615 400 22 re f {TEXT}",
    "transparent": f"/Clear gs {TEXT}",
    "in a transparent form": "/Clear gs /Form Do",
    "below an area": f"{TEXT} 0.5 g 60 615 400 22 re f",
    "below a picture": f"{TEXT} 400 0 0 22 60 615 cm {PICTURE}",
    "in a hidden layer": f"/OC /Off BDC {TEXT} EMC",
    "in several layers": f"/OC /AllOn BDC {TEXT} EMC",
    "in a hidden form": "/HiddenForm Do",
    "too small": TEXT.replace("10 Tf", "0.2 Tf"),
    "of no size": TEXT.replace("10 Tf", "0 Tf"),
}
SHOWN = {
    "plain": TEXT,
    "white on black": f"60 615 400 22 re f 1 g {TEXT}",
    "white on a picture": f"q 400 0 0 22 60 615 cm {PICTURE} Q 1 g {TEXT}",
    "black on white": f"1 g 60 615 400 22 re f 0 g {TEXT}",
    "light gray": f"0.8 g {TEXT}",
    "half transparent": f"/Half gs {TEXT}",
    "below a transparent area": f"{TEXT} /Half gs 1 1 0 rg 60 615 400 22 re f",
    "beside an area": f"{TEXT} 0.5 g 60 500 400 22 re f",
    "beside a thick line": f"{TEXT} 0 G 20 w 60 500 m 460 500 l S",
    "in a thick frame": f"{TEXT} 0 G 4 w 60 600 400 60 re S",
    "clips what comes": TEXT.replace("BT", "BT 4 Tr"),
    "condensed": TEXT.replace("BT", "BT 50 Tz"),
    "in a shown layer": f"/OC /On BDC {TEXT} EMC",
    "in a form": "/Form Do",
    "with a white outline": f"2 Tr 1 G 0.1 w {TEXT}",
}


@pytest.mark.parametrize("drawn", HIDDEN.values(), ids=HIDDEN)
def test_text_that_nobody_sees_is_left_out_and_counted(drawn):
    document = read(f"q {drawn} Q")
    assert document.sections[0].text == PROSE
    if " 0 Tf" not in drawn and " 0 Tz" not in drawn:
        assert document.hidden_words == 4
        assert "4 words in the file are not shown on the page" in next(unread([document]))


@pytest.mark.parametrize("drawn", SHOWN.values(), ids=SHOWN)
def test_text_that_is_seen_is_read(drawn):
    document = read(f"q {drawn} Q")
    assert document.sections[0].text == f"{PROSE} The fox owes money."
    assert not document.hidden_words


@pytest.mark.parametrize("order", ["over", "under"])
@pytest.mark.parametrize("mode", [0, 3])
def test_the_text_layer_of_a_scan_is_read(order, mode):
    scan, text = f"q 612 0 0 792 0 0 cm {PICTURE} Q", [f"{mode} Tr", *lines_of(LINES)]
    stamp = "0 Tr BT /F1 10 Tf 72 20 Td (Downloaded) Tj ET"
    drawn = [scan, *text, stamp] if order == "over" else [*text, scan, stamp]
    document = read(*drawn, lines=[])
    assert PROSE in document.text
    assert not document.hidden_words


def lines_of(lines: list[str]) -> list[str]:
    sheet = Sheet()
    sheet.lines(72, 700, lines)
    return sheet.operators


def test_text_hidden_on_a_background_is_no_text_layer():
    background = f"q 612 0 0 792 0 0 cm {PICTURE} Q"
    document = read(background, *lines_of(LINES), f"3 Tr {TEXT}", lines=[])
    assert document.sections[0].text == PROSE
    assert document.hidden_words == 4


def test_a_file_that_shows_none_of_its_words_says_so():
    with pytest.raises(PagesumError, match="none of the PDF's 4 words is shown"):
        read(f"3 Tr {TEXT}", lines=[])


def changed(operators: str, change: Callable[[PdfWriter], None]) -> Document:
    """What is read of a page with these operators in a file that is changed."""
    sheet = Sheet()
    sheet.lines(72, 700, LINES)
    sheet.operators.append(operators)
    writer = PdfWriter(clone_from=BytesIO(with_resources(write([sheet]))))
    change(writer)
    buffer = BytesIO()
    writer.write(buffer)
    return pdf_document(buffer.getvalue(), "a.pdf", "a.pdf")


@pytest.mark.parametrize("name", ["\u0421\u043b\u043e\u0439", "Caf\u00e9", "", "Layer" * 500])
def test_layers_are_hidden_whatever_their_names(name: str) -> None:
    def rename(writer: PdfWriter) -> None:
        for group in writer.root_object["/OCProperties"]["/OCGs"]:
            group.get_object()[NameObject("/Name")] = TextStringObject(name)

    assert changed(f"/OC /Off BDC {TEXT} EMC", rename).sections[0].text == PROSE
    assert "The fox" in changed(f"/OC /On BDC {TEXT} EMC", rename).sections[0].text


def test_layers_that_are_not_for_the_screen_are_hidden() -> None:
    def hide(writer: PdfWriter) -> None:
        properties = writer.root_object["/OCProperties"]
        for group in properties["/OCGs"]:
            view = dictionary(ViewState=NameObject("/OFF"))
            group.get_object()[NameObject("/Usage")] = dictionary(View=view)
        properties[NameObject("/D")] = dictionary()

    assert changed(f"/OC /On BDC {TEXT} EMC", hide).sections[0].text == PROSE


def test_a_hidden_layer_within_a_shown_one() -> None:
    operators = f"/OC /On BDC /OC /AllOn BDC {TEXT} EMC EMC"
    assert changed(operators, lambda writer: None).sections[0].text == PROSE


@pytest.mark.parametrize("depth", [3, 8, 20])
@pytest.mark.parametrize("color", ["1 g", "0 g"])
def test_text_of_nested_forms(depth: int, color: str) -> None:
    def nest(writer: PdfWriter) -> None:
        forms = writer.pages[0]["/Resources"]["/XObject"]
        for _ in range(depth):
            inner = forms.raw_get("/Form")
            resources = dictionary(XObject=dictionary(Form=inner))
            entries = {key: forms["/Form"][f"/{key}"] for key in ("Type", "Subtype", "BBox")}
            outer = stream(b"/Form Do", Resources=resources, **entries)
            forms[NameObject("/Form")] = writer._add_object(outer)

    is_read = "The fox" in changed(f"{color} /Form Do", nest).sections[0].text
    assert is_read == (color == "0 g")
