"""Speakers: whose turn each paragraph of a conversation is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from ...text.tables import table
from ...text.words import ranks
from .parts import FORMS, Part, Sections, after, ends_as, is_title

MIN_NAMES, MIN_TURNS, CHANGES = 2, 4, 1 / 3
"""Names that repeat, their turns, and the share of these after another's, of a conversation."""

MANY = 8  # turns of a name from which on it may be an ordinary word: "Marketing:"
ALONE = 50  # paragraphs for each name on a line of its own, at most, of a conversation
SPEECH = 4  # words of what somebody says without a mark at its end
CELLS = 0.1  # share of cells of a table below names, from which on these are no speakers
MAX_TITLE = 14  # words of a title between the turns of minutes
RARE = 15_000  # rank from which on a word is too rare to be an ordinary one
RAGGED = 0.05  # share of turns without an end from which on a title cannot be told from speech

_LANGUAGES = str(Path(__file__).parents[2] / "text" / "__init__.py")
_ENDS = frozenset(table(__file__, "units.toml")["ends_turn"].split())
_NO_NAMES = _ENDS.union(
    table(__file__, "units.toml")["no_speaker"].split(),
    table(_LANGUAGES, "languages.toml")["labels"].split(),
)
_TURNS = ("turn", "formal", "titled", "dash", "alone")


class _Turn(NamedTuple):
    """What looks like the beginning of a turn."""

    name: str
    end: int  # offset of the speech in its paragraph
    is_alone: bool  # whether there is none: the name is on a line of its own


Turns = Sequence[Sequence[_Turn | None]]


def find_speakers(sections: Sections) -> None:
    """Find the speakers of the paragraphs of a conversation, and its questions and answers."""
    turns = [[_turn_of(part) for part in parts] for parts in sections]
    names = _Names(sections, turns).speakers
    has_questions = _has_questions(sections)
    if not names and not has_questions:
        return
    is_ragged = _is_ragged(sections, turns, names)
    for parts, found in zip(sections, turns, strict=True):
        speech = _Speech(has_questions=has_questions)
        own = _of_speakers(found, names)
        for part, (turn, following) in zip(parts, zip_longest(own, own[1:]), strict=True):
            is_between = following is not None and not is_ragged
            speech.read(part, turn, is_between=is_between)


def _of_speakers(turns: Sequence[_Turn | None], names: set[str]) -> list[_Turn | None]:
    return [turn if turn and turn.name in names else None for turn in turns]


def _turn_of(part: Part) -> _Turn | None:
    """What looks like the beginning of a turn at the head of a paragraph."""
    matches = (FORMS[form].match(part.text) for form in _TURNS)
    match = None if part.is_known else next(filter(None, matches), None)
    if match is None or _is_ordinary(match["name"]):
        return None
    end = after(match)
    if FORMS["number_to_call"].fullmatch(part.text, end):
        return None
    note = (match.groupdict().get("note") or "").strip()
    is_part = note[1:2].isupper() and "](" not in note  # "Chair (Cllr Jones)", but "(aside)"
    name = f"{match['name']} {note}" if is_part else match["name"]
    return _Turn(name, end, end == len(part.text))


def _is_ordinary(name: str) -> bool:
    """Whether a name is surely none: a word of reports and lists, or one with a number."""
    if not _NO_NAMES.isdisjoint(name.lower().replace(".", "").split()):
        return True
    has_number = any(map(str.isdigit, name))
    return has_number and FORMS["numbered_name"].match(name) is None


def begins_turn(line: str) -> bool:
    """Whether a line looks like the beginning of a turn, a question or an answer, with speech."""
    if FORMS["question"].match(line):
        return True
    matches = (FORMS[form].match(line) for form in ("turn", "formal", "dash"))
    return any(match and after(match) < len(line) for match in matches)


