"""Sentences scored by what a decoder-only language model's states say of them.

The language model reads each page alone; what is above the last layer whose states are used is not
needed. A sentence's states are the mean over its tokens and the last one, of several layers; small
layers that are learned from labels score them, those of a whole document beside each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
import torch.nn.functional as F
from tokenizers import AddedToken, Tokenizer, processors
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from ...errors import PagesumError
from ...tokenization import CONTROL_TOKENS, HEADING, PageTokenizer
from ..base import ModelConfig, OnEncode, PageModel
from ..catalog import settings_of
from ..layers.llama import LlamaLayers, LlamaSize
from ..layers.packing import PackedPages
from ..layers.transformer import embedding
from ..tasks import Task
from ..weights import read_weights
from .model import (
    ENCODER_TOKENS,
    MORE_TOKENS,
    ExtractiveConfig,
    ExtractiveModel,
    SentenceMemory,
    SentenceScorer,
)
from .selection import Candidate
from .tasks import Quotes

STATE_LAYERS = (0.33, 0.53, 0.73)
"""The layers whose states are used, as shares of all layers. Higher ones added nothing in the
experiments.
"""

PAGE_TOKENS, MAX_TOKENS = 1536, 2048  # of a page
SCORING_WIDTH, SCORING_HEADS = 192, 4  # of the layers that score

UNCUED: dict[str, Any] = {
    **dict.fromkeys(("refers_away", "is_others", "is_aim", "is_abstract", "is_key"), False),
    **dict.fromkeys(("lead", "finding", "limitation", "background"), 0.0),
}
"""A candidate's fields by which rules change its score, and values that leave it as it is."""

MAX_DEVIATION = 6.0  # standard deviations from the mean at which states are clipped
MAX_LOGIT = 50.0  # of what is put into an exponential

NOT_LIKE_LLAMA = 'expected a model with model_type "llama" in its config.json, such as SmolLM2'
LLAMA_SIZES = (
    *(
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
    ),
    "rms_norm_eps",
)
"""What its configuration must have."""

QUOTED_WEIGHT = 6.0  # of a quoted sentence in the loss: there are few
ALONE_WEIGHT = 0.5  # of whether a sentence stands alone


@dataclass
class LanguageModelConfig(ExtractiveConfig):
    """A language model, and layers that score sentences; ``d_model`` is the width of these."""

    model_type: ClassVar[str] = "extractive-lm"

    width: int = 576  # of the language model
    inner_width: int = 1536  # of its feed-forward parts
    heads: int = 9  # of its queries
    key_heads: int = 3  # of its keys and values
    rope_theta: float = 100_000.0  # base of its rotary positions
    norm_epsilon: float = 1e-5  # of its normalization
    # layers whose states are read, from 1
    state_layers: list[int] = field(default_factory=lambda: [10, 16, 22])
    input_dropout: float = 0.3  # of sentences' states
    line_break_id: int = 0  # the token that stands before a heading and the text below it

    @property
    def language_model(self) -> LlamaSize:
        """The shape of the language model, as far as it is needed."""
        layers = max(self.state_layers)
        return LlamaSize(
            self.width,
            self.inner_width,
            layers,
            self.heads,
            self.key_heads,
            self.rope_theta,
            self.norm_epsilon,
        )

    @property
    def state_width(self) -> int:
        """Width of the states of a sentence."""
        return 2 * len(self.state_layers) * self.width


class Standardized(nn.Module):
    """Values less their mean, over their standard deviation, both of all that was seen in
    training.
    """

    # count, mean, variance: of what was seen; ``(1,)``, ``(width,)``, ``(width,)``
    count: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("variance", torch.ones(width))

    def forward(self, values: Tensor) -> Tensor:
        """``(M, width)`` → ``(M, width)``, at most :data:`MAX_DEVIATION` standard deviations."""
        if self.training and torch.is_grad_enabled():
            self._see(values)
        deviations = (values - self.mean) / (self.variance + 1e-6).sqrt()
        return deviations.clamp(-MAX_DEVIATION, MAX_DEVIATION)

    @torch.no_grad()
    def _see(self, values: Tensor) -> None:
        share = len(values) / (self.count + len(values))
        difference = values.mean(0) - self.mean
        variance = (1 - share) * self.variance + share * values.var(0, correction=0)
        self.variance.copy_(variance + share * (1 - share) * difference**2)
        self.mean += share * difference
        self.count += len(values)


class StateScorer(SentenceScorer):
    """Scores sentences by their states beside those of the same document."""

    def __init__(self, config: LanguageModelConfig) -> None:
        super().__init__(config)
        self.norm = Standardized(config.state_width)
        self.project = nn.Linear(config.state_width, config.d_model)
        self.input_dropout = config.input_dropout

    def _apply(self, fn: Any, recurse: bool = True) -> "StateScorer":
        """Move to another device, but stay float32: some states are a thousand times as large as
        others.
        """
        return super()._apply(lambda tensor: tensor.to(fn(tensor).device), recurse)

    def forward(self, states: Tensor, document: Tensor, part: Tensor) -> Tensor:
        """States ``(M, state width)`` → logits ``(M, 3)``, see :class:`SentenceScorer`."""
        normed = self.norm(states.float())
        return super().forward(
            self.project(F.dropout(normed, self.input_dropout, self.training)), document, part
        )


