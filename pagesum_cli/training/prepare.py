"""Prepare examples: records are read, checked, encoded by several processes, and cached on disk.

Imported without torch.
"""

import hashlib
import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.named import AUTO, DataRequest, check_data, stream_data
from ..datasets.readers import SPLIT_NAMES, as_reason
from ..datasets.record import Record, ranked
from ..documents.model import words
from ..errors import PagesumError
from ..files import damage, naming, seal
from ..models.tasks import Example, Plan
from ..system import folder_for
from ..tokenization import PageTokenizer
from .watcher import Check

FORMAT = 15  # version of the cache's files

CHUNK = 16  # records that a process encodes at a time
# with fewer records, starting other processes takes longer than the work
MIN_RECORDS_FOR_WORKERS = 200

MAX_HELD_OUT = 500

OnProgress = Callable[[int], None]


def read_split(
    data: Iterable[str],
    split: str,
    locality: str,
    on_problem: Callable[[str], None] = lambda message: None,
    *,
    chapter_summaries: bool = False,
    data_set: str = AUTO,
) -> Iterator[Record]:
    """The records of a split, of one source after the other.

    ``data_set`` names the known data set that files and folders are, which are then read as
    ``pagesum eval --data NAME --data-dir FOLDER`` reads them, whatever the locality.
    """
    for request in _requests(data, split, chapter_summaries, data_set):
        yield from stream_data(request, on_problem, locality)


def check_split(
    data: Iterable[str],
    split: str,
    locality: str,
    *,
    chapter_summaries: bool = False,
    data_set: str = AUTO,
) -> None:
    """Check that the first records of each source have texts and summaries; see
    ``datasets.named.check_data``.
    """
    for request in _requests(data, split, chapter_summaries, data_set):
        check_data(request, locality, summaries=True)


def holds_out(data: Iterable[str], validation: str | None) -> bool:
    """Whether validation documents are taken from the training data, because it consists of files
    without splits.
    """
    return validation is None and all(Path(item).is_file() for item in data)


def _requests(
    data: Iterable[str], split: str, chapter_summaries: bool, data_set: str
) -> Iterator[DataRequest]:
    # a folder may hold files such as arxiv.train.0.json; of what is none, there are none
    for item in data:
        paths = sorted(
            str(one)
            for one in Path(item).glob("*.*.json*")
            if one.name.split(".")[1] in SPLIT_NAMES[split]
        )
        named = data_set != AUTO and Path(item).exists()
        for path in paths or [item]:
            name, folder = (data_set, Path(path)) if named else (path, None)
            yield DataRequest(name, folder, split=split, chapter_summaries=chapter_summaries)


class Examples:
    """Prepared examples in a folder, read from disk as needed."""

    def __init__(self, folder: Path, numbers: np.ndarray | None = None) -> None:
        self.folder = folder
        self.check = Check(**json.loads((folder / "check.json").read_text(encoding="utf-8")))
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        self._ids: list[str] = index["ids"]
        self._names: list[str] = index["arrays"]  # of the sequences after an example's pages
        arrays = np.load(folder / "index.npz")
        self._starts = arrays["starts"]  # of each sequence, and the end
        self._first = arrays["first"]  # each example's first sequence, and the end
        self._numbers = np.arange(len(self._ids)) if numbers is None else numbers
        # (examples,): equal where documents are equal
        self.digests = arrays["digests"][self._numbers]
        self.sizes = arrays["sizes"][self._numbers]  # (examples,): tokens of each
        self._values = np.memmap(folder / "values.bin", dtype=np.int32, mode="r")

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, position: int) -> Example:
        number = self._numbers[position]
        sequences = range(self._first[number], self._first[number + 1])
        values = [np.array(self._values[self._starts[s] : self._starts[s + 1]]) for s in sequences]
        pages = len(values) - len(self._names)
        arrays = dict(zip(self._names, values[pages:], strict=True))
        return Example(values[:pages], arrays, id=self._ids[number])


def cache_root() -> Path:
    """Folder of prepared data: ``train`` in the user's folder of caches."""
    return folder_for("cache") / "train"


def prepared(
    data: Sequence[str],
    split: str,
    plan: Plan,
    *,
    root: Path,
    workers: int = 1,
    on_progress: OnProgress = lambda done: None,
    on_damage: Callable[[str], None] = lambda message: None,
) -> Examples:
    """A split as examples, from the cache where possible.

    The cache knows data by path, and by its files' names, sizes and times. What is damaged in it is
    prepared again, and ``on_damage`` is called with a line about it.
    """
    values = {**asdict(plan), "task": plan.task.name}
    state = [FORMAT, values, list(data), split, [_files(Path(item)) for item in data]]
    folder = root / hashlib.sha256(json.dumps(state).encode()).hexdigest()[:24]
    if folder.is_dir() and (name := damage(folder)):
        on_damage(f"{folder / name}: missing or damaged, {split} is prepared again")
        shutil.rmtree(folder, ignore_errors=True)
    if not folder.is_dir():
        aside = folder.with_name(f"{folder.name}.{os.getpid()}")
        aside.mkdir(parents=True, exist_ok=True)
        try:
            with naming(folder):
                _write(aside, data, split, plan, workers, on_progress)
                seal(aside)
            aside.rename(folder)
        except OSError:
            if not folder.is_dir():  # another run may have prepared the same data meanwhile
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return Examples(folder)


