import json
from pathlib import Path

import pytest
from pdf_writer import Sheet, write
from tiny import assert_linear

from pagesum_cli.documents.article.back_matter import is_back_matter
from pagesum_cli.documents.pdf.furniture import remove_running_heads
from pagesum_cli.documents.pdf.headings import Body
from pagesum_cli.documents.pdf.hyphens import Words
from pagesum_cli.documents.pdf.lines import Line, Page
from pagesum_cli.documents.pdf.paragraphs import paragraphs_of
from pagesum_cli.documents.pdf.reader import pdf_document, read_lines
from pagesum_cli.documents.pdf.runs import Dropped, PageText, Run
from pagesum_cli.documents.pdf.segments import Segment, segments_of, without_overprints
from pagesum_cli.errors import PagesumError

PAPERS = Path(__file__).parents[2] / "data" / "pdfs"
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
    """Two columns, running header, page number, numbered headings, a caption in the flow,
    references.
    """
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
        [
            "[1] A. Smith. Secret things of foxes. Nature 12, 2001.",
            "[2] B. Jones. More of it. Science 3, 2002.",
        ],
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


def test_what_is_left_out_is_reported():
    left_out = {one.reason: one for one in read(article()).left_out}
    assert (
        left_out["running head"].text
        == "Journal of Foxes, volume 1 Journal of Foxes, volume 2 Journal of Foxes, volume 3"
    )
    assert left_out["running head"].pdf_pages == (1, 2, 3)
    assert left_out["page number"].words == 3
    assert left_out["front matter"].text == "Ann Author and Bob Writer"
    assert left_out["references"].text.startswith("References [1] A. Smith.")
    assert left_out["references"].pdf_pages == (3,)


def test_the_insides_of_tables_are_left_out_and_reported():
    sheet = article_sheet()
    for row in range(3):
        for column in range(4):
            sheet.text(80 + 100 * column, 600 - 12 * row, f"{row}.{column}")
    document = read(write([sheet]))
    assert "1.1" not in document.text
    (table,) = document.left_out
    assert (table.reason, table.words, table.pdf_pages) == ("table or figure", 12, (1,))


@pytest.mark.parametrize("number", ["²", "٣", "①"])
def test_digits_that_are_no_numbers_do_no_harm(number):
    runs = [
        Run(number, 50.0, 55.0, 700.0 - 12 * row, 10.0, False, False, "F1") for row in range(20)
    ]
    assert len(read_lines([PageText(runs)], Dropped())) == 20


def test_numbered_lines():
    sheet = Sheet()
    for row in range(20):
        sheet.text(40, 700 - 12 * row, str(row + 1))
        sheet.text(72, 700 - 12 * row, LEFT[row % 6])
    document = read(write([sheet]))
    assert "11" not in document.text
    assert [(one.reason, one.words) for one in document.left_out] == [("line number", 20)]


@pytest.mark.parametrize("places", [(30, 310), (30, 570), (300, 570)])
def test_both_columns_have_numbered_lines(places):
    sheet = Sheet()
    columns = LEFT[:5] * 4, RIGHT * 3
    for column, texts in enumerate(columns):
        sheet.lines(72 if column == 0 else 325, 660, texts)
        numbers = range(101 + 20 * column, 101 + 20 * column + len(texts))
        sheet.lines(places[column], 660, [str(number) for number in numbers], 6)
    document = read(write([sheet]))
    (section,) = document.sections
    assert section.text.split() == " ".join([*columns[0], *columns[1]]).split()
    assert [(one.reason, one.words) for one in document.left_out] == [("line number", 38)]


def test_words_broken_at_line_ends_are_joined_and_compounds_kept():
    sheet = Sheet()
    sheet.lines(
        72, 700, ["This is a well-known story of a state of affairs that every reader has inter-"]
    )
    sheet.lines(
        72, 688, ["preted in some way of her own, and it is told again here because it is so well-"]
    )
    sheet.lines(72, 676, ["known to everybody."])
    text = read(write([sheet])).sections[0].text
    assert "interpreted in" in text
    assert "so well-known to" in text


def test_paragraph_over_a_page_break_knows_both_pages():
    one, two = Sheet(), Sheet()
    one.lines(
        72, 90, ["The sentence begins on the first page of the file and it goes on and on until it"]
    )
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


