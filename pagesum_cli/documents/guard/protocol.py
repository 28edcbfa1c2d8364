"""What both sides of the guard share: frames on a pipe, and how much memory and time reading may
take.
"""

import json
import os
import struct
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

from ... import system
from ...errors import PagesumError

_LENGTH = struct.Struct(">Q")


def encoded(value: Any) -> bytes:
    """A value as JSON; a dataclass is an object with its fields, a set is a list, and bytes are
    Base64.
    """
    return json.dumps(value, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, bytes):
        return b64encode(value).decode()
    # its fields, faster than by ``fields``
    return {name: getattr(value, name) for name in value.__match_args__}


def send(descriptor: int, content: bytes) -> None:
    """Send a frame."""
    length = _LENGTH.pack(len(content))
    is_short = len(content) < system.PIECE
    for piece in (length + content,) if is_short else (length, content):
        left = memoryview(piece)
        while left:
            left = left[os.write(descriptor, left) :]


class Frames:
    """Frames that arrive on a pipe."""

    def __init__(self, pipe: system.Pipe) -> None:
        self.pipe = pipe
        self._data = bytearray()

    def next(self, limit: int | None = None, deadline: float | None = None) -> bytes:
        """The next frame."""
        (length,) = _LENGTH.unpack(self._take(_LENGTH.size, deadline))
        if limit is not None and length > limit:
            raise ValueError(f"a frame of {length:,} bytes")
        return self._take(length, deadline)

    def _take(self, number: int, deadline: float | None) -> bytes:
        while len(self._data) < number:
            piece = self.pipe.read(deadline)
            if not piece:
                raise EOFError
            self._data += piece
        taken = bytes(memoryview(self._data)[:number])
        del self._data[:number]
        return taken


# megabytes for any file, and for each of its: 2,000 dense PDF pages take 600
MEMORY, MEMORY_A_MEGABYTE = 512, 64
# seconds of processor time for any file, and for each of its megabytes
PROCESSOR, PROCESSOR_A_MEGABYTE = 12, 15
# seconds for any file, and for each of processor time: other programs compute, too
WALL, WALL_A_SECOND = 60, 6
MEGABYTES = 4096  # megabytes of a file above which nothing more is granted
# seconds in which a server must answer, and in which each megabyte of its answer must come
FETCHING = 25
FETCHED = 1024  # megabytes of memory while a file is fetched
_SMALLER = "split it, or save its text as a .txt file"
_LATER = "try again later, or download it first"


@dataclass(frozen=True)
class Limits:
    """What reading a file, or a record of one, may take."""

    memory: int  # megabytes
    processor: int  # seconds of processor time
    wall: int  # seconds
    hint: str  # what to do about a file that takes more

    @classmethod
    def of(cls, size: int | None) -> "Limits":
        """The limits for a file of so many bytes; of a file that is being fetched, for None."""
        if size is None:
            return cls(FETCHED, PROCESSOR, FETCHING, _LATER)
        megabytes = min(size / 1e6, MEGABYTES)
        processor = int(PROCESSOR + PROCESSOR_A_MEGABYTE * megabytes)
        return cls(
            int(MEMORY + MEMORY_A_MEGABYTE * megabytes),
            processor,
            WALL + WALL_A_SECOND * processor,
            _SMALLER,
        )

    def impose(self) -> None:
        """Set the limits of memory and processor time of this process, from now on."""
        system.limit_this_process(self.memory << 20, self.processor)

    def exceeded(self, name: str, limit: system.Limit) -> PagesumError:
        """The error for a file that takes too much."""
        amounts: dict[system.Limit, str] = {
            "memory": f"{self.memory:,} MB of memory",
            "processor": f"{self.processor:,} s of processor time",
        }
        return PagesumError(f"{name}: reading it takes more than {amounts[limit]}", self.hint)

    def crashed(self, name: str, status: int) -> PagesumError:
        """The error for a file whose reader has ended with a status, which is below zero for a
        signal.
        """
        hint = (
            f"it may be damaged, or need more than {self.memory:,} MB of memory: save it again, or "
            "save its text as a .txt file"
        )
        how = system.ending_of(status)
        return PagesumError(f"{name}: the process that reads it has crashed ({how})", hint)
