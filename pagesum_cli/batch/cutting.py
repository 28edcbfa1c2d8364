"""Cutting documents into pages as a checkpoint would, without loading it."""

from collections.abc import Sequence

from ..documents.model import Document
from ..locality import Pages, paginate
from ..models.catalog import checkpoint_folder, settings_of
from ..options import PagingOptions
from ..tokenization import PageTokenizer


def cutter_of(model: str, paging: PagingOptions) -> tuple[PageTokenizer, PagingOptions, int]:
    """The tokenizer of a checkpoint, paging options with its own values filled in, and its number
    of positions.
    """
    folder = checkpoint_folder(model, weights=False)
    settings = settings_of(folder)
    positions = settings.get("max_position_embeddings", 1024)
    tokenizer = PageTokenizer.of(folder, settings)
    own = (settings.get("page_tokens", positions), settings.get("num_pages"), positions)
    filled = paging.filled(*own, settings.get("locality") or "auto", settings.get("source_tokens"))
    return tokenizer, filled, positions


def cut_for(model: str, documents: Sequence[Document], paging: PagingOptions) -> Pages:
    """Cut documents as a checkpoint would, without loading it; see :func:`cutter_of`."""
    tokenizer, filled, _ = cutter_of(model, paging)
    return paginate(documents, filled, tokenizer)
