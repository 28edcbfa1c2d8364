"""Local attention against full attention with a dense mask."""

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from pagesum_cli.models.layers.attention import Attention
from pagesum_cli.models.layers.transformer import MIN_BLOCK, local_attention

WIDTH, HEADS = 8, 2


def attention(dropout: float = 0.0) -> Attention:
    torch.manual_seed(0)
    return Attention(WIDTH, HEADS, dropout).double()


def dense(layer: Attention, states: Tensor, mask: Tensor, reach: int) -> Tensor:
    """Each token's attention computed with an N×N mask."""
    batch, length, _ = states.shape
    heads = [
        project(states).view(batch, length, HEADS, -1).transpose(1, 2)
        for project in (layer.q_proj, layer.k_proj, layer.v_proj)
    ]
    queries, keys, values = heads
    places = torch.arange(length)
    near = (places[:, None] - places).abs()
    # padding sees itself: what it has is not compared
    sees = (near <= reach) & mask[:, None, None] | (near == 0)
    scores = (queries @ keys.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5).masked_fill(
        ~sees, float("-inf")
    )
    mixed = scores.softmax(-1) @ values
    return layer.out_proj(mixed.transpose(1, 2).reshape(batch, length, WIDTH))


LENGTHS = (1, 2, MIN_BLOCK, 2 * MIN_BLOCK + 2, 200)
REACHES = (0, 3, MIN_BLOCK, 65, 199)


@pytest.mark.parametrize("reach", REACHES)
def test_local_attention_is_attention_with_a_dense_mask(reach: int) -> None:
    layer = attention()
    for length, padding in itertools.product(LENGTHS, (0, 70)):
        if padding >= length:
            continue
        states = torch.randn(2, length, WIDTH, dtype=torch.double)
        mask = torch.ones(2, length, dtype=torch.bool)
        mask[1, length - padding :] = False
        expected = dense(layer, states, mask, reach)
        result = local_attention(layer, states, None if not padding else mask, reach)
        torch.testing.assert_close(result[mask], expected[mask], atol=1e-10, rtol=0)


@pytest.mark.parametrize(("length", "reach"), [(150, 5), (150, 70), (40, 100)])
def test_gradients_are_those_of_the_dense_mask(length: int, reach: int) -> None:
    layer = attention()
    mask = torch.ones(2, length, dtype=torch.bool)
    mask[1, length - 23 :] = False
    values = torch.randn(2, length, WIDTH, dtype=torch.double)
    weight = torch.randn(2, length, WIDTH, dtype=torch.double) * mask[..., None]
    gradients = []
    for compute in (local_attention, dense):
        states = values.clone().requires_grad_()
        layer.zero_grad()
        (compute(layer, states, mask, reach) * weight).sum().backward()
        parameters = [
            parameter.grad.clone() for parameter in layer.parameters() if parameter.grad is not None
        ]
        assert states.grad is not None
        gradients.append([states.grad[mask], *parameters])
    for ours, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-10, rtol=0)


def test_padding_gives_no_nan() -> None:
    mask = torch.ones(2, 300, dtype=torch.bool)
    mask[1, 3:] = False
    states = torch.randn(2, 300, WIDTH, dtype=torch.double, requires_grad=True)
    result = local_attention(attention(), states, mask, 4)
    result.sum().backward()
    assert states.grad is not None
    assert bool(result.isfinite().all())
    assert bool(states.grad.isfinite().all())


def test_attention_weights_have_dropout_in_training_alone() -> None:
    layer = attention(dropout=0.5)
    states = torch.randn(1, 200, WIDTH, dtype=torch.double)
    first, second = (local_attention(layer.train(), states, None, 8) for _ in range(2))
    assert not torch.equal(first, second)
    first, second = (local_attention(layer.eval(), states, None, 8) for _ in range(2))
    assert torch.equal(first, second)


class Largest(TorchDispatchMode):
    """Remembers the number of elements of all tensors that are made, and of the largest one."""

    def __init__(self) -> None:
        super().__init__()
        self.largest = self.all = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = function(*args, **(kwargs or {}))
        for one in result if isinstance(result, tuple | list) else (result,):
            if isinstance(one, Tensor):
                self.largest = max(self.largest, one.numel())
                self.all += one.numel()
        return result


@pytest.mark.parametrize("has_mask", [False, True])
@torch.no_grad()
def test_what_is_held_grows_with_the_number_of_tokens(has_mask: bool) -> None:
    sizes = []
    for length in (2048, 4096):
        states = torch.randn(1, length, WIDTH, dtype=torch.double)
        mask = torch.ones(1, length, dtype=torch.bool) if has_mask else None
        with Largest() as made:
            local_attention(attention(), states, mask, MIN_BLOCK)
        sizes.append((made.largest, made.all))
    assert sizes[1][0] <= 2 * sizes[0][0] < 2048 * 2048
    assert sizes[1][1] <= 2.1 * sizes[0][1]
