"""The annotations of a PDF: form fields, typed notes and stamps."""

from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2.raw as pdfium

MAX_ANNOTATIONS = 20_000  # annotations of a file that are looked at
PAGE_SHARE = 10  # a page's share of these is a tenth of what is left

_SHOWN = frozenset([pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP])
_UNSEEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_BUTTONS = frozenset(
    [pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON]
)


class Annotations:
    """The annotations of a file whose text a reader sees; those that open only when clicked on are none."""

    def __init__(self) -> None:
        self._left = MAX_ANNOTATIONS

    def draw(self, page: pdfium.FPDF_PAGE, form: pdfium.FPDF_FORMHANDLE | None) -> bool:
        """Draw the annotations of a page that show text, but for buttons; True if there are any: then it must be
        loaded again.
        """
        count = min(pdfium.FPDFPage_GetAnnotCount(page), self._left // PAGE_SHARE)
        self._left -= max(0, count)
        shown = False
        for number in reversed(range(count)):
            with _annotation(page, number) as annotation:
                if not annotation:
                    continue
                is_shown = pdfium.FPDFAnnot_GetSubtype(annotation) in _SHOWN
                is_shown = is_shown and not pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN
                is_button = is_shown and pdfium.FPDFAnnot_GetFormFieldType(form, annotation) in _BUTTONS
            if is_button:
                pdfium.FPDFPage_RemoveAnnot(page, number)
            shown = shown or (is_shown and not is_button)
        return shown and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS


@contextmanager
def _annotation(page: pdfium.FPDF_PAGE, number: int) -> Iterator[pdfium.FPDF_ANNOTATION]:
    annotation = pdfium.FPDFPage_GetAnnot(page, number)
    try:
        yield annotation
    finally:
        if annotation:
            pdfium.FPDFPage_CloseAnnot(annotation)
