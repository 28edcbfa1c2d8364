"""Packed layers compute what the layers that they were made of compute."""

import pytest
import tiny
import torch

from pagesum_cli.models.layers.cache import BeamCache
from pagesum_cli.models.layers.packed import PackedLinear, can_pack, packed


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("gelu", [False, True])
@torch.no_grad()
def test_a_packed_layer_is_the_layer(dtype: torch.dtype, gelu: bool) -> None:
    torch.manual_seed(0)
    layer = torch.nn.Linear(24, 40).to(dtype)
    if not can_pack(layer.weight):
        pytest.skip("this processor has no packed weights of this number format")
    states = torch.randn(2, 3, 24).to(dtype)
    expected = layer.double()(states.double())
    found = PackedLinear(layer.weight.to(dtype), layer.bias.to(dtype), gelu)(states)
    tolerance = 1e-5 if dtype == torch.float32 else 2e-2
    expected = torch.nn.functional.gelu(expected) if gelu else expected
    torch.testing.assert_close(found.double(), expected, rtol=tolerance, atol=tolerance)


@torch.no_grad()
def test_packing_leaves_the_model_as_it_is() -> None:
    model = tiny.pagesum()
    layer = model.model.decoder.decoder_layers[0]
    names = [name for name, _ in layer.named_parameters()]
    copy = packed(layer)
    assert [name for name, _ in layer.named_parameters()] == names
    assert isinstance(copy.fc1, PackedLinear)
    assert isinstance(layer.fc1, torch.nn.Linear)
    states = torch.randn(2, 3, layer.fc1.in_features)
    torch.testing.assert_close(
        copy.feed_forward(states), layer.feed_forward(states), rtol=1e-4, atol=1e-5
    )


def test_slots_that_no_beam_sees_are_dropped() -> None:
    """Every beam's history holds the keys of its own tokens, in order, and little more is
    stored.
    """
    beams, steps = 3, 200
    cache = BeamCache([torch.arange(2), torch.tensor([0, 0, 1])], [1, 1], 1, beams, torch.zeros(1))
    generator = torch.Generator().manual_seed(0)
    expected = [[[] for _ in range(beams)] for _ in range(2)]
    for step in range(steps):
        parents = torch.randint(0, beams, (2, beams), generator=generator) if step else None
        if parents is not None:
            expected = [[[*expected[b][k]] for k in parents[b].tolist()] for b in range(2)]
        mask = cache.advance(parents)
        own = torch.arange(2 * beams).view(2, 1, beams, 1) + 10.0 * step
        for layer, rows in enumerate(([0, 1], [0, 0, 1])):
            keys, values = cache.put(layer, (own[rows], -own[rows]))
            assert torch.equal(values, -keys)
            for row, document in enumerate(rows):
                for beam in range(beams):
                    if layer == 0:
                        expected[document][beam].append(float(own[document, 0, beam, 0]))
                    assert (
                        keys[row, 0, mask[document, 0, beam], 0].tolist()
                        == expected[document][beam]
                    )
    assert keys.shape[2] < 1.5 * steps


def test_weights_are_not_packed_under_autocast() -> None:
    with torch.autocast("cpu", torch.bfloat16):
        assert not can_pack(torch.ones(4, 4))
