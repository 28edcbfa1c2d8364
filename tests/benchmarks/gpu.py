"""Whether pagesum computes the same on a GPU, how fast, and what happens when its memory runs out.

    python tests/benchmarks/gpu.py [--device cuda|cpu] [--size large|base|small|tiny] \\
        [--pages 7 20] [--documents 1 8] [--output gpu.json]

- Parity: the small checkpoints of the original program (``tests/data/reference``). float32: logits
  within 5e-4, page confidences within 1e-4, loss within 1e-5 relative, every summary identical.
  bfloat16: logits within 10 % of their standard deviation (root mean square), page confidences
  within 0.03 (mean), loss within 3 %.
- Speed: random weights, one document or several together, pages of 1024 tokens, 4 beams, 64 new
  tokens; median of three runs. bfloat16 also without cuDNN's attention, which prepares for each new
  length.
- Memory: PyTorch is allowed less memory than a step takes. Pages must then be encoded in smaller
  groups, and a batch of documents one by one, with the same result; and where one document does not
  fit, one clear error, and the next works.

Prints tables and writes all figures as JSON; exits with 1 if a check fails. ``--device cpu --size
tiny`` runs the same code with simulated limits.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import torch
from decoding import BEAMS, NEW, SEARCH, SIZES, TOKENS, peak_memory, random_model, timed

sys.path.insert(0, str(Path(__file__).parents[1]))

from reference import DATA, INPUTS, Reference

import pagesum_cli.models.pagesum as modeling
from pagesum_cli.datasets.formats import record_of
from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.run import results_of
from pagesum_cli.evaluation.systems import PageSystem, RunRequest
from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.catalog import BART
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.tokenization import PageTokenizer

TOLERANCES = {
    "float32": {"logits": 5e-4, "confidences": 1e-4, "loss": 1e-5},
    "bfloat16": {"logits": 0.1, "confidences": 0.03, "loss": 0.03},
}
BATCH = 8


def parity(device: str) -> Iterator[dict[str, Any]]:
    """Largest differences from the original program, by checkpoint and number format."""
    for dtype, allowed in TOLERANCES.items():
        for folder in sorted(DATA.glob("ref-*")):
            reference = Reference(folder, device, dtype)
            found = dict.fromkeys(allowed, 0.0)
            for case, info in reference.cases.items():
                some = reference.documents(case)
                with torch.no_grad():
                    inputs = {name: reference.tensor(case, name) for name in INPUTS}
                    out = reference.model(**inputs, labels=reference.labels(case))
                logits = reference.tensor(case, "logits")[some]
                errors = out.logits[some].float() - logits
                shares = (
                    out.page_confidences[some] - reference.tensor(case, "page_confidence")[some]
                ).abs()
                if dtype == "float32":
                    differences = {"logits": errors.abs().max(), "confidences": shares.max()}
                else:
                    differences = {
                        "logits": errors.square().mean().sqrt() / logits.std(),
                        "confidences": shares.mean(),
                    }
                if not info["all_pad_pages_in_last_doc"]:
                    differences["loss"] = (out.loss / info["label_smoothing_loss"] - 1).abs()
                found = {
                    name: max(value, float(differences.get(name, 0.0)))
                    for name, value in found.items()
                }
            pairs = [(theirs, ours) for *_, theirs, ours in reference.summaries()]
            same = sum(theirs == ours for theirs, ours in pairs)
            exact = dtype != "float32" or same == len(pairs)
            yield {
                "checkpoint": folder.name,
                "dtype": dtype,
                **found,
                "same summaries": f"{same} of {len(pairs)}",
                "ok": exact and all(found[name] <= limit for name, limit in allowed.items()),
            }


def speed(
    device: str, size: str, pages: list[int], tokens: int, documents: list[int]
) -> Iterator[dict[str, Any]]:
    """Seconds, tokens/s and peak memory of generation, by number format, pages and documents."""
    model = random_model(size)
    ways = [(dtype, True) for dtype in TOLERANCES]
    if device == "cuda":
        ways.append(("bfloat16", False))
    for dtype, has_cudnn in ways:
        model.to(device, getattr(torch, dtype))
        torch.backends.cuda.enable_cudnn_sdp(has_cudnn)
        for number, together in product(pages, documents):
            shape = (together, number, tokens)
            ids = torch.randint(4, model.config.vocab_size, shape, device=device)
            restart_peak(device)
            seconds, found = timed(lambda ids=ids: model.generate(ids, **SEARCH), device)
            yield {
                "dtype": dtype,
                "cuDNN attention": has_cudnn,
                "pages": number,
                "documents": together,
                "encode s": found.encode_seconds,
                "whole s": seconds,
                "tokens/s": together * NEW / seconds,
                "peak MB": peak(device),
                "ok": found.sequences.shape[1] == NEW + 1
                and bool(found.sequences_scores.isfinite().all()),
            }
    torch.backends.cuda.enable_cudnn_sdp(True)


@torch.no_grad()
def smaller_groups(model: Any, device: str, pages: int, tokens: int) -> dict[str, Any]:
    """Encoding with memory for some of the pages at a time only."""
    batch = PageBatch(torch.randint(4, model.config.vocab_size, (1, pages, tokens), device=device))
    sizes: list[int] = []
    hook = model.model.encoder.register_forward_pre_hook(
        lambda module, inputs: sizes.append(len(inputs[1]))
    )
    usual = modeling.ENCODER_TOKENS
    try:
        modeling.ENCODER_TOKENS = tokens  # one page at a time
        expected, least = measured(lambda: model.encode(batch).states, device)
        modeling.ENCODER_TOKENS = pages * tokens  # all of them at once
        whole, most = measured(lambda: model.encode(batch).states, device)
        sizes.clear()
        del whole
        with limited(model, device, (least + most) / 2, at_once=max(pages // 3, 1)):
            found = model.encode(batch).states
    finally:
        modeling.ENCODER_TOKENS = usual
        hook.remove()
    difference = float((found - expected).square().mean().sqrt() / expected.std())
    result = {
        "step": f"encode {pages} parts",
        "limit MB": (least + most) / 2 / 2**20,
        "tried": sizes,
    }
    ok = sizes[0] == pages and min(sizes) < pages and difference < 1e-3
    return {**result, "difference": difference, "ok": ok}


class Unsaved(PageSystem):
    """A model whose weights are in no file."""

    settings: ClassVar[dict[str, Any]] = {}


def one_by_one(model: Any, device: str, tokens: int) -> Iterator[dict[str, Any]]:
    """A batch of documents with memory for one of them, then with memory for none."""
    summarizer = PageSummarizer(model, PageTokenizer.load(BART), name="random weights")
    words = " ".join(
        f"Sentence {number} tells of wheat and rain in county {number % 7}."
        for number in range(400)
    )
    records = [
        record_of({"id": str(n), "text": words[n:], "summary": "None."}) for n in range(BATCH)
    ]
    paging = PagingOptions(locality="spatial", page_tokens=tokens, max_pages=3)
    request = RunRequest(
        "random weights", paging, GenerationOptions(beams=BEAMS, min_length=24, max_length=24)
    )
    system = Unsaved(summarizer, request)

    def run(some: list[Any]) -> list[str]:
        return [one.prediction for one in results_of(system, some)]

    alone = [measured(lambda record=record: run([record]), device) for record in records]
    expected, least = [text for (text,), _ in alone], max(most for _, most in alone)
    _, most = measured(lambda: run(records), device)
    tried: list[int] = []
    generate = model.generate
    model.generate = lambda ids, *rest, **settings: (
        tried.append(len(ids)),
        generate(ids, *rest, **settings),
    )[1]
    try:
        limit = (least + most) / 2
        with limited(model, device, limit, documents=1):
            found = run(records)
        ok = found == expected and tried == [BATCH, *[1] * BATCH]
        yield {
            "step": f"summarize {BATCH} documents",
            "limit MB": limit / 2**20,
            "tried": list(tried),
            "ok": ok,
        }
        tried.clear()
        message = ""
        limit = (resident(device) + least) / 2
        try:
            with limited(model, device, limit, documents=0):
                run(records[:1])
        except PagesumError as error:
            message = error.message
        step = {"step": "summarize 1 document", "limit MB": limit / 2**20, "tried": list(tried)}
        yield {
            **step,
            "error": message,
            "ok": "memory does not hold" in message and run(records[:1]) == expected[:1],
        }
    finally:
        del model.generate


@contextmanager
def limited(
    model: Any, device: str, limit: float, at_once: int | None = None, documents: int | None = None
) -> Iterator[None]:
    """Allow PyTorch a number of bytes on the GPU; elsewhere, simulate it by what can be encoded or
    decoded at once.
    """
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction(
            limit / torch.cuda.get_device_properties(0).total_memory
        )
        try:
            yield
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
            torch.cuda.empty_cache()
        return

    def encoder(module: Any, inputs: tuple[Any, ...]) -> None:
        if at_once is not None and len(inputs[1]) > at_once:
            raise torch.OutOfMemoryError("simulated")

    def scorer(memory: Any, beams: int) -> Any:
        if documents is not None and memory.pages.batch > documents:
            raise torch.OutOfMemoryError("simulated")
        return type(model).scorer(model, memory, beams)

    hook = model.model.encoder.register_forward_pre_hook(encoder)
    model.scorer = scorer
    try:
        yield
    finally:
        del model.scorer
        hook.remove()


def measured(work: Callable[[], Any], device: str) -> tuple[Any, float]:
    """What it returns, and the greatest memory that it took, in bytes."""
    restart_peak(device)
    result = work()
    return result, peak(device) * 2**20


def restart_peak(device: str) -> None:
    """Forget the greatest memory so far, where that is possible."""
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def peak(device: str) -> float:
    """Greatest memory since the last restart, MB; on a CPU, of the process so far."""
    return torch.cuda.max_memory_reserved() / 2**20 if device == "cuda" else peak_memory()


def resident(device: str) -> float:
    """Memory in use now, in bytes."""
    return torch.cuda.memory_allocated() if device == "cuda" else 0.0


def shown(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, each printed as JSON as soon as it is measured."""
    found = []
    for row in rows:
        print(json.dumps(row), file=sys.stderr, flush=True)
        found.append(row)
    return found


