"""Rules about the next token, applied to scores before the search chooses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import torch
from torch import Tensor

from .scorer import Hypotheses

NEVER = float("-inf")


class Rule(Protocol):
    """Changes the scores of next tokens. A rule may read a trace by its name, of the step or of the hypotheses."""

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        """Change the ``scores`` ``(B, K, V')`` of the next token in place.

        ``hypotheses`` have the traces of the steps that chose them, ``trace`` is that of the step that computed the
        scores, ``(B, K, …)`` each.
        """
        ...


@dataclass(frozen=True)
class NoRepeatNgram:
    """No n-gram twice in a summary, the start token counted, unless this would leave a hypothesis without any token."""

    size: int  # n; 0 for no such rule
    unblocked: tuple[int, ...] = ()  # N-grams with one of these tokens may repeat
    # Block an n-gram only if an earlier sentence has it; the ``unblocked`` tokens end sentences
    between_sentences: bool = False

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        prefixes = hypotheses.prefixes.flatten(0, 1)
        if 0 < self.size <= prefixes.shape[1]:
            banned = repeated_ngrams(prefixes, self.size, scores.shape[-1], self.unblocked, self.between_sentences)
            banned = banned.view_as(scores)
            banned &= (~banned & (scores > NEVER)).any(-1, keepdim=True)
            scores.masked_fill_(banned, NEVER)


@dataclass(frozen=True)
class MinLength:
    """No end token while a prefix (start token counted) is shorter than this."""

    length: int
    eos_token_id: int

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        if hypotheses.length < self.length:
            scores[..., self.eos_token_id] = NEVER


@dataclass(frozen=True)
class ForcedToken:
    """The token that must follow a prefix of this length; its score is 0."""

    length: int
    token_id: int

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        if hypotheses.length == self.length:
            scores.fill_(NEVER)
            scores[..., self.token_id] = 0.0


@dataclass(frozen=True)
class CoveragePenalty:
    """Subtracts β Σ_j (max(cov_j, 1) - 1), OpenNMT's "summary" coverage penalty applied stepwise.

    ``cov_j`` is the attention on source position ``j`` summed over all steps so far, this one included. Each step
    subtracts by how much the penalty grows, so a hypothesis' sum of log probabilities always carries the penalty of its
    own coverage. All tokens of a step have the same: it changes which hypotheses a beam search keeps, nothing else.
    """

    trace: ClassVar[str] = "attention"  # name of the trace that holds the attention ``(B, K, L)``, 0 at padding

    strength: float  # β

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        attention = trace[self.trace].float()  # (B, K, L)
        past = hypotheses.traces.get(self.trace)
        coverage = torch.zeros_like(attention) if past is None else past[:, :, : hypotheses.length - 1].float().sum(2)
        growth = _excess(coverage + attention) - _excess(coverage)  # (B, K)
        scores -= self.strength * growth[..., None]


def _excess(coverage: Tensor) -> Tensor:
    """Σ_j (max(cov_j, 1) - 1) of ``(…, L)``; the number of source positions need not be known."""
    return (coverage - 1).relu().sum(-1)


def standard_rules(
    max_length: int,
    min_length: int,
    no_repeat_ngram_size: int,
    eos_token_id: int,
    forced_bos_token_id: int | None = None,
    forced_eos_token_id: int | None = None,
    *,
    unblocked_token_ids: Sequence[int] = (),
    between_sentences: bool = False,
    coverage_penalty: float = 0.0,
) -> list[Rule]:
    """Build the rules, see there; the penalty comes last, so that forced tokens carry it too."""
    blocking = NoRepeatNgram(no_repeat_ngram_size, tuple(unblocked_token_ids), between_sentences)
    rules: list[Rule] = [MinLength(min_length, eos_token_id), blocking]
    if forced_bos_token_id is not None:
        rules.append(ForcedToken(1, forced_bos_token_id))
    if forced_eos_token_id is not None:
        rules.append(ForcedToken(max_length - 1, forced_eos_token_id))
    if coverage_penalty:
        rules.append(CoveragePenalty(coverage_penalty))
    return rules


def repeated_ngrams(
    prefixes: Tensor, size: int, vocabulary: int, unblocked: Sequence[int] = (), between_sentences: bool = False
) -> Tensor:
    """The tokens ``(R, V)`` that would complete an n-gram (n: ``size``) already in the prefix ``(R, length)``.

    N-grams with an unblocked token may repeat. ``between_sentences``: only n-grams of sentences that have ended count.
    A sentence ends with an unblocked token, so none of its n-grams reaches into the next one.
    """
    ngrams = prefixes.unfold(1, size, 1)  # (R, length - size + 1, size)
    context = prefixes[:, prefixes.shape[1] - size + 1 :]  # (R, size - 1)
    matches = (ngrams[:, :, :-1] == context[:, None]).all(-1)
    if unblocked:
        exempt = torch.isin(prefixes, torch.tensor(unblocked, device=prefixes.device))  # (R, length)
        matches &= ~exempt.unfold(1, size, 1).any(-1)
        if between_sentences:
            sentence = exempt.cumsum(1)  # (R, length): how many have ended
            matches &= sentence[:, size - 1 :] < sentence[:, -1:]
    last = torch.where(matches, ngrams[:, :, -1], vocabulary)
    banned = torch.zeros(prefixes.shape[0], vocabulary + 1, dtype=torch.bool, device=prefixes.device)
    return banned.scatter_(1, last, True)[:, :vocabulary]
