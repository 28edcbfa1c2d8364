"""Published scores and sizes of data sets, by paper and data set; ``published.toml`` has them as
printed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ..batch.talk import Talk
from ..datasets.named import DATA_SETS
from ..errors import UsageError
from ..evaluation.options import EvaluationOptions
from ..evaluation.report import PublishedRow
from ..evaluation.results import Result
from ..models.catalog import checkpoint_folder, settings_of
from ..options import PagingOptions
from ..text import tables

PAPER = "pagesum"
TOP_DOWN = "top-down"
# by their name for ``--table``
PAPERS = {"paper": PAPER, "dpp-attention": "dpp-attention", TOP_DOWN: TOP_DOWN}

COHERENCE = "coherence"

# the table of the top-down transformer's variants, whose first row is in Table 1 too
ABLATIONS = "6"
PAGE_SIZES = (128, 256, 512, 1024)  # tokens per page in Table 5

SCORED_OUTPUTS = {"govreport": ("973",)}
"""Numbers of documents that differ from Table 10's: the summaries that the authors published."""


def all_published() -> dict[str, Any]:
    """Everything in ``published.toml``."""
    return tables.table(__file__, "published.toml")


def data_set_of(data: str) -> str:
    """The papers' data set of a named one: arXiv with sections is arXiv, and a domain of WikiCatSum
    is WikiCatSum.
    """
    if data.startswith("wikicatsum-"):
        return "wikicatsum"
    return all_published()["names"].get(data, data.removesuffix("-discourse"))


def published_sizes(table: str, data: str) -> dict[str, Any]:
    """A paper's figures of a named data set, in one of the tables of sizes; empty for others."""
    names = (data, data_set_of(data)) if data in DATA_SETS else ()
    return next((row for row in all_published()[table] if row["dataset"] in names), {})


def published_rows(data: str, number: str, paper: str = PAPER) -> list[PublishedRow]:
    """The rows of a paper's table on a data set; none if there are none."""
    return [
        _row(paper, number, row)
        for one in _tables(data, paper)
        if one["number"] == number
        for row in one["rows"]
    ]


def table_numbers(data: str, paper: str = PAPER, split: str | None = None) -> list[str]:
    """The numbers of a paper's tables on a data set; with ``split``, only of those on this
    split.
    """
    return [
        table["number"]
        for table in _tables(data, paper)
        if split in (None, table.get("split", "test"))
    ]


def check_table(table: str, data: str | None) -> None:
    """Check a value of ``--table``."""
    name, colon, number = table.partition(":")
    if name not in PAPERS or (colon and not number.isdecimal()):
        expected = " or ".join(f"{paper}[:N]" for paper in PAPERS)
        raise UsageError(f"--table {table!r}: expected {expected}", "for example --table paper:5")
    every = sorted(
        {entry["number"] for entry in all_published()["table"] if entry["paper"] == PAPERS[name]}
    )
    numbers = table_numbers(data or "", PAPERS[name]) or every
    if number and number not in numbers:
        where = f" on {data}" if numbers is not every else ""
        raise UsageError(
            f"--table {table}: the paper has no such scores{where}", f"it has {', '.join(numbers)}"
        )


def rows_beside(
    options: EvaluationOptions, data: str, results: Sequence[Result], progress: Talk
) -> Sequence[PublishedRow]:
    """A paper's rows of the table that the options name, or of those that match."""
    name, _, number = (options.scores.table or "").partition(":")
    paper, split = PAPERS[name], options.data.split
    config = (
        settings_of(checkpoint_folder(options.model.model, weights=False))
        if options.runs_model
        else {}
    )
    if paper == PAPER:
        paging = options.paging
        if paging.locality == "auto":
            own = DATA_SETS[data].locality if data in DATA_SETS else None
            paging = paging.changed(locality=results[0].settings.get("locality", own))
        matching = matching_tables(
            data, paging, options.scores.metric_names, config.get("decoding", "pages")
        )
    else:
        matching = (
            top_down_tables(data, split, config)
            if paper == TOP_DOWN
            else table_numbers(data, paper, split)
        )
    numbers = [number] if number else matching
    return compared_rows(data, numbers, len(results), options.scores.tokenize, progress, paper)


