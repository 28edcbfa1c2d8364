"""How frequent English words are: by their place in the vocabulary of the bundled byte-pair encoding."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def ranks() -> Mapping[str, int]:
    """About 25 000 English words, in lower case, with their rank: the lower, the more frequent.

    The vocabulary's tokens are numbered by their frequency in the corpus that it was made from. It is read when it is
    first asked for, in some hundredths of a second.
    """
    tokens = json.loads((resources.files("pagesum_cli") / "assets" / "bart" / "vocab.json").read_text("utf-8"))
    words: dict[str, int] = {}
    for token, rank in tokens.items():
        if token[0] == "Ġ" and token[1:].isalpha():  # it begins with a space
            words[token[1:].lower()] = min(rank, words.get(token[1:].lower(), rank))
    return words
