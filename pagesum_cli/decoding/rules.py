"""Rules about the next token, applied to scores before the search chooses."""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from .scorer import Hypotheses

NEVER = float("-inf")


class Rule(Protocol):
    """Changes the scores of next tokens. A rule may read a trace of the hypotheses by its name."""

    def __call__(self, hypotheses: Hypotheses, scores: Tensor) -> None:
        """Change ``scores`` ``(B, K, V')`` in place."""
        ...


@dataclass(frozen=True)
class NoRepeatNgram:
    """No n-gram twice in a summary, the start token counted."""

    size: int

    def __call__(self, hypotheses: Hypotheses, scores: Tensor) -> None:
        prefixes = hypotheses.prefixes.flatten(0, 1)
        if 0 < self.size <= prefixes.shape[1]:
            banned = repeated_ngrams(prefixes, self.size, scores.shape[-1])
            scores.masked_fill_(banned.view_as(scores), NEVER)


@dataclass(frozen=True)
class MinLength:
    """No end token while a prefix (start token counted) is shorter than this."""

    length: int
    eos_token_id: int

    def __call__(self, hypotheses: Hypotheses, scores: Tensor) -> None:
        if hypotheses.length < self.length:
            scores[..., self.eos_token_id] = NEVER


@dataclass(frozen=True)
class ForcedToken:
    """The token that must follow a prefix of this length; its score is 0."""

    length: int
    token_id: int

    def __call__(self, hypotheses: Hypotheses, scores: Tensor) -> None:
        if hypotheses.length == self.length:
            scores.fill_(NEVER)
            scores[..., self.token_id] = 0.0


def standard_rules(
    max_length: int,
    min_length: int,
    no_repeat_ngram_size: int,
    eos_token_id: int,
    forced_bos_token_id: int | None = None,
    forced_eos_token_id: int | None = None,
) -> list[Rule]:
    """The usual rules in the original program's order: n-grams, minimum length, forced first and last token."""
    rules: list[Rule] = [NoRepeatNgram(no_repeat_ngram_size), MinLength(min_length, eos_token_id)]
    if forced_bos_token_id is not None:
        rules.append(ForcedToken(1, forced_bos_token_id))
    if forced_eos_token_id is not None:
        rules.append(ForcedToken(max_length - 1, forced_eos_token_id))
    return rules


def repeated_ngrams(prefixes: Tensor, size: int, vocabulary: int) -> Tensor:
    """The tokens ``(R, V)`` that would complete an n-gram already in the prefix ``(R, length)``."""
    ngrams = prefixes.unfold(1, size, 1)  # (R, length - size + 1, size)
    context = prefixes[:, prefixes.shape[1] - size + 1 :]  # (R, size - 1)
    matches = (ngrams[:, :, :-1] == context[:, None]).all(-1)
    last = torch.where(matches, ngrams[:, :, -1], vocabulary)
    banned = torch.zeros(prefixes.shape[0], vocabulary + 1, dtype=torch.bool, device=prefixes.device)
    return banned.scatter_(1, last, True)[:, :vocabulary]
