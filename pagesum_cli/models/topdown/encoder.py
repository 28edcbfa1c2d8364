"""The encoder: bottom-up token layers, segments that see each other, and top-down token layers.

Pang et al., "Long Document Summarization with Top-down and Bottom-up Inference", 2022. ``L`` tokens
of a document, ``M`` segments, ``k`` the kernel and ``s`` the stride of pooling.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..base import PageBatch
from ..configuration import choice
from ..layers.attention import Attention
from ..layers.packing import PackedPages
from ..layers.transformer import POSITION_OFFSET, EncoderLayer, LocalEncoderLayer, Stack, embedding
from ..pagesum import PageSumConfig


@dataclass
class TopDownConfig(PageSumConfig):
    """BART's configuration, and how tokens and segments meet. The defaults are the paper's, for
    BART-large.
    """

    model_type: ClassVar[str] = "topdown"

    # ``global``: one decoder reads all tokens (the paper). ``pages``: PageSum's, where each page is
    # decoded alone; its tokens have read those of other pages through windows and segments.
    decoding: str = choice("global", "pages")
    # ``N1``, token layers before the top-down update, of ``encoder_layers`` (12); the others
    # (``N3``) are top-down layers. By default two thirds.
    local_layers: int | None = None
    segment_layers: int = 2  # ``N2``
    window: int = 1024  # ``w``; a token sees ``w // 2`` tokens to either side
    # kernel, stride: tokens of a segment, and how far the next one begins
    kernel: int = 32
    stride: int = 24
    max_segments: int = 512  # tokens after the last segment are in none, but read all of them
    # Whether segments have learned positions. (The paper does not say; its number of parameters
    # speaks for none.)
    segment_positions: bool = False
    # How tokens become segments (eq. 3, 4). ``average``: AvgPool. ``adaptive``: AdaPool, by the
    # importance that a tagger inside the model predicts. ``oracle``: by given importance.
    pooling: str = choice("average", "adaptive", "oracle")
    # How tokens read segments in the top-down layers: by cross-``attention``, by ``concat`` with
    # their own segment, or ``none``, where all layers are local.
    update: str = choice("attention", "concat", "none")
    # With what factor the update of a new model begins: 1 as normalized states have it; with 0 a
    # model made from a BART computes what it would without the update until it is trained. (The
    # paper does not say.)
    update_gain: float = 1.0
    max_source_positions: int = 16384  # positions of the encoder, for all tokens of a document
    # Whether they run through the ``document`` or begin again on each ``page``
    positions: str = choice("document", "page")
    # Whether a start and an end token surround the ``document`` or each ``page``
    special_tokens: str = choice("document", "page")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.local_layers is None:
            self.local_layers = self.encoder_layers - self.encoder_layers // 3
        if self.source_tokens is None and self.positions == "document":
            self.source_tokens = max(self.max_source_positions - 2, 1)

    def check(self) -> None:
        super().check()
        if not 0 <= (self.local_layers or 0) <= self.encoder_layers:
            raise ValueError(
                f"local_layers is {self.local_layers}, expected at most {self.encoder_layers}"
            )
        if self.stride > self.kernel:
            raise ValueError(
                f"stride is {self.stride}, expected at most kernel, {self.kernel}: "
                f"no token is left out"
            )
        if self.update == "none" and self.pooling != "average":
            raise ValueError(
                f"pooling is {self.pooling!r}, but without an update nothing is pooled"
            )

    @property
    def max_source_tokens(self) -> int | None:
        """Tokens that a document may have; None for any number, where positions begin again on each
        page.
        """
        return self.max_source_positions if self.positions == "document" else None

    @property
    def reach(self) -> int:
        """How far a token sees to either side."""
        return self.window // 2

    def segments(self, tokens: int) -> int:
        """``M`` of a document: as many as cover its tokens, at most ``max_segments``."""
        return min(-(-max(tokens - self.kernel, 0) // self.stride) + 1, self.max_segments)


@dataclass
class TaggerConfig(TopDownConfig):
    """The configuration of an importance tagger: that of the summarizer which it serves, whose
    decoder it lacks.
    """

    model_type: ClassVar[str] = "topdown-tagger"

    def check(self) -> None:
        super().check()
        if self.pooling != "average":
            raise ValueError(f"pooling is {self.pooling!r}, expected average in a tagger")


class TopDownLayer(LocalEncoderLayer):
    """A token layer that reads the segments between its self-attention and its feed-forward
    part.
    """

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config, config.encoder_attention_heads, config.encoder_ffn_dim)
        self.config = config
        if config.update == "attention":
            self.segment_attn = Attention(
                config.d_model, config.encoder_attention_heads, config.attention_dropout
            )
            self.segment_attn_layer_norm = nn.LayerNorm(config.d_model)
        else:
            self.segment_proj = nn.Linear(2 * config.d_model, config.d_model)

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None,
        reach: int = 0,
        segments: Tensor | None = None,
        segments_mask: Tensor | None = None,
    ) -> Tensor:
        """Tokens ``(B, L, D)`` → ``(B, L, D)``; segments ``(B, M, D)``, mask ``(B, 1, 1, M)`` or
        None.
        """
        assert segments is not None
        states = self.attend_locally(states, mask, reach)
        if self.config.update == "attention":
            read = self.segment_attn(states, self.segment_attn.keys_values(segments), segments_mask)
            # Eq. 1: the normalization is inside the residual sum.
            states = states + F.dropout(
                self.segment_attn_layer_norm(read), self.dropout, self.training
            )
        else:
            rows = torch.arange(len(segments), device=segments.device)
            counts = (
                torch.full_like(rows, segments.shape[1])
                if segments_mask is None
                else segments_mask.sum((1, 2, 3))
            )
            read = segments[rows[:, None], own_segment(states.shape[1], counts, self.config)]
            states = self.segment_proj(torch.cat([states, read], dim=-1))
        return self.feed_forward(states)


class TopDownEncoder(Stack):
    """Token layers under BART's names, the last ones with the top-down update if there is one, and
    segment layers.
    """

    def __init__(self, config: TopDownConfig) -> None:
        shape = (config, config.encoder_attention_heads, config.encoder_ffn_dim)
        local = config.encoder_layers if config.update == "none" else config.local_layers or 0
        bottom_up = [LocalEncoderLayer(*shape) for _ in range(local)]
        super().__init__(
            config,
            [*bottom_up, *(TopDownLayer(config) for _ in range(config.encoder_layers - local))],
        )
        self.config = config
        self.local_layers = local
        self.embed_positions = embedding(
            config.max_source_positions + POSITION_OFFSET, config.d_model
        )
        if config.update != "none":
            self.segment_layers = nn.ModuleList(
                EncoderLayer(*shape) for _ in range(config.segment_layers)
            )
            if config.segment_positions:
                self.segment_positions = embedding(config.max_segments, config.d_model)

    def forward(
        self, embedded: Tensor, mask: Tensor, places: Tensor, importance: Tensor | None = None
    ) -> Tensor:
        """Encode documents: word embeddings ``(B, L, D)`` → ``(B, L, D)``.

        The mask ``(B, L)`` is True where a token is, before padding; ``places`` ``(B, L)`` are the
        tokens' positions, ``importance`` ``(B, L)`` is p of eq. 4; None to average.
        """
        positions = self.embed_positions(places + POSITION_OFFSET)
        states = F.dropout(
            self.layernorm_embedding(embedded + positions), self.dropout, self.training
        )
        known = None if bool(mask.all()) else mask
        for layer in self.layers[: self.local_layers]:
            states = self.run(layer, states, known, self.config.reach)
        if self.local_layers < len(self.layers):
            segments, segments_mask = self.segments(states, mask, importance)
            for layer in self.layers[self.local_layers :]:
                states = self.run(layer, states, known, self.config.reach, segments, segments_mask)
        return states

    def segments(
        self, states: Tensor, mask: Tensor, importance: Tensor | None
    ) -> tuple[Tensor, Tensor | None]:
        """The segments of tokens ``(B, L, D)`` after their layers, ``(B, M, D)``, and the mask
        ``(B, 1, 1, M)``.
        """
        pooled, used = pool(states, mask, importance, self.config)
        if self.config.segment_positions:
            pooled = pooled + self.segment_positions.weight[: pooled.shape[1]]
        segments_mask = None if bool(used.all()) else used[:, None, None]
        for layer in self.segment_layers:
            pooled = self.run(layer, pooled, segments_mask)
        return pooled, segments_mask


def pool(
    states: Tensor, mask: Tensor, importance: Tensor | None, config: TopDownConfig
) -> tuple[Tensor, Tensor]:
    """Pool tokens to segments: the mean of each, or weighted by the softmax of their importance
    (eq. 3, 4).

    States ``(B, L, D)``; mask ``(B, L)``, padding weighs nothing; importance ``(B, L)``, None for
    the mean → ``(B, M, D)``, and ``(B, M)``, True where a segment has tokens that none before it
    has.
    """
    count = config.segments(states.shape[1])
    end = (count - 1) * config.stride + config.kernel
    kind = torch.promote_types(states.dtype, torch.float32)
    weights = mask.to(kind) if importance is None else importance.to(kind).exp() * mask
    more = max(end - states.shape[1], 0)
    states, weights = F.pad(states, (0, 0, 0, more))[:, :end], F.pad(weights, (0, more))[:, :end]
    windows = states.unfold(1, config.kernel, config.stride)  # (B, M, D, k)
    shares = weights.unfold(1, config.kernel, config.stride)  # (B, M, k)
    shares = shares / shares.sum(-1, keepdim=True).clamp(min=1e-9)
    pooled = (windows @ shares.to(states.dtype).unsqueeze(-1)).squeeze(-1)
    counts = torch.tensor(
        [config.segments(tokens) for tokens in mask.sum(-1).tolist()], device=mask.device
    )
    return pooled, torch.arange(count, device=mask.device) < counts[:, None]


def own_segment(tokens: int, counts: Tensor, config: TopDownConfig) -> Tensor:
    """The segment ``(B, L)`` that each token belongs to: the one whose middle is nearest."""
    places = torch.arange(tokens, device=counts.device) - (config.kernel - config.stride) // 2
    return (
        places.div(config.stride, rounding_mode="floor").clamp(min=0).minimum(counts[:, None] - 1)
    )


def with_repeated_positions(weights: dict[str, Tensor], config: TopDownConfig) -> dict[str, Tensor]:
    """The weights of a model, the positions of its encoder repeated as in LED until there are
    enough.
    """
    name = "model.encoder.embed_positions.weight"
    unused, known = weights[name].tensor_split([POSITION_OFFSET])
    rows = torch.arange(config.max_source_positions, device=known.device) % len(known)
    return {**weights, name: torch.cat([unused, known[rows]])}


def init_updates(model: nn.Module) -> None:
    """Let what tokens read of segments begin with the factor ``update_gain``; nothing on the meta
    device.
    """
    for layer in model.modules():
        if not isinstance(layer, TopDownLayer) or layer.fc1.weight.is_meta:
            continue
        gain, width = layer.config.update_gain, layer.config.d_model
        if layer.config.update == "attention":
            nn.init.constant_(layer.segment_attn_layer_norm.weight, gain)
        else:
            nn.init.eye_(layer.segment_proj.weight.data[:, :width])
            layer.segment_proj.weight.data[:, width:] *= gain


# Pages of a document → one sequence of tokens, as the encoder reads it


@dataclass(frozen=True)
class Joined:
    """The tokens of documents."""

    ids: Tensor  # ``(B, L)``
    mask: Tensor  # ``(B, L)``, True where a token is
    places: Tensor  # ``(B, L)``, the position of each token


def pack(batch: PageBatch, config: TopDownConfig) -> PackedPages:
    """The pages that hold any token that is read."""
    pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
    mask = have_position(pages, config)
    rows = mask.any(-1)
    return replace(
        pages,
        input_ids=pages.input_ids[rows],
        mask=mask[rows],
        document=pages.document[rows],
        page=pages.page[rows],
    )


def kept(pages: PackedPages, config: TopDownConfig) -> Tensor:
    """All tokens ``(N, S)`` but the special ones between pages, where only documents have them."""
    mask, document = pages.mask, pages.document
    if config.special_tokens == "page":
        return mask
    order = mask.cumsum(-1) * mask
    last = order.amax(-1, keepdim=True)
    is_next = document[1:] == document[:-1]
    begins, ends = ~F.pad(is_next, (1, 0)), ~F.pad(is_next, (0, 1))
    between = (order == 1) & ~begins[:, None] | (order == last) & ~ends[:, None]
    return mask & ~(between & (last > 2))  # a page has at least one token


def have_position(pages: PackedPages, config: TopDownConfig) -> Tensor:
    """The tokens ``(N, S)`` of :func:`kept` that the encoder's positions suffice for."""
    read = kept(pages, config)
    order = read.cumsum(-1)
    if config.positions == "document":
        counts = read.sum(-1)
        lengths = counts.new_zeros(pages.batch).index_add_(0, pages.document, counts)
        before = counts.cumsum(0) - counts - (lengths.cumsum(0) - lengths)[pages.document]
        order = order + before[:, None]
    return read & (order <= config.max_source_positions)


def join(pages: PackedPages, config: TopDownConfig) -> Joined:
    """The tokens of each document, one page after another."""
    own = pages.mask.cumsum(-1) - 1  # (N, S): place on the page
    joined, mask, _ = pages.join(torch.stack([pages.input_ids, own], dim=-1))
    ids, places = joined.unbind(-1)  # (B, L)
    if config.positions == "document":
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    return Joined(ids, mask, places)
