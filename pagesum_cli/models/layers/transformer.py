"""Encoder and decoder layers under BART's names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from .attention import Attention, DppAttention, KeysValues, Past, Reading

POSITION_OFFSET = 2  # BART's position embeddings begin at 2
# tokens of the smallest block of local attention; of shorter ones there would be too many
MIN_BLOCK = 64

ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_new": lambda states: F.gelu(states, approximate="tanh"),
    "relu": F.relu,
    "silu": F.silu,
    "swish": F.silu,
    "tanh": torch.tanh,
}


def embedding(count: int, width: int, padding: int | None = None) -> nn.Embedding:
    """An uninitialized embedding: ``init_weights`` or a checkpoint sets its values.

    Drawing them on the meta device, on which checkpoints are built, would import PyTorch's
    compiler.
    """
    return nn.Embedding.from_pretrained(
        torch.empty(count, width), freeze=False, padding_idx=padding
    )


class Layer(nn.Module):
    """What encoder and decoder layers share: self-attention and a feed-forward part."""

    def __init__(self, config: Any, heads: int, width: int) -> None:
        super().__init__()
        self.norm_first = getattr(config, "norm_first", False)
        self.dropout = config.dropout
        self.activation_dropout = config.activation_dropout
        self.activation = ACTIVATIONS[config.activation_function]
        self.self_attn = Attention(config.d_model, heads, config.attention_dropout)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.fc1 = nn.Linear(config.d_model, width)
        self.fc2 = nn.Linear(width, config.d_model)
        self.final_layer_norm = nn.LayerNorm(config.d_model)

    def before(self, states: Tensor, norm: nn.LayerNorm) -> Tensor:
        return norm(states) if self.norm_first else states

    def add(self, states: Tensor, change: Tensor, norm: nn.LayerNorm) -> Tensor:
        total = states + F.dropout(change, self.dropout, self.training)
        return total if self.norm_first else norm(total)

    def feed_forward(self, states: Tensor) -> Tensor:
        inner = self.activation(self.fc1(self.before(states, self.final_layer_norm)))
        inner = F.dropout(inner, self.activation_dropout, self.training)
        return self.add(states, self.fc2(inner), self.final_layer_norm)


class EncoderLayer(Layer):
    """One layer of a bidirectional encoder."""

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """``(N, S, D)`` → ``(N, S, D)``; mask ``(N, 1, 1, S)``, True where a token is."""
        inner = self.before(states, self.self_attn_layer_norm)
        return self._attending(states, inner, inner, mask)

    def at(self, states: Tensor, mask: Tensor | None, places: Tensor) -> Tensor:
        """The same for some places ``(N, Q)`` alone → ``(N, Q, D)``."""
        inner = self.before(states, self.self_attn_layer_norm)
        rows = torch.arange(len(places), device=places.device)[:, None]
        return self._attending(states[rows, places], inner[rows, places], inner, mask)

    def _attending(
        self, states: Tensor, queries: Tensor, inner: Tensor, mask: Tensor | None
    ) -> Tensor:
        attended = self.self_attn(queries, self.self_attn.keys_values(inner), mask)
        return self.feed_forward(self.add(states, attended, self.self_attn_layer_norm))


def local_attention(
    attention: Attention, states: Tensor, mask: Tensor | None, reach: int
) -> Tensor:
    """Attend from each token to those within reach, itself included: half a window to either side
    (Longformer).

    The queries of a block of tokens meet the keys of this block and its two neighbors. Where all
    tokens reach each other the result is that of full attention, computed as such. States ``(B, L,
    D)``, mask ``(B, L)``, None where nothing is padded → ``(B, L, D)``; what padding has is not
    defined.
    """
    batch, length, width = states.shape
    if length <= reach + 1:
        keys_mask = None if mask is None else mask[:, None, None]
        return attention(states, attention.keys_values(states), keys_mask)
    size = max(reach, MIN_BLOCK)
    blocks = -(-length // size)
    padding = blocks * size - length
    if mask is None:
        mask = states.new_ones(batch, length, dtype=torch.bool)
    states = F.pad(states, (0, 0, 0, padding))
    keys, values = (
        _with_neighbors(project(states), size) for project in (attention.k_proj, attention.v_proj)
    )
    # (B·blocks, 3·size)
    is_token = _with_neighbors(F.pad(mask, (0, padding))[..., None], size)[..., 0]
    queries = attention.q_proj(states).view(batch * blocks, size, width)
    places = torch.arange(size, device=states.device)
    # (size, 3·size): how far a key is
    near = torch.arange(3 * size, device=states.device) - size - places[:, None]
    # without itself, padding would see nothing
    sees = (near.abs() <= reach) & is_token[:, None] | (near == 0)
    dropout = attention.dropout if attention.training else 0.0
    split = attention.split
    mixed = F.scaled_dot_product_attention(
        split(queries), split(keys), split(values), sees[:, None], dropout
    )
    joined = mixed.transpose(1, 2).reshape(batch, blocks * size, width)[:, :length]
    return attention.out_proj(joined)


def _with_neighbors(values: Tensor, size: int) -> Tensor:
    """Blocks ``(B, blocks · size, D)`` with the ones before and after, or zeros: ``(B · blocks, 3 ·
    size, D)``.
    """
    blocks = values.unflatten(1, (-1, size))  # (B, blocks, size, D)
    padded = F.pad(blocks, (0, 0, 0, 0, 1, 1))
    return torch.cat([padded[:, :-2], blocks, padded[:, 2:]], dim=2).flatten(0, 1)


class LocalEncoderLayer(EncoderLayer):
    """An encoder layer whose self-attention is local."""

    def attend_locally(self, states: Tensor, mask: Tensor | None, reach: int) -> Tensor:
        """The self-attention sublayer; see :func:`local_attention`."""
        return self.add(
            states, local_attention(self.self_attn, states, mask, reach), self.self_attn_layer_norm
        )

    def forward(self, states: Tensor, mask: Tensor | None, reach: int = 0) -> Tensor:
        """``(B, L, D)`` → ``(B, L, D)``; mask ``(B, L)``."""
        return self.feed_forward(self.attend_locally(states, mask, reach))


class DecoderLayer(Layer):
    """One layer of a causal decoder with cross-attention. The reading that it returns is None (no
    DPP attention).
    """

    def __init__(self, config: Any, heads: int, width: int) -> None:
        super().__init__(config, heads, width)
        self.encoder_attn = Attention(config.d_model, heads, config.attention_dropout)
        self.encoder_attn_layer_norm = nn.LayerNorm(config.d_model)

    def source(self, encoded: Tensor) -> Any:
        """The encoder's states ``(N, S, D)`` as the cross-attention reads them."""
        return self.encoder_attn.keys_values(encoded)

    def stored_source(self, encoded: Tensor) -> Any:
        """The same in memory as the steps of a search read it."""
        return self.encoder_attn.stored_keys_values(encoded)

    def forward(
        self,
        states: Tensor,
        encoded: Tensor,
        keys_mask: Tensor | None,
        mask: Tensor | None,
        rows: Tensor | None,
        past: Past | None = None,
    ) -> tuple[Tensor, Reading | None]:
        """Compute a whole summary at once (teacher forcing) → ``(N, T, D)``, and what was read.

        Args:
            states: ``(B, T, D)`` in the first layer, with ``rows``, see :meth:`cross`; ``(N, T,
                D)`` in the others.
            encoded, keys_mask: The encoder's states ``(N, S, D)``; ``(N, 1, 1, S)``, None where
            nothing is padded.
            mask: ``(B or N, 1, T, T)`` of the summary's own tokens; None: causal.
            past: What the layer below has read, for DPP attention.
        """
        states = self.read_summary(states, mask, causal=mask is None)
        return self.cross(states, self.source(encoded), keys_mask, rows, past)

    def read_summary(
        self,
        states: Tensor,
        mask: Tensor | None = None,
        causal: bool = False,
        store: Callable[[KeysValues], KeysValues] | None = None,
    ) -> Tensor:
        """The self-attention; ``store`` gives the keys and values of all steps for those of this
        one.
        """
        inner = self.before(states, self.self_attn_layer_norm)
        own = self.self_attn.keys_values(inner)
        attended = self.self_attn(inner, own if store is None else store(own), mask, causal)
        return self.add(states, attended, self.self_attn_layer_norm)

    def cross(
        self,
        states: Tensor,
        source: Any,
        keys_mask: Tensor | None,
        rows: Tensor | None,
        past: Past | None = None,
        temperature: float = 1.0,
    ) -> tuple[Tensor, Reading | None]:
        """Compute everything after the self-attention.

        The first layer's self-attention sees only the summary, so it is computed once a document
        and copied to the document's pages (``rows``) here.
        """
        if rows is not None:
            states = states[rows]
        inner = self.before(states, self.encoder_attn_layer_norm)
        attended, reading = self.attend(inner, source, keys_mask, past, temperature)
        states = self.add(states, attended, self.encoder_attn_layer_norm)
        return self.feed_forward(states), reading

    def attend(
        self,
        states: Tensor,
        source: Any,
        keys_mask: Tensor | None,
        past: Past | None,
        temperature: float,
    ) -> tuple[Tensor, Reading | None]:
        """The cross-attention."""
        return self.encoder_attn(states, source, keys_mask), None


