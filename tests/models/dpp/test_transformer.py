"""The copy Transformer beside its equations written out, a step and a head at a time."""

import math
from typing import Any

import pytest
import tiny
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pagesum_cli.models.dpp.model import Source
from pagesum_cli.models.dpp.transformer import CopyTransformer, sinusoids
from pagesum_cli.models.layers.transformer import DppDecoderLayer, EncoderLayer

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "plain post-norm": {"norm_first": False, "tie_output": True},
    "dpp": {"dpp": True},
    "dpp key": {"dpp": True, "dpp_past": "key", "dpp_first_step": "ones"},
    "dpp of the paper": {
        "dpp": True,
        "norm_first": False,
        "dpp_square": False,
        "dpp_past": "none",
        "dpp_rescale": False,
    },
}
IDS = torch.tensor([5, 9, 13, 4, 9, 13, 3])  # 13: a word that the vocabulary lacks
SUMMARY = torch.tensor([1, 9, 13, 4, 5])


def embedded(model: CopyTransformer, ids: Tensor) -> Tensor:
    words = [
        model.shared.weight[token] * math.sqrt(model.config.d_model)
        for token in model.known(ids).tolist()
    ]
    return torch.stack(words) + sinusoids(0, len(ids), model.config.d_model, model.shared.weight)


def encoded(model: CopyTransformer, ids: Tensor) -> Tensor:
    """By torch's own layers."""
    config, states = model.config, embedded(model, ids)[None]
    shape = (config.d_model, config.encoder_attention_heads, config.encoder_ffn_dim)
    for block in model.encoder:
        assert isinstance(block, EncoderLayer)
        layer = (
            nn.TransformerEncoderLayer(*shape, 0.0, batch_first=True, norm_first=config.norm_first)
            .double()
            .train()
        )
        own = block.self_attn
        weights = {
            "self_attn.in_proj_weight": torch.cat(
                [own.q_proj.weight, own.k_proj.weight, own.v_proj.weight]
            )
        }
        weights["self_attn.in_proj_bias"] = torch.cat(
            [own.q_proj.bias, own.k_proj.bias, own.v_proj.bias]
        )
        parts = {"self_attn.out_proj": own.out_proj, "linear1": block.fc1, "linear2": block.fc2}
        parts |= {"norm1": block.self_attn_layer_norm, "norm2": block.final_layer_norm}
        for name, part in parts.items():
            weights |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
        layer.load_state_dict(weights)
        states = layer(states)
    return (model.encoder_norm(states) if config.norm_first else states)[0]


def test_positions_are_sines_and_cosines() -> None:
    found = sinusoids(3, 50, 8, torch.empty(0))
    for place in range(50):
        angles = [(place + 3) / 10000 ** (2 * i / 8) for i in range(4)]
        waves = [wave(angle) for angle in angles for wave in (math.sin, math.cos)]
        assert found[place].tolist() == pytest.approx(waves, abs=1e-5)