def table(title: str, rows: list[dict[str, Any]]) -> None:
    """Print rows of the same kind as a table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    print(f"\n{title}\n\n| {' | '.join(names)} |\n|{'---|' * len(names)}")
    for row in rows:
        cells = (row.get(name, "") for name in names)
        texts = (f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells)
        print(f"| {' | '.join(texts)} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--size", choices=SIZES, default="large")
    parser.add_argument("--pages", type=int, nargs="+", default=[7, 20])
    parser.add_argument("--documents", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--output", type=Path, default=Path("gpu.json"))
    arguments = parser.parse_args()
    device, size = arguments.device, arguments.size
    if device == "cuda" and not torch.cuda.is_available():
        parser.error("no CUDA device on this machine; --device cpu --size tiny runs the same code")
    torch.set_float32_matmul_precision("highest")
    tokens = 64 if size == "tiny" else TOKENS
    began = time.strftime("%Y-%m-%d %H:%M:%S")
    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    print(f"{name}, PyTorch {torch.__version__}, BART {size}, parts of {tokens} tokens")
    results = {"parity with the original program": shown(parity(device))}
    table("parity with the original program", results["parity with the original program"])
    results["speed"] = shown(speed(device, size, arguments.pages, tokens, arguments.documents))
    table("speed", results["speed"])
    model = random_model(size).to(device)
    rows = shown([smaller_groups(model, device, max(arguments.pages), tokens)])
    rows += shown(one_by_one(model, device, tokens))
    table("too little memory", rows)
    results["too little memory"] = rows
    failed = [row for rows in results.values() for row in rows if not row["ok"]]
    facts = {
        "device": name,
        "torch": torch.__version__,
        "size": size,
        "tokens": tokens,
        "began": began,
    }
    arguments.output.write_text(json.dumps({**facts, "ok": not failed, **results}, indent=2) + "\n")
    print(
        f"\n{len(failed)} checks failed; all figures: {arguments.output}"
        if failed
        else f"\nok: {arguments.output}"
    )
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
