"""The command ``pagesum``. Little is imported here, so that Ctrl-C is answered from the first moment on."""

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line and leave with its exit code."""
    signal.signal(signal.SIGINT, leave_at_once)
    from .cli.app import run

    code = run(sys.argv[1:])
    # What is left is Python's own shutdown, which answers an interruption with a traceback.
    signal.signal(signal.SIGINT, leave_at_once)
    sys.exit(code)


def leave_at_once(signum: int, frame: FrameType | None) -> None:
    """Ctrl-C where raising an exception would be swallowed or end in a traceback: while modules are imported."""
    shown_cursor = b"\x1b[?25h" if os.isatty(2) else b""  # a progress bar may have hidden it
    os.write(2, shown_cursor + b"\ninterrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
