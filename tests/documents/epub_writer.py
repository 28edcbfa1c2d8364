"""Writes small EPUBs of any quality, and prose to fill books with."""

import random
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="{path}" media-type="application/oebps-package+xml"/></rootfiles></container>"""

Entry = tuple[int, str, str]
"""Depth from 1, title and target of an entry of the navigation."""


def page(
    body: str,
    head: str = "<title>A page</title>",
    start: str = '<?xml version="1.0" encoding="utf-8"?>',
) -> str:
    """An XHTML document."""
    return f"""{start}
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head>{head}</head><body>{body}</body></html>"""


def epub(
    pages: Mapping[str, str | bytes],
    *,
    nav: Sequence[Entry] = (),
    ncx: Sequence[Entry] = (),
    title: str = "The Book",
    guide: Mapping[str, str] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    spine: Sequence[str] | None = None,
    opf: str = "OEBPS/content.opf",
    folder: str = "OEBPS/",
) -> bytes:
    """An EPUB.

    Args:
        pages: Bodies (or whole documents) by their names in ``folder``.
        nav: The navigation of an EPUB 3, added to the end of the spine.
        ncx: The navigation of an EPUB 2.
        title: Of the book.
        guide: Kinds by names.
        files: Further files by their paths; an empty one removes a file.
        spine: Names in reading order; all pages by default.
        opf: Path of the package document.
        folder: Where the pages are.
    """
    items, references, contents = [], [], {}
    for number, (name, body) in enumerate(pages.items()):
        whole = isinstance(body, bytes) or "<html" in body
        contents[folder + name] = body if whole else page(str(body))
        items.append(
            f'<item id="p{number}" href="{escape(name)}" media-type="application/xhtml+xml"/>'
        )
    names = list(pages)
    for name in names if spine is None else spine:
        place = f"p{names.index(name)}" if name in names else "missing"
        references.append(f'<itemref idref="{place}"/>')
    if spine and any(name not in names for name in spine):
        items.append('<item id="missing" href="missing.xhtml" media-type="application/xhtml+xml"/>')
    if nav:
        items.append(
            '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        )
        references.append('<itemref idref="nav"/>')
        contents[folder + "nav.xhtml"] = page(
            f'<nav epub:type="toc"><h1>Contents</h1>{_list(nav)}</nav>'
        )
    if ncx:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        contents[folder + "toc.ncx"] = (
            '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
            '"http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx '
            'xmlns="http://www.daisy.org/z3986/2005/ncx/">'
            f"<navMap>{_points(ncx)}</navMap></ncx>"
        )
    kinds = "".join(
        f'<reference type="{kind}" href="{escape(name)}"/>' for name, kind in (guide or {}).items()
    )
    contents[
        opf
    ] = f"""<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></metadata>
<manifest>{"".join(items)}</manifest><spine{' toc="ncx"' * bool(ncx)}>{"".join(references)}</spine>
<guide>{kinds}</guide></package>"""
    contents["META-INF/container.xml"] = CONTAINER.format(path=opf)
    contents |= dict(files or {})
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for path, content in contents.items():
            if content:
                archive.writestr(path, content)
    return buffer.getvalue()


def _list(entries: Sequence[Entry]) -> str:
    """Nested lists of links; an entry without a target is a text."""
    depth, parts = 0, []
    for level, title, target in entries:
        parts.append("</li>" if level <= depth else "")
        parts.append("</ol></li>" * (depth - level) + "<ol>" * (level - depth))
        name = escape(title)
        parts.append(
            f'<li><a href="{escape(target)}">{name}</a>' if target else f"<li><span>{name}</span>"
        )
        depth = level
    return "".join(parts) + "</li></ol>" * depth


def _points(entries: Sequence[Entry]) -> str:
    depth, parts = 0, []
    for level, title, target in entries:
        parts.append("</navPoint>" * (depth - level + 1))
        parts.append(
            f"<navPoint><navLabel><text>{escape(title)}</text></navLabel><content "
            f'src="{escape(target)}"/>'
        )
        depth = level
    return "".join(parts) + "</navPoint>" * depth


_PARTS = (
    (
        "the captain",
        "an old woman",
        "the river",
        "nobody",
        "the king's daughter",
        "my brother",
        "every child",
    ),
    (
        "had seen",
        "remembered",
        "carried",
        "would not leave",
        "followed",
        "asked for",
        "spoke of",
        "sold",
    ),
    (
        "the ship",
        "a letter from the north",
        "the house by the mill",
        "two horses",
        "the last of the bread",
        "a lantern",
    ),
    (
        "before the rain came",
        "in the winter of that year",
        "without a word",
        "as the bells rang",
        "for ever",
    ),
)


def prose(words: int, seed: int = 0, paragraph: int = 90) -> list[str]:
    """Paragraphs of invented sentences, ``words`` words or a few more in all."""
    choice = random.Random(seed).choice
    paragraphs: list[str] = []
    sentences: list[str] = []
    total = since = 0
    while total < words:
        sentence = " ".join(map(choice, _PARTS)) + "."
        sentences.append(sentence[0].upper() + sentence[1:])
        total, since = total + len(sentence.split()), since + len(sentence.split())
        if since >= paragraph or total >= words:
            paragraphs.append(" ".join(sentences))
            sentences, since = [], 0
    return paragraphs


def paragraphs(words: int, seed: int = 0) -> str:
    """The same as HTML."""
    return "".join(f"<p>{one}</p>" for one in prose(words, seed))
