"""Documents on the web, fetched only where the user allows it, in the process that reads files."""

import codecs
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from time import monotonic
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..errors import PagesumError
from ..files import FILE_LIMIT, safe_name
from ..text.cleaning import one_line
from .readers.encodings import is_encoding
from .readers.formats import KINDS_OF_TYPES, kind_of
from .selection import WEB, Address

AGENT = "pagesum (command-line summarizer)"
# seconds without an answer, and in all, after which fetching is given up
SILENCE, TOTAL = 30.0, 600.0
STEP = 1 << 20  # bytes after each of which the time for the next ones begins
_PIECE = 1 << 16


@dataclass(frozen=True)
class Fetched:
    """What is at an address."""

    name: str  # the name of the file, for labels
    data: bytes  # its content; text whose encoding only the server declares is UTF-8 here
    kind: str | None  # the name of its format; None where its content has to tell


def fetch(address: Address, on_data: Callable[[], None] = lambda: None) -> Fetched:
    """Fetch a document; nothing is written to the disk."""
    on_data()
    try:
        request = Request(_ascii(address), headers={"User-Agent": AGENT, "Accept": "*/*"})
        with build_opener(_Redirects(address)).open(request, timeout=SILENCE) as response:
            data = _content(response, address, on_data)
            headers, name = response.headers, _name(response.headers, response.url)
    except PagesumError:
        raise
    except Exception as failure:
        raise _explained(address, failure) from failure
    if not data.strip():
        raise PagesumError(
            f"{one_line(address)}: expected a document, found nothing", "open it in a browser"
        )
    mime = headers.get_content_type()
    kind = KINDS_OF_TYPES.get(mime) or kind_of(name) or kind_of(urlsplit(address).path)
    if kind is None and mime == "text/plain":
        kind = "text"
    charset = headers.get_content_charset() or ""
    if kind in ("text", "markdown", "html") and is_encoding(charset):
        data = codecs.BOM_UTF8 + data.decode(charset, errors="replace").encode("utf-8", "replace")
    return Fetched(name, data, kind)


class _Redirects(HTTPRedirectHandler):
    """Follows redirections only to web addresses, and inside of a network only to the server that
    the user named.
    """

    def __init__(self, address: str) -> None:
        self._server = _server(address)

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> Request | None:
        leads = f"{one_line(req.full_url)}: leads to {one_line(newurl)[:100]}"
        if not WEB.match(newurl):
            raise PagesumError(f"{leads}, which is not a web address", "download it first")
        server = _server(newurl)
        if server != self._server and any(map(_is_internal, _addresses(*server))):
            message = f"{leads}, inside this computer or network"
            raise PagesumError(message, "pass that address itself, if you trust it")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _server(address: str) -> tuple[str, int]:
    """The name and the port of the server of an address; one that does not name a port has two,
    which are one here.
    """
    parts = urlsplit(address)
    return (parts.hostname or "").rstrip("."), parts.port or 443


def _addresses(host: str, port: int) -> list[str]:
    try:
        return [
            str(known[4][0]) for known in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        ]
    except (OSError, UnicodeError):
        return []


def _is_internal(address: str) -> bool:
    """Whether a numeric address is of this computer, or of a network that is not the internet."""
    number = ipaddress.ip_address(address.partition("%")[0])
    return not (getattr(number, "ipv4_mapped", None) or number).is_global


def _ascii(address: str) -> str:
    parts = urlsplit(address)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode("ascii")
    kept = "%/:=&?~+!$,;'@()*[]"
    return parts._replace(
        netloc=host,
        path=quote(parts.path, safe=kept),
        query=quote(parts.query, safe=kept),
        fragment="",
    ).geturl()


def _content(
    response: http.client.HTTPResponse, address: str, on_data: Callable[[], None]
) -> bytes:
    """The content of an answer."""
    length = response.headers.get("Content-Length") or ""
    expected = int(length) if length.isdecimal() and len(length) < 20 else None
    began, data, step = monotonic(), bytearray(), STEP
    while (expected or 0) <= FILE_LIMIT and (piece := response.read1(_PIECE)):
        data += piece
        if len(data) >= step:
            on_data()
            step += STEP
        if monotonic() - began > TOTAL:
            raise TimeoutError
        if len(data) > FILE_LIMIT:
            break
    if max(len(data), expected or 0) > FILE_LIMIT:
        raise PagesumError(
            f"{one_line(address)}: larger than {FILE_LIMIT >> 20} MB", "download it and split it"
        )
    if expected is not None and len(data) < expected:
        raise http.client.IncompleteRead(bytes(data), expected - len(data))
    return bytes(data)


def _name(headers: Message, address: str) -> str:
    parts = urlsplit(address)
    last = unquote(parts.path).rstrip("/").rpartition("/")[2]
    given = (headers.get_filename() or "").replace("\\", "/").rpartition("/")[2]
    return safe_name(one_line(given) or one_line(last) or parts.hostname or "page")


def _explained(address: str, failure: Exception) -> PagesumError:
    where = one_line(address)
    reason = failure.reason if isinstance(failure, URLError) else failure
    if isinstance(failure, HTTPError):
        hint = "check the address"
        if failure.code in (401, 402, 403, 407, 429):
            hint = "open it in a browser, save it, and pass the file"
        elif failure.code >= 500:
            hint = "try again later"
        return PagesumError(
            f"{where}: the server answers {failure.code} {one_line(str(failure.reason))[:80]}", hint
        )
    if isinstance(reason, ssl.SSLError):
        hint = "check the address and the computer's clock"
        return PagesumError(
            f"{where}: the connection is not secure ({reason.reason or 'TLS'})", hint
        )
    if isinstance(reason, TimeoutError):
        return PagesumError(
            f"{where}: the server does not answer in time", "try again later, or download it first"
        )
    if isinstance(reason, socket.gaierror):
        return PagesumError(
            f"{where}: the server cannot be found", "check the address and the network"
        )
    if isinstance(reason, http.client.IncompleteRead):
        return PagesumError(f"{where}: the connection was cut off", "try again")
    why = one_line(getattr(reason, "strerror", None) or str(reason) or type(reason).__name__)[:100]
    return PagesumError(f"{where}: cannot be fetched ({why})", "check the address and the network")
