"""Rules about the next token."""

from dataclasses import dataclass

import torch
from torch import Tensor

NEVER = float("-inf")


@dataclass(frozen=True)
class Constraints:
    """What may come next.

    Attributes:
        max_length: tokens at most, the start token and the end token counted.
        min_length: no end token while a prefix (start token counted) is shorter than this.
        no_repeat_ngram_size: no ``n``-gram twice in a summary, the start token counted; 0 for no such rule.
        eos_token_id: the end token.
        forced_bos_token_id: the token that must follow the start token, if any.
        forced_eos_token_id: the token that must be the last of ``max_length``, if any.
    """

    max_length: int
    min_length: int
    no_repeat_ngram_size: int
    eos_token_id: int
    forced_bos_token_id: int | None = None
    forced_eos_token_id: int | None = None

    def apply(self, prefixes: Tensor, scores: Tensor) -> Tensor:
        """Rule out next tokens, in the original program's order: n-grams, minimum length, forced tokens.

        Args:
            prefixes: ``(R, length)`` token ids.
            scores: ``(R, V)``, changed in place.

        Returns:
            ``scores``: minus infinity where a token is ruled out, 0 where it is forced.
        """
        length = prefixes.shape[1]
        if 0 < self.no_repeat_ngram_size <= length:
            scores.masked_fill_(repeated_ngrams(prefixes, self.no_repeat_ngram_size, scores.shape[1]), NEVER)
        if length < self.min_length:
            scores[:, self.eos_token_id] = NEVER
        if length == 1 and self.forced_bos_token_id is not None:
            _force(scores, self.forced_bos_token_id)
        if length == self.max_length - 1 and self.forced_eos_token_id is not None:
            _force(scores, self.forced_eos_token_id)
        return scores


def repeated_ngrams(prefixes: Tensor, size: int, vocabulary: int) -> Tensor:
    """The tokens ``(R, V)`` that would complete an n-gram already in the prefix ``(R, length)``."""
    ngrams = prefixes.unfold(1, size, 1)  # (R, length - size + 1, size)
    context = prefixes[:, prefixes.shape[1] - size + 1 :]  # (R, size - 1)
    matches = (ngrams[:, :, :-1] == context[:, None]).all(-1)
    last = torch.where(matches, ngrams[:, :, -1], vocabulary)
    banned = torch.zeros(prefixes.shape[0], vocabulary + 1, dtype=torch.bool, device=prefixes.device)
    return banned.scatter_(1, last, True)[:, :vocabulary]


def _force(scores: Tensor, token: int) -> None:
    scores.fill_(NEVER)
    scores[:, token] = 0.0
