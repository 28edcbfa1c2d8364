"""PDF → Document."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from ..errors import PagesumError
from .document import Document
from .pdf_content import PageReader
from .pdf_layout import Line, common_gutters, lines_of, segments_of, without_furniture
from .pdf_sections import OutlineEntry, read_sections
from .text import document, one_line


@contextmanager
def _quiet() -> Iterator[None]:
    """pypdf logs every oddity of a file; none of it helps the reader."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def pdf_document(data: bytes, name: str, source: str, *, password: str | None = None) -> Document:
    """PDF → Document.

    The text stands in reading order, with running headers, footers, page and line numbers removed. The reference list,
    the authors' names and addresses, and what is printed inside of tables and figures are left out; captions and
    footnotes follow the paragraph that they interrupt.

    Raises:
        PagesumError: it is no PDF, is encrypted, broken, or has no text in it.
    """
    with _quiet():
        return _read(data, name, source, password)


def _read(data: bytes, name: str, source: str, password: str | None) -> Document:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    if b"%PDF-" not in data[:1024]:
        raise PagesumError(
            f"{source}: expected a PDF, found something else", "check the file; it may be a saved web page"
        )
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(password or ""):
            if password:
                raise PagesumError(f"{source}: the PDF is encrypted and the password is wrong", "check --password")
            raise PagesumError(f"{source}: the PDF is encrypted", "give its password with --password")
        count = len(reader.pages)
    except DependencyError as error:
        raise PagesumError(
            f"{source}: the PDF's encryption needs one more package ({error})", "pip install cryptography"
        ) from error
    except (PyPdfError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, OSError) as error:
        raise _broken(source, error) from error
    if not count:
        raise _broken(source, "it has no pages")
    lines, unread = _lines(reader)
    if not lines:
        if unread:
            raise _broken(source, f"none of its {count} pages can be read")
        raise PagesumError(
            f"{source}: the PDF's {count} page{'s have' if count > 1 else ' has'} no text layer: scanned",
            "run OCR first, for example: ocrmypdf in.pdf out.pdf",
        )
    title, sections = read_sections(lines, _outline(reader), _metadata_title(reader))
    return document(name, sections, title=title, source=source)


def _broken(source: str, why: object) -> PagesumError:
    reason = one_line(str(why))[:120]
    return PagesumError(
        f"{source}: the PDF is broken or cut off ({reason})", "download it again, or repair it: qpdf in.pdf out.pdf"
    )


def _lines(reader) -> tuple[list[Line], int]:  # a pypdf.PdfReader
    """The lines of all pages, and how many pages could not be read."""
    content = PageReader(reader)
    pages, heights, unread = [], [], 0
    for number in range(len(reader.pages)):
        try:
            page = reader.pages[number]
            width, height = float(page.mediabox.width), float(page.mediabox.height)
            if int(page.get("/Rotate", 0) or 0) % 180 == 90:
                width, height = height, width
            runs = content.runs(page)
        except Exception:  # a broken page may fail in any way; the others are still worth reading
            unread += 1
            width, height, runs = 612.0, 792.0, []
        pages.append(segments_of(runs, width, height))
        heights.append(max(height, 1.0))
    pages = without_furniture(pages, heights)
    lines: list[Line] = []
    gutters = common_gutters(pages)
    for number, (segments, height) in enumerate(zip(pages, heights, strict=True), start=1):
        lines += lines_of(segments, number, height, gutters)
    return lines, unread


def _outline(reader) -> list[OutlineEntry]:  # a pypdf.PdfReader
    """The bookmarks of the file with their depth and page; empty where they cannot be read."""
    found: list[OutlineEntry] = []
    try:
        waiting = [(entry, 1) for entry in reversed(reader.outline)]
        while waiting and len(found) < 5000:
            entry, depth = waiting.pop()
            if isinstance(entry, list):
                waiting += [(inner, depth + 1) for inner in reversed(entry)]
                continue
            page = reader.get_destination_page_number(entry)
            title = one_line(str(entry.title or ""))
            if title:
                found.append(OutlineEntry(title, depth, (page + 1) if page is not None and page >= 0 else 0))
    except Exception:  # a broken outline is no outline
        return found
    return found


def _metadata_title(reader) -> str:  # a pypdf.PdfReader
    try:
        return one_line(str((reader.metadata and reader.metadata.title) or ""))
    except Exception:  # broken metadata is no metadata
        return ""
