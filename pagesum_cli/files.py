"""Files of any kind: atomic writing, safe names, limits on sizes."""

import contextlib
import errno
import gzip
import hashlib
import io
import lzma
import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, Self, cast

from .errors import PagesumError, UsageError

NAME_BYTES = 100
"""UTF-8 bytes of a name made from a title or an id; file systems allow 255 for the whole file name."""

FILE_LIMIT = 1 << 29
"""Bytes of a file that is read at once."""

PIECE = 1 << 20
"""Bytes that are read at a time."""

XZ_MEMORY = 256 << 20
"""Bytes of memory that unpacking an .xz file may take; xz -9 needs 65 MB."""

UNPACKED_LIMIT, UNPACKED_RATIO = 16 << 20, 20
"""Bytes to which any packed file may unpack, and times its size to which a large one may: text packs to a fifth."""


# --- writing ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def replacing(
    path: str | Path, *, private: bool = False, durable: bool = False, overwrite: bool = True
) -> Iterator[Path]:
    """Write a file aside and rename it, so that nobody ever sees half of one.

    Args:
        path: The file; a link stays a link. A device or a pipe is written to directly.
        private: Make the file readable by the user only.
        durable: Return only when the content is on the disk.
        overwrite: Replace an existing file.

    Yields:
        The path to write to.

    Raises:
        OSError: It cannot be written; the previous file is still there.
        PagesumError: The file exists and may not be replaced.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        yield target
        return
    aside = target.with_name(f".{shortened(target.name)}.{os.getpid()}.part")
    try:
        if private:
            os.close(os.open(aside, os.O_CREAT | os.O_WRONLY, 0o600))
        yield aside
        if durable:
            with open(aside, "rb") as file:
                os.fsync(file.fileno())
        if overwrite:
            os.replace(aside, target)
        else:
            _rename_to_new(aside, target, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def _rename_to_new(aside: Path, target: Path, path: str | Path) -> None:
    """Rename a file unless the target exists; a link is made because renaming would silently replace the target."""
    try:
        os.link(aside, target)
    except FileExistsError:
        check_new([str(path)])
        raise
    except OSError:  # a file system without links
        check_new([str(path)])
        os.replace(aside, target)
    else:
        os.unlink(aside)


def write_file(
    path: str | Path, content: str | bytes, *, private: bool = False, durable: bool = False, overwrite: bool = True
) -> None:
    """Write text (as UTF-8) or bytes, all of it or nothing; see :func:`replacing`."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with replacing(path, private=private, durable=durable, overwrite=overwrite) as aside:
        aside.write_bytes(data)


class GrowingFile:
    """A file that grows by whole pieces of text, so that a process that is killed leaves those before.

    Nothing is written before the first piece, which is written as by :func:`write_file`.

    Args:
        path: The file, or a device or pipe.
        overwrite: Replace an existing file.
    """

    def __init__(self, path: str, *, overwrite: bool) -> None:
        self._path, self._overwrite = path, overwrite
        self._file: io.FileIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            self._file.close()

    def write(self, text: str) -> None:
        """Add a piece; if it does not fit on the disk, none of it.

        Raises:
            OSError: It cannot be written.
            PagesumError: The file exists and may not be replaced.
        """
        data = text.encode("utf-8", "replace")
        if self._file:
            self._append(self._file, data)
            return
        if is_new := not os.path.exists(self._path) or os.path.isfile(self._path):
            write_file(self._path, data, overwrite=self._overwrite)
        self._file = open(self._path, "ab", buffering=0)  # noqa: SIM115 (closed by __exit__)
        if not is_new:
            self._append(self._file, data)

    def _append(self, file: io.FileIO, data: bytes) -> None:
        size = file.tell() if file.seekable() else None
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
        except BaseException as error:
            if size is not None:
                with contextlib.suppress(OSError):
                    file.truncate(size)
            if isinstance(error, OSError):
                error.filename = self._path
            raise


def check_writable(path: str) -> None:
    """Refuse, before any work is done, a file that cannot be written in the end.

    Raises:
        PagesumError: It cannot.
    """
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise PagesumError(f"{path}: expected a file to write to, found a folder", "add a file name")
    if not os.path.isdir(folder):
        raise PagesumError(f"{path}: there is no folder {folder}", "make it, or write elsewhere")
    try:
        if os.path.isfile(path):
            open(path, "ab").close()
        elif os.path.exists(path) and not os.access(path, os.W_OK):  # a pipe must not be opened twice
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not os.path.exists(path) or os.path.isfile(path):
            _try_folder(folder)
    except OSError as error:
        raise PagesumError(f"{path}: cannot be written: {error.strerror}", "write elsewhere") from error


