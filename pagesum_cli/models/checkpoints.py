"""Checkpoints by bundled name, folder or Hugging Face id. Weights only: no code in a checkpoint is ever run."""

import pickle
import re
import zipfile
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor

from ..errors import PagesumError
from ..tokenization import PageTokenizer
from .base import ModelConfig, PageModel
from .catalog import checkpoint_folder, commit_of, has_tokenizer, settings_of
from .extractive import legacy
from .registry import MODEL_TYPES, model_class

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
DTYPES = (torch.float32, torch.float16, torch.bfloat16, torch.float64)
_AGAIN = "copy or download the file again"
# Copies of the shared embeddings that BART checkpoints carry.
COPIES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
# In all decoder layers but the first, which has no past.
_KEYS_OF_SOURCE = re.compile(r"model\.decoder\.layers\.[1-9]\d*\.encoder_attn\.k_proj\.weight$")


def load_model(
    name: str = "mini", *, device: str = "auto", dtype: str = "auto"
) -> tuple[PageModel, PageTokenizer | None]:
    """Load a checkpoint and its tokenizer (None where the folder has none).

    Args:
        name: A bundled or added name, a folder, or a Hugging Face id. A folder holds ``config.json`` and either
            safetensors or ``*.bin`` weights: of this program, of the original program (a state dict), or of any BART.
            In a model made from a BART the confidence layer is new, and ``config.untrained_confidence`` is set. With
            ``dpp`` in ``config.json`` it gets DPP attention; a projection of the past that it lacks is the identity, so
            that it computes what ``dpp_past: none`` does until it is trained.
        device: ``auto`` (a GPU where there is one), ``cpu``, ``cuda`` or ``mps``.
        dtype: ``auto`` (bfloat16 where the hardware multiplies it natively), ``float32``, ``bfloat16``, ``float16``.

    Raises:
        PagesumError: The checkpoint is missing, damaged, of another shape, or holds more than weights; or
            there is no such device.
    """
    folder = checkpoint_folder(name, weights=True)
    model = _load(folder, device, dtype)
    return model, load_tokenizer(folder, model.config.first_control_token)


def load_tokenizer(folder: Path, first_control_token: int | None = None) -> PageTokenizer | None:
    """A folder's tokenizer; None where it has none.

    Raises:
        PagesumError: Its files cannot be read.
    """
    return PageTokenizer.load(folder, first_control_token) if has_tokenizer(folder) else None


def load_weights(name: str, *, device: str = "auto", dtype: str = "auto") -> PageModel:
    """Load a checkpoint without its tokenizer; see :func:`load_model`."""
    return _load(checkpoint_folder(name, weights=True), device, dtype)


def _load(folder: Path, device: str, dtype: str) -> PageModel:
    target = pick_device(device)
    settings = settings_of(folder)  # refused, if so, before the weights are read
    model = build(folder, folder / "config.json", settings, read_weights(folder))
    model.revision = commit_of(folder)
    model.to(device=target, dtype=pick_dtype(dtype, target))
    return model.eval()


def pick_device(device: str) -> torch.device:
    """The device to compute on.

    Raises:
        PagesumError: This machine does not have it.
    """
    present = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if device == "auto":
        return torch.device(next(name for name in ("cuda", "mps", "cpu") if present[name]))
    if not present.get(device.partition(":")[0], False):
        names = ", ".join(name for name, available in present.items() if available)
        raise PagesumError(f"no device {device!r} on this machine (available: {names})", "use --device auto")
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


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder's weight files: safetensors before ``*.bin``.

    Raises:
        PagesumError: There are none, or of several checkpoints, or see :func:`read_tensors`.
    """
    for pattern in ("*.safetensors", "*.bin"):
        files = sorted(folder.glob(pattern))
        named = [path for path in files if path.name in ("model.safetensors", "pytorch_model.bin")]
        sharded = [path for path in files if "-of-" in path.name]
        chosen = named or sharded or files
        if len(chosen) > 1 and not sharded:
            names = ", ".join(path.name for path in chosen)
            raise PagesumError(f"{folder} holds several weight files ({names})", "keep one checkpoint a folder")
        if chosen:
            return {key: value for path in chosen for key, value in read_tensors(path).items()}
    raise PagesumError(f"{folder} holds no weights (*.safetensors or *.bin)", "check the folder's name")


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file: stored in full, of a number format for weights, and without NaN and infinity.

    Raises:
        PagesumError: They are not, or the file is damaged, or holds more than weights.
    """
    tensors = _read_tensors(path)
    for name, value in tensors.items():
        if value.layout is not torch.strided or value.untyped_storage().nbytes() < value.nbytes:
            raise PagesumError(f"{path}: {name} is not stored in full", "save it again with safetensors")
        if value.dtype not in DTYPES:
            kinds = ", ".join(str(dtype).removeprefix("torch.") for dtype in DTYPES)
            kind = str(value.dtype).removeprefix("torch.")
            raise PagesumError(f"{path}: {name} is {kind}, expected {kinds}", "save the weights in one of these")
        if not value.isfinite().all():
            raise PagesumError(f"{path}: {name} holds values that are not finite (NaN or infinity)", _AGAIN)
    return tensors


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, framework="pt") as file:
                return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
        _check_packing(path)
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except PagesumError:
        raise
    except pickle.UnpicklingError as error:
        raise PagesumError(
            f"{path} holds more than weights, or is damaged: refused",
            "load it only from a source you trust, and save its state_dict() again",
        ) from error
    except Exception as error:  # the readers of damaged files fail in many ways
        raise PagesumError(f"{path} is damaged or cut short: {first_line(error)}", _AGAIN) from error
    if not isinstance(tensors, dict) or not all(isinstance(value, Tensor) for value in tensors.values()):
        raise PagesumError(f"{path} is not a state dict (names and tensors)", "save the model's state_dict()")
    return tensors


