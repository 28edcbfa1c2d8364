"""The summary of a meeting: what was decided under each topic of its minutes."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf

from ..documents.model import Document, Sentence
from ..documents.written import date_in, day_of
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..summary.openings import with_openings
from ..summary.summary import LeadIn, Outcome, Summary, SummaryParagraph, SummarySentence
from ..text.tables import table
from .meeting import Meeting, is_about_people, outcomes_in
from .points import Place, Point, points_of
from .rules import is_said_by, is_speech

SAID = 3  # sentences of minutes that hold nothing else, and no titles
NAMED = 12  # maximum number of topics that are named without a sentence
# maximum number of notes on a topic that records nothing, and sentences for each further one
NOTES, NOTES_EACH = 3, 8
BARE = 3  # words of a verdict that says nothing without the sentence before it: "Approved."
SUBJECT = 45  # words of the beginning of an item that say what is decided about
UNDECIDED = "no decision, vote or action was found in the minutes: the quotes are notes"
UNDECIDED_TALK = (
    "no decision, vote or action was found in the transcript: the quotes are what was said"
)
TOLERANCE = 1.1  # share of a number of words that is not exceeded


class Minutes:
    """Chooses the sentences of the summary of minutes: all that record something, under their
    topics; of a topic without one, notes that can be understood alone.

    Args:
        document: The minutes.
        options: How long the summary is.
        kinds: The kinds of outcomes that are asked for; all, and notes, if there are none.
    """

    def __init__(
        self, document: Document, options: GenerationOptions, kinds: Collection[str] = ()
    ) -> None:
        self._document, self.options, self._kinds = document, options, kinds
        self._meeting = Meeting(document)
        self._outcomes: dict[int, Outcome] = {}  # by the offsets of their sentences

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        recorded = self._recorded(pages)
        unscored = dict.fromkeys(recorded, 0.0)
        points = self._points(pages, {**unscored, **scores})
        outcomes = [one for one in points if one.place in recorded]
        notes = [] if self._kinds else self._notes(pages, points, recorded)
        chosen = self._chosen(outcomes, notes)
        titles = self._titles(pages) if not chosen else []
        return titles or _with_subjects(pages, chosen or _best_first(points)[:SAID])

    def _notes(
        self, pages: Pages, points: Sequence[Point], recorded: Collection[Place]
    ) -> list[Point]:
        """The sentences that record nothing and can be notes."""
        others = (one for one in points if one.place not in recorded)
        return [one for one in others if self._is_note(pages, one)]

    def _points(self, pages: Pages, scores: Mapping[Place, float]) -> list[Point]:
        """The sentences, each with the number of its topic as its group."""
        return [
            replace(one, group=self._meeting.topic(_at(pages, one.place).start))
            for one in points_of(pages, scores, {}, [self._document.title])
        ]

    def _chosen(self, outcomes: Sequence[Point], notes: Sequence[Point]) -> list[Point]:
        """The outcomes, and notes on topics that have none or few, within the length."""
        chosen = _Chosen(self.options)
        for point in _best_first(outcomes):
            chosen.add(point, inf, may_repeat=True)
        counts = Counter(point.group for point in notes)
        for point in _best_first(notes):
            chosen.add(point, min(NOTES, 1 + counts[point.group] // NOTES_EACH))
        if self.options.words or self.options.sentences:  # to reach a given length
            for point in _best_first(notes):
                if point not in chosen.points:
                    chosen.add(point, inf)
        return chosen.points

    def _titles(self, pages: Pages) -> list[Place]:
        """The places of the topics' titles: of a meeting of which only talk is known, what it was
        about.
        """
        topics = [one for one in self._meeting.topics if one.title]
        subjects = [one for one in topics if not one.is_procedure] or topics
        starts = {one.start for one in subjects}
        places = [place for place in _places(pages) if _at(pages, place).start in starts]
        return places[: self.options.sentences]

    def _recorded(self, pages: Pages) -> set[Place]:
        """The places of the sentences that record something."""
        sentences = [one for page in pages.pages for one in page.sentences]
        places = list(_places(pages))
        found = outcomes_in(sentences)
        asked = {
            number: one
            for number, one in found.items()
            if not self._kinds or one.kind in self._kinds
        }
        self._outcomes = {sentences[number].start: one for number, one in asked.items()}
        return {places[number] for number in asked}

    def _is_note(self, pages: Pages, point: Point) -> bool:
        """Whether a sentence stands alone as a note on a subject: nobody says it, and it does not
        only list names.
        """
        item, topic = _at(pages, point.place), self._meeting.topics[point.group]
        is_subject = bool(topic.title) and not topic.is_procedure
        is_told = is_said_by(item.text) or bool(item.speaker) or is_speech(point.text)
        return is_subject and point.stands and not (is_told or is_about_people(item))

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences under their topics, with what each records; the
        topics without one are named if they are few.
        """
        starts = [sentence.source.start if sentence.source else 0 for sentence in summary.sentences]
        groups = groupby(range(len(starts)), lambda number: self._meeting.topic(starts[number]))
        told = {topic: tuple(numbers) for topic, numbers in groups}
        grouped = [[summary.sentences[number] for number in one] for one in told.values()]
        sentences = [one for group in grouped for one in self._under_title(group)]
        undecided = f"{self._document.name}: {UNDECIDED}"
        notes = summary.notes if self._outcomes else (*summary.notes, undecided)
        summary = replace(
            summary,
            sentences=tuple(sentences),
            notes=notes,
            participants=self._meeting.participants,
        )
        shown = sorted({*told, *self._named(told)})
        return summary.in_paragraphs(
            SummaryParagraph(self._title(topic, starts, told), told.get(topic, ()))
            for topic in shown
        )

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
        bare = [replace(_without(one, shown), outcome=self._outcome(one)) for one in sentences]
        return with_openings(bare, verbatim=bool(self.options.verbatim))

    def _outcome(self, sentence: SummarySentence) -> Outcome | None:
        """What a sentence records."""
        return self._outcomes.get(sentence.source.start) if sentence.source else None

    def _named(self, told: Mapping[int, tuple[int, ...]]) -> list[int]:
        """The topics without a sentence that are named."""
        others = [
            number
            for number, one in enumerate(self._meeting.topics)
            if one.title and not one.is_procedure and number not in told
        ]
        is_open = self.options.words is self.options.sentences is None
        return others if is_open and len(others) <= NAMED else []


