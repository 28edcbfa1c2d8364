"""Word documents: numbers, formulas and symbols are read as they are printed; what the page does
not show is not read.
"""

import io
import zipfile
from typing import Any

import pytest
from docx import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from word_files import DAY, PROSE, add_xml, code, mark, read, repacked, run, saved

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.readers import docx

UP, DOWN = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'


def text_of(inner: str) -> str:
    word = WordDocument()
    add_xml(word, inner)
    return read(word).text


def math(inner: str) -> str:
    return f"<m:oMath>{inner}</m:oMath>"


def m(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def part(name: str, **parts: str) -> str:
    inner = "".join(f"<m:{one}>{text}</m:{one}>" for one, text in parts.items())
    return f"<m:{name}>{inner}</m:{name}>"


def with_property(name: str, **values: str) -> str:
    inner = "".join(f'<m:{one} m:val="{value}"/>' for one, value in values.items())
    return f"<m:{name}Pr>{inner}</m:{name}Pr>"


def add_style(word: Any, key: str, properties: str) -> None:
    """Add a style of characters."""
    markup = f"<w:rPr>{properties}</w:rPr>"
    attributes = f'{nsdecls("w")} w:type="character" w:styleId="{key}"'
    word.styles.element.append(parse_xml(f"<w:style {attributes}>{markup}</w:style>"))


def left_out(word: Any) -> dict[str, str]:
    return {one.reason: one.text for one in read(word).left_out}


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (run("10") + run("6", UP) + run(" parts"), "10⁶ parts"),
        (run("10") + run("-", UP) + run("4", UP) + run(" losses"), "10⁻⁴ losses"),
        (run("H") + run("2", DOWN) + run("O, x") + run("i", DOWN), "H₂O, xᵢ"),
        (run("SO") + run("4", DOWN) + run("2-", UP), "SO₄²⁻"),
        (run("500 square meters") + run("2", UP), "500 square meters²"),
        (run("(1 + r)") + run("2", UP), "(1 + r)²"),
        (run("(a") + run("ij", DOWN) + run(")") + run("3", UP), "(aᵢⱼ)³"),
        (run("x") + run("q", UP), "x^(q)"),
        (run("2020") + run("1", UP), "2020¹"),
        (run("the day (of rest)") + run("3", UP), "the day (of rest)"),
    ],
)
def test_scripts_are_read_as_scripts(inner: str, expected: str) -> None:
    assert text_of(inner) == expected


def test_smaller_letters_that_are_raised_are_scripts() -> None:
    raised = '<w:position w:val="8"/><w:sz w:val="14"/>'
    word = WordDocument()
    paragraph = f'<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>{run("At 10")}{run("6", raised)}'
    add_xml(word, paragraph + run(" parts"))
    add_xml(word, run(PROSE))
    assert read(word).sections[0].heading == "At 10⁶ parts"


def test_scripts_by_a_style_of_characters() -> None:
    word = WordDocument()
    add_style(word, "Up", UP)
    add_xml(word, run("10") + run("6", '<w:rStyle w:val="Up"/>') + run(" parts"))
    assert read(word).text == "10⁶ parts"


def test_numbers_of_references_are_counted() -> None:
    word = WordDocument()
    add_xml(word, run(PROSE.removesuffix(".")) + run("12", UP) + run("."))
    assert read(word).text == PROSE
    assert left_out(word) == {"mark": "12"}


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (part("f", num=m("a+b"), den=m("c")), "(a+b)/c"),
        (part("sSup", e=m("10"), sup=m("-4")), "10⁻⁴"),
        (part("sSubSup", e=m("x"), sub=m("i"), sup=m("2")), "xᵢ²"),
        (part("sPre", sub=m("92"), sup=m("235"), e=m("U")), "²³⁵₉₂U"),
        (part("rad", deg="", e=m("x+1")), "√(x+1)"),
        (part("rad", deg=m("3"), e=m("27")), "∛27"),
        (
            f"<m:nary>{with_property('nary', chr='∑')}<m:sub>{m('i=1')}</m:sub>"
            f"<m:sup>{m('n')}</m:sup><m:e>{m('x')}</m:e></m:nary>",
            "∑ᵢ₌₁ⁿ x",
        ),
        (part("d", e=m("x, y")), "(x, y)"),
        (f"<m:d>{with_property('d', begChr='|', endChr='|')}<m:e>{m('x')}</m:e></m:d>", "|x|"),
        (part("func", fName=m("sin"), e=m("θ")), "sin θ"),
        (m("sin\u2061") + m("45"), "sin 45"),
        (part("limLow", e=m("lim"), lim=m("n → ∞")), "lim_(n→∞)"),
        (part("acc", e=m("x")), "x̂"),
        (part("d", e=f"<m:m>{part('mr', e=m('a'))}{part('mr', e=m('b'))}</m:m>"), "(a; b)"),
        (part("eqArr", e=m("x&amp;=1")), "x=1"),
        (f"<m:phant>{with_property('phant', show='0')}<m:e>{m('x')}</m:e></m:phant>{m('y')}", "y"),
    ],
)
def test_formulas_are_readable_text(inner: str, expected: str) -> None:
    assert text_of(run("We have ") + math(inner) + run(".")) == f"We have {expected}."