def _check_packing(path: Path) -> None:
    """Refuse a file that unpacks to more than it has: PyTorch stores weights as they are."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            if any(one.file_size > one.compress_size for one in archive.filelist):
                raise PagesumError(f"{path} is compressed, expected weights as torch.save writes them", _AGAIN)


def build(source: Path, config_file: Path, settings: dict[str, Any], weights: dict[str, Tensor]) -> PageModel:
    """The model that a configuration describes, holding weights.

    Args:
        source: The file or folder of the weights, for messages.
        config_file: ``config.json``; a ``generation_config.json`` beside it is read too.
        settings: What it holds.
        weights: By name.

    Raises:
        PagesumError: Configuration and weights do not belong together.
    """
    settings = _with_generation(config_file.parent, settings)
    if legacy.is_legacy(settings):
        settings, weights = legacy.convert(settings, weights)
    kind = settings.get("model_type")
    if kind not in MODEL_TYPES:
        raise PagesumError(
            f"{source} holds a {kind!r} model, expected one of {', '.join(MODEL_TYPES)}",
            "pagesum models lists the known models",
        )
    family = model_class(kind)
    if family.config_class.model_type == "pagesum":
        settings, weights = _as_pagesum(settings, weights)
    try:
        config = family.config_class.from_dict(settings)
        _check_layers(config, weights)
        with torch.device("meta"):
            model = family(config)
    except Exception as error:  # whatever a wrong value provokes
        raise PagesumError(
            f"{config_file} describes no model: {first_line(error)}",
            "do weights and config.json belong together?",
        ) from error
    _check(source, model, weights)
    model.load_state_dict(weights, assign=True)
    return model


def _with_generation(folder: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings with ``generation`` in one place: in ``config.json``, or in a file of Transformers."""
    if isinstance(settings.get("generation"), dict):
        return settings
    stored = settings
    if (folder / "generation_config.json").exists():
        stored = settings_of(folder, "generation_config.json")  # its values are checked there
    generation = {key: stored[key] for key in GENERATION_KEYS if stored.get(key) is not None}
    return {**settings, **generation, "generation": generation}


def _as_pagesum(settings: dict[str, Any], weights: dict[str, Tensor]) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Complete what an official checkpoint or a BART lacks."""
    if not any(key.startswith("model.") for key in weights):  # a BART without its head
        weights = {key if key == "final_logits_bias" else f"model.{key}": value for key, value in weights.items()}
    weights = {key: value for key, value in weights.items() if key not in COPIES}
    shared = weights.get("model.shared.weight")
    if shared is None or shared.dim() != 2:
        return settings, weights
    rows, width = shared.shape
    settings = {**settings, "vocab_size": rows}  # released checkpoints have 50 264 or 50 265
    weights.setdefault("final_logits_bias", torch.zeros(1, rows, dtype=shared.dtype))
    if "lin.weight" not in weights:
        # Fixed, so that the same checkpoint gives the same summaries.
        noise = torch.Generator().manual_seed(0)
        std = float(settings.get("init_std", 0.02))
        weights["lin.weight"] = torch.randn(1, width, generator=noise).mul(std).to(shared.dtype)
        weights["lin.bias"] = torch.zeros(1, dtype=shared.dtype)
        settings["untrained_confidence"] = True
    if settings.get("dpp") is True and settings.get("dpp_past", "own") == "own":
        weights |= _past_projections(weights)
    return settings, weights


def _past_projections(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """What projects the past of DPP attention, for a checkpoint that was trained without it: the identity."""
    if any("past_proj" in name for name in weights):
        return {}
    new = {}
    for name, value in weights.items():
        if _KEYS_OF_SOURCE.match(name):
            new[name.replace("k_proj", "past_proj")] = torch.eye(len(value), dtype=value.dtype)
            new[name.replace("k_proj.weight", "past_proj.bias")] = torch.zeros(len(value), dtype=value.dtype)
    return new


def _check_layers(config: ModelConfig, weights: dict[str, Tensor]) -> None:
    """Refuse, before they are built, more layers than the weights can be of: each has several tensors."""
    layers = {name: value for name, value in vars(config).items() if name.endswith("_layers")}
    if sum(layers.values()) > max(len(weights), 64):
        says = ", ".join(f"{name} {value}" for name, value in layers.items())
        raise ValueError(f"{says}, but the weights are {len(weights)} tensors")


def _check(source: Path, model: PageModel, weights: dict[str, Tensor]) -> None:
    """Refuse weights that are not exactly those of the model."""
    expected = {key: value.shape for key, value in model.state_dict().items()}
    missing = sorted(expected.keys() - weights.keys())
    unknown = sorted(weights.keys() - expected.keys())
    for keys, verb in ((missing, "lacks"), (unknown, "holds unknown")):
        if keys:
            more = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
            raise PagesumError(
                f"the checkpoint {source} {verb} weights: {keys[0]}{more}",
                "do weights and config.json belong together?",
            )
    for key, shape in expected.items():
        if weights[key].shape != shape:
            raise PagesumError(
                f"{key} in {source} is {tuple(weights[key].shape)}, but config.json says {tuple(shape)}",
                "do weights and config.json belong together?",
            )


def first_line(error: Exception) -> str:
    """An exception as one short line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
