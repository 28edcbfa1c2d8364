"""What the arguments of a command name: which files of a folder, and addresses on the web."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache

from ..errors import PagesumError
from ..text.cleaning import one_line


@dataclass(frozen=True)
class Selection:
    """Patterns that select files of a folder.

    A pattern without a slash is compared with the name of a file and of each folder above it; one
    with a slash, with the path from the folder on. ``*`` stands for any characters but a slash,
    ``**`` for any number of folders. What matches a folder matches all files in it.
    """

    include: tuple[str, ...] = ()  # patterns of which a file must match one, if there are any
    exclude: tuple[str, ...] = ()  # patterns of which a file must match none

    def __bool__(self) -> bool:
        return bool(self.include or self.exclude)

    def __contains__(self, path: str) -> bool:
        if self.include and not any(_matches(path, pattern) for pattern in self.include):
            return False
        return not any(_matches(path, pattern) for pattern in self.exclude)


EVERYTHING = Selection()


def _matches(path: str, pattern: str) -> bool:
    parts = tuple(path.split("/"))
    folders = tuple(part for part in pattern.split("/") if part not in ("", "."))
    if "/" not in pattern.rstrip("/"):
        folders = ("**", *folders)
    return any(_match(parts[:end], folders) for end in range(1, len(parts) + 1))


@cache
def _match(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_match(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], pattern[0]) and _match(parts[1:], pattern[1:])


WEB = re.compile(r"https?://", re.IGNORECASE)


class Address(str):
    """A web address that the user allows to be fetched; see ``documents.fetching``."""

    __slots__ = ()


def allowed(arguments: Iterable[str]) -> list[str]:
    """Arguments of a command, the web addresses among them as addresses that may be fetched."""
    return [
        Address(text) if WEB.match(text) and not os.path.exists(text) else text
        for text in arguments
    ]


def refusal(address: str) -> PagesumError:
    """The error for an address where a file is expected."""
    if WEB.match(address):
        return PagesumError(
            f"{one_line(address)}: expected a file, found an address",
            "--allow-network fetches it; or download it and pass the file",
        )
    return PagesumError(
        f"{one_line(address)}: expected a file or an address that begins with https:// or http://",
        "download it first",
    )
