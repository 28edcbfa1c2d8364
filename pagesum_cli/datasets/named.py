"""Data sets by name, path or id on the Hugging Face hub (read from Parquet there) → records."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import resources
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ..errors import PagesumError, UsageError, require_package
from ..options import MAX_SEED, Options, option, refuse_idle, suggestion
from ..text.tables import table
from .folders import BOOK, Entry, Problem, byte_lines, of_chapter_summaries
from .formats import units_of
from .readers import SPLIT_NAMES, NoSplit, check_path, read_path, records_among
from .record import Record, ranked

# the branch with the Parquet that the hub makes of every public data set
CONVERTED = "refs/convert/parquet"


@dataclass(frozen=True)
class HubSource:
    """A data set on the hub."""

    repository: str  # ``owner/name``
    config: str = ""  # its configuration; empty if it has only one
    document: str = "document"  # the column with the text
    summary: str = "summary"  # the column with the summary
    lines_are_sentences: bool = False  # whether each line of the text is a sentence
    # whether the text may hold several documents with separators between them
    has_clusters: bool = False
    keeps_names: bool = False  # whether the columns' own names are those of a known form of records


def read_hub(source: HubSource, split: str) -> Iterator[dict[str, Any]]:
    """Read the rows of a split as ``{"id", "document", "summary"}``, in order.

    The files are kept in the hub's cache (``HF_HOME``) and are downloaded once. The main branch is
    used if it holds Parquet, otherwise the hub's own conversion. No code of the data set is run.
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
        missing = [
            column
            for column in (source.document, source.summary)
            if column not in table.schema_arrow.names
        ]
        if missing:
            message = (
                f"{source.repository}: no column {missing[0]!r}; it "
                f"has {', '.join(table.schema_arrow.names)}"
            )
            raise PagesumError(message, "name them with --document-column and --summary-column")
        names = [column for column in ("id", "article_id") if column in table.schema_arrow.names][
            :1
        ]
        for batch in table.iter_batches(
            batch_size=64, columns=[source.document, source.summary, *names]
        ):
            for row in batch.to_pylist():
                number += 1
                identity = str(row[names[0]]) if names else str(number)
                yield {
                    "id": identity,
                    "document": row[source.document],
                    "summary": row[source.summary],
                }


def _files(source: HubSource, split: str) -> list[Path]:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    reached = False
    config = f"*{source.config}" if source.config else ""
    patterns = [f"{config}*{name}*.parquet" for name in SPLIT_NAMES[split]]
    for revision in ("main", CONVERTED):
        try:
            folder = snapshot_download(
                source.repository, repo_type="dataset", revision=revision, allow_patterns=patterns
            )
            if files := sorted(_matching(Path(folder), source, split)):
                _refuse_part(files, source, split)
                return files
            reached = True
        except RepositoryNotFoundError as error:
            raise PagesumError(
                f"{source.repository}: no such data set on the hub", "check the name"
            ) from error
        except LocalEntryNotFoundError:
            pass
        except HfHubHTTPError:  # no such branch
            reached = True
    if not reached:
        message = f"{source.repository} is not on this machine, and the hub cannot be reached"
        raise PagesumError(message, "connect to the network once, or use files: see docs/eval.md")
    message = f"{source.repository}: no Parquet files of the {split} split on the hub"
    raise NoSplit(message, "check --split and --data-config")


def _refuse_part(files: Sequence[Path], source: HubSource, split: str) -> None:
    """Refuse the beginning of a large training split (5 GB), which is all that the hub converts,
    for the split.
    """
    if split == "train" and any("partial-" in part for file in files for part in file.parts[-2:]):
        message = (
            f"{source.repository}: the hub has only the beginning of the {split} split as "
            f"Parquet (partial-{split})"
        )
        raise PagesumError(message, "use its files: see docs/eval.md")


def _matching(folder: Path, source: HubSource, split: str) -> Iterator[Path]:
    """Files such as ``arxiv/test/0000.parquet`` and ``data/test-00000-of-00002.parquet``, never
    ``contest.parquet``.
    """
    names = "|".join(SPLIT_NAMES[split])
    form = re.compile(rf"(?:^|/)(?:partial-)?(?:{names})(?:/[^/]+|[-.][^/]*)?\.?parquet$")
    for file in folder.rglob("*.parquet"):
        relative = file.relative_to(folder).as_posix()
        if form.search(relative) and (
            not source.config or source.config in relative.split("/")[:-1]
        ):
            yield file


SAMPLE = "sample"
AUTO = "auto"  # a data set that is not named: its locality tells what its lists hold


@dataclass(frozen=True)
class DataSet:
    """A data set that is known by name."""

    locality: str  # the paper's choice for it
    hub: HubSource | None  # its place on the hub; None if the copy there lacks what is needed
    local: str  # what a folder for ``--data-dir`` must hold
    # which of the data sets of a release, see ``readers.PARTS``; empty if there is one
    part: str = ""


