"""E-mail (``.eml``) → Document."""

import re
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message

from ..errors import PagesumError
from ..text.cleaning import clean, one_line
from .building import left_out
from .document import Document, LeftOut
from .encodings import decode
from .formats import Input
from .html import html_document
from .text import plain_document

_QUOTED = re.compile(r"^>.*$", re.MULTILINE)
_SIGNATURE = re.compile(r"^-- $", re.MULTILINE)
SUBJECT = 1_000
"""Characters of a subject that are read."""


def read(source: Input) -> list[Document]:
    """The one document of an e-mail: its plain text, else its HTML, without quoted messages and the signature.

    Raises:
        PagesumError: It is no e-mail, or has no text.
    """
    try:
        message = message_from_bytes(source.data)
        parts = [part for part in message.walk() if not part.is_multipart()]
    except (MessageError, RecursionError, ValueError) as error:
        raise PagesumError(f"{source.path}: expected an e-mail, found a broken one", "save its text as .txt") from error
    texts = [part for part in parts if not part.get_filename() and part.get_content_maintype() == "text"]
    texts.sort(key=lambda part: part.get_content_subtype() != "plain")
    if not message.keys() or not texts:
        raise PagesumError(f"{source.path}: expected an e-mail with text, found none", "save its text as .txt")
    read, subtype = _text_of(texts[0], source.path), texts[0].get_content_subtype()
    dropped = [LeftOut("attachment", one_line(part.get_filename() or ""), 0) for part in parts if part.get_filename()]
    if subtype == "html":
        found = html_document(read, source.name, source.path)
    else:
        body, *signature = _SIGNATURE.split(clean(read), maxsplit=1)
        for reason, texts_left_out in (("quoted message", _QUOTED.findall(body)), ("signature", signature)):
            if texts_left_out:
                dropped.append(left_out(reason, (text.lstrip("> ") for text in texts_left_out)))
        found = plain_document(_QUOTED.sub("", body), source.name, source.path)
    return [replace(found, title=_subject(message), left_out=(*found.left_out, *dropped))]


def _text_of(part: Message, name: str) -> str:
    data = part.get_payload(decode=True)
    return decode(data if isinstance(data, bytes) else b"", name, part.get_content_charset() or "")


def _subject(message: Message) -> str:
    subject = str(message.get("Subject") or "")[:SUBJECT]
    try:
        return one_line(str(make_header(decode_header(subject))))
    except (MessageError, LookupError, ValueError):
        return one_line(subject)
