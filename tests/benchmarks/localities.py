"""What the cut into pages does to learning: the same training, with the same seed, on differently \
cut documents.

    python tests/benchmarks/localities.py --data DIR --init CHECKPOINT --documents 400 --device auto
    python tests/benchmarks/localities.py --data DIR --init-encoder MINILM \\
        --task extractive --documents 800
    python tests/benchmarks/localities.py --data DIR --init CHECKPOINT \\
        --document-tokens 1024 --output RUN \\
        --settings 'spatial 256' 'spatial 64' 'spatial 128' 'spatial 512' 'spatial 256 global'

Every setting starts from the same weights and learns from the same documents, in the same order,
with the same updates; then it reads other documents, and its differences from the first setting on
these are printed (with 95 % intervals by bootstrap over documents). DIR holds
``papers_and_proposals.train.jsonl.xz`` and ``.dev.jsonl.xz``. So that no setting reads less of a
document than another, all read its first ``--document-tokens``, as in table 5; without it,
documents of more than ``--words`` words are left out. With ``--output`` a stopped comparison
continues where it was.

An abstractive model learns to generate the authors' summaries, and the cross entropy per token is
measured; with ``--rouge N`` also ROUGE-1, 2 and Lsum of its summaries of the first N other
documents, by greedy search. ``global`` is the paper's global decoding (table 6): pages are encoded
apart, and one decoder reads the encodings of all of them.

An extractive model learns to score sentences, and ROUGE-1, 2 and Lsum of the sentences that it
selects are measured. With ``apart`` the sentences of each page are scored without those of the
others.
"""

import argparse
import json
import lzma
import random
import tempfile
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.documents.model import words
from pagesum_cli.evaluation.metrics.base import Pair
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.models.base import OnEncode, PageBatch
from pagesum_cli.models.extractive.model import ExtractiveModel, SentenceMemory
from pagesum_cli.models.extractive.tasks import Extractive
from pagesum_cli.models.layers.packing import PackedPages
from pagesum_cli.models.tasks import Example
from pagesum_cli.training.data import Data
from pagesum_cli.training.job import Job
from pagesum_cli.training.prepare import Examples, prepared
from pagesum_cli.training.run import load_start, training_arguments
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.trainer import PageTrainer

ABSTRACTIVE = ("discourse 384", "spatial 384", "spatial 384 global", "spatial 192", "spatial 512")
EXTRACTIVE = ("discourse 384", "spatial 384", "discourse 384 apart", "spatial 192", "spatial 512")
COLUMNS = ("rouge1", "rouge2", "rougeLsum")
FILE = "papers_and_proposals.{}.jsonl.xz"


class ApartModel(ExtractiveModel):
    """Scores the sentences of each page without those of the others."""

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> SentenceMemory:
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        memory = super().encode(PageBatch(pages.input_ids[:, None], pages.mask[:, None]), on_encode)
        return replace(memory, pages=pages, parts=self._parts(pages))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--init", default="facebook/bart-base")
    parser.add_argument("--init-encoder", default="")
    parser.add_argument("--task", choices=("abstractive", "extractive"), default="abstractive")
    parser.add_argument("--settings", nargs="+", help="'LOCALITY PAGE_TOKENS [global|apart]' each")
    parser.add_argument(
        "--documents", type=int, default=400, help="number of documents to learn from"
    )
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument("--document-tokens", type=int, default=0)
    parser.add_argument("--rouge", type=int, default=0, metavar="N")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--target-tokens", type=int, default=160)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    is_extractive = arguments.task == "extractive"
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        references = write_documents(arguments, Path(folder))
        first: Measured | None = None
        for name in arguments.settings or (EXTRACTIVE if is_extractive else ABSTRACTIVE):
            began = time.perf_counter()
            measured = kept(arguments, name) or measure(arguments, name, Path(folder), references)
            keep(arguments, name, measured)
            first = first or measured
            results = [
                text
                for one, other in zip(first, measured, strict=True)
                for text in compared(one, other)
            ]
            print(f"{name}: {', '.join(results)}, {time.perf_counter() - began:.0f} s", flush=True)


Measured = list[tuple[np.ndarray, np.ndarray]]
"""For each group of columns, values ``(documents, columns)`` and the documents' weights
``(documents,)``.
"""


def compared(
    first: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]
) -> list[str]:
    """The mean of each column, and its difference from the first setting with its 95 % interval."""
    values, weights = other
    results = []
    for column, mean in enumerate(values.sum(0) / weights.sum()):
        low, change, high = difference(first[0][:, column], values[:, column], weights)
        results.append(f"{mean:.3f} ({change:+.3f} [{low:+.3f}, {high:+.3f}])")
    return results


def kept(arguments: argparse.Namespace, name: str) -> Measured | None:
    """What an earlier run measured."""
    if not arguments.output or not (file := arguments.output / f"{name}.json").exists():
        return None
    return [
        (np.array(values), np.array(weights))
        for values, weights in json.loads(file.read_text(encoding="utf-8"))
    ]


