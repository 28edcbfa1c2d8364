"""E-mail (``.eml``) → Document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import Compat32
from email.utils import parseaddr, parsedate_tz

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ...text.tables import patterns
from ..article.building import document, left_out, origin_of
from ..input import Input
from ..model import Document, LeftOut, Paragraph
from ..notes import ATTACHMENT
from .encodings import decode, logical_order
from .html import html_document, text_of
from .text import plain_document

_FORMS = patterns(__file__, "mail.toml")

# characters of a header that are read: Python's e-mail package takes quadratic time for its
# parameters
HEADER = 1_000
MAX_BULK = 60  # words of a paragraph about the mailing itself
# times as many words as the plain text that HTML has where the plain text does not say all
STUB = 3


def read(source: Input) -> list[Document]:
    """The one document of an e-mail, without quoted messages, signature and attachments.

    Of the forms of a text, the plain one is read, unless it has no words or only a few of those of
    the HTML.
    """
    try:
        message = message_from_bytes(source.data, policy=_ShortHeaders())
        parts = list(_texts(message))
        others = [part for part in message.walk() if not part.is_multipart() and _is_attached(part)]
    except (MessageError, RecursionError, ValueError) as error:
        raise PagesumError(
            f"{source.path}: expected an e-mail, found a broken one", "save its text as .txt"
        ) from error
    attached = [_attachment(part) for part in others]
    texts = [
        (text, is_html)
        for text, is_html in (_chosen(part) for part in parts)
        if any(map(str.isalnum, text))
    ]
    if not message.keys() or not texts:
        raise _without_text(source.path, attached)
    subject = _header(message, "subject")
    documents = [_document(text, is_html, source, subject) for text, is_html in texts]
    sections = [section for one in documents for section in one.sections]
    notices: list[str] = []
    kept = [
        replace(one, paragraphs=tuple(p for p in one.paragraphs if not _is_notice(p, notices)))
        for one in sections
    ]
    dropped = [one for each in documents for one in each.left_out]
    if notices and any(section.paragraphs for section in kept):
        sections = kept
        dropped.append(left_out("notice", notices))
    left = [*dropped, *attached]
    sender, address = parseaddr(_header(message, "from"))
    year, month, day = (parsedate_tz(_header(message, "date")) or (0, 0, 0))[:3]
    origin = origin_of(sender or address, f"{year:04}-{month:02}-{day:02}")
    return [
        document(
            source.name, sections, title=subject, source=source.path, left_out=left, origin=origin
        )
    ]


class _ShortHeaders(Compat32):
    """Cuts off headers after :data:`HEADER` characters."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:HEADER]


def _is_attached(part: Message) -> bool:
    return (
        part.get_content_maintype() != "text"
        or bool(_file_name(part))
        or _disposition(part) == "attachment"
    )


def _file_name(part: Message) -> str:
    try:
        return part.get_filename() or ""
    except ValueError:  # in an encoding that does not fit
        return part.get_content_type()


def _disposition(part: Message) -> str:
    return str(part.get_content_disposition() or "")


def _texts(message: Message) -> Iterator[list[Message]]:
    waiting = [message]
    while waiting:
        part = waiting.pop()
        if part.get_content_type() == "multipart/alternative":
            yield [one for one in part.walk() if not one.is_multipart() and not _is_attached(one)]
        elif part.is_multipart():
            waiting += reversed([one for one in part.get_payload() if isinstance(one, Message)])
        elif not _is_attached(part):
            yield [part]


def _chosen(parts: Sequence[Message]) -> tuple[str, bool]:
    """The form of a text that is read, and whether it is HTML."""
    plain = "\n\n".join(_text_of(part) for part in parts if part.get_content_subtype() != "html")
    html = [_text_of(part) for part in parts if part.get_content_subtype() == "html"]
    words = len(text_of(html[0]).split()) if html else 0
    is_html = words > STUB * len(_FORMS["link"].sub("", plain).split())
    return (html[0], True) if is_html else (plain, False)


def _text_of(part: Message) -> str:
    data = part.get_payload(decode=True)
    charset = logical_order(part.get_content_charset() or "")
    text = clean(decode(data if isinstance(data, bytes) else b"", "the e-mail", charset))
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    return _unflowed(text, has_own_spaces=str(part.get_param("delsp", "")).lower() != "yes")


def _unflowed(text: str, *, has_own_spaces: bool) -> str:
    """Text whose lines go on after a space at their end, which may belong to it (RFC 3676)."""
    lines: list[str] = []
    is_open = False
    for line in text.split("\n"):
        is_quoted = line.startswith(">")
        content = line.removeprefix(" ")
        goes_on = content.endswith(" ") and content != "-- " and not is_quoted
        content = content[:-1] if goes_on and not has_own_spaces else content
        if is_open and not is_quoted:
            lines[-1] += content
        else:
            lines.append(content)
        is_open = goes_on
    return "\n".join(lines)


