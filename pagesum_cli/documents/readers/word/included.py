"""Documents in other formats that a Word document includes: HTML, archived web pages, text."""

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import replace

from ...model import HIDDEN
from ..encodings import decode
from ..html import blocks_of, parsed
from ..invisible import Invisible
from .paragraph import Block
from .styles import Style

_ARCHIVED = re.compile(rb"\A\s*(?:From|MIME-Version|Content-Type)\s*:", re.IGNORECASE)
_MARKUP = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<")
_PARAGRAPHS = re.compile(r"\n\s*\n")


def blocks_of_part(data: bytes) -> Iterator[Block] | None:
    """The blocks of HTML, an archived web page (MHTML) or plain text; None for other formats."""
    if _ARCHIVED.match(data[:200]):
        message = email.message_from_bytes(data, policy=email.policy.default)
        page = message.get_body(("html", "plain"))
        content = page.get_payload(decode=True) if page is not None else None
        data = content if isinstance(content, bytes) else b""
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))  # UTF-16
    if data.startswith(b"{\\rtf") or (b"\0" in data[:1000] and not is_wide):
        return None
    if is_wide:
        data = decode(data, "an included part").encode()
    return _of_markup(data) if _MARKUP.match(data) else _of_text(data)


def _of_markup(data: bytes) -> Iterator[Block]:
    root = parsed(data)
    if root is None:
        return
    is_invisible = Invisible(root)
    for one in blocks_of(root, lambda part: HIDDEN if is_invisible(part) else ""):
        if one.text.strip():
            style = replace(Style(), level=one.level)
            yield Block(one.text, style, marks=one.marks)


def _of_text(data: bytes) -> Iterator[Block]:
    for text in _PARAGRAPHS.split(decode(data, "an included part")):
        if text.strip():
            yield Block(text, Style())
