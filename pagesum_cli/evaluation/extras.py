"""Libraries that only some metrics and data sets need."""

from importlib.util import find_spec

from ..errors import PagesumError


def needs_extra(module: str, what: str, extra: str) -> None:
    """Makes sure that a library of an extra is there.

    Raises:
        PagesumError: it is not; the hint names the extra.
    """
    if find_spec(module) is None:
        raise PagesumError(f"{what} is not installed, which this needs", f"pip install 'pagesum[{extra}]'")
