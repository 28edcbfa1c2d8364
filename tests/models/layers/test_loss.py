"""The loss without logits equals the loss on logits, and so do its gradients."""

import pytest
import torch
import torch.nn.functional as F

from pagesum_cli.models.layers.loss import TOKENS_AT_ONCE, projected_cross_entropy


@pytest.mark.parametrize("tokens", [1, TOKENS_AT_ONCE, 2 * TOKENS_AT_ONCE + 7])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_equals_cross_entropy_on_logits(tokens: int, smoothing: float) -> None:
    torch.manual_seed(tokens)
    states = torch.randn(tokens, 16, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(50, 16, dtype=torch.float64, requires_grad=True)
    bias = torch.randn(50, requires_grad=True)
    labels = torch.randint(50, (tokens,))
    expected = F.cross_entropy(states @ weight.T + bias, labels, label_smoothing=smoothing)
    gradients = torch.autograd.grad(3 * expected, (states, weight, bias))
    loss = projected_cross_entropy(states, weight, bias, labels, smoothing)
    torch.testing.assert_close(loss, expected.float(), rtol=1e-6, atol=0)
    for ours, theirs in zip(
        torch.autograd.grad(3 * loss, (states, weight, bias)), gradients, strict=True
    ):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-7)


def test_bfloat16_stays_near_float32() -> None:
    torch.manual_seed(0)
    states = torch.randn(300, 32, requires_grad=True)
    weight = torch.randn(100, 32, requires_grad=True)
    labels = torch.randint(100, (300,))
    exact = projected_cross_entropy(states, weight, torch.zeros(100), labels, 0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = projected_cross_entropy(states, weight, torch.zeros(100), labels, 0.1)
    assert loss.dtype == torch.float32
    assert abs(loss.item() / exact.item() - 1) < 0.01
    (exact_slope,) = torch.autograd.grad(exact, weight)
    (slope,) = torch.autograd.grad(loss, weight)
    assert ((slope - exact_slope).norm() / exact_slope.norm()).item() < 0.02