class LanguageModelExtractor(ExtractiveModel):
    """The layers of a language model with a :class:`StateScorer`."""

    config_class: ClassVar[type[ModelConfig]] = LanguageModelConfig
    tasks: ClassVar[tuple[Task, ...]] = (Quotes(),)
    reads_with_language_model = True
    config: LanguageModelConfig

    def __init__(self, config: LanguageModelConfig) -> None:
        PageModel.__init__(self, config)
        self.shared = embedding(config.vocab_size, config.width)
        self.encoder = LlamaLayers(config.language_model)  # type: ignore[assignment]
        self.scoring = StateScorer(config)
        self.init_weights()

    @classmethod
    def from_language_model(cls, folder: Path, scoring_layers: int) -> tuple[Self, PageTokenizer]:
        """A new model with the layers of a language model like Llama, which Transformers has saved
        in a folder.
        """
        given = settings_of(folder)
        _check_is_supported(folder, given)
        tokenizer = PageTokenizer.load(folder)
        end = _id_of_end(given, tokenizer)
        first = tokenizer.vocab_size
        tokenizer = _with_control_tokens(tokenizer.backend, end)
        count = given["num_hidden_layers"]
        config = LanguageModelConfig(
            vocab_size=tokenizer.vocab_size,
            d_model=SCORING_WIDTH,
            max_position_embeddings=MAX_TOKENS,
            page_tokens=PAGE_TOKENS,
            pad_token_id=end,
            bos_token_id=end,
            eos_token_id=end,
            first_control_token=first,
            encoder_attention_heads=SCORING_HEADS,
            encoder_ffn_dim=2 * SCORING_WIDTH,
            scoring_layers=scoring_layers,
            width=given["hidden_size"],
            inner_width=given["intermediate_size"],
            heads=given["num_attention_heads"],
            key_heads=given["num_key_value_heads"],
            rope_theta=_theta(given),
            norm_epsilon=given["rms_norm_eps"],
            state_layers=[max(round(share * count), 1) for share in STATE_LAYERS],
            line_break_id=tokenizer.backend.encode("\n\n", add_special_tokens=False).ids[0],
        )
        model = cls(config)
        weights = read_weights(folder)
        words = weights["model.embed_tokens.weight"]
        model.shared.weight.data[: len(words)] = words
        names = {f"model.{name}": name for name in model.encoder.state_dict()}
        layers = tuple(f"model.layers.{number}." for number in range(config.language_model.layers))
        if unknown := [name for name in weights if name.startswith(layers) and name not in names]:
            raise PagesumError(f"{folder} holds unknown weights: {unknown[0]}", NOT_LIKE_LLAMA)
        model.encoder.load_state_dict({ours: weights[theirs] for theirs, ours in names.items()})
        return model, tokenizer

    @property
    def dtype(self) -> torch.dtype:
        return self.shared.weight.dtype

    def scored(self, candidate: Candidate, first: float, second: float) -> Candidate:
        """What an editor would quote needs no other cue; the second logit says whether it stands
        alone.
        """
        points = 1 / (1 + exp(min(second, MAX_LOGIT)))
        return replace(candidate, score=first, needs_context=points, **UNCUED)

    def pack_weights(self) -> None:
        """Nothing is packed."""

    def _sentence_loss(self, memory: SentenceMemory, labels: Tensor) -> Tensor:
        """See :meth:`ExtractiveModel.forward`; ``labels`` are those of :class:`~.tasks.Quotes`."""
        scores = memory.scores[self.numbers_of(memory, labels)].float()
        quoted, certainty, alone, is_known = labels[:, 3:].float().unbind(1)
        document = labels[:, 0].long()
        weights = document.bincount()[document].rsqrt()
        losses = F.binary_cross_entropy_with_logits(
            scores[:, 0],
            quoted,
            certainty * weights,
            reduction="none",
            pos_weight=scores.new_tensor(QUOTED_WEIGHT),
        )
        others = F.binary_cross_entropy_with_logits(
            scores[:, 1], alone, is_known * weights, reduction="none"
        )
        return (losses + ALONE_WEIGHT * others).sum() / weights.sum()

    def _states(
        self, pages: PackedPages, row: Tensor, place: Tensor, on_encode: OnEncode | None
    ) -> Tensor:
        """The states ``(M, state width)`` of the headings and sentences at control tokens."""
        texts = [
            Piece.of_page(ids[mask], self.config)
            for ids, mask in zip(pages.input_ids, pages.mask, strict=True)
        ]
        found: list[Tensor | None] = [None] * len(texts)
        limit = ENCODER_TOKENS.get(self.device.type, MORE_TOKENS)
        done = 0
        for rows in _groups([len(one.ids) for one in texts], limit):
            ids = pad_sequence([texts[number].ids for number in rows], batch_first=True)
            # (K, n, S, width)
            layers = self.encoder(self.shared(ids), self.config.state_layers).float()
            for number, own in zip(rows, layers.unbind(1), strict=True):
                found[number] = texts[number].states(own)
            done += len(rows)
            if on_encode is not None:
                on_encode(done, len(texts))
        return torch.cat([one for one in found if one is not None])


