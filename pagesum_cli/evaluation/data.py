"""Data sets by name or path → records."""

import difflib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path

from ..documents.records import Record
from ..errors import PagesumError, UsageError
from .hub import HubSource, read_hub
from .readers import SPLIT_NAMES, Units, byte_lines, read_path, record_of

SAMPLE = "sample"


@dataclass(frozen=True)
class DataSet:
    """A data set that is known by name.

    Attributes:
        locality: that the paper uses on it.
        units: what the entries of its ``article`` lists are in the original program's form.
        hub: where it is on the hub; None where the copy there lacks what is needed.
        local: what to put into a folder for ``--data-dir``.
    """

    locality: str
    units: Units
    hub: HubSource | None
    local: str


_COHAN = "test.txt of Cohan et al.'s {} release (github.com/armancohan/long-summarization)"

DATA_SETS = {
    "arxiv": DataSet(
        "spatial",
        "sentences",
        HubSource("armanc/scientific_papers", "arxiv", "article", "abstract", lines_are_sentences=True),
        _COHAN.format("arXiv"),
    ),
    # The hub's copies of arXiv run all sections together, so that they cannot be cut at them.
    "arxiv-discourse": DataSet("discourse", "sections", None, _COHAN.format("arXiv")),
    "pubmed": DataSet(
        "spatial",
        "sentences",
        HubSource("armanc/scientific_papers", "pubmed", "article", "abstract", lines_are_sentences=True),
        _COHAN.format("PubMed"),
    ),
    "govreport": DataSet(
        "spatial",
        "sentences",
        HubSource("ccdv/govreport-summarization", "", "report", "summary"),
        "crs/, gao/ and split_ids/ of the GovReport release (gov-report-data.github.io)",
    ),
    "multinews": DataSet(
        "document",
        "documents",
        HubSource("alexfabbri/multi_news", "", "document", "summary"),
        "test.src and test.tgt of the Multi-News release (github.com/Alex-Fabbri/Multi-News)",
    ),
}


@dataclass(frozen=True)
class DataRequest:
    """Which documents to score on.

    Attributes:
        data: a name of :data:`DATA_SETS`, ``sample``, a path, or ``owner/name`` on the hub.
        data_dir: a folder that holds the named data set; without one, the hub is asked.
        split: ``test``, ``validation`` or ``train``.
        limit: at most so many records.
        shuffle_seed: mixes the order before the limit; None keeps it.
        locality: how documents will be cut, which tells what an ``article`` list of an unnamed folder holds.
        config: the hub data set's configuration.
        document_column: the hub data set's column with the text.
        summary_column: the hub data set's column with the summary.
    """

    data: str
    data_dir: Path | None = None
    split: str = "test"
    limit: int | None = None
    shuffle_seed: int | None = None
    locality: str = "auto"
    config: str = ""
    document_column: str = "document"
    summary_column: str = "summary"


def read_data(request: DataRequest, on_problem: Callable[[str], None]) -> list[Record]:
    """The records asked for, in order; at least one.

    Ids are unique: a later record with an id that was there before is left out, and told.

    Raises:
        UsageError: no data set of that name, or no such split.
        PagesumError: it cannot be read, or has no record that can be used.
    """
    if request.split not in SPLIT_NAMES:
        raise UsageError(f"no split {request.split!r}", f"there are {', '.join(SPLIT_NAMES)}")
    records = _unique(_source(request, on_problem), on_problem)
    if request.shuffle_seed is None:
        chosen = list(islice(records, request.limit))
    else:
        chosen = list(records)
        random.Random(request.shuffle_seed).shuffle(chosen)
        chosen = chosen[: request.limit]
    if not chosen:
        raise PagesumError(
            f"{request.data}: no record that can be used", "see the lines above, and docs/eval.md for the formats"
        )
    return chosen


