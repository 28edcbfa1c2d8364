"""Checkpoints: by bundled name, by folder, by Hugging Face id. Weights only: no code in a checkpoint is ever run."""

import pickle
import zipfile
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor
from transformers import GenerationConfig, PreTrainedTokenizerBase, PreTrainedTokenizerFast

from ..errors import PagesumError
from .configuration import PageSumConfig
from .modeling import PageSumForConditionalGeneration
from .registry import checkpoint_folder, settings_of

GENERATION_KEYS = (
    "num_beams",
    "max_length",
    "min_length",
    "no_repeat_ngram_size",
    "length_penalty",
    "early_stopping",
    "forced_bos_token_id",
    "forced_eos_token_id",
)
# Copies of the shared embeddings that BART checkpoints carry.
COPIES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")


def load_model(
    name: str = "mini", *, device: str = "auto", dtype: str = "auto"
) -> tuple[PageSumForConditionalGeneration, PreTrainedTokenizerBase | None]:
    """Load a checkpoint: PageSum's own, an official PageSum state dict, or any BART checkpoint.

    A folder holds ``config.json`` and either safetensors or ``*.bin`` weights. In a model made from a BART checkpoint
    the confidence layer is new, and ``model.config.untrained_confidence`` is set.

    Args:
        name: a bundled name, a folder, or a Hugging Face id.
        device: ``auto`` (a GPU where there is one), ``cpu``, ``cuda`` or ``mps``.
        dtype: ``auto`` (bfloat16 where the hardware multiplies it natively), ``float32``, ``bfloat16``, ``float16``.

    Returns:
        the model, ready to generate, and its tokenizer (None where the folder has none).

    Raises:
        PagesumError: the checkpoint is missing, damaged, of another shape, or holds more than weights; or there is no
            such device.
    """
    folder = checkpoint_folder(name, weights=True)
    target = pick_device(device)
    settings = settings_of(folder)
    weights = _read_weights(folder)
    model = _build(folder, settings, weights)
    model.to(device=target, dtype=pick_dtype(dtype, target))
    return model.eval(), load_tokenizer(folder)


def pick_device(device: str) -> torch.device:
    """The device to compute on.

    Raises:
        PagesumError: it is not there.
    """
    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if device == "auto":
        return torch.device(next(name for name in ("cuda", "mps", "cpu") if there[name]))
    if not there.get(device.partition(":")[0], False):
        found = ", ".join(name for name, present in there.items() if present)
        raise PagesumError(f"no device {device!r} on this machine (found: {found})", "use --device auto")
    return torch.device(device)


def pick_dtype(dtype: str, device: torch.device) -> torch.dtype:
    """The number format to compute in."""
    if dtype != "auto":
        return getattr(torch, dtype)
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.get_device_capability(device) >= (8, 0) else torch.float16
    # Elsewhere bfloat16 is converted back and forth, and slower than float32.
    native = device.type == "cpu" and any(
        getattr(torch.cpu, f"_is_{feature}_supported", bool)() for feature in ("amx_tile", "avx512_bf16")
    )
    return torch.bfloat16 if native else torch.float32


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase | None:
    """A folder's tokenizer, None where it has none.

    Raises:
        PagesumError: its files cannot be read.
    """
    try:
        if (folder / "tokenizer.json").exists():
            return PreTrainedTokenizerFast.from_pretrained(folder)
        if (folder / "vocab.json").exists() and (folder / "merges.txt").exists():
            from transformers import BartTokenizerFast

            return BartTokenizerFast.from_pretrained(folder)
    except Exception as error:  # the tokenizers library raises plain exceptions
        raise PagesumError(f"the tokenizer in {folder} cannot be read: {_line(error)}") from error
    return None