def _document(text: str, is_html: bool, source: Input, subject: str) -> Document:
    if is_html:
        return html_document(text, source.name, source.path)
    is_forward = _FORMS["forward"].match(subject) is not None
    body, quoted = _without_quotes(_with_forwarded(text))
    body, earlier = _without_history(body, is_forward=is_forward)
    found = {"quoted message": [*quoted, *earlier]}
    for reason, pattern in (
        ("signature", _FORMS["signature"]),
        ("mail header", _FORMS["forwarded"]),
    ):
        found[reason] = pattern.findall(body)
        body = pattern.sub("\n", body)
    body = _FORMS["link"].sub("", body)
    if not any(map(str.isalnum, body)):  # nothing but what is quoted
        return plain_document(text, source.name, source.path)
    read = plain_document(body, source.name, source.path)
    dropped = (left_out(reason, texts) for reason, texts in found.items() if any(texts))
    return replace(read, left_out=(*read.left_out, *dropped))


def _with_forwarded(text: str) -> str:
    """The text with a forwarded message as text, where a mail program quotes it; and lines that
    begin with "From" as they were, which mailboxes change.
    """
    text = _FORMS["changed_from"].sub("From ", text)
    match = _FORMS["quoted_forward"].search(text)
    if match is None:
        return text
    forwarded = _FORMS["quote_mark"].sub("", match["quoted"])
    headed = f"---------- {match['line']} ----------\n{forwarded}"
    return f"{text[: match.start()]}{headed}{text[match.end() :]}"


def _without_history(text: str, *, is_forward: bool) -> tuple[str, list[str]]:
    """The text before the messages that it answers, which follow it without marks; and these."""
    for name in ("history", "history_headers"):
        match = _FORMS[name].search(text)
        if match is None or not any(map(str.isalnum, text[: match.start()])):
            continue
        if not is_forward:
            return text[: match.start()], [text[match.start() :]]
    return text, []


def _without_quotes(text: str) -> tuple[str, list[str]]:
    kept: list[str] = []
    quoted: list[str] = []
    for line in text.split("\n"):
        if not line.startswith(">"):
            kept.append(line)
            continue
        if count := _lines_of_attribution(kept[-4:]):
            quoted += kept[-count:]
            del kept[-count:]
        quoted.append(line.lstrip("> "))
        kept.append("")
    return "\n".join(kept), quoted


def _lines_of_attribution(lines: Sequence[str]) -> int:
    """The number of lines at the end with the writer of the quoted message: ``On 1 May 2024, Bo
    <b@c.de> wrote:``.
    """
    blank = next((n for n, line in enumerate(reversed(lines)) if line.strip()), 0)
    last, before = (*reversed(lines[: len(lines) - blank]), "", "")[:2]
    if not last.rstrip().endswith(":") or len(last) > 200:
        return 0
    has_date = any(map(str.isdigit, last))
    if (
        (not has_date or last.startswith("<"))
        and any(map(str.isdigit, before))
        and _FORMS["wrote"].search(last)
    ):
        return blank + 2  # broken by the mail program
    return blank + 1 if _FORMS["wrote"].search(last) or (has_date and ":" in last[:-1]) else 0


def _is_notice(paragraph: Paragraph, notices: list[str]) -> bool:
    text = paragraph.text
    if not any(map(str.isalnum, text)):
        return True
    is_notice = len(text.split()) <= MAX_BULK and _FORMS["bulk"].search(text) is not None
    if is_notice:
        notices.append(text)
    return is_notice


def _attachment(part: Message) -> LeftOut:
    described = Message()
    described["Content-Disposition"] = _header(part, "content-disposition")
    described["Content-Type"] = _header(part, "content-type")
    name = one_line(_file_name(described) or _file_name(part) or part.get_content_type())
    is_picture = part.get_content_maintype() == "image" and _disposition(part) != "attachment"
    return LeftOut("picture" if is_picture else ATTACHMENT, name, 0)


def _without_text(path: str, attached: Sequence[LeftOut]) -> PagesumError:
    names = ", ".join(one.text for one in attached if one.reason == ATTACHMENT)
    if names:
        return PagesumError(
            f"{path}: expected an e-mail with text, found only attachments ({names})",
            "save them and pass them as files",
        )
    return PagesumError(
        f"{path}: expected an e-mail with text, found none", "save its text as .txt"
    )


def _header(part: Message, name: str) -> str:
    """A header, its words decoded; bytes outside of ASCII are read as text."""
    raw = next((str(value) for key, value in part.raw_items() if key.lower() == name), "")
    raw = decode(raw.encode("ascii", "surrogateescape"), name)
    try:
        return one_line(str(make_header(decode_header(raw))))
    except (MessageError, LookupError, ValueError):
        return one_line(raw)
