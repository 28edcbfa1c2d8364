"""What the cut into pages does to learning: the same training, with the same seed, on differently cut documents.

    python tests/benchmarks/localities.py --data DIR --documents 400 --device auto
    python tests/benchmarks/localities.py --data DIR --documents 800 --init-encoder MINILM

Every setting starts from the same weights and learns from the same documents, in the same order, with the same steps;
then other documents are read, and it is told how each setting differs from the first on these (with 95 % intervals by
bootstrap over documents). DIR holds ``papers_and_proposals.train.jsonl.xz`` and ``.dev.jsonl.xz``; documents of more
than ``--words`` words are left out, so that no setting reads less of a document than another.

From the checkpoint ``--init`` a setting learns to write the authors' summaries, and the cross entropy of a token is
measured. ``joined`` is what the paper calls global decoding (table 6): pages are encoded apart, and one decoder reads
the encodings of all of them together.

With ``--init-encoder``, the folder of all-MiniLM-L6-v2, it begins where the bundled checkpoint began, and learns to
judge sentences; ROUGE-1, 2 and Lsum are measured of those that it chooses, as many as make up the author's length. With
``apart`` the sentences of each page are judged without those of the others.
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
from pagesum_cli.decoding.plan import choose_sentences
from pagesum_cli.documents.document import words
from pagesum_cli.documents.records import Record
from pagesum_cli.evaluation.pair import Pair
from pagesum_cli.evaluation.readers import read_path
from pagesum_cli.evaluation.rouge import Rouge
from pagesum_cli.locality import cut
from pagesum_cli.model.checkpoints import pick_device, pick_dtype
from pagesum_cli.model.modeling import PageRows, PageSumForConditionalGeneration, shift_right
from pagesum_cli.tokenization import PageTokenizer, load_tokenizer, page_ids
from pagesum_cli.training.extracts import Extract, extract
from pagesum_cli.training.mini import (
    FIRST_MARK,
    NO_LABEL,
    SENTENCE_ENDS,
    Example,
    Recipe,
    Task,
    collate,
    losses,
    new_model,
    parameter_groups,
    salience_example,
)

BATCH = 4
WRITTEN = ("discourse 384", "spatial 384", "spatial 384 joined", "spatial 192", "spatial 512")
JUDGED = ("discourse 384", "spatial 384", "discourse 384 apart", "spatial 192", "spatial 512")
COLUMNS = ("rouge1", "rouge2", "rougeLsum")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--init", default="mini")
    parser.add_argument("--init-encoder", type=Path)
    parser.add_argument("--settings", nargs="+", help="'LOCALITY PAGE_TOKENS [joined|apart]' each")
    parser.add_argument("--documents", type=int, default=400, help="to learn from")
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument("--target-tokens", type=int, default=160)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    settings = arguments.settings or (JUDGED if arguments.init_encoder else WRITTEN)
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
    first = None
    for name in settings:
        began = time.perf_counter()
        measure = measure_rouge if arguments.init_encoder else measure_cross_entropy
        values, weights = measure(arguments, name, taken, records["dev"])
        if first is None:
            first = values
        told = []
        for column, middle in enumerate(values.sum(0) / weights.sum()):
            low, change, high = difference(first[:, column], values[:, column], weights)
            told.append(f"{middle:.3f} ({change:+.3f} [{low:+.3f}, {high:+.3f}])")
        print(f"{name}: {', '.join(told)}, {time.perf_counter() - began:.0f} s", flush=True)


def begin(arguments: argparse.Namespace, name: str) -> tuple[torch.device, bool, str, int, str]:
    """Sow the seed: the device, whether it computes in bfloat16, and what the setting says."""
    torch.manual_seed(arguments.seed)
    device = pick_device(arguments.device)
    locality, page_tokens, way = f"{name} ".split(" ", 2)
    return device, pick_dtype("auto", device) == torch.bfloat16, locality, int(page_tokens), way.strip()


def measure_rouge(
    arguments: argparse.Namespace, name: str, train: Sequence[Record], dev: Sequence[Record]
) -> tuple[np.ndarray, np.ndarray]:
    """Train with one setting: ROUGE of what is chosen of each dev document ``(documents, 3)``, and ones."""
    device, half, locality, page_tokens, way = begin(arguments, name)
    recipe = Recipe.read(seed=arguments.seed)
    model = new_model(arguments.init_encoder, recipe).to(device)
    if way == "apart":
        model.judgements = lambda states, rows, row: model.judge(states, row, model.parts(rows)[row])
    backend = load_tokenizer(arguments.init_encoder)
    reader = PageTokenizer(backend, FIRST_MARK)
    chance = random.Random(arguments.seed)
    everything = Task(salience_example, BATCH, 1 << 30)

    def read(records: Sequence[Record]) -> list[tuple[Extract, Example, str]]:
        documents = [extract(one, reader, locality, page_tokens, SENTENCE_ENDS) for one in records]
        examples = [salience_example(document, everything, chance) for document in documents]
        return [
            (document, example, record.summary)
            for record, document, example in zip(records, documents, examples, strict=True)
            if example
        ]

    def batch(examples: list[Example]) -> dict[str, Tensor]:
        return {key: value.to(device) for key, value in collate(examples).items()}

    examples = [example for _, example, _ in read(train)]
    groups = parameter_groups(model)
    for group, rate in zip(groups, (recipe.encoder_rate, recipe.decoder_rate), strict=True):
        group["lr"] = rate / 2
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    steps = -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 20) * (1 - step / steps))
    for step in range(steps):
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            found = losses(model, batch(examples[BATCH * step : BATCH * (step + 1)]))
        sum(found.values()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        schedule.step()
    rouge, scores = Rouge(), []
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=half):
        for document, example, summary in read(dev):
            taken = batch([example])
            rows = PageRows.of(taken["input_ids"], taken["attention_mask"])
            row, place = model.marked(rows)
            judged = model.judgements(model.model.encode(rows.input_ids, rows.mask)[row, place], rows, row)
            pieces = [piece for page in document.pages for piece in page]
            salience = judged[:, :2].float().sum(-1).tolist()
            told = [
                (rating, piece.ids.tolist())
                for rating, piece in zip(salience, pieces, strict=True)
                if not piece.is_heading
            ]
            ratings, sentences = zip(*told, strict=True)
            chosen = choose_sentences(
                ratings,
                sentences,
                model.config.max_position_embeddings,
                usual=document.summary_tokens,
                ends=SENTENCE_ENDS,
            )
            text = " ".join(backend.decode(sentences[number]) for number in chosen)
            found = rouge.score(Pair(document.id, text, summary))
            scores.append([found[column]["f"] for column in COLUMNS])
    return np.array(scores), np.ones(len(scores))


def measure_cross_entropy(
    arguments: argparse.Namespace, name: str, train: Sequence[Record], dev: Sequence[Record]
) -> tuple[np.ndarray, np.ndarray]:
    """Train with one setting: the cross entropy of each dev summary ``(documents, 1)``, and how many tokens it has."""
    device, half, locality, page_tokens, way = begin(arguments, name)
    model, tokenizer = load_model(arguments.init, device=str(device), dtype="float32")
    backend, end = tokenizer.backend_tokenizer, model.config.eos_token_id
    reader = PageTokenizer(backend, model.config.first_mark)

    def example(record: Record) -> Example:
        pages = cut(
            record.documents,
            locality,
            count_tokens=reader.count,
            page_tokens=page_tokens,
            special_tokens=reader.special_tokens,
            title_tokens=reader.title_tokens,
        )
        (target,) = page_ids(backend, [record.summary], arguments.target_tokens)
        target = [*target[1:-1], end]
        return Example(reader.ids(pages, page_tokens), target, [NO_LABEL] * len(target))

    def loss(one: Example) -> Tensor:
        with torch.autocast(device.type, torch.bfloat16, enabled=half):
            return cross_entropy(model, one, device, joined=way == "joined")

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
        return np.array([[loss(one).item()] for one in others]), np.array([len(one.target) for one in others])


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


def difference(first: np.ndarray, other: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How much more than the first, by weight, with a 95 % interval: its ends around the middle."""
    drawn = np.random.default_rng(0).integers(len(weights), size=(2000, len(weights)))
    samples = (other - first)[drawn].sum(1) / weights[drawn].sum(1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return np.array([low, (other - first).sum() / weights.sum(), high])


if __name__ == "__main__":
    main()
