"""Quotes on the pages of a PDF: the exact box of each of their lines, and a copy of the file with
these marked.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import POINTER, c_double, c_ushort, cast, create_string_buffer
from itertools import takewhile
from typing import Any
from unicodedata import category, normalize

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfPage

from ...errors import PagesumError
from ...text.words import lcs_pairs, positions_of
from ..boxes import DIGITS, Corners
from ..guard.damage import reason_of
from .content import HYPHENS, seen_text
from .extras import Catalog

SLACK = 0.15
"""Share of its line's height by which the middle of a character may be outside the line's box: one
that is lowered.
"""

MIN_FOUND = 0.7
"""Share of the letters of a part, in order, that its line must have if the others are not those of
the page.
"""

UNKNOWN = "\ufffd"  # stands for a character without a meaning: the reader may know a better one
COLOR = "ffde66"  # red, green and blue of a mark

Mark = tuple[str, Sequence[tuple[int, float, float, float, float]]]
"""The text of a mark, and the PDF page and the corners of each of its boxes."""


_PageMarks = Mapping[int, Sequence[tuple[str, Sequence[Corners]]]]
"""The texts and boxes of the marks of each page."""


def clipped(
    path: str,
    parts: Sequence[tuple[int, Corners, str]],
    password: str | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
) -> Iterator[Corners]:
    """The box of each part of a line that is quoted; of the whole line where its characters are not
    those of the page.

    A part is given by its PDF page, the box of its line, and its text.
    """
    pdf = PdfDocument(path, password=password)
    if pdf.get_formtype() != pdfium.FORMTYPE_NONE:
        pdf.init_forms()
    catalog = Catalog(path, password)
    pages: dict[int, _Characters] = {}
    for number, box, text in parts:
        if number not in pages:
            pages[number] = _Characters(pdf[number - 1], catalog)
        yield pages[number].box_of(text, box) or box


def _letters(text: str) -> str:
    """What is compared of a text: its letters and digits."""
    return "".join(filter(str.isalnum, normalize("NFKC", text)))


def _letters_in(text_page: pdfium.FPDF_TEXTPAGE) -> Iterator[tuple[str, int]]:
    """The letters that a text page draws, each with its place."""
    high = 0  # the first half of a surrogate pair
    for place in range(max(0, pdfium.FPDFText_CountChars(text_page))):
        code = pdfium.FPDFText_GetUnicode(text_page, place)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if high and 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00
        high = 0
        is_hyphen = code in HYPHENS and pdfium.FPDFText_IsHyphen(text_page, place) == 1
        letter = "-" if is_hyphen else chr(code) if code < 0x110000 else UNKNOWN
        if not letter.isspace() and pdfium.FPDFText_IsGenerated(text_page, place) != 1:
            yield letter, place


def _box_at(text_page: pdfium.FPDF_TEXTPAGE, place: int) -> Corners | None:
    """The box of a character from the lower left of the page; None if it has none."""
    x0, x1, y0, y1 = (c_double() for _ in range(4))
    has_box = pdfium.FPDFText_GetCharBox(text_page, place, x0, x1, y0, y1)
    return (x0.value, y0.value, x1.value, y1.value) if has_box else None


class _Characters:
    """The characters of a page that are seen, with their boxes from the lower left of its crop
    box.
    """

    def __init__(self, page: PdfPage, catalog: Catalog) -> None:
        left, bottom, _, _ = page.get_bbox()
        self._all: list[tuple[str, Corners]] = []
        with seen_text(page, catalog) as (text_page, is_unseen):
            for letter, place in _letters_in(text_page):
                box = None if is_unseen(place) else _box_at(text_page, place)
                if box is not None:
                    x0, y0, x1, y1 = box
                    text = UNKNOWN if category(letter)[0] == "C" else _letters(letter)
                    self._all.append((text, (x0 - left, y0 - bottom, x1 - left, y1 - bottom)))

    def box_of(self, text: str, line: Corners) -> Corners | None:
        """The box of the part of a line that has this text, at its beginning or else its end; None
        if there is none.
        """
        left, bottom, right, top = line
        slack = SLACK * min(right - left, top - bottom)
        inside = [
            (letters, box)
            for letters, box in self._all
            if left - slack <= (box[0] + box[2]) / 2 <= right + slack
            and bottom - slack <= (box[1] + box[3]) / 2 <= top + slack
        ]
        owners = [place for place, (letters, _) in enumerate(inside) for _ in letters]
        found = _span("".join(letters for letters, _ in inside), _letters(text))
        if found is None:
            return None
        first, last = owners[found[0]], owners[found[1] - 1]
        before, after = _other(text) + found[2], _other(text[::-1])
        while first and not inside[first - 1][0] and before:
            first, before = first - 1, before - 1
        rest = len(inside) - 1 - last
        after = rest if rest == 1 else after  # a hyphen
        while last + 1 < len(inside) and not inside[last + 1][0] and after:
            last, after = last + 1, after - 1
        boxes = [box for _, box in inside[first : last + 1]]
        x0, y0, x1, y1 = _around(boxes)
        raised = [
            box
            for _, box in inside
            if x0 <= (box[0] + box[2]) / 2 <= x1 and y0 <= box[3] and box[1] <= y1
        ]
        # raised and lowered signs may be drawn after the line
        x0, y0, x1, y1 = _around([*boxes, *raised])
        return round(x0, DIGITS), round(y0, DIGITS), round(x1, DIGITS), round(y1, DIGITS)


def _around(boxes: Sequence[Corners]) -> Corners:
    """The smallest box around others."""
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def _other(text: str) -> int:
    """Number of signs at the beginning of a text that are neither letters nor digits."""
    return sum(1 for _ in takewhile(lambda sign: not _letters(sign), text.replace(" ", "")))


def _span(letters: str, quoted: str) -> tuple[int, int, bool] | None:
    """Where a line's letters are the quoted ones: exactly, or from their first to their last ones.

    Also whether a sign before them stands for the very first, as the file has it.
    """
    if quoted and letters.startswith(quoted):
        return 0, len(quoted), False
    if quoted and (start := letters.rfind(quoted)) >= 0:
        return start, start + len(quoted), False
    pairs = lcs_pairs(letters, positions_of(quoted), len(quoted))
    if len(pairs) < MIN_FOUND * len(quoted):
        return None
    back = lcs_pairs(letters[::-1], positions_of(quoted[::-1]), len(quoted))
    (start, skipped), end = pairs[0], len(letters) - back[0][0]
    while skipped and start and letters[start - 1] == UNKNOWN:  # ligatures
        start, skipped = start - 1, 0
    while end < len(letters) and letters[end] == UNKNOWN:
        end += 1
    return (start, end, bool(skipped)) if start < end else None


def check_markable(
    path: str, on_problem: Callable[[str], None] = lambda message: None
) -> Iterator[bool]:
    """True; raises PagesumError, before any work, for a file that is encrypted or that pypdf cannot
    read.
    """
    yield bool(_reader(path).pages)


def mark(
    path: str,
    output: str,
    marks: Sequence[Mark],
    on_problem: Callable[[str], None] = lambda message: None,
) -> Iterator[int]:
    """Write a copy of a PDF with a highlight annotation for each quote and page; their number.

    The copy begins with the file as it is, and the annotations are appended: everything else stays.
    Boxes are measured from the lower left of the crop box. ``on_problem`` is called with a line for
    each page on which a mark is not.

    Raises:
        PagesumError: It is encrypted, pypdf cannot read it, a mark is on a page that it has not, or
            no page can be marked.
    """
    from pypdf import PdfWriter

    reader = _reader(path)
    try:
        writer = PdfWriter(reader, incremental=True)
    except Exception:  # its table of objects is broken
        writer = PdfWriter(clone_from=reader)
    by_page = _by_page(marks)
    if max(by_page, default=0) > len(reader.pages):
        raise PagesumError(
            f"{path}: not the PDF of this summary: {len(reader.pages)} pages", "check its name"
        )
    reasons = _add_all(writer, by_page, _areas(path, by_page))
    writer.write(output)
    missing = _unmarked(output, by_page)
    for number in missing:
        reason = reasons.get(number, "its annotations cannot be changed")
        on_problem(f"{path}, page {number}: cannot be marked ({reason})")
    if len(missing) == len(by_page):
        named = ", ".join(map(str, missing))
        raise PagesumError(f"{path}: its pages cannot be marked: {named}", _REPAIR)
    yield sum(len(own_marks) for number, own_marks in by_page.items() if number not in missing)


_REPAIR = "repair it: qpdf in.pdf out.pdf"


def _reader(path: str) -> Any:
    import logging

    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every oddity of a file
    try:
        reader = PdfReader(path)
        is_encrypted = reader.is_encrypted
    except Exception as error:  # pypdf fails in any way on a broken file
        raise PagesumError(f"{path}: a broken PDF, which cannot be marked", _REPAIR) from error
    if is_encrypted:
        message = f"{path}: the PDF is encrypted, and its marked copy would not be"
        raise PagesumError(message, "mark a copy without encryption: qpdf --decrypt in.pdf out.pdf")
    return reader


def _by_page(marks: Sequence[Mark]) -> _PageMarks:
    found: dict[int, list[tuple[str, list[Corners]]]] = {}
    for text, boxes in marks:
        for number in dict.fromkeys(box[0] for box in boxes):
            own = [(x0, y0, x1, y1) for page, x0, y0, x1, y1 in boxes if page == number]
            found.setdefault(number, []).append((text, own))
    return found


def _add_all(writer: Any, marks: _PageMarks, areas: Mapping[int, Corners]) -> dict[int, str]:
    """Add the marks of each page, of which this is seen; why a page could not be marked."""
    pages = list(writer.pages)
    # a page may be listed several times, and the last of these is written
    written = {page.indirect_reference: page for page in pages}
    reasons: dict[int, str] = {}
    for number, own in marks.items():
        page = written[pages[number - 1].indirect_reference]
        try:
            _mend_annotations(page)
            for text, corners in own:
                _add(writer, page, text, _within(corners, areas[number]))
        except Exception as failure:  # pypdf fails in any way on a broken page
            reasons[number] = reason_of(failure)
    return reasons


def _areas(path: str, numbers: Iterable[int]) -> dict[int, Corners]:
    """What is seen of pages, as the reader measures it: from pages without boxes, with reversed
    ones or others that are none, too.
    """
    pdf = PdfDocument(path)
    try:
        return {number: pdf[number - 1].get_bbox() for number in numbers}
    finally:
        pdf.close()


def _within(boxes: Sequence[Corners], area: Corners) -> list[Corners]:
    """Boxes from the lower left of what is seen of a page, in its own space; of each, what is
    seen.
    """
    left, bottom, right, top = area
    moved = [(x0 + left, y0 + bottom, x1 + left, y1 + bottom) for x0, y0, x1, y1 in boxes]
    seen = [
        (max(x0, left), max(y0, bottom), min(x1, right), min(y1, top)) for x0, y0, x1, y1 in moved
    ]
    found = [(x0, y0, x1, y1) for x0, y0, x1, y1 in seen if x0 < x1 and y0 < y1]
    if not found:
        raise PagesumError("a quote is outside its visible area")
    return found


def _mend_annotations(page: Any) -> None:
    """Make the annotations of a page a list, whatever stands there."""
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject

    key = NameObject("/Annots")
    try:
        found = page[key].get_object() if key in page else None
    except Exception:  # it stands for an object that the file does not have
        found = None
    if isinstance(found, DictionaryObject):  # a lone one
        page[key] = ArrayObject([page.raw_get(key)])
    elif not isinstance(found, ArrayObject):
        page[key] = ArrayObject()


def _add(writer: Any, page: Any, text: str, boxes: Sequence[Corners]) -> None:
    """Add one annotation to a page, over boxes in its own space."""
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    corners = [corner for x0, y0, x1, y1 in boxes for corner in (x0, y1, x1, y1, x0, y0, x1, y0)]
    points = ArrayObject(map(FloatObject, corners))
    annotation = Highlight(
        rect=_around(boxes),
        quad_points=points,
        highlight_color=COLOR,
        printing=True,
        title_bar="pagesum",
    )
    annotation[NameObject("/Contents")] = TextStringObject(text)
    writer.add_annotation(page, annotation)


def _unmarked(path: str, marks: Mapping[int, Sequence[tuple[str, object]]]) -> list[int]:
    """The pages of a marked copy, read again, on which a mark is not."""
    pdf = PdfDocument(path)
    try:
        return [
            number
            for number, own in marks.items()
            if not {text for text, _ in own} <= _highlighted(pdf, number)
        ]
    finally:
        pdf.close()


def _highlighted(pdf: PdfDocument, number: int) -> set[str]:
    """The texts of the highlights of a page."""
    page = pdf[number - 1]
    texts: set[str] = set()
    for place in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, place)
        if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_HIGHLIGHT:
            texts.add(_contents(annotation))
        pdfium.FPDFPage_CloseAnnot(annotation)
    return texts


def _contents(annotation: pdfium.FPDF_ANNOTATION) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
    text = create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", cast(text, POINTER(c_ushort)), size)
    return text.raw.decode("utf-16-le", "replace").rstrip("\0")
