"""Greedy search: the likeliest token, one after the other."""

import torch
from torch import Tensor

from .constraints import Constraints
from .scorer import Prefixes, Scorer, StepCallback


def greedy_search(
    scorer: Scorer,
    start: Tensor,
    pages: int,
    constraints: Constraints,
    pad_token_id: int,
    on_step: StepCallback | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Take the best token at every step.

    Args:
        scorer: scores the next tokens.
        start: ``(B,)`` start tokens.
        pages: ``P``.
        constraints: what may come next.
        pad_token_id: stands behind the end of a shorter summary.
        on_step: see :data:`~pagesum_cli.decoding.scorer.StepCallback`.

    Returns:
        token ids ``(B, T + 1)``, sums of log probabilities ``(B,)``, page confidences ``(B, T, P)`` (0 behind the end).
    """
    prefixes = Prefixes(start[:, None], constraints.max_length, pages, pad_token_id)
    tokens = start
    running = torch.ones_like(start, dtype=torch.bool)
    sums = torch.zeros(start.shape, device=start.device)
    while prefixes.length < constraints.max_length and bool(running.any()):
        logits, confidences = scorer.step(tokens[:, None], None)  # (B, 1, V), (B, 1, P)
        scores = constraints.apply(prefixes.written[:, 0], logits[:, 0].float())
        best, tokens = scores.max(dim=-1)
        sums += torch.where(running, best - scores.logsumexp(-1), 0.0)
        tokens = torch.where(running, tokens, pad_token_id)
        prefixes.tokens[:, 0, prefixes.length] = tokens
        prefixes.confidences[:, 0, prefixes.length - 1] = confidences[:, 0] * running[:, None]
        prefixes.length += 1
        running &= tokens != constraints.eos_token_id
        if on_step is not None:
            on_step(prefixes.length, constraints.max_length, tokens)
    return prefixes.written[:, 0], sums, prefixes.confidences[:, 0, : prefixes.length - 1]
