"""How much memory and time reading may take."""

import contextlib
import resource
import signal
from dataclasses import dataclass

from ...errors import PagesumError

MEMORY, MEMORY_A_MEGABYTE = 512, 64
"""Megabytes of memory for any file, and for each of its megabytes: 2,000 dense PDF pages are 3 MB and take 600."""

PROCESSOR, PROCESSOR_A_MEGABYTE = 12, 15
"""Seconds of processor time for any file, and for each of its megabytes."""

WALL, WALL_A_SECOND = 60, 6
"""Seconds for any file, and for each of processor time: other programs compute, too."""

FETCHING = 25
"""Seconds in which a server must answer, and in which each megabyte of its answer must come."""

FETCHED = 1024
"""Megabytes of memory while a file is fetched."""

_SMALLER = "split it, or give its text as a .txt file"
_LATER = "try again later, or download it first"


@dataclass(frozen=True)
class Limits:
    """What reading a file, or a record of one, may take.

    Attributes:
        memory: Megabytes.
        processor: Seconds of processor time.
        wall: Seconds.
        hint: What to do about a file that takes more.
    """

    memory: int
    processor: int
    wall: int
    hint: str

    @classmethod
    def of(cls, size: int | None) -> "Limits":
        """The limits for a file of so many bytes; of a file that is being fetched, for None."""
        if size is None:
            return cls(FETCHED, PROCESSOR, FETCHING, _LATER)
        megabytes = size / 1e6
        processor = int(PROCESSOR + PROCESSOR_A_MEGABYTE * megabytes)
        return cls(int(MEMORY + MEMORY_A_MEGABYTE * megabytes), processor, WALL + WALL_A_SECOND * processor, _SMALLER)

    def impose(self) -> None:
        """Set the limits of memory and processor time of this process, from now on."""
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _set(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime) + 1 + self.processor)
        _set(resource.RLIMIT_DATA, self.memory << 20)

    def out_of_memory(self, name: str) -> PagesumError:
        """The error for a file that takes more memory."""
        return PagesumError(f"{name}: reading it takes more than {self.memory:,} MB of memory", self.hint)

    def overtime(self, name: str) -> PagesumError:
        """The error for a file that takes more time."""
        return PagesumError(f"{name}: reading it takes more than {self.wall:,.0f} s", self.hint)

    def ended(self, name: str, status: int) -> PagesumError:
        """The error for a file whose reader has ended with a status, which is below zero for a signal."""
        if status == -signal.SIGXCPU:
            return PagesumError(f"{name}: reading it takes more than {self.processor:,} s of processor time", self.hint)
        how = f"exit code {status}"
        if status < 0:
            how = signal.Signals(-status).name if -status in list(signal.Signals) else f"signal {-status}"
        hint = f"it may be damaged, or need more than {self.memory:,} MB of memory: save it anew, or give its text"
        return PagesumError(f"{name}: the process that reads it has crashed ({how})", hint)


def _set(kind: int, value: int) -> None:
    """Set a soft limit; the hard one stays, so that the soft one can be raised for the next file."""
    hard = resource.getrlimit(kind)[1]
    with contextlib.suppress(OSError, ValueError):  # some systems know no such limit
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
