"""What computes a model: PyTorch, or for one document NumPy, where that suffices.

Importing PyTorch takes longer than all else in summarizing one document with a small model.
"""

import os
import shutil
import sys
from pathlib import Path

from ..options import DEFAULT_MODEL
from ..tokenization import PageTokenizer
from .catalog import checkpoint_folder, commit_of, has_tokenizer, plain_class, settings_of
from .family import Model

GPU_FILES = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
"""Devices of GPUs that PyTorch may know: NVIDIA's, AMD's, and Windows' in a Linux within it."""


def load(
    name: str = DEFAULT_MODEL, *, device: str = "auto", dtype: str = "auto", light: bool = False
) -> tuple[Model, PageTokenizer | None]:
    """A model and its tokenizer; ``light``: without PyTorch, if it can do without. See
    ``base.load_model``.
    """
    if light and is_plain(device, dtype) and (found := _plain(name)):
        return found
    from .base import load_model

    return load_model(name, device=device, dtype=dtype)


def is_plain(device: str, dtype: str) -> bool:
    """Whether what is asked for is float32 on a CPU, or the best of a machine without a GPU."""
    is_cpu = device == "cpu" or (device == "auto" and not may_have_gpu())
    return is_cpu and dtype in ("auto", "float32")


def may_have_gpu() -> bool:
    """Whether there may be a GPU that PyTorch can use, found out without it."""
    if sys.platform == "darwin":
        return True
    is_hidden = os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1")
    has_gpu = any(map(os.path.exists, GPU_FILES)) or shutil.which("nvidia-smi") is not None
    return has_gpu and not is_hidden


def _plain(name: str) -> tuple[Model, PageTokenizer | None] | None:
    """A model without PyTorch; None if it cannot do without, or something is wrong, which PyTorch's
    engine then reports.
    """
    folder = checkpoint_folder(name, weights=True)
    settings = settings_of(folder)
    family = plain_class(str(settings.get("model_type")))
    if family is None:
        return None
    from .arrays import CannotRead

    try:
        model: Model = family.load(folder, settings, commit_of(folder))
    except (CannotRead, ValueError, TypeError):
        return None
    return model, _tokenizer(folder, model)


def _tokenizer(folder: Path, model: Model) -> PageTokenizer | None:
    first_control_token = model.config.first_control_token
    return PageTokenizer.load(folder, first_control_token) if has_tokenizer(folder) else None
