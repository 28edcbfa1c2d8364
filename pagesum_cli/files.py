"""Files of any kind: atomic writing, safe names, limits on sizes."""

import contextlib
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from . import system
from .errors import PagesumError, UsageError

# UTF-8 bytes of a name made from a title or an id; file systems allow 255 for the whole file name
NAME_BYTES = 100
FILE_LIMIT = 1 << 29  # bytes of a file that is read at once
MAX_PACKED = 100  # times by which a file system may pack a file
PIECE = 1 << 20  # bytes that are read at a time
XZ_MEMORY = 256 << 20  # bytes of memory that unpacking an .xz file may take; xz -9 needs 65 MB

CHECKSUMS = "checksums.json"

UNPACKED_LIMIT, UNPACKED_RATIO = 16 << 20, 20
"""Bytes to which any packed file may unpack, and times its size to which a large one may: text
packs to a fifth.
"""


@contextlib.contextmanager
def replacing(path: str | Path, *, private: bool = False) -> Iterator[Path]:
    """Write a file aside and rename it, so that nobody ever sees half of one; devices and pipes are
    written to.
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
        os.replace(aside, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError):
            error.filename = str(path)
        raise


def write_file(
    path: str | Path, content: str | bytes, *, private: bool = False, overwrite: bool = True
) -> None:
    """Write text (as UTF-8) or bytes, all of it or nothing; see :func:`replacing`."""
    check_new([str(path)], force=overwrite)
    if is_open_file(path):
        return append(path, content)
    with replacing(path, private=private) as aside:
        aside.write_bytes(_bytes_of(content))


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Give errors of writing the name of the file, which the system leaves out where a file is
    open.
    """
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def append(path: str | Path, content: str | bytes, *, is_first: bool = False) -> None:
    """Add text or bytes to a file, or begin the file with them; an open file is only added to."""
    with naming(path), open(path, "wb" if is_first and not is_open_file(path) else "ab") as file:
        file.write(_bytes_of(content))


def _bytes_of(content: str | bytes) -> bytes:
    return content.encode("utf-8", "replace") if isinstance(content, str) else content


def seal(folder: Path) -> None:
    """Wait until a folder's files are on the disk, and write their checksums beside them; see
    :func:`damage`.
    """
    sums = {}
    for path in sorted(folder.iterdir()):
        with open(path, "r+b") as file:
            os.fsync(file.fileno())
            sums[path.name] = hashlib.file_digest(file, "blake2b").hexdigest()
    write_file(folder / CHECKSUMS, json.dumps(sums, indent=2))


def damage(folder: Path) -> str | None:
    """The name of a file that has changed, or is missing, since its folder was sealed; None if
    there is none.
    """
    name = CHECKSUMS
    try:
        sums = json.loads((folder / name).read_bytes())
        for name, known in sums.items():
            with open(folder / name, "rb") as file:
                if hashlib.file_digest(file, "blake2b").hexdigest() != known:
                    return name
        return None if sums else CHECKSUMS
    except (OSError, ValueError, AttributeError, RecursionError):
        return name


def check_writable(path: str) -> None:
    """Refuse, before any work is done, a file that cannot be written in the end."""
    folder = os.path.dirname(os.path.realpath(path))
    if is_open_file(path) and os.access(path, os.W_OK):
        return
    if os.path.isdir(path):
        raise PagesumError(
            f"{path}: expected a file to write to, found a folder", "add a file name"
        )
    if not os.path.isdir(folder):
        raise PagesumError(f"{path}: there is no folder {folder}", "create it, or write elsewhere")
    try:
        if os.path.isfile(path):
            open(path, "ab").close()
        if not os.path.exists(path) or os.path.isfile(path):  # a pipe must not be opened twice
            _try_folder(folder)
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be written: {error.strerror}", "write elsewhere"
        ) from error


def check_not_input(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read; see :func:`inputs_among`."""
    for path in inputs_among(outputs, inputs):
        raise UsageError(
            f"{path} is one of the documents, and would be overwritten", "write to another file"
        )


def inputs_among(outputs: Iterable[str], inputs: Iterable[str]) -> list[str]:
    """The outputs that are inputs, by whatever name."""
    existing = [path for path in outputs if os.path.isfile(path)]
    read = {_identity(path) for path in inputs if existing and os.path.exists(path)}
    real = {path: Path(os.path.realpath(path)) for path in existing}
    return [
        path
        for path, file in real.items()
        if any(_identity(one) in read for one in (file, *file.parents))
    ]


def _identity(path: str | Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def check_new(paths: Iterable[str], *, force: bool = False, hint: str | None = None) -> None:
    """Refuse to replace a file that exists, unless forced. A device or a pipe is written to."""
    for path in paths:
        if os.path.isfile(path) and not (force or is_open_file(path)):
            raise PagesumError(
                f"{path} exists", hint or "--force replaces it; or write to another file"
            )


def is_open_file(path: str | Path) -> bool:
    """Whether a path stands for a file that is open: ``/dev/stdout``, ``>(command)`` of a shell."""
    return system.is_descriptor(path)


def make_folder(path: str | Path, flag: str = "--output") -> Path:
    """Make a folder for results, unless it exists, and check that files can be written to it; a
    hint has the flag.
    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
        _try_folder(path)
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be written ({error.strerror})", f"name another {flag}"
        ) from error
    return Path(path)


