"""What the decoders of the small models read: the pages of a document one after another."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import torch
from torch import Tensor

from ..layers.packing import PackedPages


@dataclass(frozen=True)
class Source:
    """The tokens of all pages of a document, one after another. ``J`` tokens.

    Attributes:
        ids: ``(B, J)``; ids from ``V`` on stand for words of the document that the vocabulary lacks.
        mask: ``(B, J)``, True where a token is.
        page: ``(B, J)``, the page of each token.
        pages: ``P``.
        states: ``(B, J, D)``, the encoder's; empty before it has run.
        values: ``(B, J, D)``, what contexts are sums of, where these are not the states.
    """

    ids: Tensor
    mask: Tensor
    page: Tensor
    pages: int
    states: Tensor = field(default_factory=lambda: torch.empty(0))
    values: Tensor | None = None

    @classmethod
    def join(cls, input_ids: Tensor, attention_mask: Tensor | None) -> Self:
        """Join pages ``(B, P, S)``.

        Raises:
            ValueError: The shapes do not fit, or a document has no token at all.
        """
        packed = PackedPages.pack(input_ids, attention_mask)
        ids, mask, page = packed.join(packed.input_ids[..., None])
        return cls(ids[..., 0], mask, page, packed.pages)

    def encoded(self, states: Tensor, values: Tensor | None = None) -> Self:
        """The source with the encoder's states."""
        return replace(self, states=states, values=values)

    # Computed once: a GPU is waited for.

    @cached_property
    def keys_mask(self) -> Tensor | None:
        """``(B, 1, 1, J)``; None where nothing is padded."""
        return None if bool(self.mask.all()) else self.mask[:, None, None]

    @property
    def lengths(self) -> Tensor:
        """Tokens of each document, ``(B,)``."""
        return self.mask.sum(-1)

    @cached_property
    def largest_id(self) -> int:
        """Of all tokens."""
        return int(self.ids.max())

    def entries(self, vocabulary: int) -> int:
        """``V'``: the vocabulary and the words that only these documents have."""
        return max(vocabulary, self.largest_id + 1)

    def shares(self, weights: Tensor) -> Tensor:
        """Each page's share of attention ``(B, Q, J)`` → ``(B, Q, P)``, summing to 1."""
        weights = weights.detach().float()
        index = self.page[:, None].expand_as(weights)
        sums = torch.zeros(*weights.shape[:2], self.pages, device=weights.device).scatter_add_(-1, index, weights)
        return sums / sums.sum(-1, keepdim=True)
