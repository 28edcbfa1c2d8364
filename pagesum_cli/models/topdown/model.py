"""The top-down transformer: pages are read together, and decoded together or by PageSum's page-wise decoder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
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
        """The pages that hold any token, without the special tokens between them where only documents have them."""
        pages = super().pack(batch)
        if self.config.special_tokens == "page":
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

    def encode_pages(self, pages: PackedPages, batch: PageBatch, on_encode: OnEncode | None = None) -> Tensor:
        """Encode the pages of each document together → states ``(N, S, D)``.

        Raises:
            PagesumError: A document has more tokens than the encoder has positions.
        """
        config = self.config
        own = pages.mask.cumsum(-1) - 1  # (N, S): place on the page
        joined, mask, _ = pages.join(torch.stack([pages.input_ids, own], dim=-1))
        ids, places = joined.unbind(-1)  # (B, L)
        if config.positions == "document":
            places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        if int(places.max()) >= config.max_source_positions:
            raise PagesumError(
                f"a document of {ids.shape[1]:,} tokens, but the model has positions for "
                f"{config.max_source_positions:,}",
                f"--source-tokens {config.max_source_positions - 2 * pages.pages} reads as much as fits",
            )
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
        """Which documents have tokens that are in no segment."""
        limit = self.config.segment_tokens
        lengths = self.pack(batch).join(torch.zeros(*self.pack(batch).mask.shape, 1))[1].sum(-1).tolist()
        told = [
            f"the model's {self.config.max_segments} segments cover the first {limit:,} of {length:,} tokens; "
            "those after them read the segments, but are in none"
            for length in lengths
        ]
        has_segments = self.config.update != "none"
        return [(note,) if has_segments and length > limit else () for note, length in zip(told, lengths, strict=True)]