def held_out(examples: Examples) -> tuple[Examples, Examples]:
    """Examples for training, and one in twenty, at least one and at most 500, for validation."""
    if len(examples) < 2:
        message = (
            "one document with a summary, expected at least two: one of them is for validation"
        )
        raise PagesumError(message, "use more documents, or --validation FILE")
    number = min(MAX_HELD_OUT, max(1, len(examples) // 20))
    validation = np.arange(number) * len(examples) // number
    others = np.setdiff1d(np.arange(len(examples)), validation)
    return Examples(examples.folder, others), Examples(examples.folder, validation)


def _files(path: Path) -> list[Any]:
    inside = sorted(Path(top) / name for top, _, names in os.walk(path) for name in names)
    paths = [path] if path.is_file() else inside
    states = [item.stat() for item in paths]
    return [
        [str(item), state.st_size, state.st_mtime_ns]
        for item, state in zip(paths, states, strict=True)
    ]


def _write(
    folder: Path, data: Sequence[str], split: str, plan: Plan, workers: int, on_progress: OnProgress
) -> None:
    check = Check()
    hashed = hashlib.sha256()
    ids: list[str] = []
    starts, first, digests, sizes = [0], [0], [], []
    names = plan.task.arrays
    records = read_split(
        data,
        split,
        plan.paging.locality,
        check.problem,
        chapter_summaries=plan.chapter_summaries,
        data_set=plan.data_set,
    )
    with (
        open(folder / "values.bin", "wb") as values,
        closing(_prepare_all(records, plan, workers)) as done,
    ):
        for item in done:
            check.add(item.check)
            on_progress(check.records)
            hashed.update(json.dumps([item.id, item.digest.hex(), item.summary]).encode())
            if item.example is None:
                continue
            sequences = [*item.example.pages, *(item.example.arrays[name] for name in names)]
            for sequence in sequences:
                values.write(sequence.tobytes())
                starts.append(starts[-1] + len(sequence))
            first.append(len(starts) - 1)
            sizes.append(sum(map(len, item.example.pages)) + len(item.example.arrays["target"]))
            ids.append(item.id)
            digests.append(int.from_bytes(item.digest[:8], "big", signed=True))
    if not ids:
        first_problem = "".join(
            f"; {as_reason(message)}" for message in check.named.get("unreadable", [])[:1]
        )
        message = (
            f"{', '.join(data)}: no document of {split} has a summary, "
            f"records: {check.records}{first_problem}"
        )
        raise PagesumError(
            message,
            'a record looks like {"id": "1", "text": "…", "summary": "…"}; see docs/train.md',
        )
    check.repeated = len(digests) - len(set(digests))
    check.fingerprint = hashed.hexdigest()
    np.savez(folder / "index.npz", starts=starts, first=first, digests=digests, sizes=sizes)
    (folder / "index.json").write_text(json.dumps({"ids": ids, "arrays": names}), encoding="utf-8")
    (folder / "check.json").write_text(json.dumps(asdict(check)), encoding="utf-8")


@dataclass(frozen=True)
class _Prepared:
    id: str
    digest: bytes
    summary: str
    check: Check
    example: Example | None = None


def _prepare_all(records: Iterable[Record], plan: Plan, workers: int) -> Generator[_Prepared]:
    """Prepare records in order, by several processes where there are many."""
    stream = iter(records)
    start = list(islice(stream, MIN_RECORDS_FOR_WORKERS))
    whole = chain(start, stream)
    if workers == 1 or len(start) < MIN_RECORDS_FOR_WORKERS:
        yield from map(partial(_prepare_one, plan), whole)
        return
    # Forking a process that holds torch's threads can hang.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[list[_Prepared]]] = deque()
        for chunk in iter(lambda: list(islice(whole, CHUNK)), []):
            waiting.append(pool.submit(_prepare, plan, chunk))
            if len(waiting) > 4 * workers:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _prepare(plan: Plan, records: Iterable[Record]) -> list[_Prepared]:
    return [_prepare_one(plan, record) for record in records]


def _prepare_one(plan: Plan, record: Record) -> _Prepared:
    text = [word for document in record.documents for word in words(document)]
    digest = hashlib.sha256(" ".join(text).encode()).digest()
    summary = record.summary if record.summary.strip() else ""
    if record.extra.get("source") in plan.exclude_sources:
        return _Prepared(record.id, digest, summary, Check(records=1, excluded=1))
    check = Check(records=1, words=len(text))
    if not summary:
        check.add(Check(without_summary=1, named={"without_summary": [record.id]}))
        return _Prepared(record.id, digest, summary, check)
    if plan.rank_paragraphs:
        record = ranked(record)
    tokenizer = _tokenizer(plan.tokenizer, plan.first_control_token)
    encoded = plan.task.encode(record, tokenizer, plan)
    pages, cut = encoded.example.pages, encoded.cut
    check.add(
        Check(
            used=1,
            pages=len(pages),
            page_tokens=sum(map(len, pages)),
            max_pages=len(pages),
            truncated_words=sum(page.truncated_words for page in cut.pages),
            truncated_pages=sum(page.truncated_words > 0 for page in cut.pages),
            dropped_words=cut.dropped_words,
            dropped_records=int(cut.dropped_words > 0),
            target_tokens=len(encoded.example.arrays["target"]) + encoded.lost_tokens,
            cut_targets=int(encoded.lost_tokens > 0),
            cut_target_tokens=encoded.lost_tokens,
        )
    )
    return _Prepared(record.id, digest, summary, check, encoded.example)


@cache
def _tokenizer(text: str, first_control_token: int | None) -> PageTokenizer:
    from tokenizers import Tokenizer

    return PageTokenizer(Tokenizer.from_str(text), first_control_token)
