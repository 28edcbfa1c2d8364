"""Linear layers whose weights are stored in the order in which a CPU's matrix product reads them.

A step of a search has few rows: reading the weights, and reordering them each time, is most of its
products' work.
"""

import copy
from typing import TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .transformer import Layer

M = TypeVar("M", bound=nn.Module)


def reordered(weight: Tensor) -> Tensor:
    """A weight ``(O, I)`` in the order in which a product reads it."""
    return torch.ops.mkldnn._reorder_linear_weight(weight.detach().contiguous(), None)


def linear(
    states: Tensor, weight: Tensor, after: str = "none", other: Tensor | None = None
) -> Tensor:
    """The product with a weight ``(O, I)``, and what is computed after it: ``swish``, or ``add`` or
    ``mul`` with ``other``.
    """
    if other is None:
        return torch.ops.mkldnn._linear_pointwise(states, weight, None, after, [], "")
    return torch.ops.mkldnn._linear_pointwise.binary(states, other, weight, None, after)


class PackedLinear(nn.Module):
    """A linear layer for inference on a CPU, with a GELU after it where ``gelu`` is set."""

    def __init__(self, weight: Tensor, bias: Tensor | None, gelu: bool = False) -> None:
        super().__init__()
        self.weight = reordered(weight)
        self.bias = None if bias is None else bias.detach()
        self.after: tuple[str, list[float], str] = (
            ("gelu", [], "none") if gelu else ("none", [], "")
        )

    def forward(self, states: Tensor) -> Tensor:
        return torch.ops.mkldnn._linear_pointwise(states, self.weight, self.bias, *self.after)


def can_pack(weight: Tensor) -> bool:
    """Whether this device and number format have packed weights; not under autocast, which does not
    know them.
    """
    if (
        weight.device.type != "cpu"
        or not torch.backends.mkldnn.is_available()
        or torch.is_autocast_enabled("cpu")
    ):
        return False
    is_bfloat16 = weight.dtype == torch.bfloat16 and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return is_bfloat16 or weight.dtype == torch.float32


def packed(module: M, fuse: bool = True) -> M:
    """The same module with packed linear layers; it shares everything else with the given one.

    ``fuse``: a GELU is part of the layer below it: faster for few rows, and in bfloat16 rounded
    once less.
    """
    new = copy.copy(module)
    new._modules = dict(module._modules)
    has_gelu = fuse and isinstance(module, Layer) and module.activation is F.gelu
    if isinstance(new, Layer) and has_gelu:
        new.activation = nn.Identity()
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            new._modules[name] = PackedLinear(
                child.weight, child.bias, gelu=has_gelu and name == "fc1"
            )
        else:
            new._modules[name] = packed(child, fuse)
    return new
