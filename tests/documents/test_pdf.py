import json
import time
from pathlib import Path

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.pdf import pdf_document
from pagesum_cli.errors import PagesumError

SHARED = Path(__file__).parents[3] / "shared" / "pdfs"
LEFT = [
    "Foxes live in forests all over the world and eat",
    "what they find there, which is often a well-known",
    "mouse or a bird that has fallen from its nest in",
    "the storms of spring. They hunt alone, and at night",
    "they walk for many miles. Nobody has counted them",
    "so far, but there must be a great many of them to-",
]
RIGHT = [
    "day, as every farmer of the valley knows. In winter",
    "the foxes come close to the houses and look for food",
    "among the things that people have thrown away. This",
    "makes them popular with children and less so with",
    "the parents, who have to clean up after the visits",
    "of these well-known guests of the garden and house.",
]


def read(data: bytes, password: str | None = None):
    return pdf_document(data, "a.pdf", "a.pdf", password=password)


def article() -> bytes:
    """Two columns, running header, page number, numbered headings, a caption in the flow, references."""
    sheets = []
    for number in range(1, 4):
        sheet = Sheet()
        sheet.text(72, 765, f"Journal of Foxes, volume {number}", 8)
        sheet.text(300, 30, str(number), 9)
        sheets.append(sheet)
    one, two, three = sheets
    one.text(150, 720, "The Life of Foxes in Forests", 18, "F2")
    one.text(200, 695, "Ann Author and Bob Writer", 10)
    for sheet, heading in ((one, "1 Introduction"), (two, "2 Methods"), (three, "3 Results")):
        sheet.text(72, 660, heading, 12, "F2")
        y = 640
        for _ in range(6):
            y = sheet.lines(72, y, LEFT)
        y = 660
        for _ in range(6):
            y = sheet.lines(320, y, RIGHT)
    three.text(72, 190, "References", 12, "F2")
    three.lines(
        72,
        170,
        ["[1] A. Smith. Secret things of foxes. Nature 12, 2001.", "[2] B. Jones. More of it. Science 3, 2002."],
    )
    return write(sheets)


def test_columns_headings_furniture_and_references():
    document = read(article())
    assert document.title == "The Life of Foxes in Forests"
    assert [(one.heading, one.level, one.found_by) for one in document.sections] == [
        ("1 Introduction", 1, "numbering"),
        ("2 Methods", 1, "numbering"),
        ("3 Results", 1, "numbering"),
    ]
    text = document.sections[1].text
    assert text.startswith("Foxes live in forests all over the world and eat what they find there")
    assert text.rstrip().endswith("guests of the garden and house.")
    everything = " ".join(one.text for one in document.sections)
    assert "Journal of Foxes" not in everything
    assert "Secret things" not in everything
    assert "Ann Author" not in everything


def test_words_broken_at_line_ends_are_joined_and_compounds_kept():
    sheet = Sheet()
    sheet.lines(72, 700, ["This is a well-known story of a state of affairs that every reader has inter-"])
    sheet.lines(72, 688, ["preted in some way of her own, and it is told again here because it is so well-"])
    sheet.lines(72, 676, ["known to everybody."])
    text = read(write([sheet])).sections[0].text
    assert "interpreted in" in text
    assert "so well-known to" in text


def test_paragraph_over_a_page_break_knows_both_pages():
    one, two = Sheet(), Sheet()
    one.lines(72, 90, ["The sentence begins on the first page of the file and it goes on and on until it"])
    two.lines(72, 720, ["ends on the second page."])
    paragraph = read(write([one, two])).sections[0].paragraphs[0]
    assert paragraph.text.endswith("until it ends on the second page.")
    offset = paragraph.text.index("ends on")
    assert paragraph.pdf_pages(0, offset) == (1,)
    assert paragraph.pdf_pages(offset) == (2,)


def test_a_hanging_line_in_brackets_goes_on_with_its_item():
    sheet = Sheet()
    y = sheet.lines(72, 700, LEFT[:3])
    y = sheet.lines(72, y, ["(1) The first animal of this short list is the fox"])
    y = sheet.lines(90, y, ["(which was seen in the forest of the valley) again."])
    y = sheet.lines(72, y, ["(2) The second animal of the list is some old badger"])
    sheet.lines(72, y, LEFT[3:5])
    text = "\n".join(one.text for one in read(write([sheet])).sections[0].paragraphs)
    assert "is the fox (which was seen" in text