def check_not_input(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read.

    Raises:
        UsageError: An output is one of the inputs; see :func:`inputs_among`.
    """
    for path in inputs_among(outputs, inputs):
        raise UsageError(f"{path} is one of the documents, and would be overwritten", "write to another file")


def inputs_among(outputs: Iterable[str], inputs: Iterable[str]) -> list[str]:
    """The outputs that are inputs, by whatever name.

    Args:
        outputs: Files to write.
        inputs: Files that are read, and folders of data sets, all of whose files are.
    """
    existing = [path for path in outputs if os.path.isfile(path)]
    read = {identity for path in inputs if existing for identity in _identities(path)}
    return [path for path in existing if not read.isdisjoint([*_identities(path), *_folders_above(path)])]


def _identities(path: str) -> Iterator[object]:
    """What is the same for all names of a file: the path without links, and its place on the disk."""
    yield os.path.realpath(path)
    with contextlib.suppress(OSError, ValueError):
        status = os.stat(path)
        yield status.st_dev, status.st_ino


def _folders_above(path: str) -> Iterator[str]:
    yield from map(str, Path(os.path.realpath(path)).parents)


def check_new(paths: Iterable[str], *, force: bool = False) -> None:
    """Refuse to replace a file that exists. A device or a pipe is written to.

    Args:
        paths: Files to write.
        force: Replace them.

    Raises:
        PagesumError: One of them exists.
    """
    for path in paths:
        if os.path.isfile(path) and not force:
            raise PagesumError(f"{path} exists", "--force replaces it; or write to another file")


def make_folder(path: str | Path, flag: str = "--output") -> Path:
    """Make a folder for results, unless it exists, and check that files can be written to it.

    Args:
        path: The folder.
        flag: The flag that names it, for the hint.

    Raises:
        PagesumError: It cannot be made or written to.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
        _try_folder(path)
    except OSError as error:
        raise PagesumError(f"{path}: cannot be written ({error.strerror})", f"name another {flag}") from error
    return Path(path)


def _try_folder(folder: str | Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"pagesum")


# --- names ------------------------------------------------------------------------------------------------------------


def safe_name(text: str) -> str:
    """The text as part of a file name: no separators, nothing invisible, at most :data:`NAME_BYTES` long."""
    return shortened(re.sub(r"[^\w.,+=@ -]", "_", text).strip(" .") or "_")


def shortened(name: str) -> str:
    """A name of at most :data:`NAME_BYTES` bytes; a longer one ends in a digest of all of it."""
    data = name.encode("utf-8", "surrogatepass")
    if len(data) <= NAME_BYTES:
        return name
    return f"{data[: NAME_BYTES - 9].decode('utf-8', 'ignore')}-{hashlib.sha256(data).hexdigest()[:8]}"


# --- reading ----------------------------------------------------------------------------------------------------------


def read_bytes(path: str) -> bytes:
    """The content of a file.

    Raises:
        PagesumError: It cannot be read, is empty, or is larger than :data:`FILE_LIMIT`.
    """
    if os.path.isdir(path):
        raise PagesumError(f"{path}: expected a file, found a folder", "name the files in it")
    try:
        with open(path, "rb") as file:
            data = read_all(file, path)
    except FileNotFoundError:
        raise PagesumError(f"{path}: no such file", "check the path") from None
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", "check the permissions") from error
    if not data:
        raise PagesumError(f"{path}: expected text, found an empty file", "give a file that has words in it")
    return data


def read_all(stream: IO[bytes], name: str) -> bytes:
    """All bytes of a stream.

    Raises:
        PagesumError: There are more than :data:`FILE_LIMIT`.
    """
    data = io.BytesIO()  # in pieces: reading up to the limit at once would reserve as much memory
    while piece := stream.read(PIECE):
        data.write(piece)
        if data.tell() > FILE_LIMIT:
            raise PagesumError(
                f"{name}: larger than {FILE_LIMIT >> 20} MB", "split it; data sets of any size are read as JSON Lines"
            )
    return data.getvalue()


def unpacked_limit(path: str | Path) -> int | None:
    """Bytes to which a file that is read at once may unpack; None for a file that is not packed."""
    if not str(path).lower().endswith((".gz", ".xz")):
        return None
    return max(UNPACKED_LIMIT, UNPACKED_RATIO * os.path.getsize(path)) if os.path.isfile(path) else UNPACKED_LIMIT


@contextlib.contextmanager
def open_packed(path: str | Path, limit: int | None = None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if its name ends in .gz or .xz.

    Args:
        path: The file.
        limit: Unpacked bytes that may be read in all; None for any number.

    Raises:
        PagesumError: The file cannot be read, its packing is broken, or it unpacks to more than the limit.
    """
    name = str(path)
    try:
        with _opened(name) as stream:
            yield stream if limit is None else io.BufferedReader(_Bounded(stream, limit, name))  # type: ignore[type-var]
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise PagesumError(f"{name}: expected a packed file, found a broken one ({error})", "pack it again") from error
    except FileNotFoundError:
        raise PagesumError(f"{name}: no such file", "check the path") from None
    except OSError as error:
        raise PagesumError(f"{name}: cannot be read ({error.strerror or error})", "check the permissions") from error


def _opened(path: str) -> BinaryIO:
    if path.lower().endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    if not path.lower().endswith(".xz"):
        return open(path, "rb")
    with open(path, "rb") as start:  # its header says how much memory unpacking takes; lzma.open takes any amount
        lzma.LZMADecompressor(memlimit=XZ_MEMORY).decompress(start.read(4096), max_length=1)
    return cast(BinaryIO, lzma.open(path, "rb"))


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more than a number of bytes."""

    def __init__(self, stream: BinaryIO, limit: int, name: str) -> None:
        self._stream, self._left, self._name, self._limit = stream, limit, name, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._stream.read(min(len(buffer), PIECE))
        self._left -= len(data)
        if self._left < 0:
            raise PagesumError(
                f"{self._name}: unpacks to more than {self._limit >> 20} MB",
                "unpack it and split it; data sets of any size are read as JSON Lines",
            )
        buffer[: len(data)] = data
        return len(data)