def test_formulas_that_cannot_be_read_are_marked_and_counted() -> None:
    ole = 'xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.DSMT4"'
    word = WordDocument()
    add_xml(word, run("We have ") + f"<w:r><w:object><o:OLEObject {ole}/></w:object></w:r>")
    add_xml(word, run("And ") + math("") + run("."))
    document = read(word)
    assert document.text == "We have [formula]\n\nAnd [formula]."
    assert [one.reason for one in document.left_out] == ["formula", "formula"]


@pytest.mark.parametrize(
    ("field", "expected"),
    [(r"EQ \f(1;2)", "1/2"), (r"EQ \r(\f(a+b,2))", "√((a+b)/2)"), (r"EQ \i(1,2,3)", "[formula]")],
)
def test_fields_that_draw_a_formula(field: str, expected: str) -> None:
    begun = mark("begin") + f"<w:r><w:instrText>{field}</w:instrText></w:r>" + mark("end")
    assert text_of(run("It is ") + begun) == f"It is {expected}"


def test_characters_of_fonts_of_symbols() -> None:
    symbol = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    plus_minus = '<w:r><w:sym w:font="Symbol" w:char="F0B1"/></w:r>'
    arrow = '<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>'
    inner = run("5 ") + plus_minus + run(" 2 ") + run("\uf06d", symbol) + run("m ") + arrow
    assert text_of(inner) == "5 ± 2 μm →"


def shade(fill: str) -> str:
    return f'<w:shd w:val="clear" w:color="auto" w:fill="{fill}"/>'


WHITE = '<w:color w:val="FFFFFF"/>'
W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
BLUE = '<w:color w:val="336699"/>'
BOX = (
    '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="{style}"><v:textbox>'
    "<w:txbxContent><w:p>{inner}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
)


@pytest.mark.parametrize(
    ("properties", "is_seen"),
    [
        ("<w:vanish/>", False),
        ('<w:vanish w:val="0"/>', True),
        (WHITE, False),
        (WHITE + shade("000080"), True),
        (WHITE + '<w:highlight w:val="black"/>', True),
        ('<w:color w:val="FF0000"/>' + shade("FF0000"), False),
        ('<w:color w:val="auto"/>', True),
        ('<w:sz w:val="2"/>', False),
        ('<w:rStyle w:val="Secret"/>', False),
        ('<w:rStyle w:val="Secret"/><w:vanish w:val="0"/>', True),
        ('<w:color w:val="auto" w:themeColor="background1"/>', False),
        ('<w:color w:val="F2F2F2"/>', False),
        ('<w:color w:val="BFBFBF"/>', True),
        ('<w:color w:val="FF0000"/><w:shd w:val="clear" w:fill="FE0101"/>', False),
        ('<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>', False),
        ('<w:highlight w:val="black"/>', True),
        ('<w:sz w:val="3"/>', False),
        ('<w:w w:val="1"/>', False),
        ('<w:spacing w:val="-400"/>', False),
        ('<w:spacing w:val="-20"/>', True),
        (f"<w14:textFill {W14}><w14:noFill/></w14:textFill>", False),
    ],
)
def test_words_that_the_page_does_not_show(properties: str, is_seen: bool) -> None:
    word = WordDocument()
    add_style(word, "Secret", "<w:vanish/>")
    add_xml(word, run("The award is ") + run("one dollar ", properties) + run("high."))
    document = read(word)
    assert ("one dollar" in document.text) is is_seen
    assert document.hidden_words == (0 if is_seen else 2)


def test_white_words_in_colored_tables_and_boxes_are_seen() -> None:
    word = WordDocument()
    table = word.add_table(1, 1, "Colorful Grid")
    cell = f"<w:p {nsdecls('w')}>{run(DAY, WHITE)}</w:p>"
    table.cell(0, 0)._tc.append(parse_xml(cell))
    assert read(word).text == DAY


@pytest.mark.parametrize(
    "block",
    [
        f"<w:tbl><w:tr><w:tc><w:tcPr>{shade('336699')}</w:tcPr><w:p>{run(DAY, BLUE)}</w:p></w:tc>"
        "</w:tr></w:tbl>",
        f"<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:p>{run(DAY)}</w:p></w:tc></w:tr></w:tbl>",
        f"<w:p><w:pPr>{shade('336699')}</w:pPr>{run(DAY, BLUE)}</w:p>",
        f'<w:p><w:pPr><w:ind w:left="-40000"/></w:pPr>{run(DAY)}</w:p>',
        f'<w:p><w:pPr><w:spacing w:line="1" w:lineRule="exact"/></w:pPr>{run(DAY)}</w:p>',
        BOX.format(style="visibility: hidden", inner=run(DAY)),
        BOX.format(style="", inner=run(DAY, "<w:vanish/>")),
    ],
)
def test_what_cells_rows_paragraphs_and_boxes_do_not_show(block: str) -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    body = parse_xml(f"<w:body {nsdecls('w')}>{block}</w:body>")
    word.element.body.insert(1, body[0])
    document = read(word)
    assert document.text == PROSE
    assert document.hidden_words == len(DAY.split())


