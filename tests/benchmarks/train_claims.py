"""Train a judge of claims: does a passage support a claim, contradict it, or not settle it?

    python tests/benchmarks/train_claims.py [--device cuda] [--frozen 0] [--epochs 3] [--rank 16]
        [--rate 5e-4] [--batch 16] [--held-out 8] [--limit N] [--output judge.safetensors]

``labels/claims.jsonl.xz`` has passages of 70 to 260 words of public documents, and claims about
them, most of them in other words than the passage, with what a careful reader says of them. They
were written by a large language model that read each passage; a second one, which did not see the
answers, gave the same answer to all of 300. Those with a ``text`` are used; of the others, the
document is named (repository and file), with the first words of the passage and how many it has.

The model is the language model of ``editor`` (SmolLM2-135M, 22 layers) with changes of low rank
(LoRA). A passage is read once: each claim follows it as if it were the only one. The states of the
claim's words are averaged, and a small network says which answer is right. Sources are divided into
``--held-out`` parts, of which the first is held out. Printed are the areas under the curve of
supported against contradicted claims, also by the claim alone (how much its wording gives away),
and how many supported and contradicted claims can be recognized with a precision of 0.95.
"""

import argparse
import json
import lzma
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from pagesum_cli.models.layers.llama import LlamaLayer, LlamaLayers, LlamaSize, rotary, rotated
from pagesum_cli.models.layers.quantized import restored
from pagesum_cli.summary.check.results import ANSWERS

ASSETS = Path(__file__).parents[2] / "pagesum_cli" / "assets" / "editor"
LABELS = Path(__file__).parent / "labels" / "claims.jsonl.xz"
SIZE = LlamaSize(576, 1536, 22, 9, 3, 100_000.0)
PASSAGE_TOKENS, CLAIM_TOKENS = 400, 96
CHANGE = 2.0  # factor of the changes
HEAD_RATE, DECAY, WARM_UP = 1e-3, 0.01, 0.06


@dataclass(frozen=True)
class Example:
    """A passage with its claims, as token ids."""

    ids: list[int]
    places: list[int]  # position of each token: claims begin behind the passage
    parts: list[int]  # of each token: 0 in the passage, or the number of its claim
    answers: list[int]
    source: str


