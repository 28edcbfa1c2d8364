"""The top-down transformer: pages are read together, and decoded together or by PageSum's page-wise decoder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...errors import PagesumError
from ..base import ModelConfig, OnEncode, PageBatch
from ..layers.packing import PackedPages
from ..layers.transformer import POSITION_OFFSET
from ..pagesum.model import PageSumModel
from .configuration import TopDownConfig
from .encoder import TopDownEncoder, TopDownLayer
from .tagger import Tagger


class TopDownModel(PageSumModel):
    """A BART whose encoder reads a whole document, with PageSum's decoders.

    With AdaPool, ``tagger`` predicts how important each token is; it is trained before, and stays as it is.
    """

    config_class: ClassVar[type[ModelConfig]] = TopDownConfig
    config: TopDownConfig

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config)
        if config.pooling == "adaptive":
            self.tagger = Tagger(config)
            self.init_weights()

    def new_encoder(self, config: Any) -> nn.Module:
        """The encoder, uninitialized."""
        return TopDownEncoder(config)

    def init_weights(self) -> None:
        """As in any model; a token that is concatenated with its segment begins as it was."""
        super().init_weights()
        for module in self.modules() if self.device.type != "meta" else ():
            if isinstance(module, TopDownLayer) and module.config.update == "concat":
                width = self.config.d_model
                nn.init.eye_(module.segment_proj.weight.data[:, :width])

    @classmethod
    @torch.no_grad()
    def from_bart(cls, model: PageSumModel, **changes: Any) -> Self:
        """A top-down transformer that starts from a BART or PageSum: all but what is new is copied.

        Its positions are repeated, as those of LED.

        Args:
            model: Where it starts.
            changes: Fields of :class:`TopDownConfig`.
        """
        values = {**model.config.to_dict(), "source_tokens": None, "decoding": TopDownConfig.decoding, **changes}
        new = cls(TopDownConfig.from_dict(values))
        weights = model.state_dict()
        name = "model.encoder.embed_positions.weight"
        unused, known = weights[name].tensor_split([POSITION_OFFSET])
        rows = torch.arange(new.config.max_source_positions) % len(known)
        weights[name] = torch.cat([unused, known[rows]])
        new.load_state_dict(weights, strict=False)
        return new

    @property
    def max_source_tokens(self) -> int | None:
        """How many tokens all pages of a document may have together; None where positions begin again on each."""
        return self.config.max_source_positions if self.config.positions == "document" else None

    # Encoding

    def pack(self, batch: PageBatch) -> PackedPages:
        """The pages that hold any token that is read."""
        pages = super().pack(batch)
        mask = self._has_position(pages)
        rows = mask.any(-1)
        return replace(
            pages,
            input_ids=pages.input_ids[rows],
            mask=mask[rows],
            document=pages.document[rows],
            page=pages.page[rows],
        )

    def _kept(self, pages: PackedPages) -> Tensor:
        """All tokens ``(N, S)`` but the special ones between pages, where only documents have them."""
        mask, document = pages.mask, pages.document
        if self.config.special_tokens == "page":
            return mask
        order = mask.cumsum(-1) * mask
        last = order.amax(-1, keepdim=True)
        is_next = document[1:] == document[:-1]
        begins, ends = ~F.pad(is_next, (1, 0)), ~F.pad(is_next, (0, 1))
        between = (order == 1) & ~begins[:, None] | (order == last) & ~ends[:, None]
        return mask & ~(between & (last > 2))  # a page has at least one token

    def _has_position(self, pages: PackedPages) -> Tensor:
        """The tokens ``(N, S)`` that the encoder's positions suffice for."""
        kept, limit = self._kept(pages), self.max_source_tokens
        if limit is None:
            return kept
        counts = kept.sum(-1)
        lengths = counts.new_zeros(pages.batch).index_add_(0, pages.document, counts)
        before = counts.cumsum(0) - counts - (lengths.cumsum(0) - lengths)[pages.document]
        return kept & (kept.cumsum(-1) + before[:, None] <= limit)

    def encode_pages(self, pages: PackedPages, batch: PageBatch, on_encode: OnEncode | None = None) -> Tensor:
        """Encode the pages of each document together → states ``(N, S, D)``."""
        own = pages.mask.cumsum(-1) - 1  # (N, S): place on the page
        joined, mask, _ = pages.join(torch.stack([pages.input_ids, own], dim=-1))
        ids, places = joined.unbind(-1)  # (B, L)
        if self.config.positions == "document":
            places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        importance = self.importance(pages, batch, ids, mask, places)
        if on_encode is not None:
            on_encode(0, len(pages))
        states = self.model.encoder(self.model.embed(ids), mask, places, importance)
        if on_encode is not None:
            on_encode(len(pages), len(pages))
        return pages.part(states, mask)

    def group_states(self, pages: PackedPages, batch: PageBatch) -> Callable[[Tensor], Tensor]:
        """A function that gives the states of some of the pages, all of which are encoded now."""
        states = self.encode_pages(pages, batch)

        def some(rows: Tensor) -> Tensor:
            return states[rows, : pages.take(rows).mask.shape[1]]

        return some

    def importance(
        self, pages: PackedPages, batch: PageBatch, ids: Tensor, mask: Tensor, places: Tensor
    ) -> Tensor | None:
        """How important each token ``(B, L)`` is; None where pooling is the mean.

        Raises:
            PagesumError: Importance should be given, and is not.
        """
        if self.config.pooling == "average":
            return None
        if batch.importance is not None:
            given = batch.importance[pages.document, pages.page, : pages.mask.shape[1]]  # (N, S)
            return pages.join(given[..., None])[0][..., 0]
        if self.config.pooling == "oracle":
            raise PagesumError(
                "this model pools by the words of the reference summary, which is not given",
                "use it with pagesum eval, or a model whose pooling is average or adaptive",
            )
        return self.tagger.predict(ids, mask, places)

    def notes_on(self, batch: PageBatch) -> Sequence[tuple[str, ...]]:
        """Which documents have tokens that are not read, or in no segment."""
        pages = super().pack(batch)
        kept, read = self._kept(pages), self._has_position(pages)
        notes: list[tuple[str, ...]] = []
        for number in range(pages.batch):
            own = pages.document == number
            given, length = int(kept[own].sum()), int(read[own].sum())
            note = ""
            if length < given:
                note = f"the model has positions for {length:,} tokens; {given - length:,} at the end are not read"
            elif self.config.update != "none" and length > self.config.segment_tokens:
                note = (
                    f"the model's segments cover the first {self.config.segment_tokens:,} of {length:,} tokens; those "
                    "after them read the segments, but are in none"
                )
            notes.append((note,) if note else ())
        return notes
