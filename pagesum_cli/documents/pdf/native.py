"""PDFium's functions that are called for each object or word of a page.

pypdfium2 declares their arguments as typed pointers, and gives up Python's lock for each call;
called with plain addresses, and with the lock kept, they take half the time. Those that are called
most take another half of it: addresses are :func:`prepared` once, not converted for each call.
"""

import ctypes
from array import array
from collections.abc import Callable
from ctypes import c_char_p, c_double, c_float, c_int, c_uint, c_ulong, c_void_p
from typing import Any

import pypdfium2.raw as pdfium


def _native(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    address = ctypes.cast(getattr(pdfium, name), c_void_p).value or 0
    function: Callable[..., Any] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return function


def prepared(address: int) -> Any:
    """An address as an argument of those functions whose arguments are not declared: they take no
    other.
    """
    return c_void_p.from_param(address)


def address(handle: object) -> int:
    """The address of an object of PDFium's; 0 for none."""
    return ctypes.cast(handle, c_void_p).value or 0  # type: ignore[arg-type]


# Of a text page and the place of a character, with memory for the result.
text_object = _native("FPDFText_GetTextObject", c_void_p)
char_origin = _native("FPDFText_GetCharOrigin", c_int)
char_box = _native("FPDFText_GetLooseCharBox", c_int)
char_matrix = _native("FPDFText_GetMatrix", c_int)
char_size = _native("FPDFText_GetFontSize", c_double)
character = _native("FPDFText_GetUnicode", c_uint)
is_generated = _native("FPDFText_IsGenerated", c_int)
is_unmapped = _native("FPDFText_HasUnicodeMapError", c_int)

font_of = _native("FPDFTextObj_GetFont", c_void_p, c_void_p)
font_name = _native("FPDFFont_GetBaseFontName", c_ulong, c_void_p, c_void_p, c_ulong)
font_flags = _native("FPDFFont_GetFlags", c_int, c_void_p)
font_angle = _native("FPDFFont_GetItalicAngle", c_int, c_void_p, c_void_p)
font_ascent = _native("FPDFFont_GetAscent", c_int, c_void_p, c_float, c_void_p)
font_descent = _native("FPDFFont_GetDescent", c_int, c_void_p, c_float, c_void_p)
glyph_width = _native("FPDFFont_GetGlyphWidth", c_int, c_void_p, c_uint, c_float, c_void_p)

count_objects = _native("FPDFPage_CountObjects", c_int, c_void_p)
page_object = _native("FPDFPage_GetObject", c_void_p)  # of a page and a number
count_form_objects = _native("FPDFFormObj_CountObjects", c_int, c_void_p)
form_object = _native("FPDFFormObj_GetObject", c_void_p, c_void_p, c_ulong)
object_type = _native("FPDFPageObj_GetType", c_int, c_void_p)
object_matrix = _native("FPDFPageObj_GetMatrix", c_int, c_void_p, c_void_p)
# of an object, with memory for four numbers
object_bounds = _native("FPDFPageObj_GetBounds", c_int)
fill_color = _native("FPDFPageObj_GetFillColor", c_int)  # likewise
stroke_color = _native("FPDFPageObj_GetStrokeColor", c_int)  # likewise
stroke_width = _native("FPDFPageObj_GetStrokeWidth", c_int, c_void_p, c_void_p)
has_transparency = _native("FPDFPageObj_HasTransparency", c_int, c_void_p)
set_active = _native("FPDFPageObj_SetIsActive", c_int, c_void_p, c_int)
render_mode = _native("FPDFTextObj_GetTextRenderMode", c_int, c_void_p)

count_marks = _native("FPDFPageObj_CountMarks", c_int, c_void_p)
object_mark = _native("FPDFPageObj_GetMark", c_void_p, c_void_p, c_ulong)
mark_name = _native("FPDFPageObjMark_GetName", c_int, c_void_p, c_void_p, c_ulong, c_void_p)
mark_type = _native("FPDFPageObjMark_GetParamValueType", c_int, c_void_p, c_char_p)
mark_data = _native(
    "FPDFPageObjMark_GetParamBlobValue", c_int, c_void_p, c_char_p, c_void_p, c_ulong, c_void_p
)
remove_mark = _native("FPDFPageObjMark_RemoveParam", c_int, c_void_p, c_void_p, c_char_p)
set_mark = _native(
    "FPDFPageObjMark_SetBlobParam",
    *(c_int, c_void_p, c_void_p, c_void_p, c_char_p, c_char_p, c_ulong),
)

drawing_mode = _native("FPDFPath_GetDrawMode", c_int)  # of a path, with memory for two numbers
count_segments = _native("FPDFPath_CountSegments", c_int, c_void_p)
path_segment = _native("FPDFPath_GetPathSegment", c_void_p)  # of a path and a number
segment_type = _native("FPDFPathSegment_GetType", c_int)  # of a segment
# of a segment, with memory for two numbers
segment_point = _native("FPDFPathSegment_GetPoint", c_int)
clip_path = _native("FPDFPageObj_GetClipPath", c_void_p, c_void_p)
count_clips = _native("FPDFClipPath_CountPaths", c_int, c_void_p)
count_clip_segments = _native("FPDFClipPath_CountPathSegments", c_int, c_void_p, c_int)
clip_segment = _native("FPDFClipPath_GetPathSegment", c_void_p, c_void_p, c_int, c_int)


def memory(kind: str, count: int) -> "tuple[array[Any], list[Any]]":
    """Memory for numbers that PDFium writes (of type ``f``, ``d``, or ``I``), and their prepared
    addresses.
    """
    numbers = array(kind, [0] * count)
    address = numbers.buffer_info()[0]
    return numbers, [prepared(address + place * numbers.itemsize) for place in range(count)]
