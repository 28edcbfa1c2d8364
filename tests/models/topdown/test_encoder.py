"""The encoder against a plain, slow computation of the paper's formulas, token by token."""

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from tiny import page_batch, topdown
from torch import Tensor

from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.layers.attention import Attention
from pagesum_cli.models.topdown.encoder import TopDownEncoder, pool
from pagesum_cli.models.topdown.model import TopDownModel

# The formulas, for one document


def attend(attention: Attention, states: Tensor, others: Tensor, reach: float) -> Tensor:
    """Each state reads those of the others that are at most ``reach`` away."""
    size = states.shape[1] // attention.heads
    queries, keys, values = (
        attention.q_proj(states),
        attention.k_proj(others),
        attention.v_proj(others),
    )
    rows = []
    for i, query in enumerate(queries):
        near = [j for j in range(len(others)) if abs(i - j) <= reach]
        heads = []
        for head in range(attention.heads):
            part = slice(head * size, (head + 1) * size)
            weights = (
                torch.stack([query[part] @ keys[j, part] for j in near]).div(math.sqrt(size)).exp()
            )
            heads.append(
                sum(w * values[j, part] for w, j in zip(weights / weights.sum(), near, strict=True))
            )
        rows.append(torch.cat(heads))
    return attention.out_proj(torch.stack(rows))


def feed_forward(layer: Any, states: Tensor) -> Tensor:
    return layer.final_layer_norm(states + layer.fc2(F.gelu(layer.fc1(states))))


def slow(
    encoder: TopDownEncoder, embedded: Tensor, places: list[int], importance: Tensor | None
) -> Tensor:
    """``(L, D)`` → ``(L, D)``."""
    config = encoder.config
    positions = torch.stack([encoder.embed_positions.weight[place + 2] for place in places])
    states = encoder.layernorm_embedding(embedded + positions)
    segments = None
    for number, layer in enumerate(encoder.layers):
        if config.update != "none" and number == config.local_layers:
            segments = slow_segments(encoder, states, importance)
        states = layer.self_attn_layer_norm(
            states + attend(layer.self_attn, states, states, config.window // 2)
        )
        if segments is not None and config.update == "attention":  # eq. 1, 2
            read = attend(layer.segment_attn, states, segments, math.inf)
            states = states + layer.segment_attn_layer_norm(read)
        elif segments is not None:
            middle = (config.kernel - config.stride) / 2
            own = [
                min(max(math.floor((i - middle) / config.stride), 0), len(segments) - 1)
                for i in range(len(states))
            ]
            pairs = [
                torch.cat([state, segments[one]]) for state, one in zip(states, own, strict=True)
            ]
            states = layer.segment_proj(torch.stack(pairs))
        states = feed_forward(layer, states)
    return states


def slow_segments(encoder: TopDownEncoder, states: Tensor, importance: Tensor | None) -> Tensor:
    """Eq. 3 and 4, and the segment layers."""
    config, length = encoder.config, len(states)
    count = min(math.ceil(max(length - config.kernel, 0) / config.stride) + 1, config.max_segments)
    rows = []
    for j in range(count):
        inside = range(j * config.stride, min(j * config.stride + config.kernel, length))
        weights = [1.0 if importance is None else math.exp(importance[n]) for n in inside]
        rows.append(sum(w * states[n] for w, n in zip(weights, inside, strict=True)) / sum(weights))
        if config.segment_positions:
            rows[-1] = rows[-1] + encoder.segment_positions.weight[j]
    segments = torch.stack(rows)
    for layer in encoder.segment_layers:
        read = attend(layer.self_attn, segments, segments, math.inf)
        segments = feed_forward(layer, layer.self_attn_layer_norm(segments + read))
    return segments


def read_tokens(
    model: TopDownModel, batch: PageBatch, document: int
) -> tuple[list[int], list[int], list[float]]:
    """Token ids, positions and importance of a document."""
    config = model.config
    assert batch.attention_mask is not None
    assert batch.importance is not None
    pages = [p for p in range(batch.input_ids.shape[1]) if batch.attention_mask[document, p].any()]
    ids, places, importance = [], [], []
    for p in pages:
        length = int(batch.attention_mask[document, p].sum())
        first = 0 if p == pages[0] or config.special_tokens == "page" else 1
        last = length if p == pages[-1] or config.special_tokens == "page" else length - 1
        ids += batch.input_ids[document, p, first:last].tolist()
        places += range(last - first)
        importance += batch.importance[document, p, first:last].tolist()
    if config.positions == "document":
        places = list(range(len(ids)))
    return ids, places, importance


CASES: list[dict[str, Any]] = [
    {},
    {"segment_positions": True, "window": 7},
    {"update": "concat"},
    {"update": "none"},
    {"pooling": "oracle"},
    {"pooling": "adaptive"},
    {"pooling": "oracle", "update": "concat"},
    {"positions": "page"},
    {"special_tokens": "page"},
    {"special_tokens": "page", "positions": "page", "pooling": "adaptive"},
    {"max_segments": 3},
    {"max_segments": 3, "update": "concat", "stride": 8},
    {"local_layers": 0},
]


@pytest.mark.parametrize("changes", CASES, ids=str)
@torch.no_grad()
def test_the_encoder_computes_the_formulas(changes: dict[str, Any]) -> None:
    model = topdown(**changes)
    batch = page_batch([9, 14, 5], [3], [1, 20])
    if changes.get("pooling") == "adaptive":
        batch = PageBatch(batch.input_ids, batch.attention_mask, importance=None)
    memory = model.encode(batch)
    states = memory.states
    known = PageBatch(
        batch.input_ids, batch.attention_mask, importance=torch.zeros(batch.input_ids.shape)
    )
    for document in range(3):
        ids, places, importance = read_tokens(
            model, known if batch.importance is None else batch, document
        )
        weights = None
        if changes.get("pooling") == "oracle":
            weights = torch.tensor(importance)
        elif changes.get("pooling") == "adaptive":
            tagger = model.tagger
            logits = tagger.classifier(
                slow(tagger.encoder, tagger.shared.weight[ids], places, None)
            )[:, 0]
            weights = logits.sigmoid() * torch.tensor(
                [
                    token not in (model.config.bos_token_id, model.config.eos_token_id)
                    for token in ids
                ]
            )
        expected = slow(model.model.encoder, model.model.shared.weight[ids], places, weights)
        torch.testing.assert_close(states[document, : len(ids)], expected, atol=2e-6, rtol=0)


@torch.no_grad()
def test_importance_shifts_segments_to_what_is_important() -> None:
    model, batch = topdown(pooling="oracle"), page_batch([30])
    assert batch.importance is not None
    by_labels, by_none = (
        model.encode(PageBatch(batch.input_ids, batch.attention_mask, importance=importance)).states
        for importance in (batch.importance, torch.zeros_like(batch.importance))
    )
    plain = topdown()
    plain.load_state_dict(model.state_dict())
    average = plain.encode(batch).states
    torch.testing.assert_close(by_none, average)  # equal importance is the mean
    assert not torch.allclose(by_labels, average)


def test_segments_are_pooled_in_the_models_precision() -> None:
    model = topdown()
    states = torch.randn(1, 13, 4, dtype=torch.float64)
    importance = torch.rand(1, 13, dtype=torch.float64)
    pooled, _ = pool(states, torch.ones(1, 13, dtype=torch.bool), importance, model.config)
    weights = importance[0, :8].exp()
    # the first segment, of a kernel of 8
    expected = (weights[:, None] * states[0, :8]).sum(0) / weights.sum()
    torch.testing.assert_close(pooled[0, 0], expected, atol=1e-14, rtol=0)
