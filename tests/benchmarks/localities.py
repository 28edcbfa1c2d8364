"""What the cut into pages does to learning: the same training, with the same seed, on differently cut documents.

    python tests/benchmarks/localities.py --data DIR --documents 400 --device auto

Every setting starts from the same checkpoint and learns to write the same authors' summaries, in the same order, with
the same steps; then the cross entropy of other authors' summaries is measured, a token, and how it differs from the
first setting's on the same documents (with 95 % intervals by bootstrap over documents). ``joined`` is what the paper
calls global decoding (table 6): pages are encoded apart, and one decoder reads the encodings of all of them together.
DIR holds ``papers_and_proposals.train.jsonl.xz`` and ``.dev.jsonl.xz``; documents of more than ``--words`` words are
left out, so that no setting reads less of a document than another.
"""

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from pagesum_cli import load_model
from pagesum_cli.documents.document import words
from pagesum_cli.documents.records import Record
from pagesum_cli.evaluation.readers import read_path
from pagesum_cli.locality import cut
from pagesum_cli.model.checkpoints import pick_device, pick_dtype
from pagesum_cli.model.modeling import PageRows, PageSumForConditionalGeneration, shift_right
from pagesum_cli.tokenization import PageTokenizer, page_ids
from pagesum_cli.training.mini import NO_LABEL, Example, collate

BATCH = 4
NAMES = ("discourse 384", "spatial 384", "spatial 384 joined", "spatial 192", "spatial 512")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--init", default="mini")
    parser.add_argument("--settings", nargs="+", default=NAMES, help="'LOCALITY PAGE_TOKENS [joined]' each")
    parser.add_argument("--documents", type=int, default=400, help="to learn from")
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument("--target-tokens", type=int, default=160)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    records = {
        split: [
            record
            for record in read_path(arguments.data / f"papers_and_proposals.{split}.jsonl.xz", split, "sections", print)
            if sum(1 for document in record.documents for _ in words(document)) <= arguments.words
        ]
        for split in ("train", "dev")
    }
    chance = random.Random(arguments.seed)
    taken = chance.sample(records["train"], min(arguments.documents, len(records["train"])))
    print(f"{len(taken)} documents to learn from, {len(records['dev'])} others, seed {arguments.seed}")
    found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name in arguments.settings:
        began = time.perf_counter()
        found[name] = measure(arguments, name, taken, records["dev"])
        losses, tokens = found[name]
        against = ""
        if len(found) > 1:
            low, middle, high = difference(found[arguments.settings[0]][0], losses, tokens)
            against = f" {middle:+.3f} [{low:+.3f}, {high:+.3f}] against {arguments.settings[0]}"
        seconds = time.perf_counter() - began
        print(f"{name}: {losses.sum() / tokens.sum():.3f}{against} ({seconds:.0f} s)", flush=True)


def measure(
    arguments: argparse.Namespace, name: str, train: Sequence[Record], dev: Sequence[Record]
) -> tuple[np.ndarray, np.ndarray]:
    """Train with one setting: the cross entropy of each dev summary, and how many tokens it has."""
    torch.manual_seed(arguments.seed)
    device = pick_device(arguments.device)
    half = pick_dtype("auto", device) == torch.bfloat16
    model, tokenizer = load_model(arguments.init, device=str(device), dtype="float32")
    locality, page_tokens, *rest = name.split()
    backend, end = tokenizer.backend_tokenizer, model.config.eos_token_id
    reader = PageTokenizer(backend, model.config.first_mark)

    def example(record: Record) -> Example:
        pages = cut(
            record.documents,
            locality,
            count_tokens=reader.count,
            page_tokens=int(page_tokens),
            special_tokens=reader.special_tokens,
            title_tokens=reader.title_tokens,
        )
        (target,) = page_ids(backend, [record.summary], arguments.target_tokens)
        target = [*target[1:-1], end]
        return Example(reader.ids(pages, int(page_tokens)), target, [NO_LABEL] * len(target))

    def loss(one: Example) -> Tensor:
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            return cross_entropy(model, one, device, joined=rest == ["joined"])

    examples = [example(record) for record in train]
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.learning_rate, weight_decay=0.01)
    steps = -(-len(examples) // BATCH)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 10) * (1 - step / steps))
    for step in range(steps):
        batch = examples[BATCH * step : BATCH * (step + 1)]
        tokens = sum(len(one.target) for one in batch)
        for one in batch:
            (loss(one) / tokens).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        rate.step()
    with torch.no_grad():
        others = [example(record) for record in dev]
        return np.array([loss(one).item() for one in others]), np.array([len(one.target) for one in others])


def cross_entropy(
    model: PageSumForConditionalGeneration, one: Example, device: torch.device, *, joined: bool
) -> Tensor:
    """Of one summary, summed over its tokens."""
    batch = {name: value.to(device) for name, value in collate([one]).items()}
    rows = PageRows.of(batch["input_ids"], batch["attention_mask"])
    encoded = model.model.encode(rows.input_ids, rows.mask)
    if joined:
        encoded = encoded[rows.mask][None]
        first = torch.zeros(1, dtype=torch.long, device=device)
        rows = PageRows(rows.input_ids[rows.mask][None], rows.mask[rows.mask][None], first, first, 1, 1)
    labels = batch["labels"]
    mixed, _, _ = model.mix(model.model.decode(shift_right(labels, model.config), None, encoded, rows), rows)
    return F.cross_entropy(model.project(mixed[0]).float(), labels[0], reduction="sum")


def difference(first: np.ndarray, other: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """How much more a token costs, with a 95 % interval: its ends around the middle."""
    drawn = np.random.default_rng(0).integers(len(tokens), size=(2000, len(tokens)))
    samples = (other - first)[drawn].sum(1) / tokens[drawn].sum(1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return np.array([low, (other - first).sum() / tokens.sum(), high])


if __name__ == "__main__":
    main()
