"""PDFs that are no papers: turned pages, forms, layers, fonts without characters, portfolios,
contents pages.
"""

from collections.abc import Callable
from io import BytesIO

import pytest
from pdf_writer import LINES, PROSE, Sheet, write
from pypdf import PdfReader, PdfWriter, Transformation
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    RectangleObject,
    TextStringObject,
)
from tiny import assert_linear

from pagesum_cli.documents import input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.documents.read import read_file
from pagesum_cli.errors import PagesumError


def read(data: bytes) -> Document:
    return pdf_document(data, "a.pdf", "a.pdf")


def sheet(*operators: str, leading: float = 12) -> Sheet:
    one = Sheet()
    one.lines(72, 700, LINES, leading=leading)
    one.operators += operators
    return one


def changed(change: Callable[[PdfWriter], None], *sheets: Sheet) -> bytes:
    """The PDF of these pages, or of one with prose, after a change."""
    writer = PdfWriter(clone_from=BytesIO(write(list(sheets) or [sheet()])))
    change(writer)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def dictionary(**entries: object) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in entries.items()})


def names(*values: str) -> ArrayObject:
    return ArrayObject([NameObject(value) for value in values])


def left_out(document: Document) -> dict[str, int]:
    words: dict[str, int] = {}
    for one in document.left_out:
        words[one.reason] = words.get(one.reason, 0) + one.words
    return words


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_pages_that_are_turned_are_read_upright(angle):
    def turn_page(writer: PdfWriter) -> None:
        writer.pages[0][NameObject("/Rotate")] = NumberObject(angle)

    def turn_text(writer: PdfWriter) -> None:
        moves = {90: (792, 0), 180: (612, 792), 270: (0, 612)}
        writer.pages[0].add_transformation(Transformation().rotate(angle).translate(*moves[angle]))
        if angle != 180:
            writer.pages[0].mediabox = writer.pages[0].cropbox = RectangleObject((0, 0, 792, 612))

    def turn_both(writer: PdfWriter) -> None:
        turn_text(writer)
        writer.pages[0][NameObject("/Rotate")] = NumberObject(angle)

    for change in (turn_page, turn_text, turn_both):
        document = read(changed(change))
        assert document.sections[0].text == PROSE
        assert not document.left_out


def test_text_turned_against_the_page_is_left_out_and_counted():
    stamp = "BT /F1 12 Tf 0 1 -1 0 30 200 Tm (Downloaded on Monday) Tj ET"
    document = read(write([sheet(stamp)]))
    assert document.sections[0].text == PROSE
    assert left_out(document) == {"turned text": 3}


def test_pages_of_any_size_are_read():
    for factor in (0.03, 30):
        assert (
            read(changed(lambda writer, by=factor: writer.pages[0].scale_by(by))).sections[0].text
            == PROSE
        )


def test_text_outside_the_visible_page_is_left_out_and_counted():
    def crop(writer: PdfWriter) -> None:
        writer.pages[0].cropbox = RectangleObject((50, 300, 562, 792))

    document = read(changed(crop, sheet("BT /F1 10 Tf 72 100 Td (Printed at noon) Tj ET")))
    assert document.sections[0].text == PROSE
    assert left_out(document) == {"outside the page": 3}


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ("/Span <</ActualText (office)>> BDC (o#ce) Tj EMC", "office"),
        ("/Span <</Lang (en) /ActualText <FEFF00E9>>> BDC (e') Tj EMC", "\u00e9"),
        ("(fox) Tj /Span <</ActualText <FEFF00AD>>> BDC (-) Tj EMC", "fox-"),
        ("/P <</MCID 0>> BDC (plain) Tj EMC", "plain"),
    ],
)
def test_actual_text_replaces_what_is_drawn(drawn, expected):
    document = read(write([sheet(f"BT /F1 10 Tf 72 628 Td (So it is.) Tj {drawn} ET")]))
    assert document.sections[0].text == f"{PROSE} So it is.{expected}"


def composite_font() -> DictionaryObject:
    descendant = dictionary(
        Type=NameObject("/Font"), Subtype=NameObject("/CIDFontType2"), BaseFont=NameObject("/A")
    )
    font = dictionary(
        Type=NameObject("/Font"), Subtype=NameObject("/Type0"), BaseFont=NameObject("/A")
    )
    font[NameObject("/Encoding")] = NameObject("/Identity-H")
    font[NameObject("/DescendantFonts")] = ArrayObject([descendant])
    return font


