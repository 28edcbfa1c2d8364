"""Quotes on the pages of a PDF: the exact box of each of their lines, and a copy of the file in which they are marked."""

from collections.abc import Callable, Iterator, Sequence
from ctypes import c_double
from typing import Any
from unicodedata import normalize

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfPage

from ...errors import PagesumError
from ..boxes import DIGITS, Corners

SLACK = 0.5
"""Points by which a character may stand outside the box of its line."""

COLOR = (1.0, 0.87, 0.4)
"""Red, green and blue of a mark."""

PRINTED = 4
"""The flag of an annotation that is printed with its page."""

ENCRYPTED = "the PDF is encrypted, and its marked copy would not be"

Mark = tuple[str, Sequence[tuple[int, float, float, float, float]]]
"""The text of a mark, and the PDF page and the corners of each of its boxes."""


def clipped(
    path: str,
    parts: Sequence[tuple[int, Corners, str]],
    password: str | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
) -> Iterator[Corners]:
    """The box of each part of a line that is quoted; of the whole line where its characters are not those of the page.

    Args:
        path: The PDF.
        parts: PDF page, box of the line and the text that is quoted of it.
        password: What the file is encrypted with.
        on_problem: Not used.
    """
    pdf = PdfDocument(path, password=password)
    if pdf.get_formtype() != pdfium.FORMTYPE_NONE:
        pdf.init_forms()
    pages: dict[int, _Characters] = {}
    for number, box, text in parts:
        if number not in pages:
            pages[number] = _Characters(pdf[number - 1])
        yield pages[number].box_of(text, box) or box


def _letters(text: str) -> str:
    """What is compared of a text: its letters and digits."""
    return "".join(filter(str.isalnum, normalize("NFKC", text)))


class _Characters:
    """The characters of a page, with their boxes from the lower left of its crop box."""

    def __init__(self, page: PdfPage) -> None:
        left, bottom, _, _ = page.get_bbox()
        text_page = page.get_textpage()
        self._all: list[tuple[str, Corners]] = []
        x0, x1, y0, y1 = (c_double() for _ in range(4))
        for place in range(text_page.count_chars()):
            code = pdfium.FPDFText_GetUnicode(text_page, place)
            text = _letters(chr(code)) if code < 0x110000 else ""
            if text and pdfium.FPDFText_GetCharBox(text_page, place, x0, x1, y0, y1):
                self._all.append((text, (x0.value - left, y0.value - bottom, x1.value - left, y1.value - bottom)))

    def box_of(self, text: str, line: Corners) -> Corners | None:
        """The box of the part of a line that has this text, at its beginning or else its end; None if there is none."""
        left, bottom, right, top = line
        inside = [
            (letter, box)
            for letter, box in self._all
            if left - SLACK <= (box[0] + box[2]) / 2 <= right + SLACK
            and bottom - SLACK <= (box[1] + box[3]) / 2 <= top + SLACK
        ]
        is_upright = right - left >= top - bottom
        owners = [box for letter, box in inside for _ in letter]
        letters, quoted = "".join(letter for letter, _ in inside), _letters(text)
        start = 0 if letters.startswith(quoted) else letters.rfind(quoted)
        if not quoted or start < 0:
            return None
        boxes = owners[start : start + len(quoted)]
        x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
        x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
        found = (x0, bottom, x1, top) if is_upright else (left, y0, right, y1)
        return tuple(round(corner, DIGITS) for corner in found)  # type: ignore[return-value]


def check_markable(path: str, on_problem: Callable[[str], None] = lambda message: None) -> Iterator[bool]:
    """True; a file that cannot be marked is refused before any work.

    Raises:
        PagesumError: It is encrypted, or pypdf cannot read it.
    """
    yield bool(_reader(path).pages)


def mark(
    path: str, output: str, marks: Sequence[Mark], on_problem: Callable[[str], None] = lambda message: None
) -> Iterator[int]:
    """Write a copy of a PDF with a highlight annotation for each quote and page; their number.

    The copy begins with the file as it is, and the annotations are appended: everything else stays.

    Args:
        path: The PDF.
        output: Where its copy is written.
        marks: What is marked, with boxes from the lower left of the crop box.
        on_problem: Not used.

    Raises:
        PagesumError: It is encrypted, pypdf cannot read it, or a mark is on a page that it has not.
    """
    from pypdf import PdfWriter

    reader = _reader(path)
    try:
        writer = PdfWriter(reader, incremental=True)
    except Exception:  # its table of objects is broken
        writer = PdfWriter(clone_from=reader)
    count = 0
    if max((box[0] for _, boxes in marks for box in boxes), default=0) > len(reader.pages):
        raise PagesumError(f"{path}: not the PDF of this summary: {len(reader.pages)} pages", "check its name")
    for text, boxes in marks:
        for number in dict.fromkeys(box[0] for box in boxes):
            _add(writer, number, text, [box[1:] for box in boxes if box[0] == number])
            count += 1
    writer.write(output)
    yield count


def _reader(path: str) -> Any:
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every oddity of a file
    try:
        reader = PdfReader(path)
        is_encrypted = reader.is_encrypted
    except Exception as error:  # pypdf fails in any way on a broken file
        raise PagesumError(
            f"{path}: a broken PDF, which cannot be marked", "repair it: qpdf in.pdf out.pdf"
        ) from error
    if is_encrypted:
        raise PagesumError(f"{path}: {ENCRYPTED}", "mark a copy without encryption: qpdf --decrypt in.pdf out.pdf")
    return reader


def _add(writer: Any, number: int, text: str, boxes: Sequence[Sequence[float]]) -> None:
    """Add one annotation to a page."""
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

    page = writer.pages[number - 1]
    media, crop = page.mediabox, page.cropbox
    left, bottom = max(media.left, crop.left), max(media.bottom, crop.bottom)
    at = [(x0 + left, y0 + bottom, x1 + left, y1 + bottom) for x0, y0, x1, y1 in boxes]
    corners = [corner for x0, y0, x1, y1 in at for corner in (x0, y1, x1, y1, x0, y0, x1, y0)]
    lower, upper = [min(box[side] for box in at) for side in (0, 1)], [max(box[side] for box in at) for side in (2, 3)]
    annotation = Highlight(
        rect=(*lower, *upper), quad_points=ArrayObject(map(FloatObject, corners)), highlight_color="000000"
    )
    annotation[NameObject("/C")] = ArrayObject(map(FloatObject, COLOR))
    annotation[NameObject("/F")] = NumberObject(PRINTED)
    annotation[NameObject("/T")] = TextStringObject("pagesum")
    annotation[NameObject("/Contents")] = TextStringObject(text)
    writer.add_annotation(number - 1, annotation)
