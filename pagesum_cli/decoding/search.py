"""Greedy search, and beam search as the original program does it (Transformers 4.6.1), on all beams
at once.

Beam search differs from Transformers 5: a finished hypothesis scores ``sum / length **
length_penalty`` with a length that counts the start token and not the end token, and an end token
that ranks beyond the beams is not taken.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .rules import Rule
from .scorer import Hypotheses, OnStep, Scorer, SearchResult


def greedy_search(
    scorer: Scorer,
    start: Tensor,
    rules: Sequence[Rule],
    *,
    max_length: int,
    eos_token_id: int,
    pad_token_id: int,
    on_step: OnStep | None = None,
) -> SearchResult:
    """Take the best token at every step, by raw logits under the rules; scores are sums of log
    probabilities.
    """
    hypotheses = Hypotheses(start[:, None], max_length, pad_token_id)
    tokens = start
    running = torch.ones_like(start, dtype=torch.bool)
    sums = torch.zeros(start.shape, device=start.device)
    while hypotheses.length < max_length and bool(running.any()):
        step = scorer.step(tokens[:, None], None)
        scores = step.logits.float()  # (B, 1, V')
        for rule in rules:
            rule(hypotheses, scores, step.trace)
        best, tokens = scores[:, 0].max(dim=-1)
        sums += torch.where(running, best - scores[:, 0].logsumexp(-1), 0.0)
        tokens = torch.where(running, tokens, pad_token_id)
        trace = {
            name: values * running.view(-1, *[1] * (values.dim() - 1)).to(values.dtype)
            for name, values in step.trace.items()
        }
        hypotheses.append(tokens[:, None], trace)
        running &= tokens != eos_token_id
        if on_step is not None:
            on_step(hypotheses.length, max_length, tokens)
    traces = {
        name: values[:, 0, : hypotheses.length - 1] for name, values in hypotheses.traces.items()
    }
    return SearchResult(hypotheses.prefixes[:, 0], sums, traces)


EMPTY = float("-inf")
LOWEST = torch.finfo(torch.float64).min

LENGTH_NORMALIZATIONS: dict[str, Callable[[int, bool, float], float]] = {
    "power": lambda length, ended, exponent: length**exponent,
    "gnmt": lambda length, ended, exponent: ((5 + length + ended) / 6) ** exponent,
}
"""What a hypothesis' sum of log probabilities is divided by, from its number of tokens without an
end token (the start token counted), whether an end token follows, and the exponent α.

