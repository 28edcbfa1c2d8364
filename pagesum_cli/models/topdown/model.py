"""The top-down transformer: pages are read together, and decoded together or by PageSum's page-wise
decoder.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...errors import PagesumError, UsageError
from ...locality.flow import Pages
from ...options import GenerationOptions
from ...text.words import are_important
from ...tokenization import CONTROL_TOKENS, PageTokenizer
from ..base import ModelConfig, OnEncode, Output, PageBatch, PageModel, load_model
from ..layers.packing import PackedPages
from ..layers.transformer import embedding
from ..pagesum import PageSumModel
from ..tasks import NO_LABEL, Task, by_page
from . import encoder
from .encoder import Joined, TaggerConfig, TopDownConfig, TopDownEncoder
from .tasks import Importance, Weighted


class Tagger(nn.Module):
    """A top-down encoder, whose pooling is the mean, and a linear layer."""

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__()
        self.config = config
        self.scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = TopDownEncoder(replace(config, pooling="average"))
        self.classifier = nn.Linear(config.d_model, 1)

    def forward(self, documents: Joined) -> Tensor:
        """The logit ``(B, L)`` of each token's importance."""
        states = self.encoder(
            self.shared(documents.ids) * self.scale, documents.mask, documents.places
        )
        return self.classifier(states).squeeze(-1)

    @torch.no_grad()
    def predict(self, documents: Joined) -> Tensor:
        """The probability ``(B, L)`` that each token is important; 0 for special and control
        tokens, as in labels.
        """
        was_training = self.training
        self.eval()
        probabilities = self(documents).float().sigmoid()
        self.train(was_training)
        return probabilities.masked_fill(~is_text(documents.ids, self.config), 0.0)


def is_text(ids: Tensor, config: TopDownConfig) -> Tensor:
    """Where token ids are neither start, end and padding nor control tokens."""
    is_special = (
        (ids == config.bos_token_id) | (ids == config.eos_token_id) | (ids == config.pad_token_id)
    )
    if (first := config.first_control_token) is not None:
        is_special |= (ids >= first) & (ids < first + CONTROL_TOKENS)
    return ~is_special


class TopDownTagger(PageModel):
    """A tagger as a model of its own: it is trained before the summarizer whose AdaPool it
    serves.
    """

    config_class: ClassVar[type[ModelConfig]] = TaggerConfig
    config: TaggerConfig
    generates = False
    tasks = (Importance(),)
    starts_from = PageSumModel

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__(config)
        self.tagger = Tagger(config)
        self.init_weights()

    def init_weights(self) -> None:
        super().init_weights()
        encoder.init_updates(self)

    @classmethod
    @torch.no_grad()
    def from_bart(cls, model: PageSumModel, **changes: Any) -> Self:
        """A tagger whose encoder starts from that of a BART, PageSum or top-down transformer."""
        values = {**model.config.to_dict(), "source_tokens": None, "pooling": "average", **changes}
        new = cls(TaggerConfig.from_dict(values))
        weights = encoder.with_repeated_positions(model.state_dict(), new.config)
        new.tagger.load_state_dict(
            {name.removeprefix("model."): value for name, value in weights.items()}, strict=False
        )
        return new

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        importance_labels: Tensor | None = None,
    ) -> Output:
        """Compute each token's importance: its logit ``(B, P, S)``, minus infinity where no token
        is, and the loss.

        That is the mean binary cross entropy of the labeled tokens: ``(B, P, S)``, 1 or 0; -100
        where it does not matter.
        """
        pages = encoder.pack(PageBatch(input_ids, attention_mask), self.config)
        documents = encoder.join(pages, self.config)
        flat = self.tagger(documents)  # (B, L)
        loss = None
        if importance_labels is not None:
            labels = importance_labels[pages.document, pages.page, : pages.mask.shape[1]]  # (N, S)
            joined = pages.join(labels[..., None])[0][..., 0]
            is_labeled = documents.mask & (joined != NO_LABEL)
            loss = F.binary_cross_entropy_with_logits(
                flat[is_labeled].float(), joined[is_labeled].float()
            )
        own = pages.part(flat[..., None], documents.mask)[..., 0].masked_fill(
            ~pages.mask, float("-inf")
        )
        logits = own.new_full(input_ids.shape, float("-inf"))
        logits[pages.document, pages.page, : own.shape[1]] = own
        return Output(loss, logits)

    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Tensor:
        """The probability of each token ``(B, P, S)``."""
        return self(batch.input_ids, batch.attention_mask).logits.float().sigmoid()

    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """Refuse: a tagger makes no summaries."""
        message = "an importance tagger predicts which words matter, and makes no summaries"
        hint = (
            "train a summarizer with it: --set architecture=topdown --set "
            "model.pooling=adaptive --set tagger=FOLDER"
        )
        raise UsageError(message, hint)


SHARED_WITH_TAGGER = (
    *("d_model", "vocab_size", "scale_embedding", "activation_function", "first_control_token"),
    *(
        "encoder_layers",
        "encoder_attention_heads",
        "encoder_ffn_dim",
        "local_layers",
        "segment_layers",
    ),
    *("window", "kernel", "stride", "max_segments", "segment_positions", "update"),
    *("max_source_positions", "positions", "special_tokens"),
)
"""Fields of the configuration that a model has in common with its tagger."""
TRAINING_A_TAGGER = (
    "pagesum train --set architecture=topdown-tagger trains one from the same starting point"
)


