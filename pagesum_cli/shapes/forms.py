"""The patterns of ``outcomes.toml``, in which ``<NAME>`` stands for a word of its list."""

import re
from functools import cache

from ..text.tables import table

_PLACEHOLDER = re.compile(r"<([A-Z]+)>")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with its words filled in."""
    words = table(__file__, "outcomes.toml")["words"]
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: words[match[1]], pattern)
    return re.compile(pattern)
