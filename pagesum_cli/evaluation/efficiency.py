"""What summarizing costs by the length of the source: time, speed and memory."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .. import system
from ..datasets.record import Record
from .results import Result

if TYPE_CHECKING:
    from .systems import System


@dataclass(frozen=True)
class Bucket:
    """Documents whose sources have ``first`` tokens or more, and less than twice as many."""

    first: int
    documents: int
    source_tokens: float  # mean
    seconds: float  # mean of a document
    tokens_per_second: float  # source tokens of all documents by the time of all
    peak_memory: int  # bytes, the maximum over documents; 0 where it is not known


def measured(system: "System", batch: Sequence[Record]) -> list[Result]:
    """The results of a batch with the time of each document, its share by source tokens, and the
    memory of all.
    """
    _reset_peak()
    began = perf_counter()
    results = system.results(batch)
    elapsed, memory = perf_counter() - began, peak_memory() if system.is_local else 0
    total = sum(result.source_tokens for result in results)
    shares = [result.source_tokens / total if total else 1 / len(results) for result in results]
    pairs = zip(results, shares, strict=True)
    return [replace(result, seconds=elapsed * share, peak_memory=memory) for result, share in pairs]


def efficiency_of(results: Iterable[Result]) -> list[Bucket]:
    """What documents cost, by length; those whose source was not counted are left out."""
    by_length = defaultdict(list)
    for result in results:
        if result.source_tokens:
            by_length[1 << (result.source_tokens.bit_length() - 1)].append(result)
    buckets = []
    for first, own in sorted(by_length.items()):
        tokens, seconds = sum(one.source_tokens for one in own), sum(one.seconds for one in own)
        means = tokens / len(own), seconds / len(own)
        memory = max(one.peak_memory for one in own)
        buckets.append(Bucket(first, len(own), *means, tokens / max(seconds, 1e-9), memory))
    return buckets


def _cuda() -> Any:
    """PyTorch's module of the GPU, where one is used."""
    torch = sys.modules.get("torch")
    return torch.cuda if torch and torch.cuda.is_initialized() else None


def _reset_peak() -> None:
    if cuda := _cuda():
        cuda.reset_peak_memory_stats()
    else:
        system.reset_peak_memory()


def peak_memory() -> int:
    """The maximum of the bytes in use: of the GPU, otherwise of the process; 0 where it is not
    known (only Linux).
    """
    if cuda := _cuda():
        return int(cuda.max_memory_allocated())
    return system.peak_memory()
