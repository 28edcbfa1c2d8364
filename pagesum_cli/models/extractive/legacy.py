"""Checkpoints of earlier versions, in which extraction was a part of PageSum: their decoder is left out."""

from typing import Any

from torch import Tensor

RENAMED = {"model.shared.": "shared.", "model.encoder.": "encoder.", "judge.": "scoring."}
KEPT = frozenset(
    """
    vocab_size d_model max_position_embeddings pad_token_id bos_token_id eos_token_id page_tokens num_pages init_std
    dropout attention_dropout activation_dropout activation_function encoder_layers encoder_attention_heads
    encoder_ffn_dim
    """.split()  # noqa: SIM905
)


def is_legacy(settings: dict[str, Any]) -> bool:
    """Whether ``config.json`` is of an earlier version's model with control tokens."""
    return settings.get("model_type") == "pagesum" and settings.get("first_mark") is not None


def convert(settings: dict[str, Any], weights: dict[str, Tensor]) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The configuration and weights under today's names.

    A checkpoint that selected sentences becomes an extractive one; one that was trained to generate stays a PageSum
    model whose pages have control tokens.
    """
    if not settings.get("plans"):
        kept = {name: value for name, value in weights.items() if not name.startswith("judge.")}
        return {**settings, "first_control_token": settings["first_mark"], "first_mark": None}, kept
    converted = {name: value for name, value in settings.items() if name in KEPT}
    converted |= {
        "model_type": "extractive",
        "first_control_token": settings["first_mark"],
        "scoring_layers": settings["judge_layers"],
    }
    if isinstance(settings.get("max_length"), int):
        converted["max_length"] = settings["max_length"] - 2
    renamed = {
        new + name.removeprefix(old): value
        for name, value in weights.items()
        for old, new in RENAMED.items()
        if name.startswith(old)
    }
    return converted, renamed
