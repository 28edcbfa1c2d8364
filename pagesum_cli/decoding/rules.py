"""Rules about the next token, applied to scores before the search chooses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from .scorer import Hypotheses

NEVER = float("-inf")


Rule = Callable[[Hypotheses, Tensor, Mapping[str, Tensor]], None]
"""Called with hypotheses, the scores ``(B, K, V')`` of their next tokens, which it changes in
place, and a trace.

A rule may read a trace by its name: hypotheses have those of the steps that chose them, and the one
given is that of the step that computed the scores, ``(B, K, …)`` each.
"""


@dataclass(frozen=True)
class NoRepeatNgram:
    """No n-gram twice in a summary, the start token counted, unless this would leave a hypothesis
    without any token.
    """

    size: int  # n; 0 for no such rule
    unblocked: tuple[int, ...] = ()  # N-grams with one of these tokens may repeat
    # Block an n-gram only if an earlier sentence has it; the ``unblocked`` tokens end sentences
    between_sentences: bool = False

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        if not 0 < self.size <= hypotheses.length:
            return
        tokens, repeats = self._ngrams(hypotheses.prefixes)
        before = scores.gather(-1, tokens)
        scores.scatter_reduce_(
            -1, tokens, torch.where(repeats, NEVER, -NEVER).to(scores.dtype), "amin"
        )
        has_none = scores.amax(-1, keepdim=True) == NEVER
        scores.scatter_(-1, tokens, torch.where(has_none, before, scores.gather(-1, tokens)))

    def _ngrams(self, prefixes: Tensor) -> tuple[Tensor, Tensor]:
        """The last token of each n-gram of the prefixes ``(B, K, length)``, and whether it would
        repeat it as the next.

        Both are ``(B, K, length - n + 1)``. A sentence ends with an unblocked token, so none of its
        n-grams reaches into the next one.
        """
        ngrams = prefixes.unfold(2, self.size, 1)  # (B, K, length - n + 1, n)
        context = prefixes[:, :, prefixes.shape[2] - self.size + 1 :]  # (B, K, n - 1)
        repeats = (ngrams[..., :-1] == context[:, :, None]).all(-1)
        if self.unblocked:
            # (B, K, length)
            exempt = torch.isin(prefixes, torch.tensor(self.unblocked, device=prefixes.device))
            repeats &= ~exempt.unfold(2, self.size, 1).any(-1)
            if self.between_sentences:
                sentence = exempt.cumsum(2)  # (B, K, length): how many have ended
                repeats &= sentence[..., self.size - 1 :] < sentence[..., -1:]
        return ngrams[..., -1], repeats


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

    ``cov_j`` is the attention on source position ``j`` summed over all steps so far, this one
    included. Each step subtracts by how much the penalty grows, so a hypothesis' sum of log
    probabilities always carries the penalty of its own coverage. All tokens of a step have the
    same: it changes which hypotheses a beam search keeps, nothing else.
    """

    # name of the trace that holds the attention ``(B, K, L)``, 0 at padding
    trace: ClassVar[str] = "attention"

    strength: float  # β

    def __call__(self, hypotheses: Hypotheses, scores: Tensor, trace: Mapping[str, Tensor]) -> None:
        attention = trace[self.trace].float()  # (B, K, L)
        past = hypotheses.traces.get(self.trace)
        coverage = (
            torch.zeros_like(attention)
            if past is None
            else past[:, :, : hypotheses.length - 1].float().sum(2)
        )
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
