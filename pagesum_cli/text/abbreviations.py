"""Abbreviations that a text defines: the algorithm of Schwartz and Hearst (2003), kept to what is
certain.
"""

import re

MAX_WORDS = 8  # maximum number of words of a long form
_WINDOW = 160  # characters before a bracket in which its long form is looked for
_BRACKET = re.compile(r"\(([^()\n]{2,100})\)")
_SHORT = re.compile(r"\w[\w&/-]{1,9}")
_SHORT_BEFORE = re.compile(r"(?<![\w&/.–-])(\w[\w&/-]{1,9}) $")
_MARKS = re.compile(r"[*_]")  # of Markdown
_QUOTES = "\"'“”‘’ "
_BROKEN = re.compile(r"[][(){}:;=@]|[.!?] ")  # what no long form holds
_FUNCTION_WORD = re.compile(
    "(?i:an?|and|are|as|by|for|from|in|is|of|on|or|that|the|to|using|was|were|with)"
)
_PLURALS = (("(?<=[^aeiou])ies$", "y"), ("(?<=ss|ch|sh)es$|(?<=x)es$", ""), ("(?<=[^isu])s$", ""))


def definitions(text: str) -> dict[str, str]:
    """Short forms in the singular with their long forms: "long short-term memory (LSTM)", "LSTM
    (long …)".

    One with two meanings is left out.
    """
    found: dict[str, str] = {}
    ambiguous = set()
    for match in _BRACKET.finditer(text):
        before = text[max(match.start() - _WINDOW, 0) : match.start()].rpartition("\n")[2]
        inside = re.split("[;,]", match[1], maxsplit=1)[0].strip(_QUOTES)
        before_it = _SHORT_BEFORE.search(before)
        if _is_short(inside):
            short = singular(inside)
            long = long_form(short, before.rstrip(_QUOTES))
        elif before_it and _is_short(before_it[1]):
            short = singular(before_it[1])
            long = inside if long_form(short, inside) == inside else None
        else:
            continue
        if long and not _is_same(found.setdefault(short, long), long):
            ambiguous.add(short)
    return {short: long for short, long in found.items() if short not in ambiguous}


def singular(short: str) -> str:
    """An abbreviation without its plural's s: ``CNNs`` → ``CNN``."""
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def long_form(short: str, text: str) -> str | None:
    """The shortest end of a text that holds the letters of a short form in order; None if that is
    not certain.

    The first of them begins a word, at least half of them do, and the last is in the last word.
    """
    lower = text.lower()
    if len(lower) != len(text):
        return None
    place = len(text)
    letters = [number for number, letter in enumerate(short) if letter.isalnum()]
    for number in reversed(letters):
        place = lower.rfind(short[number].lower(), 0, place)
        while (
            number == letters[0]
            and place > 0
            and (text[place - 1].isalnum() or _is_after(text, place, short[0]))
        ):
            place = lower.rfind(short[number].lower(), 0, place)
        if place < 0 or (number == letters[-1] and " " in text[place:]):
            return None
    long = text[text.rfind(" ", 0, place) + 1 :]
    words = long.split()
    if _initials(short, long) < len(letters) and _may_begin_earlier(text[: -len(long)], short[0]):
        return None
    is_certain = (
        len(words) <= min(len(short) + 5, 2 * len(short), MAX_WORDS)
        and (2 * _initials(short, long) >= len(letters) or (len(words) == 1 and len(letters) <= 4))
        and len(long) > len(short)
        and long[0].isalnum()
        and short not in words
        and not _BROKEN.search(long)
    )
    return long if is_certain else None


def _is_after(text: str, place: int, letter: str) -> bool:
    """Whether a function word begins here after a word with that letter: the "of" of "Office of
    Management" (OM).
    """
    word, before = text[place:].split(" ", 1)[0], text[:place].rstrip().rpartition(" ")[2]
    return letter.isupper() and before.startswith(letter) and bool(_FUNCTION_WORD.fullmatch(word))


def _may_begin_earlier(before: str, letter: str) -> bool:
    """Whether one of the words right before a long form begins with its letter, too: then it may be
    longer.
    """
    for word in reversed(_MARKS.sub(" ", before).split()[-4:]):
        if word[0].lower() == letter.lower() and not _FUNCTION_WORD.fullmatch(word):
            return True
        if _FUNCTION_WORD.fullmatch(word) or not word[-1].isalnum():
            return False
    return False


def _initials(short: str, long: str) -> int:
    """How many letters of a short form are those that begin the words of a long form, in order."""
    count = place = 0
    for word in re.findall(r"[^\W_]+", long.lower()):
        found = short.lower().find(word[0], place)
        if found >= 0:
            count, place = count + 1, found + 1
    return count


def agreeing(short: str, long: str, text: str, *, is_plural: bool) -> str:
    """A long form in the singular or plural, and in small letters, as far as the text has it so; in
    the singular also if the text defines the plural of the short form."""
    if is_plural:
        other = (
            long
            if long.endswith("s")
            else re.sub("(?<=[^aeiou])ys$", "ies", re.sub("(?<=x|h)s$", "es", f"{long}s"))
        )
    else:
        pattern, end = next((one for one in _PLURALS if re.search(one[0], long)), ("$", ""))
        other = re.sub(pattern, end, long)
    is_certain = not is_plural and f"({short}s" in text
    for one in (other, other if is_certain else long):
        for form in (one[0].lower() + one[1:], one):
            if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text):
                return _inside_sentence(form, text)
    return _inside_sentence(other if is_certain else long, text)


def _inside_sentence(long: str, text: str) -> str:
    """A long form without the capital of the sentence that it begins in the text: its first word is
    more often in small letters there than with a capital inside a sentence.
    """
    found = re.match(r"[^\W\d_][a-zß-öø-ÿ]+", long)
    if found is None or any(map(str.isupper, long[1:])):
        return long
    small = len(re.findall(rf"(?<!\w){found[0].lower()}(?!\w)", text))
    named = len(re.findall(rf"(?<=[a-z,;] ){found[0]}(?!\w)", text))
    return long[0].lower() + long[1:] if small > named else long


def _is_short(text: str) -> bool:
    return _SHORT.fullmatch(text) is not None and sum(map(str.isupper, text)) > 1


def _is_same(one: str, other: str) -> bool:
    """Whether two long forms differ only in capitals, hyphens, a plural, or words in front."""
    first, second = (re.sub(r"[\W_]|(?:ies|y|es|e|s)\b", "", text.lower()) for text in (one, other))
    return first.endswith(second) or second.endswith(first)
