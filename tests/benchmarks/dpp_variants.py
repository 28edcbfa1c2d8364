"""What coverage and DPP attention do to learning: the same training, with the same seeds, of \
variants of small models.

    python tests/benchmarks/dpp_variants.py --data DIR --output RUN
    python tests/benchmarks/dpp_variants.py --data DIR --output RUN --longer
    python tests/benchmarks/dpp_variants.py --output RUN [--longer] --report

DIR holds ``papers_and_proposals`` and ``beige_book``, ``.train.jsonl.xz`` and ``.dev.jsonl.xz``
each. Clusters are two to four documents of one collection, and their target the first sentence of
each author's summary, one after the other; a Beige Book is a cluster of reports, its target the
first three sentences of its summary. Of each cluster 256 tokens are read, of the target 96. The
small models start from random weights, and PageSum from a checkpoint (``--pagesum``).

Each run is measured on the same other clusters: cross entropy per token of the target; and of
summaries by greedy search without constraints, rep-2, the spans that are attended to (Table 7),
length and ROUGE. The report compares each variant with the plain model of the same seed: means over
seeds, 95 % intervals by bootstrap over clusters. ``--longer`` trains each model once more for as
many updates as ``--updates`` says, from where it ended, with a new schedule. A stopped comparison
continues where it was; results are kept in RUN.
"""

import argparse
import json
import lzma
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pagesum_cli.evaluation.metrics.base import Pair
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.evaluation.metrics.words import Repetition
from pagesum_cli.lab.attention import reading_of
from pagesum_cli.models.tasks import NO_LABEL, Example
from pagesum_cli.text.sentences import sentence_spans
from pagesum_cli.training.data import Data
from pagesum_cli.training.job import Job
from pagesum_cli.training.prepare import prepared
from pagesum_cli.training.run import load_start, training_arguments
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.trainer import PageTrainer

PAPERS, REPORTS = "papers_and_proposals", "beige_book"
SOURCE_TOKENS, TARGET_TOKENS = 256, 96
DOCUMENT_WORDS = 160
"""More of a document than will be read."""
VOCABULARY = 4000
SEEDS = (1, 2, 3)

TRANSFORMER = {
    "d_model": 128,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 512,
    "decoder_ffn_dim": 512,
    "dropout": 0.1,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "tie_output": True,
}
RECURRENT = {"d_model": 128, "embedding_width": 128, "dropout": 0.0}
CONVOLUTIONAL = {"d_model": 128, "embedding_width": 128, "output_width": 128, "dropout": 0.1}
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "copy-transformer": TRANSFORMER,
    "pointer-generator": RECURRENT,
    "conv-seq2seq": CONVOLUTIONAL,
    "pagesum": {},
}
RATES = {"copy-transformer": 2e-3, "pointer-generator": 2e-3, "conv-seq2seq": 2e-3, "pagesum": 2e-4}
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "CovLoss": {"coverage_loss": 1.0},
    "DPP": {"dpp": True},
    "CovVec": {"coverage_vector": True},
    "CovLoss+CovVec": {"coverage_loss": 1.0, "coverage_vector": True},
    "CovLoss+DPP": {"coverage_loss": 1.0, "dpp": True},
    "CovLoss+CovLoss": {"coverage_loss": 1.0},
    "DPP key": {"dpp": True, "dpp_past": "key"},
    "DPP as printed": {"dpp": True, "dpp_square": False, "dpp_past": "none", "dpp_rescale": False},
    "DPP pages": {"dpp": True, "dpp_pages": "own"},
    "DPP uniform": {"dpp": True, "dpp_pages": "uniform"},
    "DPP confidence": {"dpp": True, "dpp_pages": "confidence"},
}
COLUMNS = (
    "cross entropy",
    "rep-2",
    "high spans",
    "span diversity",
    "entropy",
    "tokens",
    "rouge1",
    "rouge2",
    "rougeL",
)
SPECIAL = (0, 1, 2)


