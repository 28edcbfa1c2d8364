"""What a PDF has besides the text of its pages: annotations, layers, and what only its catalog
says.
"""

import logging
from functools import cached_property
from io import BytesIO
from mmap import mmap
from typing import Any

import pypdfium2.raw as pdfium

MAX_ANNOTATIONS = 20_000  # annotations of a file that are looked at
MAX_GROUPS = 5000  # layers of a file that are looked at
PAGE_SHARE = 10  # a page's share of these is a tenth of what is left

_SHOWN = frozenset([pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP])
_UNSEEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_BUTTONS = frozenset(
    [
        pdfium.FPDF_FORMFIELD_PUSHBUTTON,
        pdfium.FPDF_FORMFIELD_CHECKBOX,
        pdfium.FPDF_FORMFIELD_RADIOBUTTON,
    ]
)


class Annotations:
    """The annotations of a file whose text a reader sees; those that open only when clicked on are
    none.
    """

    def __init__(self) -> None:
        self._left = MAX_ANNOTATIONS

    def draw(self, page: pdfium.FPDF_PAGE, form: pdfium.FPDF_FORMHANDLE | None) -> bool:
        """Draw the annotations of a page that show text, but for buttons; True if there are any:
        then it must be loaded again.
        """
        count = min(pdfium.FPDFPage_GetAnnotCount(page), self._left // PAGE_SHARE)
        self._left -= max(0, count)
        shown = False
        for number in reversed(range(count)):
            annotation = pdfium.FPDFPage_GetAnnot(page, number)
            if not annotation:
                continue
            is_shown = pdfium.FPDFAnnot_GetSubtype(annotation) in _SHOWN
            is_shown = is_shown and not pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN
            is_button = is_shown and pdfium.FPDFAnnot_GetFormFieldType(form, annotation) in _BUTTONS
            pdfium.FPDFPage_CloseAnnot(annotation)
            if is_button:
                pdfium.FPDFPage_RemoveAnnot(page, number)
            shown = shown or (is_shown and not is_button)
        return (
            shown
            and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS
        )


class Catalog:
    """The catalog of a file (its content or path), which pypdf reads when it is first asked for:
    few files need it.
    """

    def __init__(self, data: bytes | mmap | str, password: str | None) -> None:
        self._data, self._password = data, password

    @property
    def is_portfolio(self) -> bool:
        """Whether the pages are only the cover of other files inside it."""
        return "/Collection" in self._root

    @cached_property
    def hides_layers(self) -> bool:
        """Whether there may be a layer that is not shown when the file is opened."""
        if "/OCProperties" not in self._root:
            return False
        try:
            properties = self._root["/OCProperties"]
            default = properties.get("/D", {})
            if default.get("/OFF") or default.get("/BaseState", "/ON") != "/ON":
                return True
            return any(map(_is_unseen, list(properties["/OCGs"])[:MAX_GROUPS]))
        except Exception:  # pypdf fails in any way on broken layers
            return True

    @cached_property
    def glyphs(self) -> dict[tuple[str, str], str]:
        """The characters of glyphs that are known by their names, by font and code."""
        from .glyphs import meanings

        try:
            return meanings(self._reader.pages) if self._reader is not None else {}
        except Exception:  # pypdf fails in any way on broken fonts
            return {}

    @property
    def _root(self) -> Any:
        """The catalog; empty where pypdf cannot read it."""
        try:
            return self._reader.root_object if self._reader is not None else {}
        except Exception:  # pypdf fails in any way on a broken file
            return {}

    @cached_property
    def _reader(self) -> Any:
        """The file as pypdf reads it; None where it cannot."""
        from pypdf import PdfReader

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every oddity of a file
        try:
            stream: Any = BytesIO(self._data) if isinstance(self._data, bytes) else self._data
            reader = PdfReader(stream)
            if reader.is_encrypted:
                reader.decrypt(self._password or "")
            return reader
        except Exception:  # pypdf fails in any way on a broken file
            return None


def _is_unseen(group: Any) -> bool:
    """Whether a layer itself says that it is not for the screen."""
    usage = group.get_object().get("/Usage", {}).get_object()
    view = usage.get("/View", {})
    return bool(view) and view.get_object().get("/ViewState") == "/OFF"