class DppDecoderLayer(DecoderLayer):
    """A decoder layer whose cross-attention is DPP attention, and returns what it has read."""

    encoder_attn: DppAttention

    def __init__(self, config: Any, heads: int, width: int, has_past: bool, has_next: bool) -> None:
        super().__init__(config, heads, width)
        self.encoder_attn = DppAttention(
            config.d_model, heads, config.attention_dropout, config, has_past, has_next
        )

    def source(self, encoded: Tensor) -> Any:
        return self.encoder_attn.dpp_keys(encoded)

    def stored_source(self, encoded: Tensor) -> Any:
        return self.source(encoded).stored()

    def attend(
        self,
        states: Tensor,
        source: Any,
        keys_mask: Tensor | None,
        past: Past | None,
        temperature: float,
    ) -> tuple[Tensor, Reading | None]:
        return self.encoder_attn.read(states, source, keys_mask, past, temperature)


class Stack(nn.Module):
    """Learned positions, the normalization of the embeddings, and layers."""

    def __init__(self, config: Any, layers: list[Layer]) -> None:
        super().__init__()
        self.dropout = config.dropout
        # whether layers are computed twice in training, to hold less in memory
        self.gradient_checkpointing = False
        self.embed_positions = embedding(
            config.max_position_embeddings + POSITION_OFFSET, config.d_model
        )
        self.layers = nn.ModuleList(layers)
        self.layernorm_embedding = nn.LayerNorm(config.d_model)

    def embed(self, embedded: Tensor, first: int = 0) -> Tensor:
        """Add positions ``first``, ``first + 1``, … to word embeddings ``(rows, tokens, D)``."""
        begin = first + POSITION_OFFSET
        positions = self.embed_positions.weight[begin : begin + embedded.shape[1]]
        return F.dropout(
            self.layernorm_embedding(embedded + positions), self.dropout, self.training
        )

    def run(self, layer: Callable[..., Any], *inputs: Any) -> Any:
        """Apply one of the layers."""
        if self.gradient_checkpointing and self.training and torch.is_grad_enabled():
            return checkpoint(layer, *inputs, use_reentrant=False)
        return layer(*inputs)