@contextlib.contextmanager
def locked(folder: str | Path, flag: str = "--output") -> Iterator[None]:
    """Keep other commands from writing to a folder; raises PagesumError where one does. A hint has
    the flag.
    """
    with system.locked(folder) as is_ours:
        if not is_ours:
            raise PagesumError(
                f"{folder}: another command is writing to this folder",
                f"wait until it is done, or name another {flag}",
            )
        yield


def _try_folder(folder: str | Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"pagesum")


def safe_name(text: str) -> str:
    """The text as part of a file name on every system: no separators, nothing invisible, at most
    :data:`NAME_BYTES` long.
    """
    return shortened(system.portable_name(re.sub(r"[^\w.,+=@ -]", "_", text).strip(" .")))


def shortened(name: str) -> str:
    """A name of at most :data:`NAME_BYTES` bytes; a longer one ends in a digest of all of it."""
    data = name.encode("utf-8", "surrogatepass")
    if len(data) <= NAME_BYTES:
        return name
    return (
        f"{data[: NAME_BYTES - 9].decode('utf-8', 'ignore')}-{hashlib.sha256(data).hexdigest()[:8]}"
    )


def read_bytes(path: str) -> bytes:
    """The content of a file."""
    if os.path.isdir(path):
        raise PagesumError(f"{path}: expected a file, found a folder", "name the files in it")
    try:
        check_size(path)
        with open(path, "rb") as file:
            data = read_all(file, path)
    except FileNotFoundError:
        raise PagesumError(f"{path}: no such file", "check the path") from None
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be read ({error.strerror})", "check the permissions"
        ) from error
    if not data:
        raise PagesumError(
            f"{path}: expected text, found an empty file", "choose a file that contains text"
        )
    return data


def check_size(path: str, limit: int | None = FILE_LIMIT) -> int:
    """Bytes of a file; refuses, before it is read, one of more than a limit, or of hardly anything
    but holes.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        return status.st_size
    if limit is not None and status.st_size > limit:
        raise _too_large(path, limit)
    on_disk = system.bytes_on_disk(status)
    if status.st_size > FILE_LIMIT and status.st_size > MAX_PACKED * on_disk:
        message = (
            f"{path}: {status.st_size >> 20:,} MB, of which the disk holds {on_disk >> 20:,} MB: "
            f"the rest was never written"
        )
        raise PagesumError(message, "download it again, or copy it again")
    return status.st_size


def _too_large(name: str, limit: int) -> PagesumError:
    return PagesumError(
        f"{name}: larger than {limit >> 20} MB",
        "split it; data sets of any size are read as JSON Lines",
    )


def read_all(stream: IO[bytes], name: str, unpacked: int | None = None) -> bytes:
    """All bytes of a stream; see :func:`pieces_of`."""
    data = io.BytesIO()  # in pieces: reading up to the limit at once would reserve as much memory
    for piece in pieces_of(stream, name, unpacked):
        data.write(piece)
        if data.tell() > FILE_LIMIT:
            raise _too_large(name, FILE_LIMIT)
    return data.getvalue()


def pieces_of(stream: IO[bytes], name: str, unpacked: int | None = None) -> Iterator[bytes]:
    """The bytes of a stream, piece by piece; refuses an unpacked one of more bytes than it may
    have.
    """
    size = 0
    while piece := stream.read(PIECE):
        size += len(piece)
        if unpacked is not None and size > unpacked:
            message = f"{name}: unpacks to more than {unpacked >> 20} MB"
            raise PagesumError(
                message, "unpack it and split it; data sets of any size are read as JSON Lines"
            )
        yield piece


def unpacked_limit(path: str | Path) -> int | None:
    """Bytes to which a file that is read at once may unpack; None for a file that is not packed."""
    if not str(path).lower().endswith((".gz", ".xz")):
        return None
    return (
        max(UNPACKED_LIMIT, UNPACKED_RATIO * os.path.getsize(path))
        if os.path.isfile(path)
        else UNPACKED_LIMIT
    )


@contextlib.contextmanager
def open_packed(path: str | Path) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if its name ends in .gz or .xz."""
    name = str(path)
    try:
        with _opened(name) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise PagesumError(
            f"{name}: expected a compressed file, found a damaged one ({error})",
            "compress it again",
        ) from error
    except FileNotFoundError:
        raise PagesumError(f"{name}: no such file", "check the path") from None
    except OSError as error:
        raise PagesumError(
            f"{name}: cannot be read ({error.strerror or error})", "check the permissions"
        ) from error


def _opened(path: str) -> BinaryIO:
    if path.lower().endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    if not path.lower().endswith(".xz"):
        return open(path, "rb")
    # its header says how much memory unpacking takes; lzma.open takes any amount
    with open(path, "rb") as start:
        lzma.LZMADecompressor(memlimit=XZ_MEMORY).decompress(start.read(4096), max_length=1)
    return cast(BinaryIO, lzma.open(path, "rb"))
