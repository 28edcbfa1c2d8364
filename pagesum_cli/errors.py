"""The one family of errors that a user sees."""

import errno
import os
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any


class PagesumError(Exception):
    """Something the user can act on.

    Args:
        message: one line: what was found and what was expected.
        hint: what to do about it, one line; printed after ``hint:``.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type["PagesumError"], tuple[str, str | None]]:
        return type(self), (self.message, self.hint)  # errors cross processes


class UsageError(PagesumError):
    """Flags or values that make no sense together."""

    exit_code = 2


def shown(value: Any) -> str:
    """A value in a message, however long it is."""
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:39]}…"


SHOWN = 5  # errors that are reported in one line


def together(errors: Sequence[PagesumError]) -> PagesumError:
    """One or more errors as one, so that all of them can be mended at once."""
    if len(errors) == 1:
        return errors[0]
    more = [f"and {len(errors) - SHOWN} more"] if len(errors) > SHOWN else []
    hints = dict.fromkeys(error.hint for error in errors[:SHOWN] if error.hint)
    message = "; ".join([*(error.message for error in errors[:SHOWN]), *more])
    return type(errors[0])(message, "; ".join(hints) or None)


def explained(failure: Exception) -> PagesumError:
    """Any exception as an error that a user can read; one of this family as it is."""
    if isinstance(failure, PagesumError):
        return failure
    if isinstance(failure, OSError) and failure.strerror:
        where = os.fsdecode(failure.filename) if failure.filename else "standard output"
        error = PagesumError(f"{where}: {failure.strerror}", _OS_HINTS.get(failure.errno or 0))
    # torch's
    elif isinstance(failure, MemoryError) or re.search(
        "^OutOfMemoryError|t allocate memory", repr(failure)
    ):
        error = PagesumError("out of memory", "a smaller --page-tokens needs less")
    else:
        error = PagesumError(
            f"unexpected {type(failure).__name__}: {failure}",
            "--debug shows where; please report it",
        )
    error.__cause__ = failure
    return error


_OS_HINTS = {
    errno.ENOSPC: "free up disk space, or write elsewhere",
    errno.EACCES: "check the permissions, or write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.EFBIG: "file sizes are limited here: ulimit -f shows the limit",
}


def require_package(module: str, name: str, extra: str) -> None:
    """Check that an optional package is installed; see :func:`require_packages`."""
    require_packages([(module, name, extra)])


def require_packages(packages: Iterable[tuple[str, str, str]]) -> None:
    """Check that packages are installed: of each the module, the name that people know, and the
    extra that has it.
    """
    missing = [(name, extra) for module, name, extra in packages if not is_installed(module)]
    if missing:
        names, extras = map(dict.fromkeys, zip(*missing, strict=True))
        verb = "are" if len(names) > 1 else "is"
        raise PagesumError(
            f"{' and '.join(names)} {verb} not installed", install_hint(",".join(extras))
        )


def is_installed(module: str) -> bool:
    """Whether a package can be imported."""
    # A folder of that name in the current folder is no package: a training run has one called
    # tensorboard.
    spec = find_spec(module)
    return spec is not None and spec.origin is not None


def install_hint(extra: str) -> str:
    """How to install an extra, or several with commas: pagesum is installed from a clone, not from
    a package index.
    """
    return f"pip install -c constraints.txt '.[{extra}]' in the clone of pagesum"