def matching_tables(
    data: str, paging: PagingOptions, metrics: Sequence[str], decoding: str = "pages"
) -> list[str]:
    """The numbers of the paper's tables that match an evaluation.

    Locality, size of pages and decoding distinguish tables; coherence has one of its own, which is
    alone without ROUGE.
    """
    if decoding == "global":
        main = "6"
    elif paging.page_tokens in PAGE_SIZES and paging.locality == "spatial":
        main = "5"
    else:
        main = "2" if paging.locality == "discourse" else "1"
    numbers = table_numbers(data)
    main = main if main in numbers else next(iter(numbers), "")
    coherence = ["3"] if COHERENCE in metrics and "3" in numbers else []
    if coherence and not any(name.startswith("rouge") for name in metrics):
        return coherence
    return [number for number in numbers if number in (main, *coherence)]


def top_down_tables(data: str, split: str, config: Mapping[str, Any]) -> list[str]:
    """The numbers of the tables of Pang et al. that match an evaluation."""
    numbers = table_numbers(data, TOP_DOWN, split)
    settings = config.get("update", "attention"), config.get("window", 1024)
    is_variant = config.get("model_type") == "topdown" and settings != ("attention", 1024)
    return [number for number in numbers if (number == ABLATIONS) == is_variant] or numbers


def compared_rows(
    data: str, numbers: Sequence[str], n: int, tokenize: str, progress: Talk, paper: str = PAPER
) -> list[PublishedRow]:
    """A paper's rows beside an evaluation; warns about differences that make them incomparable."""
    rows = [row for number in numbers for row in published_rows(data, number, paper)]
    if not rows:
        known = ", ".join(
            sorted(
                {entry["dataset"] for entry in all_published()["table"] if entry["paper"] == paper}
            )
        )
        progress.warn(
            f"--table adds nothing: the paper has scores on {known}; this is {data} (--data "
            f"names another)"
        )
        return []
    for table in _tables(data, paper):
        if table["number"] in numbers:
            if caution := table.get("caution"):
                progress.warn(f"Table {table['number']}: {caution}")
            if table.get("documents", n) != n:
                progress.warn(
                    f"the published figures are means over {table['documents']} documents, "
                    f"these over {n}"
                )
    if paper == PAPER:
        sizes = published_sizes("statistics", data)
        # In two lines of the table, the sizes of the validation and the test split look exchanged.
        documents = SCORED_OUTPUTS.get(data, (sizes["test"], sizes["validation"]))
        if not {str(n), f"{n / 1000:.1f}K"} & set(documents):
            progress.warn(
                f"the published figures are means over {documents[0]} documents, these over {n}"
            )
        if tokenize != "ptb":
            progress.warn("the paper scored tokenized text: use --tokenize ptb to compare with it")
    return rows


def _tables(data: str, paper: str) -> list[dict[str, Any]]:
    return [
        one
        for one in all_published()["table"]
        if (one["paper"], one["dataset"]) == (paper, data_set_of(data))
    ]


def _row(paper: str, number: str, row: dict[str, Any]) -> PublishedRow:
    columns, kinds = all_published()["columns"], all_published()["kinds"]
    scores: dict[str, float] = {}
    for name, value in row.items():
        if name in columns:
            column, factor = columns[name]
            scores[column] = round(factor * value, 3)
        elif name in kinds:
            scores[kinds[name][row[f"{name}_kind"]]] = value
    given = {field.name: row[field.name] for field in fields(PublishedRow) if field.name in row}
    if "update" in row:
        given["system"] = f"{row['system']}, {row['update']}, window {row['window']}"
    given |= {
        "table": number,
        "paper": paper,
        "scores": scores,
        "marks": tuple(row.get("marks", ())),
    }
    return PublishedRow(**given)
