"""Records → token ids, once: checked, tokenized by several processes, kept in a cache on disk. Known without torch."""

import hashlib
import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from ..documents.document import words
from ..documents.records import Record
from ..errors import PagesumError
from ..evaluation.data import DataRequest, read_data
from ..evaluation.readers import read_path
from ..locality import cut
from ..tokenization import PageTokenizer, page_ids
from .extracts import pieces_of, salience_of

FORMAT = 6
"""Of the cache; another number makes old ones be written anew."""

RECORDS_AT_ONCE = 16
WORTH_WORKERS = 200
"""Records below which starting other processes takes longer than the work."""

WORTH = 1000
"""What the worth of a sentence is counted in, to be a whole number."""

TEXT_SAMPLE = 10_000
NAMED = 5
"""Ids that are told of each kind of problem."""

OnProgress = Callable[[int], None]


@dataclass(frozen=True)
class Plan:
    """How records become token ids.

    Attributes:
        tokenizer: as JSON.
        locality, num_pages, max_pages, page_tokens: see ``locality.cut``.
        target_tokens: of a summary at most, special tokens included.
        first_mark: see ``PageTokenizer``.
        sentence_ends: tokens that close a sentence; None where sentences are not to be judged.
    """

    tokenizer: str
    locality: str
    num_pages: int | None
    max_pages: int | None
    page_tokens: int
    target_tokens: int
    first_mark: int | None = None
    sentence_ends: tuple[int, ...] | None = None


@dataclass
class Check:
    """What was found in the data.

    Attributes:
        records: that could be read.
        used: of these, those with a summary.
        problems, unreadable: one line for each record that could not be read, the first ones, and how many.
        without_summary, not_text: ids of such records, the first ones, and how many.
        pages, page_tokens: how many in all.
        most_pages: of one record.
        words: in all.
        truncated_words: that stand on no page because theirs is full.
        truncated_pages: pages that lose words.
        dropped_words: that stand on no page because theirs is one too many.
        dropped_records: records that lose pages.
        target_tokens: in all, cut ones included.
        cut_targets: summaries that are too long.
        cut_target_tokens: that they lose.
        repeated: documents that were there before, in the same data.
        fingerprint: of ids, documents and summaries.
    """

    records: int = 0
    used: int = 0
    problems: list[str] = field(default_factory=list)
    unreadable: int = 0
    without_summary: list[str] = field(default_factory=list)
    without_summaries: int = 0
    not_text: list[str] = field(default_factory=list)
    not_texts: int = 0
    pages: int = 0
    page_tokens: int = 0
    most_pages: int = 0
    words: int = 0
    truncated_words: int = 0
    truncated_pages: int = 0
    dropped_words: int = 0
    dropped_records: int = 0
    target_tokens: int = 0
    cut_targets: int = 0
    cut_target_tokens: int = 0
    repeated: int = 0
    fingerprint: str = ""


@dataclass(frozen=True)
class Example:
    """One record as the model sees it.

    Attributes:
        id: the record's.
        pages, target: token ids of its pages and of its summary, special tokens included.
        salience: of each sentence, where sentences are to be judged: page, place of its mark, whether the summary
            says it, its worth of ``WORTH`` at most ``(sentences, 4)``.
    """

    id: str
    pages: list[np.ndarray]
    target: np.ndarray
    salience: np.ndarray | None = None


class Examples:
    """Prepared records in a folder; reads from disk what is asked for.

    Attributes:
        check: what was found in the data.
        digests: a number for each document, equal where documents are equal ``(examples,)``.
        sizes: tokens of each example, ``(examples,)``.
    """

    def __init__(self, folder: Path) -> None:
        self.check = Check(**json.loads((folder / "check.json").read_text(encoding="utf-8")))
        self.ids: list[str] = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
        arrays = np.load(folder / "index.npz")
        self._starts = arrays["starts"]  # where each sequence starts in the tokens, and the end
        self._first = arrays["first"]  # each example's first sequence, and the end; behind the pages comes the target
        self.digests = arrays["digests"]
        self.sizes = arrays["sizes"]
        self._is_judged = bool(arrays["judged"])  # then the last sequence is the salience, flat
        self._tokens = np.memmap(folder / "tokens.bin", dtype=np.int32, mode="r")

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> Example:
        sequences = range(self._first[number], self._first[number + 1])
        found = [np.array(self._tokens[self._starts[s] : self._starts[s + 1]]) for s in sequences]
        salience = found.pop().reshape(-1, 4) if self._is_judged else None
        *pages, target = found
        return Example(self.ids[number], pages, target, salience)


