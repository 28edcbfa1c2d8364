"""Speakers: whose turn each paragraph of a conversation is."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...text.tables import table
from ..model import Paragraph
from .labels import FORMS

MIN_NAMES, MIN_TURNS = 2, 4
"""Names that repeat, and their turns, from which on a document is a conversation."""

MANY = 8  # turns of a name from which on it may be an ordinary word: "Marketing:"
ALONE = 50  # paragraphs for each name on a line of its own, at most, of a conversation
SMALL = 4  # letters from which on a word of a title is written with a capital
MAX_TITLE = 14  # words of a title between the turns of minutes
RAGGED = 0.05  # share of turns without an end from which on a title cannot be told from speech

_DATA = table(__file__, "units.toml")
_ENDS = frozenset(_DATA["ends_turn"].split())
_LANGUAGES = str(Path(__file__).parents[2] / "text" / "__init__.py")
_NO_SPEAKER = _ENDS | frozenset(_DATA["no_speaker"].split() + table(_LANGUAGES, "languages.toml")["labels"].split())


class _Turn(NamedTuple):
    """What looks like the beginning of a turn."""

    name: str
    end: int  # offset of the speech in its paragraph
    form: str  # the name of its pattern


Sections = Sequence[Sequence[Paragraph]]


def with_speakers(sections: Sections) -> list[list[Paragraph]]:
    """The paragraphs of each section with their speakers; what has one already keeps it."""
    found = [[None if _is_known(one) else _turn_at(one.text) for one in section] for section in sections]
    names = _names(sections, found)
    asks = _has_questions(sections)
    if not names and not asks:
        return [list(section) for section in sections]
    is_ragged = _is_ragged(sections, found, names)
    done: list[list[Paragraph]] = []
    for section, turns in zip(sections, found, strict=True):
        kept = [turn if turn and turn.name in names else None for turn in turns]
        done.append(_of_section(section, kept, turns, asks=asks, is_ragged=is_ragged))
    return done


def _is_known(paragraph: Paragraph) -> bool:
    known = paragraph.speaker or paragraph.label or paragraph.body or paragraph.depth or paragraph.block
    return bool(known) or paragraph.is_sentence


def _turn_at(text: str) -> _Turn | None:
    for form in ("turn", "formal", "titled", "dash", "alone"):
        if match := FORMS[form].match(text):
            name = match["name"]
            if form == "turn" and (note := match["note"]) and note.strip()[1:2].isupper() and "](" not in note:
                name += " " + note.strip()
            end = len(text) - len(text[match.end() :].lstrip())
            form = "alone" if end == len(text) else form
            return _Turn(name, end, form) if not _is_ordinary(name) else None
    return None


def _is_ordinary(name: str) -> bool:
    """Whether a name before a colon is surely none: a word of reports and lists, or a number that names none."""
    words = name.lower().replace(".", "").split()
    if not _NO_SPEAKER.isdisjoint(words):
        return True
    has_number = any(character.isdigit() for character in name)
    return has_number and FORMS["numbered_name"].match(name) is None


def _names(sections: Sections, found: Sequence[Sequence[_Turn | None]]) -> set[str]:
    """The names of a document that are speakers': they repeat, and alternate with others."""
    turns = [turn for section in found for turn in section if turn]
    if len(turns) < 2:
        return set()
    spoken = [turn.name for turn in turns if turn.form != "alone"]
    honoured = {name for name in spoken if FORMS["honoured"].match(name)}
    counts = Counter(turn.name for turn in turns)
    small = _small_words(sections)
    likely = {name for name, count in counts.items() if count > 1 and not (small(name) and count < MANY)}
    likely -= {turn.name for turn in turns if turn.form == "alone"} - set(spoken) - _alone(sections, found, small)
    likely |= honoured if sum(counts[name] for name in honoured) > 1 else set()
    order = [turn.name for turn in turns if turn.name in likely]
    changes = sum(one != other for one, other in pairwise(order))
    is_formal = len(honoured & likely) >= MIN_NAMES
    enough = len(likely) >= MIN_NAMES and (len(order) >= MIN_TURNS or is_formal)
    if not enough or 3 * changes < len(order):
        return set()
    return likely | {name for name in spoken if not small(name)}