def _without(sentence: SummarySentence, titles: Collection[int]) -> SummarySentence:
    """A sentence without the lead-ins at some offsets."""
    kept: LeadIn | None = None
    for one in sentence.lead_ins:
        if one.start not in titles:
            kept = replace(one, lead_in=kept)
    return replace(sentence, lead_in=kept)


def _with_subjects(pages: Pages, points: Sequence[Point]) -> list[Place]:
    """The places of sentences, and of what they are about, in order: the sentence before a bare
    verdict, and the beginning of the item that one ends.
    """
    bare = [one.place for one in points if one.words <= BARE]
    subjects = [_before(pages, place) for place in bare]
    subjects += [_beginning(pages, one.place) for one in points]
    return sorted({*(one.place for one in points), *filter(None, subjects)})


def _before(pages: Pages, place: Place) -> Place | None:
    """The place of the sentence before another one under its heading; None if there is none."""
    number, index = place
    if not index or pages.pages[number].sentences[index - 1].is_heading:
        return None
    return number, index - 1


def _beginning(pages: Pages, place: Place) -> Place | None:
    """The place of the first sentence of a numbered item, if it is short; None for other text."""
    number, index = place
    sentences = pages.pages[number].sentences
    label = sentences[index].label
    if not label[:1].isalnum():
        return None
    while index and sentences[index - 1].label == label:
        index -= 1
    is_short = len(sentences[index].text.split()) <= SUBJECT
    return (number, index) if is_short else None


def _places(pages: Pages) -> Iterator[Place]:
    for number, page in enumerate(pages.pages):
        yield from ((number, index) for index in range(len(page.sentences)))


def _at(pages: Pages, place: Place) -> Sentence:
    number, index = place
    return pages.pages[number].sentences[index]


class _Chosen:
    """Sentences within a number of words and sentences that was asked for."""

    def __init__(self, options: GenerationOptions) -> None:
        self.points: list[Point] = []
        self._words = (options.words or inf) * TOLERANCE
        self._sentences = options.sentences or inf

    def add(self, point: Point, most: float, *, may_repeat: bool = False) -> None:
        """Add a sentence that fits, unless its topic has so many, or one that says the same."""
        same = [one for one in self.points if one.group == point.group]
        fits = self._sentences > 0 and point.words <= self._words
        if fits and len(same) < most and (may_repeat or not point.repeats(same)):
            self.points.append(point)
            self._words -= point.words
            self._sentences -= 1


def _best_first(points: Iterable[Point]) -> list[Point]:
    return sorted(points, key=lambda one: -one.score)


def kinds_asked(question: str) -> frozenset[str]:
    """The kinds of outcomes that a question about minutes asks for: "Who has to do what?"."""
    forms = table(__file__, "outcomes.toml")["asked"]
    found = (kind for kind, form in forms.items() if re.search(rf"(?i)\b(?:{form})\b", question))
    return frozenset(found)


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
    meeting = Meeting(document)
    if not meeting.is_meeting:  # which takes less than finding the topics
        return False
    has_topics = any(one.title and not one.is_procedure for one in meeting.topics)
    return has_topics or meeting.has_outcomes
