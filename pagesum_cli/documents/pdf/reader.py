"""PDF → Document."""

import logging
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from itertools import islice

from pypdf import PdfReader
from pypdf.errors import DependencyError
from pypdf.generic import DictionaryObject, StreamObject

from ...errors import PagesumError
from ...text.cleaning import one_line
from ..article.building import document
from ..input import Input
from ..model import Document
from ..notes import DAMAGED, UNDECODABLE
from .content import PageReader
from .dropped import Dropped
from .layout import read_lines
from .lines import Line
from .outline import outline_of
from .repair import collect_pages, repaired
from .runs import PageText
from .sections import plain_section, read_sections

TOO_LARGE = "too large a page"
"""The reason why pages beyond the limits of ``content.py`` are left out."""
COVER_WORDS = 200
"""Words below which the pages of a portfolio, or of a form in XFA, are only a cover."""

CACHED_OBJECTS = 5000
"""Objects of the pages of a file that pypdf keeps, the last ones."""

_LOCK = threading.Lock()
_LEVELS: list[int] = []
"""The levels of pypdf's logger at the beginning of each reading that is under way, in this or another thread."""


@contextmanager
def _quiet() -> Iterator[None]:
    """pypdf logs every oddity of a file; none of it helps the reader."""
    logger = logging.getLogger("pypdf")
    with _LOCK:
        _LEVELS.append(logger.level)
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        with _LOCK:
            logger.setLevel(_LEVELS.pop())  # the first one's level when the last one ends


def read(source: Input) -> list[Document]:
    """The one document of a PDF."""
    return [pdf_document(source.data, source.name, source.path, password=source.password)]


def pdf_document(
    data: bytes, name: str, source: str, *, password: str | None = None, without: Collection[str] = ()
) -> Document:
    """PDF → Document.

    The text is in reading order. Left out, and counted with the reason, are running heads and feet, page and line
    numbers, authors' names and addresses, captions, tables and the insides of figures, footnotes, program code, back
    matter (see ``back_matter.py``) and the list of references. Prose in smaller type follows the paragraph that it
    interrupts.

    Args:
        data: The file.
        name: Used in labels.
        source: Its path, named in errors.
        password: What it is encrypted with.
        without: Passes over pages and over the document that are switched off, by name.

    Raises:
        PagesumError: It is no PDF, is encrypted, broken, or has no text in it.
    """
    with _quiet():
        return _read(data, name, source, password, without)


def _read(data: bytes, name: str, source: str, password: str | None, without: Collection[str]) -> Document:
    if b"%PDF-" not in data[:1024] and not (data[:1] == b"%" and b"startxref" in data[-2048:]):
        raise PagesumError(
            f"{source}: expected a PDF, found something else", "check the file; it may be a saved web page"
        )
    damage: Exception | None = None
    try:
        reader = _opened(PdfReader(BytesIO(data)), source, password)
    except PagesumError:
        raise
    except DependencyError as error:
        raise PagesumError(
            f"{source}: the PDF's encryption needs one more package ({error})", "pip install cryptography"
        ) from error
    except Exception as error:  # pypdf fails in any way on a broken file
        if isinstance(error, NotImplementedError) and b"/Encrypt" in data:
            raise PagesumError(
                f"{source}: the PDF is encrypted for certain recipients, by certificates instead of a password",
                "open it in a program that has such a certificate, and save it without protection",
            ) from error
        try:
            reader = _opened(repaired(data), source, password)
        except PagesumError:
            raise
        except Exception:
            raise _broken(source, error) from error
        damage = error
    count = len(reader.pages)
    dropped = Dropped()
    lines, unread = _lines(reader, len(data), dropped, without)
    if damage is not None:
        if not lines:
            raise _broken(source, damage) from damage
        dropped.add(DAMAGED, "", 1, "")
    if not lines:
        _check_container(reader, source, 0)
        raise _without_text(source, count, unread, dropped)
    besides = Dropped()
    title, sections = read_sections(lines, outline_of(reader), _metadata_title(reader), besides, frozenset(without))
    if not any(paragraph.text for section in sections for paragraph in section.paragraphs):
        besides, sections = Dropped(), [plain_section(lines)]
    both = (*dropped.left_out(), *besides.left_out())
    left_out = sorted(both, key=lambda one: one.pdf_pages or (count + 1,))
    _check_container(reader, source, sum(len(line.text.split()) for line in lines))
    found = document(name, sections, title=title, source=source, left_out=left_out)
    return replace(found, page_labels=_page_labels(reader))


def _opened(reader: PdfReader, source: str, password: str | None) -> PdfReader:
    """A file that is decrypted, with its pages.

    Raises:
        PagesumError: It needs another password.
        Exception: It is broken, or has no pages.
    """
    if reader.is_encrypted and not reader.decrypt(password or ""):
        if password:
            raise PagesumError(f"{source}: the PDF is encrypted and the password is wrong", "check --password")
        raise PagesumError(f"{source}: the PDF is encrypted", "give its password with --password")
    try:
        count = len(reader.pages)
    except Exception:  # the tree of pages is broken
        if not isinstance(reader.root_object, DictionaryObject):
            raise
        count = 0
    if not count:
        collect_pages(reader)
    if not len(reader.pages):
        raise ValueError("it has no pages")
    return reader