@dataclass(frozen=True)
class Run:
    """A model to train.

    Attributes:
        architecture, variant: Keys of the tables above.
        seed: Of weights and order.
        start: The run whose weights it starts from; None for new weights.
        stage: ``" longer"`` for a model that is trained once more.
    """

    architecture: str
    variant: str
    seed: int
    start: "Run | None" = None
    stage: str = ""

    @property
    def is_second_stage(self) -> bool:
        """Whether it changes the variant of a trained model."""
        return self.start is not None and self.start.variant != self.variant

    @property
    def name(self) -> str:
        stages = " in two stages" if self.is_second_stage else ""
        return f"{self.architecture} {self.variant}{stages}{self.stage} {self.seed}"


LONGER = " longer"


def runs() -> Iterator[Run]:
    """All runs, in the order of their importance."""
    small = [name for name in ARCHITECTURES if name != "pagesum"]
    for seed in SEEDS:
        for architecture in small:
            yield from (Run(architecture, variant, seed) for variant in ("plain", "DPP", "CovLoss"))
    seed = SEEDS[0]
    yield from (
        Run("pagesum", variant, seed)
        for variant in ("plain", "DPP pages", "DPP uniform", "DPP confidence")
    )
    yield from (Run("pointer-generator", variant, seed) for variant in ("CovVec", "CovLoss+CovVec"))
    for architecture in small:
        # the latter to compare with: as many updates
        for second in ("CovLoss+DPP", "CovLoss+CovLoss"):
            yield Run(architecture, second, seed, Run(architecture, "CovLoss", seed))
    yield from (Run("copy-transformer", variant, seed) for variant in ("DPP key", "DPP as printed"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--updates", type=int, default=300)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument(
        "--pagesum", metavar="CHECKPOINT", help="PageSum model whose variants are fine-tuned too"
    )
    parser.add_argument("--only", help="run only what contains this text")
    parser.add_argument(
        "--longer", action="store_true", help="train what has been trained once more"
    )
    parser.add_argument("--report", action="store_true", help="print what has been measured")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    if arguments.report:
        report(arguments.output, LONGER if arguments.longer else "")
        return
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_clusters(arguments.data, arguments.output / "clusters")
    for first in runs():
        run = replace(first, start=first, stage=LONGER) if arguments.longer else first
        path = arguments.output / f"{run.name}.json"
        if arguments.longer and not (arguments.output / f"{first.name}.json").exists():
            continue
        is_skipped = run.architecture == "pagesum" and not arguments.pagesum
        if path.exists() or is_skipped or (arguments.only and arguments.only not in run.name):
            continue
        began = time.perf_counter()
        measured = measure(run, arguments)
        path.write_text(json.dumps(measured), encoding="utf-8")
        means = ", ".join(f"{name} {value:.3f}" for name, value in averages(measured).items())
        print(f"{run.name}: {means}, {time.perf_counter() - began:.0f} s", flush=True)


# Data


def write_clusters(data: Path, folder: Path) -> None:
    """Write ``train.jsonl`` and ``validation.jsonl``, unless they are there."""
    if folder.exists():
        return
    folder.mkdir()
    generator = random.Random(0)
    for split, name, rounds in (("train", "train", 2), ("dev", "validation", 1)):
        lines = [
            *papers(read(data, PAPERS, split), generator, rounds),
            *reports(read(data, REPORTS, split)),
        ]
        generator.shuffle(lines)
        text = "".join(
            f"{json.dumps({'id': str(number), **line})}\n" for number, line in enumerate(lines)
        )
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def read(data: Path, name: str, split: str) -> list[dict[str, Any]]:
    with lzma.open(data / f"{name}.{split}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def papers(
    records: list[dict[str, Any]], generator: random.Random, rounds: int
) -> Iterator[dict[str, Any]]:
    """Clusters of two to four documents of one collection; each document is in one cluster a
    round.
    """
    collections = defaultdict(list)
    for record in records:
        collections[record["source"]].append(record)
    for _ in range(rounds):
        for members in collections.values():
            generator.shuffle(members)
            rest = list(members)
            while len(rest) >= 2:
                size = min(generator.randint(2, 4), len(rest))
                cluster, rest = rest[:size], rest[size:]
                texts = [" ".join(part["text"] for part in one["sections"]) for one in cluster]
                yield {
                    "documents": [
                        {"name": str(n), "text": beginning(text)} for n, text in enumerate(texts)
                    ],
                    "summary": " ".join(first_sentences(one["summary"], 1) for one in cluster),
                }


def reports(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for record in records:
        documents = [
            {"name": one["name"], "text": beginning(one["text"])} for one in record["documents"]
        ]
        yield {"documents": documents, "summary": first_sentences(record["summary"], 3)}


def beginning(text: str) -> str:
    return " ".join(text.split()[:DOCUMENT_WORDS])


def first_sentences(text: str, number: int) -> str:
    spans = sentence_spans(text)
    return text[: spans[min(number, len(spans)) - 1][1]] if spans else text


# Training and measuring


def measure(run: Run, arguments: argparse.Namespace) -> dict[str, list[float]]:
    """Train a model, and measure it on each of the other clusters."""
    folder = arguments.output / "clusters"
    checkpoint = arguments.output / "weights" / run.name
    first = arguments.pagesum if run.architecture == "pagesum" else "scratch"
    settings = Settings(
        init=first if run.start is None else str(arguments.output / "weights" / run.start.name),
        architecture=run.architecture,
        vocabulary=VOCABULARY,
        model={}
        if run.stage
        else {
            **(ARCHITECTURES[run.architecture] if run.start is None else {}),
            **VARIANTS[run.variant],
        },
        locality="document",
        source_tokens=SOURCE_TOKENS,
        target_tokens=TARGET_TOKENS,
        max_length=TARGET_TOKENS,
        optimizer="adamw",
        schedule="linear",
        learning_rate=RATES[run.architecture] / (4 if run.is_second_stage else 1),
        warmup=50,
        clip=1.0,
        label_smoothing=0.0,
        batch=arguments.batch,
        accumulate=1,
        updates=arguments.updates // (4 if run.is_second_stage else 1),
        epochs=1,
        beams=1,
        no_repeat_ngram=0,
        seed=run.seed + (100 if run.stage else 0),
    )
    start = load_start(Job((str(folder),), folder, settings, device=arguments.device))
    plan = start.plan(settings)
    cache = arguments.output / "cache"
    train, others = (
        prepared([str(folder)], one, plan, root=cache) for one in ("train", "validation")
    )
    device = training_arguments(folder, settings, arguments.device, dry=True)
    trainer = PageTrainer(start, Data(train, others, {}), device, settings)
    began = time.perf_counter()
    trainer.train()
    seconds = (time.perf_counter() - began) / settings.updates
    model: Any = trainer.model.eval()
    model.save_pretrained(checkpoint)
    start.tokenizer.save(checkpoint)
    rows, attention = [], []
    for first in range(0, len(others), 16):
        some, weights = measured_rows(
            trainer, [others[n] for n in range(first, min(first + 16, len(others)))]
        )
        rows += some
        attention += weights
    if attention:
        np.savez_compressed(arguments.output / f"{run.name}.npz", *attention)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {**columns, "seconds per update": [seconds]}


@torch.no_grad()
def measured_rows(
    trainer: PageTrainer, examples: list[Example]
) -> tuple[list[dict[str, float]], list[np.ndarray]]:
    """The figures of clusters; and for each the source's token ids, then the attention of its
    summary ``(T, J)``.
    """
    model: Any = trainer.model
    batch = trainer._prepare_inputs(trainer.task.collate(examples, model.config.pad_token_id))
    output = model(batch["input_ids"], batch["attention_mask"], batch["decoder_input_ids"])
    scores, labels = output.logits.float().log_softmax(-1), batch["labels"]
    labels = labels.masked_fill(
        labels >= scores.shape[-1], getattr(model.config, "unk_token_id", 0)
    )
    known = labels != NO_LABEL
    losses = -scores.gather(-1, labels.clamp(min=0)[..., None])[..., 0].masked_fill(~known, 0.0)
    entropies = losses.sum(1) / known.sum(1)
    generation = model.generate(
        batch["input_ids"], batch["attention_mask"], num_beams=1, max_length=TARGET_TOKENS,
        min_length=0, no_repeat_ngram_size=0,
    )  # fmt: skip
    rouge, repetition = Rouge(("rouge1", "rouge2", "rougeL")), Repetition()
    rows, attention = [], []
    for number, (example, ids) in enumerate(
        zip(examples, generation.sequences.tolist(), strict=True)
    ):
        text = trainer.page_tokenizer.decode(ids)
        pair = Pair(
            example.id, text, trainer.page_tokenizer.decode(example.arrays["target"].tolist())
        )
        row = {name: one["f"] for name, one in rouge.score(pair).items()}
        row["rep-2"] = repetition.score(pair).get("rep-2", {"value": 0.0})["value"]
        row["tokens"] = float(len(text.split()))
        row["cross entropy"] = float(entropies[number])
        rows.append(row)
        if "attention" in generation.traces:
            source = np.concatenate(example.pages)
            steps = generation.traces["attention"][number, :, : len(source)].numpy()
            attention += [source, steps[steps.sum(1) > 0].astype(np.float16)]
    return rows, attention


# Report


def averages(measured: dict[str, list[float]]) -> dict[str, float]:
    return {name: float(np.mean(values)) for name, values in measured.items()}


def report(folder: Path, stage: str) -> None:
    """Print each variant and its difference from the plain model of the same seed."""
    measured = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")
    }
    for name in measured:
        measured[name] |= attention_columns(folder / f"{name}.npz")
    kinds: dict[str, list[str]] = {}
    for run in (replace(run, stage=stage) for run in runs()):
        if run.name in measured:
            kinds.setdefault(run.name.rpartition(" ")[0], []).append(run.name)
    for kind, names in kinds.items():
        plain = [f"{kind.split()[0]} plain{stage} {name.split()[-1]}" for name in names]
        texts = []
        for column in COLUMNS:
            if column not in measured[names[0]]:
                continue
            values = np.array([measured[name][column] for name in names])  # (seeds, clusters)
            text = f"{column} {np.nanmean(values):.3f}"
            if " plain" not in kind and all(name in measured for name in plain):
                low, high = interval(values - np.array([measured[name][column] for name in plain]))
                text += f" [{low:+.3f}, {high:+.3f}]"
            texts.append(text)
        seconds = np.mean([measured[name]["seconds per update"][0] for name in names])
        print(f"{kind} ({len(names)} seeds): {', '.join(texts)}, {seconds:.2f} s an update")


def attention_columns(path: Path) -> dict[str, list[float]]:
    """How the source of each cluster was read, in percent and nats."""
    if not path.exists():
        return {}
    arrays = list(np.load(path).values())
    readings = [
        reading_of(attention.astype(np.float64), source.tolist(), SPECIAL)
        for source, attention in zip(arrays[::2], arrays[1::2], strict=True)
    ]
    return {
        "high spans": [100 * one.high_spans for one in readings],
        "span diversity": [100 * one.diversity for one in readings],
        "entropy": [one.entropy for one in readings],
    }


def interval(differences: np.ndarray) -> tuple[float, float]:
    """95 % interval of the mean of ``(seeds, clusters)``, by bootstrap over clusters."""
    known = differences[:, ~np.isnan(differences).any(0)].mean(0)
    if not len(known):
        return float("nan"), float("nan")
    drawn = np.random.default_rng(0).integers(len(known), size=(2000, len(known)))
    low, high = np.percentile(known[drawn].mean(1), [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
