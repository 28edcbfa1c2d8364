"""The only module that knows operating systems: what one has and another lacks.

Linux has all of it. macOS has no limit on memory, no ``/proc`` and no affinity of processors;
Windows has no limits, signal masks or ``poll`` either, and cannot replace a file that is open.
Everything heavy is imported where it is used: this module is loaded at every start.
"""

import contextlib
import os
import platform
import re
import signal
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, Literal, TypeVar

resource: Any
try:
    import resource
except ImportError:  # Windows
    resource = None

_T = TypeVar("_T")

IS_WINDOWS = sys.platform == "win32"
REPLACES_OPEN_FILES = not IS_WINDOWS
"""Whether a file that is open or mapped can be replaced."""

# --- processes ------------------------------------------------------------------------------------

STARTING: dict[str, Any] = (
    # its own console: Ctrl-C in that of this process does not reach it
    {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)} if IS_WINDOWS else {}
)
"""Arguments of ``subprocess.Popen`` for a process that works in the background."""


@contextlib.contextmanager
def no_interruptions() -> Iterator[None]:
    """Start a thread or a process that Ctrl-C and SIGTERM never reach: the main thread answers
    them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where they only reach the main thread
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_as_child() -> None:
    """Leave Ctrl-C to the parent, end on SIGTERM, and write no core dump."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on a terminal, it reaches all processes
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # what the parent has blocked meanwhile
    if resource:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ending_of(status: int) -> str:
    """How a process ended, by its status, which is below zero for a signal."""
    if status >= 0:
        return f"exit code {status}" if status < 1 << 16 else f"exit code 0x{status:X}"
    is_known = -status in list(signal.Signals)
    return signal.Signals(-status).name if is_known else f"signal {-status}"


def available_cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor_maker() -> str:
    """``GenuineIntel``, ``AuthenticAMD`` or another; empty where the system does not say."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if line.startswith("vendor_id")]
    except OSError:
        return platform.processor().rpartition(", ")[2]  # Windows: "Intel64 …, GenuineIntel"
    return lines[0].partition(":")[2].strip() if lines else ""


def next_of(queue: "SimpleQueue[_T]") -> _T:
    """Wait for the next item; on Windows, Ctrl-C does not end a wait without a timeout."""
    while True:
        with contextlib.suppress(Empty):
            return queue.get(timeout=PAUSE if IS_WINDOWS else None)


# --- limits ---------------------------------------------------------------------------------------

Limit = Literal["memory", "processor"]

PAUSE = 0.05
"""Seconds between two looks at a process that the system does not limit."""

# setrlimit's limit on data is that of all memory only on Linux: macOS takes it and ignores it
_SET_BY_SYSTEM: dict[Limit, bool] = {
    "memory": resource is not None and sys.platform == "linux",
    "processor": resource is not None,
}
_XCPU = getattr(signal, "SIGXCPU", None)


def limit_this_process(memory: int, processor: int) -> None:
    """Set the bytes of memory and the seconds of processor time that this process may take from now
    on, as far as the system can; :class:`Watch` does the rest.
    """
    if not resource:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _set(resource.RLIMIT_CPU, int(usage.ru_utime + usage.ru_stime) + 1 + processor)
    _set(resource.RLIMIT_DATA, memory)


def _set(kind: int, value: int) -> None:
    """Set a soft limit; the hard one stays, so that the soft one can be raised later."""
    hard = resource.getrlimit(kind)[1]
    with contextlib.suppress(OSError, ValueError):  # some systems know no such limit
        resource.setrlimit(
            kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard)
        )


class Watch:
    """Limits of another process: a thread looks every :data:`PAUSE` and kills one that exceeds what
    the system does not limit.

    Memory is watched from :meth:`allow` to :meth:`rest`; processor time is counted from
    :meth:`allow`, and only compared while ``is_awaited``: a process that works ahead of its reader
    has done nothing wrong.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.exceeded: Limit | None = None
        self.is_awaited = False
        self._process = process
        self._limits: dict[Limit, float] = {}
        self._began: float | None = None  # seconds of processor time at the last ``allow``
        self._is_active, self._is_over = Event(), False
        if not all(_SET_BY_SYSTEM.values()):
            with no_interruptions():
                Thread(target=self._run, daemon=True).start()

    def allow(self, memory: int, processor: int) -> None:
        """Set the bytes and the seconds that the process may take from now on."""
        limits: dict[Limit, float] = {"memory": memory, "processor": processor}
        self._limits = {kind: limits[kind] for kind in limits if not _SET_BY_SYSTEM[kind]}
        self._began = None
        self._is_active.set()

    def rest(self) -> None:
        """Stop looking until the next :meth:`allow`."""
        self._is_active.clear()

    def end(self) -> None:
        """Stop looking for good."""
        self._is_over = True
        self._is_active.set()

    def reason(self, status: int) -> Limit | None:
        """The limit for which the process was killed, with this status, by whomever."""
        return self.exceeded or ("processor" if _XCPU and status == -_XCPU else None)

    def _run(self) -> None:
        while self._is_active.wait() and not self._is_over:
            usage = usage_of(self._process.pid)
            if usage is None:  # it has ended
                return
            self.exceeded = self._exceeded(*usage)
            if self.exceeded:
                return self._process.kill()
            sleep(PAUSE)

    def _exceeded(self, memory: int, seconds: float) -> Limit | None:
        limits, began = self._limits, self._began
        if began is None:
            began = self._began = seconds
        if memory > limits.get("memory", memory):
            return "memory"
        if self.is_awaited and seconds - began > limits.get("processor", seconds):
            return "processor"
        return None


