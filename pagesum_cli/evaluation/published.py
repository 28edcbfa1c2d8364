"""The paper's settings, and published scores by paper and data set."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS
from ..errors import UsageError
from ..models.catalog import checkpoint_folder, settings_of
from ..options import GenerationOptions, PagingOptions
from ..options.presets import has_preset, preset_values
from .report import PublishedRow

PAPER = "pagesum"
UNKNOWN_L = "rougeL-unknown"
"""The column of a published ROUGE-L of unknown kind: it cannot be compared with either of ours."""

COLUMNS = {"summary": "rougeLsum", "sentence": "rougeL", "unknown": UNKNOWN_L}
SU_COLUMNS = {"unlimited": "rougeSU", "unknown": "rougeSU4-unknown"}
COHERENCE = "coherence"

SCALED = {
    "rouge1": ("rouge1", 1),
    "rouge2": ("rouge2", 1),
    "coherence": (COHERENCE, 100),
    "bertscore": ("bertscore", 100),
    "sms": ("sms", 0.1),
    "factcc": ("factcc", 1),
    "fact_accuracy": ("fact-accuracy", 1),
    "rep1": ("rep-1", 100),
    "rep2": ("rep-2", 100),
    "length": ("tokens", 1),
}
"""Our column of a printed figure, and by what it is multiplied to be in 0–100."""

TOP_DOWN = "top-down"
PAPERS = {"paper": PAPER, "dpp-attention": "dpp-attention", TOP_DOWN: TOP_DOWN}
"""The papers with tables for ``--table``, by their name there."""

IN_PAPERS = {
    "cnndm": "cnn_dailymail",
    "summscreen-fd": "foreverdreaming",
    "summscreen-tms": "tvmegasite",
    "booksum-chapter": "booksum_chapter",
    "booksum-book": "booksum_book",
}
"""Names of data sets in ``published.toml`` that differ from ours."""

ABLATIONS = "6"
"""The table of the top-down transformer's variants, whose first row is in Table 1 too."""

PAGE_SIZES = (128, 256, 512, 1024)
"""Tokens per page in Table 5."""

SCORED_OUTPUTS = {"govreport": ("973",)}
"""Numbers of documents that differ from Table 10's: the summaries that the authors published."""


@cache
def _published() -> dict[str, Any]:
    file = resources.files("pagesum_cli") / "evaluation" / "published.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def data_set_of(data: str) -> str:
    """The papers' data set of a named one: arXiv with sections is arXiv, and a domain of WikiCatSum is WikiCatSum."""
    if data in IN_PAPERS:
        return IN_PAPERS[data]
    return "wikicatsum" if data.startswith("wikicatsum-") else data.removesuffix("-discourse")


def published_rows(data: str, number: str, paper: str = PAPER) -> list[PublishedRow]:
    """The rows of a paper's table on a data set; none if there are none.

    Args:
        data: Its name.
        number: Number of the table.
        paper: As in ``published.toml``.
    """
    return [
        _row(paper, number, row) for table in _tables(data, paper) if table["number"] == number for row in table["rows"]
    ]


def table_numbers(data: str, paper: str = PAPER, split: str | None = None) -> list[str]:
    """The numbers of a paper's tables on a data set.

    Args:
        data: Its name.
        paper: As in ``published.toml``.
        split: Only tables on this split.
    """
    return [table["number"] for table in _tables(data, paper) if split in (None, table.get("split", "test"))]


def named_table(table: str) -> tuple[str, str]:
    """The paper, as in ``published.toml``, and the number of a value of ``--table``; no number for those that match."""
    name, _, number = table.partition(":")
    return PAPERS[name], number


def check_table(table: str, data: str | None) -> None:
    """Check a value of ``--table``.

    Args:
        table: A name of :data:`PAPERS`, or ``NAME:N`` for Table N.
        data: Name of the data set; None if it is not known yet.

    Raises:
        UsageError: It has another form, or there is no such table.
    """
    name, colon, number = table.partition(":")
    if name not in PAPERS or (colon and not number.isdecimal()):
        expected = " or ".join(f"{one}[:N]" for one in PAPERS)
        raise UsageError(f"--table {table!r}: expected {expected}", "for example --table paper:5")
    every = sorted({one["number"] for one in _published()["table"] if one["paper"] == PAPERS[name]})
    numbers = table_numbers(data or "", PAPERS[name]) or every
    if number and number not in numbers:
        where = f" on {data}" if numbers is not every else ""
        raise UsageError(f"--table {table}: the paper has no such scores{where}", f"it has {', '.join(numbers)}")


def matching_tables(data: str, paging: PagingOptions, metrics: Sequence[str], decoding: str = "pages") -> list[str]:
    """The numbers of the paper's tables that match an evaluation.

    Args:
        data: Name of the data set.
        paging: The given options: the locality and, on arXiv, the size of pages distinguish tables.
        metrics: Names of the metrics; ``coherence`` has a table of its own, which is alone without ROUGE.
        decoding: ``pages``, or ``global`` for a model that decodes all pages together.
    """
    if decoding == "global":
        main = "6"
    elif paging.page_tokens in PAGE_SIZES and paging.locality == "spatial":
        main = "5"
    elif paging.locality == "discourse":
        main = "2"
    else:
        main = "1"
    numbers = table_numbers(data)
    main = main if main in numbers else next(iter(numbers), "")
    coherence = ["3"] if COHERENCE in metrics and "3" in numbers else []
    if coherence and not any(name.startswith("rouge") for name in metrics):
        return coherence
    return [number for number in numbers if number in (main, *coherence)]


