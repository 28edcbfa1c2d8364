"""Where language models like Llama come from: folders, the Hugging Face hub, and GGUF files, which
Transformers converts. Imported without torch.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import PagesumError, require_packages
from .catalog import checkpoint_folder, json_of

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

MAGIC = b"GGUF"  # the first bytes of such a file
GGUF_PACKAGES = (("gguf", "gguf", "train"), ("accelerate", "Accelerate", "train"))
GGUF_FILE = "model.gguf"

# Tensors of a GGUF file with a model like Llama.
OF_LAYER = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)
OUTSIDE = ("token_embd.weight", "output_norm.weight")
OUTPUT = "output.weight"  # left out where it is that of the words
TOKENS = "tokenizer.ggml.tokens"
SCALING = "llama.rope.scal"  # how names of metadata begin that stretch rotary positions


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
        raise PagesumError(f"{where} has rotary positions of another kind: {rope}", hint)
    if given.get("head_dim") not in (None, given["hidden_size"] // given["num_attention_heads"]):
        raise PagesumError(f"{where} has heads of another width: {given['head_dim']}", hint)


def rope_theta(given: Mapping[str, Any]) -> float:
    """The base of the rotary positions; 0 if it is not given."""
    return float(
        given.get("rope_theta") or (given.get("rope_parameters") or {}).get("rope_theta") or 0
    )


def is_gguf(name: str) -> bool:
    """Whether a name is that of a GGUF file: by its ending, or by what it holds."""
    path = Path(name)
    return not path.is_dir() and (path.suffix.lower() == ".gguf" or _begins_as_gguf(path))


def check_gguf_file(path: Path) -> None:
    """Check that a file exists and begins as a GGUF file does."""
    if not path.is_file():
        raise PagesumError(f"{path}: no such file", "check the name of the GGUF file")
    if not _begins_as_gguf(path):
        raise PagesumError(
            f"{path} is no GGUF file: it does not begin with GGUF", "download the file again"
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


def _begins_as_gguf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _converted(path: Path, folder: Path) -> Path:
    """Write the model of a GGUF file, in float32, and its tokenizer into a subfolder."""
    require_packages(GGUF_PACKAGES)
    check_gguf_file(path)
    # beside nothing else that Transformers could read
    (source := folder / "gguf").mkdir()
    (source / GGUF_FILE).symlink_to(path.absolute())
    tokens = _checked_gguf_model(path, source)
    with _reported(path):
        _convert(source, saved := folder / "converted")
        _leave_out_tokens(saved / "tokenizer.json", tokens)
    return saved


def _checked_gguf_model(path: Path, source: Path) -> int:
    """Check by the metadata and the names of the tensors that a GGUF file holds exactly a model
    like Llama: Transformers leaves out what it does not know, and makes up what is missing. Return
    the number of its tokens.
    """
    with _reported(path):
        from gguf import GGUFReader
        from transformers import AutoConfig

        given = AutoConfig.from_pretrained(source, gguf_file=GGUF_FILE).to_dict()
        reader = GGUFReader(source / GGUF_FILE)
        tensors = {tensor.name for tensor in reader.tensors}
        scaling = [name for name in reader.fields if name.startswith(SCALING)]
        tokens = reader.get_field(TOKENS)
    check_is_like_llama(path, given, NOT_LIKE_LLAMA_GGUF)
    layers = range(given["num_hidden_layers"])
    expected = {f"blk.{number}.{part}.weight" for number in layers for part in OF_LAYER}
    expected.update(OUTSIDE)
    if scaling:
        raise PagesumError(
            f"{path} has rotary positions of another kind: {scaling[0]}", NOT_LIKE_LLAMA_GGUF
        )
    if unknown := sorted(tensors - expected - {OUTPUT}):
        raise PagesumError(f"{path} holds unknown weights: {unknown[0]}", NOT_LIKE_LLAMA_GGUF)
    if missing := sorted(expected - tensors):
        raise PagesumError(f"{path} lacks weights: {missing[0]}", NOT_LIKE_LLAMA_GGUF)
    if tokens is None:
        raise PagesumError(f"{path} has no tokenizer", NOT_LIKE_LLAMA_GGUF)
    return len(tokens.data)


def _convert(source: Path, target: Path) -> None:
    import torch
    import transformers

    options: dict[str, Any] = {"gguf_file": GGUF_FILE}
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
    if hasattr(transformers, "GgufConfig"):  # older versions always restore weights in few bits
        options["quantization_config"] = transformers.GgufConfig(**options, dequantize=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source, dtype=torch.float32, **options
    )
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)


def _leave_out_tokens(file: Path, count: int) -> None:
    """Leave out what Transformers has added after a file's own tokens: GPT-2's token for the end of
    a text, which the model has not learned.
    """
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    tokenizer["added_tokens"] = [one for one in tokenizer["added_tokens"] if one["id"] < count]
    file.write_text(json.dumps(tokenizer), encoding="utf-8")


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Report what the readers of a GGUF file raise: they fail in many ways."""
    try:
        yield
    except Exception as error:
        if isinstance(error, MemoryError) or getattr(error, "strerror", None):  # a full disk
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise PagesumError(
            f"{path} cannot be converted: {reason}",
            "download the file again, or give the folder of a model like Llama",
        ) from error
