"""Several files about one event, as news articles are: they have one text, in the order of their
dates.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from ..documents.model import Document
from ..documents.written import date_in
from ..summary.summary import Summary, SummarySentence
from ..text.tables import patterns
from ..text.words import words_of
from .clauses import has_clauses, kinds_of
from .names import beginning_of, main_names
from .papers import in_sections, is_paper, under_headings
from .subjects import vectors_of

WORDS = 3000  # maximum words of an article
HEADINGS = 4  # maximum sections of an article that have a heading
DAYS = 31  # between the first and the last article on one event, at most
SHARED = 0.05
"""Cosine of two articles that at least half of the pairs of articles on one event exceed.

Of 170 sets of four or seven articles on one event (ECB+), the lowest median is 0.061; of 200 sets
of articles on different events, the highest is 0.030; and of 189 sets of three on one event and
three on another, 95 % are below 0.05.
"""
SHARED_LONG = 0.14
"""The same for articles of more days, which must also have their main names in common: what came of
an event months later.

Articles of one magazine on one wreck over one to twenty months have 0.17 to 0.23.
"""

YEAR = 330  # days from which on articles are on another event of the kind: the flood of each spring

_FORMS = patterns(__file__, "events.toml")


def are_news(documents: Sequence[Document]) -> bool:
    """Whether most of several files are news articles."""
    return 2 * sum(map(_is_article, documents)) > len(documents)


def are_alike(documents: Sequence[Document], share: float = SHARED) -> bool:
    """Whether at least half of the pairs of several articles are as similar as those on one
    event.
    """
    origins = " ".join(document.origin for document in documents)
    vectors = vectors_of([document.text for document in documents], words_of(origins))
    pairs = [vectors.similarities(number)[:number] for number in range(len(documents))]
    return float(np.median(np.concatenate(pairs))) >= share


def are_of_one_event(documents: Sequence[Document]) -> bool:
    """Whether several files are news articles on one event: alike in their words, of near dates, or
    of any with more words and names in common.
    """
    if len(documents) < 2 or not are_news(documents):
        return False
    days = _days_between(documents)
    if days <= DAYS:
        return are_alike(documents)
    is_long = days < YEAR and bool(main_names(documents))
    return is_long and are_alike(documents, SHARED_LONG)


def by_day(documents: Sequence[Document]) -> list[str]:
    """The names of files in the order of the days on which they were written, if all are known."""
    days = [date_in(document.origin) for document in documents]
    known = [day for day in days if day]
    order = list(range(len(days)))
    if len(known) == len(days):
        order.sort(key=lambda number: known[number])
    return [documents[number].name for number in order]


def arranged(summary: Summary, documents: Sequence[Document], *, brief: bool) -> Summary:
    """A summary of quotes with the paragraphs that its documents ask for: under headings if it is
    to be brief, none for several files about one event, and those of its clauses for a document of
    clauses.
    """
    if brief and not _has_clauses_quoted(summary, documents):
        return under_headings(summary, documents, titled=True)
    if are_of_one_event(documents):
        return as_one_text(summary, documents)
    return in_sections(summary, documents)


def _has_clauses_quoted(summary: Summary, documents: Sequence[Document]) -> bool:
    """Whether quotes are clauses of a document of these, which are marked as such."""
    is_bound = len(documents) == 1 and has_clauses(documents[0]) and not is_paper(documents)
    return is_bound and any(kinds_of(one.text) for one in summary.sentences)


def as_one_text(summary: Summary, documents: Sequence[Document]) -> Summary:
    """A summary of quotes without headings, in the order of the files' dates."""

    def file_of(sentence: SummarySentence) -> str:
        return sentence.source.file if sentence.source else ""

    places = {name: number for number, name in enumerate(by_day(documents))}
    runs = [list(run) for _, run in groupby(summary.sentences, key=file_of)]
    runs.sort(key=lambda run: places.get(file_of(run[0]), -1))
    sentences = tuple(sentence for run in runs for sentence in run)
    text = " ".join(one.shown for one in sentences)
    return replace(summary, sentences=sentences, text=text)


def _is_article(document: Document) -> bool:
    """Whether a file is as short as an article and says, in its beginning, when it happened."""
    headings = sum(bool(section.heading) for section in document.sections)
    is_short = headings <= HEADINGS and len(document.text.split()) <= WORDS
    if not is_short or is_paper([document]):
        return False
    is_dated = date_in(document.origin) is not None
    return is_dated or _FORMS["days"].search(beginning_of(document)) is not None


def _days_between(documents: Sequence[Document]) -> int:
    """How many days lie between the first and the last known date of files; 0 without dates."""
    days = [day for document in documents if (day := date_in(document.origin))]
    return (max(days) - min(days)).days if days else 0