def test_fonts_without_characters_are_reported_and_never_printed():
    def add_font(writer: PdfWriter) -> None:
        for page in writer.pages:
            page["/Resources"]["/Font"][NameObject("/F9")] = composite_font()

    codes = "".join(f"{code:04x}" for code in range(60, 120))
    unreadable = f"BT /F9 10 Tf 72 500 Td <{codes}> Tj ET"
    document = read(changed(add_font, sheet(unreadable)))
    assert document.sections[0].text == PROSE
    assert left_out(document) == {"undecodable font": 10}
    assert list(unread([document])) == [
        "a.pdf: about 10 words in fonts without a character map were not read; "
        "run OCR, for example: ocrmypdf --force-ocr in.pdf out.pdf"
    ]
    with pytest.raises(PagesumError, match=r"about 10 words\) is in fonts without a character map"):
        read(changed(add_font, Sheet([unreadable])))


def numbered(text: str, name: str, ornament: int = 0) -> bytes:
    """A page whose font has bitmaps for glyphs, as old programs write them, with names by a
    pattern.

    With an ornament, the letters are those from this code on, says the font.
    """

    def set_font(writer: PdfWriter) -> None:
        codes = range(32, 123)
        glyph = DecodedStreamObject()
        glyph.set_data(b"500 0 0 0 500 500 d1")
        reference = writer._add_object(glyph)
        glyphs = DictionaryObject(
            {NameObject(f"/{name.format(code)}"): reference for code in codes}
        )
        differences = ArrayObject(
            [NumberObject(32), *names(*(f"/{name.format(code)}" for code in codes))]
        )
        font = dictionary(Type=NameObject("/Font"), Subtype=NameObject("/Type3"), CharProcs=glyphs)
        font[NameObject("/Encoding")] = dictionary(Differences=differences)
        font[NameObject("/FontMatrix")] = ArrayObject(map(FloatObject, (0.001, 0, 0, 0.001, 0, 0)))
        font[NameObject("/FirstChar")], font[NameObject("/LastChar")] = (
            NumberObject(32),
            NumberObject(122),
        )
        font[NameObject("/Widths")] = ArrayObject([NumberObject(250), *[NumberObject(500)] * 90])
        if ornament:
            letters = "\n".join(f"<{code:02x}> <{ornament + code:04x}>" for code in range(65, 123))
            to_unicode = DecodedStreamObject()
            spaces = "1 begincodespacerange <00> <ff> endcodespacerange"
            to_unicode.set_data(f"{spaces} 58 beginbfchar\n{letters}\nendbfchar".encode())
            font[NameObject("/ToUnicode")] = writer._add_object(to_unicode)
        writer.pages[0]["/Resources"]["/Font"][NameObject("/F1")] = font

    one = Sheet()
    one.lines(72, 700, [text] if "\n" not in text else text.split("\n"))
    return changed(set_font, one)


def test_a_file_of_links_and_numbers_is_read():
    links = Sheet()
    links.lines(72, 700, [f"https://example.org/{place}" for place in range(20)])
    assert read(write([links])).text.count("https://example.org/") == 20


@pytest.mark.parametrize("style", ["dots", "named"])
def test_a_contents_page_gives_no_headings(style):
    title, contents = Sheet(), Sheet()
    title.text(72, 600, "A History of the Foxes", 24, "F2")
    title.text(72, 100, "This work is licensed under a Creative Commons Attribution Licence", 30)
    if style == "named":
        contents.text(72, 740, "Contents", 16, "F2")
    chapters = [
        f"{place} CHAPTER {name}: The {name.title()} Fox"
        for place, name in enumerate(["ONE", "TWO", "SIX", "TEN"], 1)
    ]
    for place, name in enumerate([*chapters, *(f"{name} again" for name in chapters)]):
        y, page = 700 - 20 * place, str(7 * place + 2)
        contents.text(72, y, f"{name} {'. . . . . ' * (style == 'dots')}{page}", 12, "F2")
    body = []
    for name in chapters:
        one = Sheet()
        one.text(72, 720, name, 14, "F2")
        one.lines(72, 690, LINES * 4)
        body.append(one)
    document = read(write([title, contents, *body]))
    assert document.title == "A History of the Foxes"
    assert [one.heading for one in document.sections if one.heading != "Contents"] == chapters
    assert left_out(document)["contents"] > 30
    assert "again" not in " ".join(
        one.text for one in document.sections if one.heading != "Contents"
    )


