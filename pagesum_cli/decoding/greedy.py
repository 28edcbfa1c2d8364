"""Greedy search: the most probable token at every step."""

from collections.abc import Sequence

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
    """Take the best token at every step. Scores are sums of log probabilities; rules apply to raw logits.

    Args:
        scorer: Scores the next tokens.
        start: ``(B,)`` start tokens.
        rules: Applied in order.
        max_length: Maximum number of tokens, start and end token included.
        eos_token_id, pad_token_id: The end token, and what stands after it.
        on_step: See :data:`~pagesum_cli.decoding.scorer.OnStep`.
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
    traces = {name: values[:, 0, : hypotheses.length - 1] for name, values in hypotheses.traces.items()}
    return SearchResult(hypotheses.prefixes[:, 0], sums, traces)
