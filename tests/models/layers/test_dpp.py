"""DPP attention beside a loop over heads, steps and source tokens that writes the equations out."""

import math
from collections.abc import Sequence

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from pagesum_cli.models.layers.attention import (
    DppAttention,
    DppKeys,
    DppOptions,
    Past,
    diversity,
    reweighted,
    unit,
)
from pagesum_cli.models.pagesum import PageSumConfig

WIDTH, HEADS, STEPS, TOKENS = 6, 2, 4, 5
BATCH = 2
Vector = list[float]


def attention(seed: int = 0, **options: object) -> DppAttention:
    torch.manual_seed(seed)
    return DppAttention(WIDTH, HEADS, 0.0, DppOptions(dpp=True, **options)).double().eval()


def inputs(seed: int = 1, tokens: int = TOKENS) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, source and what the layer below has read at each step."""
    generator = torch.Generator().manual_seed(seed)
    sizes = ((BATCH, STEPS, WIDTH), (BATCH, tokens, WIDTH), (BATCH, STEPS, WIDTH))
    return tuple(torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes)  # type: ignore


def linear(layer: torch.nn.Linear, vector: Vector) -> Vector:
    rows, bias = layer.weight.tolist(), layer.bias.tolist()
    return [
        sum(w * x for w, x in zip(row, vector, strict=True)) + b
        for row, b in zip(rows, bias, strict=True)
    ]


def dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def cosine(one: Vector, other: Vector) -> float:
    lengths = math.sqrt(dot(one, one) * dot(other, other))
    return dot(one, other) / lengths if lengths else 0.0


def relevance(scores: Vector) -> Vector:
    powers = [math.exp(score) for score in scores]
    return [power / sum(powers) for power in powers]


def mean(vectors: Sequence[Vector]) -> Vector:
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


def one_document(
    layer: DppAttention,
    states: list[Vector],
    source: list[Vector],
    read: list[Vector] | None,
    temperature: float = 1.0,
) -> tuple[list[Vector], list[list[Vector]], list[Vector]]:
    """Eq. 20–22: output and keys read, by step; weights by head and step."""
    options, size = layer.options, WIDTH // HEADS
    queries = [linear(layer.q_proj, state) for state in states]
    keys = [linear(layer.k_proj, state) for state in source]
    values = [linear(layer.v_proj, state) for state in source]
    weights: list[list[Vector]] = []
    contexts: list[Vector] = [[] for _ in states]
    keys_read: list[Vector] = [[] for _ in states]
    for head in range(HEADS):
        part = slice(head * size, (head + 1) * size)
        weights.append([])
        for t, query in enumerate(queries):
            omega = relevance(
                [dot(query[part], key[part]) / math.sqrt(size) / temperature for key in keys]
            )
            if read is not None and (t or options.dpp_first_step == "ones"):
                past = mean(read[:t]) if t else [1.0] * WIDTH
                if options.dpp_past != "none":
                    past = linear(
                        layer.past_proj if options.dpp_past == "own" else layer.k_proj, past
                    )
                cosines = [cosine(past[part], key[part]) for key in keys]
                beta = [1 - (one**2 if options.dpp_square else one) for one in cosines]
                omega = [a * b for a, b in zip(omega, beta, strict=True)]
                if options.dpp_rescale:
                    omega = [one / sum(omega) for one in omega]
            weights[head].append(omega)
            contexts[t] += [dot(omega, [value[part][i] for value in values]) for i in range(size)]
            keys_read[t] += [dot(omega, [key[part][i] for key in keys]) for i in range(size)]
    return [linear(layer.out_proj, context) for context in contexts], weights, keys_read


def same(found: Tensor, expected: object) -> None:
    torch.testing.assert_close(
        found, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("first_step", ["relevance", "ones"])
@pytest.mark.parametrize("rescale", [True, False])
@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("past", ["own", "key", "none"])
def test_all_steps_at_once_are_a_loop_over_steps(
    past: str, square: bool, rescale: bool, first_step: str
) -> None:
    layer = attention(
        dpp_past=past, dpp_square=square, dpp_rescale=rescale, dpp_first_step=first_step
    )
    states, source, read = inputs()
    before = Past.of_steps(read, first_step)
    output, reading = layer.read(states, layer.dpp_keys(source), past=before, temperature=0.6)
    assert reading.keys is not None
    for b in range(BATCH):
        expected = one_document(
            layer, states[b].tolist(), source[b].tolist(), read[b].tolist(), 0.6
        )
        for found, one in zip((output, reading.weights, reading.keys), expected, strict=True):
            same(found[b], one)


@pytest.mark.parametrize("first_step", ["relevance", "ones"])
def test_running_sums_are_all_steps_at_once(first_step: str) -> None:
    layer = attention(dpp_first_step=first_step)
    states, source, read = inputs()
    keys = layer.dpp_keys(source)
    together, whole = layer.read(states, keys, past=Past.of_steps(read, first_step))
    total = torch.zeros(BATCH, 1, WIDTH, dtype=torch.float64)
    for t in range(STEPS):
        output, reading = layer.read(
            states[:, t : t + 1], keys, past=Past.of_sum(total, t, first_step)
        )
        torch.testing.assert_close(output[:, 0], together[:, t], rtol=0, atol=1e-12)
        torch.testing.assert_close(
            reading.weights[:, :, 0], whole.weights[:, :, t], rtol=0, atol=1e-12
        )
        total = total + read[:, t : t + 1]


def test_the_first_layer_goes_by_relevance_alone() -> None:
    layer = attention()
    states, source, _ = inputs()
    output, reading = layer.read(states, layer.dpp_keys(source))
    expected = one_document(layer, states[0].tolist(), source[0].tolist(), None)
    same(output[0], expected[0])
    same(reading.weights[0], expected[1])


@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("rescale", [True, False])
def test_recurrent_reweighting_is_a_loop_over_steps(square: bool, rescale: bool) -> None:
    """Eq. 7–10: no projections, β compares the mean of the contexts with the encoder's states."""
    torch.manual_seed(2)
    scores, source = torch.randn(STEPS, TOKENS).double(), torch.randn(TOKENS, WIDTH).double()
    total, contexts = torch.zeros(1, 1, WIDTH).double(), []
    for t in range(STEPS):
        beta = diversity(Past.of_sum(total, t, "relevance").mean, unit(source), square)
        found = reweighted(scores[t], beta[0, 0], rescale)
        omega = relevance(scores[t].tolist())
        if contexts:
            cosines = [cosine(mean(contexts), one) for one in source.tolist()]
            omega = [
                a * (1 - (c * c if square else c)) for a, c in zip(omega, cosines, strict=True)
            ]
            omega = [one / sum(omega) for one in omega] if rescale else omega
        same(found, omega)
        contexts.append((found @ source).tolist())
        total = total + found @ source


