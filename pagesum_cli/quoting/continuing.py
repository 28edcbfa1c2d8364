"""Which sentences surely continue what stands before them, by how they begin (English).

Others may need context, too: :mod:`.context` estimates how likely that is.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

_OPENS = re.compile(r"(?:^|(?<=[\s(\[—–-]))“")  # not the German one, which closes


@cache
def _beginning() -> re.Pattern[str]:
    data = tomllib.loads(Path(__file__).with_name("continuing.toml").read_text(encoding="utf-8"))
    text = "|".join(data["beginnings"])
    return re.compile(text.replace("<THING>", data["thing"]).replace("<DO>", data["do"]))


def continues(sentence: str) -> bool:
    """Whether a sentence begins with what names or opposes something before it."""
    return _beginning().match(sentence) is not None


def is_left_open(text: str, is_open: bool) -> bool:
    """Whether a quotation goes on after a text, which may begin inside of one."""
    opening = max((found.start() for found in _OPENS.finditer(text)), default=-1)
    closing = text.rfind("”")
    return opening > closing or (is_open and closing < 0)
