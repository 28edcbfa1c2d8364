"""Abbreviations that a text defines: the algorithm of Schwartz and Hearst (2003), kept to what is certain."""

import re

MAX_WORDS = 8
"""Maximum number of words of a long form."""

_WINDOW = 160  # characters before a bracket in which its long form is looked for
_BRACKET = re.compile(r"\(([^()\n]{2,100})\)")
_SHORT = re.compile(r"\w[\w&/-]{1,9}")
_SHORT_BEFORE = re.compile(r"(?<![\w&/.–-])(\w[\w&/-]{1,9}) $")
_QUOTES = "\"'“”‘’ "
_BROKEN = re.compile(r"[][(){}:;=@]|[.!?] ")
"""What no long form holds."""


def definitions(text: str) -> dict[str, str]:
    """Short forms in the singular with their long forms: "long short-term memory (LSTM)", "LSTM (long …)".

    The long form is in the singular and in small letters if the text has it so, too; an abbreviation with two meanings
    is left out.
    """
    found: dict[str, str] = {}
    ambiguous = set()
    for match in _BRACKET.finditer(text):
        before = text[max(match.start() - _WINDOW, 0) : match.start()].rpartition("\n")[2]
        inside = re.split("[;,]", match[1], maxsplit=1)[0].strip(_QUOTES)
        before_it = _SHORT_BEFORE.search(before)
        if _is_short(inside):
            written, long = inside, long_form(singular(inside), before.rstrip(_QUOTES))
        elif before_it and _is_short(before_it[1]):
            written, long = before_it[1], long_form(singular(before_it[1]), inside)
            long = long if long == inside else None
        else:
            continue
        short = singular(written)
        if long and not _is_same(found.setdefault(short, _usual_form(long, text, short != written)), long):
            ambiguous.add(short)
    return {short: long for short, long in found.items() if short not in ambiguous}


def singular(short: str) -> str:
    """An abbreviation without its plural's s: ``CNNs`` → ``CNN``."""
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def long_form(short: str, text: str) -> str | None:
    """The shortest end of a text that holds the letters of a short form in order; None if that is not certain.

    The first of them begins a word, at least half of them do, and the last is in the last word.
    """
    lower = text.lower()
    place = len(text)
    letters = [number for number, letter in enumerate(short) if letter.isalnum()]
    for number in reversed(letters):
        place = lower.rfind(short[number].lower(), 0, place)
        while number == letters[0] and place > 0 and text[place - 1].isalnum():
            place = lower.rfind(short[number].lower(), 0, place)
        if place < 0 or (number == letters[-1] and " " in text[place:]):
            return None
    long = text[text.rfind(" ", 0, place) + 1 :]
    words = long.split()
    is_certain = (
        len(words) <= min(len(short) + 5, 2 * len(short), MAX_WORDS)
        and (2 * _initials(short, long) >= len(letters) or (len(words) == 1 and len(letters) <= 4))
        and len(long) > len(short)
        and long[0].isalnum()
        and short not in words
        and not _BROKEN.search(long)
    )
    return long if is_certain else None


def _initials(short: str, long: str) -> int:
    """How many letters of a short form are those that begin the words of a long form, in order."""
    count = place = 0
    for word in re.findall(r"[^\W_]+", long.lower()):
        found = short.lower().find(word[0], place)
        if found >= 0:
            count, place = count + 1, found + 1
    return count


def _usual_form(long: str, text: str, is_plural: bool) -> str:
    """A long form in the singular, if its abbreviation has a plural's s or the text has it so; and in small letters
    where the text has these."""
    one = re.sub(r"(?<=[^aeiou])ies$", "y", long)
    one = re.sub(r"(?<=[^siu])s$|(?<=ss|ch|sh)es$|(?<=x)es$", "", one) if one == long else one
    if one != long and (is_plural or re.search(rf"\b{re.escape(one)}\b", text, re.IGNORECASE)):
        long = one
    small = long[0].lower() + long[1:]
    return small if re.search(rf"\b{re.escape(small)}", text) else long


def plural(long: str) -> str:
    """A long form in the plural."""
    if re.search("[^aeiou]y$", long):
        return f"{long[:-1]}ies"
    return long if long.endswith("s") else f"{long}es" if re.search("(?:x|ch|sh)$", long) else f"{long}s"


def _is_short(text: str) -> bool:
    return _SHORT.fullmatch(text) is not None and sum(map(str.isupper, text)) > 1


def _is_same(one: str, other: str) -> bool:
    """Whether two long forms differ only in capitals, hyphens, a plural, or words in front."""
    first, second = (re.sub(r"[\W_]|(?:ies|y|e?s)\b", "", text.lower()) for text in (one, other))
    return first.endswith(second) or second.endswith(first)
