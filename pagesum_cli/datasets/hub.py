"""Data sets on the Hugging Face hub: downloaded once, read from Parquet."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import PagesumError, require_package
from .readers import SPLIT_NAMES, NoSplit

CONVERTED = "refs/convert/parquet"
"""The branch to which the hub writes every public data set as Parquet, including those that are only scripts."""


@dataclass(frozen=True)
class HubSource:
    """A data set on the hub."""

    repository: str  # ``owner/name``
    config: str = ""  # its configuration; empty if it has only one
    document: str = "document"  # the column with the text
    summary: str = "summary"  # the column with the summary
    lines_are_sentences: bool = False  # whether each line of the text is a sentence
    has_clusters: bool = False  # whether the text may hold several documents with separators between them
    keeps_names: bool = False  # whether the columns' own names are those of a known form of records


def read_hub(source: HubSource, split: str) -> Iterator[dict[str, Any]]:
    """Read the rows of a split as ``{"id", "document", "summary"}``, in order.

    The files are kept in the hub's cache (``HF_HOME``) and are downloaded once. The main branch is used if it holds
    Parquet, otherwise the hub's own conversion. No code of the data set is run.
    """
    require_package("pyarrow", "pyarrow", "data")
    from pyarrow import ArrowInvalid, parquet

    number = 0
    for file in _files(source, split):
        try:
            table = parquet.ParquetFile(file)
        except ArrowInvalid as error:
            message = f"{file}: expected Parquet, found something else"
            raise PagesumError(message, "delete the file and try again") from error
        missing = [column for column in (source.document, source.summary) if column not in table.schema_arrow.names]
        if missing:
            raise PagesumError(
                f"{source.repository}: no column {missing[0]!r}; it has {', '.join(table.schema_arrow.names)}",
                "name them with --document-column and --summary-column",
            )
        names = [column for column in ("id", "article_id") if column in table.schema_arrow.names][:1]
        for batch in table.iter_batches(batch_size=64, columns=[source.document, source.summary, *names]):
            for row in batch.to_pylist():
                number += 1
                identity = str(row[names[0]]) if names else str(number)
                yield {"id": identity, "document": row[source.document], "summary": row[source.summary]}


def _files(source: HubSource, split: str) -> list[Path]:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, RepositoryNotFoundError

    reached = False
    config = f"*{source.config}" if source.config else ""
    patterns = [f"{config}*{name}*.parquet" for name in SPLIT_NAMES[split]]
    for revision in ("main", CONVERTED):
        try:
            folder = snapshot_download(
                source.repository, repo_type="dataset", revision=revision, allow_patterns=patterns
            )
            if files := sorted(_matching(Path(folder), source, split)):
                return files
            reached = True
        except RepositoryNotFoundError as error:
            raise PagesumError(f"{source.repository}: no such data set on the hub", "check the name") from error
        except LocalEntryNotFoundError:
            pass
        except HfHubHTTPError:  # no such branch
            reached = True
    if not reached:
        raise PagesumError(
            f"{source.repository} is not on this machine, and the hub cannot be reached",
            "connect to the network once, or give files: see docs/eval.md",
        )
    message = f"{source.repository}: no Parquet files of the {split} split on the hub"
    raise NoSplit(message, "check --split and --data-config")


def _matching(folder: Path, source: HubSource, split: str) -> Iterator[Path]:
    """Files such as ``arxiv/test/0000.parquet`` and ``data/test-00000-of-00002.parquet``, never ``contest.parquet``."""
    names = "|".join(SPLIT_NAMES[split])
    form = re.compile(rf"(?:^|/)(?:partial-)?(?:{names})(?:/[^/]+|[-.][^/]*)?\.?parquet$")
    for file in folder.rglob("*.parquet"):
        relative = file.relative_to(folder).as_posix()
        if form.search(relative) and (not source.config or source.config in relative.split("/")[:-1]):
            yield file
