"""The command ``pagesum``."""

import gc
import signal
import sys

from .cli.interrupt import end, leave, leave_at_once, on_interrupt

COLLECT_EVERY = 100_000
"""Allocations between two garbage collections: at Python's own 700, these take a tenth of the import of PyTorch."""


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(COLLECT_EVERY)
    on_interrupt(leave_at_once)
    signal.signal(signal.SIGTERM, end)
    from .cli.app import run

    try:
        code = run(sys.argv[1:])
        on_interrupt(leave_at_once)  # Python's own shutdown would answer with a traceback
    except KeyboardInterrupt:  # between two handlers
        leave_at_once(signal.SIGINT, None)
    leave(code)


if __name__ == "__main__":
    main()