def test_the_past_of_a_step_ends_before_it() -> None:
    layer = attention()
    states, source, read = inputs()
    keys = layer.dpp_keys(source)
    changed = read.clone()
    changed[:, 2] += 1
    one, other = (
        layer.read(states, keys, past=Past.of_steps(r, "relevance"))[0] for r in (read, changed)
    )
    assert torch.equal(one[:, :3], other[:, :3])
    assert not torch.equal(one[:, 3], other[:, 3])


@pytest.mark.parametrize("rescale", [True, False])
def test_without_a_past_it_is_softmax_attention(rescale: bool) -> None:
    layer = attention(dpp_past="none", dpp_rescale=rescale).float()
    states, source, read = (one.float() for one in inputs())
    keys = layer.dpp_keys(source)
    nothing = Past.of_steps(torch.zeros_like(read), "relevance")
    output, reading = layer.read(states, keys, past=nothing)
    plain, expected = layer.read(states, keys)
    queries = layer.split(layer.q_proj(states))
    explicit = (queries @ keys.keys.mT / (WIDTH // HEADS) ** 0.5).softmax(-1)
    assert torch.equal(reading.weights, explicit)
    assert torch.equal(expected.weights, explicit)
    assert torch.equal(output, plain)
    fused = layer(states, layer.keys_values(source))
    torch.testing.assert_close(output, fused, rtol=0, atol=1e-6)


@pytest.mark.parametrize("rescale", [True, False])
@pytest.mark.parametrize("square", [True, False])
def test_gradients_are_those_of_differences(square: bool, rescale: bool) -> None:
    layer = attention(dpp_square=square, dpp_rescale=rescale)
    given = tuple(one[:1].requires_grad_() for one in inputs())
    mask = torch.tensor([True, True, True, True, False])[None, None, None]

    def compute(
        states: Tensor, source: Tensor, read: Tensor, *weights: Tensor
    ) -> tuple[Tensor, ...]:
        past = Past.of_steps(read, "relevance")
        output, reading = layer.read(states, layer.dpp_keys(source), mask, past)
        assert reading.keys is not None
        return output, reading.weights, reading.keys

    assert torch.autograd.gradcheck(compute, (*given, layer.past_proj.weight, layer.k_proj.weight))


@pytest.mark.parametrize("rescale", [True, False])
def test_padding_gets_no_weight_and_changes_nothing(rescale: bool) -> None:
    layer = attention(dpp_rescale=rescale)
    states, source, read = inputs()
    past = Past.of_steps(read, "relevance")
    padded = torch.cat([source, 100 * torch.randn(BATCH, 3, WIDTH).double()], 1)
    mask = (torch.arange(TOKENS + 3) < TOKENS).expand(BATCH, 1, 1, -1)
    output, reading = layer.read(states, layer.dpp_keys(source), past=past)
    with_padding, other = layer.read(states, layer.dpp_keys(padded), mask, past)
    assert not other.weights[..., TOKENS:].any()
    torch.testing.assert_close(with_padding, output, rtol=0, atol=1e-12)
    torch.testing.assert_close(other.weights[..., :TOKENS], reading.weights, rtol=0, atol=1e-12)


@pytest.mark.parametrize("square", [True, False])
def test_a_zero_vector_among_the_keys_is_unlike_all_that_was_read(square: bool) -> None:
    keys = torch.randn(1, 3, WIDTH, dtype=torch.float64)
    keys[0, 1] = 0
    keys.requires_grad_()
    beta = diversity(torch.randn(1, 2, WIDTH, dtype=torch.float64), unit(keys), square)
    assert (beta[:, :, 1] == 1).all()
    beta.sum().backward()
    assert keys.grad is not None
    assert not keys.grad[0, 1].any()
    assert keys.grad.abs().max() < 100


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("tokens", [1, TOKENS])
def test_a_source_that_has_all_been_read_is_still_read(
    tokens: int, square: bool, dtype: torch.dtype
) -> None:
    """All positions alike, or only one: β is 0 everywhere, and weights remain by relevance."""
    layer = attention(dpp_past="none", dpp_square=square).to(dtype)
    states, source, _ = (one.to(dtype) for one in inputs())
    keys = layer.dpp_keys(source[:, :1].expand(-1, tokens, -1))
    read = keys.keys[:, :, :1].expand(-1, -1, STEPS, -1).transpose(1, 2).flatten(2)
    output, reading = layer.read(states, keys, past=Past.of_steps(read, "relevance"))
    torch.testing.assert_close(reading.weights, torch.full_like(reading.weights, 1 / tokens))
    torch.testing.assert_close(output, layer.read(states, keys)[0])
    layer.options.dpp_rescale = False
    weights = layer.read(states, keys, past=Past.of_steps(read, "relevance"))[1].weights
    assert weights[:, :, 1:].sum(-1).max() < 1e-5
    assert (weights.sum(-1) > 0).all()


def test_sums_of_many_steps_keep_their_precision_in_half_precision() -> None:
    read = torch.rand(1, 600, 4).bfloat16()
    exact = read[:, :-1].double().mean(1)
    for past in (
        Past.of_steps(read, "relevance").mean[:, -1],
        Past.of_sum(read[:, :-1].float().sum(1, keepdim=True), 599, "relevance").mean[:, -1],
    ):
        torch.testing.assert_close(past.double(), exact, rtol=1e-5, atol=0)


def nearly_read() -> tuple[Tensor, Tensor]:
    """What has been read, and two keys ``(1, 2, D)``: nearly the same (cosine 0.998), and unlike
    it.
    """
    read = torch.tensor([3.0, -5.0, 7.0, 2.0, 4.0, -1.0])
    other = torch.tensor([5.0, 3.0, 0.0, 0.0, 1.0, 4.0])  # at a right angle
    step = other / other.norm() * read.norm() * math.tan(math.acos(0.998))
    return read, torch.stack([read + step, other])[None]


@pytest.mark.parametrize("square", [True, False])
def test_the_weight_of_a_nearly_read_position_is_not_rounded_under_autocast(square: bool) -> None:
    read, keys = nearly_read()
    with torch.autocast("cpu", torch.bfloat16):
        beta = diversity(read[None, None], unit(keys), square)
    torch.testing.assert_close(beta[0, 0, 0].item(), 1 - 0.998 ** (1 + square), rtol=1e-3, atol=0)


@pytest.mark.parametrize("is_half", [True, False])
@pytest.mark.parametrize("past", ["none", "key", "own"])
def test_a_layer_does_not_round_the_weight_of_a_nearly_read_position(
    past: str, is_half: bool
) -> None:
    """In mixed precision, and in a model of 16 bits: within what the rounded keys themselves
    leave.
    """
    layer = DppAttention(
        WIDTH, 1, 0.0, DppOptions(dpp=True, dpp_past=past, dpp_rescale=False)
    ).eval()
    for name, weight in layer.named_parameters():
        weight.data = torch.eye(WIDTH) if name.endswith("weight") else torch.zeros(WIDTH)
    layer.q_proj.weight.data.zero_()  # all positions are equally relevant
    read, keys = (one.bfloat16() for one in nearly_read())
    expected = 1 - F.cosine_similarity(read.double(), keys.double(), dim=-1)[0].square()
    if is_half:
        layer.bfloat16()
    with torch.autocast("cpu", torch.bfloat16, enabled=not is_half):
        source = layer.dpp_keys(keys if is_half else keys.float())
        weights = layer.read(
            torch.ones_like(keys), source, past=Past.of_sum(read[None, None], 1, "relevance")
        )[1].weights
    torch.testing.assert_close(2 * weights[0, 0, 0].double(), expected, rtol=0.02, atol=0)


def test_dropout_leaves_the_weights_that_are_copied_from() -> None:
    layer = attention().train()
    layer.dropout = 0.5
    states, source, read = inputs()
    keys, past = layer.dpp_keys(source), Past.of_steps(read, "relevance")
    output, reading = layer.read(states, keys, past=past)
    plain, expected = layer.read(states, keys, past=past, dropout=0.0)
    assert torch.equal(reading.weights, expected.weights)
    assert not torch.equal(output, plain)
    assert not torch.equal(reading.keys, expected.keys)


def test_plain_attention_reads_no_keys() -> None:
    layer = DppAttention(WIDTH, HEADS, 0.0, DppOptions()).double()
    states, source, _ = inputs()
    keys: DppKeys = layer.dpp_keys(source)
    output, reading = layer.read(states, keys)
    assert keys.inverse_lengths is None
    assert reading.keys is None
    assert not hasattr(layer, "past_proj")
    fused = F.scaled_dot_product_attention(
        layer.split(layer.q_proj(states)), *layer.keys_values(source)
    )
    torch.testing.assert_close(
        output, layer.out_proj(fused.transpose(1, 2).flatten(2)), rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("name", ["dpp_past", "dpp_first_step"])
def test_an_unknown_choice_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is 'other', expected one of "):
        PageSumConfig.from_dict({name: "other"})