def _small_words(sections: Sections):
    """A function that says whether a name of one word is written small elsewhere in the document."""
    words: set[str] = set()
    for section in sections:
        for paragraph in section:
            words.update(FORMS["small"].findall(paragraph.text))
    return lambda name: " " not in name and name.lower() in words


def _alone(sections: Sections, found: Sequence[Sequence[_Turn | None]], small) -> set[str]:
    """Names that stand alone on their lines, each above text, and never small: no heading does so twice."""
    counts: Counter[str] = Counter()
    for section, turns in zip(sections, found, strict=True):
        for turn, following in zip(turns, turns[1:], strict=False):
            if turn and turn.form == "alone" and not (following and following.form == "alone"):
                counts[turn.name] += not any(map(small, turn.name.split()))
    repeated = {name for name, count in counts.items() if count > 1}
    is_dense = ALONE * counts.total() >= sum(map(len, sections))
    return repeated if is_dense and len(repeated) >= MIN_NAMES else set()


def _has_questions(sections: Sections) -> bool:
    """Whether "Q." and "A." are questions and answers: there are both, as often as not beside each other."""
    letters = []
    for section in sections:
        for paragraph in section:
            if match := FORMS["question"].match(paragraph.text):
                letters.append((match["letter"][0], match["sign"]))
    pairs = sum(one == ("Q", after[1]) and after[0] == "A" for one, after in pairwise(letters))
    return pairs > 0 and 3 * pairs >= len(letters)


def _is_ragged(sections: Sections, found: Sequence[Sequence[_Turn | None]], names: set[str]) -> bool:
    """Whether many turns have no mark at their end, as in a transcript of what was heard."""
    ends = [
        FORMS["terminal"].search(paragraph.text) is not None
        for section, turns in zip(sections, found, strict=True)
        for paragraph, turn in zip(section, turns, strict=True)
        if turn and turn.name in names and turn.end < len(paragraph.text)
    ]
    return ends.count(False) > RAGGED * len(ends)


def _of_section(
    section: Sequence[Paragraph],
    turns: Sequence[_Turn | None],
    candidates: Sequence[_Turn | None],
    *,
    asks: bool,
    is_ragged: bool,
) -> list[Paragraph]:
    """The paragraphs of a section with the speakers of the turns in it."""
    speaker = examiner = ""
    done = []
    following = [*turns[1:], None]
    for paragraph, turn, after in zip(section, turns, following, strict=True):
        question = FORMS["question"].match(paragraph.text) if asks else None
        if _is_known(paragraph):
            speaker = ""
        elif asks and (match := FORMS["examiner"].match(paragraph.text)):
            examiner, speaker = match["name"], ""
            paragraph = replace(paragraph, body=len(paragraph.text))
        elif question:
            speaker = examiner if question["letter"][0] == "Q" else ""
            body = len(paragraph.text) - len(paragraph.text[question.end() :].lstrip())
            paragraph = replace(paragraph, speaker=speaker, label=question[0], body=body)
        elif turn:
            speaker = turn.name
            paragraph = replace(paragraph, speaker=speaker, body=turn.end)
        elif speaker:
            if _ends_turn(paragraph.text) or (not is_ragged and after and _is_title(paragraph.text)):
                speaker = ""
            paragraph = replace(paragraph, speaker=speaker)
        done.append(paragraph)
    return done


def _ends_turn(text: str) -> bool:
    """Whether a paragraph records something: "Actions: none"."""
    match = FORMS["turn"].match(text)
    return match is not None and not _ENDS.isdisjoint(match["name"].lower().split())


def _is_title(text: str) -> bool:
    """Whether a paragraph is the title of what follows rather than speech: in capitals, or with a number."""
    words = [word for word in text.split() if len(word) >= SMALL and word[0].isalpha()]
    if not words or len(text.split()) > MAX_TITLE or FORMS["terminal"].search(text):
        return False
    return FORMS["numbered_title"].search(text) is not None or all(word[0].isupper() for word in words)