class Encoder(Stack):
    """A stack of encoder layers that reads each row alone; positions begin again on each."""

    def __init__(self, config: Any) -> None:
        layers = [
            EncoderLayer(config, config.encoder_attention_heads, config.encoder_ffn_dim)
            for _ in range(config.encoder_layers)
        ]
        super().__init__(config, list(layers))

    def forward(self, embedded: Tensor, mask: Tensor, places: Tensor | None = None) -> Tensor:
        """Word embeddings ``(N, S, D)`` and mask ``(N, S)`` → states ``(N, S, D)``, or those at
        places ``(N, Q)``.
        """
        states = self.embed(embedded)
        keys_mask = None if bool(mask.all()) else mask[:, None, None]
        for layer in self.layers[:-1]:
            states = self.run(layer, states, keys_mask)
        last = cast(EncoderLayer, self.layers[-1])
        if places is None:
            return self.run(last, states, keys_mask)
        return self.run(last.at, states, keys_mask, places)


@dataclass(frozen=True)
class Encoded:
    """Rows that a decoder reads together."""

    states: Tensor  # ``(N, S, D)``, the encoder's
    # ``(N, 1, 1, S)``, True where a token is; None where nothing is padded
    keys_mask: Tensor | None
    document: Tensor  # ``(N,)``, the document of each row


