"""The answers to a question, from a store of passages."""

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath

from ..documents.model import Document
from ..documents.written import written_on
from ..errors import UsageError
from ..text.words import words_of
from .forms import is_pointer
from .lacking import words_lacking
from .numbers import Number, numbers_of
from .others import form_by_place
from .passages import Passage, passages_of
from .questions import Question
from .rows import numbers_of_row
from .scoring import scores
from .store import Entry, Store
from .tolls import tolls_first
from .values import values_of

DOUBTFUL = 0.3
"""Share of the words of a question, weighted by rarity, below which it is doubtful that a passage
is about it."""

_DAY = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")
PARTIAL = 0.6  # share of these words up to which no passage has all that is asked
FROM_ONE = 2  # rows of a document that may come before the best of another one
FAR_BETTER = 2.0  # times the score of another document's best, which does not come before it


@dataclass(frozen=True)
class Answer:
    """A passage that answers a question, with its place."""

    passage: Passage
    score: float  # 0–1, 1 for the best
    content: str  # of the document, see :meth:`Store.add`
    number: int  # of the document among those of its content
    document: str  # its name, when it was read
    read_as: (
        str  # the name of its file at that time, which another file of this content may not have
    )
    numbers: tuple[Number, ...]
    asked: tuple[Number, ...]  # those of the kind that the question needs; all if there is none
    around: tuple[str, str]  # the passages before and after it; empty at the ends of a document


@dataclass(frozen=True)
class Answers:
    """What was found, best first."""

    question: str
    answers: tuple[Answer, ...]
    number: int  # of passages that may answer, those beyond the limit counted
    is_doubtful: bool  # whether few words of the question occur in any passage
    asks_for_numbers: bool  # whether the question asks for a quantity
    is_partial: bool = False  # whether no passage has most words of the question
    lacking: tuple[str, ...] = ()  # words that are not near any answer of the kind asked for


def add_documents(store: Store, content: str, documents: Sequence[Document]) -> None:
    """Keep the passages of the documents that a content was read to."""
    kept = (
        (json.dumps(_described(one)), [passage.entry for passage in passages_of(one)])
        for one in documents
    )
    store.add(content, kept)


def _described(document: Document) -> dict[str, str]:
    file = PurePath(document.source).name
    written = written_on(document) or _day_in(file)
    described = {"name": document.name, "title": document.title, "file": file}
    return described | ({"date": written.isoformat()} if written else {})


def _day_in(name: str) -> date | None:
    """The day in the name of a file, 2025-06-21; nothing if it has none."""
    match = _DAY.search(name)
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None


def check_question(question: str) -> None:
    """Refuse a question without a word."""
    if not words_of(question):
        raise UsageError("expected a question or topic, found no word", "name what to search for")


def find(question: str, store: Store, contents: Sequence[str], limit: int | None) -> Answers:
    """The passages of some contents that answer a question.

    Raises:
        UsageError: The question has no word.
    """
    check_question(question)
    asked = Question.of(question)
    found, covered = scores(asked, store, len(store.ask(contents)))
    ordered = tolls_first(asked, store, found, mixed(found, store.documents()))
    answers = tuple(_answers(asked, store, found, ordered[:limit]))
    is_doubtful, is_partial = covered < DOUBTFUL, DOUBTFUL <= covered < PARTIAL
    lacking = words_lacking(asked, store, found, covered)
    return Answers(
        question, answers, len(ordered), is_doubtful, asked.asks_for_numbers, is_partial, lacking
    )


def mixed(scores: Mapping[int, float], documents: Mapping[int, Hashable]) -> list[int]:
    """Passages, best first, but the best of each document before the third of another, unless that
    is :data:`FAR_BETTER`.
    """
    ordered = sorted(scores, key=lambda one: (-scores[one], one))
    bests = list({documents[one]: one for one in reversed(ordered)}.values())
    bests.sort(key=ordered.index)
    shown: Counter[Hashable] = Counter()
    rows: dict[int, None] = {}
    for one in ordered:
        if shown[documents[one]] >= FROM_ONE:
            near = [best for best in bests if scores[best] * FAR_BETTER > scores[one]]
            rows.update(dict.fromkeys(near))
        shown[documents[one]] += 1
        rows[one] = None
    return list(rows)


def _answers(
    question: Question, store: Store, found: dict[int, float], passages: Sequence[int]
) -> Iterator[Answer]:
    for one in passages:
        content, number, document, data = store.place(one)
        passage = Passage.from_data(data)
        known = json.loads(document)
        score, numbers = round(found[one], 3), numbers_of_row(passage.text, passage.heads)
        opening = numbers_of(passage.opening)
        asked, around = question.fitting(numbers, opening), store.around(one)
        yield Answer(
            passage,
            score,
            content,
            number,
            known["name"],
            known["file"],
            numbers,
            asked,
            around,
        )


def relevance(question: str, sentences: Sequence[tuple[str, str]]) -> tuple[list[float], float]:
    """How well each of some sentences in order answers a question, 1 for the best, 0 for those that
    do not; and the largest share of the question that a sentence covers.

    Args:
        question: The question or topic.
        sentences: The heading and the text of each.
    """
    store = Store()
    entries = [
        Entry(text, heading, values=values_of(text), form=form_by_place(text, heading))
        for heading, text in sentences
    ]
    store.add("", [("", entries)])
    passages = store.ask([""])
    found, covered = scores(Question.of(question), store, len(passages))
    store.close()
    return [
        0.0 if is_pointer(text) else found.get(one, 0.0)
        for one, (_, text) in zip(passages, sentences, strict=True)
    ], covered
