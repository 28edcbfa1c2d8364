"""Tiny language models of random weights, as Transformers saves them."""

import json
from pathlib import Path
from typing import Any

import tiny
import torch
from tokenizers import AddedToken

from pagesum_cli.models.weights import read_weights
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


def write_gguf(folder: Path, path: Path, *, scaling: bool = False) -> Path:
    """Write a saved Llama as llama.cpp does: rows of queries and keys in its own order."""
    import gguf

    given = json.loads((folder / "config.json").read_text())
    heads = {"attn_q": given["num_attention_heads"], "attn_k": given["num_key_value_heads"]}
    backend = tokenizer().backend
    control = {*tiny.SPECIAL, *SPECIAL}
    tokens = [backend.id_to_token(number) for number in range(given["vocab_size"])]
    kinds = (gguf.TokenType.NORMAL, gguf.TokenType.CONTROL)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(given["max_position_embeddings"])
    writer.add_embedding_length(given["hidden_size"])
    writer.add_block_count(given["num_hidden_layers"])
    writer.add_feed_forward_length(given["intermediate_size"])
    writer.add_head_count(heads["attn_q"])
    writer.add_head_count_kv(heads["attn_k"])
    writer.add_layer_norm_rms_eps(given["rms_norm_eps"])
    writer.add_rope_freq_base(given["rope_parameters"]["rope_theta"])
    writer.add_rope_dimension_count(given["hidden_size"] // heads["attn_q"])
    writer.add_vocab_size(given["vocab_size"])
    if scaling:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(4.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    merges = json.loads(backend.to_str())["model"]["merges"]
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_token_types([kinds[token in control] for token in tokens])
    writer.add_bos_token_id(given["bos_token_id"])
    writer.add_eos_token_id(given["eos_token_id"])
    writer.add_chat_template(TEMPLATE)
    for name, tensor in read_weights(folder).items():
        for theirs, ours in tiny.GGUF_NAMES.items():
            name = name.replace(theirs, ours)
        for part, count in heads.items():
            if part in name:
                halves = tensor.view(count, 2, -1, tensor.shape[1])
                tensor = halves.transpose(1, 2).reshape(tensor.shape)
        writer.add_tensor(name, tensor.contiguous().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
