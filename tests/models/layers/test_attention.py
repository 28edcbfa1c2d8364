"""The ways in which attention is computed on a CPU."""

import pytest
import torch
import torch.nn.functional as F

from pagesum_cli.models.layers import attention
from pagesum_cli.models.layers.attention import Attention


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Attention:
    """Attention in bfloat16 as on a CPU without tiles, which computes some of its four heads at a
    time.
    """
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False, raising=False)
    torch.manual_seed(0)
    layer = Attention(32, 4, dropout=0.0).bfloat16().eval()
    torch.nn.init.normal_(layer.q_proj.weight)  # weights that differ
    return layer


@pytest.mark.parametrize("at_once", [1, 3 * 40 * 40])
@pytest.mark.parametrize("padded", [False, True])
def test_plain_products_give_what_the_fused_kernel_gives(
    layer: Attention, padded: bool, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "AT_ONCE", at_once)
    states = torch.randn(3, 40, 32, dtype=torch.bfloat16)
    mask = torch.arange(40) < torch.tensor([[40], [25], [1]]) if padded else None
    keys_mask = None if mask is None else mask[:, None, None]
    keys_values = layer.keys_values(states)
    mixed = F.scaled_dot_product_attention(
        layer.split(layer.q_proj(states)), *keys_values, keys_mask
    )
    with torch.no_grad():
        plain = layer(states, keys_values, keys_mask)
    torch.testing.assert_close(
        plain, layer.out_proj(mixed.transpose(1, 2).flatten(2)), atol=0.02, rtol=0.02
    )
    assert plain.std() > 0.1


def test_few_queries_read_both_layouts_alike(
    layer: Attention, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, states = (
        torch.randn(2, 50, 32, dtype=torch.bfloat16),
        torch.randn(2, 4, 32, dtype=torch.bfloat16),
    )
    with torch.no_grad():
        by_position = layer.stored_keys_values(source)
        monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: True)
        by_component = layer.stored_keys_values(source)
        assert by_position[0].is_contiguous()
        assert by_component[0].mT.is_contiguous()
        torch.testing.assert_close(
            layer(states, by_position), layer(states, by_component), atol=0.02, rtol=0.02
        )
