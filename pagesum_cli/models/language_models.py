"""Where language models like Llama come from that an extractive model reads with: folders, the
Hugging Face hub, and GGUF files. Imported without torch.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import PagesumError
from .catalog import checkpoint_folder, json_of
from .gguf import Contents, contents, convert, is_gguf, linked

NOT_LIKE_LLAMA = 'expected a model with model_type "llama" in its config.json, such as SmolLM2'
NOT_LIKE_LLAMA_GGUF = 'expected a file with architecture "llama", such as one of SmolLM2'
LLAMA_SIZES = (
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "rms_norm_eps",
)
"""What its configuration must have."""

# Tensors of a GGUF file with a model like Llama.
OF_LAYER = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)
OUTSIDE = ("token_embd.weight", "output_norm.weight")
OUTPUT = "output.weight"  # left out where it is that of the words


def check_is_like_llama(where: Path, given: Mapping[str, Any], hint: str = NOT_LIKE_LLAMA) -> None:
    """Check that the configuration of a language model describes one like Llama."""
    if given.get("model_type") != "llama":
        raise PagesumError(
            f"{where} holds a {given.get('model_type')!r} model, expected one like Llama", hint
        )
    if missing := [name for name in LLAMA_SIZES if not isinstance(given.get(name), int | float)]:
        raise PagesumError(f"the configuration of {where} has no {missing[0]}", hint)
    rope = given.get("rope_parameters") or given.get("rope_scaling") or {}
    if rope.get("rope_type", "default") != "default" or not rope_theta(given):
        raise PagesumError(f"{where} has an unsupported kind of rotary positions: {rope}", hint)
    if given.get("head_dim") not in (None, given["hidden_size"] // given["num_attention_heads"]):
        raise PagesumError(f"{where} has heads of an unsupported width: {given['head_dim']}", hint)


def rope_theta(given: Mapping[str, Any]) -> float:
    """The base of the rotary positions; 0 if it is not given."""
    return float(
        given.get("rope_theta") or (given.get("rope_parameters") or {}).get("rope_theta") or 0
    )


@contextmanager
def language_model_folder(name: str) -> Iterator[Path]:
    """The folder of a language model like Llama as Transformers saves it.

    ``name`` is a folder, a Hugging Face id, of which the weights are downloaded only if the model
    is like Llama, or a GGUF file, which is converted into a temporary folder.
    """
    if is_gguf(name):
        with TemporaryDirectory(prefix="pagesum-") as folder:
            yield _converted(Path(name), Path(folder))
    else:
        small = checkpoint_folder(name, weights=False)
        check_is_like_llama(small, json_of(small))
        yield checkpoint_folder(name, weights=True)


def _converted(path: Path, folder: Path) -> Path:
    """Write the model of a GGUF file, in float32, and its tokenizer into a subfolder."""
    source = linked(path, folder)
    held = _checked_gguf_model(path, source)
    convert(path, source, saved := folder / "converted", held, "float32")
    return saved


def _checked_gguf_model(path: Path, source: Path) -> Contents:
    """Check by the metadata and the names of the tensors that a GGUF file holds exactly a model
    like Llama: Transformers leaves out what it does not know, and makes up what is missing.
    """
    held = contents(path, source)
    check_is_like_llama(path, held.config, NOT_LIKE_LLAMA_GGUF)
    layers = range(held.config["num_hidden_layers"])
    expected = {f"blk.{number}.{part}.weight" for number in layers for part in OF_LAYER}
    expected.update(OUTSIDE)
    if held.scaling:
        raise PagesumError(
            f"{path} has an unsupported kind of rotary positions: {held.scaling[0]}",
            NOT_LIKE_LLAMA_GGUF,
        )
    if unknown := sorted(held.tensors - expected - {OUTPUT}):
        raise PagesumError(f"{path} holds unknown weights: {unknown[0]}", NOT_LIKE_LLAMA_GGUF)
    if missing := sorted(expected - held.tensors):
        raise PagesumError(f"{path} lacks weights: {missing[0]}", NOT_LIKE_LLAMA_GGUF)
    if not held.tokens:
        raise PagesumError(f"{path} has no tokenizer", NOT_LIKE_LLAMA_GGUF)
    return held
