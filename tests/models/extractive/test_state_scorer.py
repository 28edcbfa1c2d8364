"""Sentences are scored beside those of their document."""

import pytest
import torch

from pagesum_cli.models.extractive.state_scorer import (
    MAX_DEVIATION,
    TOGETHER,
    HeadLayer,
    Standardized,
    StateScorer,
)


def scorer(heads: int = 2, **dropouts: float) -> StateScorer:
    torch.manual_seed(0)
    shares = {"dropout": 0.0, "input_dropout": 0.0, **dropouts}
    scoring = StateScorer(states=6, width=8, heads=2, count=heads, **shares)
    for head in scoring.heads:
        torch.nn.init.normal_(head.places.weight)
    return scoring.eval()


@torch.no_grad()
def test_documents_of_a_cluster_are_scored_each_alone() -> None:
    scoring, states = scorer(), torch.randn(9, 6)
    together = scoring(states, torch.tensor([1, 1, 1, 2, 2, 2, 2, 5, 5]))
    alone = [scoring(part, torch.zeros(len(part))) for part in states.split([3, 4, 2])]
    torch.testing.assert_close(together, torch.cat(alone))
    other = states.index_fill(0, torch.tensor([3]), 2.0)
    changed = scoring(other, torch.tensor([1, 1, 1, 2, 2, 2, 2, 5, 5])) != together
    assert changed.any(1).tolist() == [False] * 3 + [True] * 4 + [False] * 2


@torch.no_grad()
def test_long_documents_are_scored_in_groups() -> None:
    (head,) = scorer(1).heads
    sentences, places = torch.randn(TOGETHER + 9, 12), torch.randint(64, (TOGETHER + 9, 2))
    apart = [
        head(*part) for part in zip(sentences.split(TOGETHER), places.split(TOGETHER), strict=True)
    ]
    assert TOGETHER == 1024
    torch.testing.assert_close(head(sentences, places), torch.cat(apart))
    scores = scorer()(torch.randn(2 * TOGETHER + 1, 6), torch.zeros(2 * TOGETHER + 1))
    assert scores.shape == (2 * TOGETHER + 1, 3)
    assert bool(scores.isfinite().all())


@torch.no_grad()
def test_logits_of_heads_are_averaged() -> None:
    both, states = scorer(2), torch.randn(4, 6)
    part = torch.zeros(4)
    expected = []
    for head in both.heads:
        one = scorer(1)
        one.heads[0].load_state_dict(head.state_dict())
        expected.append(one(states, part)[:, :2])
    torch.testing.assert_close(both(states, part)[:, :2], torch.stack(expected).mean(0))


@torch.no_grad()
def test_at_first_positions_do_not_count_and_lengths_are_equal() -> None:
    scoring, states = scorer(), torch.randn(70, 6)
    scoring.reset(200)
    order = torch.randperm(70)
    scores = scoring(states, torch.zeros(70))
    torch.testing.assert_close(scoring(states[order], torch.zeros(70)), scores[order])
    assert scores[:, 2].exp().tolist() == pytest.approx([200] * 70, rel=1e-5)


def test_a_layer_is_that_of_pytorch() -> None:
    torch.manual_seed(0)
    ours, states = HeadLayer(8, 2, 0.0).eval(), torch.randn(5, 8)
    theirs = torch.nn.TransformerEncoderLayer(
        8, 2, 16, 0.0, torch.nn.functional.gelu, batch_first=True, norm_first=True
    ).eval()
    names = {
        "self_attn.in_proj_": "project.",
        "self_attn.out_proj.": "mix.",
        "linear1.": "widen.",
        "linear2.": "narrow.",
        "norm1.": "attention_norm.",
        "norm2.": "inner_norm.",
    }
    given = ours.state_dict()
    theirs.load_state_dict(
        {a + part: given[b + part] for a, b in names.items() for part in ("weight", "bias")}
    )
    torch.testing.assert_close(ours(states), theirs(states[None])[0], atol=1e-5, rtol=1e-4)


def test_states_are_standardized_by_all_that_training_saw() -> None:
    torch.manual_seed(0)
    norm, values = Standardized(3), torch.randn(50, 3) * 1000 + 20
    for part in values.split(20):
        norm(part)
    torch.testing.assert_close(norm.mean, values.mean(0))
    torch.testing.assert_close(norm.variance, values.var(0, correction=0))
    norm.eval()
    assert norm.count.item() == 50
    found = norm(values)
    torch.testing.assert_close(found.mean(0), torch.zeros(3), atol=1e-4, rtol=0)
    assert norm(torch.full((1, 3), 1e6)).tolist() == [[MAX_DEVIATION] * 3]
    with torch.no_grad():
        norm.train()(values + 1)
    assert norm.count.item() == 50  # nothing is learned from these two


def test_below_last_layers_that_are_trained_alone_nothing_is_random_or_learned() -> None:
    scoring, states = scorer(dropout=0.5, input_dropout=0.5), torch.randn(9, 6)
    expected = scoring(states, torch.zeros(9))
    assert not torch.equal(scoring.train()(states, torch.zeros(9)), expected)
    scoring = scorer(dropout=0.5, input_dropout=0.5).requires_grad_(False)
    for weight in scoring.output_parameters():
        weight.requires_grad_(True)
    found = scoring.train()(states, torch.zeros(9))
    torch.testing.assert_close(found, expected)
    assert scoring.norm.count.item() == 0
    found[:, 0].sum().backward()
    trained = [name for name, weight in scoring.named_parameters() if weight.grad is not None]
    assert trained == [f"heads.{n}.out.{kind}" for n in range(2) for kind in ("weight", "bias")]


def test_lengths_teach_the_states_nothing() -> None:
    scoring = scorer()
    states = torch.randn(4, 6, requires_grad=True)
    scoring(states, torch.zeros(4))[:, 2].sum().backward()
    assert states.grad is None or not states.grad.any()


def test_it_stays_in_float32() -> None:
    scoring = scorer().to(torch.bfloat16)
    assert {weight.dtype for weight in scoring.state_dict().values()} == {torch.float32}
    assert scoring(torch.randn(4, 6).bfloat16(), torch.zeros(4)).dtype == torch.float32
