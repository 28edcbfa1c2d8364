"""The weights of checkpoints as they are on disk, and where they are computed with. No code in a
file is ever run.
"""

import pickle
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor

from .. import system
from ..errors import PagesumError
from .layers.quantized import CODE_TYPES, CODES, restored

_AGAIN = "copy or download the file again"


def pick_device(device: str) -> torch.device:
    """The device to compute on."""
    present = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if device == "auto":
        return torch.device(next(name for name in ("cuda", "mps", "cpu") if present[name]))
    if not present.get(device.partition(":")[0], False):
        names = ", ".join(name for name, available in present.items() if available)
        raise PagesumError(
            f"no device {device!r} on this machine (available: {names})", "use --device auto"
        )
    return torch.device(device)


def pick_dtype(dtype: str, device: torch.device) -> torch.dtype:
    """The number format to compute in."""
    if dtype != "auto":
        return getattr(torch, dtype)
    if device.type == "cuda":
        return (
            torch.bfloat16 if torch.cuda.get_device_capability(device) >= (8, 0) else torch.float16
        )
    return torch.bfloat16 if device.type == "cpu" and _is_faster_in_bfloat16() else torch.float32


def _is_faster_in_bfloat16() -> bool:
    """Whether this CPU multiplies bfloat16 faster than float32: Intel's do only with AMX."""
    has_amx, has_avx = (
        getattr(torch.cpu, f"_is_{feature}_supported", bool)()
        for feature in ("amx_tile", "avx512_bf16")
    )
    return has_amx or (has_avx and system.processor_maker() != "GenuineIntel")


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder's weight files: safetensors before ``*.bin``."""
    for pattern in ("*.safetensors", "*.bin"):
        files = sorted(folder.glob(pattern))
        named = [path for path in files if path.name in ("model.safetensors", "pytorch_model.bin")]
        sharded = [path for path in files if "-of-" in path.name]
        chosen = named or sharded or files
        if len(chosen) > 1 and not sharded:
            names = ", ".join(path.name for path in chosen)
            raise PagesumError(
                f"{folder} holds several weight files ({names})", "keep one checkpoint per folder"
            )
        if chosen:
            return {key: value for path in chosen for key, value in read_tensors(path).items()}
    raise PagesumError(
        f"{folder} contains no weights (*.safetensors or *.bin)", "check the folder's name"
    )


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file: stored in full, of a number format for weights or in few bits (see
    :mod:`.layers.quantized`), and without NaN and infinity.
    """
    tensors = _read_tensors(path)
    for name, value in tensors.items():
        _check(path, name, value)
    try:
        found = restored(tensors)
    except (KeyError, ValueError, RuntimeError) as error:
        message = f"{path}: quantized weights do not fit together: {first_line(error)}"
        raise PagesumError(message, _AGAIN) from error
    for name in found.keys() - tensors.keys():
        _check(path, name, found[name])
    return found


def _check(path: Path, name: str, value: Tensor) -> None:
    if value.layout is not torch.strided or value.untyped_storage().nbytes() < value.nbytes:
        raise PagesumError(
            f"{path}: {name} is not stored in full", "save it again with safetensors"
        )
    if name.endswith(CODES) and value.dtype in CODE_TYPES:
        return
    if not value.is_floating_point():
        raise PagesumError(
            f"{path}: {name} is {value.dtype}, expected floating point", "save it as float32"
        )
    if value.numel() and not all(bound.isfinite() for bound in value.aminmax()):  # NaN is passed on
        raise PagesumError(
            f"{path}: {name} holds values that are not finite (NaN or infinity)", _AGAIN
        )


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        if path.suffix == ".safetensors":
            with safe_open(path, framework="pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
            return tensors if system.REPLACES_OPEN_FILES else _unmapped(tensors)
        tensors = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        message = f"{path} holds more than weights, or is damaged: refused"
        raise PagesumError(
            message, "load it only from a source you trust, and save its state_dict() again"
        ) from error
    except Exception as error:  # the readers of damaged files fail in many ways
        raise PagesumError(
            f"{path} is damaged or cut short: {first_line(error)}", _AGAIN
        ) from error
    is_state = isinstance(tensors, dict) and all(
        isinstance(name, str) and isinstance(value, Tensor) for name, value in tensors.items()
    )
    if not is_state:
        raise PagesumError(
            f"{path} is not a state dict (names and tensors)", "save the model's state_dict()"
        )
    return tensors


def _unmapped(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Tensors that are not mapped to their file, so that it can be replaced."""
    return {name: value.clone() for name, value in tensors.items()}


def first_line(error: Exception) -> str:
    """An exception as one short line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
