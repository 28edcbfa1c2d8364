"""Pages of a document → one sequence of tokens, as a top-down encoder reads it."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ...errors import PagesumError
from ..base import PageBatch
from ..layers.packing import PackedPages
from .configuration import TopDownConfig


@dataclass(frozen=True)
class Joined:
    """The tokens of documents.

    Attributes:
        ids: ``(B, L)``.
        mask: ``(B, L)``, True where a token is.
        places: ``(B, L)``, the position of each token.
    """

    ids: Tensor
    mask: Tensor
    places: Tensor


def pack(batch: PageBatch, config: TopDownConfig) -> PackedPages:
    """The pages that hold any token, without the special tokens between them where only documents have them."""
    pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
    if config.special_tokens == "page":
        return pages
    order = pages.mask.cumsum(-1) * pages.mask
    last = order.amax(-1, keepdim=True)
    document = pages.document
    begins = torch.ones_like(document, dtype=torch.bool)
    begins[1:] = document[1:] != document[:-1]
    ends = begins.roll(-1)
    is_start, is_end = order == 1, order == last
    between = (is_start & ~begins[:, None]) | (is_end & ~ends[:, None])
    kept = pages.mask & ~(between & (last > 2))  # a page has at least one token
    return replace(pages, mask=kept)


def join(pages: PackedPages, config: TopDownConfig) -> Joined:
    """The tokens of each document, one page after another.

    Raises:
        PagesumError: A document has more tokens than the encoder has positions.
    """
    own = pages.mask.cumsum(-1) - 1  # (N, S): place on the page
    joined, mask, _ = pages.join(torch.stack([pages.input_ids, own], dim=-1))
    ids, places = joined.unbind(-1)  # (B, L)
    if config.positions == "document":
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    if int(places.max()) >= config.max_source_positions:
        raise PagesumError(
            f"a document of {ids.shape[1]:,} tokens, but the model has positions for {config.max_source_positions:,}",
            f"--source-tokens {max(config.max_source_positions - 2 * pages.pages, 1)} reads as much as fits",
        )
    return Joined(ids, mask, places)