``power`` is ``length ** α``; the original program does not count the end token. ``gnmt`` is ``((5 +
length) / 6) ** α`` (Wu et al. 2016, eq. 14), in which OpenNMT 1.0 counts start and end token.
"""


class _Finished:
    def __init__(self, hypotheses: Hypotheses, pad_token_id: int) -> None:
        # Double precision, as the original divides Python numbers: near-ties must fall the same
        # way.
        shape, device = hypotheses.tokens.shape[:2], hypotheses.tokens.device
        self.scores = torch.full(shape, EMPTY, dtype=torch.float64, device=device)
        self.tokens = torch.full_like(hypotheses.tokens, pad_token_id)
        self.traces: dict[str, Tensor] = {}

    @property
    def full(self) -> Tensor:
        """Whether ``K`` hypotheses have finished, ``(B,)``."""
        return self.scores[:, -1] > EMPTY

    def add(self, sums: Tensor, offered: Tensor, hypotheses: Hypotheses, divisor: float) -> None:
        """Keep the best of the present and the ``N`` given hypotheses, those that are ``offered``
        ``(B, N)``.
        """
        scores = (sums.double() / divisor).clamp(min=LOWEST)
        scores = torch.cat([self.scores, torch.where(offered, scores, EMPTY)], dim=1)
        kept = self.scores.shape[1]
        ranked, order = scores.sort(dim=1, descending=True, stable=True)
        rows = torch.arange(scores.shape[0], device=scores.device)[:, None]
        self.scores, order = ranked[:, :kept], order[:, :kept]
        self.tokens = torch.cat([self.tokens, hypotheses.tokens], dim=1)[rows, order]
        for name, values in hypotheses.traces.items():
            present = self.traces.get(
                name, torch.zeros_like(values[:, :1]).expand(-1, kept, *values.shape[2:])
            )
            self.traces[name] = torch.cat([present, values], dim=1)[rows, order]


def beam_search(
    scorer: Scorer,
    start: Tensor,
    beams: int,
    rules: Sequence[Rule],
    *,
    max_length: int,
    eos_token_id: int,
    pad_token_id: int,
    length_penalty: float,
    early_stopping: bool,
    length_normalization: str = "power",
    num_return_sequences: int = 1,
    on_step: OnStep | None = None,
) -> SearchResult:
    """Keep the ``K`` most probable beginnings at every step and return the best finished summaries.

    Args:
        start: ``(B,)`` start tokens.
        beams, num_return_sequences: ``K``, and ``n`` summaries of each document, at most ``K``.
        rules: Applied in order to log probabilities.
        max_length: Maximum number of tokens, start and end token included.
        length_penalty: α, the exponent of the length by which sums of log probabilities are
            divided.
        early_stopping: Whether a document is done as soon as ``K`` hypotheses have finished;
            otherwise it is done when none of the running ones, as long as it is now, could beat the
            worst of them.
        length_normalization: A key of :data:`LENGTH_NORMALIZATIONS`.
    """
    batch = start.shape[0]
    rows = torch.arange(batch, device=start.device)[:, None]
    tokens = start[:, None].expand(batch, beams)
    parents = None
    hypotheses = Hypotheses(tokens, max_length, pad_token_id)
    finished = _Finished(hypotheses, pad_token_id)
    sums = torch.full((batch, beams), -1e9, device=start.device)
    sums[:, 0] = 0.0  # all beams begin alike: only the first counts
    done = torch.zeros(batch, dtype=torch.bool, device=start.device)
    normalization = LENGTH_NORMALIZATIONS[length_normalization]

    while hypotheses.length < max_length and not bool(done.all()):
        step = scorer.step(tokens, parents)
        scores = step.logits.float().log_softmax(-1)  # (B, K, V')
        for rule in rules:
            rule(hypotheses, scores, step.trace)
        # of each beam, then of all
        best, token = scores.topk(min(2 * beams, scores.shape[-1]), dim=-1)
        candidates, index = (best + sums[:, :, None]).flatten(1).topk(2 * beams, dim=1)
        origin, token = index // best.shape[-1], token.flatten(1).gather(1, index)  # (B, 2K)

        ends = token == eos_token_id
        taken = ends[:, :beams] & ~done[:, None]
        divisor = normalization(hypotheses.length, True, length_penalty)
        if bool(taken.any()):
            ended = hypotheses.extended(origin[:, :beams], token[:, :beams], step.trace)
            finished.add(candidates[:, :beams], taken, ended, divisor)
        if early_stopping:
            done |= finished.full
        else:
            attainable = candidates[:, 0].double() / divisor
            done |= finished.full & (finished.scores[:, -1] >= attainable)

        # at most K of the 2K end
        running = ends.to(torch.uint8).argsort(dim=1, stable=True)[:, :beams]
        sums, tokens, parents = (
            candidates[rows, running],
            token[rows, running],
            origin[rows, running],
        )
        hypotheses = hypotheses.extended(parents, tokens, step.trace)
        if on_step is not None:
            on_step(hypotheses.length, max_length, None)

    if not bool(done.all()):
        divisor = normalization(hypotheses.length, False, length_penalty)
        finished.add(sums, ~done[:, None].expand_as(sums), hypotheses, divisor)
    tokens = finished.tokens[:, :num_return_sequences].flatten(0, 1)
    length = _longest(tokens, eos_token_id)
    traces = {
        name: values[:, :num_return_sequences].flatten(0, 1)[:, : length - 1]
        for name, values in finished.traces.items()
    }
    scores = finished.scores[:, :num_return_sequences].flatten().float()
    return SearchResult(tokens[:, :length], scores, traces)


def _longest(tokens: Tensor, eos_token_id: int) -> int:
    ends = tokens[:, 1:] == eos_token_id
    first = torch.where(ends.any(1), ends.int().argmax(1) + 2, tokens.shape[1])
    return int(first.max())
