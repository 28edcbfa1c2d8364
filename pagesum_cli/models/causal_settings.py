"""What a language model's files say of it, in the words of this program. Independent of torch."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

MODEL_TYPE = "causal"
OWN_SETTINGS = "pagesum.json"
"""The file, beside Transformers' own, that holds how a language model summarizes."""

PAGE_TOKENS = 640
SUMMARY_TOKENS = 256
# tokens: no sentence is written twice, but a name may be
NO_REPEAT = 6
# start and end token, which lengths in checkpoints count
ENDS = 2
POSITIONS = 2048  # of a model that does not say how many it has
CAUSAL = ("ForCausalLM", "LMHeadModel")  # how the names of their classes in Transformers end


def is_language_model(config: Mapping[str, Any]) -> bool:
    """Whether a ``config.json`` of Transformers describes a decoder-only language model."""
    names = config.get("architectures")
    return isinstance(names, list) and any(str(name).endswith(CAUSAL) for name in names)


def files_of_language_model(folder: Path) -> list[Path]:
    """The files of a folder that make a language model: no code, and no other checkpoint."""
    ends = (".json", ".safetensors", ".bin", ".model", ".txt", ".jinja", ".pagesum")
    return sorted(file for file in folder.iterdir() if file.is_file() and file.suffix in ends)


def settings_from(
    config: Mapping[str, Any], generation: Mapping[str, Any], own: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings of a checkpoint of this family.

    Args:
        config: Transformers' ``config.json``.
        generation: Its ``generation_config.json``; empty where there is none.
        own: :data:`OWN_SETTINGS`; empty where there is none. It takes precedence.
    """
    text = {**config, **(config.get("text_config") or {})}
    positions = _first(text, "max_position_embeddings", "n_positions") or POSITIONS
    end_token_ids = _ids(generation.get("eos_token_id")) or _ids(text.get("eos_token_id"))
    end = end_token_ids[0] if end_token_ids else 0
    # the search needs a token to begin with; no page holds it
    start = next(iter(_ids(text.get("bos_token_id"))), end)
    padding = next(iter(_ids(text.get("pad_token_id"))), end)
    return {
        "vocab_size": text.get("vocab_size"),
        "d_model": _first(text, "hidden_size", "n_embd"),
        "max_position_embeddings": positions,
        "page_tokens": min(PAGE_TOKENS, positions // 2),
        "bos_token_id": start,
        "decoder_start_token_id": start,
        "eos_token_id": end,
        "pad_token_id": padding if padding >= 0 else end,
        "end_token_ids": end_token_ids,
        "generation": {
            "num_beams": 1,
            "max_length": min(SUMMARY_TOKENS, positions // 4) + ENDS,
            "no_repeat_ngram_size": NO_REPEAT,
        },
        **own,
        "model_type": MODEL_TYPE,
    }


def _first(values: Mapping[str, Any], *names: str) -> Any:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _ids(value: Any) -> list[int]:
    """A token id or a list of them, as a list."""
    ids = value if isinstance(value, list) else [value]
    return [number for number in ids if isinstance(number, int)]
