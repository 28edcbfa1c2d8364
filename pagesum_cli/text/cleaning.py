"""Text without control characters and odd line ends."""

import re
import unicodedata

_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]{0,16}[0-~])"
    r"|\x9b[0-?]{0,64}[@-~]"
)
# Control and format characters, but not tab and the line ends; soft hyphens and zero-width
# characters are only layout.
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_BROKEN_WORD = re.compile("\u00ad[ \t]*\n[ \t]*")  # a soft hyphen at a line's end
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028]")
_PAGE_ENDS = re.compile("[\x0b\x0c\u2029]")


def clean(text: str) -> str:
    """Text without escape codes and control characters, its line ends ``\\n`` and its page ends
    ``\\f``.
    """
    text = _LINE_ENDS.sub("\n", _ANSI.sub("", text))
    text = _CONTROL.sub("", _BROKEN_WORD.sub("", text))
    return _PAGE_ENDS.sub("\f", text)


def one_line(text: str) -> str:
    """Text as a paragraph holds it: cleaned, composed (NFC), every run of white space one space."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return unicodedata.normalize("NFC", " ".join(clean(text).split()))
