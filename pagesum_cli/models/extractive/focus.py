"""How relevant each sentence is to a question or topic: what ``retrieval`` finds, and where no word
of it occurs, the mean embedding of the words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor

from ...documents.model import Sentence
from ...quoting.candidates import STUB, Candidate
from ...retrieval.find import DOUBTFUL, relevance
from ...tokenization import PageTokenizer

# A sentence less relevant than this share of the most relevant one is not relevant; one that only
# stands beside it is not
MIN_SHARE = 0.4

CENTRAL_SHARE = 0.5
"""A sentence of this relevance is selected even if it refers back to the sentence before; a less
relevant one is not quoted to fill a length."""

SHORT = 0.8  # share of the usual length; a shorter summary is reported as short

# weight of the relevance of 0 to 1, in standard deviations of the sentences' scores
FOCUS_WEIGHT = 10.0


class WordVectors:
    """The embeddings of words by those of their tokens."""

    def __init__(self, weight: Tensor, tokenizer: PageTokenizer) -> None:
        self.weight, self.tokenizer = weight, tokenizer
        self.center = weight.mean(0)

    def mean(self, tokens: Sequence[int]) -> Tensor:
        """The mean of some tokens ``(D,)``; of none, the center of all."""
        if not tokens:
            return self.center
        return self.weight[torch.tensor(tokens, device=self.weight.device)].mean(0)


def focused(
    candidates: Sequence[Candidate], sentences: Sequence[Sentence], focus: str, vectors: WordVectors
) -> tuple[list[Candidate], list[str]]:
    """Candidates scored by how relevant they are to a focus, and what is unusual about that."""
    shares, covered = relevance(focus, [(item.heading, item.text) for item in sentences])
    relevances = _shares(torch.tensor(shares))
    if not relevances.any():
        tokens = [
            vectors.tokenizer.encode(f" {focus}")[1:-1],
            *(item.tokens for item in candidates),
        ]
        means = torch.stack([vectors.mean(ids).float() for ids in tokens])
        relevances = relevance_by_meaning(means[0], means[1:]).cpu()
    scores = combined(relevances, torch.tensor([item.score for item in candidates])).tolist()
    found = [
        replace(
            item,
            score=score,
            level=item.level if share >= CENTRAL_SHARE else STUB,
            is_central=share >= CENTRAL_SHARE,
        )
        for item, score, share in zip(candidates, scores, relevances.tolist(), strict=True)
    ]
    return found, list(_notes(focus, covered))


def _notes(focus: str, covered: float) -> Iterator[str]:
    if not covered:
        yield (
            f"nothing in the document is about {focus!r}: the quotes are only similar in meaning"
        )
    elif covered < DOUBTFUL:
        yield (
            f"few words of the focus {focus!r} occur in a sentence: the quotes may be about "
            f"something else"
        )


def relevance_by_meaning(focus: Tensor, sentences: Tensor) -> Tensor:
    """Cosine of each sentence's mean embedding with that of the focus, both less the document's
    mean, ``(M,)``, 1 for the most relevant.
    """
    mean = sentences.mean(0)
    return _shares(F.cosine_similarity(sentences - mean, (focus - mean)[None]))


def combined(relevances: Tensor, scores: Tensor) -> Tensor:
    """Relevance first, and among equally relevant sentences the model's scores, ``(M,)``."""
    return FOCUS_WEIGHT * relevances + (scores - scores.mean()) / scores.std(correction=0).clamp(
        min=1e-6
    )


def _shares(relevances: Tensor) -> Tensor:
    if not len(relevances):
        return relevances
    shares = relevances.clamp(min=0) / relevances.max().clamp(min=1e-9)
    return shares * (shares >= MIN_SHARE)
