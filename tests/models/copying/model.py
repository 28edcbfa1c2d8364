"""A small recurrent model that copies words: what a third party adds, in one folder and one line of
the registry.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pagesum_cli.decoding.scorer import Step
from pagesum_cli.models.base import ModelConfig, Output, PageBatch
from pagesum_cli.models.generation import GeneratingModel
from pagesum_cli.models.layers.packing import PackedPages


@dataclass
class CopyingConfig(ModelConfig):
    model_type: ClassVar[str] = "copying"
    decoder_start_token_id: int = 2
    generation: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Memory:
    states: Tensor  # (B, L, D): the tokens of all pages, one after another
    ids: Tensor  # (B, L)
    mask: Tensor  # (B, L)
    page: Tensor  # (B, L)
    pages: int


class CopyingModel(GeneratingModel):
    config_class = CopyingConfig
    traces = frozenset({"page", "attention", "gate"})
    capabilities = GeneratingModel.capabilities | {"attention", "attention_temperature"}

    def __init__(self, config: CopyingConfig) -> None:
        super().__init__(config)
        self.words = nn.Embedding(config.vocab_size, config.d_model)
        self.reader = nn.GRU(config.d_model, config.d_model, batch_first=True)
        self.writer = nn.GRUCell(config.d_model, config.d_model)
        self.gate = nn.Linear(config.d_model, 1)

    def encode(self, batch: PageBatch, on_encode: Any = None) -> Memory:
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        states, mask, page = pages.join(self.reader(self.words(pages.input_ids))[0])
        ids = pages.join(pages.input_ids[..., None])[0][..., 0]
        return Memory(states, ids, mask, page, pages.pages)

    def next(
        self, tokens: Tensor, state: Tensor, memory: Memory, temperature: float = 1.0
    ) -> tuple[Tensor, ...]:
        """Tokens ``(B, K)``, state ``(B, K, D)`` → log probabilities ``(B, K, V)``, page shares,
        state, attention.
        """
        state = self.writer(self.words(tokens).flatten(0, 1), state.flatten(0, 1)).view_as(state)
        scores = (state @ memory.states.mT) / temperature
        weights = scores.masked_fill(~memory.mask[:, None], float("-inf")).softmax(-1)  # (B, K, L)
        copied = torch.zeros(*state.shape[:2], self.config.vocab_size)
        copied = copied.scatter_add(-1, memory.ids[:, None].expand_as(weights), weights)
        gate = self.gate(state).sigmoid()
        probabilities = gate * copied + (1 - gate) * F.linear(state, self.words.weight).softmax(-1)
        shares = torch.zeros(*state.shape[:2], memory.pages)
        shares = shares.scatter_add(-1, memory.page[:, None].expand_as(weights), weights)
        return probabilities.clamp(min=1e-9).log(), shares, state, weights

    def forward(self, input_ids, attention_mask=None, decoder_input_ids=None,
                decoder_attention_mask=None, labels=None, return_logits=True):  # fmt: skip
        memory = self.encode(PageBatch(input_ids, attention_mask))
        state = torch.zeros(len(input_ids), 1, self.config.d_model)
        steps = []
        for tokens in decoder_input_ids.T:
            logits, shares, state, _ = self.next(tokens[:, None], state, memory)
            steps.append((logits[:, 0], shares[:, 0]))
        logits, shares = (torch.stack(part, dim=1) for part in zip(*steps, strict=True))
        loss = None if labels is None else F.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return Output(loss, logits, shares)

    def scorer(
        self, memory: Memory, beams: int, attention_temperature: float = 1.0
    ) -> "CopyingScorer":
        return CopyingScorer(self, memory, beams, attention_temperature)


class CopyingScorer:
    def __init__(self, model: CopyingModel, memory: Memory, beams: int, temperature: float) -> None:
        self.model, self.memory, self.temperature = model, memory, temperature
        self.state = torch.zeros(len(memory.states), beams, model.config.d_model)

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        if parents is not None:
            self.state = self.state.gather(1, parents[..., None].expand_as(self.state))
        logits, shares, self.state, weights = self.model.next(
            tokens, self.state, self.memory, self.temperature
        )
        gate = self.model.gate(self.state).sigmoid()[..., 0]
        return Step(logits, {"page": shares, "attention": weights, "gate": gate})
