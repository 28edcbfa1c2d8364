"""A pointer-generator network (See et al., 2017): a bidirectional LSTM, and an LSTM that attends
and copies.

As OpenNMT builds it: additive attention, input feeding, and the attention that makes contexts is
the one that copies.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ..base import ModelConfig
from ..layers.attention import Past, diversity, reweighted, unit, wide
from ..layers.cache import follow
from ..layers.transformer import embedding
from .model import Decoded, RecurrentConfig, SequenceModel, Source

INITIAL = 0.1  # initial weights are uniform between this and its negative
CLOSED = 1e4  # before its sigmoid, which is then exactly 1, and of the negative exactly 0


@dataclass
class RecurrentState:
    """What the decoder remembers of the steps before."""

    cell: tuple[Tensor, Tensor]  # the LSTM's state and memory, ``(B, K, D)`` each
    output: Tensor  # f(h, c) of the step before, ``(B, K, D)`` (input feeding)
    covered: Tensor  # the sum of the attention so far, ``(B, K, J)``
    read: Tensor  # the sum of what was read so far, ``(B, K, D)``
    steps: int  # number of steps so far
    temperature: float  # τ
    keys: Tensor  # the projected states of the source, ``(B, 1, J, D)``
    # the states of the source with length 1, ``(B, J, D)``; None where it is not needed
    unit: Tensor | None

    def advance(self, parents: Tensor | None) -> None:
        if parents is not None:
            self.cell = (follow(self.cell[0], parents), follow(self.cell[1], parents))
            self.output, self.covered, self.read = (
                follow(values, parents) for values in (self.output, self.covered, self.read)
            )


class AdditiveAttention(nn.Module):
    """Scores of source positions: v · tanh(W h + U z), with the coverage and DPP variants."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        width = config.d_model
        self.config = config
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width, bias=False)
        self.score = nn.Linear(width, 1, bias=False)
        if config.coverage_vector:
            self.coverage = nn.Linear(1, width, bias=False)

    def forward(
        self, states: Tensor, source: Source, memory: RecurrentState
    ) -> tuple[Tensor, Tensor]:
        """Weights ``(B, K, J)`` and context ``(B, K, D)`` for states ``(B, K, D)``."""
        if not self.config.coverage_vector:
            weights = self._weights(
                self._scores(states, memory.keys, source, memory), memory, memory.unit
            )
            return weights, weights.to(states.dtype) @ source.states
        # The changed states are scored, and are what contexts are made of; each beam has its own.
        changed = (
            source.states[:, None] + self.coverage(memory.covered.to(states.dtype)[..., None])
        ).tanh()
        scores = self._scores(states, self.key(changed), source, memory)
        weights = self._weights(scores, memory, unit(changed) if self.config.dpp else None)
        context = weights.to(states.dtype).flatten(0, 1)[:, None] @ changed.flatten(0, 1)
        return weights, context.view_as(states)

    def _scores(
        self, states: Tensor, keys: Tensor, source: Source, memory: RecurrentState
    ) -> Tensor:
        # (B, K, J)
        scores = self.score((self.query(states)[:, :, None] + keys).tanh_()).squeeze(-1)
        return (wide(scores) / memory.temperature).masked_fill(~source.mask[:, None], float("-inf"))

    def _weights(self, scores: Tensor, memory: RecurrentState, unit_keys: Tensor | None) -> Tensor:
        if unit_keys is None:
            return scores.softmax(-1)
        past = Past.of_sum(memory.read, memory.steps, self.config.dpp_first_step).mean
        if unit_keys.dim() == 4:
            past = past[:, :, None]
        beta = diversity(past, unit_keys, self.config.dpp_square).view_as(scores)
        return reweighted(scores, beta, self.config.dpp_rescale)