# --- pipes ----------------------------------------------------------------------------------------

PIECE = 1 << 16  # bytes that are read of a pipe at once
AHEAD = 16  # pieces that a thread reads ahead


class Pipe:
    """The reading end of a pipe."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, deadline: float | None = None) -> bytes:
        """Some bytes, none at the end; raises TimeoutError where none come before the deadline, a
        value of ``monotonic()``, if the pipe has deadlines.
        """
        return os.read(self._descriptor, PIECE)

    def close(self) -> None:
        """Stop reading, so that the descriptor can be closed; the writing end is closed."""


class _Polled(Pipe):
    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        import select

        self._poll = select.poll()  # select.select knows no descriptors above 1,023
        self._poll.register(descriptor, select.POLLIN)

    def read(self, deadline: float | None = None) -> bytes:
        if deadline is not None and not self._poll.poll(1000 * max(0, deadline - monotonic())):
            raise TimeoutError
        return super().read()


class _Pumped(Pipe):
    """A pipe that a thread reads."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self._pieces: Queue[bytes] = Queue(AHEAD)
        self._thread = Thread(target=self._pump, daemon=True)
        with no_interruptions():
            self._thread.start()

    def _pump(self) -> None:
        is_open = True
        while is_open:
            try:
                piece = os.read(self._descriptor, PIECE)
            except OSError:  # Windows: the other end was killed
                piece = b""
            is_open = bool(piece)
            self._pieces.put(piece)

    def read(self, deadline: float | None = None) -> bytes:
        while True:
            left = PAUSE if deadline is None else deadline - monotonic()
            with contextlib.suppress(Empty):  # short waits: see next_of
                return self._pieces.get(timeout=max(0, min(left, PAUSE)))
            if left <= 0:
                raise TimeoutError

    def close(self) -> None:
        while self._thread.is_alive():
            with contextlib.suppress(Empty):  # room for what it still has
                self._pieces.get(timeout=PAUSE)
        with contextlib.suppress(Full):
            self._pieces.put_nowait(b"")  # for a thread that still reads


def pipe_with_deadlines(descriptor: int) -> Pipe:
    """The reading end of a pipe whose writer may be too slow."""
    import select

    return _Polled(descriptor) if hasattr(select, "poll") else _Pumped(descriptor)


# --- memory ---------------------------------------------------------------------------------------

# bytes by ``mallopt``'s M_TRIM_THRESHOLD, TOP_PAD, MMAP_THRESHOLD
KEPT_MEMORY = {-1: 512 << 20, -2: 16 << 20, -3: 32 << 20}


def memory_in_use() -> int:
    """Bytes that this process uses; ``getrusage`` counts those of its parent, too."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, AttributeError):
        usage = usage_of(os.getpid())
        return usage[0] if usage else 0


def usage_of(number: int) -> tuple[int, float] | None:
    """Bytes of memory and seconds of processor time that a process uses; None where it has ended,
    or psutil does not know this system.
    """
    try:
        import psutil

        process = psutil.Process(number)
        used, times = process.memory_info(), process.cpu_times()
    except (ImportError, OSError):
        return None
    except psutil.Error:
        return None
    # Windows: also what is swapped out
    return int(getattr(used, "private", used.rss)), times.user + times.system


def free_memory() -> int:
    """Bytes of memory that are free."""
    import psutil

    return int(psutil.virtual_memory().available)


def return_memory() -> None:
    """Return freed memory to the system: glibc keeps the pieces between what outlives them."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # only glibc has it
        _c_library().malloc_trim(0)


