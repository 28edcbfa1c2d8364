"""Pages of a document → one sequence of tokens, as a top-down encoder reads it."""

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

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
    """The pages that hold any token that is read."""
    pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
    mask = have_position(pages, config)
    rows = mask.any(-1)
    return replace(
        pages, input_ids=pages.input_ids[rows], mask=mask[rows], document=pages.document[rows], page=pages.page[rows]
    )


def kept(pages: PackedPages, config: TopDownConfig) -> Tensor:
    """All tokens ``(N, S)`` but the special ones between pages, where only documents have them."""
    mask, document = pages.mask, pages.document
    if config.special_tokens == "page":
        return mask
    order = mask.cumsum(-1) * mask
    last = order.amax(-1, keepdim=True)
    is_next = document[1:] == document[:-1]
    begins, ends = ~F.pad(is_next, (1, 0)), ~F.pad(is_next, (0, 1))
    between = (order == 1) & ~begins[:, None] | (order == last) & ~ends[:, None]
    return mask & ~(between & (last > 2))  # a page has at least one token


def have_position(pages: PackedPages, config: TopDownConfig) -> Tensor:
    """The tokens ``(N, S)`` of :func:`kept` that the encoder's positions suffice for."""
    read = kept(pages, config)
    order = read.cumsum(-1)
    if config.positions == "document":
        counts = read.sum(-1)
        lengths = counts.new_zeros(pages.batch).index_add_(0, pages.document, counts)
        before = counts.cumsum(0) - counts - (lengths.cumsum(0) - lengths)[pages.document]
        order = order + before[:, None]
    return read & (order <= config.max_source_positions)


def join(pages: PackedPages, config: TopDownConfig) -> Joined:
    """The tokens of each document, one page after another."""
    own = pages.mask.cumsum(-1) - 1  # (N, S): place on the page
    joined, mask, _ = pages.join(torch.stack([pages.input_ids, own], dim=-1))
    ids, places = joined.unbind(-1)  # (B, L)
    if config.positions == "document":
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    return Joined(ids, mask, places)
