"""Writes small PDFs with real fonts, positions and outlines, so that tests state what stands
where.
"""

from dataclasses import dataclass, field
from io import BytesIO

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

WIDTH, HEIGHT = 612, 792
FONTS = {
    "F1": "/Times-Roman",
    "F2": "/Times-Bold",
    "F3": "/Times-Italic",
    "F4": "/Times-BoldItalic",
    "F5": "/Courier",
    "F6": "/Helvetica",
}

LINES = [
    "Foxes live in forests all over the world and eat",
    "what they find there, which is often a mouse or a",
    "bird that has fallen from its nest in the storms of",
    "spring. They hunt alone, and at night they walk for",
    "many miles. Nobody has counted them so far, but the",
    "farmers of the valley say that there are too many.",
]
PROSE = " ".join(LINES)


@dataclass
class Sheet:
    """A page under construction."""

    operators: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float = 10, font: str = "F1") -> None:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.operators.append(f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET")

    def lines(
        self,
        x: float,
        y: float,
        texts: list[str],
        size: float = 10,
        font: str = "F1",
        leading: float = 12,
    ) -> float:
        """Lines one under another; returns the y of the next one."""
        for text in texts:
            self.text(x, y, text, size, font)
            y -= leading
        return y

    def rule(self, x0: float, y: float, x1: float) -> None:
        """A horizontal line."""
        self.operators.append(f"{x0} {y} m {x1} {y} l S")


def write(
    sheets: list[Sheet], *, outline: list[tuple] = (), title: str = "", password: str = ""
) -> bytes:
    """The PDF of these pages. ``outline``: titles, page places from 0, and depths from 1 (1 where
    there is none).
    """
    writer = PdfWriter()
    for sheet in sheets:
        page = writer.add_blank_page(WIDTH, HEIGHT)
        fonts = DictionaryObject()
        for name, base in FONTS.items():
            font = DictionaryObject()
            for key, value in (("/Type", "/Font"), ("/Subtype", "/Type1"), ("/BaseFont", base)):
                font[NameObject(key)] = NameObject(value)
            font[NameObject("/Encoding")] = NameObject("/WinAnsiEncoding")
            fonts[NameObject(f"/{name}")] = font
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        stream = DecodedStreamObject()
        stream.set_data("\n".join(sheet.operators).encode("cp1252"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    parents = []
    for name, place, *depth in outline:
        del parents[(depth[0] if depth else 1) - 1 :]
        parents.append(
            writer.add_outline_item(
                title=name, page_number=place, parent=parents[-1] if parents else None
            )
        )
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="AES-256")
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()