class Change(nn.Module):
    """A linear layer with a change of low rank, which alone learns."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) * linear.in_features**-0.5)
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        """``(…, I)`` → ``(…, O)``."""
        inner = F.linear(states, self.down.to(states.dtype))
        return self.linear(states) + CHANGE * F.linear(inner, self.up.to(states.dtype))


class JudgeModel(nn.Module):
    """Passages with claims → logits of the answers."""

    def __init__(self, frozen: int, rank: int, *, has_changes: bool) -> None:
        super().__init__()
        self.size = SIZE
        stored = load_file(ASSETS / "model.safetensors")
        if not has_changes:
            stored = {
                name: one for name, one in stored.items() if not name.endswith((".up", ".down"))
            }
        weights = restored(stored)
        self.words = nn.Embedding.from_pretrained(weights["shared.weight"].bfloat16())
        self.layers = LlamaLayers(self.size).bfloat16()
        prefix = "encoder."
        own = {name.removeprefix(prefix): one for name, one in weights.items() if prefix in name}
        self.layers.load_state_dict(own)
        self.requires_grad_(False)
        for layer in self.layers.layers[frozen:]:
            for part in (layer.self_attn, layer.mlp):
                for name, linear in list(part.named_children()):
                    setattr(part, name, Change(linear, rank))
        width = self.size.width
        self.head = nn.Sequential(
            nn.LayerNorm(2 * width),
            nn.Linear(2 * width, 256),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(256, len(ANSWERS)),
        )

    def forward(self, batch: Sequence[Example]) -> Tensor:
        """Logits ``(claims, answers)``, those of the first example first."""
        device = self.words.weight.device
        longest = max(len(one.ids) for one in batch)
        ids, places, parts = (
            torch.tensor([row + [fill] * (longest - len(row)) for row in rows], device=device)
            for rows, fill in (
                ([one.ids for one in batch], 0),
                ([one.places for one in batch], 0),
                ([one.parts for one in batch], -1),
            )
        )
        earlier = torch.ones(longest, longest, dtype=torch.bool, device=device).tril()
        mask = ((parts[:, None] == 0) | (parts[:, None] == parts[..., None])) & earlier
        cosines, sines = rotary(int(places.max()) + 1, self.size, device)
        positions = cosines[places][:, None], sines[places][:, None]
        states = self.words(ids)
        for layer in self.layers.layers:
            states = attended(layer, states, positions, mask[:, None])
        found = [
            torch.cat([own.mean(0), own[-1]])
            for row, one in enumerate(batch)
            for own in (
                states[row][parts[row] == number].float()
                for number in range(1, len(one.answers) + 1)
            )
        ]
        return self.head(torch.stack(found))


def attended(
    layer: LlamaLayer, states: Tensor, positions: tuple[Tensor, Tensor], mask: Tensor
) -> Tensor:
    """A layer ``(N, S, D)`` → ``(N, S, D)``, with positions and a mask of its own."""
    part, inner = layer.self_attn, layer.input_layernorm(states)
    queries, keys, values = (
        project(inner).unflatten(-1, (-1, part.size.head_width)).transpose(1, 2)
        for project in (part.q_proj, part.k_proj, part.v_proj)
    )
    mixed = F.scaled_dot_product_attention(
        rotated(queries, positions), rotated(keys, positions), values, mask, enable_gqa=True
    )
    states = states + part.o_proj(mixed.transpose(1, 2).flatten(2))
    return states + layer.mlp(layer.post_attention_layernorm(states))


def examples(limit: int | None) -> Iterator[Example]:
    """The labelled passages."""
    tokenizer = Tokenizer.from_file(str(ASSETS / "tokenizer.json"))
    with lzma.open(LABELS, "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if "text" in row][:limit]
    for row in rows:
        above = " › ".join(filter(None, (row["title"], row["heading"])))
        passage = tokenizer.encode(f"{above}\n{row['text']}\n\n", add_special_tokens=False).ids
        ids = passage[:PASSAGE_TOKENS]
        length, places, parts = len(ids), list(range(len(ids))), [0] * len(ids)
        claims = [(claim, number) for number, name in enumerate(ANSWERS) for claim in row[name]]
        for part, (claim, _) in enumerate(claims, start=1):
            own = tokenizer.encode(f"Claim: {claim}\n", add_special_tokens=False).ids[
                -CLAIM_TOKENS:
            ]
            ids += own
            places += range(length, length + len(own))
            parts += [part] * len(own)
        yield Example(ids, places, parts, [answer for _, answer in claims], row["source"])


def area(scores: np.ndarray, is_true: np.ndarray) -> float:
    """Area under the curve: how often a true one has the higher score."""
    order = scores.argsort().argsort() + 1
    count = is_true.sum()
    least = count * (count + 1) / 2
    return float((order[is_true].sum() - least) / (count * (~is_true).sum()))


def found_with(scores: np.ndarray, is_true: np.ndarray, precision: float = 0.95) -> float:
    """The share of the true ones among the most that can be named with a precision."""
    right = is_true[(-scores).argsort()].cumsum()
    enough = np.flatnonzero(right / np.arange(1, len(right) + 1) >= precision)
    return float(right[enough[-1]] / right[-1]) if len(enough) else 0.0


@torch.no_grad()
def report(model: JudgeModel, held: Sequence[Example], batch: int) -> str:
    """What the model says of the passages that are held out."""
    model.eval()
    logits = torch.cat([model(held[at : at + batch]) for at in range(0, len(held), batch)])
    model.train()
    found = logits.float().log_softmax(-1).cpu().numpy()
    answers = np.array([answer for one in held for answer in one.answers])
    supported, contradicted = (found[:, one] - np.delete(found, one, 1).max(1) for one in (0, 1))
    settled = answers < 2
    between = area((found[:, 0] - found[:, 1])[settled], answers[settled] == 0)
    shares = [
        found_with(supported, answers == 0),
        found_with(contradicted, answers == 1),
    ]
    return (
        f"right {np.mean(found.argmax(1) == answers):.3f}; area {between:.3f}, of supported "
        f"against the rest {area(supported, answers == 0):.3f}; precision of 0.95: supported "
        f"{shares[0]:.3f}, contradicted {shares[1]:.3f}"
    )


def without_passage(one: Example) -> Example:
    """The claims alone."""
    kept = [place for place, part in enumerate(one.parts) if part]
    ids, places, parts = (
        [row[place] for place in kept] for row in (one.ids, one.places, one.parts)
    )
    return Example(ids, places, parts, one.answers, one.source)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--frozen", type=int, default=0, help="lower layers that do not change")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--held-out", type=int, default=8)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--changes", action="store_true", help="begin with those of editor")
    parser.add_argument("--alone", action="store_true", help="read the claims without the passage")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    rows = list(examples(given.limit))
    if given.alone:
        rows = list(map(without_passage, rows))
    parts = [int(sha256(one.source.encode()).hexdigest(), 16) % given.held_out for one in rows]
    learned = [one for one, part in zip(rows, parts, strict=True) if part]
    held = [one for one, part in zip(rows, parts, strict=True) if not part]
    model = JudgeModel(given.frozen, given.rank, has_changes=given.changes).to(given.device)
    head = list(model.head.parameters())
    changes = [one for one in model.layers.parameters() if one.requires_grad]
    groups = [{"params": changes, "lr": given.rate}, {"params": head, "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY)
    steps = given.epochs * -(-len(learned) // given.batch)

    def factor(step: int) -> float:
        return min(1.0, (step + 1) / (WARM_UP * steps), (steps - step) / steps)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
    print(f"{len(learned):,} passages, {len(held):,} held out, {steps:,} steps", flush=True)
    began = time.monotonic()
    for epoch in range(given.epochs):
        random.shuffle(learned)
        losses = []
        for at in range(0, len(learned), given.batch):
            some = learned[at : at + given.batch]
            answers = [answer for one in some for answer in one.answers]
            target = torch.tensor(answers, device=given.device)
            loss = F.cross_entropy(model(some), target)
            loss.backward()
            nn.utils.clip_grad_norm_([*changes, *head], 1.0)
            optimizer.step()
            optimizer.zero_grad()
            schedule.step()
            losses.append(float(loss.detach()))
        said = report(model, held, given.batch) if held else ""
        seconds = time.monotonic() - began
        print(f"epoch {epoch + 1}, {seconds:.0f} s, loss {np.mean(losses):.3f}; {said}", flush=True)
    if given.output:
        learned_parts = {n: p for n, p in model.named_parameters() if p.requires_grad}
        save_file(
            {name: one.detach().half().cpu() for name, one in learned_parts.items()}, given.output
        )


if __name__ == "__main__":
    main()
