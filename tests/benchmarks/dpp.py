"""What DPP attention costs: a training step and a decoding step beside those of plain attention.

    python tests/benchmarks/dpp.py [--device cpu|cuda] \\
        [--models recurrent transformer convolutional pagesum ...] [--batch 2] [--source 500] \\
        [--target 300] [--vocabulary 50000] [--width 512] [--repetitions 5]

Random weights at the paper's sizes; PageSum has the shape of BART-base, three pages a document, and
all pasts (``pagesum``: within each page). Plain and DPP steps take turns in one process; the ratio
is the median over pairs. A training step is the loss, its gradients and an update by Adam; a
decoding step is one token of 5 beams, at 16 tokens. Times on a CPU are the process's own, which
other processes hardly change. Peak memory on a CPU is that of a process of its own. Targets: at
most 1.3 times plain attention in training, 1.2 times in decoding.
"""

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch.nn.utils import parametrize

from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.dpp.convolutional import ConvolutionalModel
from pagesum_cli.models.dpp.model import ConvolutionalConfig, RecurrentConfig, TransformerConfig
from pagesum_cli.models.dpp.recurrent import PointerGenerator
from pagesum_cli.models.dpp.transformer import CopyTransformer
from pagesum_cli.models.generation import GeneratingModel
from pagesum_cli.models.pagesum import PageSumConfig, PageSumModel

TARGETS = {"training": 1.3, "decoding": 1.2}
BEAMS, TOKENS = 5, 16


PAGES = 3


def build(kind: str, arguments: argparse.Namespace, dpp: bool) -> GeneratingModel:
    """A model of the paper's size, scaled by ``--width``."""
    torch.manual_seed(0)
    width = arguments.width
    common: dict[str, Any] = {"vocab_size": arguments.vocabulary, "dpp": dpp}
    if kind == "recurrent":
        return PointerGenerator(
            RecurrentConfig(d_model=width, embedding_width=width // 4, **common)
        )
    if kind == "transformer":
        inner = {"encoder_ffn_dim": 4 * width, "decoder_ffn_dim": 4 * width}
        return CopyTransformer(TransformerConfig(d_model=width, **inner, **common))
    if kind.startswith("pagesum"):
        stacks = {
            f"{stack}_{part}": size
            for stack in ("encoder", "decoder")
            for part, size in (("layers", 6), ("ffn_dim", 3072))
        }
        heads = dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 12)
        dpp_pages = kind.partition("-")[2] or "own"
        return PageSumModel(
            PageSumConfig(d_model=768, **stacks, **heads, dpp_pages=dpp_pages, **common)
        )
    narrow = dict.fromkeys(("d_model", "embedding_width", "output_width"), width // 2)
    return ConvolutionalModel(ConvolutionalConfig(**narrow, **common))


def documents(model: GeneratingModel, arguments: argparse.Namespace) -> torch.Tensor:
    """Token ids ``(B, P, S)``, some of them beyond the vocabulary where words are copied."""
    torch.manual_seed(1)
    in_pages = isinstance(model, PageSumModel)
    shape = (arguments.batch, PAGES if in_pages else 1, arguments.source)
    return torch.randint(
        4, arguments.vocabulary + (0 if in_pages else 100), shape, device=arguments.device
    )


def training(model: GeneratingModel, arguments: argparse.Namespace) -> Callable[[], None]:
    """One training step."""
    ids = documents(model, arguments)
    model.train()
    labels = torch.randint(
        4, arguments.vocabulary, (arguments.batch, arguments.target), device=arguments.device
    )
    optimizer = torch.optim.Adam(model.parameters(), fused=True)

    def step() -> None:
        loss = model(ids, labels=labels, return_logits=False).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def decoding(model: GeneratingModel, arguments: argparse.Namespace) -> Callable[[], None]:
    """Some tokens of all beams; the source is encoded once."""
    ids = documents(model, arguments)
    model.eval()
    tokens = torch.randint(
        4, arguments.vocabulary, (TOKENS, arguments.batch, BEAMS), device=arguments.device
    )
    parents = torch.randint(BEAMS, tokens.shape, device=arguments.device)
    with torch.no_grad():
        source = model.encode(PageBatch(ids))

    @torch.no_grad()
    def steps() -> None:
        with parametrize.cached():
            scorer = model.scorer(source, BEAMS)
            for number in range(TOKENS):
                scorer.step(tokens[number], parents[number] if number else None)

    return steps


WORK = {"training": training, "decoding": decoding}


def seconds(work: Callable[[], None], device: str) -> float:
    """Time of one call."""
    if device == "cpu":
        began = time.process_time()
        work()
        return time.process_time() - began
    torch.cuda.synchronize()
    began = time.perf_counter()
    work()
    torch.cuda.synchronize()
    return time.perf_counter() - began


def peak_megabytes(kind: str, what: str, dpp: bool, arguments: argparse.Namespace) -> float:
    """Peak memory of two calls."""
    if arguments.device == "cpu":
        command = [
            sys.executable,
            __file__,
            *sys.argv[1:],
            "--one",
            kind,
            what,
            "dpp" if dpp else "plain",
        ]
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    model = build(kind, arguments, dpp).to(arguments.device)
    work = WORK[what](model, arguments)
    torch.cuda.reset_peak_memory_stats()
    work()
    work()
    return torch.cuda.max_memory_allocated() / 2**20


def compare(kind: str, what: str, arguments: argparse.Namespace) -> None:
    """Print one row of the table."""
    models = [build(kind, arguments, dpp).to(arguments.device) for dpp in (False, True)]
    works = [WORK[what](model, arguments) for model in models]
    for work in works:
        work()  # warms up
    pairs = []
    for number in range(arguments.repetitions):
        order = (0, 1) if number % 2 else (1, 0)
        times = {which: seconds(works[which], arguments.device) for which in order}
        pairs.append((times[0], times[1]))
    calls = TOKENS if what == "decoding" else 1
    plain, dpp = (statistics.median(one) / calls * 1000 for one in zip(*pairs, strict=True))
    ratio = statistics.median(after / before for before, after in pairs)
    del models, works
    memory = [peak_megabytes(kind, what, which, arguments) for which in (False, True)]
    print(
        f"| {kind} | {what} | {plain:.1f} | {dpp:.1f} | {ratio:.2f} | {TARGETS[what]} "
        f"| {memory[0]:.0f} | {memory[1]:.0f} |",
        flush=True,
    )


def main() -> None:
    kinds = (
        "recurrent",
        "transformer",
        "convolutional",
        "pagesum",
        "pagesum-uniform",
        "pagesum-confidence",
    )
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--models", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--work", nargs="+", choices=WORK, default=list(WORK))
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--source", type=int, default=500)
    parser.add_argument("--target", type=int, default=300)
    parser.add_argument("--vocabulary", type=int, default=50000)
    parser.add_argument(
        "--width", type=int, default=512, help="the convolutional model has half of it"
    )
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        kind, what, which = arguments.one
        work = WORK[what](build(kind, arguments, which == "dpp").to(arguments.device), arguments)
        work()
        work()
        print(int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024)
        return
    columns = (
        "model",
        "step",
        "plain ms",
        "DPP ms",
        "ratio",
        "target",
        "plain peak MB",
        "DPP peak MB",
    )
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    for kind in arguments.models:
        for what in arguments.work:
            compare(kind, what, arguments)


if __name__ == "__main__":
    main()
