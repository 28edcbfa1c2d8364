"""What a reader gets."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ..files import read_bytes


@dataclass(frozen=True)
class Input:
    """What a reader gets.

    Attributes:
        name: The document's name in labels.
        path: The path as the user gave it; ``standard input`` for that.
        password: Opens encrypted files.
        given: The content, where it is not in the file.
        on_problem: Called with one line for each part of the file (a record) that cannot be used.
        locality: How the documents will be cut, which decides what the entries of a record's list are.
        kind: The name of the format, where a server gives it.
    """

    name: str
    path: str
    password: str | None = None
    given: bytes | None = None
    on_problem: Callable[[str], None] = lambda message: None
    locality: str = "auto"
    kind: str | None = None

    @cached_property
    def data(self) -> bytes:
        """The content."""
        return read_bytes(self.path) if self.given is None else self.given
