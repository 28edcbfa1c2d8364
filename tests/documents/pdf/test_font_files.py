"""Fonts that do not say what their codes mean: characters by the font's own file, or by known character maps."""

import struct
from io import BytesIO

import pytest
from pdf_writer import Sheet, write
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from pagesum_cli.documents.pdf.reader import pdf_document


def read(writer: PdfWriter) -> str:
    buffer = BytesIO()
    writer.write(buffer)
    document = pdf_document(buffer.getvalue(), "a.pdf", "a.pdf")
    return " ".join(paragraph.text for section in document.sections for paragraph in section.paragraphs)


def names(**entries: str) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): NameObject(value) for key, value in entries.items()})


def stream(data: bytes, **entries: str) -> DecodedStreamObject:
    one = DecodedStreamObject()
    one.set_data(data)
    one.update(names(**entries))
    return one


def text_of(font: DictionaryObject, codes: bytes, **streams: DecodedStreamObject) -> str:
    """What is read of a string in a font; ``streams`` are put into its descriptor."""
    writer = PdfWriter(clone_from=BytesIO(write([Sheet([f"BT /F9 12 Tf 72 600 Td <{codes.hex()}> Tj ET"])])))
    descriptor = names(Type="/FontDescriptor")
    for key, one in streams.items():
        descriptor[NameObject(f"/{key}")] = writer._add_object(one)
    owner = font
    if "/DescendantFonts" in font:
        owner = font["/DescendantFonts"][0]
        font[NameObject("/DescendantFonts")] = ArrayObject([writer._add_object(owner)])
    if streams:
        owner[NameObject("/FontDescriptor")] = descriptor
    writer.pages[0]["/Resources"]["/Font"][NameObject("/F9")] = writer._add_object(font)
    return read(writer)


def simple(kind: str = "/Type1") -> DictionaryObject:
    return names(Type="/Font", Subtype=kind, BaseFont="/ABCDEF+Odd")


def composite(encoding: str, ordering: str = "Identity") -> DictionaryObject:
    descendant = names(Type="/Font", Subtype="/CIDFontType2", BaseFont="/Odd")
    system = {NameObject("/Ordering"): TextStringObject(ordering), NameObject("/Supplement"): NumberObject(0)}
    descendant[NameObject("/CIDSystemInfo")] = DictionaryObject(system)
    font = names(Type="/Font", Subtype="/Type0", BaseFont="/Odd", Encoding=encoding)
    font[NameObject("/DescendantFonts")] = ArrayObject([descendant])
    return font


def cff(letters: str, *, extra: bytes = b"") -> bytes:
    """A font in the Compact Font Format whose codes 1, 2 … are letters, and the one after them the glyph ``extra``."""

    def index(*entries: bytes) -> bytes:
        ends = [1]
        for entry in entries:
            ends.append(ends[-1] + len(entry))
        return struct.pack(f">HB{len(ends)}B", len(entries), 1, *ends) + b"".join(entries) if entries else b"\0\0"

    def number(value: int) -> bytes:
        return b"\x1d" + struct.pack(">i", value)

    strings = [ord(letter) - 31 for letter in letters] + [391] * bool(extra)
    head, string_index = b"\1\0\4\1" + index(b"Odd"), index(*[extra] * bool(extra)) + b"\0\0"
    start = len(head) + len(index(bytes(18))) + len(string_index)
    charset = b"\0" + struct.pack(f">{len(strings)}H", *strings)
    encoding = bytes([0, len(strings), *range(1, len(strings) + 1)])
    top = number(start) + b"\x0f" + number(start + len(charset)) + b"\x10"
    top += number(start + len(charset) + len(encoding)) + b"\x11"
    return head + index(top) + string_index + charset + encoding + index(*[b"\x0e"] * (len(strings) + 1))


def truetype(letters: str) -> bytes:
    """A TrueType file with a ``cmap`` for the Macintosh from code 1 on, and the glyphs' names in ``post``."""
    count = len(letters) + 1
    cmap = struct.pack(">HHHHI", 0, 1, 1, 0, 12)
    cmap += struct.pack(f">HHHHH{count - 1}H", 6, 8 + 2 * count, 0, 1, count - 1, *range(1, count))
    post = struct.pack(">I28x", 0x20000) + struct.pack(f">H{count}H", count, 0, *(ord(one) - 29 for one in letters))
    place = 12 + 2 * 16
    tables = struct.pack(">4sIII", b"cmap", 0, place, len(cmap))
    tables += struct.pack(">4sIII", b"post", 0, place + len(cmap), len(post))
    return struct.pack(">IHHHH", 0x10000, 2, 0, 0, 0) + tables + cmap + post


def test_codes_of_a_type_1_font_are_those_of_its_file():
    clear = (
        b"%!PS\n/Encoding 256 array\ndup 1 /F put dup 2/o put\ndup 8#3 /uni0078 put\nreadonly def\ncurrentfile eexec"
    )
    assert text_of(simple(), b"\1\2\3", FontFile=stream(clear)) == "Fox"


def test_codes_of_a_cff_font_are_those_of_its_file():
    file = stream(cff("Fo", extra=b"uni0078"), Subtype="/Type1C")
    assert text_of(simple(), b"\1\2\3", FontFile3=file) == "Fox"


def test_ligatures_and_old_style_figures_of_a_cff_font():
    letters = "".join(chr(31 + name) for name in (267, 239 + 7, 274))  # ffi, sevenoldstyle, Asmall
    assert text_of(simple(), b"\1\2\3", FontFile3=stream(cff(letters), Subtype="/Type1C")) == "ffi7A"


