"""New models that begin with a trained encoder: a BERT-like one, or that of a checkpoint."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import processors
from torch import Tensor

from ..errors import PagesumError, UsageError
from ..text.tables import table
from ..tokenization import CONTROL_TOKENS, PageTokenizer
from .base import PageModel
from .catalog import MODEL_TYPES, checkpoint_folder, json_of
from .gguf import is_gguf
from .language_models import language_model_folder
from .layers.transformer import POSITION_OFFSET, Decoder, DecoderLayer, Encoder, EncoderLayer
from .weights import first_line

DECODER_LAYERS = 3
FIRST_CONTROL_TOKEN = 1  # the first of BERT's unused tokens, which become control tokens

# Configuration that a new model takes over from a checkpoint with its encoder.
TAKEN_OVER = (
    *(
        "vocab_size",
        "d_model",
        "max_position_embeddings",
        "pad_token_id",
        "bos_token_id",
        "eos_token_id",
    ),
    *("page_tokens", "first_control_token", "dropout"),
    *("encoder_layers", "encoder_attention_heads", "encoder_ffn_dim", "activation_function"),
)


@dataclass(frozen=True)
class TrainedEncoder:
    """An encoder that a new model begins with."""

    config: dict[str, Any]  # its part of a model's configuration
    words: Tensor  # word embeddings ``(V, D)``
    stack: dict[str, Tensor]  # the state of :class:`~pagesum_cli.models.layers.transformer.Encoder`
    tokenizer: PageTokenizer  # its tokenizer


def from_encoder(
    name: str,
    family: type[PageModel],
    *,
    decoder_layers: Sequence[int] = (),
    scoring_layers: int = 2,
    seed: int = 0,
) -> tuple[PageModel, PageTokenizer]:
    """A new model of a family with a trained encoder."""
    if family.vocabulary_of == "words":
        message = (
            f"--init-encoder with a {family.config_class.model_type} model, whose kind of encoder "
            "is not supported"
        )
        raise UsageError(message, "--init scratch")
    if family.reads_with_language_model:
        with language_model_folder(name) as folder:
            return family.from_language_model(folder, scoring_layers)
    if is_gguf(name):
        message = f"--init-encoder {name}: a GGUF file, which only the task quotes starts from"
        raise UsageError(message, "--preset quotes, or the folder of an encoder")
    folder = checkpoint_folder(name, weights=True)
    is_checkpoint = json_of(folder).get("model_type") in MODEL_TYPES
    encoder = checkpoint_encoder(name) if is_checkpoint else bert_encoder(folder)
    config = dict(encoder.config)
    needs_control_tokens = family.needs_control_tokens and config.get("first_control_token") is None
    if needs_control_tokens:
        config["first_control_token"] = FIRST_CONTROL_TOKEN
    layers = decoder_layers or _spread(config["encoder_layers"], DECODER_LAYERS)
    if max(layers) >= config["encoder_layers"]:
        raise PagesumError(
            f"decoder_layers {list(layers)}, but the encoder in {folder} "
            f"has {config['encoder_layers']} layers",
            f"for example decoder_layers "
            f"= {list(_spread(config['encoder_layers'], DECODER_LAYERS))}",
        )
    # A family takes the fields that it knows.
    values = {
        **config,
        "decoder_layers": len(layers),
        "decoder_attention_heads": config["encoder_attention_heads"],
        "decoder_ffn_dim": config["encoder_ffn_dim"],
        "decoder_start_token_id": config["bos_token_id"],
        "scoring_layers": scoring_layers,
    }
    model = family(family.config_class.from_dict(values))
    fill(model, encoder, layers)
    if needs_control_tokens:
        _new_control_tokens(model, seed)
    tokenizer = PageTokenizer(encoder.tokenizer.backend, config.get("first_control_token"))
    return model, tokenizer


def load_checkpoint(name: str) -> tuple[PageModel, PageTokenizer]:
    """A checkpoint in float32 on the CPU, and its tokenizer."""
    model = PageModel.from_pretrained(name, device="cpu", dtype="float32")
    folder = checkpoint_folder(name, weights=False)
    return model, PageTokenizer.of(folder, model.config.to_dict())


def checkpoint_encoder(name: str) -> TrainedEncoder:
    """The encoder of a checkpoint of any family here."""
    model, tokenizer = load_checkpoint(name)
    values = model.config.to_dict()
    scale = values["d_model"] ** 0.5 if values.get("scale_embedding") else 1.0
    encoder = next((module for module in model.modules() if isinstance(module, Encoder)), None)
    if encoder is None:
        message = (
            f"--init-encoder {name}: a {values['model_type']} model, whose encoder fits no other "
            "family"
        )
        raise UsageError(message, f"--init {name} continues to train it")
    config = {name: values[name] for name in TAKEN_OVER}
    return TrainedEncoder(
        config, scale * word_embeddings(model).detach(), encoder.state_dict(), tokenizer
    )


def bert_encoder(folder: Path) -> TrainedEncoder:
    """A BERT-like encoder under BART's names.

    BERT's layers map onto BART's one to one; its position and first segment embeddings add up to
    BART's positions. Outputs agree to about 1e-3: the normalizations' ε differ.
    """
    tokenizer = PageTokenizer.load(folder)
    start, end = (tokenizer.backend.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    if start is None or end is None:
        message = f"the tokenizer in {folder} has no [CLS] and [SEP], expected a BERT-like encoder"
        raise PagesumError(message, "--init starts from BART and PageSum checkpoints")
    if tokenizer.backend.post_processor is None:
        tokenizer.backend.post_processor = processors.BertProcessing(
            ("[SEP]", end), ("[CLS]", start)
        )
    bert = json_of(folder)
    try:
        weights = load_file(folder / "model.safetensors")
        config = {
            ours: bert[theirs] for ours, theirs in table(__file__, "bert.toml")["config"].items()
        }
        config |= {"bos_token_id": start, "eos_token_id": end}
        stack = _bert_stack(weights, config["encoder_layers"])
        return TrainedEncoder(
            config, weights["embeddings.word_embeddings.weight"], stack, tokenizer
        )
    except (KeyError, OSError, RuntimeError, TypeError) as error:
        message = f"{folder} holds no BERT-like encoder: {first_line(error)}"
        raise PagesumError(
            message, "expected config.json and model.safetensors of a BERT"
        ) from error


def _bert_stack(weights: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    names, parts = (
        {"layernorm_embedding": "embeddings.LayerNorm"},
        table(__file__, "bert.toml")["layer"],
    )
    for layer in range(layers):
        names |= {
            f"layers.{layer}.{ours}": f"encoder.layer.{layer}.{theirs}"
            for ours, theirs in parts.items()
        }
    kinds = ("weight", "bias")
    stack = {
        f"{ours}.{kind}": weights[f"{theirs}.{kind}"]
        for ours, theirs in names.items()
        for kind in kinds
    }
    unused = positions.new_zeros(POSITION_OFFSET, positions.shape[1])
    return {**stack, "embed_positions.weight": torch.cat([unused, positions])}


@torch.no_grad()
def fill(model: PageModel, encoder: TrainedEncoder, decoder_layers: Sequence[int]) -> None:
    """Copy an encoder into every part of a model that is built of the same layers."""

    def layer_state(number: int) -> dict[str, Tensor]:
        start = f"layers.{number}."
        return {
            name.removeprefix(start): value
            for name, value in encoder.stack.items()
            if name.startswith(start)
        }

    word_embeddings(model).copy_(encoder.words)
    inside: set[EncoderLayer] = set()
    for module in model.modules():
        if isinstance(module, Encoder):
            module.load_state_dict(encoder.stack)
            inside |= {layer for layer in module.layers if isinstance(layer, EncoderLayer)}
        elif isinstance(module, Decoder):
            own = {
                name: value
                for name, value in encoder.stack.items()
                if not name.startswith("layers.")
            }
            module.load_state_dict(own, strict=False)
            for layer, number in zip(module.layers, decoder_layers, strict=True):
                assert isinstance(layer, DecoderLayer)
                layer.load_state_dict(layer_state(number), strict=False)
                # All but DPP attention's projection of the past.
                layer.encoder_attn.load_state_dict(layer.self_attn.state_dict(), strict=False)
                layer.encoder_attn_layer_norm.load_state_dict(
                    layer.self_attn_layer_norm.state_dict()
                )
    others = [
        module
        for module in model.modules()
        if isinstance(module, EncoderLayer) and module not in inside
    ]
    layers = encoder.config["encoder_layers"]
    for layer, number in zip(others, range(max(layers - len(others), 0), layers), strict=False):
        layer.load_state_dict(layer_state(number))
    model.reset_head()


def word_embeddings(model: PageModel) -> Tensor:
    """The word embeddings that encoder and decoder share, ``(V, D)``."""
    return next(value for name, value in model.named_parameters() if name.endswith("shared.weight"))


@torch.no_grad()
def _new_control_tokens(model: PageModel, seed: int) -> None:
    """Give control tokens embeddings that differ as those of words do: BERT's unused tokens are
    nearly the same.
    """
    config, vectors = model.config, word_embeddings(model)
    first = config.first_control_token or 0
    words = vectors[max(first + CONTROL_TOKENS, config.bos_token_id + 1, config.eos_token_id + 1) :]
    noise = torch.randn(
        CONTROL_TOKENS, words.shape[1], generator=torch.Generator().manual_seed(seed)
    )
    vectors[first : first + CONTROL_TOKENS] = words.mean(0) + noise * words.std(0)


def _spread(layers: int, number: int) -> tuple[int, ...]:
    number = min(layers, number)
    return tuple(round(n * (layers - 1) / max(number - 1, 1)) for n in range(number))
