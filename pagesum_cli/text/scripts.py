"""Superscripts and subscripts as plain text: 10⁶, H₂O, x^(q), v_(B)."""

from functools import cache

from .tables import table

MAX_WORDS = 3  # of a script; more are a sentence that is only printed small


def superscript(text: str) -> str:
    """Text that is printed above the line: in Unicode where it has all of the characters, else
    ``^(text)``.

    White space at its ends stays. Endings of ordinal numbers (``1st``) and signs that are raised
    by themselves (``°``, ``*``) are as on the line.
    """
    printed = table(__file__, "scripts.toml")["printed"]
    script = text.strip()
    if script in printed["marks"]:
        return text.replace(script, printed["marks"][script])
    is_raised = all(character in printed["raised"] for character in script)
    if is_raised or script.lower() in printed["same"].split():
        return text
    return _script(text, "superscript", "^")


def subscript(text: str) -> str:
    """Text that is printed below the line: in Unicode where it has all of the characters, else
    ``_(text)``.

    White space at its ends stays.
    """
    return _script(text, "subscript", "_")


@cache
def _characters(kind: str) -> dict[int, str]:
    both = table(__file__, "scripts.toml")[kind]
    return {ord(a): b for a, b in zip(both["plain"], both["script"], strict=True)}


def _script(text: str, kind: str, sign: str) -> str:
    characters, script = _characters(kind), text.strip()
    if not script or len(script.split()) > MAX_WORDS:
        return text
    if set(script) <= set(characters.values()):  # it is one already
        return text
    if all(ord(character) in characters for character in script):
        converted = script.translate(characters)
    else:
        converted = f"{sign}({script})"
    return text.replace(script, converted)
