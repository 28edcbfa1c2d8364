"""Who takes part in a meeting, as its minutes list them."""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import zip_longest

from ..documents.model import Sentence
from ..text.tables import table
from ..text.words import is_usually_capital
from .forms import compiled
from .rules import is_said_by

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
    return tuple(dict.fromkeys(names))


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
    line = _PEOPLE["line"].match(sentence.printed)
    text = sentence.printed[line.end() :] if line else _LIST_LABEL.sub("", sentence.text)
    is_list = bool(line) or text != sentence.text or _is_list_of_names(text)
    if following and _PEOPLE["cut"].search(text):
        text = following.text
    return _names_of(_BETWEEN_NAMES.split(text) if is_list else [text])


def _is_list_of_names(text: str) -> bool:
    """Whether an item lists several people: "Anna Berg, Carl Dahl", not "Anna Berg, chair"."""
    parts = re.split(r"[,;] ", text)
    return len(parts) > 2 or (len(parts) == 2 and all(map(_FULL_NAME.fullmatch, parts)))


def _names_of(listed: Sequence[str]) -> list[str]:
    """Those of some texts that are names."""
    named = [one for one in listed if one != one.lower() or len(one.split()) <= 2]
    names = [one for one in named if fits_people(one, "name") and not fits_people(one, "heading")]
    return [one.removeprefix("[x] ").strip(" .") for one in names]
