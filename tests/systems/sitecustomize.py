"""Hides what a system lacks, named by ``LACKS_AS``.

Python imports it at its start, in a process of the tests and in those that it starts.
"""

import builtins
import ctypes
import io
import os
import select
import signal
import sys

import psutil  # noqa: F401 (it asks each system in its own way)

LACKS = {
    "macos": {"proc", "affinity", "glibc", "data"},
    "windows": {"proc", "affinity", "modules", "functions", "program"},
}[os.environ["LACKS_AS"]]

if "data" in LACKS:  # macOS takes the limit and ignores it
    import resource

    set_limit = resource.setrlimit
    resource.setrlimit = lambda kind, limits: (
        None if kind == resource.RLIMIT_DATA else set_limit(kind, limits)
    )
if "affinity" in LACKS:
    del os.sched_getaffinity
if "modules" in LACKS:
    for name in ("resource", "fcntl", "pwd", "grp", "termios"):
        sys.modules[name] = None
if "functions" in LACKS:
    del select.poll, signal.pthread_sigmask, os.killpg, os.sysconf, os.getuid
    del signal.SIGXCPU
if LACKS & {"glibc", "program"}:
    Library = ctypes.CDLL

    class CDLL(Library):
        def __init__(self, name=None, *arguments, **more):
            if name is None and "program" in LACKS:
                raise TypeError("bad argument type for built-in operation")
            super().__init__(name, *arguments, **more)

        def __getattr__(self, name):
            if name in ("malloc_trim", "mallopt"):
                raise AttributeError(name)
            return super().__getattr__(name)

    ctypes.CDLL = CDLL
if "proc" in LACKS:
    open_file = io.open

    def opened(file, *arguments, **more):
        """Like ``open``; psutil asks each system in its own way, this one by way of ``/proc``."""
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if str(file).startswith("/proc") and not caller.startswith("psutil"):
            raise FileNotFoundError(2, "No such file or directory", str(file))
        return open_file(file, *arguments, **more)

    builtins.open = io.open = opened
