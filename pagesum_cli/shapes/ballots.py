"""The ballots of a meeting: a proposal, who seconds it, its result and who declares it are one
vote.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

from ..documents.model import Sentence
from ..summary.summary import Outcome
from .consent import agreed_in
from .lines import content_of
from .motions import fits, has_result, is_tally, lacks_matter, matter_of, proposes, seconds
from .sums import conditions_after, cost_before, terms_after
from .wordings import list_after, wording_after

REACH = 60  # sentences of a discussion between a motion and its result
BETWEEN = 4  # sentences from one that says how a vote went to the next, with who was absent between
MAX_GAP = 2  # characters between two sentences of a paragraph
SHARED = 0.5  # share of the words of a motion that a recommendation has which says the same
SHORT = 12  # words of a task that says no more than that the meeting ends
TOGETHER = frozenset({"decision", "vote"})  # the kinds of what a ballot has

_NAMES = re.compile(r"\((?:[A-Z][\w.’'-]*(?:,? and |, | ))*[A-Z][\w.’'-]*\)")
"""Who voted so, in parentheses."""


@dataclass
class Ballot:
    """What was put to the vote, and how the vote went, as numbers of sentences."""

    recommended: list[int] = field(default_factory=list)  # what a committee or the staff proposes
    moved: list[int] = field(default_factory=list)  # the motion
    others: list[int] = field(default_factory=list)  # who seconds it, who asks for it
    results: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Ballots:
    """The ballots among some sentences.

    Args:
        sentences: Those of the minutes.
        found: What they record, by their numbers.
        topic: The number of the topic at an offset.
    """

    sentences: Sequence[Sentence]
    found: Mapping[int, Outcome]
    topic: Callable[[int], int]

    @cached_property
    def all(self) -> list[Ballot]:
        """The ballots with a proposal and a result."""
        numbers = range(len(self.sentences))
        topics = groupby(numbers, lambda number: self.topic(self.sentences[number].start))
        found = (one for _, topic in topics for one in self._of_topic(list(topic)))
        return [one for one in found if one.results and (one.moved or one.recommended)]

    @cached_property
    def items(self) -> list[list[int]]:
        """What is quoted of each ballot: the matter, who seconds it, and the sentences that say how
        the vote went; and each decision with its terms, or with the wording that it announces.
        """
        terms = ([number, *self._terms_after(number)] for number in self._agreed)
        return [*self._voted, *(one for one in terms if len(one) > 1)]

    @cached_property
    def _voted(self) -> list[list[int]]:
        """The items without those that only the vote on a consent agenda decides."""
        ballots = [
            [*self._terms(one), *self._seconds(one), *self._told(one.results)] for one in self.all
        ]
        announced = [[number, *rest] for number, rest in self._announced.items() if rest]
        return [*ballots, *announced, *self._with_costs]

    @cached_property
    def _parts_of_all(self) -> frozenset[int]:
        return frozenset(number for one in self.all for number in self._parts(one))

    def _is_free(self, number: int) -> bool:
        """Whether a sentence is neither a heading nor part of what is recorded; so is the end."""
        if number >= len(self.sentences):
            return True
        is_part = number in self.found or number in self._parts_of_all
        return not (is_part or self._is_tally(number) or self.sentences[number].is_heading)

    @cached_property
    def _with_costs(self) -> list[list[int]]:
        """The votes in a single sentence with what says how much they cost."""
        known = self._parts_of_all | set(self._announced)
        numbers = [
            number
            for number in sorted(set(self.found) - known)
            if self._kind(number) in TOGETHER and self._is_free(number + 1)
        ]
        found = ((number, cost_before(self.sentences, number, self._is_free)) for number in numbers)
        return [[*costs, number] for number, costs in found if costs]

    @cached_property
    def _announced(self) -> dict[int, list[int]]:
        """What follows the decisions that announce a wording or a list outside of their text, by
        their numbers; nothing where that is not in the text.
        """
        others = [
            number
            for number, one in self.found.items()
            if one.kind == "decision" and number not in self._parts_of_all
        ]
        found = ((number, wording_after(self.sentences, number)) for number in others)
        return {number: rest for number, rest in found if rest is not None}

    @cached_property
    def outcomes(self) -> dict[int, Outcome]:
        """What the sentences record, each ballot once, and what was approved by consent."""
        kept = self._without_parts()
        alone = [[number] for number in self._agreed]
        kept |= {item[-1]: self._outcome_of(item) for item in [*alone, *self.items, *self.runs]}
        with_terms = {one[0] for one in self.items if one[0] in self._agreed}
        return {number: one for number, one in sorted(kept.items()) if number not in with_terms}

    def _without_parts(self) -> dict[int, Outcome]:
        """What the sentences record, but for the parts and the terms of ballots."""
        parts = {*self._parts_of_all, *self._announced}
        kept = {number: one for number, one in self.found.items() if number not in parts}
        for number in (*self._agreed, *(item[0] for item in self.items)):
            if self._is_term(number + 1, kept):
                del kept[number + 1]
        return kept

    def _outcome_of(self, item: Sequence[int]) -> Outcome:
        """What the sentences of a ballot record; of a recommendation, with the vote by which it was
        agreed to.
        """
        result = self._agreed.get(item[0])
        if result is None:
            return Outcome(self.kind_of(item))
        return Outcome("decision", vote=f"consent vote {result}".strip())

    @property
    def without_procedure(self) -> dict[int, Outcome]:
        """What the sentences record, but for the end of the meeting, and for the readings of a law
        before the vote on it.
        """
        firsts = {item[-1]: item[0] for item in self.items}
        readings = set(self._readings())
        return {
            number: one
            for number, one in self.outcomes.items()
            if not self._is_formal(one, firsts.get(number, number))
            if number not in readings
        }

    def _readings(self) -> Iterator[int]:
        """The motions without a result to read a law by its title, and who seconds them, before a
        vote on the same topic.
        """
        voted = {self._topic_of(item[0]): item[0] for item in self.items if self._is_vote(item)}
        runs = {one[0]: one for one in self.runs}
        for number in self.outcomes:
            text = self.sentences[number].text
            is_before = number < voted.get(self._topic_of(number), -1)
            if is_before and fits("reading", text) and fits("pending", text):
                yield from runs.get(number, [number])

    def _is_vote(self, item: Sequence[int]) -> bool:
        """Whether a ballot is one on more than the reading of a law."""
        is_reading = any(fits("reading", self.sentences[one].text) for one in item)
        return self.kind_of(item) == "vote" and not is_reading

    def _is_formal(self, outcome: Outcome, number: int) -> bool:
        """Whether an outcome that begins with a sentence is only the end of the meeting, or of a
        part of it.
        """
        if outcome.kind in TOGETHER:
            return self._adjourns(number)
        text = self.sentences[number].text
        is_short = len(text.split()) <= SHORT
        return outcome.kind == "action" and is_short and fits("adjourns", text)

    def _adjourns(self, number: int) -> bool:
        """Whether a sentence, or the one before a vote that does not say on what, ends the
        meeting.
        """
        text = self.sentences[number].text
        before = self.sentences[number - 1].text if number and lacks_matter(text) else ""
        return fits("adjourns", text) or fits("adjourns", before)

    @property
    def beginnings(self) -> dict[int, Outcome]:
        """What goes on to the last sentence of a ballot or of a run, by the offsets of the
        sentences.
        """
        groups = [*self.items, *self.runs]
        parts = {number: self.kind_of(one) for one in groups for number in one[:-1]}
        starts = {number: self.sentences[number].start for number in parts}
        return {starts[number]: Outcome(kind, goes_on=True) for number, kind in parts.items()}

    @property
    def numbers(self) -> dict[int, int]:
        """The number of the ballot or the run of each sentence of one, by the offsets of the
        sentences.
        """
        groups = enumerate([*self.items, *self.runs])
        return {self.sentences[one].start: number for number, group in groups for one in group}

    @cached_property
    def runs(self) -> list[list[int]]:
        """The sentences in a row that are one vote and no ballot, such as a motion in which nobody
        says what is proposed, and its result.
        """
        found: list[list[int]] = []
        for number in self._others:
            if found and found[-1][-1] == number - 1 and self._goes_on(found[-1], number):
                found[-1].append(number)
            else:
                found.append([number])
        return [one for one in found if len(one) > 1]

    @property
    def _others(self) -> Iterator[int]:
        """The sentences with a decision or on a vote that are no part of a ballot."""
        known = {number for one in self.items for number in one} | self._parts_of_all
        for number in range(len(self.sentences)):
            is_vote = self._kind(number) in TOGETHER or self._is_tally(number)
            is_part = is_vote or self._is_quoted(number)
            if is_part and number not in known:
                yield number

    def _goes_on(self, run: Sequence[int], number: int) -> bool:
        """Whether a sentence says the rest of the vote in those before it: the motion in quotation
        marks, no other motion, and no other decision.
        """
        if not self._is_next(run[-1], number) or self._begins_quoted(number):
            return False
        if self._is_quoted(number):
            return self._begins_quoted(run[-1])
        is_vote = self.kind_of([*run, number]) == "vote"
        return is_vote and self._is_rest(run, number)

    def _is_rest(self, run: Sequence[int], number: int) -> bool:
        """Whether a sentence belongs to the same item, and is on no other matter."""
        if self._has_other_label(run[-1], number):
            return False
        return lacks_matter(self.sentences[number].text) or self._is_same(run, number)

    def _begins_quoted(self, number: int) -> bool:
        """Whether a sentence only says who moves what the next one quotes."""
        is_bare = self._kind(number) == "vote" and lacks_matter(self.sentences[number].text)
        return is_bare and self._is_quoted(number + 1) and self._is_next(number, number + 1)

    def _is_quoted(self, number: int) -> bool:
        """Whether a sentence is a motion in quotation marks, after who moves it."""
        here = self.sentences[number : number + 1]
        return bool(here) and fits("quoted", here[0].text) and self._kind(number - 1) == "vote"

    def _is_same(self, run: Sequence[int], number: int) -> bool:
        """Whether a sentence only repeats on what the sentences before it decide, or is the result
        of what they propose.
        """
        text = self.sentences[number].text
        if fits("pending", text):
            return False
        is_open = not any(has_result(self.sentences[one].text) for one in run)
        words = content_of(" ".join(self.sentences[one].printed for one in run))
        matter = content_of(matter_of(text))
        is_named = fits("this", text) or bool(matter & words)
        is_result = is_named and (is_open or fits("names", text))
        return matter <= words or is_result

    def kind_of(self, item: Sequence[int]) -> str:
        """The kind of outcome that the sentences of a ballot record."""
        is_vote = "vote" in map(self._kind, item) or any(map(self._is_tally, item))
        return "vote" if is_vote else "decision"

    def _of_topic(self, numbers: Sequence[int]) -> Iterator[Ballot]:
        one = Ballot()
        for number in numbers:
            part = self._part(number, one)
            if self._is_over(one, number, part):
                yield one
                one = Ballot()
                part = self._part(number, one)
            if part:
                getattr(one, part).append(number)
        yield one

    def _is_over(self, one: Ballot, number: int, part: str) -> bool:
        """Whether a sentence is not of a ballot any more."""
        if one.results:
            return self._is_over_after_result(one, number, part)
        is_far = is_next = False
        if one.moved:
            is_far = number - one.moved[0] > REACH
            is_next = part == "moved" or self._is_other(one, number, part)
        started = [*one.moved, *one.recommended]
        return is_far or is_next or any(self._has_other_label(first, number) for first in started)

    def _is_over_after_result(self, one: Ballot, number: int, part: str) -> bool:
        if part == "results" and self._is_other(one, number, part):
            return True
        is_more = part == "results" and number == one.results[-1] + 1
        is_next = self._kind(number) == "decision" and not is_more
        return is_next or not self._is_result(one, number, part)

    def _is_other(self, one: Ballot, number: int, part: str) -> bool:
        """Whether a sentence is a motion with its result, or the result of another motion than
        that of a ballot: "Motion for training approved" after a motion to sell the mill.
        """
        text = self.sentences[number].text
        if not part:
            return self._kind(number) == "vote" and proposes(text)
        is_bare = is_tally(text) or fits("closing", text) or lacks_matter(_NAMES.sub("", text))
        if part != "results" or is_bare:
            return False
        before = " ".join(self.sentences[other].printed for other in self._parts(one))
        return not content_of(matter_of(text)) & content_of(before)

    def _is_result(self, one: Ballot, number: int, part: str) -> bool:
        """Whether a sentence goes on with the results of a ballot, or stands between them."""
        is_near = number - one.results[-1] < BETWEEN and number not in self.found
        return part == "results" or (is_near and not part)

    def _has_other_label(self, first: int, number: int) -> bool:
        """Whether a sentence is of another numbered item."""
        labels = [self.sentences[one].label for one in (first, number)]
        return all(one[:1].isalnum() for one in labels) and labels[0] != labels[1]

    def _part(self, number: int, one: Ballot) -> str:
        """Which part of a ballot a sentence is; empty for what is none."""
        text = self.sentences[number].text
        if self.sentences[number].is_heading:
            return ""
        if fits("recommends", text):
            return "" if one.moved or one.recommended else "recommended"
        if self._is_seconded(number):
            return "moved"
        if self._kind(number) not in TOGETHER and not is_tally(text):
            return ""
        return self._part_of_vote(text, is_open=bool(one.moved or one.recommended))

    def _part_of_vote(self, text: str, *, is_open: bool) -> str:
        is_bare = seconds(text) or lacks_matter(_NAMES.sub("", text))
        if fits("asks", text):
            return "others"
        is_motion = not is_bare or fits("numbered", text)
        has_votes = (has_result(text) and not _is_unvoted(text)) or is_tally(text)
        if is_motion and not has_votes:
            return _motion_in(text)
        return _part_without_matter(text, is_bare=is_bare) if is_open else ""

    def _is_seconded(self, number: int) -> bool:
        """Whether a sentence proposes something that no rule knows, and the next one says who
        seconds it.
        """
        if number in self.found or self._kind(number + 1) not in TOGETHER:
            return False
        one, following = self.sentences[number : number + 2]
        is_second = fits("seconds", following.text) and self._is_next(number, number + 1)
        return is_second and proposes(one.text)

    def _is_next(self, number: int, other: int) -> bool:
        """Whether nothing stands between two sentences."""
        gap = self.sentences[other].front_start - self.sentences[number].end
        return 0 <= gap <= MAX_GAP

    def _matter(self, one: Ballot) -> list[int]:
        """What was voted on: the recommendation if the motion is about the same, and the motion
        unless that says nothing more.
        """
        if not one.recommended or not one.moved:
            return [*one.recommended, *one.moved]
        texts = [self.sentences[number].text for number in one.moved]
        if any(fits("puts_off", text) for text in texts):
            return [*one.recommended, *one.moved]
        return self._same(one, content_of(" ".join(map(matter_of, texts))))

    def _same(self, one: Ballot, moved: frozenset[str]) -> list[int]:
        """What was voted on, by the words of the motion: those of its heading are the matter."""
        first = self.sentences[one.recommended[0]]
        if moved and moved <= content_of(first.heading):
            return one.recommended
        shared = len(moved & content_of(first.printed))
        if moved and not shared:
            return one.moved
        is_same = shared >= SHARED * len(moved)
        return one.recommended if is_same else [*one.recommended, *one.moved]

    def _terms(self, one: Ballot) -> list[int]:
        """What was voted on, with how much it costs and on what condition."""
        matter = self._matter(one)
        if not (one.moved and matter[-1] == one.moved[-1]):
            return [*matter, *self._terms_after(matter[-1])]
        number = matter[-1]
        texts = [self.sentences[other].text for other in self._parts(one)]
        has_sum = any(fits("sum", text) for text in texts)
        costs = [] if has_sum else cost_before(self.sentences, number, self._is_free)
        listed = self._listed(one)
        return [
            *costs,
            *matter,
            *(listed or conditions_after(self.sentences, number, self._is_free)),
        ]

    def _listed(self, one: Ballot) -> list[int]:
        """The list that a motion introduces, up to its result: "Moved by Berg as follows:"."""
        if not (one.moved and one.results):
            return []
        return list_after(self.sentences, one.moved[-1], one.results[0])

    def _terms_after(self, number: int) -> list[int]:
        """The sentences after a recommendation that say how much it costs, or how long it lasts."""

        def is_free(other: int) -> bool:
            is_task = self._kind(other) == "action" and not self.found[other].who
            return self._is_free(other) or is_task

        return terms_after(self.sentences, number, is_free)

    def _seconds(self, one: Ballot) -> list[int]:
        """The sentence in which somebody seconds the motion, if it comes soon after it and its
        terms, and the motion is quoted.
        """
        if not one.moved or one.moved[-1] not in self._matter(one):
            return []
        last = self._terms(one)[-1]
        near = range(last + 1, last + (2 if last == one.moved[-1] else 3))
        return [n for n in near if n in one.others and seconds(self.sentences[n].text)]

    def _parts(self, one: Ballot) -> list[int]:
        return [*self._matter(one), *one.moved, *self._listed(one), *one.others, *one.results]

    def _told(self, results: Sequence[int]) -> list[int]:
        """The sentences that say how a vote went, without those after the first that only say that
        it went so; who voted how does not say how the vote went.
        """
        texts = {number: self.sentences[number].text for number in results}
        told = {number for number, text in texts.items() if is_tally(text) or fits("counts", text)}
        names = ("dissents", "roll", "votes")
        whole = (number for number in results if not any(fits(one, texts[number]) for one in names))
        return sorted({*told, next(whole, results[0])})

    @cached_property
    def _agreed(self) -> dict[int, str]:
        """The recommendations that a vote on the consent agenda decides, each with how it went."""
        decided = (number for number, one in self.found.items() if one.kind in TOGETHER)
        topics = frozenset(map(self._topic_of, decided))
        return dict(agreed_in(self.sentences, self._voted, self._topic_of, topics))

    def _is_term(self, number: int, kept: Mapping[int, Outcome]) -> bool:
        """Whether a sentence says on which terms what the one before recommends is done, not who
        does what.
        """
        one = kept.get(number)
        if one is None or one.kind != "action" or one.who:
            return False
        before = self.sentences[number - 1]
        is_next = 0 <= self.sentences[number].start - before.end <= 1
        return is_next and fits("recommends", before.text)

    def _kind(self, number: int) -> str:
        return self.found[number].kind if number in self.found else ""

    def _is_tally(self, number: int) -> bool:
        return is_tally(self.sentences[number].text)

    def _topic_of(self, number: int) -> int:
        return self.topic(self.sentences[number].start)


def _motion_in(text: str) -> str:
    """The name of the part of a ballot that a motion is; empty for what is none."""
    return "moved" if proposes(text) or fits("numbered", text) else ""


def _is_unvoted(text: str) -> bool:
    """Whether a sentence ends with who seconds a motion, before any result."""
    return fits("unvoted", text) and not seconds(text)


def _part_without_matter(text: str, *, is_bare: bool) -> str:
    """The name of the part of a ballot that a sentence is which proposes nothing."""
    if not (has_result(text) or is_tally(text)):
        return "others"
    return "results" if is_bare or fits("names", text) else ""
