"""Frames: bytes with their length before them, on a pipe; and values as JSON in them."""

import json
import os
import select
import struct
from base64 import b64encode
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from time import monotonic
from typing import Any

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 16


def encoded(value: Any) -> bytes:
    """A value as JSON; a dataclass is an object with its fields, a set is a list, and bytes are Base64."""
    return json.dumps(value, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return b64encode(value).decode()
    names, values = _fields(value.__class__)
    return dict(zip(names, values(value), strict=True))


@lru_cache
def _fields(kind: Any) -> tuple[list[str], Any]:
    names = [field.name for field in fields(kind)]
    return names, attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)


def send(descriptor: int, content: bytes) -> None:
    """Send a frame."""
    length = _LENGTH.pack(len(content))
    is_short = len(content) < _PIECE
    for piece in (length + content,) if is_short else (length, content):
        left = memoryview(piece)
        while left:
            left = left[os.write(descriptor, left) :]


class Frames:
    """Frames that arrive on a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()  # select.select knows no descriptors above 1,023
        self._poll.register(descriptor, select.POLLIN)
        self._data = bytearray()

    def next(self, limit: int | None = None, deadline: float | None = None) -> bytes:
        """The next frame."""
        (length,) = _LENGTH.unpack(self._take(_LENGTH.size, deadline))
        if limit is not None and length > limit:
            raise ValueError(f"a frame of {length:,} bytes")
        return self._take(length, deadline)

    def _take(self, number: int, deadline: float | None) -> bytes:
        while len(self._data) < number:
            if deadline is not None and not self._poll.poll(1000 * max(0, deadline - monotonic())):
                raise TimeoutError
            piece = os.read(self._descriptor, _PIECE)
            if not piece:
                raise EOFError
            self._data += piece
        taken = bytes(memoryview(self._data)[:number])
        del self._data[:number]
        return taken