MixReadings = Callable[[Tensor, Tensor], Tensor]
"""A layer's states and what it has read, ``(N, T, D)`` each → what was read on a document's rows,
``(B, T, D)``.
"""


class Decoder(Stack):
    """A stack of decoder layers."""

    @property
    def decoder_layers(self) -> list[DecoderLayer]:
        """The layers with their type."""
        return [layer for layer in self.layers if isinstance(layer, DecoderLayer)]

    def __init__(self, config: Any) -> None:
        sizes = (config, config.decoder_attention_heads, config.decoder_ffn_dim)
        last = config.decoder_layers - 1
        layers = [
            DppDecoderLayer(*sizes, has_past=number > 0, has_next=number < last)
            if config.dpp
            else DecoderLayer(*sizes)
            for number in range(config.decoder_layers)
        ]
        super().__init__(config, list(layers))
        self.config = config

    def forward(
        self,
        embedded: Tensor,
        decoder_mask: Tensor | None,
        groups: Sequence[Encoded],
        mix_readings: MixReadings | None = None,
    ) -> list[Tensor]:
        """Compute whole summaries → states ``(N, T, D)`` of each group.

        All groups go through a layer before the next one, so that their rows can meet.

        Args:
            embedded, decoder_mask: Word embeddings ``(B, T, D)``, and ``(B, T)``, None where
            nothing is padded.
            groups: What is read.
            mix_readings: With DPP attention across pages; None where each row has its own past.
        """
        length = embedded.shape[1]
        states = [self.embed(embedded) for _ in groups]
        pasts: list[Past | None] = [None] * len(groups)
        mask: Tensor | None = None
        if decoder_mask is not None and not bool(decoder_mask.all()):
            causal = torch.ones(length, length, dtype=torch.bool, device=embedded.device).tril()
            mask = causal & decoder_mask.bool()[:, None, None]
        # of all layers but the first
        masks = [None if mask is None else mask[group.document] for group in groups]
        for number, layer in enumerate(self.layers):
            readings = []
            for item, group in enumerate(groups):
                own_mask, rows = (mask, group.document) if number == 0 else (masks[item], None)
                inputs = (states[item], group.states, group.keys_mask, own_mask, rows, pasts[item])
                states[item], reading = self.run(layer, *inputs)
                if reading is not None and reading.keys is not None:
                    readings.append(reading.keys)
            if readings:
                pasts = self._pasts(groups, states, readings, mix_readings)
        return states

    def _pasts(
        self,
        groups: Sequence[Encoded],
        states: list[Tensor],
        readings: list[Tensor],
        mix_readings: MixReadings | None,
    ) -> list[Past | None]:
        if mix_readings is None:
            return [Past.of_steps(read, self.config.dpp_first_step) for read in readings]
        together = Past.of_steps(
            mix_readings(torch.cat(states), torch.cat(readings)), self.config.dpp_first_step
        )
        return [together.of_rows(group.document) for group in groups]
