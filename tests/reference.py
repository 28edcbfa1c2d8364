"""What the original program computed with small random checkpoints; see
``tests/data/reference``.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pagesum_cli import load_model

DATA = Path(__file__).parent / "data" / "reference"
INPUTS = ("input_ids", "attention_mask", "decoder_input_ids", "decoder_attention_mask")


class Reference:
    """A checkpoint of the original program and what it computed with it."""

    def __init__(self, folder: Path, device: str = "cpu", dtype: str = "float32") -> None:
        self.model, _ = load_model(str(folder), device=device, dtype=dtype)
        facts = json.loads((folder / "cases.json").read_text())
        self.settings: dict[str, dict[str, Any]] = facts["generation_settings"]
        self.cases: dict[str, dict[str, Any]] = facts["cases"]
        self.arrays = np.load(folder / "cases.npz")

    def tensor(self, case: str, name: str) -> torch.Tensor:
        """An input or output of a case."""
        return torch.from_numpy(self.arrays[f"{case}/{name}"]).to(self.model.device)

    def documents(self, case: str) -> slice:
        """Documents to compare: the original lets pages of padding take part, ours leaves them
        out.
        """
        info = self.cases[case]
        return slice(0, info["B"] - 1 if info["all_pad_pages_in_last_doc"] else info["B"])

    def labels(self, case: str) -> torch.Tensor:
        """The next token at each place of the decoder's input, -100 where there is none, ``(B,
        T)``.
        """
        target, mask = (
            self.tensor(case, "decoder_input_ids"),
            self.tensor(case, "decoder_attention_mask"),
        )
        return torch.cat(
            [target[:, 1:].masked_fill(~mask[:, 1:], -100), torch.full_like(target[:, :1], -100)],
            dim=1,
        )

    def summaries(self) -> Iterator[tuple[str, str, list[list[int]], list[list[int]]]]:
        """Case, setting, the original's token ids and ours of every search, without padding."""
        for case, info in self.cases.items():
            ids, mask = self.tensor(case, "input_ids"), self.tensor(case, "attention_mask")
            for name, expected in info["generate"].items():
                found = self.model.generate(ids, mask, **self.settings[name])
                some = slice(
                    0,
                    self.documents(case).stop * self.settings[name].get("num_return_sequences", 1),
                )
                theirs, ours = expected["sequences"][some], found.sequences.tolist()[some]
                yield case, name, [trimmed(one) for one in theirs], [trimmed(one) for one in ours]


def trimmed(sequence: list[int]) -> list[int]:
    """Token ids without the padding after them."""
    while sequence[-1] == 1:
        sequence = sequence[:-1]
    return sequence