def test_white_words_on_colored_pages_are_seen() -> None:
    word = WordDocument()
    add_xml(word, run(DAY, WHITE))
    colored = f'<w:background {nsdecls("w")} w:color="000080"/>'
    word.element.insert(0, parse_xml(colored))
    assert read(word).text == DAY


def test_words_that_are_struck_out_are_left_out() -> None:
    word = WordDocument()
    add_xml(word, run("We pay ") + run("ten ", "<w:dstrike/>") + run("two pounds."))
    assert read(word).text == "We pay two pounds."
    assert left_out(word) == {"struck out": "ten"}


def test_a_paragraph_whose_end_is_deleted_goes_on() -> None:
    word = WordDocument()
    deleted = '<w:pPr><w:rPr><w:del w:id="1" w:author="x"/></w:rPr></w:pPr>'
    add_xml(word, deleted + run("lorries above seven "))
    add_xml(word, run("tonnes are banned."))
    assert read(word).text == "lorries above seven tonnes are banned."


def test_rows_and_cells_that_are_deleted() -> None:
    word = WordDocument()
    table = word.add_table(2, 1)
    table.cell(0, 0).text, table.cell(1, 0).text = PROSE, DAY
    deleted = f'<w:trPr {nsdecls("w")}><w:del w:id="1" w:author="x"/></w:trPr>'
    table.rows[0]._tr.insert(0, parse_xml(deleted))
    assert read(word).text == DAY


def test_a_large_first_letter_belongs_to_its_word() -> None:
    word = WordDocument()
    add_xml(word, '<w:pPr><w:framePr w:dropCap="drop"/></w:pPr>' + run("T", '<w:sz w:val="90"/>'))
    add_xml(word, run("he owls hunt."))
    assert read(word).text == "The owls hunt."


def with_chunk(name: str, content: bytes) -> bytes:
    """A Word document with a part that is included after its only paragraph."""
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def change(path: str, data: bytes) -> bytes:
        if path == "word/document.xml":
            chunk = f'<w:altChunk xmlns:r="{relation}" r:id="chunk"/><w:sectPr'
            return data.replace(b"<w:sectPr", chunk.encode(), 1)
        if path == "word/_rels/document.xml.rels":
            target = f'<Relationship Id="chunk" Type="{relation}/aFChunk" Target="{name}"/>'
            return data.replace(b"</Relationships>", target.encode() + b"</Relationships>")
        return data

    word = WordDocument()
    word.add_paragraph(PROSE)
    packed = io.BytesIO(repacked(saved(word), change))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr(f"word/{name}", content)
    return packed.getvalue()


def test_included_parts_are_read_in_their_place() -> None:
    inner = WordDocument()
    inner.add_paragraph(DAY)
    page = f"<html><body><h1>Owls</h1><p>{DAY}</p></body></html>".encode()
    archived = b"MIME-Version: 1.0\nContent-Type: text/html\n\n" + page
    parts = [("a.html", page), ("a.mht", archived), ("a.txt", DAY.encode())]
    wide = [("a.html", page.decode().encode("utf-16")), ("a.txt", DAY.encode("utf-16"))]
    for name, content in parts + wide:
        assert read(with_chunk(name, content)).text.endswith(DAY)
    assert read(with_chunk("a.docx", saved(inner))).text == f"{PROSE}\n\n{DAY}"


def test_included_parts_that_cannot_be_read_are_reported() -> None:
    said: list[str] = []
    data = with_chunk("a.rtf", rb"{\rtf1 owls}")
    docx.read(Input("a.docx", "a.docx", given=data, on_problem=said.append))
    assert said == ["a.docx: an included part was not read (word/a.rtf)"]


def test_styles_without_a_name_or_an_id() -> None:
    word = WordDocument()
    word.add_paragraph(PROSE)
    for inner in ("<w:name/>", '<w:basedOn/><w:name w:val="x"/>', ""):
        for key in ('w:styleId="odd"', ""):
            style = f'<w:style {nsdecls("w")} w:type="paragraph" {key}>{inner}</w:style>'
            word.styles.element.append(parse_xml(style))
    assert read(word).text == PROSE


def test_a_table_with_a_caption_alone_is_read() -> None:
    word = WordDocument()
    word.add_paragraph("Table 1. Owls", style="Caption")
    word.add_table(1, 1).cell(0, 0).text = "Twelve owls"
    assert read(word).text == "Table 1. Owls\n\nTwelve owls"


def test_a_field_with_a_code_is_no_formula() -> None:
    assert text_of(run("Page ") + code("PAGE") + run("7") + mark("end")) == "Page 7"