@pytest.mark.parametrize(
    ("clip", "is_read"),
    [
        ("0 600 612 100 re W n", True),
        ("0 100 612 100 re W n", False),
        ("0 600 612 100 re n", True),
        ("0 100 612 100 re n", True),
        ("0 100 m 612 100 l 612 200 l 0 200 l h W* n", False),
        ("q 0 100 612 100 re W n Q", True),
        ("0 0 612 792 re W n 0 100 612 100 re W n", False),
    ],
)
def test_what_is_clipped_is_left_out(clip, is_read):
    document = read(write([sheet(f"q {clip} BT /F1 10 Tf 72 628 Td (The fox is seen.) Tj ET Q")]))
    assert ("The fox is seen." in document.text) == is_read
    assert left_out(document).get("clipped text", 0) == (0 if is_read else 4)


def test_a_list_with_numbers_is_no_contents_page():
    table = Sheet()
    table.lines(
        72,
        700,
        [f"Foxes of valley {'abcdefghij'[place]}, all {3 * place + 1}" for place in range(10)],
    )
    assert read(write([table])).text.count("Foxes of valley") == 10


def test_words_of_hebrew_are_read_from_right_to_left():
    letters = "".join(map(chr, range(0x5D0, 0x5DC)))
    document = read(numbered("ABC DEF GHI JKL", "a{0}", 0x5D0 - ord("A")))
    assert "".join(document.text.split()) == letters[::-1]


def test_a_dense_page_takes_linear_time():
    def page(count: int) -> bytes:
        one = Sheet(["BT /F1 4 Tf"])
        for place in range(count):
            one.operators.append(
                f"1 0 0 1 {10 + place % 100 * 5.9} "
                f"{10 + place // 100 * 770 * 100 / count} Tm (a) Tj"
            )
        return write([one])

    pages = {count: page(count) for count in (8_000, 16_000)}
    assert_linear(lambda count: read(pages[count]), 8_000)


def test_files_with_changes_at_their_end_are_read_in_their_last_state():
    data = write([sheet()])
    writer = PdfWriter(BytesIO(data), incremental=True)
    writer.add_metadata({"/Title": "The title that was added", "/Author": "Foxes; Bob"})
    buffer = BytesIO()
    writer.write(buffer)
    assert len(PdfReader(buffer).pages) == 1
    document = read(buffer.getvalue())
    assert (document.title, document.authors) == ("The title that was added", ("Foxes",))


def form(operators: str, *, box: tuple[int, ...] = (0, 0, 200, 20)) -> DecodedStreamObject:
    stream = DecodedStreamObject()
    stream.set_data(operators.encode())
    stream[NameObject("/Subtype")] = NameObject("/Form")
    stream[NameObject("/BBox")] = ArrayObject(map(NumberObject, box))
    font = dictionary(
        Type=NameObject("/Font"), Subtype=NameObject("/Type1"), BaseFont=NameObject("/Helvetica")
    )
    stream[NameObject("/Resources")] = dictionary(Font=dictionary(F1=font))
    return stream


def test_values_of_form_fields_and_typed_notes_are_read_where_they_stand():
    def fill(writer: PdfWriter) -> None:
        def annotation(y: int, **entries: object) -> DictionaryObject:
            place = ArrayObject(map(NumberObject, (150, y, 350, y + 20)))
            return dictionary(
                Type=NameObject("/Annot"), Rect=place, T=TextStringObject(str(y)), **entries
            )

        def look(text: str) -> DictionaryObject:
            return dictionary(N=writer._add_object(form(f"BT /F1 10 Tf 2 5 Td ({text}) Tj ET")))

        field = {"Subtype": NameObject("/Widget"), "FT": NameObject("/Tx")}
        notes = {
            "Subtype": NameObject("/FreeText"),
            "Contents": TextStringObject("Paid in cash on Friday"),
        }
        annotations = ArrayObject(
            [
                annotation(495, AP=look("Vienna"), **field),
                annotation(475, AP=look("three nights"), **field),
                annotation(455, AP=look("Paid in cash on Friday"), **notes),
                annotation(435, AP=look("hidden value"), F=NumberObject(2), **field),
                annotation(415, AP=look("Print"), **(field | {"FT": NameObject("/Btn")})),
                annotation(
                    395, Subtype=NameObject("/Text"), Contents=TextStringObject("a comment")
                ),
            ]
        )
        writer.pages[0][NameObject("/Annots")] = ArrayObject(map(writer._add_object, annotations))
        fields = writer.pages[0]["/Annots"]
        writer.root_object[NameObject("/AcroForm")] = dictionary(Fields=ArrayObject(fields))

    labels = Sheet()
    labels.lines(72, 500, ["City of stay:", "Length:", "Remarks:"], leading=20)
    document = read(changed(fill, labels))
    assert " ".join(document.text.split()).endswith(
        "City of stay: Vienna Length: three nights Remarks: Paid in cash on Friday"
    )
    assert "Print" not in document.text  # a button


