"""Text from documents, made safe to print."""

import unicodedata

# Joiners and variation selectors are part of words and emoji; all other format characters (among them those that turn
# the direction of writing) could make a line look like something that it is not.
_JOINERS = "\u200c\u200d"


def one_line(text: str) -> str:
    """The text on one line: any white space is one space, control and format characters are gone."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    kept = "".join(" " if character.isspace() else character for character in text if _is_printable(character))
    return " ".join(kept.split())


def _is_printable(character: str) -> bool:
    return (
        character.isspace() or character in _JOINERS or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
