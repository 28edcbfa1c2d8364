"""Word documents that tests make, and what is read of them."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers import docx

PROSE = "The owls hunt at night in the old barns near the river, and they eat mice and small birds."
DAY = "By day the same owls sleep in hollow trees, where the crows of the village rarely see them."


def saved(word: Any) -> bytes:
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """The archive with each file changed."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for info in old.infolist():
            new.writestr(info.filename, change(info.filename, old.read(info)))
    return packed.getvalue()


def read(word: Any) -> Document:
    return docx.read(
        Input("a.docx", "a.docx", given=word if isinstance(word, bytes) else saved(word))
    )[0]


def outline(document: Document) -> list[tuple[int, str, list[str]]]:
    return [
        (one.level, one.heading, [part.text for part in one.paragraphs])
        for one in document.sections
    ]


def add_xml(word: Any, inner: str) -> None:
    """Add a paragraph with this markup."""
    namespaces = (
        nsdecls("w", "m", "wp", "a")
        + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    )
    word.element.body.insert(-1, parse_xml(f"<w:p {namespaces}>{inner}</w:p>"))


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def code(text: str) -> str:
    return mark("begin") + f"<w:r><w:instrText>{text}</w:instrText></w:r>" + mark("separate")