class TopDownModel(PageSumModel):
    """A BART whose encoder reads a whole document, with PageSum's decoders.

    With AdaPool, ``tagger`` predicts how important each token is; it is trained before, and stays
    as it is.
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
        return TopDownEncoder(config)

    def init_weights(self) -> None:
        super().init_weights()
        encoder.init_updates(self)

    @classmethod
    @torch.no_grad()
    def from_bart(cls, model: PageSumModel, **changes: Any) -> Self:
        """A top-down transformer that starts from a BART or PageSum; its positions are repeated, as
        those of LED.
        """
        values = {
            **model.config.to_dict(),
            "source_tokens": None,
            "decoding": TopDownConfig.decoding,
            **changes,
        }
        new = cls(TopDownConfig.from_dict(values))
        new.load_state_dict(
            encoder.with_repeated_positions(model.state_dict(), new.config), strict=False
        )
        return new

    def task(self, name: str) -> Task | None:
        """The task of that name; what pools by importance is trained with that of the reference."""
        task = super().task(name)
        return Weighted() if task and self.config.pooling != "average" else task

    def trainable_parameters(self, head_only: bool) -> list[nn.Parameter]:
        tagger = set(self.tagger.parameters()) if self.config.pooling == "adaptive" else set()
        return [
            parameter
            for parameter in super().trainable_parameters(head_only)
            if parameter not in tagger
        ]

    def adopt(self, settings: Any, tokenizer: PageTokenizer, start: ModelConfig | None) -> None:
        """Take over the trained tagger too that adaptive pooling needs."""
        super().adopt(settings, tokenizer, start)
        name = settings.tagger
        if self.config.pooling != "adaptive":
            if name:
                message = f"tagger = {name}, but the model does not pool by importance"
                raise UsageError(
                    message, 'model = { pooling = "adaptive" } with architecture = topdown'
                )
            return
        if not name:
            if getattr(start, "pooling", None) == "adaptive":  # it has its tagger
                return
            message = "pooling = adaptive, but no importance tagger is named"
            raise UsageError(message, f"--set tagger=FOLDER; {TRAINING_A_TAGGER}")
        tagger, its_tokenizer = load_model(name, device="cpu", dtype="float32")
        if not isinstance(tagger, TopDownTagger):
            raise UsageError(
                f"tagger = {name}, but that is a {tagger.config.model_type} model",
                TRAINING_A_TAGGER,
            )
        if (
            its_tokenizer is None
            or its_tokenizer.backend.get_vocab() != tokenizer.backend.get_vocab()
        ):
            raise UsageError(
                f"tagger = {name}, but its vocabulary is not the model's", TRAINING_A_TAGGER
            )
        for field in SHARED_WITH_TAGGER:
            given, expected = getattr(tagger.config, field), getattr(self.config, field)
            if given != expected:
                message = (
                    f"tagger = {name}, but its {field} is {given}, that of the model {expected}"
                )
                raise UsageError(message, f"--set model.{field}={given}, or train another tagger")
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
        labels = []
        for pages, encoded, reference in zip(documents, batch.encoded, references, strict=True):
            words = tokenizer.words_of_pages(pages, encoded, spaced=spaced)
            labels.append([are_important([word or "" for word in own], reference) for own in words])
        return replace(batch, importance=by_page(labels, 0).float().to(batch.input_ids.device))

    # Encoding

    def pack(self, batch: PageBatch) -> PackedPages:
        """The pages that hold any token that is read."""
        return encoder.pack(batch, self.config)

    def encode_pages(
        self, pages: PackedPages, batch: PageBatch, on_encode: OnEncode | None = None
    ) -> Tensor:
        """Encode the pages of each document together → states ``(N, S, D)``."""
        documents = encoder.join(pages, self.config)
        importance = self.importance(pages, batch, documents)
        if on_encode is not None:
            on_encode(0, len(pages))
        states = self.model.encoder(
            self.model.embed(documents.ids), documents.mask, documents.places, importance
        )
        if on_encode is not None:
            on_encode(len(pages), len(pages))
        return pages.part(states, documents.mask)

    def group_states(self, pages: PackedPages, batch: PageBatch) -> Callable[[Tensor], Tensor]:
        """A function that gives the states of some of the pages, all of which are encoded now."""
        states = self.encode_pages(pages, batch)
        return lambda rows: states[rows, : pages.take(rows).mask.shape[1]]

    def importance(self, pages: PackedPages, batch: PageBatch, documents: Joined) -> Tensor | None:
        """How important each token ``(B, L)`` is; None where pooling is the mean."""
        if self.config.pooling == "average":
            return None
        if batch.importance is not None:
            given = batch.importance[pages.document, pages.page, : pages.mask.shape[1]]  # (N, S)
            return pages.join(given[..., None])[0][..., 0]
        if self.config.pooling == "oracle":
            message = "this model pools by the words of the reference summary, which is not given"
            raise PagesumError(
                message, "use it with pagesum eval, or a model whose pooling is average or adaptive"
            )
        return self.tagger.predict(documents)

    def notes_on(self, batch: PageBatch) -> Sequence[tuple[str, ...]]:
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        given_tokens, read_tokens = (
            encoder.kept(pages, self.config),
            encoder.have_position(pages, self.config),
        )
        notes: list[tuple[str, ...]] = []
        for number in range(pages.batch):
            own = pages.document == number
            given, length = int(given_tokens[own].sum()), int(read_tokens[own].sum())
            note = (
                f"the model has positions for {length:,} tokens; {given - length:,} at the "
                f"end are not read"
            )
            notes.append((note,) if length < given else ())
        return notes
