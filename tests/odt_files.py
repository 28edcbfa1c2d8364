"""OpenDocument texts that tests make, and what is read of them."""

import io
import zipfile
from collections.abc import Mapping

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers import odt

TYPE = "application/vnd.oasis.opendocument.text"
URN = "urn:oasis:names:tc:opendocument:xmlns"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{namespace}"'
    for prefix, namespace in {
        "office": f"{URN}:office:1.0",
        "text": f"{URN}:text:1.0",
        "style": f"{URN}:style:1.0",
        "table": f"{URN}:table:1.0",
        "draw": f"{URN}:drawing:1.0",
        "meta": f"{URN}:meta:1.0",
        "fo": f"{URN}:xsl-fo-compatible:1.0",
        "svg": f"{URN}:svg-compatible:1.0",
        "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
        "xlink": "http://www.w3.org/1999/xlink",
        "dc": "http://purl.org/dc/elements/1.1/",
    }.items()
)
PROSE = "The owls hunt at night in the old barns near the river, and they eat mice and small birds."


def root(name: str, inner: str) -> str:
    """A part of a document."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:{name} {NAMESPACES}>{inner}</office:{name}>'
    )


def style(name: str, properties: str = "", family: str = "text", more: str = "") -> str:
    """An element of a style, with the attributes of its text."""
    text = f"<style:text-properties {properties}/>"
    return f'<style:style style:name="{name}" style:family="{family}" {more}>{text}</style:style>'


def saved(
    text: str, styles: str = "", common: str = "", meta: str = "", files: Mapping[str, str] = {}
) -> bytes:
    """A document.

    Args:
        text: What is in ``office:text``.
        styles: The automatic styles.
        common: What is in ``styles.xml``.
        meta: What is in ``office:meta``.
        files: Further files by their paths.
    """
    body = f"<office:body><office:text>{text}</office:text></office:body>"
    automatic = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    parts = {
        "mimetype": TYPE,
        "content.xml": root("document-content", automatic + body),
        "styles.xml": root("document-styles", common),
        "meta.xml": root("document-meta", f"<office:meta>{meta}</office:meta>"),
        **files,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return packed.getvalue()


def flat(data: bytes) -> bytes:
    """A document in one XML file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read("content.xml")
    return content.replace(b"office:document-content", b"office:document")


def read(data: bytes, name: str = "a.odt") -> Document:
    return odt.read(Input(name, name, given=data))[0]


def texts(document: Document) -> list[str]:
    return [one.text for section in document.sections for one in section.paragraphs]


def dropped(document: Document) -> dict[str, str]:
    return {one.reason: one.text for one in document.left_out}