class _Names:
    """The names before what looks like turns in a document."""

    def __init__(self, sections: Sections, turns: Turns) -> None:
        self._sections, self._found = sections, turns
        self._turns = list(filter(None, chain.from_iterable(turns)))
        self._counts = Counter(turn.name for turn in self._turns)
        self._spoken = {turn.name for turn in self._turns if not turn.is_alone}

    @cached_property
    def speakers(self) -> set[str]:
        """Those of speakers: some repeat, and alternate with others; then also some that do not."""
        if len(self._turns) < MIN_NAMES:
            return set()
        likely = self._repeated | self._honoured
        if len(likely) < MIN_NAMES or not self._alternate(likely):
            return set()
        return likely.union(filter(self._is_name, self._spoken))

    def _alternate(self, names: set[str]) -> bool:
        """Whether there are enough turns of these names, and often one after another's."""
        order = [turn.name for turn in self._turns if turn.name in names]
        changes = sum(one != other for one, other in pairwise(order))
        is_formal = len(self._honoured) >= MIN_NAMES
        return (len(order) >= MIN_TURNS or is_formal) and changes >= CHANGES * len(order)

    @property
    def _repeated(self) -> set[str]:
        known = self._spoken | self._lines
        repeated = {name for name in known if self._counts[name] > 1}
        return {name for name in repeated if self._counts[name] >= MANY or not self._is_word(name)}

    @cached_property
    def _honoured(self) -> set[str]:
        """Names with a title, if there are several turns of such."""
        names = {name for name in self._spoken if FORMS["honoured"].match(name)}
        return names if sum(self._counts[name] for name in names) > 1 else set()

    @cached_property
    def _lines(self) -> set[str]:
        """Names on lines of their own, each above text, and in no other place written small."""
        counts: Counter[str] = Counter()
        cells = 0  # what is no speech, as in a table: "30 days"
        for turn, part in self._alone:
            counts[turn.name] += not any(map(self._is_word, turn.name.split()))
            cells += not _is_speech(part.text)
        if cells > CELLS * counts.total():
            return set()
        repeated = {name for name, count in counts.items() if count > 1}
        is_dense = ALONE * counts.total() >= sum(map(len, self._sections))
        return repeated if is_dense and len(repeated) >= MIN_NAMES else set()

    @property
    def _alone(self) -> Iterator[tuple[_Turn, Part]]:
        """The names on lines of their own, each with the text below it."""
        for parts, turns in zip(self._sections, self._found, strict=True):
            for (turn, following), part in zip(pairwise(turns), parts[1:], strict=True):
                if turn and turn.is_alone and not (following and following.is_alone):
                    yield turn, part

    def _is_name(self, text: str) -> bool:
        return any(map(self._may_be_name, text.split()))

    def _may_be_name(self, word: str) -> bool:
        """Whether a word is written small nowhere in the document, or is no usual word, which
        captions may write small.
        """
        rank = ranks().get(word.lower(), RARE)
        return rank >= RARE or not self._is_word(word)

    def _is_word(self, name: str) -> bool:
        """Whether a name of one word is written small elsewhere in the document."""
        return name.lower() in self._small_words

    @cached_property
    def _small_words(self) -> set[str]:
        texts = (part.text for part in chain.from_iterable(self._sections))
        return {word for text in texts for word in FORMS["small"].findall(text)}


def _has_questions(sections: Sections) -> bool:
    """Whether "Q." and "A." are questions and answers: most of them alternate."""
    parts = chain.from_iterable(sections)
    matches = (FORMS["question"].match(part.text) for part in parts)
    letters = [(match["letter"][0], match["sign"]) for match in matches if match]
    pairs = sum(one == ("Q", other[1]) and other[0] == "A" for one, other in pairwise(letters))
    return pairs > 0 and pairs >= CHANGES * len(letters)


def _is_ragged(sections: Sections, turns: Turns, names: set[str]) -> bool:
    """Whether many turns have no mark at their end, as in a transcript of what was heard."""
    ends = list(_ends(sections, turns, names))
    return ends.count(False) > RAGGED * len(ends)


def _ends(sections: Sections, turns: Turns, names: set[str]) -> Iterator[bool]:
    """Whether each paragraph that begins with a name has a mark at its end."""
    pairs = zip(chain.from_iterable(sections), chain.from_iterable(turns), strict=True)
    for part, turn in pairs:
        if turn and not turn.is_alone and turn.name in names:
            yield ends_as("terminal", part.text)


class _Speech:
    """Who speaks, while the paragraphs of a section are read."""

    def __init__(self, *, has_questions: bool) -> None:
        self._has_questions = has_questions
        self._speaker = ""
        self._examiner = ""  # who asks the questions

    def read(self, part: Part, turn: _Turn | None, *, is_between: bool) -> None:
        """Give a paragraph its speaker. ``is_between``: the next one begins a turn."""
        if part.is_known or FORMS["entitled"].match(part.text):
            self._speaker = ""
        elif self._has_questions and self._is_question(part):
            pass
        elif turn:
            self._speaker = turn.name
            part.update(speaker=turn.name, body=turn.end)
        elif self._speaker:
            if _ends_turn(part.text) or (is_between and _is_title_line(part.text)):
                self._speaker = ""
            part.update(speaker=self._speaker)

    def _is_question(self, part: Part) -> bool:
        """Whether a paragraph is a question, an answer, or says who asks; then it is noted."""
        if match := FORMS["examiner"].match(part.text):
            self._examiner, self._speaker = match["name"], ""
            part.update(body=len(part.text))
        elif match := FORMS["question"].match(part.text):
            self._speaker = self._examiner if match["letter"].startswith("Q") else ""
            part.update(speaker=self._speaker, label=match[0], body=after(match))
        return match is not None


def _is_speech(text: str) -> bool:
    """Whether a paragraph may be what somebody says: it has an end, or some words."""
    return ends_as("terminal", text) or len(text.split()) >= SPEECH


def _ends_turn(text: str) -> bool:
    """Whether a paragraph records something: "Actions: none"."""
    match = FORMS["turn"].match(text)
    return match is not None and not _ENDS.isdisjoint(match["name"].lower().split())


def _is_title_line(text: str) -> bool:
    """Whether a paragraph is the title of what follows: in capitals, or with a number."""
    is_short = len(text.split()) <= MAX_TITLE and any(map(str.isalpha, text))
    if not is_short or ends_as("terminal", text):
        return False
    return ends_as("numbered_title", text) or is_title(text)
