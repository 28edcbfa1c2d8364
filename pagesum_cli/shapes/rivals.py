"""Numbers on which several sources disagree: "people killed" is 12 in one and 14 in another."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from itertools import chain, combinations, pairwise

from ..documents.model import Document, Sentence
from ..documents.written import date_in
from ..locality.flow import Pages
from ..retrieval.numbers import Number, places_of_numbers
from ..summary.check.notation import readings_of
from ..summary.summary import Disagreement, RivalNumber
from ..text.tables import table
from .clocks import Clock, clock_of_event
from .lines import content_of
from .matters import Matter

BEFORE_SECTION = 120  # characters before a number that say that it is that of a section
MOST = 8  # disagreements that are shown
NEAR = 0.05  # share by which a number that is called approximate may differ
SHARED, SHARED_BARE = 0.15, 0.3
"""Share of the content words of two sentences above which their numbers are about the same, where
something happened to what is counted, and elsewhere.
"""
FACTOR, FACTOR_BARE = 10, 3
"""By how much numbers for the same can differ at most, where something happened to what is counted,
and elsewhere: others are of another event or thing.
"""
BEFORE = 60  # characters before a number in which its noun is looked for

_DATA = table(__file__, "rivals.toml")
_EVENTS = {word: name for name, words in _DATA["events"].items() for word in words.split()}
_WORDS = {name: words.split() for name, words in _DATA["words"].items()}
_ANYWHERE = {*_EVENTS, *(word for words in _WORDS.values() for word in words)}
_FORMS = {name: re.compile(pattern) for name, pattern in _DATA["forms"].items()}


@dataclass(frozen=True)
class Mention:
    """A number of a document, and what it counts or measures."""

    number: Number
    noun: str  # what is counted
    event: str  # what happened to it; may be empty
    value: float
    unit: str  # its currency or percent sign
    is_about: bool  # whether it is approximate
    sentence: Sentence
    document: int  # its index

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is about, to compare by."""
        people = _WORDS["people"] + (_WORDS["residents"] if self.event in _WORDS["leaving"] else [])
        is_anybody = bool(self.event) and self.noun in ("", *people)
        return ("" if is_anybody else self.noun[:-1].lower()), self.event, self.unit

    @property
    def is_toll(self) -> bool:
        """Whether it counts people, whoever they are, to whom something happened."""
        return bool(self.event) and not self.key[0] and not self.unit

    @property
    def label(self) -> str:
        """What it is about, to show."""
        return " ".join(filter(None, (self.noun, self.event))) or self.unit

    @property
    def is_counted(self) -> bool:
        """Whether the noun alone says what it is: no unit, no share, no version such as 3.0."""
        is_unit = self.noun in _WORDS["units"] or self.noun.endswith("ly")
        is_unit = is_unit or (
            not self.unit and _FORMS["decimal"].match(self.number.text) is not None
        )
        return bool(self.noun) and not is_unit and "%" not in self.unit

    @cached_property
    def content(self) -> frozenset[str]:
        """The content words around it."""
        return content_of(self.sentence.text) - content_of(f"{self.label} {self.number.text}")

    @cached_property
    def years(self) -> frozenset[str]:
        """The years that its sentence names."""
        return frozenset(_FORMS["year"].findall(self.sentence.text))

    def disagrees(self, other: "Mention") -> bool:
        """Whether another source has another number for the same."""
        if self.value == other.value or self.document == other.document:
            return False
        if not self.is_like(other):
            return False
        least, most = sorted((self.value, other.value))
        is_rounded = most - least <= NEAR * most and (self.is_about or other.is_about)
        return not is_rounded and self._shared(other) >= (SHARED if self.event else SHARED_BARE)

    def is_like(self, other: "Mention") -> bool:
        """Whether two numbers are of no other year, and so near that they may be for the same."""
        if self.years and other.years and self.years.isdisjoint(other.years):
            return False
        least, most = sorted((self.value, other.value))
        return most <= (FACTOR if self.event else FACTOR_BARE) * least

    def _shared(self, other: "Mention") -> float:
        """The share of the content words around one of two numbers that the other one has, too."""
        fewer = min(len(self.content), len(other.content))
        return len(self.content & other.content) / max(fewer, 1)


def disagreements(documents: Sequence[Document], pages: Pages) -> tuple[Disagreement, ...]:
    """The numbers for the same noun on which documents disagree, what happened to people first."""
    if len(documents) < 2:
        return ()
    sentences = _by_document(documents, pages)
    found: dict[tuple[str, str, str], list[Mention]] = {}
    for number, own in enumerate(sentences):
        for one in chain.from_iterable(_mentions(sentence, number) for sentence in own):
            found.setdefault(one.key, []).append(one)
    matters = _Matters(documents)
    rivals = [_rivals(group, documents, matters) for group in found.values()]
    ordered = sorted(filter(None, rivals), key=lambda one: not one.event)
    times = _times([clock_of_event(own) for own in sentences], documents, matters)
    return tuple([*ordered, *times][:MOST])


