"""Word lists and patterns in TOML files beside the modules that use them."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def table(module: str, name: str) -> dict[str, Any]:
    """The TOML file beside a module (its ``__file__``); a line that begins with five spaces
    continues the last one.
    """
    text = Path(module).with_name(name).read_text(encoding="utf-8")
    return tomllib.loads(re.sub(r"\n {5,}", "", text))


def patterns(module: str, name: str) -> dict[str, re.Pattern[str]]:
    """The compiled patterns of such a file: its entries that are strings."""
    return {
        key: re.compile(value)
        for key, value in table(module, name).items()
        if isinstance(value, str)
    }
