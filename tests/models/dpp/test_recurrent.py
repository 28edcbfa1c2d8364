"""The pointer-generator beside its equations written out, a step and a token at a time."""

import math
from typing import Any

import pytest
import tiny
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from pagesum_cli.models.dpp.model import Source
from pagesum_cli.models.dpp.recurrent import PointerGenerator, read_padded

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "covloss": {"coverage_loss": 1.0},
    "covvec": {"coverage_vector": True},
    "dpp": {"dpp": True},
    "dpp contexts": {"dpp": True, "dpp_recurrence": "context", "dpp_first_step": "ones"},
    "dpp not rescaled": {"dpp": True, "dpp_rescale": False, "dpp_square": False},
    "dpp covvec": {"dpp": True, "coverage_vector": True, "coverage_loss": 1.0},
}
IDS = torch.tensor([5, 9, 13, 4, 9, 13, 3])  # 13: a word that the vocabulary lacks
SUMMARY = torch.tensor([1, 9, 13, 4, 5, 9])
LABELS = torch.tensor([9, 13, 4, 5, 9, 2])


def recomputed(
    model: PointerGenerator, ids: Tensor, summary: Tensor
) -> tuple[list[Tensor], list[Tensor]]:
    """Probabilities ``(V',)`` and attention ``(J,)`` of each step, of one document."""
    config = model.config
    width = config.d_model
    states, (hidden, memory) = model.encoder(
        F.embedding(model.known(ids), model.shared.weight)[None]
    )
    source = states[0]
    h = (model.bridge[0].weight @ hidden.flatten() + model.bridge[0].bias).relu()
    c = (model.bridge[1].weight @ memory.flatten() + model.bridge[1].bias).relu()
    cell, attention = model.decoder, model.attention
    output, covered = torch.zeros(width).double(), torch.zeros(len(ids)).double()
    read: list[Tensor] = []
    probabilities, weights = [], []
    for token in model.known(summary).tolist():
        fed = torch.cat([model.shared.weight[token], output])
        gates = cell.weight_ih @ fed + cell.bias_ih + cell.weight_hh @ h + cell.bias_hh
        i, f, g, o = gates.split(width)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        seen = source
        if config.coverage_vector:
            seen = torch.stack(
                [
                    (z + attention.coverage.weight[:, 0] * one).tanh()
                    for z, one in zip(source, covered, strict=True)
                ]
            )
        query = attention.query.weight @ h + attention.query.bias
        scores = [
            attention.score.weight[0] @ (query + attention.key.weight @ z).tanh() for z in seen
        ]
        omega = torch.stack(scores).softmax(0)  # eq. 7
        if config.dpp and (read or config.dpp_first_step == "ones"):
            past = torch.stack(read).mean(0) if read else torch.ones(width).double()
            for j, z in enumerate(seen):  # eq. 8, 9
                cosine = past @ z / (past.norm() * z.norm())
                omega = omega.index_fill(
                    0,
                    torch.tensor(j),
                    omega[j] * (1 - (cosine**2 if config.dpp_square else cosine)),
                )
            omega = omega / omega.sum() if config.dpp_rescale else omega
        context = (omega[:, None] * seen).sum(0)  # eq. 10
        output = model.combine.weight @ torch.cat([context, h]) + model.combine.bias
        covered = covered + omega
        read.append(output if config.dpp_recurrence == "output" else context)
        p = (model.copy_gate.weight[0] @ output + model.copy_gate.bias[0]).sigmoid()
        mixed = torch.zeros(int(max(ids.max() + 1, config.vocab_size))).double()
        mixed[: config.vocab_size] = (1 - p) * (
            model.to_vocabulary.weight @ output + model.to_vocabulary.bias
        ).softmax(0)
        for j, one in enumerate(ids.tolist()):
            mixed[one] += p * omega[j] / omega.sum()
        probabilities.append(mixed)
        weights.append(omega)
    return probabilities, weights


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_step_is_the_equations(variant: str) -> None:
    model = tiny.sequence("recurrent", **VARIANTS[variant]).double()
    assert isinstance(model, PointerGenerator)
    with torch.no_grad():
        out = model(IDS[None, None], decoder_input_ids=SUMMARY[None], labels=LABELS[None])
        decoded = model.decode(
            model.encode_source(Source.join(IDS[None, None], None)), SUMMARY[None]
        )
        expected, weights = recomputed(model, IDS, SUMMARY)
    torch.testing.assert_close(
        out.logits[0].exp().double(), torch.stack(expected), rtol=0, atol=1e-6
    )
    copied = [one / one.sum() for one in weights]
    torch.testing.assert_close(decoded.attention[0], torch.stack(copied), rtol=0, atol=1e-10)
    losses = []
    covered = torch.zeros(len(IDS)).double()
    for label, one, copying in zip(LABELS.tolist(), expected, copied, strict=True):
        coverage = torch.minimum(copying, covered).sum()
        losses.append(-one[label].log().item() + model.config.coverage_loss * coverage.item())
        covered = covered + copying
    assert out.loss.item() == pytest.approx(math.fsum(losses) / len(losses), rel=1e-5)


def test_a_long_summary_counts_as_much_as_a_short_one() -> None:
    """As ``-copy_loss_by_seqlength`` of the authors' program, the coverage loss included."""
    model = tiny.sequence("recurrent", coverage_loss=1.0, loss_mean="documents")
    ids = torch.tensor([[[5, 9, 7, 4, 2]], [[3, 8, 8, 6, 2]]])
    labels = torch.tensor([[9, 7, 4, 5, 9, 2], [8, 2, -100, -100, -100, -100]])
    both = model(ids, torch.ones_like(ids), labels=labels).loss
    lengths = [6, 2]
    alone = [
        model(ids[n : n + 1], torch.ones(1, 1, 5), labels=labels[n : n + 1, :length]).loss
        for n, length in enumerate(lengths)
    ]
    assert both.item() == pytest.approx(sum(one.item() for one in alone) / 2, rel=1e-5)
    model.config.loss_mean = "tokens"
    by_token = model(ids, torch.ones_like(ids), labels=labels).loss
    weighted = sum(n * one.item() for n, one in zip(lengths, alone, strict=True)) / 8
    assert by_token.item() == pytest.approx(weighted, rel=1e-5)


@pytest.mark.parametrize("layers", [1, 2])
def test_padding_is_read_as_packed_sequences_are(layers: int) -> None:
    torch.manual_seed(0)
    lstm = nn.LSTM(3, 4, layers, batch_first=True, bidirectional=True)
    inputs, lengths = torch.randn(3, 9, 3), torch.tensor([4, 9, 1])
    weights = torch.randn(3, 9, 8)

    def gradients(states: Tensor, hidden: Tensor, memory: Tensor) -> tuple[Tensor, ...]:
        loss = (
            (states * weights).sum() + hidden[-2:].square().sum() + 3 * memory[-2:].square().sum()
        )
        return torch.autograd.grad(loss, list(lstm.parameters()))

    states, (hidden, memory) = read_padded(lstm, inputs, torch.arange(9) < lengths[:, None])
    packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
    outputs, (last_hidden, last_memory) = lstm(packed)
    expected, _ = pad_packed_sequence(outputs, batch_first=True)
    torch.testing.assert_close(states, expected)
    torch.testing.assert_close(hidden, last_hidden[-2:])
    torch.testing.assert_close(memory, last_memory[-2:])
    ours, theirs = gradients(states, hidden, memory), gradients(expected, last_hidden, last_memory)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