def _read_weights(folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder's weight files: safetensors before ``*.bin``."""
    for pattern in ("*.safetensors", "*.bin"):
        files = sorted(folder.glob(pattern))
        named = [path for path in files if path.name in ("model.safetensors", "pytorch_model.bin")]
        sharded = [path for path in files if "-of-" in path.name]
        chosen = named or sharded or files
        if len(chosen) > 1 and not sharded:
            found = ", ".join(path.name for path in chosen)
            raise PagesumError(f"{folder} holds several weight files ({found})", "keep one checkpoint a folder")
        if chosen:
            return {key: value for path in chosen for key, value in _read_tensors(path).items()}
    raise PagesumError(f"{folder} holds no weights (*.safetensors or *.bin)", "check the folder's name")


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        tensors = (
            load_file(path)
            if path.suffix == ".safetensors"
            else torch.load(path, map_location="cpu", weights_only=True)
        )
    except pickle.UnpicklingError as error:
        raise PagesumError(
            f"{path} holds more than weights, or is damaged: refused",
            "load it only from a source you trust, and save its state_dict() anew",
        ) from error
    except (SafetensorError, RuntimeError, EOFError, OSError, ValueError, zipfile.BadZipFile) as error:
        raise PagesumError(
            f"{path} is damaged or cut short: {_line(error)}", "copy or download the file again"
        ) from error
    if not isinstance(tensors, dict) or not all(isinstance(value, Tensor) for value in tensors.values()):
        raise PagesumError(f"{path} is not a state dict (names and tensors)", "save the model's state_dict()")
    return tensors


def _build(folder: Path, settings: dict[str, Any], weights: dict[str, Tensor]) -> PageSumForConditionalGeneration:
    """The model that ``config.json`` describes, holding ``weights``."""
    kind = settings.pop("model_type", None)
    if kind not in ("bart", "pagesum"):
        raise PagesumError(
            f"{folder} holds a {kind!r} model where 'pagesum' or 'bart' is expected",
            "pagesum models lists what can be used",
        )
    for name in ("architectures", "torch_dtype", "dtype", "transformers_version"):
        settings.pop(name, None)
    if not any(key.startswith("model.") for key in weights):  # a BART without its head
        weights = {key if key == "final_logits_bias" else f"model.{key}": value for key, value in weights.items()}
    weights = {key: value for key, value in weights.items() if key not in COPIES}

    generation = {key: settings.pop(key) for key in GENERATION_KEYS if settings.get(key) is not None}
    if (folder / "generation_config.json").exists():
        stored = settings_of(folder, "generation_config.json")
        generation = {key: stored[key] for key in GENERATION_KEYS if stored.get(key) is not None}
    try:
        config = PageSumConfig(**settings)
        config.page_tokens = min(config.page_tokens, config.max_position_embeddings)
        config.untrained_confidence = config.untrained_confidence or "lin.weight" not in weights
        with torch.device("meta"):
            model = PageSumForConditionalGeneration(config)
    except Exception as error:  # whatever a wrong value provokes
        raise PagesumError(f"{folder / 'config.json'} describes no model: {_line(error)}") from error

    floating = weights["model.shared.weight"].dtype if "model.shared.weight" in weights else torch.float32
    weights.setdefault("final_logits_bias", torch.zeros(1, config.vocab_size, dtype=floating))
    if config.untrained_confidence and "lin.weight" not in weights:
        # Fixed, so that the same checkpoint gives the same summaries.
        noise = torch.Generator().manual_seed(0)
        weights["lin.weight"] = torch.randn(1, config.d_model, generator=noise).mul(config.init_std).to(floating)
        weights["lin.bias"] = torch.zeros(1, dtype=floating)
    _check(folder, model, weights)
    weights["lm_head.weight"] = weights["model.shared.weight"]
    model.load_state_dict(weights, assign=True)
    model.tie_weights()
    model.generation_config = GenerationConfig(
        **generation,
        decoder_start_token_id=config.decoder_start_token_id,
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
    )
    return model


def _check(folder: Path, model: PageSumForConditionalGeneration, weights: dict[str, Tensor]) -> None:
    """Refuse weights that are not exactly those of the model."""
    expected = {key: value.shape for key, value in model.state_dict().items() if key not in COPIES}
    missing = sorted(expected.keys() - weights.keys())
    strange = sorted(weights.keys() - expected.keys())
    for found, what in ((missing, "lacks"), (strange, "holds unknown")):
        if found:
            more = f" and {len(found) - 1} more" if len(found) > 1 else ""
            raise PagesumError(
                f"the checkpoint in {folder} {what} weights: {found[0]}{more}",
                "do weights and config.json belong together?",
            )
    for key, shape in expected.items():
        if weights[key].shape != shape:
            raise PagesumError(
                f"{key} in {folder} is {tuple(weights[key].shape)} where config.json says {tuple(shape)}",
                "do weights and config.json belong together?",
            )


def _line(error: Exception) -> str:
    """An exception as one short line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
