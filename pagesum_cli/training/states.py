"""What an encoder that is not trained makes of each example: computed once, and kept on disk."""

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..models.base import PageBatch
from ..models.tasks import Example, by_page


class States:
    """States of examples in a folder of these weights, one file for each text; rounded to float16."""

    def __init__(self, model: Any, root: Path, number_format: str) -> None:
        self.model = model
        hashed = hashlib.sha256(f"1 {model.device.type} {number_format}".encode())  # 1: version of the files
        for name, weight in model.named_parameters():
            if not weight.requires_grad:
                hashed.update(name.encode() + weight.detach().cpu().numpy().tobytes())
        self.folder = root / "states" / hashed.hexdigest()[:24]
        self.folder.mkdir(parents=True, exist_ok=True)

    @torch.no_grad()
    def of(self, examples: list[Example]) -> Tensor:
        """The states of a batch; each example is computed alone, so that they do not depend on the batch."""
        found = []
        for example in examples:
            name = hashlib.sha256(b" ".join(page.tobytes() for page in example.pages)).hexdigest()
            path = self.folder / f"{name[:32]}.npy"
            if not path.exists():
                mask = [[np.ones_like(page) for page in example.pages]]
                tensors = (by_page(pages, 0).to(self.model.device) for pages in ([example.pages], mask))
                training = self.model.training
                states = self.model.eval().encode(PageBatch(*tensors)).states  # no dropout, no random numbers
                self.model.train(training)
                with open(path.with_suffix(f".{os.getpid()}"), "wb") as file:
                    np.save(file, states.cpu().half().numpy())
                os.replace(file.name, path)
            found.append(np.load(path))
        return torch.from_numpy(np.concatenate(found)).to(self.model.device)
