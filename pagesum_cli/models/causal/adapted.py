"""A language model with a low-rank adapter (LoRA, Hu et al., 2022) and a confidence layer, which
alone are trained and stored; the language model stays where it is.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional as F

from ...errors import PagesumError, UsageError
from ...tokenization import PageTokenizer
from ..base import PageModel
from ..catalog import checkpoint_folder
from ..configuration import ModelConfig
from ..tasks import Task
from ..weights import read_weights
from .configuration import CausalConfig
from .model import CausalModel
from .tasks import InOwnWords

WEIGHTS = "model.safetensors"


@dataclass
class AdaptedConfig(CausalConfig):
    """The language model's configuration, and which one it is."""

    model_type: ClassVar[str] = "causal-lora"

    dropout: float = 0.0  # of what the adapter reads
    base: str = ""  # the language model: a name, a folder or a Hugging Face id
    base_sha256: str = ""  # of its weights, see :func:`digest`
    rank: int = 8  # r
    alpha: float = 16.0  # what the adapter adds is multiplied by alpha / r


class LowRank(nn.Module):
    """A linear layer that is not trained, and what is added to it: ``W x + α/r · B A x``."""

    def __init__(self, layer: nn.Linear, config: AdaptedConfig) -> None:
        super().__init__()
        self.layer = layer
        self.scale = config.alpha / config.rank
        self.dropout = config.dropout
        place: Any = {"device": layer.weight.device, "dtype": layer.weight.dtype}
        self.down = nn.Linear(layer.in_features, config.rank, bias=False, **place)  # A
        self.up = nn.Linear(config.rank, layer.out_features, bias=False, **place)  # B
        nn.init.zeros_(self.up.weight)

    def forward(self, states: Tensor) -> Tensor:
        read = F.dropout(states, self.dropout, self.training)
        return self.layer(states) + self.scale * self.up(self.down(read))


class AdaptedModel(CausalModel):
    """See the module."""

    config_class: ClassVar[type[ModelConfig]] = AdaptedConfig
    tasks: ClassVar[tuple[Task, ...]] = (InOwnWords(),)
    starts_from: ClassVar[type[PageModel] | None] = CausalModel
    config: AdaptedConfig

    def __init__(self, config: AdaptedConfig, language_model: Any, chat: Any) -> None:
        super().__init__(config, language_model, chat)
        projection = language_model.get_output_embeddings()
        for module in list(language_model.modules()):
            for name, layer in list(module.named_children()):
                if isinstance(layer, nn.Linear) and layer is not projection:
                    setattr(module, name, LowRank(layer, config))

    @classmethod
    def read(
        cls, folder: Path, settings: dict[str, Any], device: torch.device, dtype: torch.dtype
    ) -> "AdaptedModel":
        """Load the language model, which must be the one of the training, and the adapter."""
        config = AdaptedConfig.from_dict(settings)
        base = checkpoint_folder(config.base, weights=True)
        if digest(base) != config.base_sha256:
            raise PagesumError(
                f"{folder} is an adapter of another model than {config.base} now is: "
                f"the weights differ",
                "restore the model that it was trained with, or train it again",
            )
        own = CausalModel.read(base, {**settings, "trained_confidence": False}, device, dtype)
        model = cls(config, own.language_model, own.chat)
        weights = read_weights(folder)
        names = model.stored_names()
        if lacking := sorted(set(names) - weights.keys()):
            raise PagesumError(
                f"the adapter {folder} lacks weights: {lacking[0]}", "copy the folder again"
            )
        try:
            model.load_state_dict({name: weights[name] for name in names}, strict=False)
        except RuntimeError as error:
            raise PagesumError(
                f"the weights of the adapter {folder} have other shapes than config.json says",
                "copy the folder again",
            ) from error
        return model

    @classmethod
    def from_bart(cls, model: CausalModel, **changes: Any) -> Self:
        values = {**model.config.to_dict(), "dropout": 0.0, **changes}
        return cls(AdaptedConfig.from_dict(values), model.language_model, model.chat)

    def adopt(self, settings: Any, tokenizer: PageTokenizer, start: ModelConfig | None) -> None:
        config = self.config
        longest = len(self.reading().prompt) + config.page_tokens + settings.target_tokens
        if longest > config.max_position_embeddings:
            raise UsageError(
                f"a part of {config.page_tokens} tokens with its prompt and a summary of "
                f"{settings.target_tokens} needs {longest} positions, but the model has "
                f"{config.max_position_embeddings}",
                "smaller page_tokens or target_tokens",
            )
        if not config.base:
            folder = checkpoint_folder(settings.init, weights=True)
            is_path = Path(settings.init).is_dir()
            config.base = str(folder.resolve()) if is_path else settings.init
            config.base_sha256 = digest(folder)

    def set_dropout(self, dropout: float) -> None:
        for module in self.modules():
            if isinstance(module, LowRank):
                module.dropout = dropout

    def trainable_parameters(self, head_only: bool) -> list[nn.Parameter]:
        names = set(self.stored_names())
        return [weight for name, weight in self.named_parameters() if name in names]

    def stored_names(self) -> list[str]:
        """The names of the weights of adapter and confidence layer."""
        own = [name for name, module in self.named_modules() if isinstance(module, LowRank)]
        adapters = [f"{name}.{part}.weight" for name in own for part in ("down", "up")]
        return [*adapters, "confidence.weight", "confidence.bias"]

    def save_pretrained(self, folder: Path | str) -> None:
        """Write ``config.json``, and the adapter alone as ``model.safetensors``."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.save_config(folder)
        state = self.state_dict()
        weights = {name: state[name].detach().cpu().contiguous() for name in self.stored_names()}
        save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
        (folder / WEIGHTS).chmod(0o644)

    def save_config(self, folder: Path | str) -> None:
        PageModel.save_config(self, folder)


def digest(folder: Path) -> str:
    """The SHA-256 of a language model's files of weights."""
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin"))
    whole = hashlib.sha256()
    for path in files:
        with open(path, "rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()