def test_outline_names_the_sections():
    sheets = []
    for name in ("Foxes", "Badgers", "Owls"):
        sheet = Sheet()
        sheet.text(72, 700, name, 12)
        sheet.lines(72, 680, LEFT)
        sheets.append(sheet)
    document = read(write(sheets, outline=[("Foxes", 0), ("Badgers", 1), ("Owls", 2)]))
    assert [(one.heading, one.found_by) for one in document.sections] == [
        ("Foxes", "outline"),
        ("Badgers", "outline"),
        ("Owls", "outline"),
    ]


def test_without_any_heading_pages_are_the_sections():
    sheets = []
    for _ in range(7):
        sheet = Sheet()
        sheet.lines(72, 700, LEFT * 5)
        sheets.append(sheet)
    sections = read(write(sheets)).sections
    assert {one.found_by for one in sections} == {"fallback"}
    assert [one.pdf_pages for one in sections] == [(1, 2, 3), (4, 5, 6), (7,)]


def test_exponents_stay_and_citation_marks_go():
    sheet = Sheet()
    sheet.text(72, 700, "There were 10", 10)
    sheet.text(72 + 56.9, 704, "5", 6)
    sheet.text(72 + 63, 700, "cells in the forests", 10)
    sheet.text(72 + 63 + 78, 704, "12,13", 6)
    sheet.text(72 + 63 + 96, 700, "of the north.", 10)
    text = read(write([sheet])).sections[0].text
    assert "10⁵ cells" in text
    assert "forests of the north" in text


def test_encrypted():
    data = write([article_sheet()], password="secret")
    with pytest.raises(PagesumError, match="encrypted") as caught:
        read(data)
    assert "--password" in caught.value.hint
    with pytest.raises(PagesumError, match="wrong"):
        read(data, "guess")
    assert "forests" in read(data, "secret").sections[0].text


def article_sheet() -> Sheet:
    sheet = Sheet()
    sheet.lines(72, 700, LEFT)
    return sheet


def test_no_text_layer_asks_for_ocr():
    with pytest.raises(PagesumError, match="scanned") as caught:
        read(write([Sheet(), Sheet()]))
    assert "OCR" in caught.value.hint


@pytest.mark.parametrize("keep", [9, 400, 1500])
def test_truncated(keep):
    with pytest.raises(PagesumError, match="broken or cut off"):
        read(article()[:keep].ljust(9))


def test_not_a_pdf():
    with pytest.raises(PagesumError, match="expected a PDF"):
        read(b"<html>not found</html>")


def test_absurd_operators_do_no_harm():
    sheet = article_sheet()
    sheet.operators += [
        "Q " * 1000,
        "q " * 5000,
        "/F9 1e300 Tf",
        "BT () Tj [] TJ (a) Tf ET",
        "1 2 cm",
        "/X Do",
        "0 0 0 0 0 0 cm",
    ]
    assert "forests" in read(write([sheet])).sections[0].text


@pytest.mark.slow
def test_two_thousand_pages():
    sheet = article_sheet()
    start = time.process_time()
    document = read(write([sheet] * 2000))
    assert document.sections[-1].pdf_pages[-1] == 2000
    assert time.process_time() - start < 200  # 0.1 s a page


@pytest.mark.skipif(not SHARED.exists(), reason="the PDFs with known headings are not here")
@pytest.mark.parametrize("name", ["epmc_PMC2832770", "epmc_PMC5376420", "jose_00143"])
def test_real_papers(name):
    truth = json.loads((SHARED / f"{name}.json").read_text())
    document = pdf_document((SHARED / f"{name}.pdf").read_bytes(), name, name)
    assert document.title == truth["title"]
    found = [one.heading.split(". ")[-1].replace("’", "'").lower() for one in document.sections]
    for heading in truth["section_headings"]:
        assert heading.split(". ")[-1].lower() in found
    assert "references" not in found
