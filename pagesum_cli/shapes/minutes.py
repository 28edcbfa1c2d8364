"""The summary of a meeting: what was decided under each topic of its minutes."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby, islice
from math import inf

from ..documents.model import Document, Sentence
from ..documents.sentences import all_sentences
from ..documents.written import date_in, day_of
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..summary.openings import with_openings
from ..summary.summary import (
    RECORDED,
    Outcome,
    Summary,
    SummaryParagraph,
    SummarySentence,
    counted_by_kind,
)
from .attendance import is_about_people
from .ballots import Ballots
from .chosen import Chosen
from .importance import importance
from .items import Surroundings, about
from .meeting import Meeting, outcomes_in
from .motions import fits
from .papers import reports_study
from .points import Place, Point, points_of
from .pronouns import person_of, with_person
from .rules import is_said_by, is_speech
from .shown import after_gap, alone, dated, start, together, without

SAID = 3  # sentences of minutes that hold nothing else, and no titles
NAMED = 12  # maximum number of topics that are named without a sentence
# maximum number of notes on a topic that records nothing, and sentences for each further one
NOTES, NOTES_EACH = 3, 8
# share of the words of the minutes that a short summary has, and at least and at most so many
SHORT, SHORTEST, LONGEST = 0.1, 100, 250
PENDING = "Motions without a result"
PARTS = {"Decided": ("decision", "vote"), PENDING: (), "To do": ("action",), "Dates": ("date",)}
"""The headings of a brief summary, with the kinds of outcomes under each."""
UNDECIDED = "no decision, vote or action was found in the minutes: the quotes are notes"
UNDECIDED_TALK = (
    "no decision, vote or action was found in the transcript: the quotes are what was said"
)
LEFT_OUT = "{part} of {all} outcomes are left out ({kinds}): a longer summary lists them"
ABSENT = "Absent: {names}"
TITLE_WORDS = 8  # of a topic without a sentence: more are text that was read as a title
OTHERS = "Other topics: {titles}"


class Minutes:
    """Chooses the sentences of the summary of minutes: all that record something, under their
    topics; of a topic without one, notes that can be understood alone.

    Args:
        document: The minutes.
        options: How long the summary is.
        kinds: The kinds of outcomes that are asked for; all, and notes, if there are none.
    """

    def __init__(
        self,
        document: Document,
        options: GenerationOptions,
        kinds: Collection[str] = (),
        *,
        subject: str = "",
        brief: bool = False,
    ) -> None:
        self._document, self.options, self._kinds = document, options, kinds
        self._meeting, self._is_brief = Meeting(document), brief
        self._outcomes: dict[int, Outcome] = {}  # by the offsets of their sentences
        self._ballots: list[list[Place]] = []
        self._runs: list[list[Place]] = []
        # of what the result of a vote follows, by the offsets of the sentences
        self._parts_of_votes: dict[int, Outcome] = {}
        self._votes: dict[int, int] = {}  # their numbers, by the offsets of the sentences
        self._about = about(all_sentences(document), self._meeting, subject) if subject else ()
        self._parts: list[tuple[str, int]] = []  # titles, each with a number of sentences
        self._left_out: list[Outcome] = []
        self._cut: set[int] = set()  # offsets of results after a list that is not quoted whole

    @cached_property
    def has_subject(self) -> bool:
        """Whether any outcome is about the subject."""
        sentences = self._document_sentences
        return any(sentences[number].start in self._about for number in outcomes_in(sentences))

    @cached_property
    def _document_sentences(self) -> list[Sentence]:
        return all_sentences(self._document)

    @property
    def _is_short(self) -> bool:
        """Whether the summary is short, of no certain length."""
        is_open = not (self.options.words or self.options.sentences or self._is_brief)
        return is_open and self.options.length == "short"

    @property
    def _has_parts(self) -> bool:
        """Whether what was decided comes first, under a heading, then what is to be done."""
        return self._is_brief or self._is_short

    @property
    def _words(self) -> int | None:
        """The number of words that the summary has, if its length is limited."""
        if self.options.words or self.options.sentences or not self._has_parts:
            return self.options.words
        return round(min(max(SHORT * len(self._document.text.split()), SHORTEST), LONGEST))

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        recorded = self._recorded(pages)
        verbatim = bool(self.options.verbatim)
        around = Surroundings(pages, recorded, self._ballots, self._runs, verbatim=verbatim)
        recorded = self._clear(recorded, around)
        unscored = dict.fromkeys(recorded, 0.0)
        points = self._points(pages, {**unscored, **scores})
        outcomes = [one for one in points if one.place in recorded]
        notes = self._notes(pages, points, recorded, around)
        chosen = self._chosen(self._ranked(outcomes, recorded, around), notes, around)
        self._cut = {around.at(one).start for one in chosen.shortened}
        left, parts = recorded.keys() - chosen.places, self._parts_of_votes
        self._left_out = [recorded[one] for one in left if around.at(one).start not in parts]
        if chosen.places:
            return self._arranged(chosen, recorded, around)
        said = _best_first(points)[:SAID]
        titles = self._titles(pages)
        return titles or sorted({place for one in said for place in around.of(one.place)})

    def _notes(
        self,
        pages: Pages,
        points: Sequence[Point],
        recorded: Collection[Place],
        around: Surroundings,
    ) -> list[Point]:
        """The sentences that record nothing and can be notes; none where only outcomes are asked
        for.
        """
        if self._kinds or (self._has_parts and recorded):
            return []
        others = (one for one in points if one.place not in recorded)
        return [one for one in others if self._is_note(pages, one) and around.is_clear(one.place)]

    def _points(self, pages: Pages, scores: Mapping[Place, float]) -> list[Point]:
        """The sentences, each with the number of its topic as its group."""
        return [
            replace(one, group=self._meeting.topic(_at(pages, one.place).start))
            for one in points_of(pages, scores, {}, [self._document.title])
        ]

    def _chosen(
        self, outcomes: Sequence[tuple[Point, bool]], notes: Sequence[Point], around: Surroundings
    ) -> Chosen:
        """The outcomes in their order, each with whether a short summary has it at any length, and
        notes on topics that have none or few, within the length.
        """
        chosen = Chosen(self._words, self.options.sentences, around)
        for point, is_main in outcomes:
            if is_main or not self._has_parts or chosen.length < SHORTEST:
                chosen.add(point, inf, may_repeat=True)
        counts = Counter(point.group for point in notes)
        for point in _best_first(notes):
            chosen.add(point, min(NOTES, 1 + counts[point.group] // NOTES_EACH))
        if self.options.words or self.options.sentences:  # to reach a given length
            for point in _best_first(notes):
                chosen.add(point, inf)
        return chosen

    def _arranged(
        self, chosen: Chosen, recorded: Mapping[Place, Outcome], around: Surroundings
    ) -> list[Place]:
        """The chosen places in the order of the minutes; the most important first in a brief
        summary, under headings, and where they are about a subject.
        """
        if not (self._has_parts or self._about):
            return sorted(chosen.places, key=around.order)
        titled: list[tuple[str, list[Place]]] = [
            (
                self._heading(recorded.get(point.place), [around.at(one).text for one in places]),
                places,
            )
            for point, places in chosen.groups
        ]
        order = list(PARTS)
        titled.sort(key=lambda pair: order.index(pair[0]) if pair[0] else 0)  # stable
        counts = Counter[str]()
        for title, places in titled:
            counts[title] += len(places)
        self._parts = list(counts.items())
        return [place for _, places in titled for place in places]

    def _ranked(
        self, points: Sequence[Point], recorded: Mapping[Place, Outcome], around: Surroundings
    ) -> list[tuple[Point, bool]]:
        """Outcomes, the most important first, each with whether it is a decision that matters or
        has a date; those come first in a short summary. In a brief one, those that change nothing
        come last.
        """

        def rank(point: Point) -> tuple[int, float, float]:
            text = " ".join(around.at(one).printed for one in around.of(point.place))
            one = recorded[point.place]
            weight = importance(text, one)
            step = _step(one, weight) if self._is_short else self._routine(weight)
            return step, -weight, -point.score

        ranked = sorted(((rank(one), one) for one in points), key=lambda pair: pair[0])
        return [(point, key[0] < 2) for key, point in ranked]

    def _routine(self, weight: float) -> int:
        """The last step for an outcome of a brief summary that every meeting has."""
        return 2 if self._is_brief and weight < 0 else 0

    def _heading(self, outcome: Outcome | None, texts: Sequence[str]) -> str:
        """The heading above an outcome in a brief or short summary; empty in another one."""
        if outcome is None or not self._has_parts:
            return ""
        title = next(title for title, kinds in PARTS.items() if outcome.kind in kinds)
        is_pending = title == "Decided" and fits("pending", " ".join(texts))
        return PENDING if is_pending else title

    def _titles(self, pages: Pages) -> list[Place]:
        """The places of the topics' titles: of a meeting of which only talk is known, what it was
        about.
        """
        topics = [one for one in self._meeting.topics if one.title]
        subjects = [one for one in topics if not one.is_procedure] or topics
        starts = {one.start for one in subjects}
        places = [place for place in _places(pages) if _at(pages, place).start in starts]
        return places[: self.options.sentences]

    def _recorded(self, pages: Pages) -> dict[Place, Outcome]:
        """What sentences record, by their places: of the kinds, and about the subject, that are
        asked for.
        """
        sentences = [one for page in pages.pages for one in page.sentences]
        places = list(_places(pages))
        ballots = Ballots(sentences, outcomes_in(sentences), self._part)
        self._ballots = _placed(ballots.items, places)
        self._runs = _placed(ballots.runs, places)
        self._parts_of_votes, self._votes = ballots.beginnings, ballots.numbers
        asked = self._of_kinds(ballots.without_procedure)
        about = [number for number in asked if sentences[number].start in self._about]
        numbers = about or list(asked)
        self._outcomes = {sentences[number].start: asked[number] for number in numbers}
        return {places[number]: asked[number] for number in numbers}

    def _part(self, offset: int) -> int:
        """The number of the topic at an offset; a recording, whose topics are speeches, has one."""
        return 0 if self._document.is_recording else self._meeting.topic(offset)

    def _clear(
        self, recorded: Mapping[Place, Outcome], around: Surroundings
    ) -> dict[Place, Outcome]:
        """What is recorded, without opinions and without a "he" or "she" who is not named."""
        kept = {place: one for place, one in recorded.items() if around.is_sure(place)}
        starts = {around.at(place).start for place in kept}
        self._outcomes = {at: one for at, one in self._outcomes.items() if at in starts}
        return kept

    def _of_kinds(self, found: Mapping[int, Outcome]) -> dict[int, Outcome]:
        """Those of some outcomes that are of a kind that is asked for."""
        kinds = self._kinds or RECORDED
        return {number: one for number, one in found.items() if one.kind in kinds}

    def _is_note(self, pages: Pages, point: Point) -> bool:
        """Whether a sentence stands alone as a note on a subject: nobody says it, and it does not
        only list names.
        """
        item, topic = _at(pages, point.place), self._meeting.topics[point.group]
        is_subject = bool(topic.title) and not topic.is_procedure
        if self._about:
            is_subject = item.start in self._about
        is_told = is_said_by(item.text) or item.is_spoken or is_speech(point.text)
        return is_subject and point.stands and not (is_told or is_about_people(item))

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences under their topics, with what each records; the
        topics without one are named at the end if they are few.
        """
        notes = (*summary.notes, *self._remarks())
        summary = replace(summary, participants=self._meeting.participants, notes=notes)
        if self._parts:
            return self._in_parts(summary)
        starts = list(map(start, summary.sentences))
        groups = groupby(range(len(starts)), lambda number: self._meeting.topic(starts[number]))
        told = {topic: tuple(numbers) for topic, numbers in groups}
        grouped = [[summary.sentences[number] for number in one] for one in told.values()]
        sentences = [one for group in grouped for one in self._under_title(group)]
        summary = replace(summary, sentences=tuple(sentences))
        parts = [
            SummaryParagraph(self._title(topic, starts, told), told[topic])
            for topic in sorted(told)
        ]
        others = "; ".join(self._named(told))
        if others:
            parts.append(SummaryParagraph(OTHERS.format(titles=others), ()))
        return summary.in_paragraphs([*parts, *self._lines_below()])

    def _in_parts(self, summary: Summary) -> Summary:
        """A summary with the headings that were chosen for its sentences."""
        rest, own = iter(summary.sentences), list[SummarySentence]()
        paragraphs = []
        for title, count in self._parts:
            numbers = range(len(own), len(own) + count)
            paragraphs.append(SummaryParagraph(title, tuple(numbers)))
            own += self._under_title(list(islice(rest, count)))
        paragraphs += self._lines_below()
        return replace(summary, sentences=tuple(own)).in_paragraphs(paragraphs)

    def _lines_below(self) -> Iterator[SummaryParagraph]:
        """Lines without sentences: how many outcomes a brief summary leaves out, and who was
        absent.
        """
        if self._parts and self._left_out:
            yield SummaryParagraph(self._left_out_line(), ())
        names = self._meeting.absent
        if names and not (self._kinds or self._about):
            yield SummaryParagraph(ABSENT.format(names=", ".join(names)), ())

    def _left_out_line(self) -> str:
        """How many outcomes are left out, of how many."""
        part, whole = len(self._left_out), len(self._outcomes.keys() - self._parts_of_votes.keys())
        kinds = counted_by_kind(one.kind for one in self._left_out)
        return LEFT_OUT.format(part=part, all=whole, kinds=kinds)

    def _remarks(self) -> Iterator[str]:
        """A line with the number of outcomes that are left out, if there are any; or that there are
        none at all.
        """
        if not self._outcomes.keys() - self._parts_of_votes.keys():
            yield f"{self._document.name}: {UNDECIDED}"
        if self._left_out:
            yield f"{self._document.name}: {self._left_out_line()}"

    def _title(self, topic: int, starts: Sequence[int], told: Mapping[int, tuple[int, ...]]) -> str:
        """The title of a topic, unless it is quoted itself."""
        one = self._meeting.topics[topic]
        is_quoted = topic in told and starts[told[topic][0]] == one.start
        return "" if is_quoted else one.title

    def _under_title(self, sentences: Sequence[SummarySentence]) -> list[SummarySentence]:
        """The sentences of a topic with what each records, without the lead-ins that are its title
        or sentences of their own.
        """
        shown = {one.start for one in self._meeting.topics}
        shown |= {one.source.start for one in sentences if one.source}
        bare = [
            alone(replace(without(one, shown), outcome=self._outcome(one))) for one in sentences
        ]
        verbatim = bool(self.options.verbatim)
        shown_with = with_openings(bare if verbatim else self._with_people(bare), verbatim=verbatim)
        own = [dated(after_gap(one, self._cut), in_parts=bool(self._parts)) for one in shown_with]
        return together(own, self._votes)

    def _with_people(self, sentences: Sequence[SummarySentence]) -> list[SummarySentence]:
        """Sentences with the person in place of a pronoun at their beginning, unless the sentence
        before is quoted, too.
        """
        known = self._document_sentences
        numbers = {one.start: number for number, one in enumerate(known)}
        places = [numbers.get(one.source.start, -1) if one.source else -1 for one in sentences]
        return [
            with_person(one, person_of(known, place)) if place >= 0 and place - 1 != before else one
            for before, place, one in zip([-1, *places], places, sentences, strict=False)
        ]

    def _outcome(self, sentence: SummarySentence) -> Outcome | None:
        """What a sentence records."""
        start = sentence.source.start if sentence.source else -1
        return self._parts_of_votes.get(start) or self._outcomes.get(start)

    def _named(self, told: Mapping[int, tuple[int, ...]]) -> list[str]:
        """The titles of topics without a sentence, if they are few and can be named."""
        others = [
            one.title
            for number, one in enumerate(self._meeting.topics)
            if one.title and not one.is_procedure and number not in told
        ]
        is_open = self._words is self.options.sentences is None
        names = [title for title in others if len(title.split()) <= TITLE_WORDS]
        return names if is_open and len(others) <= NAMED else []


