"""Adds to small PDFs what can hide text: a picture, layers, and states that are transparent."""

from io import BytesIO

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

TEXT = "BT /F1 10 Tf 72 628 Td (The fox owes money.) Tj ET"  # also what the forms draw
PICTURE = "/Picture Do"


def with_resources(data: bytes) -> bytes:
    """A PDF whose first page has names for them."""
    writer = PdfWriter(clone_from=BytesIO(data))
    add_resources(writer)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def dictionary(**entries: object) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{key}"): value for key, value in entries.items()})


def stream(data: bytes, **entries: object) -> DecodedStreamObject:
    one = DecodedStreamObject()
    one.set_data(data)
    for key, value in entries.items():
        one[NameObject(f"/{key}")] = value
    return one


def add_resources(writer: PdfWriter) -> None:
    """A gray picture, layers that are shown and hidden, and states that are transparent."""
    add = writer._add_object
    picture = stream(
        b"\x80",
        Type=NameObject("/XObject"),
        Subtype=NameObject("/Image"),
        Width=NumberObject(1),
        Height=NumberObject(1),
        ColorSpace=NameObject("/DeviceGray"),
        BitsPerComponent=NumberObject(8),
    )
    on, off = (
        add(dictionary(Type=NameObject("/OCG"), Name=TextStringObject("Layer"))) for _ in range(2)
    )
    groups = dictionary(OCGs=ArrayObject([on, off]), D=dictionary(OFF=ArrayObject([off])))
    writer.root_object[NameObject("/OCProperties")] = groups
    all_on = dictionary(
        Type=NameObject("/OCMD"), OCGs=ArrayObject([on, off]), P=NameObject("/AllOn")
    )
    resources = writer.pages[0]["/Resources"]
    form = stream(
        TEXT.encode(),
        Type=NameObject("/XObject"),
        Subtype=NameObject("/Form"),
        BBox=ArrayObject(map(NumberObject, (0, 0, 612, 792))),
        Resources=dictionary(Font=resources["/Font"]),
    )
    hidden_form = stream(form.get_data(), **{key[1:]: value for key, value in form.items()})
    hidden_form[NameObject("/OC")] = off
    resources[NameObject("/XObject")] = dictionary(
        Picture=add(picture), Form=add(form), HiddenForm=add(hidden_form)
    )
    resources[NameObject("/Properties")] = dictionary(On=on, Off=off, AllOn=add(all_on))
    resources[NameObject("/ExtGState")] = dictionary(
        Clear=dictionary(ca=NumberObject(0), CA=NumberObject(0)),
        Half=dictionary(ca=FloatObject(0.5)),
    )
