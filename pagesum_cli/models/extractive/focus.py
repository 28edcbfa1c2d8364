"""How relevant each sentence is to a question or topic: what ``retrieval`` finds, and where no word
of it occurs, the mean embedding of the words.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...documents.model import Sentence
from ...quoting.candidates import STUB, WHOLE, Candidate
from ...quoting.eligibility import Eligibility
from ...retrieval.find import DOUBTFUL, relevance
from ...retrieval.speakers import asked_speaker, of_speaker
from ...tokenization import PageTokenizer

Array = NDArray[np.float32]

# A sentence less relevant than this share of the most relevant one is not relevant; one that only
# stands beside it is not
MIN_SHARE = 0.4

CENTRAL_SHARE = 0.5
"""A sentence of this relevance is selected even if it refers back to the sentence before; a less
relevant one is not quoted to fill a length."""

AIM_SHARE = 0.3  # of its relevance that a document's aim has, which answers no other question

SHORT = 0.8  # share of the usual length; a shorter summary is reported as short

# weight of the relevance of 0 to 1, in standard deviations of the sentences' scores
FOCUS_WEIGHT = 10.0

TINY = 1e-8  # the least length that a vector is divided by


_QUESTION = re.compile(
    r"(?i)\s*(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|can)\b"
)
_BINDS = re.compile(r"(?i)\b(?:shall|guilty of|liable (?:to|for|upon))\b")
_ASKS_AIM = re.compile(
    r"(?i)\b(?:aim\w*|objectives?|purposes?|goals?|hypothes[ei]s|stud\w+|investigat\w+|about|why)\b"
)


class WordVectors:
    """The embeddings of words by those of their tokens.

    Args:
        rows: Gives the embeddings of tokens ``(n, D)``.
        center: Their mean over the vocabulary ``(D,)``.
        tokenizer: The model's.
    """

    def __init__(
        self, rows: Callable[[Sequence[int]], Array], center: Array, tokenizer: PageTokenizer
    ) -> None:
        self.rows, self.center, self.tokenizer = rows, center, tokenizer

    def mean(self, tokens: Sequence[int]) -> Array:
        """The mean of some tokens ``(D,)``; of none, the center of all."""
        return self.rows(tokens).mean(0) if len(tokens) else self.center


def _lengths(vectors: Array) -> Array:
    """The Euclidean length of each vector ``(n, D)``, ``(n, 1)``."""
    return np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)


def focused(
    candidates: Sequence[Candidate], sentences: Sequence[Sentence], focus: str, vectors: WordVectors
) -> tuple[list[Candidate], list[str]]:
    """Candidates scored by how relevant they are to a focus, and what is unusual about that."""
    shares, covered, is_subject = _relevance_of(sentences, focus)
    relevances = _shares(np.array(_without_aims(shares, sentences, focus), np.float32))
    if not relevances.any():
        tokens = [
            vectors.tokenizer.encode(f" {focus}")[1:-1],
            *(item.tokens for item in candidates),
        ]
        means = np.stack([vectors.mean(ids) for ids in tokens])
        relevances = relevance_by_meaning(means[0], means[1:])
    own = np.array([item.score for item in candidates], np.float32)
    scores = combined(relevances, own).tolist()
    found = [
        replace(
            _rated(item, sentence, share),
            score=score,
            is_central=is_subject and share >= CENTRAL_SHARE,
        )
        for item, sentence, score, share in zip(
            candidates, sentences, scores, relevances.tolist(), strict=True
        )
    ]
    return found, list(_notes(focus, covered))


def _rated(item: Candidate, sentence: Sentence, share: float) -> Candidate:
    """A candidate with its level: a stub if it is little relevant to a focus; of any length if it
    lays down what was asked for.
    """
    if share < CENTRAL_SHARE:
        return replace(item, level=STUB)
    binds = _BINDS.search(sentence.text) is not None
    return replace(item, binds=binds, level=WHOLE if binds and item.level < STUB else item.level)


def _relevance_of(sentences: Sequence[Sentence], focus: str) -> tuple[Sequence[float], float, bool]:
    """How relevant sentences are to a focus, the largest share of it that one covers, and whether
    it has a subject: it may name just a speaker.
    """
    speakers = [item.speaker for item in sentences]
    texts = [(item.heading, item.text) for item in sentences]
    asked = asked_speaker(focus, speakers)
    if asked is None:
        return *relevance(focus, texts), True
    if not asked.question:
        return of_speaker([0.0] * len(texts), speakers, asked), 1.0, False
    shares, covered = relevance(asked.question, texts)
    return of_speaker(shares, speakers, asked), covered, True


def _without_aims(
    shares: Sequence[float], sentences: Sequence[Sentence], focus: str
) -> Sequence[float]:
    """The relevances of sentences to a focus, less those of aims if it asks what came of them."""
    if not _QUESTION.match(focus) or _ASKS_AIM.search(focus):
        return shares
    return [
        share * AIM_SHARE if share and Eligibility.of(item.text).is_aim else share
        for share, item in zip(shares, sentences, strict=True)
    ]


def _notes(focus: str, covered: float) -> Iterator[str]:
    if not covered:
        yield (f"no sentence is about {focus!r}; the quotes are the closest in meaning")
    elif covered < DOUBTFUL:
        yield (
            f"few words of the focus {focus!r} occur in a sentence: the quotes may be about "
            f"something else"
        )


def relevance_by_meaning(focus: Array, sentences: Array) -> Array:
    """Cosine of each sentence's mean embedding with that of the focus, both less the document's
    mean, ``(M,)``, 1 for the most relevant.
    """
    mean = sentences.mean(0)
    topic, others = focus - mean, sentences - mean
    lengths = np.maximum(_lengths(others)[:, 0] * np.linalg.norm(topic), TINY)
    return _shares(others @ topic / lengths)


def combined(relevance: Array, scores: Array) -> Array:
    """Relevance first, and among equally relevant sentences the model's scores, ``(M,)``."""
    spread = max(float(scores.std()), 1e-6)
    own = (scores - scores.mean()) / spread
    return (FOCUS_WEIGHT * relevance + own).astype(np.float32)


def _shares(relevance: Array) -> Array:
    shares = relevance.clip(min=0) / max(float(relevance.max(initial=0)), 1e-9)
    return np.where(shares >= MIN_SHARE, shares, 0).astype(np.float32)
