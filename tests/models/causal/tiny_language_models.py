"""Tiny language models of random weights, as Transformers saves them."""

import json
from pathlib import Path
from typing import Any

import tiny
import torch
from tokenizers import AddedToken

from pagesum_cli.tokenization import PageTokenizer

TEMPLATE = (
    "{% for message in messages %}<|user|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|model|>{% endif %}"
)
SPECIAL = ["<|user|>", "<|end|>", "<|model|>"]

CONFIGS = {"Gemma3": "Gemma3TextConfig"}
"""Where the name of the configuration is another one than that of the model."""

SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
}


def tokenizer() -> PageTokenizer:
    """Byte-level, with the special tokens of :data:`TEMPLATE`, and an added token that is not
    special.
    """
    own = tiny.byte_level(tiny.TEXTS)
    own.backend.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    own.backend.add_tokens([AddedToken("<tool>", special=False)])
    return own


def save(folder: Path, architecture: str = "Llama", seed: int = 0, **changes: Any) -> Path:
    """Save a model of an architecture of Transformers with random weights."""
    import transformers

    torch.manual_seed(seed)
    own = tokenizer()
    ids = {"bos_token_id": tiny.START, "pad_token_id": tiny.PAD}
    end = own.backend.token_to_id("<|end|>")
    kind = getattr(transformers, CONFIGS.get(architecture, f"{architecture}Config"))
    config = kind(vocab_size=own.vocab_size, eos_token_id=end, **ids, **{**SIZES, **changes})
    model = getattr(transformers, f"{architecture}ForCausalLM")(config).eval()
    model.save_pretrained(folder)
    own.save(folder)
    stored = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|end|>",
        "chat_template": TEMPLATE,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(stored))
    return folder
