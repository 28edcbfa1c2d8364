"""The paper's settings and published scores, by data set."""

import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS
from ..models.catalog import checkpoint_folder, settings_of
from ..options import GenerationOptions, PagingOptions
from .report import Published

PUBLISHED: dict[str, Published] = {
    "govreport": {"PageSum (Liu et al. 2022)": {"rouge1": 59.91, "rouge2": 27.20, "rougeLsum": 57.07}},
}
"""F1 by data set and system, checked against the summaries that the authors published with their program.

The paper's "ROUGE-L" is Lsum, and its texts are tokenized as by ``--tokenize ptb``.
"""

DOCUMENTS = {"govreport": 973}
"""Number of documents: the whole test split."""


def published_rows(data: str, n: int, tokenize: str, progress: Talk) -> Published:
    """The paper's rows for a data set; warns about differences that make them incomparable.

    Args:
        data: Name of the data set.
        n: Number of scored documents.
        tokenize: How they were tokenized.
        progress: Gets the warnings.
    """
    if data not in PUBLISHED:
        progress.warn(
            f"--table paper adds nothing: figures of the paper could be checked for {', '.join(PUBLISHED)} only, and "
            f"others are not shown; this is {data}"
        )
        return {}
    if n != DOCUMENTS[data]:
        progress.warn(f"the published figures are means over {DOCUMENTS[data]} documents, these over {n}")
    if tokenize != "ptb":
        progress.warn("the paper scored tokenized text: --tokenize ptb compares with it")
    return PUBLISHED[data]


def fill_in_from_paper(
    data: str | None, model: str | None, paging: PagingOptions, generation: GenerationOptions, progress: Talk
) -> tuple[PagingOptions, GenerationOptions]:
    """Use the paper's locality for a data set, and its settings with a checkpoint that has none, as the official ones.

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
    if config.get("model_type") != "bart":
        return paging, generation
    preset = resources.files("pagesum_cli") / "training" / "presets" / f"{data}.toml"
    paper = tomllib.loads(preset.read_text(encoding="utf-8"))
    positions = config.get("max_position_embeddings", 1024)
    pages: dict[str, Any] = {"page_tokens": min(paper["page_tokens"], positions)}
    if paging.locality == paper["locality"] and not paging.max_pages and paging.overflow == "continue":
        pages["num_pages"] = paper["num_pages"]
    search = {name: paper[name] for name in ("beams", "no_repeat_ngram", "length_penalty")}
    if generation.length is None and generation.min_length is None and generation.max_length is None:
        search |= {name: min(paper[name], positions - 1) for name in ("min_length", "max_length")}
    pages = {name: value for name, value in pages.items() if getattr(paging, name) is None}
    search = {name: value for name, value in search.items() if getattr(generation, name) is None}
    if settings := {**pages, **search}:
        flags = " ".join(f"--{name.replace('_', '-')} {value:g}" for name, value in settings.items())
        progress.note(f"{model} has no page settings of its own; as in the paper for {data}: {flags}")
    return replace(paging, **pages), replace(generation, **search)
