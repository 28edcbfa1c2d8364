"""What summarizing costs by the length of the source: time, speed and memory."""

import ctypes
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

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
    """The results of a batch with the time of each document, its share by source tokens, and the memory of all."""
    _reset_peak()
    began = perf_counter()
    results = system.results(batch)
    elapsed = perf_counter() - began
    total = sum(result.source_tokens for result in results)
    memory = _peak() if system.is_local else 0
    shares = [result.source_tokens / total if total else 1 / len(results) for result in results]
    return [
        replace(result, seconds=elapsed * share, peak_memory=memory)
        for result, share in zip(results, shares, strict=True)
    ]


def efficiency_of(results: Iterable[Result]) -> list[Bucket]:
    """What documents cost, by length; those whose source was not counted are left out."""
    by_length = defaultdict(list)
    for result in results:
        if result.source_tokens:
            by_length[1 << (result.source_tokens.bit_length() - 1)].append(result)
    return [_bucket(first, by_length[first]) for first in sorted(by_length)]


def _bucket(first: int, results: Sequence[Result]) -> Bucket:
    tokens, seconds = sum(one.source_tokens for one in results), sum(one.seconds for one in results)
    memory = max(one.peak_memory for one in results)
    number = len(results)
    return Bucket(first, number, tokens / number, seconds / number, tokens / max(seconds, 1e-9), memory)


def _cuda() -> Any:
    """PyTorch's module of the GPU, where one is used."""
    torch = sys.modules.get("torch")
    return torch.cuda if torch and torch.cuda.is_initialized() else None


def _reset_peak() -> None:
    """Forget the peak so far, where the system allows it: otherwise it is that of the run."""
    if cuda := _cuda():
        cuda.reset_peak_memory_stats()
    else:
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)  # what the C library keeps of earlier batches
        with suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int:
    """The maximum of the bytes in use: of the GPU, otherwise of the process; 0 where it is not known."""
    if cuda := _cuda():
        return int(cuda.max_memory_allocated())
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))
        return int(found[1]) * 1024 if found else 0
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
