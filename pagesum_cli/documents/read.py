"""Files, folders and standard input → Documents."""

import glob
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO

from ..errors import PagesumError, together
from ..files import read_all
from .article.abstract import with_abstract
from .case_names import with_case_name
from .counted import with_counted
from .input import Input
from .model import Document
from .readers import formats
from .readers.formats import format_of, kind_of
from .selection import EVERYTHING, Address, Selection, refusal
from .written import with_origin

STANDARD_INPUT = "-"
SHOWN_NAMES = 5  # files of a folder that are named where there is no reader for them
# beginnings of the names of hidden files, and of those that Word makes beside an open document
_HIDDEN = (".", "~$")


OnProblem = Callable[[str, PagesumError], None] | None
OnSkipped = Callable[[str], None]


def find_files(
    patterns: Sequence[str],
    selection: Selection = EVERYTHING,
    on_problem: OnProblem = None,
    on_skipped: OnSkipped = lambda line: None,
) -> list[str]:
    """The files that the arguments of a command name, in their order, each once; raises all that is
    missing together.

    Args:
        patterns: Files, folders (all readable files in them and in their folders, sorted; hidden
            ones are skipped), glob patterns, or ``-`` for standard input.
        selection: Which files of folders are read.
        on_problem: Called with each subfolder that cannot be read, and the reason; without it, that
            is raised.
        on_skipped: Called with one line for each folder that has files which there is no reader
            for.
    """
    paths: dict[str, None] = {}
    errors: list[PagesumError] = []
    for pattern in patterns:
        try:
            paths.update(dict.fromkeys(_named_by(pattern, selection, on_problem, on_skipped)))
        except PagesumError as error:
            errors.append(error)
    if errors:
        raise together(errors)
    return list(paths)


def _named_by(
    pattern: str, selection: Selection, on_problem: OnProblem, on_skipped: OnSkipped
) -> list[str]:
    if os.path.isdir(pattern):
        return _in_folder(pattern, selection, on_problem, on_skipped)
    if os.path.isfile(pattern) and not os.access(pattern, os.R_OK):
        raise PagesumError(
            f"{pattern}: cannot be read (Permission denied)", "check the permissions"
        )
    if pattern == STANDARD_INPUT or isinstance(pattern, Address) or os.path.exists(pattern):
        return [pattern]
    if not pattern.strip():
        raise PagesumError(
            "expected the name of a file, found an empty one", "use - to read standard input"
        )
    if glob.has_magic(pattern):
        if paths := [
            path for path in sorted(glob.glob(pattern, recursive=True)) if not os.path.isdir(path)
        ]:
            return paths
        raise PagesumError(
            f"{pattern}: no file matches", "check the pattern; ** matches any folders"
        )
    if "://" in pattern:
        raise refusal(pattern)
    raise PagesumError(f"{pattern}: no such file", "check the path; use - to read standard input")


def _in_folder(
    folder: str, selection: Selection, on_problem: OnProblem, on_skipped: OnSkipped
) -> list[str]:
    def unreadable(error: OSError) -> None:
        reason = PagesumError(
            f"{error.filename}: cannot be read ({error.strerror})", "check the permissions"
        )
        if on_problem is None or error.filename == folder:
            raise reason
        on_problem(error.filename, reason)

    paths: list[str] = []
    others: list[str] = []
    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(place, name)
            if name.startswith(_HIDDEN) or not (os.path.isfile(path) or not os.path.exists(path)):
                continue  # no pipes or devices
            (paths if kind_of(name) else others).append(path)
    if not paths:
        suffixes = ", ".join(suffix for one in formats.FORMATS for suffix in one.suffixes)
        raise PagesumError(
            f"{folder}: expected readable files in the folder, found none",
            f"readable files are {suffixes}",
        )
    selected, others = (
        [path for path in some if _path_in(folder, path) in selection] for some in (paths, others)
    )
    if not selected:
        message = f"{folder}: none of its {len(paths)} readable files is selected"
        raise PagesumError(message, "check the patterns of --include and --exclude")
    if others:
        names = [_path_in(folder, path) for path in others[:SHOWN_NAMES]]
        more = f" and {len(others) - SHOWN_NAMES} more" if len(others) > SHOWN_NAMES else ""
        on_skipped(f"{folder}: no reader for {', '.join(names)}{more}")
    return selected


def _path_in(folder: str, path: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def read_file(
    path: str,
    *,
    password: str | None = None,
    stdin: BinaryIO | None = None,
    given: bytes | None = None,
    on_problem: Callable[[str], None] = lambda message: None,
    on_size: Callable[[int | None], None] = lambda size: None,
    on_progress: Callable[[], None] = lambda: None,
    locality: str = "auto",
) -> list[Document]:
    """Read a file, or the documents of all its records, in this process; the program uses
    ``documents.guard``.

    Args:
        path: The file; ``-`` for standard input, whose format is detected from its content; or an
            :class:`~pagesum_cli.documents.selection.Address`, which is fetched.
        given: The content of the file, which is not opened.
        on_problem: Called with one line for each record that cannot be used.
        on_size: Called with None while something is fetched, and then with its number of bytes.
        on_progress: Called after each part of the file that takes seconds.
        locality: How the documents will be cut: the ``article`` list of a record holds sections for
            ``discourse``, documents for ``document``, and otherwise sentences.
    """
    if path == STANDARD_INPUT:
        data = read_all(stdin or sys.stdin.buffer, "standard input") if given is None else given
        if not data.strip():
            raise PagesumError(
                "standard input: expected text, found nothing", "pipe text in, or name a file"
            )
        # so that messages name it
        source = Input("stdin", "standard input", password, data, on_problem, on_progress, locality)
        read = [replace(document, source=path) for document in format_of(source).read(source)]
        return [_completed(document) for document in read]
    if isinstance(path, Address):
        from .fetching import fetch

        fetched = fetch(path, lambda: on_size(None))
        on_size(len(fetched.data))
        source = Input(
            fetched.name,
            path,
            password,
            fetched.data,
            on_problem,
            on_progress,
            locality,
            fetched.kind,
        )
    else:
        name = os.path.basename(path)
        source = Input(name, path, password, given, on_problem, on_progress, locality)
    read = format_of(source).read(source)
    return [_completed(document) for document in read]


def _completed(document: Document) -> Document:
    """A document with what its first lines and its numbers say about it."""
    return with_case_name(with_counted(with_abstract(with_origin(document))))