class PointerGenerator(SequenceModel):
    """The recurrent model, plain or with coverage (+CovLoss, +CovVec) and DPP attention (eq.
    6–10).
    """

    config_class: ClassVar[type[ModelConfig]] = RecurrentConfig
    config: RecurrentConfig

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config)
        width, narrow = config.d_model, config.embedding_width
        self.shared = embedding(config.vocab_size, narrow, config.pad_token_id)
        self.encoder = nn.LSTM(
            narrow, width // 2, config.encoder_layers, batch_first=True, bidirectional=True
        )
        self.bridge = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.decoder = nn.LSTMCell(narrow + width, width)
        self.attention = AdditiveAttention(config)
        self.combine = nn.Linear(2 * width, width)
        self.to_vocabulary = nn.Linear(width, config.vocab_size)
        self.init_weights()

    def init_weights(self) -> None:
        """Uniform weights between -0.1 and 0.1."""
        if self.device.type != "meta":
            for weight in self.parameters():
                nn.init.uniform_(weight, -INITIAL, INITIAL)
            nn.init.zeros_(self.shared.weight.data[self.config.pad_token_id])

    def mean_loss(self, values: Tensor, known: Tensor) -> Tensor:
        """The mean of all tokens, or over documents of the means of their tokens."""
        if self.config.loss_mean == "tokens":
            return super().mean_loss(values, known)
        lengths = known.sum(1)  # (B,)
        own = values.masked_fill(~known, 0.0).sum(1) / lengths.clamp(min=1)
        return own.sum() / (lengths > 0).sum()

    def encode_source(self, source: Source) -> Source:
        """Read the source in both directions."""
        embedded = self.dropped(self.shared(self.known(source.ids)))
        if embedded.device.type == "cpu":
            states, last = read_padded(self.encoder, embedded, source.mask)
        else:
            packed = pack_padded_sequence(
                embedded, source.lengths.cpu(), batch_first=True, enforce_sorted=False
            )
            packed, last = self.encoder(packed)
            states, _ = pad_packed_sequence(
                packed, batch_first=True, total_length=source.ids.shape[1]
            )
        # The last layer's last states of both directions, (B, D) each of state and memory.
        ends = torch.stack([part[-2:].transpose(0, 1).flatten(1) for part in last])
        return replace(source, states=states, values=ends)

    def start(self, source: Source, beams: int, temperature: float) -> RecurrentState:
        """A state that begins where the encoder ended."""
        assert source.values is not None
        shape = (source.ids.shape[0], beams, self.config.d_model)
        hidden, memory = (
            layer(end).relu()[:, None].expand(shape)
            for layer, end in zip(self.bridge, source.values, strict=True)
        )
        nothing = source.states.new_zeros(shape)
        covered = wide(source.states.new_zeros(*shape[:2], source.ids.shape[1]))
        keys = self.attention.key(source.states)[:, None]
        needs_unit = self.config.dpp and not self.config.coverage_vector
        directions = unit(source.states) if needs_unit else None
        return RecurrentState(
            (hidden, memory), nothing, covered, wide(nothing), 0, temperature, keys, directions
        )

    def step(self, source: Source, ids: Tensor, state: RecurrentState) -> Decoded:
        return self._step(source, self.shared(self.known(ids)), state)

    def _step(self, source: Source, embedded: Tensor, state: RecurrentState) -> Decoded:
        shape = state.output.shape
        fed = torch.cat([self.dropped(embedded), state.output], -1).flatten(0, 1)
        hidden, memory = self.decoder(
            fed, (state.cell[0].flatten(0, 1), state.cell[1].flatten(0, 1))
        )
        state.cell = hidden.view(shape), memory.view(shape)
        weights, context = self.attention(state.cell[0], source, state)
        state.output = self.dropped(self.combine(torch.cat([context, state.cell[0]], -1)))
        state.covered = state.covered + weights
        state.read = state.read + (
            state.output if self.config.dpp_recurrence == "output" else context
        )
        state.steps += 1
        copied = self.copying(weights)
        return Decoded(state.output, copied, copied)

    def decode(self, source: Source, ids: Tensor) -> Decoded:
        """Compute whole summaries, step by step: each step reads the output of the one before."""
        state = self.start(source, 1, 1.0)
        embedded = self.shared(self.known(ids))
        steps = [self._step(source, item[:, None], state) for item in embedded.unbind(1)]
        states, attention = (
            torch.cat([getattr(item, name) for item in steps], 1)
            for name in ("states", "attention")
        )
        return Decoded(states, attention, attention)


def read_padded(
    lstm: nn.LSTM, inputs: Tensor, mask: Tensor
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """What a bidirectional LSTM computes of packed sequences, on a CPU many times faster in
    training.

    Padding, which comes last, is one more input that closes the input gates and opens the forget
    gates: going forward it keeps the memory of the last token, going backward the memory is still
    zero at the last token. Inputs ``(B, J, E)``, mask ``(B, J)`` → states ``(B, J, D)``, zero for
    padding, and the last layer's last state and memory of both directions, ``(2, B, D/2)`` each.
    """
    batch, width = len(inputs), lstm.hidden_size
    padding = ~mask[..., None]
    start = inputs.new_zeros(2, batch, width)
    hold = inputs.new_zeros(4 * width, 1)
    hold[:width], hold[width : 2 * width] = -CLOSED, CLOSED  # input gates, then forget gates
    last = mask.sum(-1) - 1
    for layer in range(lstm.num_layers):
        weights = lstm.all_weights[layer * 2] + lstm.all_weights[layer * 2 + 1]
        held = [
            torch.cat([weight, hold], 1) if number % 4 == 0 else weight
            for number, weight in enumerate(weights)
        ]
        fed = torch.cat([inputs, padding.to(inputs.dtype)], -1)
        states, ends, memory = _lstm(lstm, fed, start, held)
        inputs = states.masked_fill(padding, 0.0)
    forward = inputs[torch.arange(batch, device=inputs.device), last, :width]
    return inputs, (torch.stack([forward, ends[1]]), memory)


def _lstm(
    lstm: nn.LSTM, inputs: Tensor, start: Tensor, weights: list[Tensor]
) -> tuple[Tensor, Tensor, Tensor]:
    """One bidirectional layer on a CPU, in 32 bits, as many have no such operation in 16 bits."""
    flags = (True, 1, 0.0, lstm.training, True, True)
    dtype = torch.promote_types(inputs.dtype, torch.float32)
    start = start.to(dtype)
    with torch.autocast("cpu", enabled=False):
        done = torch.lstm(
            inputs.to(dtype), (start, start), [weight.to(dtype) for weight in weights], *flags
        )
    states, ends, memory = (item.to(inputs.dtype) for item in done)
    return states, ends, memory
