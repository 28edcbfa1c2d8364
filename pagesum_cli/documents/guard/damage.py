"""What readers and their libraries raise on damaged files, as one line that names the file."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import PagesumError
from ...text.cleaning import one_line

SHOWN = 200  # characters that are shown of what a library says
HINT = (
    "save it again in the program that made it, or save its text as a .txt file; --debug shows more"
)


@contextmanager
def naming_damage(name: str) -> Iterator[None]:
    """Whatever is raised while something is read is its damage: a PagesumError with its name.

    What is not about its content stays as it is: a lack of memory, a package that is not installed,
    what the system says about a file.
    """
    try:
        yield
    except (PagesumError, MemoryError, ImportError):
        raise
    except Exception as failure:
        if isinstance(failure, OSError) and failure.filename and failure.strerror:
            raise
        message = f"{name}: expected an intact file, found a damaged one ({reason_of(failure)})"
        raise PagesumError(message, HINT) from failure


def reason_of(failure: Exception) -> str:
    """The kind of an exception and what it says, in one line; of a PagesumError, its message."""
    if isinstance(failure, PagesumError):
        return failure.message
    said = one_line(str(failure))
    kind = type(failure).__name__
    return f"{kind}: {said[:SHOWN]}" if said else kind