def _known() -> dict[str, DataSet]:
    """The data sets of ``named.toml``; a table with ``names`` stands for several, whose name is put
    in for ``{}``.
    """
    found: dict[str, DataSet] = {}
    for name, entry in table(__file__, "named.toml").items():
        for part in entry.get("names", [""]):
            hub = {key: _filled(value, part) for key, value in entry.get("hub", {}).items()}
            values = [_filled(entry.get(key, ""), part) for key in ("local", "part")]
            found[name.replace("{}", part)] = DataSet(
                entry["locality"], HubSource(**hub) if hub else None, *values
            )
    return found


def _filled(value: Any, name: str) -> Any:
    return value.replace("{}", name) if isinstance(value, str) else value


DATA_SETS = _known()


@dataclass(frozen=True)
class DataOptions(Options, panel="Data"):
    """Which data set."""

    data: str | None = option(
        None,
        f"{', '.join(DATA_SETS)}, {SAMPLE} (in the package); a file or folder; owner/name on the "
        f"Hugging Face hub.",
        metavar="NAME|PATH",
        brief="A data set by name, or a file or folder.",
    )
    data_dir: Path | None = option(
        None,
        "Folder that holds the named data set. Default: the hub's cache.",
        metavar="DIR",
        requires="data",
    )
    split: str = option(
        "test", "Split of the data set.", choices=tuple(SPLIT_NAMES), requires="data"
    )
    data_config: str = option(
        "", "Configuration of a data set on the hub.", metavar="NAME", requires="data"
    )
    document_column: str = option(
        "document",
        "Column with the text, for a data set on the hub.",
        metavar="NAME",
        requires="data",
    )
    summary_column: str = option(
        "summary",
        "Column with the summary, for a data set on the hub.",
        metavar="NAME",
        requires="data",
    )
    rank_paragraphs: bool = option(
        False,
        "Order the paragraphs of each record by their ROUGE-2 recall of the reference summary, "
        "an oracle, as in "
        "published experiments on WikiCatSum.",
        requires="data",
    )
    chapter_summaries: bool = option(
        False,
        "Read the reference summaries of a book's chapters instead of its text, as models of "
        "whole books are trained.",
        requires="data",
    )

    def refuse_idle(self, given: Mapping[str, str]) -> None:
        """Refuse flags that do nothing for the data set."""
        is_named, data = self.data in DATA_SETS, self.data or ""
        idle = set() if is_named else {"data_dir"}
        hub = {"data_config", "document_column", "summary_column"}
        if is_named or data == SAMPLE or Path(data).exists():
            idle |= hub
        hints = dict.fromkeys(hub, "it is for --data owner/name, a data set on the hub")
        hints["data_dir"] = f"it is for {', '.join(DATA_SETS)}"
        refuse_idle(given, idle, f"for --data {data}", hints)


@dataclass(frozen=True)
class DataRequest(DataOptions):
    """Which documents of which data set."""

    limit: int | None = option(None, "Maximum number of documents.", min=1, requires="data")
    shuffle_seed: int | None = option(
        None, "Shuffle with this seed before --limit.", min=0, max=MAX_SEED, requires="data"
    )


def check_data(request: DataRequest, locality: str = "auto", *, summaries: bool) -> None:
    """Check that the first records of a data set have the expected fields; see
    :func:`~.readers.check_path`.
    """
    data, path = request.data or "", None
    if data in DATA_SETS:
        path, locality = request.data_dir, DATA_SETS[data].locality
    elif data != SAMPLE and Path(data).exists():
        path = Path(data)
    if path is not None:
        check_path(
            path, request.split, units_of(locality), summaries=summaries, part=_part(request)
        )
    else:
        # the hub's columns are checked first
        next(stream_data(request, lambda problem: None, locality), None)


def read_data(request: DataRequest, on_problem: Problem, locality: str = "auto") -> list[Record]:
    """Read the requested records, in order; at least one.

    ``on_problem`` is called with one line for each record that cannot be used; ``locality`` decides
    what an ``article`` list of an unnamed folder holds. Raises UsageError for an unknown name,
    PagesumError for data that cannot be used.
    """
    records = _unique(stream_data(request, on_problem, locality), on_problem)
    if request.shuffle_seed is not None:
        shuffled = list(records)
        random.Random(request.shuffle_seed).shuffle(shuffled)
        records = iter(shuffled)
    chosen = list(islice(records, request.limit))
    if not chosen:
        message = f"{request.data}: no record that can be used"
        raise PagesumError(message, "see the lines above, and docs/eval.md for the formats")
    return chosen


def read_record(
    request: DataOptions, identity: str, on_problem: Problem, locality: str = "auto"
) -> Record:
    """Read the record with an id; see :func:`read_data`."""
    ids: list[str] = []
    for record in stream_data(request, on_problem, locality):
        if record.id == identity:
            return record
        ids.append(record.id)
    if not ids:
        raise PagesumError(
            f"{request.data}: no record that can be used", "see docs/eval.md for the formats"
        )
    near = get_close_matches(identity, ids, n=3)
    named = f"similar ids: {', '.join(near)}" if near else f"the first ids are {', '.join(ids[:3])}"
    raise PagesumError(
        f"{request.data}: none of {len(ids):,} records has the id {identity!r}", named
    )


