"""Requests as the protocol's library can read them."""

import io
import json
import re
from typing import BinaryIO

_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")


def mended(line: bytes) -> bytes:
    """A request in which half a surrogate pair is a replacement character: the library does not
    read, and so does not answer, a request with one.
    """
    if _HALF_PAIR.search(line) is None:
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode() + b"\n"


class MendedLines(io.BufferedIOBase):
    """A stream of requests, each of them mended."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """The next line."""
        return mended(self._stream.readline())

    def read1(self, size: int = -1) -> bytes:
        """The next line."""
        return self.read()
