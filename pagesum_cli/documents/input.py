"""What a reader gets."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from mmap import ACCESS_READ, mmap

from .. import system
from ..files import FILE_LIMIT, read_bytes

MAPPED = 16 << 20  # bytes above which a file is mapped into memory, where a reader can use that


@dataclass(frozen=True)
class Input:
    """What a reader gets."""

    name: str  # the document's name in labels
    path: str  # the path as the user gave it; ``standard input`` for that
    password: str | None = None  # opens encrypted files
    given: bytes | None = None  # the content, where it is not in the file
    # Called with one line for each part of the file (a record) that cannot be used
    on_problem: Callable[[str], None] = lambda message: None
    # Called after each part of the file that takes seconds
    on_progress: Callable[[], None] = lambda: None
    # how the documents will be cut, which decides what the entries of a record's list are
    locality: str = "auto"
    kind: str | None = None  # the name of the format, where a server gives it

    @cached_property
    def data(self) -> bytes:
        """The content."""
        return read_bytes(self.path) if self.given is None else self.given

    @cached_property
    def mapped(self) -> bytes | mmap:
        """The content, of which only what is looked at takes memory if it is that of a large
        file, and if its user can replace the file meanwhile.
        """
        try:
            is_mapped = self.given is None and system.REPLACES_OPEN_FILES
            if is_mapped and MAPPED < os.path.getsize(self.path) <= FILE_LIMIT:
                with open(self.path, "rb") as file:
                    return mmap(file.fileno(), 0, access=ACCESS_READ)
        except OSError:
            pass  # reading it says why
        return self.data
