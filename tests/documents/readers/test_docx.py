"""Word documents: what is read as a careful reader reads it, what is left out, and what is
refused.
"""

from pathlib import Path

import pytest
from docx import Document as WordDocument
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt
from tiny import assert_linear
from word_files import DAY, PROSE, add_xml, code, mark, outline, read, repacked, run, saved

from pagesum_cli.documents.read import read_file
from pagesum_cli.errors import PagesumError


def test_headings_by_style_and_by_what_styles_inherit() -> None:
    word = WordDocument()
    word.add_paragraph("Owls of the river", style="Title")
    word.add_paragraph("A study", style="Subtitle")
    word.add_heading("Methods", 1)
    word.add_paragraph(PROSE)
    own = word.styles.add_style("Zwischentitel", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = word.styles["Heading 2"]
    word.add_paragraph("Counting", style=own)
    word.add_paragraph("At night", style="List Bullet")
    add_xml(word, '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>' + run("Results"))
    word.add_paragraph(DAY)
    document = read(word)
    assert document.title == "Owls of the river"
    assert outline(document) == [
        (1, "Methods", [PROSE]),
        (2, "Counting", ["At night"]),
        (1, "Results", [DAY]),
    ]
    assert {one.found_by for one in document.sections} == {"outline"}
    assert [(one.reason, one.text) for one in document.left_out] == [("front matter", "A study")]


def test_headings_by_their_looks_where_no_style_is_used() -> None:
    word = WordDocument()
    word.add_paragraph().add_run("Owls and their nights").font.size = Pt(20)
    for heading in ("Where they hunt", "Where they sleep"):
        word.add_paragraph().add_run(heading).bold = True
        word.add_paragraph(PROSE + " " + DAY)
    document = read(word)
    assert document.title == "Owls and their nights"
    assert [(one.level, one.heading, one.found_by) for one in document.sections] == [
        (1, "Where they hunt", "style"),
        (1, "Where they sleep", "style"),
    ]


def test_one_bold_paragraph_is_no_heading() -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    word.add_paragraph().add_run("Remember this").bold = True
    word.add_paragraph(DAY)
    assert outline(read(word)) == [(1, "", [PROSE, "Remember this", DAY])]


def test_tables_are_left_out_unless_they_are_layout() -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    for row in ([["Year", "Owls"], ["1900", "12"]], [[DAY]]):
        table = word.add_table(len(row), len(row[0]))
        for place, line in enumerate(row):
            for column, text in enumerate(line):
                table.cell(place, column).text = text
    document = read(word)
    assert outline(document) == [(1, "", [PROSE, DAY])]
    assert [(one.reason, one.text, one.words) for one in document.left_out] == [
        ("table", "Year Owls 1900 12", 4)
    ]


def test_the_rows_of_each_table_are_known_with_their_cells() -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    offices = word.add_table(2, 3)
    for cell, text in zip(
        offices._cells, ["Task", "When", "Who", "Benches", "", "Ann"], strict=True
    ):
        cell.text = text
    offices.cell(1, 2).add_paragraph("and Tom")
    pairs = word.add_table(1, 2)
    pairs.cell(0, 0).text, pairs.cell(0, 1).text = "Owls", "12"
    assert [one.rows for one in read(word).left_out] == [
        ("Task | When | Who", "Benches | | Ann and Tom"),
        ("Owls | 12",),
    ]


def test_a_cell_over_several_columns_is_before_empty_ones() -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    table = word.add_table(2, 3)
    for cell, text in zip(table._cells, ["Owl", "", "Barn", "Ann", "Tom", "Eve"], strict=True):
        cell.text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    assert read(word).left_out[0].rows == ("Owl | | Barn", "Ann | Tom | Eve")


def test_a_form_that_is_all_table_is_read() -> None:
    word = WordDocument()
    word.add_table(1, 2).cell(0, 0).text = "Name of the owl"
    assert read(word).text == "Name of the owl"


def test_captions_are_left_out_and_sentences_about_figures_are_not() -> None:
    word = WordDocument()
    about = (
        "Figure 1 shows that the owls of the barns hunt more often in the nights without any moon."
    )
    word.add_paragraph(about)
    word.add_paragraph(
        "Figure 1. The owls of the barns hunt more often in the nights without any moon at all."
    )
    word.add_paragraph("Owls at night", style="Caption")
    document = read(word)
    assert document.text == about
    assert [(one.reason, one.words) for one in document.left_out] == [("caption", 21)]


def test_insertions_are_read_and_deletions_are_not() -> None:
    word = WordDocument()
    deleted = '<w:del w:id="1" w:author="x"><w:r><w:delText>bats</w:delText></w:r></w:del>'
    moved = f'<w:moveFrom w:id="2" w:author="x">{run("away")}</w:moveFrom>'
    inserted = f'<w:ins w:id="3" w:author="x">{run("owls")}</w:ins>'
    add_xml(
        word,
        run("We saw ")
        + deleted
        + inserted
        + moved
        + run(" at night.")
        + run(" secret", "<w:vanish/>"),
    )
    assert read(word).text == "We saw owls at night."


def test_special_characters_links_controls_and_formulas() -> None:
    word = WordDocument()
    link = f'<w:hyperlink w:anchor="x">{run("a link")}</w:hyperlink>'
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{run(' a control')}</w:sdtContent></w:sdt>"
    dash = (
        "<w:r><w:t>well</w:t><w:noBreakHyphen/>"
        "<w:t>kept, hy</w:t><w:softHyphen/><w:t>phen</w:t></w:r>"
    )
    formula = (
        "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num>"
        "<m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"
    )
    add_xml(word, link + control + run(", ") + dash + run(", ") + formula)
    assert read(word).text == "a link a control, well-kept, hyphen, a/b"


def test_raised_reference_numbers_are_dropped_and_exponents_are_not() -> None:
    word = WordDocument()
    up = '<w:vertAlign w:val="superscript"/>'
    add_xml(
        word,
        run("as shown before")
        + run("12,13", up)
        + run(" on 5 km")
        + run("2", up)
        + run(" on the 2")
        + run("nd", up),
    )
    assert read(word).text == "as shown before on 5 km² on the 2nd"


def test_a_table_of_contents_and_a_bibliography_are_left_out() -> None:
    word = WordDocument()
    add_xml(word, code(r' TOC \o "1-3" ') + code("PAGEREF _Toc1") + run("Methods 3") + mark("end"))
    add_xml(word, run("Results 4") + mark("end"))
    word.add_heading("Methods", 1)
    add_xml(
        word,
        run("We cite ")
        + code("ADDIN ZOTERO_ITEM {}")
        + run("(Smith 1900)")
        + mark("end")
        + run("."),
    )
    word.add_heading("Results", 1)
    word.add_paragraph(PROSE)
    add_xml(word, code("ADDIN ZOTERO_BIBL {}") + run("Smith 1900. A book.") + mark("end"))
    word.add_heading("References", 1)
    word.add_paragraph("Jones 1901. Another book.")
    document = read(word)
    assert outline(document) == [(1, "Methods", ["We cite (Smith 1900)."]), (1, "Results", [PROSE])]
    assert [(one.reason, one.words) for one in document.left_out] == [
        ("contents", 4),
        ("references", 4),
        ("references", 5),
    ]


def test_text_boxes_with_prose_follow_their_paragraph() -> None:
    word = WordDocument()
    boxes = [f"<w:txbxContent><w:p>{run(text)}</w:p></w:txbxContent>" for text in (DAY, "Yes")]
    shapes = "".join(
        f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
        for box in boxes
    )
    add_xml(word, run(PROSE[:30]) + shapes + run(PROSE[30:]))
    document = read(word)
    assert outline(document) == [(1, "", [PROSE, DAY])]
    assert [(one.reason, one.text) for one in document.left_out] == [("text box", "Yes")]


def test_headers_comments_and_notes_are_left_out_and_counted() -> None:
    word = WordDocument()
    paragraph = word.add_paragraph(PROSE)
    word.sections[0].header.paragraphs[0].text = "Journal of owls"
    word.add_comment(paragraph.runs, "Is this so?", author="x")
    document = read(word)
    assert document.text == PROSE
    assert {(one.reason, one.words) for one in document.left_out} == {
        ("running head", 3),
        ("comment", 3),
    }


def test_authors_before_the_abstract_of_a_paper_are_left_out() -> None:
    word = WordDocument()
    word.add_paragraph("Owls", style="Title")
    word.add_paragraph("Ada Lee, University of Owls")
    word.add_heading("Abstract", 1)
    word.add_paragraph(PROSE)
    document = read(word)
    assert outline(document) == [(1, "Abstract", [PROSE])]
    assert [one.reason for one in document.left_out] == ["front matter"]


def test_the_title_of_the_properties_is_no_name_of_a_file() -> None:
    word = WordDocument()
    word.core_properties.title = "Microsoft Word - report final.docx"
    word.add_paragraph(PROSE)
    assert read(word).title == ""
    word.core_properties.title = "Owls"
    assert read(word).title == "Owls"


@pytest.mark.parametrize("kind", ["macroEnabled.main", "template.main"])
def test_templates_and_documents_with_macros_are_read(kind: str) -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    data = repacked(
        saved(word), lambda name, part: part.replace(b"document.main+xml", f"{kind}+xml".encode())
    )
    assert read(data).text == PROSE


def test_strict_markup_and_missing_parts() -> None:
    word = WordDocument()
    word.add_heading("Methods", 1)
    word.add_paragraph(PROSE)
    usual, strict = (
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    )
    data = repacked(
        saved(word),
        lambda name, part: part.replace(usual, strict).replace(b"theme/theme1.xml", b"../NULL"),
    )
    assert outline(read(data)) == [(1, "Methods", [PROSE])]


def broken(name: str) -> bytes:
    word = WordDocument()
    word.add_paragraph(PROSE)
    data = saved(word)
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    body = "word/document.xml"
    return {
        "cut": data[: len(data) // 2],
        "html": b"<html><body>Login</body></html>",
        "entities": repacked(data, lambda path, part: bomb if path == body else part),
        "bomb": repacked(data, lambda path, part: b" " * (20 << 20) if path == body else part),
        "xml": repacked(data, lambda path, part: part[:-40] if path == body else part),
        "sheet": repacked(
            data, lambda path, part: part.replace(b"word/document.xml", b"xl/workbook.xml")
        ).replace(b"word/document.xml", b"xl/workbook.xml.."),
        "empty": saved(WordDocument()),
    }[name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cut", "expected a Word document, found a file that is damaged or cut off"),
        ("html", "expected a Word document, found something else"),
        ("entities", "defines XML entities"),
        ("bomb", "unpacks to more than 16 MB"),
        ("xml", "expected a Word document, found a file that is damaged"),
        ("sheet", "found a spreadsheet"),
        ("empty", "expected text, found none"),
    ],
)
def test_damaged_and_hostile_files_are_refused_in_one_line(
    name: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(broken(name))
    with pytest.raises(PagesumError, match=message) as caught:
        read_file(str(path))
    assert "\n" not in caught.value.message


def test_styles_that_are_based_on_each_other() -> None:
    word = WordDocument()
    one, other = (word.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH) for name in ("One", "Other"))
    one.base_style, other.base_style = other, one
    word.add_paragraph(PROSE, style=one)
    assert read(word).text == PROSE


def test_time_grows_with_the_length() -> None:
    def documents(count: int) -> bytes:
        word = WordDocument()
        body = word.element.body
        cell = f"<w:tbl {nsdecls('w')}><w:tr><w:tc><w:p>{run(PROSE)}</w:p></w:tc></w:tr></w:tbl>"
        for _ in range(200 * count):
            body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{mark('begin') + run(PROSE) * 3}</w:p>"))
            body.insert(0, parse_xml(cell))
        return saved(word)

    files = {count: documents(count) for count in (1, 2, 4, 8)}
    assert_linear(lambda count: read(files[count]), 1)
