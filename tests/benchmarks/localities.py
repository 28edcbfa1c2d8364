"""What the cut into pages does to learning: the same training, with the same seed, on differently cut documents.

    python tests/benchmarks/localities.py --data DIR --init CHECKPOINT --documents 400 --device auto
    python tests/benchmarks/localities.py --data DIR --init-encoder MINILM --task extractive --documents 800

Every setting starts from the same weights and learns from the same documents, in the same order, with the same updates;
then it reads other documents, and its differences from the first setting on these are printed (with 95 % intervals by
bootstrap over documents). DIR holds ``papers_and_proposals.train.jsonl.xz`` and ``.dev.jsonl.xz``; documents of more
than ``--words`` words are left out, so that no setting reads less of a document than another.

An abstractive model learns to generate the authors' summaries, and the cross entropy per token is measured. ``global``
is the paper's global decoding (table 6): pages are encoded apart, and one decoder reads the encodings of all of them.

An extractive model learns to score sentences, and ROUGE-1, 2 and Lsum of the sentences that it selects are measured.
With ``apart`` the sentences of each page are scored without those of the others.
"""

import argparse
import json
import lzma
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.documents.document import words
from pagesum_cli.evaluation.metrics.base import Pair
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.models.base import OnEncode, PageBatch
from pagesum_cli.models.extractive.model import ExtractiveModel, SentenceMemory
from pagesum_cli.models.layers.packing import PackedPages
from pagesum_cli.training.devices import training_arguments
from pagesum_cli.training.job import Job
from pagesum_cli.training.prepare import Examples, prepared
from pagesum_cli.training.run import load_start
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.tasks import TASKS, reference_of
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
    parser.add_argument("--task", choices=TASKS, default="abstractive")
    parser.add_argument("--settings", nargs="+", help="'LOCALITY PAGE_TOKENS [global|apart]' each")
    parser.add_argument("--documents", type=int, default=400, help="number of documents to learn from")
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument("--target-tokens", type=int, default=160)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    is_extractive = arguments.task == "extractive"
    with tempfile.TemporaryDirectory() as folder:
        references = write_documents(arguments, Path(folder))
        first = None
        for name in arguments.settings or (EXTRACTIVE if is_extractive else ABSTRACTIVE):
            began = time.perf_counter()
            values, weights = measure(arguments, name, Path(folder), references)
            first = values if first is None else first
            results = []
            for column, mean in enumerate(values.sum(0) / weights.sum()):
                low, change, high = difference(first[:, column], values[:, column], weights)
                results.append(f"{mean:.3f} ({change:+.3f} [{low:+.3f}, {high:+.3f}])")
            print(f"{name}: {', '.join(results)}, {time.perf_counter() - began:.0f} s", flush=True)


def write_documents(arguments: argparse.Namespace, folder: Path) -> dict[str, str]:
    """Write ``train.jsonl`` and ``validation.jsonl``; returns the summaries of the latter by id."""
    lines: dict[str, list[str]] = {}
    for split in ("train", "dev"):
        with lzma.open(arguments.data / FILE.format(split), "rt", encoding="utf-8") as file:
            lines[split] = [line for line in file if length_of(line) <= arguments.words]
    generator = random.Random(arguments.seed)
    lines["train"] = generator.sample(lines["train"], min(arguments.documents, len(lines["train"])))
    print(f"{len(lines['train'])} documents to learn from, {len(lines['dev'])} others, seed {arguments.seed}")
    (folder / "train.jsonl").write_text("".join(lines["train"]), encoding="utf-8")
    (folder / "validation.jsonl").write_text("".join(lines["dev"]), encoding="utf-8")
    records = [record_of(json.loads(line), str(number)) for number, line in enumerate(lines["dev"])]
    return {record.id: reference_of(record) for record in records}


def length_of(line: str) -> int:
    return sum(1 for document in record_of(json.loads(line)).documents for _ in words(document))


def measure(
    arguments: argparse.Namespace, name: str, folder: Path, references: dict[str, str]
) -> tuple[np.ndarray, np.ndarray]:
    """Train with one setting: values of each other document ``(documents, columns)``, and their weights."""
    locality, page_tokens, variant = f"{name} ".split(" ", 2)
    settings = Settings(
        init=arguments.init,
        init_encoder=arguments.init_encoder,
        task=arguments.task,
        locality=locality,
        page_tokens=int(page_tokens),
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
        seed=arguments.seed,
    )
    start = load_start(Job((str(folder),), folder, settings, device=arguments.device))
    if "apart" in variant:
        start.model.__class__ = ApartModel
    plan = start.plan(settings)
    train, others = (prepared([str(folder)], one, plan, root=folder / "cache") for one in ("train", "validation"))
    device = training_arguments(folder, settings, arguments.device, dry=True)
    trainer = PageTrainer(start.model, start.tokenizer, device, settings, TASKS[start.task], None, train, others)
    trainer.train()
    return scores(trainer, others, references)


@torch.no_grad()
def scores(trainer: PageTrainer, examples: Examples, references: dict[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """Cross entropy, weighted by tokens, or ROUGE of the selected sentences."""
    model: Any = trainer.model.eval()
    rouge, values, weights = Rouge(), [], []
    for example in examples:
        batch = trainer._prepare_inputs(trainer.task.collate([example], model.config.pad_token_id))
        with trainer.accelerator.autocast():
            if model.generates:
                weights.append(len(example.arrays["target"]) - 1)
                values.append([trainer.task.loss(model, batch).item() * weights[-1]])
            else:
                (text,) = trainer.task.predict(model, batch, trainer.page_tokenizer)
                result = rouge.score(Pair(example.id, text, references[example.id]))
                weights.append(1)
                values.append([result[column]["f"] for column in COLUMNS])
    return np.array(values), np.array(weights)


def difference(first: np.ndarray, other: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The difference from the first by weight, and its 95 % interval: low, mean, high."""
    drawn = np.random.default_rng(0).integers(len(weights), size=(2000, len(weights)))
    samples = (other - first)[drawn].sum(1) / weights[drawn].sum(1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return np.array([low, (other - first).sum() / weights.sum(), high])


if __name__ == "__main__":
    main()
