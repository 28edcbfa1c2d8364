"""The summary of a meeting: what was decided under each topic of its minutes."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import inf
from operator import itemgetter

from ..documents.article.names import bare_name
from ..documents.model import Document, Section
from ..locality.flow import Page, Pages
from ..options import GenerationOptions
from ..summary.summary import Summary, SummaryParagraph
from .points import Place, Point, points_of
from .rules import decides, has_tasks, is_decision, is_minutes, is_procedure, is_said_by, is_speech

SAID = 3  # sentences of minutes that hold only what was said
NAMED = 12  # maximum number of topics that are named without a sentence
# maximum number of sentences of a topic, and of notes for each one that is no decision
SENTENCES, NOTES = 3, 8
UNDECIDED = "no decision, vote or action was found in the minutes: the quotes are notes"
TOLERANCE = 1.1  # share of a number of words that is not exceeded


class Minutes:
    """Chooses the sentences of the summary of minutes."""

    def __init__(self, document: Document, options: GenerationOptions) -> None:
        self._document, self._options = document, options
        self._topics = _topics(document)
        self._is_decided = True

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        points = points_of(pages, scores, {}, [self._document.title])
        decisions, notes = self._decisions_and_notes(pages, points)
        self._is_decided = bool(decisions)
        counts = Counter(point.group for point in notes)
        chosen = _Chosen(self._options)
        for point in _best_first(decisions):
            chosen.add(point, SENTENCES)
        for point in _best_first(notes):
            chosen.add(point, min(SENTENCES, 1 + counts[point.group] // NOTES))
        return sorted(point.place for point in chosen.points or _best_first(points)[:SAID])

    def _decisions_and_notes(
        self, pages: Pages, points: Sequence[Point]
    ) -> tuple[list[Point], list[Point]]:
        """The sentences that tell what was decided, and others that stand alone, each with the
        number of its topic as its group; not what somebody said.
        """
        said = {(number, place) for number, page in enumerate(pages.pages) for place in _said(page)}
        kinds: dict[str, list[Point]] = {"decision": [], "note": []}
        for point in points:
            item = pages.pages[point.place[0]].sentences[point.place[1]]
            topic = self._topic(item.start)
            kind = _kind_of(point, bare_name(item.heading), is_said=point.place in said)
            if self._topics[topic][1] and kind is not None:
                kinds[kind].append(replace(point, group=topic))
        return kinds["decision"], kinds["note"]

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences under their topics; the topics without one are named
        if they are few.
        """
        text = [sentence.source.start if sentence.source else 0 for sentence in summary.sentences]
        groups = groupby(range(len(text)), lambda number: self._topic(text[number]))
        told = {topic: tuple(numbers) for topic, numbers in groups}
        if not self._is_decided:
            summary = replace(summary, notes=(*summary.notes, UNDECIDED))
        return summary.in_paragraphs(
            SummaryParagraph(self._topics[topic][1], told.get(topic, ()))
            for topic in sorted({*told, *self._named(told)})
        )

    def _named(self, told: Mapping[int, tuple[int, ...]]) -> list[int]:
        """The topics without a sentence that are named."""
        others = [n for n, (_, name) in enumerate(self._topics) if name and n not in told]
        is_open = self._options.words is self._options.sentences is None
        return others if is_open and len(others) <= NAMED else []

    def _topic(self, offset: int) -> int:
        return bisect_right(self._topics, offset, key=itemgetter(0)) - 1


class _Chosen:
    """Sentences within a number of words and sentences that was asked for."""

    def __init__(self, options: GenerationOptions) -> None:
        self.points: list[Point] = []
        self._words = (options.words or inf) * TOLERANCE
        self._sentences = options.sentences or inf

    def add(self, point: Point, most: float) -> None:
        """Add a sentence that fits, unless its topic has so many, or one that says the same."""
        same = [one for one in self.points if one.group == point.group]
        fits = self._sentences > 0 and point.words <= self._words
        if fits and len(same) < most and not point.repeats(same):
            self.points.append(point)
            self._words -= point.words
            self._sentences -= 1


def _kind_of(point: Point, heading: str, *, is_said: bool) -> str | None:
    """Whether a sentence of minutes is a ``decision`` or a ``note``; None for what is only said."""
    if has_tasks(heading) and not is_speech(point.text.partition(":")[0]):
        return "decision"
    if is_said or is_speech(point.text):
        return None
    if decides(heading) or is_decision(point.text):
        return "decision"
    return "note" if point.stands else None


def _best_first(points: Iterable[Point]) -> list[Point]:
    return sorted(points, key=lambda one: -one.score)


def are_minutes(documents: Sequence[Document]) -> bool:
    """Whether there is one document, minutes of a meeting by its title or first headings, with
    topics.
    """
    titles = [
        title
        for one in documents
        for title in (one.title, *(part.heading for part in one.sections[:2]))
    ]
    return (
        len(documents) == 1
        and any(map(is_minutes, titles))
        and any(name for _, name in _topics(documents[0]))
    )


def _topics(document: Document) -> list[tuple[int, str]]:
    """The offset and the title of each topic, in order; the title is empty for what is none.

    Topics are what sections with decisions stand under; where there are none, all sections with
    text.
    """
    pairs = zip(document.starts, document.sections, strict=True)
    headed = [(start, section) for start, section in pairs if section.heading]
    levels = _levels_above_decisions([section for _, section in headed])
    topics = [(0, "")]
    for start, section in headed:
        name = bare_name(section.heading)
        if section.level <= max(levels, default=inf) and not decides(name):
            is_topic = (section.level in levels or section.paragraphs) and not is_procedure(name)
            topics.append((start, name if is_topic else ""))
    return topics


def _levels_above_decisions(sections: Sequence[Section]) -> set[int]:
    """The levels of the sections that hold a section with what was decided."""
    levels, above = set[int](), list[int]()
    for section in sections:
        while above and above[-1] >= section.level:
            above.pop()
        if decides(bare_name(section.heading)):
            levels.update(above[-1:])
        above.append(section.level)
    return levels


def _said(page: Page) -> Iterator[int]:
    """The numbers of the sentences that somebody says: those of paragraphs that begin with a
    name.
    """
    is_said, end = False, -1
    for number, sentence in enumerate(page.sentences):
        goes_on = is_said and 0 <= sentence.start - end <= 1
        is_said = (
            goes_on
            or bool(sentence.speaker)
            or (is_said_by(sentence.text) and not is_decision(sentence.text))
        )
        end = sentence.end
        if is_said:
            yield number
