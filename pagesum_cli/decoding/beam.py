"""Beam search as the original program does it (Transformers 4.6.1), on all beams at once.

It differs from Transformers 5: a finished hypothesis scores ``sum / length ** length_penalty`` with a length that
counts the start token and not the end token, and an end token that ranks beyond the beams is not taken.
"""

import torch
from torch import Tensor

from .constraints import Constraints
from .scorer import Prefixes, Scorer, StepCallback

EMPTY = float("-inf")
LOWEST = torch.finfo(torch.float64).min


class Finished:
    """The best ``K`` finished hypotheses of each of ``B`` documents, best first."""

    def __init__(self, prefixes: Prefixes, pad_token_id: int) -> None:
        # Double precision, as the original divides Python numbers: near-ties must fall the same way.
        self.scores = torch.full(prefixes.tokens.shape[:2], EMPTY, dtype=torch.float64, device=prefixes.tokens.device)
        self.tokens = torch.full_like(prefixes.tokens, pad_token_id)
        self.confidences = torch.zeros_like(prefixes.confidences)

    @property
    def full(self) -> Tensor:
        """Whether ``K`` hypotheses have finished, ``(B,)``."""
        return self.scores[:, -1] > EMPTY

    def add(self, sums: Tensor, offered: Tensor, hypotheses: Prefixes, length_penalty: float, length: int) -> None:
        """Keep the best of what is there and what is offered.

        Args:
            sums: ``(B, N)`` sums of log probabilities.
            offered: ``(B, N)``, False where there is no hypothesis.
            hypotheses: ``N`` of each document.
            length_penalty: exponent of the length.
            length: tokens of each hypothesis, the end token not counted.
        """
        scores = (sums.double() / length**length_penalty).clamp(min=LOWEST)
        scores = torch.cat([self.scores, torch.where(offered, scores, EMPTY)], dim=1)
        kept = self.scores.shape[1]
        ranked, order = scores.sort(dim=1, descending=True, stable=True)
        rows = torch.arange(scores.shape[0], device=scores.device)[:, None]
        self.scores, order = ranked[:, :kept], order[:, :kept]
        self.tokens = torch.cat([self.tokens, hypotheses.tokens], dim=1)[rows, order]
        self.confidences = torch.cat([self.confidences, hypotheses.confidences], dim=1)[rows, order]


def beam_search(
    scorer: Scorer,
    start: Tensor,
    beams: int,
    pages: int,
    constraints: Constraints,
    pad_token_id: int,
    *,
    length_penalty: float,
    early_stopping: bool,
    num_return_sequences: int = 1,
    on_step: StepCallback | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Keep the ``K`` likeliest beginnings at every step and return the best finished summaries.

    Args:
        scorer: scores the next tokens.
        start: ``(B,)`` start tokens.
        beams: ``K``.
        pages: ``P``.
        constraints: what may come next.
        pad_token_id: stands behind the end of a shorter summary.
        length_penalty: a finished hypothesis scores its sum of log probabilities divided by its length to this power.
        early_stopping: whether a document is done as soon as ``K`` hypotheses have finished; otherwise it is done when
            none of the running ones, as long as it is now, could beat the worst of them.
        num_return_sequences: ``n`` summaries of each document, at most ``K``.
        on_step: see :data:`~pagesum_cli.decoding.scorer.StepCallback`.

    Returns:
        token ids ``(B·n, T + 1)``, scores ``(B·n,)``, page confidences ``(B·n, T, P)`` (0 behind the end).
    """
    batch = start.shape[0]
    rows = torch.arange(batch, device=start.device)[:, None]
    tokens = start[:, None].expand(batch, beams)
    parents = None
    prefixes = Prefixes(tokens, constraints.max_length, pages, pad_token_id)
    finished = Finished(prefixes, pad_token_id)
    sums = torch.full((batch, beams), -1e9, device=start.device)
    sums[:, 0] = 0.0  # all beams begin alike: only the first counts
    done = torch.zeros(batch, dtype=torch.bool, device=start.device)

    while prefixes.length < constraints.max_length and not bool(done.all()):
        logits, confidences = scorer.step(tokens, parents)  # (B, K, V), (B, K, P)
        scores = logits.float().log_softmax(-1)
        vocabulary = scores.shape[-1]
        constraints.apply(prefixes.written.flatten(0, 1), scores.view(batch * beams, vocabulary))
        candidates, index = (scores + sums[:, :, None]).view(batch, -1).topk(2 * beams, dim=1)
        origin, token = index // vocabulary, index % vocabulary  # (B, 2K)

        ends = token == constraints.eos_token_id
        taken = ends[:, :beams] & ~done[:, None]
        if bool(taken.any()):
            ended = prefixes.continued(origin[:, :beams], token[:, :beams], confidences)
            finished.add(candidates[:, :beams], taken, ended, length_penalty, prefixes.length)
        if early_stopping:
            done |= finished.full
        else:
            attainable = candidates[:, 0].double() / prefixes.length**length_penalty
            done |= finished.full & (finished.scores[:, -1] >= attainable)

        running = ends.to(torch.uint8).argsort(dim=1, stable=True)[:, :beams]  # at most K of the 2K end
        sums, tokens, parents = candidates[rows, running], token[rows, running], origin[rows, running]
        prefixes = prefixes.continued(parents, tokens, confidences)
        if on_step is not None:
            on_step(prefixes.length, constraints.max_length, None)

    if not bool(done.all()):
        finished.add(sums, ~done[:, None].expand_as(sums), prefixes, length_penalty, prefixes.length)
    best = slice(0, num_return_sequences)
    tokens = finished.tokens[:, best].flatten(0, 1)
    length = _longest(tokens, constraints.eos_token_id)
    confidences = finished.confidences[:, best].flatten(0, 1)
    return tokens[:, :length], finished.scores[:, best].flatten().float(), confidences[:, : length - 1]


def _longest(tokens: Tensor, eos_token_id: int) -> int:
    """Length of the longest sequence, its end token counted. The start token may be the end token."""
    ends = tokens[:, 1:] == eos_token_id
    first = torch.where(ends.any(1), ends.int().argmax(1) + 2, tokens.shape[1])
    return int(first.max())
