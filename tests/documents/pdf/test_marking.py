"""The copy of a PDF with its quotes marked, and the boxes of quotes on pages that are turned or
cropped.
"""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from pdf_writer import LINES, Sheet, write
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import Fit, RectangleObject

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.pdf import marking
from pagesum_cli.documents.pdf.furniture import printed_numbers
from pagesum_cli.documents.pdf.runs import Dropped
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.summary.attribution import with_places
from pagesum_cli.summary.summary import LeadIn, PageShare, Source, Summary, SummarySentence
from pagesum_cli.views.marked import check_markable, write_marked

PAPER = Path(__file__).parents[3] / "docs" / "examples" / "paper.pdf"


def letters(text):
    return "".join(filter(str.isalnum, text))


def quoted(path, count=5):
    """Some sentences of a PDF as a summary."""
    document = read_file(str(path))[0]
    chosen = [
        one
        for one in all_sentences(document)
        if not one.is_heading and len(one.text) > 60 and one.text.isascii()
    ]
    step = len(chosen) // count
    chosen = chosen[step // 2 :: step][:count]
    sentences = [
        SummarySentence(
            one.text,
            (PageShare(0, 1.0),),
            Source(0, 0, document.name, "", one.pdf_pages, one.start, one.end),
        )
        for one in chosen
    ]
    return Summary("mini", "spatial", "", "", with_places(sentences, [document]), (), (), {}, {})


def changed(path, turn, crop):
    writer = PdfWriter(clone_from=PAPER)
    for page in writer.pages:
        page.rotation = turn
        left, bottom, right, top = page.cropbox
        page.cropbox = RectangleObject((left + crop, bottom + crop, right, top))
    writer.write(path)
    return path


@pytest.mark.parametrize(("turn", "crop"), [(0, 0), (90, 0), (270, 30), (180, 30)])
def test_the_text_under_the_boxes_is_the_quote(tmp_path, turn, crop):
    pdfium = pytest.importorskip("pypdfium2")
    path = changed(tmp_path / "paper.pdf", turn, crop)
    pdf = pdfium.PdfDocument(path)
    for sentence in quoted(path).sentences:
        found = ""
        for box in sentence.source.boxes:
            text = pdf[box.pdf_page - 1].get_textpage()
            corners = (
                box.x0 + crop - 0.5,
                box.y0 + crop - 0.5,
                box.x1 + crop + 0.5,
                box.y1 + crop + 0.5,
            )
            found += text.get_text_bounded(*corners)
        # PDFium reorders a turned page
        assert sorted(letters(found)) == sorted(letters(sentence.text))


def test_text_that_is_clipped_away_is_not_marked(tmp_path):
    shown = Sheet()
    shown.lines(72, 700, LINES * 3)
    boxes = []
    for name, hidden in (
        ("a", ""),
        ("b", "q 0 0 9 9 re W n BT /F1 10 Tf 72 695 Td (Other words were here.) Tj ET Q"),
    ):
        shown.operators.append(hidden)
        (tmp_path / name).write_bytes(write([shown]))
        boxes.append([sentence.source.boxes for sentence in quoted(tmp_path / name, 1).sentences])
    assert boxes[0] == boxes[1]


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler is not installed")
def test_poppler_reads_the_quote_under_the_marks(tmp_path):
    for sentence in quoted(PAPER).sentences:
        found = ""
        for box in sentence.source.boxes:
            height = float(PdfReader(PAPER).pages[box.pdf_page - 1].cropbox.height)
            area = (box.x0, height - box.y1, box.x1 - box.x0, box.y1 - box.y0)
            flags = [
                part
                for name, value in zip("xyWH", area, strict=True)
                for part in (f"-{name}", round(20 * value))
            ]
            pages = ["-f", box.pdf_page, "-l", box.pdf_page, "-r", 1440, "-raw"]
            command = ["pdftotext", *map(str, [*pages, *flags]), str(PAPER), "-"]
            found += subprocess.run(command, capture_output=True, check=True, text=True).stdout
        assert letters(found) == letters(sentence.text)


def test_everything_else_of_the_file_stays(tmp_path):
    writer = PdfWriter(clone_from=PAPER)
    writer.add_annotation(0, Link(rect=(10, 10, 50, 50), target_page_index=1, fit=Fit.fit()))
    writer.add_outline_item("Methods", page_number=1)
    writer.write(tmp_path / "paper.pdf")
    before = (tmp_path / "paper.pdf").read_bytes()
    summary = quoted(tmp_path / "paper.pdf")
    write_marked(summary, str(tmp_path / "paper.pdf"), str(tmp_path / "marked.pdf"))
    assert (tmp_path / "paper.pdf").read_bytes() == before
    assert (tmp_path / "marked.pdf").read_bytes().startswith(before)
    reader = PdfReader(tmp_path / "marked.pdf")
    assert "Methods" in [item.title for item in reader.outline if not isinstance(item, list)]
    marks = [one.get_object() for page in reader.pages for one in page.get("/Annots", ())]
    assert {"/Link", "/Highlight"} <= {mark["/Subtype"] for mark in marks}
    highlights = [mark for mark in marks if mark["/Subtype"] == "/Highlight"]
    assert highlights[0]["/Contents"] == f"1. {summary.sentences[0].text}"
    assert sum(len(mark["/QuadPoints"]) // 8 for mark in highlights) == sum(
        len(sentence.source.boxes) for sentence in summary.sentences
    )


def test_the_lead_in_of_items_is_marked_once(tmp_path):
    document = read_file(str(PAPER))[0]
    lead_in, *items = quoted(PAPER, 3).sentences
    place = {
        name: getattr(lead_in.source, name)
        for name in ("page", "sentence", "file", "section", "pdf_pages")
    }
    own = LeadIn(**place, start=lead_in.source.start, end=lead_in.source.end, text=lead_in.text)
    sentences = [replace(one, lead_in=own, opening=f"{own.text} ") for one in items]
    placed = with_places(sentences, [document])
    assert placed[0].lead_in.boxes == lead_in.source.boxes
    summary = Summary("mini", "spatial", "", "", placed, (), (), {}, {})
    write_marked(summary, str(PAPER), str(tmp_path / "marked.pdf"))
    pages = PdfReader(tmp_path / "marked.pdf").pages
    marks = [one.get_object() for page in pages for one in page.get("/Annots", ())]
    contents = [one["/Contents"] for one in marks if one["/Subtype"] == "/Highlight"]
    corners = [len(one["/QuadPoints"]) // 8 for one in marks if one["/Subtype"] == "/Highlight"]
    sources = [lead_in.source, *(one.source for one in items)]
    assert sum(corners) == sum(len(source.boxes) for source in sources)
    assert {one[:40] for one in contents} == {f"{n}. {own.text}"[:40] for n in (1, 2)}


def test_what_cannot_be_marked_is_refused_before_any_work(tmp_path):
    writer = PdfWriter(clone_from=PAPER)
    writer.encrypt("secret")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(PagesumError, match=r"is encrypted"):
        check_markable([str(tmp_path / "locked.pdf")], "out.pdf")
    with pytest.raises(UsageError, match=r"expected one PDF to mark, found notes\.txt"):
        check_markable(["notes.txt"], "out.pdf")
    with pytest.raises(UsageError, match="found 2 files"):
        check_markable(["a.pdf", "b.pdf"], "out.pdf")
    (tmp_path / "torn.pdf").write_bytes(PAPER.read_bytes()[:300])
    with pytest.raises(PagesumError):
        check_markable([str(tmp_path / "torn.pdf")], "out.pdf")


def test_a_summary_of_another_pdf_is_refused(tmp_path):
    summary = quoted(PAPER)
    writer = PdfWriter()
    writer.add_blank_page(612, 792)
    writer.write(tmp_path / "other.pdf")
    with pytest.raises(PagesumError, match="not the PDF of this summary"):
        write_marked(summary, str(tmp_path / "other.pdf"), str(tmp_path / "marked.pdf"))
    assert not (tmp_path / "marked.pdf").exists()


def dropped(*pieces):
    found = Dropped()
    for text, page in pieces:
        found.add("page number" if text.isdigit() else "running head", text, page, "")
    return found


@pytest.mark.parametrize(
    ("pieces", "count", "expected"),
    [
        ([("84", 1), ("85", 2), ("86", 3)], 3, ("84", "85", "86")),
        ([("1", 2), ("2", 3), ("4", 5)], 5, ("", "1", "2", "3", "4")),
        (
            [(f"Rao et al. 2010, 5:3 Page {page} of 4", page) for page in (2, 3, 4)],
            4,
            ("1", "2", "3", "4"),
        ),
        ([("Volume 7", 1), ("Volume 7", 2), ("Volume 7", 3)], 3, ()),
        ([("84", 1)], 1, ()),
        ([("84", 1), ("85", 2)], 4, ()),
    ],
)
def test_printed_numbers_are_those_that_count_most_pages(pieces, count, expected):
    assert printed_numbers(dropped(*pieces), count) == expected


def page_with(entries: str, kids: str = "3 0 R", count: int = 1) -> bytes:
    """A PDF of one page that has some text and these entries."""
    lines = " ".join(
        f"BT /F1 10 Tf 1 0 0 1 72 {700 - 12 * place} Tm ({line}) Tj ET"
        for place, line in enumerate(LINES)
    )
    font = "<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding>>"
    resources = "/Resources <</Font <</F1 5 0 R>>>>"
    page = f"<</Type /Page /Parent 2 0 R {resources} /Contents 4 0 R {entries}>>"
    objects = [
        "<</Type /Catalog /Pages 2 0 R>>",
        f"<</Type /Pages /Kids [{kids}] /Count {count}>>",
        page,
        f"<</Length {len(lines)}>>\nstream\n{lines}\nendstream",
        font,
    ]
    data, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n"
    end = f"trailer\n<</Size {len(objects) + 1} /Root 1 0 R>>\nstartxref\n{len(data)}\n%%EOF\n"
    return (data + head + table + end).encode()


USUAL = "/MediaBox [0 0 612 792] "


@pytest.mark.parametrize(
    ("entries", "kids", "area"),
    [
        (USUAL, "3 0 R", (0, 0, 612, 792)),
        ("", "3 0 R", (0, 0, 612, 792)),
        ("/MediaBox [612 792 0 0] /CropBox [500 780 20 20]", "3 0 R", (20, 20, 500, 780)),
        ("/MediaBox null", "3 0 R", (0, 0, 612, 792)),
        ("/MediaBox [/a /b /c /d]", "3 0 R", (0, 0, 612, 792)),
        ("/MediaBox [-1e9 -1e9 1e9 1e9] /CropBox [0 0 612 792]", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/CropBox [0 0]", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/CropBox [(a) (b) (c) (d)]", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/Annots 99 0 R", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/Annots (none)", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/Annots [null 7 99 0 R]", "3 0 R", (0, 0, 612, 792)),
        (USUAL + "/Annots <</Subtype /Text /Rect [0 0 9 9]>>", "3 0 R", (0, 0, 612, 792)),
        (USUAL, "3 0 R 3 0 R 3 0 R", (0, 0, 612, 792)),
    ],
)
def test_marks_lie_on_their_quote_whatever_the_boxes_and_annotations_are(
    tmp_path: Path, entries: str, kids: str, area: tuple[float, ...]
) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    count = kids.count("R")
    path, output = tmp_path / "a.pdf", tmp_path / "marked.pdf"
    path.write_bytes(page_with(entries, kids, count))
    page = pdfium.PdfDocument(path)[0].get_textpage()
    corners = [page.get_charbox(place) for place in range(20)]  # from the origin of user space
    left, bottom, _, _ = area
    box = (
        min(one[0] for one in corners) - left,
        min(one[1] for one in corners) - bottom,
        max(one[2] for one in corners) - left,
        max(one[3] for one in corners) - bottom,
    )
    marks = [("1. Foxes live in forest", [(number + 1, *box)]) for number in range(count)]
    problems: list[str] = []
    assert list(marking.mark(str(path), str(output), marks, problems.append)) == [count]
    assert problems == []
    marked = pdfium.PdfDocument(output)
    for number in range(count):
        assert marking._highlighted(marked, number + 1) == {"1. Foxes live in forest"}
    found = PdfReader(output).pages[0]["/Annots"][-1].get_object()["/QuadPoints"]
    x, y = found[0::2], found[1::2]
    assert page.get_text_bounded(min(x), min(y), max(x), max(y)) == "Foxes live in forest"


def test_a_page_that_cannot_be_marked_is_named(tmp_path: Path) -> None:
    path, output = tmp_path / "a.pdf", tmp_path / "marked.pdf"
    path.write_bytes(page_with(USUAL, "3 0 R 3 0 R", 2))
    inside, outside = (72.0, 690.0, 300.0, 710.0), (900.0, 690.0, 990.0, 710.0)
    problems: list[str] = []
    marks = [("1. a", [(1, *inside)]), ("2. b", [(2, *outside)])]
    assert list(marking.mark(str(path), str(output), marks, problems.append)) == [1]
    assert problems == [f"{path}, page 2: cannot be marked (a quote is outside its visible area)"]
    with pytest.raises(PagesumError, match="its pages cannot be marked: 2"):
        list(marking.mark(str(path), str(output), marks[1:]))
