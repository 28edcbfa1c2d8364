"""The convolutional model beside its equations written out, a step at a time."""

import math
import subprocess
import sys
from typing import Any

import pytest
import tiny
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pagesum_cli.errors import PagesumError
from pagesum_cli.models.dpp.convolutional import ConvolutionalModel
from pagesum_cli.models.dpp.model import Source

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "covloss": {"coverage_loss": 1.0, "label_smoothing": 0.1},
    "dpp": {"dpp": True},
    "dpp rescaled": {
        "dpp": True,
        "dpp_rescale": True,
        "dpp_square": False,
        "dpp_first_step": "ones",
    },
    "dpp unscaled": {"dpp": True, "scale_context": False, "kernel_size": 5},
}
IDS = torch.tensor([5, 9, 13, 4, 9, 13, 3])
SUMMARY = torch.tensor([1, 9, 13, 4, 5])
LABELS = torch.tensor([9, 13, 4, 5, 2])
HALF = math.sqrt(0.5)


def weight(layer: nn.Module) -> Tensor:
    """Weight normalization: g · v / ‖v‖, of each output."""
    scale, direction = (
        layer.parametrizations.weight.original0,
        layer.parametrizations.weight.original1,
    )  # type: ignore
    lengths = direction.flatten(1).norm(dim=1).view(-1, *[1] * (direction.dim() - 1))
    return scale * direction / lengths


def linear(layer: nn.Module, vector: Tensor) -> Tensor:
    return weight(layer) @ vector + layer.bias


def gated(layer: nn.Module, window: list[Tensor]) -> Tensor:
    """A convolution at one place, half of whose outputs gate the other half (eq. 11)."""
    kernel = weight(layer)  # (2D, D, size)
    out = sum((kernel[:, :, i] @ one for i, one in enumerate(window)), layer.bias)
    values, gates = out.chunk(2)
    return values * gates.sigmoid()


def windows(states: list[Tensor], size: int, before: int) -> list[list[Tensor]]:
    nothing = torch.zeros_like(states[0])
    padded = [nothing] * before + states + [nothing] * (size - 1 - before)
    return [padded[t : t + size] for t in range(len(states))]


def recomputed(
    model: ConvolutionalModel, ids: Tensor, summary: Tensor
) -> tuple[list[Tensor], list[Tensor]]:
    """Logits ``(V,)`` of each step, and weights ``(T, J)`` of each layer, of one document."""
    config = model.config
    words = [model.shared.weight[one] for one in model.known(ids).tolist()]
    embedded = [word + model.source_positions.weight[place] for place, word in enumerate(words)]
    states = [linear(model.source_in, one) for one in embedded]
    for layer in model.encoder:
        convolved = [
            gated(layer, one)
            for one in windows(states, config.kernel_size, config.kernel_size // 2)
        ]
        states = [(new + old) * HALF for new, old in zip(convolved, states, strict=True)]
    z = torch.stack([linear(model.source_out, state) for state in states])
    values = torch.stack([(state + e) * HALF for state, e in zip(z, embedded, strict=True)])

    words = [model.target_words.weight[one] for one in model.known(summary).tolist()]
    targets = [word + model.target_positions.weight[place] for place, word in enumerate(words)]
    states = [linear(model.target_in, one) for one in targets]
    below: list[Tensor] | None = None
    layers = []
    for layer, attention in zip(model.decoder, model.attention, strict=True):
        contexts, weights, outputs = [], [], []
        for t, window in enumerate(windows(states, config.kernel_size, config.kernel_size - 1)):
            o = gated(layer, window)
            d = (linear(attention.in_proj, o) + targets[t]) * HALF  # eq. 13
            omega = (z @ d).softmax(0)  # eq. 14
            if config.dpp and below is not None and (t or config.dpp_first_step == "ones"):
                past = (
                    torch.stack(below[:t]).mean(0)
                    if t
                    else torch.ones(config.embedding_width).double()
                )
                cosine = F.cosine_similarity(past[None], values)  # eq. 15
                omega = omega * (1 - (cosine**2 if config.dpp_square else cosine))
                omega = omega / omega.sum() if config.dpp_rescale else omega
            contexts.append(omega @ values)  # eq. 16
            scale = math.sqrt(len(ids)) if config.scale_context else 1.0
            attended = (linear(attention.out_proj, contexts[t] * scale) + o) * HALF  # eq. 12
            outputs.append((attended + states[t]) * HALF)
            weights.append(omega)
        states, below = outputs, contexts
        layers.append(torch.stack(weights))
    return [linear(model.to_vocabulary, linear(model.narrow, state)) for state in states], layers


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_step_is_the_equations(variant: str) -> None:
    model = tiny.sequence("convolutional", **VARIANTS[variant]).double()
    assert isinstance(model, ConvolutionalModel)
    with torch.no_grad():
        out = model(IDS[None, None], decoder_input_ids=SUMMARY[None], labels=LABELS[None])
        decoded = model.decode(
            model.encode_source(Source.join(IDS[None, None], None)), SUMMARY[None]
        )
        logits, layers = recomputed(model, IDS, SUMMARY)
    torch.testing.assert_close(out.logits[0], torch.stack(logits), rtol=0, atol=1e-10)
    weights = torch.stack(layers).mean(0)
    torch.testing.assert_close(decoded.mean_attention[0], weights, rtol=0, atol=1e-10)
    labels = LABELS.masked_fill(LABELS >= 12, model.config.unk_token_id)
    expected = F.cross_entropy(
        torch.stack(logits), labels, label_smoothing=model.config.label_smoothing
    )
    before = weights.cumsum(0) - weights
    coverage = torch.minimum(weights, before).sum() / len(LABELS)
    assert out.loss.item() == pytest.approx(
        (expected + model.config.coverage_loss * coverage).item(), rel=1e-5
    )


def test_a_checkpoint_is_built_without_slow_imports() -> None:
    code = (
        "import sys, torch\nfrom pagesum_cli.models.dpp.convolutional import "
        "ConvolutionalConfig, ConvolutionalModel\n"
        "with torch.device('meta'): ConvolutionalModel(ConvolutionalConfig(vocab_size=20))\n"
        "print('sympy' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
        == "False\n"
    )


def test_a_source_beyond_the_positions_is_refused() -> None:
    model = tiny.sequence("convolutional")
    with pytest.raises(PagesumError) as caught:
        model.generate(torch.full((1, 2, 13), 5))
    assert caught.value.message == "a source of 26 tokens, but the model has positions for 24"
    assert caught.value.hint
