"""Llama's layers compute what Transformers' do."""

import torch

from pagesum_cli.models.layers.llama import LlamaLayers, LlamaSize


def test_the_states_are_those_of_transformers() -> None:
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=50,
        hidden_size=24,
        intermediate_size=40,
        num_hidden_layers=3,
        num_attention_heads=6,
        num_key_value_heads=2,
        rope_parameters={"rope_type": "default", "rope_theta": 5000.0},
    )
    theirs = LlamaModel(config).eval()
    size = LlamaSize(24, 40, 3, 6, 2, rope_theta=5000.0, epsilon=config.rms_norm_eps)
    ours = LlamaLayers(size)
    weights = {
        name: value for name, value in theirs.state_dict().items() if name.startswith("layers.")
    }
    ours.load_state_dict(weights)
    ids = torch.randint(0, 50, (2, 17))
    with torch.no_grad():
        expected = theirs(ids, output_hidden_states=True).hidden_states
        states = ours(theirs.embed_tokens(ids), (1, 2))
    torch.testing.assert_close(states, torch.stack(expected[1:3]), atol=1e-5, rtol=1e-4)
