"""The top-down transformer: pages are read together, and decoded together or by PageSum's page-wise decoder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from ...errors import PagesumError, UsageError
from ...locality.flow import Pages
from ...text.words import are_important
from ...tokenization import PageTokenizer
from ..base import ModelConfig, OnEncode, PageBatch, PageModel
from ..checkpoints import load_model
from ..layers.packing import PackedPages
from ..pagesum.model import PageSumModel
from ..tasks import Task
from .configuration import TopDownConfig
from .encoder import (
    Joined,
    TopDownEncoder,
    have_position,
    init_updates,
    join,
    kept,
    pack,
    with_repeated_positions,
)
from .tagger import Tagger, TopDownTagger
from .tasks import Weighted

SHARED_WITH_TAGGER = (
    *("d_model", "vocab_size", "scale_embedding", "activation_function", "first_control_token"),
    *("encoder_layers", "encoder_attention_heads", "encoder_ffn_dim", "local_layers", "segment_layers"),
    *("window", "kernel", "stride", "max_segments", "segment_positions", "update"),
    *("max_source_positions", "positions", "special_tokens"),
)
"""Fields of the configuration that a model has in common with its tagger."""
TRAINING_A_TAGGER = "pagesum train --set architecture=topdown-tagger trains one from the same starting point"


class TopDownModel(PageSumModel):
    """A BART whose encoder reads a whole document, with PageSum's decoders.

    With AdaPool, ``tagger`` predicts how important each token is; it is trained before, and stays as it is.
    """

    config_class: ClassVar[type[ModelConfig]] = TopDownConfig
    starts_from: ClassVar[type[PageModel] | None] = PageSumModel
    training_settings: ClassVar[frozenset[str]] = frozenset({"decoding", "tagger"})
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
        """As in any model, and see :func:`~.encoder.init_updates`."""
        super().init_weights()
        init_updates(self)

    @classmethod
    @torch.no_grad()
    def from_bart(cls, model: PageSumModel, **changes: Any) -> Self:
        """A top-down transformer that starts from a BART or PageSum; its positions are repeated, as those of LED."""
        values = {**model.config.to_dict(), "source_tokens": None, "decoding": TopDownConfig.decoding, **changes}
        new = cls(TopDownConfig.from_dict(values))
        new.load_state_dict(with_repeated_positions(model.state_dict(), new.config), strict=False)
        return new

    def task(self, name: str) -> Task | None:
        """The task of that name; what pools by importance is trained with that of the reference."""
        task = super().task(name)
        return Weighted() if task and self.config.pooling != "average" else task

    def trainable_parameters(self, head_only: bool) -> list[nn.Parameter]:
        """All but the tagger's."""
        tagger = set(self.tagger.parameters()) if self.config.pooling == "adaptive" else set()
        return [parameter for parameter in super().trainable_parameters(head_only) if parameter not in tagger]

    def adopt(self, settings: Any, tokenizer: PageTokenizer, start: ModelConfig | None) -> None:
        """Take over the trained tagger too that adaptive pooling needs.

        Raises:
            PagesumError: There is no such tagger.
            UsageError: None is named, or it is of another shape or vocabulary.
        """
        super().adopt(settings, tokenizer, start)
        name = settings.tagger
        if self.config.pooling != "adaptive":
            if name:
                raise UsageError(
                    f"tagger = {name}, but the model does not pool by importance",
                    'model = { pooling = "adaptive" } with architecture = topdown',
                )
            return
        if not name:
            if getattr(start, "pooling", None) == "adaptive":  # it has its tagger
                return
            raise UsageError(
                "pooling = adaptive, but no importance tagger is named", f"--set tagger=FOLDER; {TRAINING_A_TAGGER}"
            )
        tagger, its_tokenizer = load_model(name, device="cpu", dtype="float32")
        if not isinstance(tagger, TopDownTagger):
            raise UsageError(f"tagger = {name}, but that is a {tagger.config.model_type} model", TRAINING_A_TAGGER)
        if its_tokenizer is None or its_tokenizer.backend.get_vocab() != tokenizer.backend.get_vocab():
            raise UsageError(f"tagger = {name}, but its vocabulary is not the model's", TRAINING_A_TAGGER)
        for field in SHARED_WITH_TAGGER:
            given, expected = getattr(tagger.config, field), getattr(self.config, field)
            if given != expected:
                raise UsageError(
                    f"tagger = {name}, but its {field} is {given}, that of the model {expected}",
                    f"--set model.{field}={given}, or train another tagger",
                )
        self.tagger.load_state_dict(tagger.tagger.state_dict())

    @property
    def needs_reference(self) -> bool:
        """Whether importance is that of the reference summary (OracleAdaPool)."""
        return self.config.pooling == "oracle"

    def with_references(
        self,
        batch: PageBatch,
        tokenizer: PageTokenizer,
        documents: Sequence[Pages],
        references: Sequence[str],
        spaced: bool,
    ) -> PageBatch:
        """A batch whose important tokens are those of the reference summaries."""
        importance = torch.zeros(batch.input_ids.shape, device=batch.input_ids.device)  # (B, P, S)
        for b, (pages, reference) in enumerate(zip(documents, references, strict=True)):
            words_of_pages = tokenizer.words_of_pages(pages, batch.encoded[b], spaced=spaced)
            for p, words in enumerate(words_of_pages):
                labels = are_important([word or "" for word in words], reference)
                importance[b, p, : len(labels)] = torch.tensor(labels, dtype=importance.dtype)
        return replace(batch, importance=importance)

    # Encoding

    def pack(self, batch: PageBatch) -> PackedPages:
        """The pages that hold any token that is read."""
        return pack(batch, self.config)

    def encode_pages(self, pages: PackedPages, batch: PageBatch, on_encode: OnEncode | None = None) -> Tensor:
        """Encode the pages of each document together → states ``(N, S, D)``."""
        documents = join(pages, self.config)
        importance = self.importance(pages, batch, documents)
        if on_encode is not None:
            on_encode(0, len(pages))
        states = self.model.encoder(self.model.embed(documents.ids), documents.mask, documents.places, importance)
        if on_encode is not None:
            on_encode(len(pages), len(pages))
        return pages.part(states, documents.mask)

    def group_states(self, pages: PackedPages, batch: PageBatch) -> Callable[[Tensor], Tensor]:
        """A function that gives the states of some of the pages, all of which are encoded now."""
        states = self.encode_pages(pages, batch)

        def some(rows: Tensor) -> Tensor:
            return states[rows, : pages.take(rows).mask.shape[1]]

        return some

    def importance(self, pages: PackedPages, batch: PageBatch, documents: Joined) -> Tensor | None:
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
        return self.tagger.predict(documents)

    def notes_on(self, batch: PageBatch) -> Sequence[tuple[str, ...]]:
        """Which documents have tokens that are not read, or in no segment."""
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        given_tokens, read_tokens = kept(pages, self.config), have_position(pages, self.config)
        notes: list[tuple[str, ...]] = []
        for number in range(pages.batch):
            own = pages.document == number
            given, length = int(given_tokens[own].sum()), int(read_tokens[own].sum())
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
