"""Other words that a PDF gives for what it draws (``ActualText``) are read only where they agree
with it.

PDFium reads them instead of the glyphs, whatever is drawn. They are meant for glyphs without a
known character, ligatures, accents, small capitals and hyphens.
"""

import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import defaultdict
from ctypes import addressof, c_ulong, create_string_buffer

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument

from . import native
from .fonts import COMBINING
from .words import SOFT_HYPHEN

KEY = b"ActualText"

LONGEST = 1000
"""Bytes beyond which such words are never read: what is drawn would be compared with all of
them.
"""

_LIGATURES = ("ffi", "ffl", "ff", "fi", "fl", "fj", "ft", "tt", "ti", "th", "ct", "st")
"""What a sign may be drawn for: what its font gives for a ligature is often just its code."""

_MOST_OF_A_GLYPH = 3  # letters that a glyph without a known character is drawn for

_ACCENTS = frozenset(COMBINING) | frozenset("'\"^~")  # signs that accents are drawn as

_COMPLEX = (("\u0590", "\u109f"), ("\u1780", "\u17ff"), ("\ufb1d", "\ufdff"), ("\ufe70", "\ufefc"))

_HYPHENS = str.maketrans(dict.fromkeys((SOFT_HYPHEN, *"\u0002\u2010\u2011\ufffe"), "-"))
_NO_SPACE = "\u200b"  # where a line may end

_Span = int  # the address of its mark


class Spans:
    """The spans of a page for which the file gives other words."""

    def __init__(self) -> None:
        self._pieces: defaultdict[_Span, list[int]] = defaultdict(list)

    def add(self, piece: int) -> None:
        """Add a piece of text, if it is in such a span."""
        for number in range(native.count_marks(piece)):
            mark = native.object_mark(piece, number)
            if native.mark_type(mark, KEY) == pdfium.FPDF_OBJECT_STRING:
                self._pieces[mark].append(piece)

    def load(self, document: PdfDocument, page: pdfium.FPDF_PAGE) -> pdfium.FPDF_TEXTPAGE:
        """The text page of a page as it is drawn; the words of a span only where they are
        needed.
        """
        words: dict[_Span, bytes] = {}
        for mark, pieces in self._pieces.items():
            words[mark] = _words(mark)
            native.remove_mark(pieces[0], mark, KEY)
        text_page = pdfium.FPDFText_LoadPage(page)
        if not words:
            return text_page
        drawn = self._drawn(text_page)
        needed = [mark for mark, data in words.items() if _is_needed(_decoded(data), drawn[mark])]
        if not needed:
            return text_page
        pdfium.FPDFText_ClosePage(text_page)
        handle = native.address(document.raw)
        for mark in needed:
            data = words[mark]
            native.set_mark(handle, self._pieces[mark][0], mark, KEY, data, len(data))
        return pdfium.FPDFText_LoadPage(page)

    def _drawn(self, text_page: pdfium.FPDF_TEXTPAGE) -> dict[_Span, str]:
        """The characters that are drawn in each span, NUL for those that are unknown."""
        spans = {piece: mark for mark, pieces in self._pieces.items() for piece in pieces}
        drawn = dict.fromkeys(self._pieces, "")
        page = native.prepared(native.address(text_page))
        for place in range(max(0, pdfium.FPDFText_CountChars(text_page))):
            mark = spans.get(native.text_object(page, place) or 0)
            if mark is not None and not native.is_generated(page, place):
                is_known = native.is_unmapped(page, place) != 1
                code = native.character(page, place)
                drawn[mark] += chr(code) if is_known and code < 0x110000 else "\0"
        return drawn


def _is_needed(words: str, drawn: str) -> bool:
    """Whether the words given for a span are read: they agree with what is drawn, and say more."""
    visible = _visible(words).replace(SOFT_HYPHEN, "-")
    return visible != _visible(drawn) and do_agree(words, drawn)


def do_agree(words: str, drawn: str) -> bool:
    """Whether the words given for a span may be what is drawn, NUL for an unknown character."""
    if any(map(_is_complex, words)):
        return _simple_letters(words) == _simple_letters(drawn)
    given, signs = _bare(words), _bare(drawn)
    if _accents(words) != _accents(drawn):
        beside = "".join([sign for sign in signs if sign not in _ACCENTS])
        if beside == signs and not any(map(_is_unknown, signs)):
            return False
        signs = beside
    return _may_be_drawn_for(given, signs)


def _may_be_drawn_for(given: str, signs: str) -> bool:
    """Whether a text may be what signs are drawn for."""
    ends = {0}  # of what the signs up to now may be drawn for
    for sign in signs:
        ends = _ends(given, sign, ends)
    return len(given) in ends


def _ends(given: str, sign: str, starts: set[int]) -> set[int]:
    """Where what a sign may be drawn for ends in a text, by where it may begin."""
    if _is_unknown(sign):
        longer = {start + more for start in starts for more in range(_MOST_OF_A_GLYPH + 1)}
        return {end for end in longer if end <= len(given)}
    forms = (sign,) if sign.isalnum() else (sign, *_LIGATURES)
    return {
        start + len(form) for start in starts for form in forms if given.startswith(form, start)
    }


def _is_complex(sign: str) -> bool:
    """Whether a letter is of a script whose glyphs are drawn in another order or for several
    letters: from Hebrew to Burmese, Khmer.
    """
    return any(first <= sign <= last for first, last in _COMPLEX)


def _is_unknown(sign: str) -> bool:
    """Whether no character is known: it is one for control, for private use or unassigned."""
    return unicodedata.category(sign) in ("Cc", "Co", "Cn", "Cs") or sign == "\ufffd"


def _visible(text: str) -> str:
    return "".join(text.replace(_NO_SPACE, "").split())


def _bare(text: str) -> str:
    """The visible signs of a text without case and accents, with one kind of hyphens."""
    bare = unicodedata.normalize("NFD", _visible(text).casefold()).translate(_HYPHENS)
    return "".join([sign for sign in bare if not unicodedata.combining(sign)])


def _accents(text: str) -> str:
    return "".join(filter(unicodedata.combining, unicodedata.normalize("NFD", text.casefold())))


def _simple_letters(text: str) -> str:
    return "".join([sign for sign in _bare(text) if sign.isalnum() and not _is_complex(sign)])


def _words(mark: _Span) -> bytes:
    """The words of a span as the file has them; none where they are too long."""
    buffer, size = create_string_buffer(LONGEST), c_ulong()
    known = native.mark_data(mark, KEY, buffer, LONGEST, addressof(size))
    return buffer.raw[: size.value] if known and size.value <= LONGEST else b""


def _decoded(data: bytes) -> str:
    for start, encoding in (
        (BOM_UTF16_BE, "utf-16-be"),
        (BOM_UTF16_LE, "utf-16-le"),
        (BOM_UTF8, "utf-8"),
    ):
        if data.startswith(start):
            return data[len(start) :].decode(encoding, "replace")
    return data.decode("latin-1")