def keep(arguments: argparse.Namespace, name: str, measured: Measured) -> None:
    if arguments.output:
        text = json.dumps([(values.tolist(), weights.tolist()) for values, weights in measured])
        (arguments.output / f"{name}.json").write_text(text, encoding="utf-8")


def write_documents(arguments: argparse.Namespace, folder: Path) -> dict[str, str]:
    """Write ``train.jsonl`` and ``validation.jsonl``; returns the summaries of the latter by id."""
    lines: dict[str, list[str]] = {}
    for split in ("train", "dev"):
        with lzma.open(arguments.data / FILE.format(split), "rt", encoding="utf-8") as file:
            lines[split] = [
                line
                for line in file
                if arguments.document_tokens or length_of(line) <= arguments.words
            ]
    generator = random.Random(arguments.seed)
    lines["train"] = generator.sample(lines["train"], min(arguments.documents, len(lines["train"])))
    print(
        f"{len(lines['train'])} documents to learn from, {len(lines['dev'])} others, "
        f"seed {arguments.seed}"
    )
    (folder / "train.jsonl").write_text("".join(lines["train"]), encoding="utf-8")
    (folder / "validation.jsonl").write_text("".join(lines["dev"]), encoding="utf-8")
    records = [record_of(json.loads(line), str(number)) for number, line in enumerate(lines["dev"])]
    return {record.id: Extractive().reference(record) for record in records}


def length_of(line: str) -> int:
    return sum(1 for document in record_of(json.loads(line)).documents for _ in words(document))


def measure(
    arguments: argparse.Namespace, name: str, folder: Path, references: dict[str, str]
) -> Measured:
    """Train with one setting, and measure it."""
    locality, page_tokens, variant = f"{name} ".split(" ", 2)
    settings = Settings(
        init=arguments.init,
        init_encoder=arguments.init_encoder,
        task=arguments.task,
        locality=locality,
        page_tokens=int(page_tokens),
        document_tokens=arguments.document_tokens,
        decoding="global" if "global" in variant else "auto",
        target_tokens=arguments.target_tokens,
        optimizer="adamw",
        schedule="linear",
        learning_rate=arguments.learning_rate,
        warmup=10,
        clip=1.0,
        label_smoothing=0.0,
        batch=4,
        accumulate=1,
        epochs=1,
        beams=1,
        max_length=arguments.target_tokens,
        seed=arguments.seed,
    )
    start = load_start(Job((str(folder),), folder, settings, device=arguments.device))
    if "apart" in variant:
        start.model.__class__ = ApartModel
    plan = start.plan(settings)
    train, others = (
        prepared([str(folder)], one, plan, root=folder / "cache") for one in ("train", "validation")
    )
    device = training_arguments(folder, settings, arguments.device, dry=True)
    trainer = PageTrainer(start, Data(train, others, {}), device, settings)
    trainer.train()
    model: Any = trainer.model.eval()
    if not model.generates:
        return [rouge_of(trainer, others, references)]
    columns = [cross_entropies(trainer, others)]
    if arguments.rouge:
        columns.append(
            rouge_of(trainer, [others[number] for number in range(arguments.rouge)], references)
        )
    return columns


@torch.no_grad()
def cross_entropies(trainer: PageTrainer, examples: Examples) -> tuple[np.ndarray, np.ndarray]:
    """Sums over the tokens of each summary ``(documents, 1)``, and the numbers of these tokens."""
    model: Any = trainer.model
    values, weights = [], []
    for example in examples:
        batch = trainer._prepare_inputs(trainer.task.collate([example], model.config.pad_token_id))
        with trainer.accelerator.autocast():
            weights.append(len(example.arrays["target"]) - 1)
            values.append([trainer.task.loss(model, batch).item() * weights[-1]])
    return np.array(values), np.array(weights)


@torch.no_grad()
def rouge_of(
    trainer: PageTrainer, examples: Iterable[Example], references: dict[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """ROUGE of the summaries of each document ``(documents, 3)``, and equal weights."""
    model: Any = trainer.model
    rouge, values = Rouge(), []
    for example in examples:
        batch = trainer._prepare_inputs(trainer.task.collate([example], model.config.pad_token_id))
        with trainer.accelerator.autocast():
            (text,) = trainer.task.predict(model, batch, trainer.page_tokenizer)
        result = rouge.score(Pair(example.id, text, references[example.id]))
        values.append([result[column]["f"] for column in COLUMNS])
    return np.array(values), np.ones(len(values))


def difference(first: np.ndarray, other: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The difference from the first by weight, and its 95 % interval: low, mean, high."""
    drawn = np.random.default_rng(0).integers(len(weights), size=(2000, len(weights)))
    samples = (other - first)[drawn].sum(1) / weights[drawn].sum(1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return np.array([low, (other - first).sum() / weights.sum(), high])


if __name__ == "__main__":
    main()
