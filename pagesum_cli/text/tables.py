"""Word lists and patterns in TOML files beside the modules that use them."""

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


def table(module: str, name: str) -> dict[str, Any]:
    """The TOML file beside a module (its ``__file__``); a line that begins with five spaces
    continues the last one.
    """
    return _parsed(os.path.join(os.path.dirname(module), name))


@cache
def _parsed(path: str) -> dict[str, Any]:
    """A file, which is parsed once for all modules that use it."""
    text = Path(path).read_text(encoding="utf-8")
    return tomllib.loads(re.sub(r"\n {5,}", "", text))


def patterns(module: str, name: str) -> dict[str, re.Pattern[str]]:
    """The compiled patterns of such a file: its entries that are strings."""
    return {
        key: re.compile(value)
        for key, value in table(module, name).items()
        if isinstance(value, str)
    }
