"""What a language model read of a document's pages, and how it scores the next token after them."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from ...decoding.scorer import Step
from ..layers.packing import PackedPages
from .mixing import PageRule, shares_of
from .prompts import Prompt

if TYPE_CHECKING:
    from .cache import PromptCache

NO_PAGE = float("-inf")


class LanguageModel(Protocol):
    """What a scorer needs of a model; see there."""

    def run(self, **inputs: Any) -> tuple[Tensor, Tensor]: ...

    def ended(self, scores: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Reading:
    """How a document is read: what the model is asked, and how its pages are mixed."""

    prompt: Prompt
    rule: PageRule


@dataclass(frozen=True)
class Memory:
    """Prompts that were read, one for each page, then with contrast one a document without a
    page.
    """

    pages: PackedPages
    reading: Reading
    cache: "PromptCache"
    documents: Tensor  # ``(R,)``, the document of each prompt
    lengths: Tensor  # ``(R,)``, tokens of each prompt
    logits: Tensor  # ``(R, V)``, of the first token of the summary
    confidences: Tensor  # ``(R,)``, the scores of the confidence layer there


class CausalScorer:
    """Scores next tokens of ``K`` hypotheses of each document."""

    def __init__(self, model: LanguageModel, memory: Memory, beams: int) -> None:
        self.model, self.memory, self.beams = model, memory, beams
        self.rule = memory.reading.rule
        self.cache = memory.cache.for_beams(beams)
        self.lengths = memory.lengths.repeat_interleave(beams)
        places = torch.arange(memory.cache.length, device=self.lengths.device)
        # (R·K, slots): prompts end at the same place
        self.mask = places >= memory.cache.length - self.lengths[:, None]
        self.steps = 0
        self.weights: Tensor | None = None  # (B, P, K), before the newest token
        self.scores: Tensor | None = None  # (B, P, K, V), the pages' log probabilities of it

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        if self.scores is None:
            logits, confidences = self._first()
        else:
            logits, confidences = self._next(tokens, parents)
        pages, rule = self.memory.pages, self.rule
        count = len(pages)
        scores = self.model.ended(logits.float().log_softmax(dim=-1))  # (R, K, V)
        shares = shares_of(pages.unpack(confidences[:count], NO_PAGE))  # (B, P, K)
        posterior = shares if self.scores is None else self._posterior(tokens, parents)
        self.weights = rule.weights(posterior, shares)
        self.scores = pages.unpack(scores[:count], NO_PAGE)
        mixed = rule.mixed(self.weights, self.scores)
        if rule.contrast:
            mixed = rule.contrasted(mixed, scores[count:])
        self.steps += 1
        page = posterior if rule.has_posterior else self.weights
        traces = {"page": page, "weights": self.weights, "shares": shares}
        return Step(mixed, {name: trace.transpose(1, 2) for name, trace in traces.items()})

    def resumed(self) -> "CausalScorer":
        """See :class:`~pagesum_cli.decoding.sentences.SourceScorer`."""
        self.memory.cache.keep(self.steps - 1)  # the newest token is not read yet
        return copy(self)  # a step replaces its tensors, and changes none

    def source_logits(self, source: int) -> Tensor:
        """The log probabilities ``(1, 1, V)`` of the next token by one page."""
        assert self.scores is not None
        return self.scores[:, source]

    def sources(self, rows: Tensor) -> Sequence[int]:
        """The pages with the largest mean confidences first."""
        return rows.mean(dim=0).argsort(descending=True).tolist()

    def _first(self) -> tuple[Tensor, Tensor]:
        """Logits ``(R, K, V)`` and confidence scores ``(R, K)`` of the first token."""
        memory = self.memory
        logits = memory.logits[:, None].expand(-1, self.beams, -1)
        return logits, memory.confidences[:, None].expand(-1, self.beams)

    def _next(self, tokens: Tensor, parents: Tensor | None) -> tuple[Tensor, Tensor]:
        """The same of the token after the newest one, which all prompts read."""
        memory, beams = self.memory, self.beams
        if parents is not None and beams > 1:
            of_rows = parents[memory.documents]  # (R, K)
            first = torch.arange(len(of_rows), device=of_rows.device) * beams
            memory.cache.follow((first[:, None] + of_rows).flatten())
        self.mask = torch.cat([self.mask, torch.ones_like(self.mask[:, :1])], dim=1)
        logits, confidences = self.model.run(
            input_ids=tokens[memory.documents].view(-1, 1),
            attention_mask=self.mask.long(),
            position_ids=(self.lengths + self.steps - 1)[:, None],
            past_key_values=self.cache,
            use_cache=True,
        )
        return logits.view(-1, beams, logits.shape[-1]), confidences.view(-1, beams)

    def _posterior(self, tokens: Tensor, parents: Tensor | None) -> Tensor:
        """The posterior of the pages after the newest token, ``(B, P, K)``."""
        weights, scores = self.weights, self.scores
        assert weights is not None
        assert scores is not None
        if parents is None:
            parents = torch.arange(self.beams, device=tokens.device).expand_as(tokens)
        batch, pages = weights.shape[:2]
        of_pages = parents[:, None].expand(batch, pages, -1)  # (B, P, K)
        documents = torch.arange(batch, device=tokens.device)[:, None, None]
        every = torch.arange(pages, device=tokens.device)[None, :, None]
        of_tokens = scores[documents, every, of_pages, tokens[:, None]]
        return self.rule.posterior(weights.gather(2, of_pages), of_tokens)