def _source(request: DataRequest, on_problem: Callable[[str], None]) -> Iterator[Record]:
    data = request.data
    if data == SAMPLE:
        return read_path(sample_path(), request.split, "sentences", on_problem)
    if data in DATA_SETS:
        known = DATA_SETS[data]
        if request.data_dir is not None:
            return read_path(request.data_dir, request.split, known.units, on_problem)
        if known.hub is None:
            raise PagesumError(
                f"{data}: the copies of it on the hub have lost what {known.locality} locality needs",
                f"put {known.local} into a folder and give it with --data-dir",
            )
        try:
            return _from_hub(known.hub, request.split, known.units, on_problem)
        except PagesumError as error:
            hint = f"{error.hint}; or " if error.hint else ""
            raise PagesumError(
                f"{data}: {error.message}", f"{hint}put {known.local} into a folder and give it with --data-dir"
            ) from error
    if Path(data).exists():
        units: dict[str, Units] = {"discourse": "sections", "document": "documents"}
        return read_path(Path(data), request.split, units.get(request.locality, "sentences"), on_problem)
    if data.count("/") == 1 and not data.startswith((".", "/", "~")) and not Path(data).suffix:
        source = HubSource(data, request.config, request.document_column, request.summary_column)
        return _from_hub(source, request.split, "documents", on_problem)
    names = [SAMPLE, *DATA_SETS]
    near = difflib.get_close_matches(data.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else "or give the path of a file or folder"
    raise UsageError(f"no data set {data!r}; known are {', '.join(names)}", hint)


def _from_hub(source: HubSource, split: str, units: Units, on_problem: Callable[[str], None]) -> Iterator[Record]:
    rows = read_hub(source, split)
    first = next(rows, None)  # so that what is missing is told here, where the hint is known
    return _records_of_rows(first, rows, source, units, on_problem)


def _records_of_rows(
    first: dict | None, rows: Iterator[dict], source: HubSource, units: Units, on_problem: Callable[[str], None]
) -> Iterator[Record]:
    number = 0
    while first is not None:
        number += 1
        text, summary = first["document"], first["summary"]
        if source.lines_are_sentences and isinstance(text, str):
            value = {"article": [line for line in text.split("\n") if line.strip()], "abstract": summary}
        else:
            # "document" is taken apart at separators, which only clusters have; "report" is text as it is.
            value = {"document" if units == "documents" else "report": text, "summary": summary}
        try:
            yield record_of({"id": first["id"], **value}, str(number), units, source.repository)
        except PagesumError as error:
            on_problem(f"{source.repository}, row {number}: {error.message}, left out")
        first = next(rows, None)


def _unique(records: Iterator[Record], on_problem: Callable[[str], None]) -> Iterator[Record]:
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            on_problem(f"{record.id}: a second record with this id, left out")
            continue
        seen.add(record.id)
        yield record


def sample_path() -> Path:
    """The data set in the package."""
    return Path(str(resources.files("pagesum_cli") / "assets" / "sample" / "sample.jsonl"))


def read_texts(predictions: Path, references: Path) -> list[tuple[str, str]]:
    """Predictions and references, one a line, paired.

    Raises:
        PagesumError: a file cannot be read or is no UTF-8, both are empty, or they have different numbers of lines.
    """
    first, second = _text_lines(predictions), _text_lines(references)
    if len(first) != len(second):
        place = min(len(first), len(second)) + 1
        longer, lines = (predictions, first) if len(first) > len(second) else (references, second)
        raise PagesumError(
            f"{predictions} has {len(first)} lines, {references} has {len(second)}; expected as many of each",
            f"the first line without a partner is {longer}:{place}: {_start(lines[place - 1])!r}",
        )
    if not first:
        raise PagesumError(f"{predictions}: no lines", "one prediction a line is expected")
    return list(zip(first, second, strict=True))


def _text_lines(path: Path) -> list[str]:
    texts = []
    for number, line in enumerate(byte_lines(path), start=1):
        try:
            texts.append(line.decode("utf-8-sig" if number == 1 else "utf-8").strip())
        except UnicodeDecodeError as error:
            raise PagesumError(
                f"{path}, line {number}: expected UTF-8, found the byte 0x{line[error.start]:02x}",
                "convert the file, for example with iconv -f latin1 -t utf-8",
            ) from error
    return texts


def _start(text: str, width: int = 60) -> str:
    return text if len(text) <= width else f"{text[:width]}…"