def _places(pages: Pages) -> Iterator[Place]:
    for number, page in enumerate(pages.pages):
        yield from ((number, index) for index in range(len(page.sentences)))


def _placed(groups: Sequence[Sequence[int]], places: Sequence[Place]) -> list[list[Place]]:
    """The places of the sentences of some groups."""
    return [[places[number] for number in one] for one in groups]


def _at(pages: Pages, place: Place) -> Sentence:
    number, index = place
    return pages.pages[number].sentences[index]


def _step(outcome: Outcome, weight: float) -> int:
    """At which step an outcome is chosen for a short summary: first decisions and votes, then dates
    and tasks with one, then the rest.
    """
    if weight < 0:
        return 2
    if outcome.kind in ("decision", "vote"):
        return 0
    return 1 if outcome.due or outcome.kind == "date" else 2


def _best_first(points: Iterable[Point]) -> list[Point]:
    return sorted(points, key=lambda one: -one.score)


def are_minutes(documents: Sequence[Document]) -> bool:
    """Whether there is one document, the minutes of a meeting with topics or outcomes."""
    return len(documents) == 1 and _is_meeting(documents[0])


def meetings_in(documents: Sequence[Document]) -> int:
    """How many of several documents are minutes."""
    return sum(map(_is_meeting, documents)) if len(documents) > 1 else 0


