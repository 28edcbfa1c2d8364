"""A PageSum model that begins as a BERT-like encoder."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from ..model.configuration import PageSumConfig
from ..model.modeling import POSITION_OFFSET, PageSumForConditionalGeneration

# A BERT layer's parts under BART's names.
PARTS = {
    "attention.self.query": "self_attn.q_proj",
    "attention.self.key": "self_attn.k_proj",
    "attention.self.value": "self_attn.v_proj",
    "attention.output.dense": "self_attn.out_proj",
    "attention.output.LayerNorm": "self_attn_layer_norm",
    "intermediate.dense": "fc1",
    "output.dense": "fc2",
    "output.LayerNorm": "final_layer_norm",
}


def warm_start(encoder: Path, decoder_layers: tuple[int, ...], **settings: object) -> PageSumForConditionalGeneration:
    """A model whose encoder computes what a BERT-like encoder computes, and whose decoder starts from its layers.

    BERT's layers map onto BART's one to one; its position and first segment embeddings add up to BART's positions.
    Outputs agree to about 1e-3: the normalizations' ε differ. Decoder layers copy the encoder layers named, their
    cross-attention too; the confidence layer starts at zero, so that all pages weigh the same.

    Args:
        encoder: folder with ``config.json`` and ``model.safetensors`` of a BERT-like model.
        decoder_layers: for each decoder layer, the encoder layer that it starts from.
        settings: further fields of :class:`PageSumConfig`.
    """
    bert = json.loads((encoder / "config.json").read_text())
    weights = load_file(encoder / "model.safetensors")
    positions = bert["max_position_embeddings"]
    config = PageSumConfig(
        vocab_size=bert["vocab_size"],
        d_model=bert["hidden_size"],
        encoder_layers=bert["num_hidden_layers"],
        decoder_layers=len(decoder_layers),
        encoder_attention_heads=bert["num_attention_heads"],
        decoder_attention_heads=bert["num_attention_heads"],
        encoder_ffn_dim=bert["intermediate_size"],
        decoder_ffn_dim=bert["intermediate_size"],
        activation_function=bert["hidden_act"],
        max_position_embeddings=positions,
        pad_token_id=bert["pad_token_id"],
        **settings,
    )
    model = PageSumForConditionalGeneration(config)
    nn.init.zeros_(model.lin.weight)
    body = model.model
    with torch.no_grad():
        body.shared.weight.copy_(weights["embeddings.word_embeddings.weight"])
        segment = weights["embeddings.token_type_embeddings.weight"][0]
        embedded = weights["embeddings.position_embeddings.weight"] + segment
        for stack in (body.encoder, body.decoder):
            stack.embed_positions.weight[:POSITION_OFFSET] = 0
            stack.embed_positions.weight[POSITION_OFFSET:] = embedded
            _copy(stack.layernorm_embedding, weights, "embeddings.LayerNorm")
        for number, layer in enumerate(body.encoder.layers):
            _copy_layer(layer, weights, number)
        for number, layer in zip(decoder_layers, body.decoder.layers, strict=True):
            _copy_layer(layer, weights, number)
            layer.encoder_attn.load_state_dict(layer.self_attn.state_dict())
            layer.encoder_attn_layer_norm.load_state_dict(layer.self_attn_layer_norm.state_dict())
    return model


def _copy_layer(layer: nn.Module, weights: dict[str, Tensor], number: int) -> None:
    for theirs, ours in PARTS.items():
        _copy(layer.get_submodule(ours), weights, f"encoder.layer.{number}.{theirs}")


def _copy(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    module.load_state_dict({kind: weights[f"{name}.{kind}"] for kind in ("weight", "bias")})
