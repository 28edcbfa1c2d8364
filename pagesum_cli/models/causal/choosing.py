"""A language model on this machine that chooses numbered sentences: the probability of each number
as the first of its answer ranks them, so that it can answer nothing else.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from ...editing.choosers import MAX_FINAL_WORDS
from ...errors import PagesumError
from ...tokenization import PageTokenizer
from .configuration import PAGE
from .model import CausalModel
from .prompts import prompt_of

if TYPE_CHECKING:
    from transformers.cache_utils import Cache

BEGINNING = '{"numbers": ['  # of every answer
ENDS = ",]"  # what may follow a number

POSITIONS_A_WORD = 3  # of a sentence with its number, beside guide and task

Tokens = Mapping[int, tuple[int, ...]]
"""Token ids of numbers."""


class CausalChooser:
    """Ranks sentences by the probability of their numbers."""

    is_ranking = True

    def __init__(self, model: CausalModel, tokenizer: PageTokenizer, name: str) -> None:
        self.name = name
        self._model, self._tokenizer = model, tokenizer
        self._prompt = prompt_of(model.chat, model.config, PAGE)
        self._beginning = self._ids(BEGINNING)
        self._ends = [self._ids(f"1{end}")[-1] for end in ENDS]
        self._lock = Lock()  # several threads summarize, and each model computes on all cores

    @property
    def max_words(self) -> int:
        """The words of sentences that it can read at once."""
        return min(MAX_FINAL_WORDS, self._positions // POSITIONS_A_WORD)

    @property
    def _positions(self) -> int:
        return self._model.config.max_position_embeddings

    def answer(self, message: str, allowed: Collection[int], limit: int) -> str:
        """The ``limit`` allowed numbers with the highest probabilities, as JSON.

        Raises:
            PagesumError: The model cannot read so much.
        """
        with self._lock, torch.inference_mode():
            scores = self.log_probabilities(message, allowed)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return json.dumps({"numbers": ranked[:limit]})

    def log_probabilities(self, message: str, allowed: Collection[int]) -> dict[int, float]:
        """The log probability of each allowed number as the first one of the answer, among
        them.
        """
        from .cache import continued

        ids = [*self._prompt.before, *self._ids(message), *self._prompt.after, *self._beginning]
        numbers = {number: self._ids_of(number) for number in allowed}
        longest = len(ids) + max(map(len, numbers.values()))
        if longest > self._positions:
            raise PagesumError(f"{longest:,} tokens to read, expected at most {self._positions:,}")
        cache = continued(None)
        try:
            logits = self._read(ids, 0, cache)
            return dict(self._among(numbers, 0, logits, cache, len(ids)))
        except torch.OutOfMemoryError as error:
            raise PagesumError(f"memory does not hold {longest:,} tokens") from error

    def _among(
        self, numbers: Tokens, depth: int, logits: Tensor, cache: "Cache", length: int
    ) -> Iterator[tuple[int, float]]:
        """Numbers whose first ``depth`` tokens were read, with their log probabilities after
        them.
        """
        from .cache import continued

        following: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
        ended = [number for number, ids in numbers.items() if len(ids) == depth]
        for number, ids in numbers.items():
            if len(ids) > depth:
                following[ids[depth]][number] = ids
        ends = self._ends if ended else []
        scores = logits[[*following, *ends]].float().log_softmax(dim=0)
        for number in ended:
            yield number, float(scores[len(following) :].logsumexp(dim=0))
        for (token, group), score in zip(following.items(), scores.tolist(), strict=False):
            if len(group) == 1:
                yield next(iter(group)), score
                continue
            longer = continued(cache)
            after = self._read([token], length, longer)
            for number, rest in self._among(group, depth + 1, after, longer, length + 1):
                yield number, score + rest

    def _read(self, ids: list[int], start: int, cache: "Cache") -> Tensor:
        """The logits ``(V,)`` after some tokens that stand at ``start``."""
        device = self._model.device
        logits, _ = self._model.run(
            input_ids=torch.tensor([ids], device=device),
            position_ids=torch.arange(start, start + len(ids), device=device)[None],
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        return logits[0, -1]

    def _ids_of(self, number: int) -> tuple[int, ...]:
        """The token ids of a number after the beginning of an answer."""
        before, whole = self._ids("["), self._ids(f"[{number}")
        return tuple(whole[len(before) :] or self._ids(str(number)))

    def _ids(self, text: str) -> list[int]:
        """The token ids of a text, in which no special token is recognized."""
        return self._tokenizer.encode(text)
