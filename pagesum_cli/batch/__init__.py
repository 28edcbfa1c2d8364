"""Summarizing many documents: what is to be done, what an earlier run has done, and where results
go.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    if name != "Summarize":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .columns import Summarize

    return Summarize
