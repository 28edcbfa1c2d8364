"""The results file: one JSON object per document, appended one by one, so that a run can be stopped
and resumed.
"""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from ..datasets.record import Record
from ..errors import PagesumError
from ..files import replacing
from .metrics.base import PagedSentence, Pair, Score

FILE = "results.jsonl"
USES_REFERENCE = "uses_reference"
"""The setting that is there, and true, where a prediction depends on the reference that it is
scored by.
"""


@dataclass(frozen=True)
class Result:
    """The result for one document."""

    id: str
    prediction: str
    reference: str
    scores: dict[str, Score] = field(default_factory=dict)  # by column, in 0–100
    # the signature of every metric that was computed, by the metric's name
    scoring: dict[str, str] = field(default_factory=dict)
    # each page's share of the whole summary, in page order, summing to 1
    page_confidences: tuple[float, ...] = ()
    sentences: tuple[PagedSentence, ...] = ()
    # tokens of the input beyond the end of another system's input, which it did not read
    cut_tokens: int = 0
    seconds: float = 0.0  # time that the document took, its share of its batch by source tokens
    source_tokens: int = 0  # tokens of the input that the system read; 0 where it is not known
    # tokens that an endpoint generated, those about parts of the document included
    generated_tokens: int = 0
    peak_memory: int = 0  # maximum of the bytes in use during its batch; 0 where it is not known
    # everything that the prediction depends on besides the document
    settings: dict[str, Any] = field(default_factory=dict)
    reference_sentences: tuple[str, ...] = ()

    @classmethod
    def of(cls, record: Record, prediction: str, **others: Any) -> "Result":
        """The result for a record."""
        return cls(
            record.id,
            prediction,
            record.summary,
            reference_sentences=record.summary_sentences,
            **others,
        )

    @property
    def uses_reference(self) -> bool:
        """Whether the system read the reference."""
        return bool(self.settings.get(USES_REFERENCE))

    def pair(self, sources: tuple[str, ...] = ()) -> Pair:
        return Pair(
            self.id,
            self.prediction,
            self.reference,
            sources,
            self.sentences,
            self.reference_sentences,
        )

    def with_scores(self, scores: dict[str, Score], scoring: dict[str, str]) -> "Result":
        return replace(self, scores={**self.scores, **scores}, scoring={**self.scoring, **scoring})


def read_results(path: Path, on_problem: Callable[[str], None]) -> list[Result]:
    """Read the results of a file, in order.

    A broken line (the last one, if a run was killed) is reported and left out; so is a second one
    with the same id.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise PagesumError(
            f"{path}: cannot be read ({error.strerror})", "check the path"
        ) from error
    results: dict[str, Result] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            result = msgspec.json.decode(line, type=Result)
        except (msgspec.MsgspecError, RecursionError) as error:
            on_problem(f"{path}, line {number}: broken, left out ({error})")
            continue
        if result.id in results:
            on_problem(f"{path}, line {number}: a second result for {result.id}, left out")
            continue
        results[result.id] = result
    return list(results.values())


def begin_results(path: Path) -> None:
    """Make a results file with its folder, or cut off the broken last line of one that is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab+") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)


def append_result(path: Path, result: Result) -> None:
    """Append a line to a results file; it is on the disk before the next step."""
    with open(path, "ab") as file:
        file.write(_line(result))
        file.flush()
        os.fsync(file.fileno())


def shard_path(folder: Path, rank: int) -> Path:
    """The file to which one of several processes writes during a run."""
    return folder / f"results.part{rank}.jsonl"


def read_run(folder: Path, on_problem: Callable[[str], None]) -> dict[str, Result]:
    """Read the results of earlier runs in a folder, stopped ones included, by id."""
    results: dict[str, Result] = {}
    for path in (folder / FILE, *sorted(folder.glob("results.part*.jsonl"))):
        if path.exists():
            for result in read_results(path, on_problem):
                results.setdefault(result.id, result)
    return results


def finish_run(folder: Path, results: Iterable[Result]) -> None:
    """Write all results in order into the results file, and remove the processes' own files."""
    with replacing(folder / FILE) as aside, open(aside, "wb") as file:
        file.writelines(map(_line, results))
    for part in folder.glob("results.part*.jsonl"):
        part.unlink(missing_ok=True)


def check_same_settings(
    path: Path, results: Iterable[Result], settings: dict[str, Any] | None = None
) -> None:
    """Check that all results of a file or folder were made with the same settings."""
    for result in results:
        settings = result.settings if settings is None else settings
        names = {**settings, **result.settings}
        changes = [
            f"{name} was {result.settings.get(name)!r} and is now {settings.get(name)!r}"
            for name in names
            if settings.get(name) != result.settings.get(name)
        ]
        if changes:
            message = f"{path} holds results with other settings: {', '.join(changes)}"
            hint = (
                "use another --output or the same settings as before; score results with "
                "different settings separately"
            )
            raise PagesumError(message, hint)


def _line(result: Result) -> bytes:
    return json.dumps(asdict(result), ensure_ascii=False).encode("utf-8", errors="replace") + b"\n"