def test_hidden_layers_are_left_out_also_of_a_file_that_is_mapped_into_memory(
    tmp_path, monkeypatch
):
    def add_layers(writer: PdfWriter) -> None:
        names = (TextStringObject(name) for name in ("Text", "Answers"))
        on, off = (
            writer._add_object(dictionary(Type=NameObject("/OCG"), Name=name)) for name in names
        )
        default = dictionary(OFF=ArrayObject([off]))
        writer.root_object[NameObject("/OCProperties")] = dictionary(
            OCGs=ArrayObject([on, off]), D=default
        )
        both = writer._add_object(dictionary(Type=NameObject("/OCMD"), OCGs=ArrayObject([on, off])))
        resources = writer.pages[0]["/Resources"]
        resources[NameObject("/Properties")] = dictionary(On=on, Off=off, Both=both)

    def text(layer: str, y: int, content: str) -> str:
        return f"/OC /{layer} BDC BT /F1 10 Tf 72 {y} Td ({content}) Tj ET EMC"

    layers = [
        text("Off", 300, "Secret answer"),
        text("On", 628, "They sleep by day."),
        text("Both", 616, "All do."),
    ]
    data, path = changed(add_layers, sheet(*layers)), tmp_path / "a.pdf"
    path.write_bytes(data)
    monkeypatch.setattr(input, "MAPPED", 0)
    for document in (read(data), *read_file(str(path))):
        assert document.sections[0].text.split() == f"{PROSE} They sleep by day. All do.".split()
    path.write_bytes(data[: data.rindex(b"xref")])  # mended
    assert "They sleep by day." in read_file(str(path))[0].text


@pytest.mark.parametrize("name", ["a{0}", "g{0:x}", "c{0}", "uni{0:04X}"])
def test_glyphs_that_are_numbered_by_their_codes_are_read(name):
    assert read(numbered("\n".join(LINES), name)).sections[0].text == PROSE


def test_a_guess_that_makes_no_words_is_dropped():
    shifted = "".join(chr(32 + (ord(one) - 32 + 13) % 90) for one in PROSE)
    with pytest.raises(PagesumError, match="fonts without a character map"):
        read(
            numbered(
                "\n".join(shifted[place : place + 50] for place in range(0, len(shifted), 50)),
                "c{0}",
            )
        )


def test_bitmaps_with_codes_that_are_no_text_are_dropped():
    rare = "\n".join(LINES).lower().translate(str.maketrans("etaoinsrhldu", "qxzjkvwybgcp"))
    with pytest.raises(PagesumError, match="fonts without a character map"):
        read(numbered(rare, "a{0}"))


def test_portfolios_and_xfa_forms_say_where_their_text_is():
    def make_portfolio(writer: PdfWriter) -> None:
        writer.add_attachment("inside.pdf", b"%PDF-1.4")
        writer.root_object[NameObject("/Collection")] = DictionaryObject()

    def make_xfa(writer: PdfWriter) -> None:
        writer.root_object[NameObject("/NeedsRendering")] = BooleanObject(True)
        writer.root_object[NameObject("/AcroForm")] = dictionary(XFA=ArrayObject())

    for sheets in ([], [Sheet()]):
        with pytest.raises(PagesumError, match="portfolio, whose text is in the 1 file inside"):
            read(changed(make_portfolio, *sheets))
        with pytest.raises(PagesumError, match="XFA form"):
            read(changed(make_xfa, *sheets))
    assert "hunt alone" in read(changed(make_portfolio, *[sheet()] * 8)).text
