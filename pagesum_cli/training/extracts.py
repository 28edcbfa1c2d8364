"""Documents as token ids, page by page, and which of their sentences say best what their authors' summaries say."""

import itertools
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..decoding.plan import can_be_said
from ..documents.records import Record
from ..evaluation.rouge import stem
from ..locality import cut
from ..locality.page import Pages
from ..marks import HEADING, place_marks
from ..tokenization import PageTokenizer

MAX_EXTRACT = 12
CLUSTER_SUMMARY = 200
"""Words of a cluster's summary that count: these are often as long as an article."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Piece:
    """A heading or sentence of a page.

    Attributes:
        mark: see ``pagesum_cli.marks``.
        ids: its tokens, ``uint16``.
        rank: how early it was chosen, 0 for the first; None for a sentence that was not chosen.
        worth: how much of it stands in the author's summary, 0 to 1; 0 for what cannot be said.
    """

    mark: int
    ids: np.ndarray
    rank: int | None = None
    worth: float = 0.0

    @property
    def is_heading(self) -> bool:
        return self.mark == HEADING


@dataclass(frozen=True)
class Extract:
    """One document: the place mark and the pieces of each page.

    Attributes:
        summary_tokens: of the author's summary, as far as it counts.
        source: the collection that it is from.
        is_titled: whether each page's first piece is its title.
    """

    id: str
    places: list[int]
    pages: list[list[Piece]]
    summary_tokens: int
    source: str = ""
    is_titled: bool = False


def extract(record: Record, tokenizer: PageTokenizer, locality: str, page_tokens: int, ends: Container[int]) -> Extract:
    """Cut a record as ``summarize`` does, and choose; ``ends`` as of :func:`pieces_of`."""
    pages = cut(
        record.documents,
        locality,
        count_tokens=tokenizer.count,
        page_tokens=page_tokens,
        special_tokens=tokenizer.special_tokens,
        title_tokens=tokenizer.title_tokens,
    )
    places = place_marks([page.source for page in pages.pages])
    return Extract(
        record.id,
        places,
        pieces_of(record, pages, tokenizer, ends),
        sum(tokenizer.count([summary_of(record)])),
        str(record.extra.get("source", "")),
        all(page.title for page in pages.pages),
    )


def pieces_of(record: Record, pages: Pages, tokenizer: PageTokenizer, ends: Container[int]) -> list[list[Piece]]:
    """What stands on a record's pages, and what of it was chosen.

    Args:
        record, pages, tokenizer: the document, how it was cut, and what makes token ids of it.
        ends: tokens that close a sentence; what cannot be said is not chosen.
    """
    summary = summary_of(record)
    texts = [one.text for page in pages.pages for one in page.sentences if not one.is_heading]
    found = [
        [Piece(mark, np.array(ids, dtype=np.uint16)) for mark, ids in pieces] for pieces in tokenizer.pieces(pages)
    ]
    fit = [can_be_said(one.ids.tolist(), ends) for pieces in found for one in pieces if not one.is_heading]
    ranks = {number: rank for rank, number in enumerate(choose(texts, summary, fit))}
    wanted = _grams(summary)
    numbers = itertools.count()

    def judged(piece: Piece) -> Piece:
        if piece.is_heading:
            return piece
        number = next(numbers)
        return replace(piece, rank=ranks.get(number), worth=fit[number] * worth(texts[number], wanted))

    return [[judged(piece) for piece in pieces] for pieces in found]


def summary_of(record: Record) -> str:
    """The author's summary, as far as it counts."""
    words = record.summary.split()
    return " ".join(words[:CLUSTER_SUMMARY]) if len(record.documents) > 1 else record.summary


def salience_of(pages: Sequence[Sequence[Piece]]) -> list[tuple[int, int, float, float]]:
    """What a judge is to say of each sentence: page, place of its mark, whether it was chosen, its worth.

    Args:
        pages: what stands on them, behind two tokens: the start and the page's place.
    """
    judged = []
    for row, pieces in enumerate(pages):
        place = 2
        for one in pieces:
            if not one.is_heading:
                judged.append((row, place, float(one.rank is not None), one.worth))
            place += 1 + len(one.ids)
    return judged


def worth(sentence: str, wanted: set[Any]) -> float:
    """How much of a sentence stands in a summary: mostly its pairs of words, a little its single words."""
    grams = _grams(sentence)
    pairs = {gram for gram in grams if isinstance(gram, tuple)}
    words = grams - pairs
    shares = [len(some & wanted) / max(len(some), 1) for some in (pairs, words)]
    return float(np.clip(2 * shares[0] + 0.5 * shares[1] - 0.1, 0, 1))


def choose(sentences: Sequence[str], summary: str, fit: Sequence[bool] | None = None) -> list[int]:
    """The sentences that together have the highest ROUGE-1 + ROUGE-2 (F, of sets of stems) with the summary, greedily.

    Sentences of fewer than 6 words are left out, because they say nothing alone, and those that are not ``fit``.
    """
    known: dict[Any, int] = {}
    wanted = _grams(summary)
    for gram in wanted:
        known.setdefault(gram, len(known))
    is_pair = np.array([isinstance(gram, tuple) for gram in known], dtype=bool)
    hits = np.zeros((len(sentences), len(known)), dtype=bool)
    sizes = np.zeros((len(sentences), 2))
    for number, sentence in enumerate(sentences):
        if len(_WORD.findall(sentence)) < 6 or (fit is not None and not fit[number]):
            sizes[number] = np.inf
            continue
        grams = _grams(sentence)
        hits[number, [known[gram] for gram in grams if gram in known]] = True
        pairs = sum(isinstance(gram, tuple) for gram in grams)
        sizes[number] = len(grams) - pairs, pairs
    whole = np.array([(~is_pair).sum(), is_pair.sum()])
    chosen: list[int] = []
    covered = np.zeros(len(known), dtype=bool)
    size, best = np.zeros(2), 0.0
    while len(chosen) < MAX_EXTRACT:
        union = hits | covered
        found = np.stack([(union & ~is_pair).sum(1), (union & is_pair).sum(1)], axis=1)
        scores = (2 * found / (sizes + size + whole)).sum(1)
        scores[chosen] = 0
        top = int(scores.argmax()) if len(scores) else 0
        if not len(scores) or scores[top] <= best:
            break
        best = scores[top]
        chosen.append(top)
        covered |= hits[top]
        size = size + sizes[top]
    return chosen


def _grams(text: str) -> set[Any]:
    """Single words and pairs, compared as ROUGE does, but of any alphabet."""
    words = [stem(word) if len(word) > 3 else word for word in _WORD.findall(text.lower())]
    return {*words, *itertools.pairwise(words)}
