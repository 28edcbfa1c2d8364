"""What the top-down update, pooling and windows do to learning: the same training of variants of \
one model.

    python tests/benchmarks/topdown_variants.py --data DIR --init CHECKPOINT --output RUN
    python tests/benchmarks/topdown_variants.py --output RUN --report

DIR holds ``papers_and_proposals.train.jsonl.xz`` and ``.dev.jsonl.xz``. All runs start from the
same generating checkpoint, a BART or PageSum, and see the same documents, each once. Of each
document ``--source-tokens`` are read, of the target 96. Each run is measured on the same other
documents: cross entropy per token of the target; and, for the first ``--rouge`` of them, ROUGE of
summaries by greedy search. The report compares each variant with the one named beside it, of the
same seeds: means, and 95 % intervals by bootstrap over documents. A stopped comparison continues
where it was; results are kept in RUN. ``--seeds`` and ``--only`` share the work out among
processes.
"""

import argparse
import json
import lzma
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pagesum_cli.evaluation.metrics.base import Pair
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.models.tasks import NO_LABEL
from pagesum_cli.training.data import Data
from pagesum_cli.training.job import Job
from pagesum_cli.training.prepare import Examples, prepared
from pagesum_cli.training.run import load_start, training_arguments
from pagesum_cli.training.settings import Settings
from pagesum_cli.training.trainer import PageTrainer

FILE = "papers_and_proposals.{}.jsonl.xz"
TARGET_TOKENS = 96
PAGE_TOKENS = 256
WINDOW = 128
"""About as large a part of the source as the paper's 1,024 tokens are of PubMed's 8,192."""
PAGES = {"decoding": "pages", "special_tokens": "page", "positions": "page"}
COLUMNS = ("cross entropy", "rouge1", "rouge2", "rougeL")


@dataclass(frozen=True)
class Variant:
    """A model to train.

    Attributes:
        model: Fields of its configuration; None for the starting point's own architecture.
        beside: The variant that it is compared with.
        seeds: How many seeds are run.
        decoding: Of the starting point's own architecture.
        tagger: Whether the importance tagger, trained first, is inside.
    """

    model: dict[str, Any] | None
    beside: str = "none"
    seeds: int = 1
    decoding: str = "auto"
    tagger: bool = False