def keep_memory() -> None:
    """Keep the memory that a layer frees for the next one: the system clears all that it gives
    again.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # only glibc has it
        for number, size in KEPT_MEMORY.items():
            _c_library().mallopt(number, size)


def _c_library() -> Any:
    import ctypes

    return ctypes.CDLL(None)


def reset_peak_memory() -> None:
    """Let :func:`peak_memory` count from now on, where the system can."""
    return_memory()
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_memory() -> int:
    """The maximum of the bytes in use by this process; 0 where it is not known (only Linux)."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        if found := re.search(r"VmHWM:\s+(\d+)", status):
            return int(found[1]) * 1024
    return 0


# --- files ----------------------------------------------------------------------------------------

BLOCK = 512  # bytes of what ``st_blocks`` counts
LOCK = ".pagesum.lock"
"""Name of a file that locks its folder, where the system cannot lock the folder itself."""

_DEVICES = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)", re.IGNORECASE
)
_DESCRIPTORS = ("/dev/std", "/dev/fd/", "/proc/self/fd/")


def is_descriptor(path: str | Path) -> bool:
    """Whether a path stands for a file that is open: ``/dev/stdout``, ``>(command)`` of a shell."""
    return str(path).startswith(_DESCRIPTORS)


def portable_name(name: str) -> str:
    """A file name that every system takes, whatever extension is added: Windows has devices of some
    names, and drops dots and spaces at the end. Characters that it refuses are replaced.
    """
    name = re.sub(r'[\x00-\x1f<>:"/\\|?*]', "_", name).rstrip(" .")
    return f"_{name}" if not name or _DEVICES.match(name) else name


def name_key(name: str) -> str:
    """The same for names that some file system takes for the same one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def bytes_on_disk(status: os.stat_result) -> int:
    """Bytes that the disk holds of a file; its size, where the system does not tell."""
    blocks = getattr(status, "st_blocks", None)
    return status.st_size if blocks is None else blocks * BLOCK


def piped_encoding(stream: Any) -> str | None:
    """The encoding for what is written to a stream; None leaves it.

    Windows would write the letters of one country only into files and pipes.
    """
    return "utf-8" if IS_WINDOWS and not stream.isatty() else None


def folder_for(kind: Literal["cache", "config", "data", "state"]) -> Path:
    """The user's folder for what this program keeps, which may not exist; ``XDG_…_HOME`` sets it on
    every system.
    """
    if base := os.environ.get(f"XDG_{kind.upper()}_HOME"):
        return Path(base) / "pagesum"
    import platformdirs

    folder: Path = getattr(platformdirs, f"user_{kind}_path")("pagesum", appauthor=False)
    return folder


@contextlib.contextmanager
def locked(folder: str | Path) -> Iterator[bool]:
    """Lock a folder; yields False where another process has the lock.

    The lock is the system's, on the folder itself where it can be: it ends with the process,
    however that ends, and leaves no file. A file system without locks does without.
    """
    with warnings.catch_warnings(action="ignore"):  # of a Python that has no locks of files
        import filelock
    if filelock.has_fcntl:
        yield from _locked_itself(folder)
    else:
        yield from _locked_by_file(os.path.join(folder, LOCK))


def _locked_by_file(path: str) -> Iterator[bool]:
    import filelock

    lock = filelock.FileLock(path, timeout=0)
    is_ours = True
    try:
        lock.acquire()
    except filelock.Timeout:
        is_ours = False
    except OSError:
        pass
    try:
        yield is_ours
    finally:
        lock.release()
        if IS_WINDOWS:  # which does not remove a file that another process has open
            with contextlib.suppress(OSError):
                os.unlink(path)


def _locked_itself(folder: str | Path) -> Iterator[bool]:
    import filelock

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        is_ours = True
        with contextlib.suppress(OSError):
            is_ours = filelock.lock_descriptor(descriptor, blocking=False)
        yield is_ours
    finally:
        # processes that were forked meanwhile have the same lock
        with contextlib.suppress(OSError):
            filelock.unlock_descriptor(descriptor)
        os.close(descriptor)
