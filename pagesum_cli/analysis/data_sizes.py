"""Documents and tokens of a data set's splits (the paper's Table 10)."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ..datasets.named import DATA_SETS, SAMPLE, DataRequest, stream_data
from ..datasets.readers import SPLIT_NAMES, NoSplit
from ..datasets.record import Record
from ..errors import PagesumError, UsageError
from ..models.catalog import BUNDLED, checkpoint_folder
from ..tokenization import PageTokenizer

SPLITS = ("train", "validation", "test")
BART = BUNDLED / "bart"
"""The tokenizer of BART, if the package has it."""

PUBLISHED = Path(__file__).parents[1] / "evaluation" / "published.toml"


@dataclass(frozen=True)
class SplitSize:
    """Figures of a split.

    Attributes:
        split: Its name; ``all`` for data without splits.
        documents: Number of records; a cluster is one.
        summaries: Number of records with a summary.
        document_tokens: Mean number of tokens of a record's documents together, special tokens not counted.
        summary_tokens: Mean number of tokens of a summary.
    """

    split: str
    documents: int
    summaries: int
    document_tokens: float
    summary_tokens: float


@dataclass(frozen=True)
class DataSizes:
    """Figures of a data set.

    Attributes:
        data: Its name or path.
        tokenizer: The name of the tokenizer.
        splits: Those that there are.
        published: The paper's figures: numbers of documents by split, and mean ``document`` and ``summary`` tokens of
            the validation split; empty for other data.
    """

    data: str
    tokenizer: str
    splits: tuple[SplitSize, ...]
    published: dict[str, Any]


def counting_tokenizer(model: str | None) -> tuple[str, PageTokenizer]:
    """A tokenizer and its name.

    Args:
        model: A checkpoint by name or folder, whose tokenizer is taken; None for BART's.

    Raises:
        UsageError: None is given, and the package has no tokenizer of BART.
        PagesumError: There is no such checkpoint.
    """
    if model is None and not BART.is_dir():
        raise UsageError(
            "no tokenizer to count with: the package has none of BART",
            "name a BART with --model FOLDER or --model facebook/bart-large",
        )
    return model or "BART", PageTokenizer.load(BART if model is None else checkpoint_folder(model, weights=False))


def data_sizes(
    request: DataRequest,
    tokenizer: PageTokenizer,
    name: str,
    on_problem: Callable[[str], None] = lambda message: None,
) -> DataSizes:
    """Count the records of each split, and their tokens; one record is in memory at a time.

    Args:
        request: The data set, and the maximum number of records of each split. Its own split does not matter.
        tokenizer: Splits texts into tokens. White space between words counts as one space.
        name: Its name.
        on_problem: Called with one line for each record that cannot be used.

    Raises:
        UsageError: There is no data set of that name.
        PagesumError: It cannot be read, or has no record.
    """
    data = request.data or ""
    found = []
    missing: NoSplit | None = None
    for split in ("all",) if data == SAMPLE or Path(data).is_file() else SPLITS:
        asked = replace(request, split=split if split in SPLIT_NAMES else "test")
        locality = DATA_SETS[data].locality if data in DATA_SETS else "auto"
        try:
            records = islice(stream_data(asked, on_problem, locality), request.limit)
            found.append(_size(split, records, tokenizer))
        except NoSplit as error:
            missing = error
    if missing and not found:
        raise missing
    if not any(one.documents for one in found):
        raise PagesumError(f"{data}: no record that can be used", "see docs/eval.md for the formats")
    return DataSizes(data, name, tuple(found), published_sizes(data))


def _size(split: str, records: Iterator[Record], tokenizer: PageTokenizer) -> SplitSize:
    documents = summaries = document_tokens = summary_tokens = 0
    for record in records:
        summary, *own = tokenizer.count([" ".join(text.split()) for text in (record.summary, *record.texts)])
        documents += 1
        document_tokens += sum(own)
        if record.summary.strip():
            summaries += 1
            summary_tokens += summary
    means = document_tokens / max(documents, 1), summary_tokens / max(summaries, 1)
    return SplitSize(split, documents, summaries, *means)


def published_sizes(data: str, path: Path = PUBLISHED) -> dict[str, Any]:
    """The paper's figures of a data set; empty for others.

    Args:
        data: A name of ``DATA_SETS``; arXiv with sections is arXiv.
        path: The published figures.
    """
    if data not in DATA_SETS or not path.is_file():
        return {}
    name = data.removesuffix("-discourse")
    for one in tomllib.loads(path.read_text(encoding="utf-8")).get("statistics", ()):
        if one["dataset"] == name and one.get("paper", "pagesum") == "pagesum":
            return {key: one[key] for key in (*SPLITS, "document", "summary")}
    return {}