VARIANTS = {
    "none": Variant({"update": "none"}, "none", 3),
    "average": Variant({}, "none", 3),
    "concat": Variant({"update": "concat"}, "none", 3),
    "adaptive": Variant({"pooling": "adaptive"}, "average", 3, tagger=True),
    "oracle": Variant({"pooling": "oracle"}, "average", 3),
    "pagesum": Variant(None, "pagesum", 3, "pages"),
    "none, pages": Variant({**PAGES, "update": "none"}, "pagesum", 3),
    "average, pages": Variant(PAGES, "pagesum", 3),
    "average, pages, window 512": Variant({**PAGES, "window": 512}, "pagesum"),
    "pagesum, global": Variant(None, "average", 1, "global"),
    "average, window 32": Variant({"window": 32}, "average"),
    "average, window 512": Variant({"window": 512}, "average"),
    "average, window 64": Variant({"window": 64}, "average"),
    "average, window 256": Variant({"window": 256}, "average"),
    "none, window 32": Variant({"update": "none", "window": 32}, "average, window 32"),
    "none, window 512": Variant({"update": "none", "window": 512}, "average, window 512"),
    "average, gain 1": Variant({"update_gain": 1.0}, "average"),
    "concat, gain 1": Variant({"update": "concat", "update_gain": 1.0}, "concat"),
    "average, segment positions": Variant({"segment_positions": True}, "average"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--init", default="facebook/bart-base")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--source-tokens", type=int, default=768)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument(
        "--documents", type=int, default=120, help="number of other documents that are measured"
    )
    parser.add_argument("--rouge", type=int, default=60, help="how many of them are summarized")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--only", help="run only what contains this text")
    parser.add_argument("--report", action="store_true", help="print what has been measured")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    if arguments.report:
        report(arguments.output)
        return
    folder = arguments.output / "documents"
    folder.mkdir(parents=True, exist_ok=True)
    for split, name, limit in (
        ("train", "train", arguments.updates * arguments.batch),
        ("dev", "validation", arguments.documents),
    ):
        write_records(arguments.data / FILE.format(split), folder / f"{name}.jsonl", limit)
    for seed in arguments.seeds:
        for name, variant in VARIANTS.items():
            path = result_path(arguments.output, name, seed)
            if (
                path.exists()
                or seed > variant.seeds
                or (arguments.only and arguments.only not in name)
            ):
                continue
            began = time.perf_counter()
            measured = measure(variant, seed, folder, arguments)
            path.write_text(json.dumps(measured), encoding="utf-8")
            means = ", ".join(
                f"{column} {np.mean(values):.3f}" for column, values in measured.items()
            )
            print(f"{path.stem}: {means}, {time.perf_counter() - began:.0f} s", flush=True)


def result_path(folder: Path, name: str, seed: int) -> Path:
    return folder / f"{name} {seed}.json"


def write_records(source: Path, target: Path, number: int) -> None:
    """Write some of the records, drawn at random, unless they are there."""
    if target.exists():
        return
    with lzma.open(source, "rt", encoding="utf-8") as file:
        lines = random.Random(0).sample(file.readlines(), number)
    target.write_text("".join(lines), encoding="utf-8")


def measure(
    variant: Variant, seed: int, folder: Path, arguments: argparse.Namespace
) -> dict[str, list[float]]:
    """Train a model, and measure it on each of the other documents."""
    settings = replace(
        settings_of(seed, arguments),
        architecture="auto" if variant.model is None else "topdown",
        model={} if variant.model is None else {**shape(arguments), **variant.model},
        decoding=variant.decoding,
        tagger=str(trained_tagger(seed, folder, arguments)) if variant.tagger else "",
    )
    trainer, others, seconds = trained(settings, folder, arguments)
    model: Any = trainer.model.eval()
    entropies = []
    scores: dict[str, list[float]] = {name: [] for name in COLUMNS[1:]}
    rouge = Rouge(COLUMNS[1:])
    with torch.no_grad():
        for number in range(len(others)):
            example = others[number]
            batch = trainer._prepare_inputs(
                trainer.task.collate([example], model.config.pad_token_id)
            )
            entropies.append(cross_entropy(model, batch))
            if number < arguments.rouge:
                (text,) = trainer.task.predict(model, batch, trainer.page_tokenizer)
                reference = trainer.page_tokenizer.decode(example.arrays["target"].tolist())
                for name, one in rouge.score(Pair(example.id, text, reference)).items():
                    scores[name].append(one["f"])
    return {"cross entropy": entropies, **scores, "seconds per update": [seconds]}


def shape(arguments: argparse.Namespace) -> dict[str, Any]:
    """The configuration of the top-down transformers.

    The update begins at nothing: in so short a training what a new one adds to pretrained states is
    mostly noise.
    """
    return {
        "window": WINDOW,
        "update_gain": 0.0,
        "max_source_positions": arguments.source_tokens + 2,
    }


def trained_tagger(seed: int, folder: Path, arguments: argparse.Namespace) -> Path:
    """The folder of the tagger, which is trained as the summarizers are unless it is there."""
    path = arguments.output / f"tagger {seed}"
    if not path.exists():
        settings = replace(
            settings_of(seed, arguments), architecture="topdown-tagger", model=shape(arguments)
        )
        trainer, *_ = trained(settings, folder, arguments)
        model: Any = trainer.model
        model.save_pretrained(path)
        trainer.page_tokenizer.save(path)
        print(f"{path.name}: {trainer.evaluate()}", flush=True)
    return path


def settings_of(seed: int, arguments: argparse.Namespace) -> Settings:
    """What all runs share."""
    return Settings(
        init=arguments.init,
        locality="spatial",
        page_tokens=PAGE_TOKENS,
        source_tokens=arguments.source_tokens,
        target_tokens=TARGET_TOKENS,
        max_length=TARGET_TOKENS,
        optimizer="adamw",
        schedule="linear",
        learning_rate=arguments.learning_rate,
        warmup=max(arguments.updates // 10, 1),
        clip=1.0,
        label_smoothing=0.0,
        dropout=0.0,
        batch=arguments.batch,
        accumulate=1,
        updates=arguments.updates,
        epochs=1,
        beams=1,
        no_repeat_ngram=3,
        seed=seed,
    )


def trained(
    settings: Settings, folder: Path, arguments: argparse.Namespace
) -> tuple[PageTrainer, Examples, float]:
    """A trained model, the other documents, and the seconds of an update."""
    torch.manual_seed(settings.seed)
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
    return trainer, others, (time.perf_counter() - began) / settings.updates


def cross_entropy(model: Any, batch: dict[str, Any]) -> float:
    """Of one document's target, per token."""
    # a tagger predicts it at test
    left_out = {"labels", *(() if model.needs_reference else ("importance",))}
    given = {name: value for name, value in batch.items() if name not in left_out}
    logits, labels = model(**given).logits.float(), batch["labels"]
    return float(
        torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), labels.flatten(), ignore_index=NO_LABEL
        )
    )


# Report


def report(folder: Path) -> None:
    """Print each variant, and its difference from the one beside it, of the same seeds."""
    print("| variant | seeds | cross entropy | rouge1 | rouge2 | rougeL | s/update |")
    for name, variant in VARIANTS.items():
        runs = dict(results(folder, name))
        if not runs:
            continue
        means = {
            column: np.mean([np.mean(run[column]) for run in runs.values()]) for column in COLUMNS
        }
        seconds = np.mean([run["seconds per update"] for run in runs.values()])
        cells = [
            f"{means['cross entropy']:.3f}",
            *(f"{means[column]:.1f}" for column in COLUMNS[1:]),
        ]
        print(f"| {name} | {len(runs)} | {' | '.join(cells)} | {seconds:.1f} |")
        others = dict(results(folder, variant.beside))
        shared = sorted(runs.keys() & others.keys())
        if name == variant.beside or not shared:
            continue
        for column in COLUMNS:
            both = [
                np.array(runs[seed][column]) - np.array(others[seed][column]) for seed in shared
            ]
            low, middle, high = interval(np.mean(both, axis=0))
            print(
                f"|   {column} − {variant.beside} | {len(shared)} | {middle:+.3f} ({low:+.3f} "
                f"to {high:+.3f}) |"
            )


def results(folder: Path, name: str) -> Iterator[tuple[int, dict[str, list[float]]]]:
    for seed in range(1, VARIANTS[name].seeds + 1):
        path = result_path(folder, name, seed)
        if path.exists():
            yield seed, json.loads(path.read_text(encoding="utf-8"))


def interval(differences: np.ndarray) -> tuple[float, float, float]:
    """The mean over documents with its 95 % interval by bootstrap."""
    generator = np.random.default_rng(0)
    draws = generator.integers(0, len(differences), (2000, len(differences)))
    means = differences[draws].mean(1)
    return (
        float(np.quantile(means, 0.025)),
        float(differences.mean()),
        float(np.quantile(means, 0.975)),
    )


if __name__ == "__main__":
    main()
