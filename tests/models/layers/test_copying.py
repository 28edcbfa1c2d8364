"""Copying and coverage beside loops over words, steps and source tokens."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from pagesum_cli.models.layers import loss as losses
from pagesum_cli.models.layers.loss import (
    copying_log_probabilities,
    copying_loss,
    coverage_loss,
    label_log_probabilities,
)

VOCABULARY, ENTRIES = 7, 10
SOURCE = [[4, 8, 5, 8], [6, 6, 0, 0]]  # 8: a word that the vocabulary lacks; 0: padding
STEPS = 3


def inputs() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Logits, gate, weights and ids of two documents, the second with two tokens of padding."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(2, STEPS, VOCABULARY, generator=generator)
    gate = torch.randn(2, STEPS, 1, generator=generator)
    ids = torch.tensor(SOURCE)
    scores = torch.randn(2, STEPS, 4, generator=generator).masked_fill(
        (ids == 0)[:, None], -torch.inf
    )
    return logits, gate, scores.softmax(-1), ids


def probability(word: int, logits: Tensor, gate: float, weights: Tensor, ids: list[int]) -> float:
    p = 1 / (1 + math.exp(-gate))
    copied = sum(
        weight for weight, token in zip(weights.tolist(), ids, strict=True) if token == word
    )
    powers = [math.exp(one) for one in logits.tolist()]
    generated = powers[word] / sum(powers) if word < VOCABULARY else 0.0
    return (1 - p) * generated + p * copied


def test_log_probabilities_are_a_loop_over_words() -> None:
    logits, gate, weights, ids = inputs()
    found = copying_log_probabilities(logits, gate, weights, ids, ENTRIES)
    assert found.shape == (2, STEPS, ENTRIES)
    for b in range(2):
        for t in range(STEPS):
            for word in range(ENTRIES):
                expected = probability(
                    word, logits[b, t], gate[b, t].item(), weights[b, t], SOURCE[b]
                )
                assert found[b, t, word].exp().item() == pytest.approx(expected, abs=1e-6)
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(2, STEPS))


def test_words_of_neither_vocabulary_nor_source_are_impossible_and_finite() -> None:
    found = copying_log_probabilities(*inputs(), ENTRIES)
    assert found.isfinite().all()
    assert found[..., 9].max() < -40
    assert found[1, :, 8].max() < -40  # of the other document


def test_the_loss_is_the_label_of_the_log_probabilities() -> None:
    logits, gate, weights, ids = inputs()
    # copied alone; both; generated alone; both; impossible; none
    labels = torch.tensor([[8, 4, 2], [6, 8, -100]])
    known = labels.clamp(0, VOCABULARY - 1)
    scores = logits.log_softmax(-1).gather(-1, known[..., None]).squeeze(-1)
    loss = copying_loss(scores, gate, weights, ids, labels, VOCABULARY)
    everything = copying_log_probabilities(logits, gate, weights, ids, ENTRIES)
    for b, t in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]:
        assert loss[b, t].item() == pytest.approx(-everything[b, t, labels[b, t]].item(), rel=1e-5)
        expected = probability(
            int(labels[b, t]), logits[b, t], gate[b, t].item(), weights[b, t], SOURCE[b]
        )
        assert loss[b, t].item() == pytest.approx(-math.log(expected + 1e-20), rel=1e-5)


def test_a_label_that_only_the_source_has_is_not_generated() -> None:
    _, gate, weights, ids = inputs()
    labels = torch.full((2, STEPS), 8)
    certain = torch.zeros(2, STEPS, requires_grad=True)
    loss = copying_loss(certain, gate, weights, ids, labels, VOCABULARY)[0]
    expected = -(gate[0].sigmoid() * weights[0, :, [1, 3]].sum(-1, keepdim=True)).log().squeeze(-1)
    torch.testing.assert_close(loss, expected)
    loss.sum().backward()
    assert certain.grad is not None
    assert not certain.grad.any()


def test_gradients_reach_gate_weights_and_logits() -> None:
    logits, gate, weights, ids = inputs()
    labels = torch.tensor([[8, 4, 2], [6, 3, 2]])

    def loss(logits: Tensor, gate: Tensor, weights: Tensor) -> Tensor:
        scores = (
            logits.log_softmax(-1)
            .gather(-1, labels.clamp(max=VOCABULARY - 1)[..., None])
            .squeeze(-1)
        )
        return copying_loss(scores, gate, weights, ids, labels, VOCABULARY)

    small = 1e-3
    given = [one.requires_grad_() for one in (logits, gate, weights)]
    loss(*given).sum().backward()
    for number, one in enumerate(given):
        step = torch.zeros_like(one).flatten()
        step[1] = small
        moved = [value.detach() for value in given]
        up, down = list(moved), list(moved)
        up[number], down[number] = (
            moved[number] + step.view_as(one),
            moved[number] - step.view_as(one),
        )
        slope = (loss(*up).sum() - loss(*down).sum()) / (2 * small)
        assert one.grad is not None
        assert one.grad.flatten()[1].item() == pytest.approx(slope.item(), abs=2e-3)


@pytest.mark.parametrize("at_once", [2, 512])
def test_a_few_tokens_at_a_time_are_all_at_once(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(losses, "COPYING_AT_ONCE", at_once)
    torch.manual_seed(0)
    states, weight, bias = torch.randn(5, 4), torch.randn(VOCABULARY, 4), torch.randn(VOCABULARY)
    labels = torch.tensor([0, 6, 3, 3, 1])
    results = []
    for blocks in (True, False):
        given = [one.clone().requires_grad_() for one in (states, weight, bias)]
        if blocks:
            found = label_log_probabilities(*given, labels)
        else:
            found = -F.cross_entropy(F.linear(*given), labels, reduction="none")
        found.square().sum().backward()
        results.append((found, *(value.grad for value in given)))
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs)


def test_coverage_loss_is_a_loop_over_steps() -> None:
    weights = inputs()[2]
    loss = coverage_loss(weights)
    for b in range(2):
        coverage = [0.0] * 4
        for t in range(STEPS):
            now = weights[b, t].tolist()
            expected = sum(min(a, c) for a, c in zip(now, coverage, strict=True))
            assert loss[b, t].item() == pytest.approx(expected, abs=1e-6)
            coverage = [a + c for a, c in zip(now, coverage, strict=True)]


def test_coverage_ends_before_the_step() -> None:
    """With the step itself in it, the loss would be 1 at every step, and without a gradient."""
    weights = torch.eye(3)[None].requires_grad_()  # each step reads another token
    assert coverage_loss(weights).tolist() == [[0.0, 0.0, 0.0]]
    again = torch.tensor([[[0.9, 0.1], [0.9, 0.1], [0.1, 0.9]]], requires_grad=True)
    loss = coverage_loss(again)
    torch.testing.assert_close(loss, torch.tensor([[0.0, 1.0, 0.3]]))
    loss.sum().backward()
    assert again.grad is not None
    assert again.grad.any()
