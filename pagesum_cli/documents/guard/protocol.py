"""What both sides of the guard share: frames on a pipe, and how much memory and time reading may
take.
"""

import contextlib
import json
import os
import resource
import select
import signal
import struct
from base64 import b64encode
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ...errors import PagesumError

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 16


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
_SMALLER = "split it, or give its text as a .txt file"
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
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _set(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime) + 1 + self.processor)
        _set(resource.RLIMIT_DATA, self.memory << 20)

    def ended(self, name: str, status: int) -> PagesumError:
        """The error for a file whose reader has ended with a status, which is below zero for a
        signal.
        """
        if status == -signal.SIGXCPU:
            return PagesumError(
                f"{name}: reading it takes more than {self.processor:,} s of processor time",
                self.hint,
            )
        how = f"exit code {status}"
        if status < 0:
            how = (
                signal.Signals(-status).name
                if -status in list(signal.Signals)
                else f"signal {-status}"
            )
        hint = (
            f"it may be damaged, or need more than {self.memory:,} MB of memory: save it "
            f"again, or give its text"
        )
        return PagesumError(f"{name}: the process that reads it has crashed ({how})", hint)


def _set(kind: int, value: int) -> None:
    """Set a soft limit; the hard one stays, so that the soft one can be raised for the next
    file.
    """
    hard = resource.getrlimit(kind)[1]
    with contextlib.suppress(OSError, ValueError):  # some systems know no such limit
        resource.setrlimit(
            kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard)
        )
