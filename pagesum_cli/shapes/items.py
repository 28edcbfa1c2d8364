"""The items of a meeting: which are about a subject, and what stands with an outcome there."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from ..documents.model import Sentence
from ..locality.flow import Pages
from ..quoting.eligibility import completed
from ..summary.summary import Outcome
from ..text.tables import table
from .lines import content_of
from .meeting import Meeting
from .motions import fits, is_tally, lacks_matter, proposes, refers_back
from .points import Place
from .pronouns import is_opinion, person_of, pronoun_of, refers_inside

REACH = 4  # sentences before a vote among which its proposal is looked for
BARE = 3  # words of a verdict that says nothing without the sentence before it: "Approved."
SUBJECT = 55  # words of the beginning of an item that say what is decided about
SHARE = 2 / 3  # share of the words of a subject that an item needs in one sentence
TOGETHER = frozenset({"decision", "vote"})  # a motion, who seconds it, and the vote


def kinds_asked(question: str) -> frozenset[str]:
    """The kinds of outcomes that a question about minutes asks for: "Who has to do what?"."""
    found = (kind for kind, form in _asked().items() if form.search(question))
    return frozenset(found)


def _asked() -> dict[str, re.Pattern[str]]:
    forms = table(__file__, "outcomes.toml")["asked"]
    return {kind: re.compile(rf"(?i)\b(?:{form})\b") for kind, form in forms.items()}


def about(sentences: Sequence[Sentence], meeting: Meeting, question: str) -> frozenset[int]:
    """The offsets of the sentences of the items that are about the subject of a question; none if
    no sentence has most of its words.
    """
    for form in _asked().values():
        question = form.sub(" ", question)
    terms = content_of(question) - content_of(table(__file__, "outcomes.toml")["general"]["words"])
    items = _items(sentences, meeting)
    shares = [max(_share(one, terms) for one in item) for item in items] if terms else []
    best = max(shares, default=0.0)
    if best < (SHARE if len(terms) > 2 else 1.0):
        return frozenset()
    both = zip(items, shares, strict=True)
    return frozenset(one.start for item, share in both if share == best for one in item)


def _share(sentence: Sentence, terms: Collection[str]) -> float:
    found = content_of(f"{sentence.heading} {sentence.printed}")
    return len(found & frozenset(terms)) / len(terms)


def _items(sentences: Sequence[Sentence], meeting: Meeting) -> list[list[Sentence]]:
    """The sentences by item: those of a topic up to the next number."""

    def numbers() -> Iterator[tuple[int, str]]:
        topic, label = -1, ""
        for one in sentences:
            if (own := meeting.topic(one.start)) != topic:
                topic, label = own, ""
            label = one.label if one.label[:1].isalnum() else label
            yield topic, label

    both = zip(numbers(), sentences, strict=True)
    return [[one for _, one in item] for _, item in groupby(both, key=lambda pair: pair[0])]


def _by_place(groups: Sequence[Sequence[Place]]) -> dict[Place, list[Place]]:
    """The group of each place."""
    return {place: list(one) for one in groups for place in one}


class Surroundings:
    """What is quoted with an outcome: the rest of its motion, the list that it introduces, and what
    it is about.

    Args:
        pages: The minutes.
        recorded: What sentences record, by their places.
        ballots: What is quoted of each vote.
        runs: The sentences in a row that are one vote.
        verbatim: Whether no name can take the place of a pronoun.
    """

    def __init__(
        self,
        pages: Pages,
        recorded: Mapping[Place, Outcome],
        ballots: Sequence[Sequence[Place]] = (),
        runs: Sequence[Sequence[Place]] = (),
        *,
        verbatim: bool = False,
    ) -> None:
        self._pages, self._recorded, self._verbatim = pages, recorded, verbatim
        self._ballots, self._runs = _by_place(ballots), _by_place(runs)
        self._items: dict[int, list[Place]] = {}
        for number, page in enumerate(pages.pages):
            for index, one in enumerate(page.sentences):
                start = one.lead_in.start if one.lead_in else -1
                self._items.setdefault(start, []).append((number, index))
        self._firsts = {
            one: ballot[0]
            for ballot in ballots
            for place in ballot
            for one in (place, *self.listed(place))
        }

    def at(self, place: Place) -> Sentence:
        """The sentence at a place."""
        number, index = place
        return self._pages.pages[number].sentences[index]

    def order(self, place: Place) -> tuple[Place, Place]:
        """By what a place is sorted: all of a ballot together, where its matter is."""
        return self._firsts.get(place, place), place

    def motion(self, place: Place) -> list[Place]:
        """What is quoted of the vote at a place, such as a motion and its result."""
        if place in self._ballots:
            return self._ballots[place]
        return self._runs.get(place, [place])

    def _kind(self, place: Place) -> str:
        """The kind of outcome of a sentence; a tally is part of a vote."""
        outcome = self._recorded.get(place)
        if outcome:
            return outcome.kind
        return "vote" if is_tally(self.at(place).text) else ""

    def listed(self, place: Place) -> list[Place]:
        """The items of the list that a sentence introduces."""
        return self._items.get(self.at(place).start, [])

    def subjects(self, place: Place) -> list[Place]:
        """What a sentence is about: the sentence before a bare verdict or one that begins with a
        pronoun, the proposal before a vote, and the beginning of its item.
        """
        named = None if place in self._ballots else self._named_before(place)
        found = [named, self._beginning(place)]
        return [one for one in found if one]

    def _named_before(self, place: Place) -> Place | None:
        """The place of the sentence that names what another one is about; None if that names it
        itself.
        """
        text = completed(self.at(place))
        if len(text.split()) <= BARE or refers_back(text):
            is_named = self._person(place) and not refers_inside(text)
            return None if is_named else self._before(place)
        is_vote = self._kind(place) in TOGETHER
        return self._proposal(place) if is_vote and lacks_matter(text) else None

    def _proposal(self, place: Place) -> Place | None:
        """The place of the proposal before a vote: of the nearest sentence that proposes something,
        or else of the sentence before; None if its motion has the matter.
        """
        motion = self.motion(place)
        if not all(lacks_matter(self.at(one).text) for one in motion):
            return None
        nearest = before = self._before(motion[0])
        for _ in range(REACH):
            if before is None or proposes(self.at(before).text):
                return before or nearest
            before = self._before(before)
        return nearest

    def of(self, place: Place) -> list[Place]:
        """All that is quoted with an outcome, itself too, in order."""
        own = self.motion(place)
        own += [item for one in own for item in self.listed(one)]
        return sorted({*own, *(other for one in own for other in self.subjects(one))})

    def is_sure(self, place: Place) -> bool:
        """Whether what is recorded at a place is clear, and nobody's opinion."""
        kind = self._recorded[place].kind
        is_alone = place not in self._ballots
        is_other = is_alone and is_opinion(self.at(place).text, kind)
        return self.is_clear(place) and not is_other and self._says_what(place)

    def _says_what(self, place: Place) -> bool:
        """Whether the quotes of a spoken vote say what was voted on."""
        if not self.at(place).is_spoken or self._kind(place) not in TOGETHER:
            return True
        texts = [self.at(one).text for one in self.of(place)]
        return not all(lacks_matter(one) or one.endswith("?") or fits("put", one) for one in texts)

    def is_clear(self, place: Place) -> bool:
        """Whether the quotes with a sentence say who "he" and "she" are."""
        quoted = self.of(place)
        return all(
            not pronoun_of(self.at(one).text) or self._person(one) or self._before(one) in quoted
            for one in quoted
        )

    def _person(self, place: Place) -> str:
        """Whose name takes the place of the pronoun at the beginning of a sentence; empty without
        one, and where that is not sure.
        """
        number, index = place
        return "" if self._verbatim else person_of(self._pages.pages[number].sentences, index)

    def _before(self, place: Place) -> Place | None:
        """The place of the sentence before another one under its heading; None if there is none."""
        number, index = place
        if not index or self.at((number, index - 1)).is_heading:
            return None
        return number, index - 1

    def _beginning(self, place: Place) -> Place | None:
        """The place of the first sentence of a numbered item, if it is short and no mere title;
        None for other text.
        """
        number, index = place
        label = self.at(place).label
        if not label[:1].isalnum():
            return None
        while index and self.at((number, index - 1)).label == label:
            index -= 1
        words = self.at((number, index)).text.split()
        return (number, index) if len(words) <= SUBJECT and words[-1] not in "–—-" else None