def by_date(documents: Sequence[Document]) -> list[Document]:
    """Documents in the order of their dates, if all have one."""
    dated = [(when, one) for one in documents if (when := Meeting(one).date)]
    if len(dated) < len(documents):
        return list(documents)
    return [document for _, document in sorted(dated, key=lambda pair: pair[0])]


def undecided(documents: Sequence[Document]) -> Iterator[str]:
    """A line for each transcript of several speakers that records nothing."""
    for document in documents:
        speakers = {one.speaker for part in document.sections for one in part.paragraphs}
        is_talk = document.is_recording and len(speakers - {""}) > 1
        if is_talk and not Meeting(document).has_outcomes:
            yield f"{document.name}: {UNDECIDED_TALK}"


def name_of(document: Document) -> str:
    """What a document is called among several: its title, or else its file, with where and when it
    was written.
    """
    name = document.title or document.name
    when = date_in(document.origin) or Meeting(document).date
    day = day_of(when) if when else ""
    outlet = document.origin.removesuffix(day).rstrip(", ")
    return ", ".join(filter(None, (name, outlet, "" if date_in(name) else day)))


def _is_meeting(document: Document) -> bool:
    if reports_study(document):
        return False
    meeting = Meeting(document)
    if not meeting.is_meeting:  # which takes less than finding the topics
        return False
    has_topics = any(one.title and not one.is_procedure for one in meeting.topics)
    return has_topics or meeting.has_outcomes
