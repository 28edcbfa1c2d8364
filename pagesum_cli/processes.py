"""Processes beside the main one."""

import multiprocessing
import os
import signal
from threading import Thread


def end_with_parent() -> None:
    """Let this process end when its parent does, however that ends; Ctrl-C is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on a terminal it reaches all processes

    def wait() -> None:
        if parent := multiprocessing.parent_process():
            parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
