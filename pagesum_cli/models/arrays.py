"""The weights of a checkpoint as NumPy arrays, read without PyTorch.

Only what is as it should be is read: a folder with anything else is left to :mod:`.weights`, which
reads more and says what is wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Shape = tuple[int, ...]

WEIGHTS = "model.safetensors"
BLOCK = 32  # values of a row that have one scale, see ``layers.quantized``
IN_CACHE = 1 << 16  # values that are computed at a time


NOTHING = np.zeros(0)


class CannotRead(Exception):
    """The weights are stored in another way, or not as they should be."""


@dataclass(frozen=True)
class Rows:
    """A weight ``(O, I)`` whose rows are computed when they are needed: from codes in 8 bits, or
    as they are.
    """

    codes: NDArray[Any]  # ``(O, I)``
    scales: NDArray[Any] | None = None  # ``(O, I / 32)``; None where the codes are the values

    def __getitem__(self, rows: Any) -> Array:
        """Some rows, as PyTorch's engine has them: rounded to bfloat16 where they are codes."""
        values = self.codes[rows].astype(np.float32)
        if self.scales is not None:
            blocks = values.reshape(len(values), -1, BLOCK)
            blocks *= self.scales[rows].astype(np.float32)[..., None]
            round_to_bfloat16(values)
        return values

    def all(self) -> Array:
        """All of them."""
        if self.scales is None:
            return self.codes.astype(np.float32)
        values = np.empty(self.codes.shape, np.float32)
        for rows in self.pieces():
            values[rows] = self[rows]
        return values

    def mean(self) -> Array:
        """The mean row ``(I,)``."""
        sums = [self[rows].sum(0, dtype=np.float64) for rows in self.pieces()]
        return (np.sum(sums, axis=0) / len(self.codes)).astype(np.float32)

    def pieces(self) -> list[slice]:
        """Slices of rows that fit into the cache."""
        count, width = self.codes.shape
        step = max(IN_CACHE // width, 1)
        return [slice(start, start + step) for start in range(0, count, step)]


def round_to_bfloat16(values: Array) -> None:
    """Round to the nearest number of bfloat16, in place; of two, to the even one."""
    bits = values.view(np.uint32)
    bits += ((bits >> 16) & 1) + np.uint32(0x7FFF)
    bits &= np.uint32(0xFFFF0000)


def read_arrays(
    folder: Path, shapes: Mapping[str, Shape], kept: Sequence[str]
) -> tuple[dict[str, Array], dict[str, Rows]]:
    """The weights of a folder by name: all values, but of those that are ``kept`` the rows.

    Raises:
        CannotRead: There is anything else than these weights of these shapes, finite, in
            safetensors, in full or in 8 bits.
    """
    stored = _stored(folder)
    arrays: dict[str, Array] = {}
    rows: dict[str, Rows] = {}
    for name, shape in shapes.items():
        found = _rows(stored, name, shape)
        if name in kept:
            rows[name] = found
        else:
            arrays[name] = found.all()
    if stored:
        raise CannotRead(f"unknown weights: {', '.join(stored)}")
    return arrays, rows


def _stored(folder: Path) -> dict[str, NDArray[Any]]:
    """What a folder's only file of weights holds."""
    from safetensors import SafetensorError, safe_open

    if list(folder.glob("*.safetensors")) != [folder / WEIGHTS]:
        raise CannotRead(f"other files than {WEIGHTS}")
    try:
        with safe_open(folder / WEIGHTS, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, TypeError, AttributeError) as error:
        raise CannotRead(str(error)) from error


def _rows(stored: dict[str, NDArray[Any]], name: str, shape: Shape) -> Rows:
    """One weight, which is taken out of those that are stored."""
    if name in stored:
        return Rows(_checked(stored.pop(name), name, shape, "f"))
    codes, scales = (stored.pop(name + part, NOTHING) for part in (".codes", ".scales"))
    blocks = (shape[0], shape[-1] // BLOCK)
    return Rows(_checked(codes, name, shape, "i"), _checked(scales, name, blocks, "f"))


def _checked(values: NDArray[Any], name: str, shape: Shape, kind: str) -> NDArray[Any]:
    """Values that have a shape and a kind of numbers, and are finite."""
    if values.shape != shape or values.dtype.kind != kind or not np.isfinite(values).all():
        raise CannotRead(name)
    return values
