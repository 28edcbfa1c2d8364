"""Glyphs that a file gives no character, but a name."""

from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

from pagesum_cli.documents.pdf.fonts import UNKNOWN, Faces, Font
from pagesum_cli.documents.pdf.glyphs import meanings


def page(font: str, *glyphs: str) -> DictionaryObject:
    def names(**entries: object) -> DictionaryObject:
        return DictionaryObject({NameObject(f"/{key}"): one for key, one in entries.items()})

    differences = ArrayObject([NumberObject(1), *map(NameObject, glyphs)])
    one = names(BaseFont=NameObject(font), Encoding=names(Differences=differences))
    plain = names(BaseFont=NameObject("/Times"), Encoding=NameObject("/WinAnsiEncoding"))
    return names(Resources=names(Font=names(F1=one, F2=plain)))


def test_glyphs_are_known_by_their_numbers_in_the_encoding_of_tex() -> None:
    found = meanings([page("/ABCDEF+AdvP4C4E74", "/C0", "/C14", "/C99")])
    assert found == {("AdvP4C4E74", "\x01"): "−", ("AdvP4C4E74", "\x02"): "°"}
    assert meanings([page("/ABCDEF+Other", "/C0")]) == {}
    assert meanings([DictionaryObject()]) == {}


def test_subsets_that_number_their_glyphs_differently_tell_nothing() -> None:
    pages = page("/ABCDEF+AdvP4C4E74", "/C0", "/C2"), page("/GHIJKL+AdvP4C4E74", "/C14", "/C2")
    assert meanings(pages) == {("AdvP4C4E74", "\x02"): "×"}


def test_such_a_glyph_is_read() -> None:
    faces = Faces(lambda: {("AdvP4C4E74", "\x01"): "−"})
    face = Font("AdvP4C4E74", base_name="AdvP4C4E74")
    assert faces.unknown(face, "\x01") == "−"
    assert faces.unknown(face, "\x02") >= UNKNOWN
