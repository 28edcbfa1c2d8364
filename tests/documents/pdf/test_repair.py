"""Damaged PDFs, and pages that are unlike those of most files."""

import re
from io import BytesIO

import pytest
from pdf_writer import LINES, PROSE, Sheet, write
from pypdf import PdfWriter
from pypdf._codecs.core_font_metrics import CORE_FONT_METRICS
from pypdf.generic import ArrayObject, NameObject
from tiny import assert_linear

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.pdf.reader import _mended, pdf_document
from pagesum_cli.errors import PagesumError


def read(data: bytes) -> Document:
    return pdf_document(data, "a.pdf", "a.pdf")


def page() -> Sheet:
    sheet = Sheet()
    sheet.lines(72, 700, LINES)
    return sheet


def saved(writer: PdfWriter) -> bytes:
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: data.rindex(b"xref\n0")],
        lambda data: data.replace(b"startxref", b"start"),
        lambda data: re.sub(rb"xref\n0 \d+", b"xref\nx0 7", data),
        lambda data: data.replace(b"%PDF-", b"%\xe2\xe3"),
    ],
)
def test_files_with_a_damaged_table_of_objects_are_read(damage):
    assert read(damage(write([page()]))).sections[0].text == PROSE


def test_a_repaired_file_says_that_there_may_have_been_more():
    data = write([page(), page()])
    document = read(data.replace(b"startxref", b"start"))
    assert list(unread([document])) == [
        "a.pdf: the PDF is broken or cut off; what could be found in it was read; download it "
        "again, or repair it: "
        "qpdf in.pdf out.pdf"
    ]
    assert list(unread([read(write([page()]))])) == []


def test_pages_are_collected_where_their_tree_runs_in_a_circle():
    writer = PdfWriter(clone_from=BytesIO(write([page()])))
    tree = writer.root_object["/Pages"]
    kids = ArrayObject([tree.indirect_reference, *tree["/Kids"]])
    tree[NameObject("/Kids")] = kids
    assert read(saved(writer)).sections[0].text == PROSE


def test_a_page_without_a_size_has_the_usual_one():
    writer = PdfWriter(clone_from=BytesIO(write([page()])))
    del writer.pages[0]["/MediaBox"]
    assert read(saved(writer)).sections[0].text == PROSE


def test_short_names_of_filters_are_known():
    content = "\n".join(page().operators).encode()
    writer = PdfWriter(clone_from=BytesIO(write([page()])))
    stream = writer.pages[0]["/Contents"].get_object()
    stream.set_data(content.hex().encode() + b">")
    stream[NameObject("/Filter")] = ArrayObject([NameObject("/AHx")])
    assert read(saved(writer)).sections[0].text == PROSE


def test_what_all_pages_repeat_is_read_where_there_is_nothing_else():
    sheets = [Sheet() for _ in range(4)]
    for sheet in sheets:
        sheet.text(72, 720, "Voucher for one dinner")
    document = read(write(sheets))
    texts = [paragraph.text for section in document.sections for paragraph in section.paragraphs]
    assert " ".join(texts) == " ".join(["Voucher for one dinner"] * 4)
    assert not document.left_out


def test_numbers_in_a_row_stay_apart():
    sheet = page()
    for place, number in enumerate("1234"):
        sheet.text(72 + 9 * place, 500, number)
    assert "1 2 3 4" in " ".join(
        [read(write([sheet])).text, *(one.text for one in read(write([sheet])).left_out)]
    )


def test_characters_of_chinese_that_are_left_out_are_counted_as_words():
    from pagesum_cli.documents.article.building import left_out

    assert left_out("table or figure", ["表格 two words"]).words == 4


def test_lines_beside_a_large_number_are_not_one_line():
    sheet = Sheet()
    sheet.text(50, 678, "1", size=30)
    widths = CORE_FONT_METRICS["Times-Roman"].character_widths
    for row, line in enumerate(LINES):
        x = 72.0
        for word in line.split():
            sheet.text(x, 700 - 12 * row, word)
            x += sum(widths[letter] for letter in word) / 100 + 2
    text = " ".join(
        paragraph.text
        for section in read(write([sheet])).sections
        for paragraph in section.paragraphs
    )
    assert all(line in text for line in LINES)


def test_a_space_drawn_within_a_word_is_not_one_after_it():
    sheet = page()
    sheet.operators += ["BT /F1 10 Tf 72 628 Td (Seen t) Tj ET", "BT /F1 10 Tf 90 628 Td ( ) Tj ET"]
    sheet.operators += ["BT /F1 10 Tf 96.7 628 Td (hat.) Tj ET"]
    assert "Seen that." in read(write([sheet])).text


def test_raised_dashes_are_no_exponents():
    sheet = page()
    sheet.text(72, 628, "Origin of these goods")
    sheet.text(165, 632, "-" * 12, size=6)
    text = read(write([sheet])).text
    assert "Origin of these goods" in text
    assert "\u207b" not in text


def test_a_search_for_the_catalog_takes_linear_time():
    assert_linear(lambda count: _mended(b"%PDF-1.4\n" + b"1 0 obj << /Type /Page " * count), 4_000)
    assert_linear(lambda count: _mended(b"%PDF-1.4\n" + b"1 0 " * count), 40_000)


def test_a_file_encrypted_for_certificates_says_so():
    data = write([page()], password="secret").replace(b"/Filter /Standard", b"/Filter /PubSec  ")
    with pytest.raises(PagesumError, match="encrypted for certain recipients"):
        read(data)


def test_a_short_line_in_bold_is_no_part_of_the_sentence_below_it() -> None:
    sheet = Sheet()
    sheet.text(60, 700, "Foxes live in the forest, and nobody has counted all of them so far.")
    sheet.text(60, 676, "What They Found", 10, "F2")
    sheet.lines(60, 662, [*LINES, "They found a fox."])
    found = pdf_document(write([sheet]), "a.pdf", "a.pdf")
    texts = [paragraph.text for section in found.sections for paragraph in section.paragraphs]
    assert any(text.startswith(LINES[0]) for text in texts)
