"""What is stored beside a language model of Transformers: settings and a confidence layer."""

import json
from pathlib import Path

from safetensors.torch import save_file
from torch import Tensor

from ..causal_settings import OWN_SETTINGS
from ..weights import read_tensors
from .configuration import CausalConfig

CONFIDENCE = "confidence.pagesum"  # not ``.safetensors``: Transformers would take it for a part


def confidence_in(folder: Path) -> dict[str, Tensor]:
    """The trained confidence layer in a folder; empty where there is none."""
    file = folder / CONFIDENCE
    return read_tensors(file) if file.is_file() else {}


def save_settings(config: CausalConfig, folder: Path) -> None:
    """Write the settings that Transformers' configuration does not have."""
    text = json.dumps(config.own_settings(), indent=2, ensure_ascii=False)
    (folder / OWN_SETTINGS).write_text(f"{text}\n", encoding="utf-8")


def save_confidence(weights: dict[str, Tensor], folder: Path) -> None:
    """Write a trained confidence layer."""
    save_file(weights, folder / CONFIDENCE)