def test_a_narrow_letter_beside_the_same_letter_is_not_printed_twice():
    # the last one is to make it bold
    ends = [("a", 10, 13.6), ("l", 13.6, 15.2), ("l", 15.2, 16.8), ("l", 15.5, 17.1)]
    runs = [Run(text, x0, x1, 300, 7, False, False, "Times") for text, x0, x1 in ends]
    assert [one.text for one in segments_of(without_overprints(runs), 612, 792)] == ["all"]


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


@pytest.mark.parametrize(
    "operators",
    ["1e8 Tc", "1e20 Tc", "100000000 Tc", "99999999999999999999 0 0 99999999999999 0 0 cm"],
)
def test_absurd_sizes_do_no_harm(operators):
    sheet = article_sheet()
    sheet.operators.append(f"q {operators}")
    sheet.lines(72, 300, LEFT)
    assert "storms of spring" in read(write([sheet] * 2)).sections[0].text


@pytest.mark.parametrize(
    "part", ["1 0 0 1 0 0 m\n", "1 " * 7 + "\n", "10 10 l\n10 10 l h f\n", "(((", "<<", "[ 1 2 "]
)
def test_reading_operators_takes_linear_time(part):
    sheets = {}
    for count in (40_000, 80_000):
        sheet = article_sheet()
        sheet.operators.append(part * count)
        sheets[count] = write([sheet])
    assert_linear(lambda count: read(sheets[count]), 40_000)


@pytest.mark.slow
def test_two_thousand_pages():
    sheet = article_sheet()

    def read_pages(count):
        assert read(write([sheet] * count)).sections[-1].pdf_pages[-1] == count

    assert_linear(read_pages, 1000, slack=5)


@pytest.mark.parametrize("name", ["epmc_PMC4391421", "jose_00143"])
def test_real_papers(name):
    truth = json.loads((PAPERS / f"{name}.json").read_text())
    document = pdf_document((PAPERS / f"{name}.pdf").read_bytes(), name, name)
    assert document.title == truth["title"]
    headings = [one.heading for one in document.sections if one.level == 1]
    expected = [one for one in truth["section_headings"] if not is_back_matter(one)]
    assert headings[-len(expected) :] == expected
    assert "references" in {one.reason for one in document.left_out}
    for heading in set(truth["section_headings"]) - set(expected):
        assert [one.reason for one in document.left_out if one.text.startswith(heading)] == [
            "back matter"
        ]


def test_what_stands_on_every_page_takes_linear_time():
    def remove(count):
        runs = [
            Run("ab", 2 * place, 2 * place + 1, 780, 10, False, False, "F") for place in range(3)
        ]
        segments = [Segment(runs, 0, 1, 780, 10) for _ in range(count // 4)]
        text = Segment([Run("text", 0, 1, 400, 10, False, False, "F")], 0, 1, 400, 10)
        pages = [Page(number, 612, 792, segments=[*segments, text]) for number in range(4)]
        remove_running_heads(pages, Dropped())
        assert [page.segments for page in pages] == [[text]] * 4

    assert_linear(remove, 20_000)


def test_what_stands_on_other_pages_at_another_height_stays():
    def page(number, y):
        segments = [
            Segment([Run(text, 72, 200, height, 10, False, False, "F")], 72, 200, height, 10)
            for text, height in (("A head", y), (f"text {number}", 400))
        ]
        return Page(number, 612, 800, segments=segments)

    for heights, kept in (
        ((780, 780), 2),
        ((780, 777), 2),
        ((780, 760), 4),
        ((777, 780), 2),
        ((760, 780), 4),
    ):
        pages = [page(number, y) for number, y in enumerate(heights, start=1)]
        remove_running_heads(pages, Dropped())
        assert sum(len(page.segments) for page in pages) == kept


@pytest.mark.parametrize("text", ["a" * 1000, "a-" * 500, "x" * 40 + "- " * 20, "1 " * 500])
def test_long_paragraphs_take_linear_time(text):
    def add(count):
        lines = [
            Line(text, 1, 0, 0, 500, 0, 500, 700 - 12 * place, 10, "F", False, False)
            for place in range(count)
        ]
        body = Body(10, "F", Words(lines))
        paragraphs_of(lines, body, Dropped())

    assert_linear(add, 400)