def top_down_tables(data: str, split: str, config: Mapping[str, Any]) -> list[str]:
    """The numbers of the tables of Pang et al. that match an evaluation.

    Args:
        data: Name of the data set.
        split: The evaluated split.
        config: Of the evaluated model: Table 6 has its variants, the others all systems on a data set.
    """
    numbers = table_numbers(data, TOP_DOWN, split)
    is_variant = config.get("model_type") == "topdown" and (
        config.get("update", "attention") != "attention" or config.get("window", 1024) != 1024
    )
    return [number for number in numbers if (number == ABLATIONS) == is_variant] or numbers


def compared_rows(
    data: str, numbers: Sequence[str], n: int, tokenize: str, progress: Talk, paper: str = PAPER
) -> list[PublishedRow]:
    """A paper's rows beside an evaluation; warns about differences that make them incomparable.

    Args:
        data: Name of the data set.
        numbers: The tables.
        n: Number of scored documents.
        tokenize: How they were tokenized.
        progress: Gets the warnings.
        paper: As in ``published.toml``.
    """
    rows = [row for number in numbers for row in published_rows(data, number, paper)]
    if not rows:
        known = sorted({one["dataset"] for one in _published()["table"] if one["paper"] == paper})
        progress.warn(
            f"--table adds nothing: the paper has scores on {', '.join(known)}; this is {data} (--data names another)"
        )
        return []
    for table in _tables(data, paper):
        if table["number"] in numbers:
            if caution := table.get("caution"):
                progress.warn(f"Table {table['number']}: {caution}")
            if table.get("documents", n) != n:
                progress.warn(f"the published figures are means over {table['documents']} documents, these over {n}")
    if paper == PAPER:
        _warn_of_differences(data, n, tokenize, progress)
    return rows


def _warn_of_differences(data: str, n: int, tokenize: str, progress: Talk) -> None:
    """Warn of another number of documents than in PageSum's tables, and of another tokenization."""
    (sizes,) = (one for one in _published()["statistics"] if one["dataset"] == data_set_of(data))
    # In two lines of the table, the sizes of the validation and the test split look exchanged.
    documents = SCORED_OUTPUTS.get(data, (sizes["test"], sizes["validation"]))
    if not {str(n), f"{n / 1000:.1f}K"} & set(documents):
        progress.warn(f"the published figures are means over {documents[0]} documents, these over {n}")
    if tokenize != "ptb":
        progress.warn("the paper scored tokenized text: --tokenize ptb compares with it")


def _tables(data: str, paper: str) -> list[dict[str, Any]]:
    return [one for one in _published()["table"] if (one["paper"], one["dataset"]) == (paper, data_set_of(data))]


def _row(paper: str, number: str, row: dict[str, Any]) -> PublishedRow:
    scores: dict[str, float] = {}
    for name, value in row.items():
        if name in SCALED:
            column, factor = SCALED[name]
            scores[column] = round(factor * value, 3)
        elif name == "rougeL":
            scores[COLUMNS[row["rougeL_kind"]]] = value
        elif name == "su4":
            scores[SU_COLUMNS[row["su4_kind"]]] = value
    variant = f"{row['system']}, {row['update']}, window {row['window']}" if "update" in row else row["system"]
    return PublishedRow(
        table=number,
        system=variant,
        scores=scores,
        max_input=row.get("max_input"),
        page_tokens=row.get("page_tokens"),
        marks=tuple(row.get("marks", ())),
        better_than=row.get("better_than", ""),
        p=row.get("p"),
        paper=paper,
        note=row.get("note", ""),
    )


def fill_in_from_paper(
    data: str | None, model: str | None, paging: PagingOptions, generation: GenerationOptions, progress: Talk
) -> tuple[PagingOptions, GenerationOptions]:
    """Use the paper's locality for a data set, and its settings with a checkpoint that has none, as the official ones.

    A locality of which the paper has a row on the same data (arXiv by sections, MultiNews by sentences) has its pages.

    Args:
        data: Options are filled in for a name of ``DATA_SETS``.
        model: Name, folder or Hugging Face id; None if none is run.
        paging, generation: The given options, which are kept.
        progress: Gets a note of the settings.
    """
    if data not in DATA_SETS:
        return paging, generation
    if paging.locality == "auto":
        paging = paging.changed(locality=DATA_SETS[data].locality)
    config = settings_of(checkpoint_folder(model, weights=False)) if model else {}
    if config.get("model_type") != "bart" or not has_preset(data):
        return paging, generation
    variant = f"{data}-{paging.locality}"
    paper = preset_values(variant if has_preset(variant) else data)
    positions = config.get("max_position_embeddings", 1024)
    pages: dict[str, Any] = {"page_tokens": min(paper["page_tokens"], positions)}
    if paging.locality == paper["locality"] and not paging.max_pages and paging.overflow == "continue":
        pages["num_pages"] = paper["num_pages"]
    search = {name: paper[name] for name in ("beams", "no_repeat_ngram", "length_penalty")}
    if generation.beams == 1:
        del search["length_penalty"]  # only beams use it
    if generation.length is None and generation.min_length is None and generation.max_length is None:
        search |= {name: min(paper[name], positions - 1) for name in ("min_length", "max_length")}
    pages = {name: value for name, value in pages.items() if getattr(paging, name) is None}
    search = {name: value for name, value in search.items() if getattr(generation, name) is None}
    if settings := {**pages, **search}:
        flags = " ".join(f"--{name.replace('_', '-')} {value:g}" for name, value in settings.items())
        progress.note(f"{model} has no page settings of its own; as in the paper for {data}: {flags}")
    return replace(paging, **pages), replace(generation, **search)