@dataclass(frozen=True)
class Piece:
    """A page as the language model reads it."""

    ids: Tensor  # ``(S,)``
    starts: Tensor  # ``(m,)``: where each heading and sentence begins
    ends: Tensor  # ``(m,)``: and ends

    @classmethod
    def of_page(cls, ids: Tensor, config: LanguageModelConfig) -> "Piece":
        """A page without its control tokens; a line break stands before a heading and the text
        below it.
        """
        controls = ids - (config.first_control_token or 0)
        is_control = (controls >= 0) & (controls < CONTROL_TOKENS)
        places = (is_control & (controls >= HEADING)).nonzero()[:, 0]
        is_heading = controls[places] == HEADING
        is_break = torch.zeros_like(is_control)
        is_break[places] = is_heading | is_heading.roll(1)
        kept = ~is_control | is_break
        counts = kept.cumsum(0)
        starts = counts[places]
        # without the page's end token
        ends = torch.cat([(counts - kept.long())[places[1:]], counts[-1:] - 1])
        return cls(
            torch.where(is_break, config.line_break_id, ids)[kept],
            starts,
            torch.maximum(ends, starts),
        )

    def states(self, layers: Tensor) -> Tensor:
        """Mean and last states ``(m, 2 K width)`` of each piece, of layers ``(K, S, width)``."""
        sums = F.pad(layers.cumsum(1), (0, 0, 1, 0))
        count = (self.ends - self.starts).clamp(min=1)[None, :, None]
        means = (sums[:, self.ends] - sums[:, self.starts]) / count
        last = layers[:, (self.ends - 1).clamp(min=0)]
        return torch.cat([means, last]).transpose(0, 1).flatten(1)


def _groups(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Numbers of pages of similar length that are read together."""
    order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
    groups: list[list[int]] = []
    for number in order:
        if groups and (len(groups[-1]) + 1) * lengths[groups[-1][0]] <= limit:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def _check_is_supported(folder: Path, given: Mapping[str, Any]) -> None:
    """Check that the configuration of a language model describes one like Llama."""
    if given.get("model_type") != "llama":
        raise PagesumError(
            f"{folder} holds a {given.get('model_type')!r} model, expected one like Llama",
            NOT_LIKE_LLAMA,
        )
    if missing := [name for name in LLAMA_SIZES if not isinstance(given.get(name), int | float)]:
        raise PagesumError(f"{folder}/config.json has no {missing[0]}", NOT_LIKE_LLAMA)
    rope = given.get("rope_parameters") or given.get("rope_scaling") or {}
    if rope.get("rope_type", "default") != "default" or not _theta(given):
        raise PagesumError(f"{folder} has rotary positions of another kind: {rope}", NOT_LIKE_LLAMA)
    if given.get("head_dim") not in (None, given["hidden_size"] // given["num_attention_heads"]):
        raise PagesumError(
            f"{folder} has heads of another width: {given['head_dim']}", NOT_LIKE_LLAMA
        )


def _theta(given: Mapping[str, Any]) -> float:
    """The base of the rotary positions; 0 if it is not given."""
    return float(
        given.get("rope_theta") or (given.get("rope_parameters") or {}).get("rope_theta") or 0
    )


def _id_of_end(settings: Mapping[str, Any], tokenizer: PageTokenizer) -> int:
    """The id of the token that ends a text."""
    number = tokenizer.backend.token_to_id("<|endoftext|>")
    given = settings.get("eos_token_id")
    if number is not None:
        return number
    if isinstance(given, list):
        given = given[0]
    if not isinstance(given, int):
        raise PagesumError(
            "the language model names no token that ends a text",
            'expected "eos_token_id" in config.json',
        )
    return given


def _with_control_tokens(backend: Tokenizer, end: int) -> PageTokenizer:
    """The tokenizer with control tokens after its own, and the end token around every text."""
    first = backend.get_vocab_size()
    backend.add_special_tokens(
        [AddedToken(f"<control{n}>", special=True) for n in range(CONTROL_TOKENS)]
    )
    token = backend.id_to_token(end)
    backend.post_processor = processors.TemplateProcessing(
        single=f"{token} $A {token}", special_tokens=[(token, end)]
    )
    return PageTokenizer(backend, first)
