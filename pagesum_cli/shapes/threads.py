"""The summary of a thread of messages: what is asked, and what is answered."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from math import inf

from ..documents.model import Document, Sentence
from ..documents.written import date_in
from ..locality.flow import Pages
from ..options import GenerationOptions
from ..summary.summary import Summary, SummaryParagraph
from .lines import content_of
from .names import subject_of
from .points import Place

WORDS = {"short": 60, "medium": 150, "long": 300}  # of the summary, where no number is asked for
TOLERANCE = 1.1  # share of a number of words that is not exceeded
SHORT = 4  # words of a sentence that says nothing
POLITE = re.compile(r"(?i)\W*(?:thanks?|hi|hello|dear|hey|cheers|regards|best|sorry|please let)\b")


@dataclass(frozen=True)
class MessageSentence:
    """A sentence of a message."""

    place: Place
    sentence: Sentence
    score: float
    is_asked: bool

    @property
    def words(self) -> int:
        """Number of words."""
        return len(self.sentence.text.split())


class Thread:
    """Chooses the sentences of a thread's summary: the first question, what each message answers,
    and then what else is asked and said.
    """

    def __init__(self, documents: Sequence[Document], options: GenerationOptions) -> None:
        self._documents, self._options = _by_day(documents), options

    def choose(self, pages: Pages, scores: Mapping[Place, float]) -> list[Place]:
        """See ``PageSummarizer.quote``."""
        turns: list[list[MessageSentence]] = []
        ranks: list[float] = []
        asked: frozenset[str] = frozenset()
        for document in self._documents:
            said = _sentences_of(document.name, pages, scores)
            turns.append(_in_order(said, asked))
            asks_first = not asked and any(one.is_asked for one in said)
            ranks.append(inf if asks_first else _answered(turns[-1], asked))
            asked |= frozenset().union(*(_content(one) for one in said if one.is_asked))
        best = sorted(range(len(turns)), key=lambda number: -ranks[number])
        order = [document.name for document in self._documents]
        chosen = self._fitting([turns[number] for number in best])
        return sorted(
            (one.place for one in chosen),
            key=lambda place: (order.index(pages.pages[place[0]].source), place),
        )

    def _fitting(self, turns: Sequence[Sequence[MessageSentence]]) -> list[MessageSentence]:
        """The first sentence of each message, then the second ones, within the length."""
        words, sentences = self._most()
        chosen: list[MessageSentence] = []
        for turn in zip_longest(*turns):
            for one in filter(None, turn):
                if one.words <= words and sentences:
                    chosen.append(one)
                    words, sentences = words - one.words, sentences - 1
        return chosen or [one for turn in turns for one in turn][:1]

    def _most(self) -> tuple[float, float]:
        """How many words and sentences the summary may have."""
        options = self._options
        if options.words is not None:
            return options.words * TOLERANCE, options.sentences or inf
        if options.sentences is not None:
            return inf, options.sentences
        return WORDS[options.length or "medium"] * TOLERANCE, inf

    def titled(self, summary: Summary) -> Summary:
        """The summary of the chosen sentences, a paragraph for each message, under the subject."""
        groups: dict[str, list[int]] = {}
        for number, one in enumerate(summary.sentences):
            groups.setdefault(one.source.file if one.source else "", []).append(number)
        subject = subject_of(self._documents[0].title)
        paragraphs = [SummaryParagraph("", tuple(numbers)) for numbers in groups.values()]
        return summary.in_paragraphs([replace(paragraphs[0], title=subject), *paragraphs[1:]])


def _by_day(documents: Sequence[Document]) -> list[Document]:
    """Messages in the order of their days, if all have one; as they are given if no day contradicts
    that: clocks around the world differ by a day.
    """
    days = [day for one in documents if (day := date_in(one.origin))]
    is_ordered = all((before - after).days <= 1 for before, after in pairwise(days))
    if is_ordered or len(days) < len(documents):
        return list(documents)
    order = sorted(range(len(days)), key=lambda number: days[number])
    return [documents[number] for number in order]


def _sentences_of(name: str, pages: Pages, scores: Mapping[Place, float]) -> list[MessageSentence]:
    """The sentences of a message that say or ask something; all if none does."""
    found = [
        MessageSentence(
            place, sentence, scores.get(place, -inf), sentence.text.rstrip('"”’)* ').endswith("?")
        )
        for number, page in enumerate(pages.pages)
        if page.source == name
        for index, sentence in enumerate(page.sentences)
        if (place := (number, index)) and not sentence.is_heading
    ]
    return [one for one in found if _says_something(one)] or found


def _says_something(one: MessageSentence) -> bool:
    is_polite = POLITE.match(one.sentence.text) is not None
    return one.words >= SHORT and (one.is_asked or not is_polite)


def _in_order(said: Sequence[MessageSentence], asked: frozenset[str]) -> list[MessageSentence]:
    """The sentences of a message by what they are for its thread: of the first one, its question;
    of another one, what answers best, and its own question next.
    """
    questions = _best_first([one for one in said if one.is_asked])
    others = _best_first([one for one in said if not one.is_asked])
    answers = sorted(others, key=lambda one: -len(_content(one) & asked))
    if not asked:
        return [*questions[:1], *others[:1], *questions[1:], *others[1:]]
    return [*answers[:1], *questions[:1], *answers[1:], *questions[1:]]


def _answered(turn: Sequence[MessageSentence], asked: frozenset[str]) -> float:
    """How much of what was asked the first sentence of a message takes up."""
    return len(_content(turn[0]) & asked) if turn else 0.0


def _best_first(said: Sequence[MessageSentence]) -> list[MessageSentence]:
    return sorted(said, key=lambda one: -one.score)


def _content(one: MessageSentence) -> frozenset[str]:
    return content_of(one.sentence.text)
