"""Who takes part in a meeting, as its minutes list them."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import takewhile, zip_longest

from ..documents.model import Sentence
from ..text.tables import table
from ..text.words import is_usually_capital
from .forms import compiled
from .motions import has_result
from .rules import has_verb, is_said_by

OPENING = 40  # sentences among which minutes say who is not there
MAX_ABSENT = 24  # words of a list of those
MAX_NAME = 12  # words of a line with the name of a participant
_ROWS = table(__file__, "outcomes.toml")["people"]
_PEOPLE = {name: compiled(pattern) for name, pattern in _ROWS.items()}

_INITIALS = re.compile(r"[A-Z]{2}").fullmatch
_CAPITALS = re.compile(r"[A-Z@][\w’'-]*")
_BETWEEN_NAMES = re.compile(
    r"[,;](?! (?:[JS]r|II|III|Ph\.?D)\b) (?:and |& )?| (?:and|&) (?=[A-Z])|\s{3,}|(?<=[)\w]{2})\t"
)
_FULL_NAME = re.compile(r"(?:[A-Z][\w.’'-]* ){1,2}[A-Z][\w’'-]*")
_LIST_LABEL = re.compile(r"[A-Z][\w ]{1,30}: (?=.+, )")
"""Before names in a list: "Council: Anna Berg, Carl Dahl"."""
_AFTER_NAME = re.compile(r" [-–—(\[]|[,(/]")


def participants_of(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The names of those who take part."""
    pairs = zip_longest(sentences, sentences[1:])
    names = [name for one, following in pairs for name in names_in(one, following)]
    return _with_voters(tuple(dict.fromkeys(names)), sentences)