def _check_container(reader: PdfReader, source: str, words: int) -> None:
    """Refuse a file whose pages only ask for another program: a portfolio, or a form in XFA.

    Raises:
        PagesumError: It is one.
    """
    if words >= COVER_WORDS:
        return
    try:
        root = reader.root_object
        is_portfolio = "/Collection" in root
        form = root.get("/AcroForm")
        is_xfa = bool(root.get("/NeedsRendering")) and form is not None and "/XFA" in form.get_object()
        files = len(reader.attachments) if is_portfolio else 0
    except Exception:  # what cannot be read is no container
        return
    if is_portfolio and files:
        raise PagesumError(
            f"{source}: the PDF is a portfolio, whose text is in the {files} file{'s' * (files > 1)} inside it",
            "take them out, for example: pdfdetach -saveall in.pdf",
        )
    if is_xfa:
        raise PagesumError(
            f"{source}: the PDF is an XFA form, whose text is not on its pages",
            "open it in a program that shows such forms, and print it to a PDF",
        )


def _without_text(source: str, pages: int, unread: int, dropped: Dropped) -> PagesumError:
    """Why no page of a file has a line that can be read."""
    words: dict[str, int] = {}
    for one in dropped.left_out():
        words[one.reason] = words.get(one.reason, 0) + one.words
    if unread:
        return _broken(
            source, f"none of its {pages} pages can be read{': they unpack to too much' * (TOO_LARGE in words)}"
        )
    reason, count = max(words.items(), key=lambda one: one[1], default=("", 0))
    if reason == UNDECODABLE:
        return PagesumError(
            f"{source}: the PDF's text (about {count:,} words) is in fonts without a character map",
            "run OCR: ocrmypdf --force-ocr in.pdf out.pdf",
        )
    if count:
        return PagesumError(
            f"{source}: expected text, found none but {reason} ({count:,} words)",
            "give a file that has other text in it",
        )
    return PagesumError(
        f"{source}: the PDF's {pages} page{'s have' if pages > 1 else ' has'} no text layer: scanned",
        "run OCR first, for example: ocrmypdf in.pdf out.pdf",
    )


def _broken(source: str, why: object) -> PagesumError:
    reason = one_line(str(why))[:120]
    return PagesumError(
        f"{source}: the PDF is broken or cut off ({reason})", "download it again, or repair it: qpdf in.pdf out.pdf"
    )


def _lines(reader: PdfReader, size: int, dropped: Dropped, without: Collection[str]) -> tuple[list[Line], int]:
    """The lines of all pages, and how many pages could not be read."""
    content = PageReader(reader, size)
    unread = 0
    first = len(reader.resolved_objects)

    def texts() -> Iterator[PageText]:
        nonlocal unread
        for number in range(len(reader.pages)):
            known = len(reader.resolved_objects)
            try:
                page = content.page(reader.pages[number])
            except Exception:  # a broken page may fail in any way; the others are still worth reading
                unread += 1
                page = PageText([])
                dropped.add("broken page", "", number + 1, "")
            if content.incomplete:
                unread += not page.runs
                dropped.add(TOO_LARGE, "", number + 1, "")
            for reason, text in page.left_out:
                dropped.add(reason, one_line(text), number + 1, "")
            yield page
            _forget(reader, first, known)

    return read_lines(texts(), dropped, without), unread


def _forget(reader: PdfReader, first: int, known: int) -> None:
    """Forget what pypdf keeps of the pages that are read and reads again if it must.

    Args:
        reader: The file.
        first: Number of its objects that were known before the pages.
        known: Those known before the last page, whose streams are forgotten: contents, images.
    """
    objects = reader.resolved_objects
    surplus = len(objects) - first
    latest = islice(reversed(objects), max(0, len(objects) - known))
    gone = [key for key in latest if isinstance(objects[key], StreamObject)]
    if surplus > CACHED_OBJECTS:
        gone += islice(objects, first, first + surplus // 2)
    for key in gone:
        value = objects.get(key)
        if not isinstance(value, StreamObject) or value.get("/Type") != "/ObjStm":
            objects.pop(key, None)


def _page_labels(reader: PdfReader) -> tuple[str, ...]:
    """The numbers printed on the pages, as far as the file says so."""
    try:
        return tuple(map(one_line, reader.page_labels)) if "/PageLabels" in reader.root_object else ()
    except Exception:  # broken labels are no labels
        return ()


def _metadata_title(reader: PdfReader) -> str:
    try:
        return one_line(str((reader.metadata and reader.metadata.title) or ""))
    except Exception:  # broken metadata is no metadata
        return ""
