"""Checkpoints by bundled name, folder or Hugging Face id."""

from ..tokenization import PageTokenizer
from .base import PageModel
from .catalog import checkpoint_folder, has_tokenizer


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
    model = PageModel.from_pretrained(folder, device=device, dtype=dtype)
    first_control_token = model.config.first_control_token
    return model, PageTokenizer.load(folder, first_control_token) if has_tokenizer(folder) else None
