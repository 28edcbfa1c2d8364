"""The loss without logits equals the loss on logits, and so do its gradients."""

import pytest
import torch
import torch.nn.functional as F

from pagesum_cli.model.configuration import PageSumConfig
from pagesum_cli.model.loss import TOKENS_AT_ONCE, projected_cross_entropy
from pagesum_cli.model.modeling import PADDING_WORTH_A_GROUP, PageRows, PageSumForConditionalGeneration


@pytest.mark.parametrize("tokens", [1, TOKENS_AT_ONCE, 2 * TOKENS_AT_ONCE + 7])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_equals_cross_entropy_on_logits(tokens: int, smoothing: float) -> None:
    torch.manual_seed(tokens)
    states = torch.randn(tokens, 16, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(50, 16, dtype=torch.float64, requires_grad=True)
    bias = torch.randn(50)
    labels = torch.randint(50, (tokens,))
    expected = F.cross_entropy(states @ weight.T + bias, labels, label_smoothing=smoothing)
    gradients = torch.autograd.grad(3 * expected, (states, weight))
    loss = projected_cross_entropy(states, weight, bias, labels, smoothing)
    torch.testing.assert_close(loss, expected.float(), rtol=1e-6, atol=0)
    for ours, theirs in zip(torch.autograd.grad(3 * loss, (states, weight)), gradients, strict=True):
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


def test_pages_of_other_lengths_are_computed_apart_with_the_same_result() -> None:
    torch.manual_seed(0)
    config = PageSumConfig(
        vocab_size=40,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=600,
        dropout=0.0,
    )
    model = PageSumForConditionalGeneration(config)
    lengths = torch.tensor([[3, 600, 4], [590, 60, 0]])
    mask = torch.arange(600) < lengths[..., None]
    ids = torch.randint(4, 40, mask.shape).masked_fill(~mask, 1)
    labels = torch.tensor([[5, 6, 7, 2], [8, 2, -100, -100]])

    pages, groups = PageRows.of(ids, mask).by_length()
    assert [len(group.document) for group in groups] == [2, 3]
    assert [group.input_ids.shape[1] for group in groups] == [600, 60]
    padding = sum((~group.mask).sum().item() for group in groups)
    assert padding < PADDING_WORTH_A_GROUP
    assert pages.document.tolist() == [0, 1, 1, 0, 0]

    together = model(input_ids=ids, attention_mask=mask, labels=labels)
    apart = [
        model(input_ids=ids[b : b + 1, p : p + 1, : lengths[b, p]], labels=labels[b : b + 1]).page_scores
        for b, p in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
    ]
    whole = together.page_scores
    for (b, p), alone in zip(((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)), apart, strict=True):
        torch.testing.assert_close(whole[b, :, p], alone[0, :, 0], rtol=1e-4, atol=1e-5)
    without = model(input_ids=ids, attention_mask=mask, labels=labels, return_logits=False)
    assert without.logits is None
    torch.testing.assert_close(without.loss, together.loss)
