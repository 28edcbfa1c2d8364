"""Text that lies on a page as an annotation: the values of form fields, and typed notes (FreeText)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, StreamObject, TextStringObject

from .objects import resolved

MAX_ANNOTATIONS, MAX_LINKS = 10_000, 2000
"""Annotations of a file that are looked at: of a form, and of one without fields, where nearly all are links.

Each takes 0.3 milliseconds.
"""

PAGE_SHARE = 10
"""A page's share of these is a tenth of what is left."""

_SHOWN = frozenset(["/Widget", "/FreeText", "/Stamp"])
_HIDDEN, _NO_VIEW = 1 << 1, 1 << 5
_MAX_PARENTS = 20


class Annotation(NamedTuple):
    """An annotation with text.

    Attributes:
        rectangle: Left, bottom, right and top, in the page's own space.
        form: How it is drawn; None where the file leaves that to the viewer.
        text: What it says where there is no form.
        is_button: Whether it is a button or a check box.
        layer: The optional content that it belongs to.
    """

    rectangle: tuple[float, float, float, float]
    form: StreamObject | None
    text: str
    is_button: bool
    layer: Any


class Annotations:
    """The annotations of a file whose text a reader sees; those that open only when clicked on are none.

    Args:
        pdf: The file.
    """

    def __init__(self, pdf: PdfReader) -> None:
        try:
            form: Any = pdf.root_object["/AcroForm"]
            has_fields = bool(form["/Fields"])
        except Exception:  # most files have no form
            has_fields = False
        self._left = MAX_ANNOTATIONS if has_fields else MAX_LINKS

    def of(self, page: PageObject) -> Iterator[Annotation]:
        """The annotations of a page, as far as the file's budget goes."""
        found: Any = resolved(page.get("/Annots"))
        count = min(len(found), self._left // PAGE_SHARE) if isinstance(found, ArrayObject) else 0
        self._left -= count
        for place in range(count):
            try:
                if (annotation := _annotation(found[place].get_object())) is not None:
                    yield annotation
            except Exception:  # a broken annotation shows nothing
                continue


def _annotation(one: DictionaryObject) -> Annotation | None:
    flags = int(one.get("/F", 0) or 0)
    if one.get("/Subtype") not in _SHOWN or flags & (_HIDDEN | _NO_VIEW):
        return None
    corners: Any = one["/Rect"]
    x0, y0, x1, y1 = (float(number) for number in corners[:4])
    rectangle = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    form = _appearance(one)
    key = "/V" if one["/Subtype"] == "/Widget" else "/Contents"
    value = _inherited(one, key)
    text = str(value) if isinstance(value, TextStringObject) and form is None else ""
    layer = one.raw_get("/OC") if "/OC" in one else None
    return Annotation(rectangle, form, text, _inherited(one, "/FT") == "/Btn", layer)


def _appearance(one: DictionaryObject) -> StreamObject | None:
    """The form of the state that an annotation is in."""
    appearances = one.get("/AP")
    normal = resolved(appearances.get_object().get("/N")) if appearances is not None else None
    if isinstance(normal, DictionaryObject) and not isinstance(normal, StreamObject):
        normal = resolved(normal.get(one.get("/AS", "/Off")))
    return normal if isinstance(normal, StreamObject) else None


def _inherited(one: DictionaryObject, key: str) -> Any:
    """An entry of a form field, or of those above it."""
    for _ in range(_MAX_PARENTS):
        if key in one:
            return one[key]
        parent = one.get("/Parent")
        if parent is None:
            break
        one = parent.get_object()
    return None
