"""What a part of a model that is not trained makes of each example: computed once, and kept on disk."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..models.tasks import Batch, Example, Task

FORMAT = 1  # version of the files


class States:
    """States of examples in a folder of their own for these weights, one file for each text; rounded to float16."""

    def __init__(self, task: Task, model: Any, root: Path, number_format: str) -> None:
        self.task, self.model = task, model
        hashed = hashlib.sha256(f"{FORMAT} {model.device.type} {number_format}".encode())
        for name, weight in model.named_parameters():
            if not weight.requires_grad:
                hashed.update(name.encode() + weight.detach().cpu().numpy().tobytes())
        self.folder = root / "states" / hashed.hexdigest()[:24]
        self.folder.mkdir(parents=True, exist_ok=True)

    def of(self, examples: list[Example], tensors: Callable[[Batch], Batch]) -> Tensor:
        """The states of a batch, each example computed alone; ``tensors`` moves its tensors to the device."""
        found = []
        for example in examples:
            text = b" ".join(page.tobytes() for page in example.pages)
            path = self.folder / f"{hashlib.sha256(text).hexdigest()[:32]}.npy"
            if not path.exists():
                batch = Task.collate(self.task, [example], self.model.config.pad_token_id)
                states = self.task.states(self.model, tensors(batch)).cpu().to(torch.float16).numpy()
                aside = path.with_suffix(f".{os.getpid()}")
                with open(aside, "wb") as file:
                    np.save(file, states)
                aside.replace(path)
            found.append(np.load(path))
        return torch.from_numpy(np.concatenate(found))
