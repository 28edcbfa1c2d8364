"""The command ``pagesum``."""

import gc
import os
import signal
import sys

from .cli.interrupt import end, leave, leave_at_once, on_interrupt

COLLECT_EVERY = 100_000
"""Allocations between two garbage collections: at Python's own 700, these take a tenth of the
import of PyTorch.
"""


NO_SPINNING = {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_THREAD_TIMEOUT": "4"}
"""Settings of OpenMP and OpenBLAS, by which waiting threads leave the processor to others: spinning
ones make a run beside two busy processes several times as long."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""NumPy's products are computed in threads of the program's own, each with a page."""


def main() -> None:
    """Run the command line and exit with its code."""
    for name, value in {**NO_SPINNING, **ONE_THREAD}.items():  # read when libraries are loaded
        os.environ.setdefault(name, value)
    gc.set_threshold(COLLECT_EVERY)
    on_interrupt(leave_at_once)
    signal.signal(signal.SIGTERM, end)
    from .documents.guard.start import start_early

    start_early(sys.argv[1:])  # it imports its own modules while this process does
    from .cli.app import run

    try:
        code = run(sys.argv[1:])
        on_interrupt(leave_at_once)  # Python's own shutdown would answer with a traceback
    except KeyboardInterrupt:  # between two handlers
        leave_at_once(signal.SIGINT, None)
    leave(code)


if __name__ == "__main__":
    main()