class Part:
    """Some of the examples."""

    def __init__(self, examples: Examples, numbers: np.ndarray) -> None:
        self.examples = examples
        self.numbers = numbers
        self.sizes = examples.sizes[numbers]
        self.digests = examples.digests[numbers]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, number: int) -> Example:
        return self.examples[self.numbers[number]]


def read_split(data: str, split: str, locality: str, on_problem: Callable[[str], None]) -> Iterator[Record]:
    """The records of a split: of a file or folder, of a data set by name, or of one on the Hugging Face hub.

    Raises:
        PagesumError: there is no such data, or no such split.
    """
    if Path(data).exists():
        units = {"discourse": "sections", "document": "documents"}.get(locality, "sentences")
        yield from read_path(Path(data), split, units, on_problem)
    else:
        yield from read_data(DataRequest(data, split=split, locality=locality), on_problem)


def cache_root() -> Path:
    """Where prepared data is kept: ``$XDG_CACHE_HOME/pagesum/train``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pagesum" / "train"


def prepared(
    data: str,
    split: str,
    plan: Plan,
    *,
    root: Path,
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Examples:
    """A split as token ids, from the cache where it is there.

    The cache knows data by path, and by its files' names, sizes and times.

    Args:
        data, split: see :func:`read_split`.
        plan: how records become token ids.
        root: the cache's folder.
        workers: processes.
        on_progress: is called with the number of records that are done.

    Raises:
        PagesumError: the data cannot be read, or no record has a summary.
    """
    state = [FORMAT, asdict(plan), data, split, _files(Path(data))]
    folder = root / hashlib.sha256(json.dumps(state).encode()).hexdigest()[:24]
    if not folder.is_dir():
        aside = folder.with_name(f"{folder.name}.{os.getpid()}")
        aside.mkdir(parents=True)
        try:
            _write(aside, data, split, plan, workers, on_progress or (lambda done: None))
            aside.rename(folder)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise
    return Examples(folder)


def held_out(examples: Examples) -> tuple[Part, Part]:
    """Examples for training, and one in twenty, at least one and at most 500, for validation.

    Raises:
        PagesumError: there is only one.
    """
    if len(examples) < 2:
        raise PagesumError(
            "one document with a summary, expected at least two: one of them is for validation",
            "give more documents, or --validation FILE",
        )
    wanted = min(500, max(1, len(examples) // 20))
    validation = np.arange(wanted) * len(examples) // wanted
    return Part(examples, np.setdiff1d(np.arange(len(examples)), validation)), Part(examples, validation)


def _files(path: Path) -> list[Any]:
    """Names, sizes and times of a file, or of a folder's files."""
    inside = sorted(Path(top) / name for top, _, names in os.walk(path) for name in names)
    paths = [path] if path.is_file() else inside
    states = [one.stat() for one in paths]
    return [[str(one), state.st_size, state.st_mtime_ns] for one, state in zip(paths, states, strict=True)]


def _write(folder: Path, data: str, split: str, plan: Plan, workers: int, on_progress: OnProgress) -> None:
    check = Check()

    def problem(message: str) -> None:
        check.unreadable += 1
        if len(check.problems) < NAMED:
            check.problems.append(message)

    hashed = hashlib.sha256()
    ids: list[str] = []
    starts, first, digests, sizes = [0], [0], [], []
    records = read_split(data, split, plan.locality, problem)
    with open(folder / "tokens.bin", "wb") as tokens, closing(_encoded(records, plan, workers)) as encoded:
        for one in encoded:
            _count(check, one)
            on_progress(check.records)
            hashed.update(json.dumps([one.id, one.digest.hex(), one.summary]).encode())
            if one.sequences is None:
                continue
            for sequence in (*one.sequences, *one.salience):
                tokens.write(sequence.tobytes())
                starts.append(starts[-1] + len(sequence))
            first.append(len(starts) - 1)
            sizes.append(sum(map(len, one.sequences)))
            ids.append(one.id)
            digests.append(int.from_bytes(one.digest[:8], "big", signed=True))
    if not ids:
        told = f"; {check.problems[0]}" if check.problems else ""
        raise PagesumError(
            f"{data}: no document with a summary for {split}, among {check.records} records{told}",
            'a record looks like {"id": "1", "text": "…", "summary": "…"}; see docs/train.md',
        )
    check.repeated = len(digests) - len(set(digests))
    check.fingerprint = hashed.hexdigest()
    np.savez(
        folder / "index.npz",
        starts=np.array(starts),
        first=np.array(first),
        digests=np.array(digests),
        sizes=np.array(sizes),
        judged=plan.sentence_ends is not None,
    )
    (folder / "ids.json").write_text(json.dumps(ids), encoding="utf-8")
    (folder / "check.json").write_text(json.dumps(asdict(check)), encoding="utf-8")