def heads(model: CopyTransformer, vector: Tensor) -> list[Tensor]:
    return list(vector.split(model.config.d_model // model.config.decoder_attention_heads))


def layer_steps(
    model: CopyTransformer,
    block: DppDecoderLayer,
    inputs: list[Tensor],
    source: Tensor,
    below: list[Tensor] | None,
) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Outputs, weights ``(H, J)`` and keys read of each step of one decoder layer (eq. 17–22)."""
    config, size = model.config, model.config.d_model // model.config.decoder_attention_heads

    def sublayer(norm: nn.LayerNorm, state: Tensor, change: Any) -> Tensor:
        return state + change(norm(state)) if config.norm_first else norm(state + change(state))

    outputs, all_weights, all_read = [], [], []
    seen: list[Tensor] = []
    for t, state in enumerate(inputs):

        def attend_self(state: Tensor) -> Tensor:
            own, mixed = block.self_attn, []
            seen.append(state)
            for head in range(config.decoder_attention_heads):
                query = heads(model, own.q_proj(state))[head]
                scores = [
                    query @ heads(model, own.k_proj(one))[head] / math.sqrt(size) for one in seen
                ]
                shares = torch.stack(scores).softmax(0)
                mixed.append(
                    sum(
                        a * heads(model, own.v_proj(one))[head]
                        for a, one in zip(shares, seen, strict=True)
                    )
                )
            return own.out_proj(torch.cat(mixed))

        weights: list[Tensor] = []
        read: list[Tensor] = []

        def attend_source(
            state: Tensor, t: int = t, weights: list = weights, read: list = read
        ) -> Tensor:
            cross, mixed = block.encoder_attn, []
            for head in range(config.decoder_attention_heads):
                query = heads(model, cross.q_proj(state))[head]
                keys = torch.stack([heads(model, cross.k_proj(one))[head] for one in source])
                values = torch.stack([heads(model, cross.v_proj(one))[head] for one in source])
                omega = (keys @ query / math.sqrt(size)).softmax(0)
                if below is not None and (t or config.dpp_first_step == "ones"):
                    past = (
                        torch.stack(below[:t]).mean(0) if t else torch.ones(config.d_model).double()
                    )
                    if config.dpp_past != "none":
                        past = (cross.past_proj if config.dpp_past == "own" else cross.k_proj)(past)
                    cosine = F.cosine_similarity(heads(model, past)[head][None], keys)
                    omega = omega * (1 - (cosine**2 if config.dpp_square else cosine))
                    omega = omega / omega.sum() if config.dpp_rescale else omega
                weights.append(omega)
                mixed.append(omega @ values)
                read.append(omega @ keys)
            return cross.out_proj(torch.cat(mixed))

        state = sublayer(block.self_attn_layer_norm, state, attend_self)
        state = sublayer(block.encoder_attn_layer_norm, state, attend_source)
        outputs.append(
            sublayer(block.final_layer_norm, state, lambda one: block.fc2(block.fc1(one).relu()))
        )
        all_weights.append(torch.stack(weights))
        all_read.append(torch.cat(read))
    return outputs, all_weights, all_read


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_step_is_the_equations(variant: str) -> None:
    model = tiny.sequence("transformer", **VARIANTS[variant]).double()
    assert isinstance(model, CopyTransformer)
    config = model.config
    with torch.no_grad():
        decoded = model.decode(
            model.encode_source(Source.join(IDS[None, None], None)), SUMMARY[None]
        )
        found = model(IDS[None, None], decoder_input_ids=SUMMARY[None]).logits[0]
        source, states = encoded(model, IDS), list(embedded(model, SUMMARY))
        below, layers = None, []
        for block in list(model.decoder):
            states, weights, read = layer_steps(model, block, states, source, below)
            below = read if config.dpp else None
            layers.append(torch.stack(weights))  # (T, H, J)
        if config.norm_first:
            states = [model.decoder_norm(state) for state in states]
        torch.testing.assert_close(decoded.states[0], torch.stack(states), rtol=0, atol=1e-10)
        copied = layers[-1][:, 0] / layers[-1][:, 0].sum(-1, keepdim=True)
        torch.testing.assert_close(decoded.attention[0], copied, rtol=0, atol=1e-10)
        torch.testing.assert_close(
            decoded.mean_attention[0], torch.stack(layers).mean((0, 2)), rtol=0, atol=1e-10
        )
        for t, state in enumerate(states):
            p = (model.copy_gate.weight[0] @ state + model.copy_gate.bias[0]).sigmoid()
            words = model.shared.weight if config.tie_output else model.to_vocabulary
            expected = torch.zeros(14).double()
            expected[:12] = (1 - p) * (words @ state + model.output_bias).softmax(0)
            for j, token in enumerate(IDS.tolist()):
                expected[token] += p * copied[t, j]
            torch.testing.assert_close(found[t].exp().double(), expected, rtol=0, atol=1e-6)
