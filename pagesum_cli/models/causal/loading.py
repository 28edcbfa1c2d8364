"""Language models as Transformers loads them. Imports Transformers only when called."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open

from ...errors import PagesumError
from ...system import free_memory
from ..weights import first_line

# layers whose memory of a text is keys and values of its tokens
ATTENTION = {"full_attention", "sliding_attention", "chunked_attention"}
AGAIN = "download the model again, or choose another one"


def load(folder: Path, device: torch.device, dtype: torch.dtype) -> tuple[Any, Any]:
    """The language model in a folder of Transformers, on a device, and its tokenizer.

    Raises:
        PagesumError: It is damaged, lacks weights, needs code of its own, or memory does not
            suffice.
    """
    _check_memory(folder, device, dtype)
    from transformers import AutoModelForCausalLM, AutoTokenizer

    with quiet(), _reported(folder):
        loader: Any = AutoModelForCausalLM
        model, found = loader.from_pretrained(
            folder,
            dtype=dtype,
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
        chat = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    for kind in ("missing_keys", "mismatched_keys"):
        if names := sorted(map(str, found[kind])):
            raise PagesumError(
                f"{folder}: {names[0]} is missing, or of another shape than config.json says",
                AGAIN,
            )
    kinds = set(getattr(model.config.get_text_config(), "layer_types", None) or ())
    if kinds - ATTENTION:
        raise PagesumError(
            f"{folder} has layers of type {min(kinds - ATTENTION)}, expected attention only",
            "choose a model like Llama, Qwen2, Qwen3, Gemma or SmolLM2",
        )
    return model.to(device).eval(), chat


def bytes_of_weights(folder: Path, dtype: torch.dtype) -> int:
    """The memory that a checkpoint's weights take in a number format."""
    size = torch.finfo(dtype).bits // 8
    numbers = 0
    for file in folder.glob("*.safetensors"):
        with safe_open(file, framework="pt") as weights:
            for name in weights.keys():  # noqa: SIM118 (no mapping)
                shape = weights.get_slice(name).get_shape()
                numbers += torch.Size(shape).numel()
    # pickled weights mostly take 2 bytes a number
    numbers = numbers or sum(file.stat().st_size // 2 for file in folder.glob("*.bin"))
    return numbers * size


def _check_memory(folder: Path, device: torch.device, dtype: torch.dtype) -> None:
    with _reported(folder):
        needed = bytes_of_weights(folder, dtype)
    on_cpu = device.type != "cuda"
    free = free_memory() if on_cpu else torch.cuda.mem_get_info(device)[0]
    if needed > free:
        name = str(dtype).removeprefix("torch.")
        hint = "choose a smaller model"
        if torch.finfo(dtype).bits > 16:
            hint = "--dtype bfloat16 needs half of it; or choose a smaller model"
        raise PagesumError(
            f"{folder.name} needs {needed / 2**30:.1f} GB of memory in {name}, "
            f"but {free / 2**30:.1f} GB are free",
            hint,
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Transformers' progress bars and warnings off standard error."""
    from transformers.utils import logging

    verbosity, had_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if had_bars:
            logging.enable_progress_bar()


@contextmanager
def _reported(folder: Path) -> Iterator[None]:
    """Report what Transformers raises for damaged or unknown checkpoints: it fails in many
    ways.
    """
    try:
        yield
    except PagesumError:
        raise
    except Exception as error:
        if isinstance(error, MemoryError | torch.OutOfMemoryError):
            raise
        raise PagesumError(
            f"{folder}: the language model cannot be loaded: {first_line(error)}", AGAIN
        ) from error