def _with_voters(names: tuple[str, ...], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Names, after those of the people who voted where none of them is among the names: lists of
    the staff and of visitors.
    """
    found = (match for one in sentences for match in _PEOPLE["voted"].finditer(one.text))
    lists = [match["names"] or match["listed"] for match in found]
    voters = dict.fromkeys(name for one in lists for name in _BETWEEN_NAMES.split(one))
    known = set(_words_of_names(names))
    is_missing = len(voters) > 1 and known.isdisjoint(voters)
    return (*filter(_is_name, voters), *names) if is_missing else names


def absent_from(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """The names of those who were not there, as the minutes list them before the first vote."""
    names: list[str] = []
    opening = list(takewhile(lambda one: not has_result(one.text), sentences[:OPENING]))
    for before, one in zip([None, *opening], opening, strict=False):
        names += _absentees(one) or _names_below(before, one)
    return tuple(dict.fromkeys(names))


def _names_below(before: Sentence | None, sentence: Sentence) -> list[str]:
    """The names in a sentence after one that has only the title of the list: "Absent:"."""
    is_title = before is not None and _PEOPLE["bare_absent"].fullmatch(before.text)
    is_list = is_title and word_count(sentence) <= MAX_ABSENT
    return _names_of(_BETWEEN_NAMES.split(sentence.text)) if is_list else []


def _absentees(sentence: Sentence) -> list[str]:
    """The names of those who were not there in a sentence, or in a line under a title."""
    match = _PEOPLE["absentees"].match(sentence.text)
    if match and not sentence.is_heading:
        listed = _BETWEEN_NAMES.split(match["names"].strip(" ,"))
        bare = [_PEOPLE["offices"].sub("", one, count=1) for one in listed]
        return _names_of(bare)
    return [] if sentence.is_heading else _absentees_listed(sentence)


def _absentees_listed(sentence: Sentence) -> list[str]:
    """The names of those who were not there in a line, or below a title."""
    inside = _PEOPLE["absent_inside"].split(sentence.printed)[1:]
    line = _PEOPLE["not_there"].match(sentence.printed)
    is_list = word_count(sentence) <= MAX_ABSENT
    if inside and is_about_people(sentence):
        text = inside[0]
    elif line and is_list:
        text = sentence.printed[line.end() :]
    else:
        is_under = is_list and fits_people(lines_above(sentence)[-1], "absent")
        text = sentence.text if is_under else ""
    return _names_of(_BETWEEN_NAMES.split(text.rstrip(" ."))) if text else []


def known_names(sentences: Sequence[Sentence]) -> Set[str]:
    """The words of participants' and speakers' names."""
    names = [name for one in sentences for name in (*names_in(one), one.speaker)]
    turns = [one.text.partition(":")[0] for one in sentences if is_said_by(one.text)]
    # a label before a colon is a name if it is no word: "Difficult: to mend the mill"
    spoken = [one for one in _words_of_names(turns) if is_usually_capital(one) or _INITIALS(one)]
    return frozenset([*_words_of_names(names), *spoken, *_initials_of(names)])


def _initials_of(names: Sequence[str]) -> Iterator[str]:
    """The initials of full names, by which minutes call people: AB for Anna Berg."""
    for name in names:
        full = _FULL_NAME.match(name)
        if full:
            yield "".join(word[0] for word in full[0].split())


def _words_of_names(names: Sequence[str]) -> Iterator[str]:
    """The words with capitals of names, without what follows a name."""
    for name in names:
        bare = _AFTER_NAME.split(name)[0]
        yield from (word for word in _CAPITALS.findall(bare) if len(word) > 1)


def is_about_people(sentence: Sentence) -> bool:
    """Whether a sentence only says who takes part in a meeting or does not."""
    *_, nearest = lines_above(sentence)
    if fits_people(nearest, "heading", "absent") and word_count(sentence) <= MAX_NAME:
        return True
    return fits_people(sentence.printed, "line", "inside", "absent")


def _is_absent(sentence: Sentence) -> bool:
    texts = (*lines_above(sentence), sentence.printed)
    return any(fits_people(one, "absent", "unchecked") for one in texts)


def lines_above(sentence: Sentence) -> list[str]:
    """The heading and the lines above a sentence, the outermost first."""
    lines = [one.text.rstrip(" :") for one in sentence.lead_ins]
    return [sentence.heading, *lines]


def fits_people(text: str, *forms: str) -> bool:
    """Whether a text has one of the forms in which minutes say who takes part."""
    return any(_PEOPLE[one].match(text) for one in forms)


def word_count(sentence: Sentence) -> int:
    return len(sentence.text.split())


def names_in(sentence: Sentence, following: Sentence | None = None) -> list[str]:
    """The names of participants that a sentence lists, with those of the following one if it ends
    with the abbreviation of a title: "Present: Cllrs."
    """
    if sentence.is_heading or not is_about_people(sentence) or _is_absent(sentence):
        return []
    line = _beginning_of_names(sentence.printed)
    text = sentence.printed[line.end() :] if line else _LIST_LABEL.sub("", sentence.text)
    text = _PEOPLE["were_there"].sub("", _PEOPLE["absent_inside"].split(text)[0])
    is_list = bool(line) or text != sentence.text or _is_list_of_names(text)
    if following and _PEOPLE["cut"].search(text):
        text = following.text
    return _names_of(_BETWEEN_NAMES.split(text) if is_list else [text])


def _beginning_of_names(text: str) -> re.Match[str] | None:
    """What stands before a list of names in a line: "Present: "."""
    return _PEOPLE["line"].match(text) or _PEOPLE["inside"].match(text)


def _is_list_of_names(text: str) -> bool:
    """Whether an item lists several people: "Anna Berg, Carl Dahl", not "Anna Berg, chair"."""
    parts = re.split(r"[,;] ", text)
    return len(parts) > 2 or (len(parts) == 2 and all(map(_FULL_NAME.fullmatch, parts)))


def _names_of(listed: Sequence[str]) -> list[str]:
    """Those of some texts that are names."""
    named = [one for one in listed if one != one.lower() or len(one.split()) <= 2]
    return [one.removeprefix("[x] ").strip(" .") for one in named if _is_name(one)]


def _is_name(text: str) -> bool:
    """Whether a text may be a name: no title of a list, and no sentence."""
    is_sentence = text.endswith(".") and has_verb(text)
    return fits_people(text, "name") and not (fits_people(text, "heading") or is_sentence)