def test_the_encoding_of_the_pdf_comes_before_that_of_the_file():
    font = simple()
    font[NameObject("/Encoding")] = names(BaseEncoding="/MacRomanEncoding")
    differences = ArrayObject([NumberObject(1), NameObject("/x"), NameObject("/o"), NameObject("/F")])
    font["/Encoding"][NameObject("/Differences")] = differences
    assert text_of(font, b"\3\2\1", FontFile3=stream(cff("Fox"), Subtype="/Type1C")) == "Fox"


def test_codes_of_a_truetype_font_are_those_of_its_file():
    assert text_of(simple("/TrueType"), b"\1\2\3", FontFile2=stream(truetype("Fox"))) == "Fox"


def test_glyphs_of_a_composite_font_have_names_in_its_file():
    file = stream(cff("Fox"), Subtype="/CIDFontType0C")
    assert text_of(composite("/Identity-H"), b"\0\1\0\2\0\3", FontFile3=file) == "Fox"


@pytest.mark.parametrize(
    ("encoding", "codec"),
    [
        ("/90ms-RKSJ-H", "shift_jis"),
        ("/EUC-H", "euc_jp"),
        ("/GBKp-EUC-H", "gbk"),
        ("/B5pc-H", "big5"),
        ("/UniJIS-UCS2-H", "utf-16-be"),
        ("/UniGB-UTF8-H", "utf-8"),
    ],
)
def test_known_character_maps_are_codecs(encoding, codec):
    assert text_of(composite(encoding), "Fox 中文".encode(codec)) == "Fox 中文"


@pytest.mark.parametrize(
    ("ordering", "glyphs", "text"),
    [
        ("Japan1", (39, 80, 89, 843, 845), "Foxあい"),
        ("GB1", (39, 80, 89, 4559, 3795), "Fox中文"),
        ("Korea1", (39, 80, 89, 1086), "Fox가"),
    ],
)
def test_glyphs_of_known_collections(ordering, glyphs, text):
    codes = struct.pack(f">{len(glyphs)}H", *glyphs)
    assert text_of(composite("/Identity-H", ordering), codes) == text


def test_codes_that_are_characters_by_name():
    font = composite("/Identity-H")
    font[NameObject("/ToUnicode")] = NameObject("/Identity-H")
    assert text_of(font, "Fox".encode("utf-16-be")) == "Fox"


@pytest.mark.parametrize("length", [1, 2])
def test_a_font_with_a_character_map_of_its_own_has_its_widths_by_glyph(length):
    digits = 2 * length
    code_map = f"""1 begincodespacerange <{0:0{digits}x}> <{255:0{digits}x}> endcodespacerange
        1 begincidrange <{1:0{digits}x}> <{5:0{digits}x}> 101 endcidrange
        1 begincidchar <{9:0{digits}x}> 110 endcidchar"""
    to_unicode = f"""1 begincodespacerange <{0:0{digits}x}> <{255:0{digits}x}> endcodespacerange 6 beginbfchar
        """ + "\n".join(
        f"<{code:0{digits}x}> <{ord(letter):04x}>" for code, letter in zip((1, 2, 3, 4, 5, 9), "Foxesd", strict=True)
    )
    font = composite("/Identity-H")
    font[NameObject("/Encoding")] = stream(code_map.encode(), Type="/CMap")
    font[NameObject("/ToUnicode")] = stream((to_unicode + "\nendbfchar").encode())
    widths = ArrayObject([NumberObject(101), ArrayObject([NumberObject(300)] * 5), NumberObject(110)])
    font["/DescendantFonts"][0][NameObject("/W")] = ArrayObject([*widths, ArrayObject([NumberObject(300)])])
    two = b"".join(code.to_bytes(length, "big") for code in (1, 2, 3))
    operators = f"BT /F9 10 Tf 72 600 Td <{two.hex()}> Tj 9 0 Td <{(4).to_bytes(length, 'big').hex()}> Tj ET"
    writer = PdfWriter(clone_from=BytesIO(write([Sheet([operators])])))
    font["/DescendantFonts"][0] = writer._add_object(font["/DescendantFonts"][0])
    for key in ("/Encoding", "/ToUnicode"):
        font[NameObject(key)] = writer._add_object(font[key])
    writer.pages[0]["/Resources"]["/Font"][NameObject("/F9")] = writer._add_object(font)
    assert read(writer) == "Foxe"  # three letters are 9 points wide: there is no gap


def test_letters_of_a_type_3_font_in_units_of_its_own():
    font = names(Type="/Font", Subtype="/Type3", Encoding="/WinAnsiEncoding")
    font[NameObject("/FontMatrix")] = ArrayObject(map(FloatObject, (1, 0, 0, 1, 0, 0)))
    font[NameObject("/FontBBox")] = ArrayObject(map(FloatObject, (0, -12, 60, 48)))
    font[NameObject("/FirstChar")], font[NameObject("/LastChar")] = NumberObject(70), NumberObject(120)
    font[NameObject("/Widths")] = ArrayObject([NumberObject(30)] * 51)
    font[NameObject("/CharProcs")] = DictionaryObject()
    writer = PdfWriter(clone_from=BytesIO(write([Sheet(["BT /F9 0.2 Tf 72 600 Td (Fox) Tj ET"])])))
    writer.pages[0]["/Resources"]["/Font"][NameObject("/F9")] = font
    assert read(writer) == "Fox"
