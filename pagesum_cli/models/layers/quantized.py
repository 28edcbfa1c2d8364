"""Weights stored in few bits, in blocks of 32 values of a row: codes, and what they stand for in
each block.

A weight ``NAME`` ``(O, I)`` is stored as

- ``NAME.codes``: ``(O, I / 2)`` uint8, two codes of 4 bits (of each block, the first 16 values in
  the low bits); or ``(O, I)`` int8;
- ``NAME.scales`` ``(O, I / 32)`` and, with 4 bits, ``NAME.minimums``: a value is ``scale * code +
  minimum``. These are the formats Q4_1 and Q8_0 of GGUF files, without loss;
- ``NAME.up`` ``(O, R)`` and ``NAME.down`` ``(R, I)``, where training has changed it: their product
  is added (LoRA; Hu et al., 2021).
"""

from collections.abc import Mapping

import torch
from torch import Tensor

BLOCK = 32
SMALLEST = 2.0**-24  # number above 0 in half precision
CODES = ".codes"
CODE_TYPES = (torch.uint8, torch.int8)

PARTS = (CODES, ".scales", ".minimums", ".up", ".down")


def restored(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """All weights in full: those that are stored as codes, as bfloat16.

    Raises:
        KeyError, ValueError, RuntimeError: Parts of a weight are missing, or do not fit together.
    """
    names = {name.removesuffix(CODES): None for name in tensors if name.endswith(CODES)}
    found = {name: value for name, value in tensors.items() if not _belongs_to(name, names)}
    for name in names:
        parts = {part: tensors[name + part] for part in PARTS if name + part in tensors}
        found[name] = _weight(parts).to(torch.bfloat16)
    return found


def _belongs_to(name: str, names: Mapping[str, None]) -> bool:
    return any(name.endswith(part) and name.removesuffix(part) in names for part in PARTS)


def _weight(parts: Mapping[str, Tensor]) -> Tensor:
    _check(parts)
    values = _codes(parts[CODES]).float() * parts[".scales"].float()[..., None]
    if ".minimums" in parts:
        values += parts[".minimums"].float()[..., None]
    weight = values.flatten(1)
    if ".up" in parts:
        weight.addmm_(parts[".up"].float(), parts[".down"].float())
    return weight


def _codes(codes: Tensor) -> Tensor:
    """The codes ``(O, I / 32, 32)``."""
    if codes.dtype != torch.uint8:
        return codes.unflatten(1, (-1, BLOCK))
    pairs = codes.unflatten(1, (-1, BLOCK // 2))
    return torch.cat([pairs & 15, pairs >> 4], dim=-1)


def _check(parts: Mapping[str, Tensor]) -> None:
    """Check that the parts of a weight are there and have shapes that fit."""
    codes, scales = parts[CODES], parts[".scales"]
    is_in_4_bits = codes.dtype == torch.uint8
    if codes.dtype not in CODE_TYPES or codes.dim() != 2:
        raise ValueError(f"codes are {codes.dtype} {tuple(codes.shape)}")
    if (".minimums" in parts) != is_in_4_bits or (".up" in parts) != (".down" in parts):
        raise ValueError(f"only {', '.join(parts)} of a weight")
    blocks = (len(codes), codes.shape[1] * (1 + is_in_4_bits) // BLOCK)
    if any(tuple(part.shape) != blocks for part in (scales, parts.get(".minimums", scales))):
        raise ValueError(f"scales are {tuple(scales.shape)}, expected {blocks}")


def in_8_bits(name: str, weight: Tensor) -> dict[str, Tensor]:
    """The tensors as which a weight ``(O, I)`` is stored in 8 bits."""
    blocks = weight.float().unflatten(1, (-1, BLOCK))
    scales = (blocks.abs().amax(-1) / 127).half().clamp(min=SMALLEST)
    codes = (blocks / scales.float()[..., None]).round().clamp(-127, 127).to(torch.int8)
    return {name + CODES: codes.flatten(1), f"{name}.scales": scales}
