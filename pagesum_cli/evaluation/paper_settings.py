"""PageSum's settings for the data sets of its paper."""

from dataclasses import replace
from typing import Any

from ..batch.worker import Talk
from ..datasets.named import DATA_SETS
from ..models.catalog import checkpoint_folder, settings_of
from ..options import GenerationOptions, PagingOptions
from ..options.presets import has_preset, preset_values


def fill_in_from_paper(
    data: str | None, model: str | None, paging: PagingOptions, generation: GenerationOptions, progress: Talk
) -> tuple[PagingOptions, GenerationOptions]:
    """Use the paper's locality for a data set, and its settings with a checkpoint that has none, as the official ones.

    A locality of which the paper has a row on the same data (arXiv by sections, MultiNews by sentences) has its pages.
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
