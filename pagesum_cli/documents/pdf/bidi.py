"""Hebrew and Arabic: from the order in which a line is seen to that in which it is read."""

import re
import unicodedata

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe"
_ANY = re.compile(f"[{_RIGHT_TO_LEFT}]")
_WORDS = re.compile(f"[{_RIGHT_TO_LEFT}]++(?:[ ‏]++[{_RIGHT_TO_LEFT}]++)*+")
_OTHER = re.compile(rf"[^\W{_RIGHT_TO_LEFT}]++(?:[^\w{_RIGHT_TO_LEFT}]{{1,3}}[^\W{_RIGHT_TO_LEFT}]++)*+")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def in_reading_order(text: str) -> str:
    """A line as it is read; the text itself if it has no letter that is written from right to left.

    Args:
        text: Its characters from left to right.
    """
    count = len(_ANY.findall(text))
    if not count:
        return text
    text = unicodedata.normalize("NFKC", text) if re.search("[\ufb1d-\ufdff\ufe70-\ufefe]", text) else text
    if 2 * count < sum(map(str.isalpha, text)):
        return _WORDS.sub(lambda match: match[0][::-1], text)
    text = text[::-1].translate(_MIRRORED)
    return _OTHER.sub(lambda match: match[0][::-1].translate(_MIRRORED), text)