@dataclass(frozen=True)
class _Encoded:
    """A record's token ids, None without a summary, and what is counted about it.

    ``salience``: where sentences are judged, one flat row; ``truncated``: words, by page.
    """

    id: str
    digest: bytes
    summary: str
    sequences: list[np.ndarray] | None
    is_text: bool
    salience: tuple[np.ndarray, ...] = ()
    words: int = 0
    truncated: tuple[int, ...] = ()
    dropped_words: int = 0
    target_tokens: int = 0


def _count(check: Check, one: _Encoded) -> None:
    check.records += 1
    check.words += one.words
    if not one.is_text:
        check.not_texts += 1
        check.not_text += [one.id] if len(check.not_text) < NAMED else []
    if one.sequences is None:
        check.without_summaries += 1
        check.without_summary += [one.id] if len(check.without_summary) < NAMED else []
        return
    *pages, target = one.sequences
    check.used += 1
    check.pages += len(pages)
    check.page_tokens += sum(map(len, pages))
    check.most_pages = max(check.most_pages, len(pages))
    check.truncated_words += sum(one.truncated)
    check.truncated_pages += sum(words > 0 for words in one.truncated)
    check.dropped_words += one.dropped_words
    check.dropped_records += one.dropped_words > 0
    check.target_tokens += one.target_tokens
    check.cut_targets += one.target_tokens > len(target)
    check.cut_target_tokens += one.target_tokens - len(target)


def _encoded(records: Iterable[Record], plan: Plan, workers: int) -> Iterator[_Encoded]:
    """Records encoded in order, by other processes where it is worth it."""
    stream = iter(records)
    start = list(islice(stream, WORTH_WORKERS))
    if workers == 1 or len(start) < WORTH_WORKERS:
        for chunk in _chunks(chain(start, stream)):
            yield from _encode(plan, chunk)
        return
    # Forking a process that holds torch's threads can hang.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: deque = deque()
        for chunk in _chunks(chain(start, stream)):
            waiting.append(pool.submit(_encode, plan, chunk))
            if len(waiting) > 4 * workers:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _chunks(records: Iterator[Record]) -> Iterator[list[Record]]:
    while chunk := list(islice(records, RECORDS_AT_ONCE)):
        yield chunk


@cache
def _tokenizer(text: str) -> Tokenizer:
    return Tokenizer.from_str(text)


def _encode(plan: Plan, records: Iterable[Record]) -> list[_Encoded]:
    return [_encode_one(plan, record) for record in records]


def _encode_one(plan: Plan, record: Record) -> _Encoded:
    tokenizer = _tokenizer(plan.tokenizer)
    said = [word for document in record.documents for word in words(document)]
    digest = hashlib.sha256(" ".join(said).encode()).digest()
    sample = "".join(said)[:TEXT_SAMPLE]
    is_text = 2 * sum(map(str.isalpha, sample)) >= len(sample)
    if not record.summary.strip():
        return _Encoded(record.id, digest, "", None, is_text, words=len(said))
    page_tokenizer = PageTokenizer(tokenizer, plan.first_mark)
    pages = cut(
        record.documents,
        plan.locality,
        count_tokens=page_tokenizer.count,
        page_tokens=plan.page_tokens,
        special_tokens=page_tokenizer.special_tokens,
        title_tokens=page_tokenizer.title_tokens,
        max_pages=plan.max_pages,
        num_pages=plan.num_pages,
    )
    # As when summarizing.
    ids = page_tokenizer.ids(pages, plan.page_tokens, spaced=plan.num_pages is None)
    (whole,) = page_ids(tokenizer, [record.summary], 1 << 30, spaced=False)
    (target,) = page_ids(tokenizer, [record.summary], plan.target_tokens, spaced=False)
    salience: tuple[np.ndarray, ...] = ()
    if plan.sentence_ends is not None:
        judged = salience_of(pieces_of(record, pages, page_tokenizer, plan.sentence_ends))
        rows = [
            (page, place, int(chosen), round(WORTH * worth))
            for page, place, chosen, worth in judged
            if place < len(ids[page]) - 1  # the page may be truncated
        ]
        salience = (np.array(rows, dtype=np.int32).flatten(),)
    return _Encoded(
        id=record.id,
        digest=digest,
        summary=record.summary,
        sequences=[np.array(row, dtype=np.int32) for row in (*ids, target)],
        salience=salience,
        is_text=is_text,
        words=len(said),
        truncated=tuple(page.truncated_words for page in pages.pages),
        dropped_words=pages.dropped_words,
        target_tokens=len(whole),
    )
