"""Cutting documents as a model would, without loading it."""

from collections.abc import Sequence

from ..documents.model import Document
from ..locality import Pages, paginate
from ..models.catalog import checkpoint_folder, settings_of
from ..options import PagingOptions
from ..tokenization import PageTokenizer


def cut_for(model: str, documents: Sequence[Document], paging: PagingOptions) -> Pages:
    """Cut documents with the tokenizer and the default options of a checkpoint; see :func:`cutter_of`."""
    tokenizer, filled, _ = cutter_of(model, paging)
    return paginate(documents, filled, tokenizer)


def cutter_of(model: str, paging: PagingOptions) -> tuple[PageTokenizer, PagingOptions, int]:
    """The tokenizer of a checkpoint, paging options with its own values filled in, and its number of positions.

    Raises:
        PagesumError: There is no such checkpoint.
        UsageError: Pages are longer than the model's positions.
    """
    folder = checkpoint_folder(model, weights=False)
    settings = settings_of(folder)
    positions = settings.get("max_position_embeddings", 1024)
    tokenizer = PageTokenizer.load(folder, settings.get("first_control_token"))
    own = (settings.get("page_tokens", positions), settings.get("num_pages"), positions)
    filled = paging.filled(*own, settings.get("locality") or "auto", settings.get("source_tokens"))
    return tokenizer, filled, positions
