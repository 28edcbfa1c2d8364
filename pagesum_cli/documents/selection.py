"""Which files of a folder are read."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache


@dataclass(frozen=True)
class Selection:
    """Patterns that select files of a folder.

    A pattern without a slash is compared with the name of a file and of each folder above it; one with a slash, with
    the path from the folder on. ``*`` stands for any characters but a slash, ``**`` for any number of folders. What
    matches a folder matches all files in it.

    Attributes:
        include: Patterns of which a file must match one, if there are any.
        exclude: Patterns of which a file must match none.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

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