def _by_document(documents: Sequence[Document], pages: Pages) -> list[list[Sentence]]:
    """The sentences of each document."""
    numbers = {document.name: number for number, document in enumerate(documents)}
    sentences: list[list[Sentence]] = [[] for _ in documents]
    # a part of several documents does not say which of them a sentence is from
    for page in (page for page in pages.pages if page.source in numbers):
        sentences[numbers[page.source]] += page.sentences
    return sentences


def _times(
    clocks: Sequence[Clock | None], documents: Sequence[Document], matters: "_Matters"
) -> Iterator[Disagreement]:
    """The times of day that sources give for one event, if some differ."""
    known = [(number, clock) for number, clock in enumerate(clocks) if clock]
    for (first, one), (second, other) in combinations(known, 2):
        if one.differs(other) and matters.have_same(first, second):
            told = [(n, clock) for n, clock in known if matters.have_same(first, n)]
            rivals = [_named(clock.text, clock.sentence, documents[n]) for n, clock in told]
            yield Disagreement("time", tuple(rivals), "happened")
            return


class _Matters:
    """Which of several documents are about the same matter, found out when it is asked for."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._matter = cache(lambda number: Matter(documents[number], _ANYWHERE))

    def are_same(self, one: Mention, other: Mention) -> bool:
        """Whether the documents of two mentions are about the same matter."""
        return self.have_same(one.document, other.document)

    def have_same(self, one: int, other: int) -> bool:
        """Whether two documents, by their numbers, are about the same matter."""
        return one == other or self._matter(one).is_of(self._matter(other))


def _rivals(
    mentions: Sequence[Mention], documents: Sequence[Document], matters: _Matters
) -> Disagreement | None:
    """The numbers of sources that give one each, if some of them disagree."""
    clear = _clear(mentions)
    rivals = [pair for pair in combinations(clear, 2) if pair[0].disagrees(pair[1])]
    first = next((a for a, b in rivals if matters.are_same(a, b)), None)
    if first is None:
        return None
    clear = [one for one in clear if first.is_like(one) and matters.are_same(first, one)]
    return _disagreement(clear, documents)


def _disagreement(mentions: Sequence[Mention], documents: Sequence[Document]) -> Disagreement:
    """The numbers of sources that disagree; the smallest first if they are an update."""
    is_updated = _is_updated(mentions) or _has_risen(mentions, documents)
    clear = sorted(mentions, key=lambda one: one.value if is_updated else 0.0)
    texts: dict[float, str] = {}
    numbers = []
    for one in clear:
        text = texts.setdefault(one.value, _as_shown(one.number.text))
        numbers.append(_rival(one, text, documents[one.document]))
    first = clear[0]
    return Disagreement(first.label, tuple(numbers), first.event, is_updated)


def _is_updated(mentions: Sequence[Mention]) -> bool:
    """Whether all tolls but the highest are the same, and a source says that it rose to that."""
    values = sorted({one.value for one in mentions})
    last = [one for one in mentions if one.value == values[-1] and one.is_toll]
    has_risen = any(_FORMS["risen"].search(one.sentence.text) for one in last)
    return len(values) == 2 and has_risen


def _clear(mentions: Sequence[Mention]) -> list[Mention]:
    """The first mention in each document that gives one number, or begins with a toll that others
    after it are parts of.
    """
    by_document: dict[int, list[Mention]] = {}
    for one in mentions:
        by_document.setdefault(one.document, []).append(one)
    return [group[0] for group in by_document.values() if _is_clear(group)]


def _is_clear(mentions: Sequence[Mention]) -> bool:
    """Whether the first mention in a document is its number."""
    values, first = {one.value for one in mentions}, mentions[0]
    return len(values) == 1 or (first.is_toll and first.value == max(values))


def _has_risen(mentions: Sequence[Mention], documents: Sequence[Document]) -> bool:
    """Whether a number of people only rose from day to day, as far as the dates of articles say."""
    tolls = [one for one in mentions if one.is_toll]
    days = [date_in(documents[one.document].origin) for one in tolls]
    if len(tolls) < len(mentions) or None in days:
        return False
    values = [one.value for one in tolls]
    pairs = list(pairwise(sorted(zip(filter(None, days), values, strict=True))))
    return all(_goes_on(one, other) for one, other in pairs)


def _goes_on(one: tuple[date, float], other: tuple[date, float]) -> bool:
    """Whether the number of a later day is not smaller, and that of the same day is the same."""
    if one[0] == other[0]:
        return one[1] == other[1]
    return one[1] <= other[1]


def _as_shown(text: str) -> str:
    """A number, in small letters if it is in words."""
    letters = text.replace(" ", "").replace("-", "")
    return text.lower() if letters.isalpha() else text


def _rival(mention: Mention, text: str, document: Document) -> RivalNumber:
    return _named(text, mention.sentence, document)


def _named(text: str, sentence: Sentence, document: Document) -> RivalNumber:
    """A number with the place of its sentence."""
    places = (sentence.section, sentence.pdf_pages, sentence.start, sentence.end)
    return RivalNumber(text, document.name, document.origin, *places, sentence.text)


def toll_in(sentence: Sentence) -> float:
    """The largest number of people who died in an event, as a sentence says; 0 if it does not."""
    if _FORMS["other"].match(sentence.text):
        return 0.0
    found = []
    for match, number in places_of_numbers(sentence.text):
        is_other = _FORMS["other"].search(" ".join(_clause(sentence.text, *match.span())))
        one = None if is_other else _mention(sentence, 0, match.span(), number)
        found.append(one.value if one and one.is_toll and one.event == "killed" else 0.0)
    return max(found, default=0.0)


def _mentions(sentence: Sentence, document: int) -> Iterator[Mention]:
    text = sentence.text
    if sentence.is_heading or _FORMS["other"].search(text) or _FORMS["cited"].search(text):
        return
    for match, number in places_of_numbers(text):
        if _FORMS["of_section"].search(
            text[max(match.start() - BEFORE_SECTION, 0) : match.start()]
        ):
            continue
        one = _mention(sentence, document, match.span(), number)
        if one and (one.event or one.is_counted):
            yield one


def _mention(
    sentence: Sentence, document: int, span: tuple[int, int], number: Number
) -> Mention | None:
    """A number at a place of a sentence with what it is about; None if its value is not clear."""
    value = _value(number.text)
    if value is None:
        return None
    before, after = _clause(sentence.text, *span)
    noun, event = _subject(number, before, after)
    around = [*before.lower().split()[-3:], *number.text.lower().split()]
    is_about = not set(_WORDS["approximate"]).isdisjoint(around)
    signs = re.sub(r"per ?cent", "%", number.text)
    unit = "".join(sign for sign in "$€£%" if sign in signs)
    return Mention(number, noun, event, value, unit, is_about, sentence, document)


def _clause(text: str, start: int, end: int) -> tuple[str, str]:
    """The text before and after a place in its clause."""
    ends = [match.span() for match in _FORMS["ends"].finditer(text)]
    first = max((last for _, last in ends if last <= start), default=0)
    last = min((first for first, _ in ends if first >= end), default=len(text))
    return text[max(first, start - BEFORE) : start], text[end:last]


def _subject(number: Number, before: str, after: str) -> tuple[str, str]:
    """What is counted, and what happened to it."""
    words = [*before.lower().split(), *after.lower().split()]
    events = [_EVENTS[word] for word in (one.strip(".,’'\"”") for one in words) if word in _EVENTS]
    counted = _counted(number.noun.lower().split())
    ahead = None if events else _FORMS["before"].search(before.lower())
    is_amount = number.text.startswith(("$", "€", "£"))
    nouns = [counted, ahead["noun"] if ahead else ""]
    noun = next(filter(None, reversed(nouns) if is_amount else nouns), "")
    return noun, events[0] if events else _participle(after)


def _counted(words: Sequence[str]) -> str:
    """The noun at the beginning of the words after a number: "homes lost power"."""
    noun = ""
    for word in words:
        if word in _EVENTS or _FORMS["participle"].fullmatch(word):
            break
        noun = word
    return noun


def _participle(after: str) -> str:
    """What is done to what a number counts: "40 passengers were rescued"."""
    words = after.lower().split()[:5]
    return next((one for one in words if _FORMS["participle"].fullmatch(one)), "")


def _value(text: str) -> float | None:
    """A number in digits or in words as a number."""
    words = text.lower().replace("-", " ").split()
    if "dozen" in words or words[:2] == ["half", "a"]:
        return _spelled_with_article(words)
    readings = [one for one in readings_of(text) if one.start <= 1]
    if readings:
        norm = max(readings, key=lambda one: one.end).norm.split()[0]
        return float(norm) if re.fullmatch(r"-?\d+(?:\.\d+)?", norm) else None
    return _spelled(words)


def _spelled_with_article(words: Sequence[str]) -> float | None:
    """A number in words: "a dozen", "half a million"."""
    *halves, first = words[:2]
    if first != "a" and words[0] != "a":
        return _spelled(words)
    whole = _spelled([word for word in words if word not in ("a", "half")])
    return whole / 2 if whole and halves == ["half"] else whole


def _spelled(words: Sequence[str]) -> float | None:
    """A number in words: "two hundred fifty"."""
    whole, part = 0, 0
    for word in words:
        if word == "dozen":
            part = max(part, 1) * 12
        elif word in _WORDS["numbers"]:
            part += _WORDS["numbers"].index(word)
        elif word in _WORDS["tens"]:
            part += 10 * _WORDS["tens"].index(word)
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _WORDS["scales"]:
            whole += max(part, 1) * 1000 ** _WORDS["scales"].index(word)
            part = 0
        else:
            return None
    return float(whole + part) if words else None
