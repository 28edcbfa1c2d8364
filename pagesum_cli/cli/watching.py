"""Files that are looked at again whenever they are saved."""

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

INTERVAL = 0.5  # seconds between two looks

_Stamp = tuple[int, int]  # time of the last change, in nanoseconds, and size


class Watch:
    """A file, or the files directly in a folder, but for hidden ones, copies that an editor makes
    (``draft.md~``, ``~$draft.docx``) and those in ``besides``.
    """

    def __init__(self, path: str, besides: Collection[str] = ()) -> None:
        self._path = path
        self._besides = set(map(os.path.realpath, besides))
        self._seen: dict[str, _Stamp] | None = None  # at the last look
        self._reported: dict[str, _Stamp] = {}

    def saved(self) -> list[str]:
        """The files that were saved since they were last reported; at the first look, all.

        A file that has changed since the last look may only be half written, and is reported when
        it is the same at the next one.
        """
        before, self._seen = self._seen, dict(self._stamps())
        found = [
            path
            for path, stamp in self._seen.items()
            if self._reported.get(path) != stamp and (before is None or before.get(path) == stamp)
        ]
        self._reported |= {path: self._seen[path] for path in found}
        return found

    def _stamps(self) -> Iterator[tuple[str, _Stamp]]:
        for path in self._files():
            with suppress(OSError):  # an editor is replacing it
                status = os.stat(path)
                yield path, (status.st_mtime_ns, status.st_size)

    def _files(self) -> list[str]:
        if not os.path.isdir(self._path):
            return [self._path]
        names = [name for name in sorted(os.listdir(self._path)) if _is_document(name)]
        paths = [os.path.join(self._path, name) for name in names]
        return [
            path
            for path in paths
            if os.path.isfile(path) and os.path.realpath(path) not in self._besides
        ]


def _is_document(name: str) -> bool:
    return not (name.startswith((".", "~$", "#")) or name.endswith(("~", ".tmp", ".part", ".swp")))


def watch(
    files: Watch, work: Callable[[str], None], *, wait: Callable[[float], None] = time.sleep
) -> None:
    """Do the work for each file whenever it is saved, until Ctrl-C while nothing is being done."""
    while True:
        for path in files.saved():
            work(path)
        try:
            wait(INTERVAL)
        except KeyboardInterrupt:
            return