def stream_data(
    request: DataOptions, on_problem: Problem, locality: str = "auto"
) -> Iterator[Record]:
    """Read all records of a split one after another, whatever their ids; see :func:`read_data`."""
    records = _stream(request, on_problem, locality)
    if request.chapter_summaries:
        records = _of_chapter_summaries(records, on_problem)
    return map(ranked, records) if request.rank_paragraphs else records


def _stream(request: DataOptions, on_problem: Problem, locality: str) -> Iterator[Record]:
    data, split = request.data or "", request.split
    if data == SAMPLE:
        return read_path(sample_path(), split, "sentences", on_problem)
    if data in DATA_SETS:
        return _named(data, request, on_problem)
    if Path(data).exists():
        return read_path(Path(data), split, units_of(locality), on_problem, _part(request))
    if data.count("/") == 1 and not data.startswith((".", "/", "~")) and not Path(data).suffix:
        source = HubSource(
            data,
            request.data_config,
            request.document_column,
            request.summary_column,
            has_clusters=True,
        )
        return _from_hub(source, split, on_problem)
    if "/" in data or Path(data).suffix:
        raise PagesumError(f"{data}: no such file or folder", "check the path")
    names = [SAMPLE, *DATA_SETS]
    hint = suggestion(data, names, "or use the path of a file or folder")
    raise UsageError(f"no data set {data!r}; known are {', '.join(names)}", hint)


def _part(request: DataOptions) -> str:
    if request.data in DATA_SETS:
        return DATA_SETS[request.data].part
    return BOOK if request.chapter_summaries else ""


def _of_chapter_summaries(records: Iterator[Record], on_problem: Problem) -> Iterator[Record]:
    for record in records:
        try:
            yield of_chapter_summaries(record)
        except PagesumError as error:
            on_problem(f"{record.id}: {error.message}, left out")


def _unique(records: Iterator[Record], on_problem: Problem) -> Iterator[Record]:
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            on_problem(f"{record.id}: a second record with this id, left out")
        else:
            seen.add(record.id)
            yield record


def _named(data: str, request: DataOptions, on_problem: Problem) -> Iterator[Record]:
    known = DATA_SETS[data]
    if request.data_dir is not None:
        return read_path(
            request.data_dir, request.split, units_of(known.locality), on_problem, known.part
        )
    advice = f"put {known.local} into a folder and pass it with --data-dir"
    if known.hub is None:
        raise PagesumError(
            f"{data} is not read from the hub, whose copies lack a part of it", advice
        )
    try:
        return _from_hub(known.hub, request.split, on_problem)
    except NoSplit:
        raise
    except PagesumError as error:
        hint = f"{error.hint}; or " if error.hint else ""
        raise PagesumError(f"{data}: {error.message}", f"{hint}{advice}") from error


def _from_hub(source: HubSource, split: str, on_problem: Problem) -> Iterator[Record]:
    rows, name = read_hub(source, split), source.repository
    # so that what is missing is reported here, where the hint is known
    first = list(islice(rows, 1))
    values = enumerate((_value(row, source) for row in chain(first, rows)), start=1)
    entries = (Entry(value, str(number), f"{name}, row {number}", name) for number, value in values)
    return records_among(entries, "sentences", on_problem)


def _value(row: dict[str, Any], source: HubSource) -> dict[str, Any]:
    text, summary = row["document"], row["summary"]
    if source.keeps_names:
        return {"id": row["id"], source.document: text, source.summary: summary}
    if source.lines_are_sentences and isinstance(text, str):
        lines = (
            [line for line in summary.split("\n") if line.strip()]
            if isinstance(summary, str)
            else summary
        )
        return {"id": row["id"], "article": text.split("\n"), "abstract": lines}
    if isinstance(text, list):
        return {"id": row["id"], "text": text, "summary": summary}
    # "document" is split at separators, which only clusters have; "report" is text as it is.
    return {
        "id": row["id"],
        "document" if source.has_clusters else "report": text,
        "summary": summary,
    }


def sample_path() -> Path:
    """The data set in the package."""
    return Path(str(resources.files("pagesum_cli") / "assets" / "sample" / "sample.jsonl"))


def read_texts(predictions: Path, references: Path) -> list[tuple[str, str]]:
    """Read predictions and references, one a line, as pairs."""
    first, second = _text_lines(predictions), _text_lines(references)
    if len(first) != len(second):
        message = (
            f"{predictions} has {len(first)} lines, {references} has {len(second)}; "
            f"expected equal numbers"
        )
        raise PagesumError(message, "write one prediction and one reference per line")
    if not first:
        raise PagesumError(f"{predictions}: no lines", "one prediction per line is expected")
    return list(zip(first, second, strict=True))


def _text_lines(path: Path) -> list[str]:
    try:
        return [line.decode("utf-8-sig").strip() for line in byte_lines(path)]
    except UnicodeDecodeError as error:
        hint = "convert the file, for example with iconv -f latin1 -t utf-8"
        raise PagesumError(f"{path}: expected UTF-8, found something else", hint) from error
