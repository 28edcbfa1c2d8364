"""PageSum: a BART that reads each page alone and mixes the pages' decoder states by learned confidences.

Liu et al., "Leveraging Locality in Abstractive Text Summarization", EMNLP 2022. Letters of shapes: ``B`` documents,
``P`` pages of a document, ``N`` pages of all documents that hold any token, ``S`` tokens of a page, ``T`` summary
tokens, ``K`` beams, ``H`` heads, ``D`` model width, ``V`` vocabulary.

Pages never meet before the confidences, so a batch is a list of ``N`` pages ("rows") with the document and the place
that each belongs to: empty pages cost nothing and take no part in the softmax.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psutil
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoConfig, AutoModelForSeq2SeqLM, GenerationMixin, PreTrainedModel
from transformers.activations import ACT2FN
from transformers.modeling_layers import GradientCheckpointingLayer
from transformers.utils import ModelOutput

from ..decoding.beam import beam_search
from ..decoding.constraints import Constraints
from ..decoding.greedy import greedy_search
from ..decoding.plan import Pointing, choose_sentences, said
from ..decoding.scorer import StepCallback
from ..errors import PagesumError
from ..marks import FIRST_RANK, HEADING, MARKS, MOST_WANTED, WANTED
from .configuration import PageSumConfig
from .loss import projected_cross_entropy

POSITION_OFFSET = 2
"""BART's position embeddings begin at 2."""

JUDGE_PLACES = 32
"""The judge knows the first so many sentences apart, and so many parts of a document."""

JUDGED_TOGETHER = 1024
"""Sentences that are judged beside each other at most, so that a long document takes linear time."""

LENGTH_LOSS = 0.01
"""The part of the length in the judge's loss: as it changes nothing else, only the gradient's norm feels it."""

ENCODER_TOKENS_AT_ONCE = 8192
"""The encoder's memory at inference is that of this many tokens, however long the document is."""

PADDING_WORTH_A_GROUP = 512
"""Tokens of padding that must be saved before pages of different lengths are computed apart."""

KeysValues = tuple[Tensor, Tensor]


@dataclass
class PageSumOutput(ModelOutput):
    """What one pass gives.

    Attributes:
        loss: label-smoothed cross entropy (eq. 1), where labels were given.
        logits: ``(B, T, V)`` (eq. 9).
        page_confidences: ``(B, T, P)``, summing to 1 over the pages that hold any token (eq. 8); 0 for the others.
        page_scores: ``(B, T, P)``, before the softmax (eq. 7); minus infinity for pages without a token.
    """

    loss: Tensor | None = None
    logits: Tensor | None = None
    page_confidences: Tensor | None = None
    page_scores: Tensor | None = None


@dataclass(frozen=True)
class PageSumGeneration:
    """What ``generate`` gives, for ``n`` summaries of each document.

    Attributes:
        sequences: token ids ``(B·n, T + 1)``, beginning with the start token.
        sequences_scores: ``(B·n,)``: beams: sum of log probabilities / length ** length_penalty; greedy: the sum;
            0 where all was planned.
        page_confidences: ``(B·n, T, P)``: row ``t`` belongs to token ``t + 1``; 0 behind the end.
        encode_seconds, decode_seconds: what it took.
    """

    sequences: Tensor
    sequences_scores: Tensor
    page_confidences: Tensor
    encode_seconds: float
    decode_seconds: float


@dataclass(frozen=True)
class PageRows:
    """The pages of a batch that hold any token, one a row.

    Attributes:
        input_ids: ``(N, S)``, cut to the longest page.
        mask: ``(N, S)``, True where a token is.
        document: ``(N,)``, the document that each row belongs to.
        page: ``(N,)``, which page of it.
        batch, pages: ``B`` and ``P``.
    """

    input_ids: Tensor
    mask: Tensor
    document: Tensor
    page: Tensor
    batch: int
    pages: int

    @classmethod
    def of(cls, input_ids: Tensor, attention_mask: Tensor | None) -> "PageRows":
        """The rows of a batch ``(B, P, S)``.

        Raises:
            ValueError: the shapes do not fit, or a document has no token at all.
        """
        if input_ids.dim() != 3:
            raise ValueError(f"input_ids {tuple(input_ids.shape)} where (documents, pages, tokens) is expected")
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        if attention_mask.shape != input_ids.shape:
            raise ValueError(f"attention_mask {tuple(attention_mask.shape)} for input_ids {tuple(input_ids.shape)}")
        mask = attention_mask.bool()
        used = mask.any(-1)  # (B, P)
        if not bool(used.any(-1).all()):
            raise ValueError("a document without any token")
        document, page = used.nonzero(as_tuple=True)
        rows = mask[used]
        length = int(rows.any(0).nonzero().max()) + 1
        return cls(input_ids[used][:, :length], rows[:, :length], document, page, *used.shape)

    @property
    def keys_mask(self) -> Tensor | None:
        """``(N, 1, 1, S)`` for attention to the pages' tokens; None where no page is padded."""
        return None if bool(self.mask.all()) else self.mask[:, None, None]

    def take(self, rows: Tensor | slice) -> "PageRows":
        """Some of the pages, cut to the longest of them."""
        mask = self.mask[rows]
        length = int(mask.any(0).nonzero().max()) + 1
        ids = self.input_ids[rows, :length]
        return PageRows(ids, mask[:, :length], self.document[rows], self.page[rows], self.batch, self.pages)

    def by_length(self, most: int | None = None) -> "tuple[PageRows, list[PageRows]]":
        """The pages, longest first, and the same in groups of about equal length.

        Pages do not meet before the confidences, so groups can be computed one after the other, without padding.

        Args:
            most: tokens of a group of several pages at most.
        """
        lengths = self.mask.sum(-1)
        order = lengths.argsort(descending=True, stable=True)
        lengths = lengths[order].tolist()
        starts = [0]
        for row, length in enumerate(lengths[1:], start=1):
            longest = lengths[starts[-1]]
            is_full = most is not None and (row - starts[-1] + 1) * longest > most
            if is_full or (longest - length) * (len(lengths) - row) >= PADDING_WORTH_A_GROUP:
                starts.append(row)
        pages = self.take(order)
        ends = [*starts[1:], len(lengths)]
        return pages, [pages.take(slice(start, end)) for start, end in zip(starts, ends, strict=True)]

    def spread(self, values: Tensor, fill: float) -> Tensor:
        """``(N, ...)`` → ``(B, P, ...)``, ``fill`` where there is no page."""
        spread = values.new_full((self.batch, self.pages, *values.shape[1:]), fill)
        spread[self.document, self.page] = values
        return spread


def attend(queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None, dropout: float, causal=False) -> Tensor:
    """Scaled dot-product attention: ``(rows, H, queries, D/H)`` → ``(rows, queries, D)``."""
    mixed = F.scaled_dot_product_attention(queries, keys, values, mask, dropout, is_causal=causal)
    return mixed.transpose(1, 2).flatten(2)


class PageSumAttention(nn.Module):
    """The four maps of multi-head attention."""

    def __init__(self, config: PageSumConfig, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = config.attention_dropout
        for name in ("k_proj", "v_proj", "q_proj", "out_proj"):
            setattr(self, name, nn.Linear(config.d_model, config.d_model))

    def split(self, states: Tensor) -> Tensor:
        """``(rows, tokens, D)`` → ``(rows, H, tokens, D/H)``."""
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def queries(self, states: Tensor) -> Tensor:
        return self.split(self.q_proj(states))

    def keys_values(self, states: Tensor) -> KeysValues:
        return self.split(self.k_proj(states)), self.split(self.v_proj(states))

    def forward(
        self, states: Tensor, keys_values: KeysValues, mask: Tensor | None = None, causal: bool = False
    ) -> Tensor:
        """``(rows, queries, D)`` attending to keys and values ``(rows, H, tokens, D/H)``."""
        dropout = self.dropout if self.training else 0.0
        return self.out_proj(attend(self.queries(states), *keys_values, mask, dropout, causal))


class PageSumLayer(GradientCheckpointingLayer):
    """What encoder and decoder layers share: a feed-forward part, and normalization behind every residual sum."""

    def __init__(self, config: PageSumConfig, heads: int, width: int) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.activation_dropout = config.activation_dropout
        self.activation = ACT2FN[config.activation_function]
        self.self_attn = PageSumAttention(config, heads)
        self.self_attn_layer_norm = nn.LayerNorm(config.d_model)
        self.fc1 = nn.Linear(config.d_model, width)
        self.fc2 = nn.Linear(width, config.d_model)
        self.final_layer_norm = nn.LayerNorm(config.d_model)

    def add(self, states: Tensor, change: Tensor, norm: nn.LayerNorm) -> Tensor:
        return norm(states + F.dropout(change, self.dropout, self.training))

    def feed_forward(self, states: Tensor) -> Tensor:
        inner = F.dropout(self.activation(self.fc1(states)), self.activation_dropout, self.training)
        return self.add(states, self.fc2(inner), self.final_layer_norm)


class PageSumEncoderLayer(PageSumLayer):
    def __init__(self, config: PageSumConfig) -> None:
        super().__init__(config, config.encoder_attention_heads, config.encoder_ffn_dim)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """``(N, S, D)`` → ``(N, S, D)``; mask ``(N, 1, 1, S)``, True where a token is."""
        attended = self.self_attn(states, self.self_attn.keys_values(states), mask)
        return self.feed_forward(self.add(states, attended, self.self_attn_layer_norm))


class PageSumDecoderLayer(PageSumLayer):
    def __init__(self, config: PageSumConfig) -> None:
        super().__init__(config, config.decoder_attention_heads, config.decoder_ffn_dim)
        self.encoder_attn = PageSumAttention(config, config.decoder_attention_heads)
        self.encoder_attn_layer_norm = nn.LayerNorm(config.d_model)

    def forward(
        self,
        states: Tensor,
        encoded: Tensor,
        page_mask: Tensor | None,
        mask: Tensor | None,
        rows: Tensor | None,
    ) -> Tensor:
        """A whole summary at once.

        Args:
            states: ``(B, T, D)`` in the first layer, ``(N, T, D)`` in the others.
            encoded: ``(N, S, D)``, the encoder's states.
            page_mask: ``(N, 1, 1, S)``; None where no page is padded.
            mask: ``(B or N, 1, T, T)`` of the summary's own tokens; None: causal.
            rows: in the first layer, the document of each page ``(N,)``.

        Returns:
            ``(N, T, D)``.
        """
        return self.finish(self.look_back(states, mask), self.cross(encoded), page_mask, rows)

    def look_back(self, states: Tensor, mask: Tensor | None = None) -> Tensor:
        """The self-attention; see :meth:`forward`."""
        attended = self.self_attn(states, self.self_attn.keys_values(states), mask, causal=mask is None)
        return self.add(states, attended, self.self_attn_layer_norm)

    def cross(self, encoded: Tensor) -> KeysValues:
        """Keys and values of pages, ``(N, H, S, D/H)`` each."""
        return self.encoder_attn.keys_values(encoded)

    def finish(self, states: Tensor, cross: KeysValues, page_mask: Tensor | None, rows: Tensor | None) -> Tensor:
        """Everything behind the self-attention.

        The first layer's self-attention sees only the summary, so it is computed once a document and copied to its
        pages (``rows``) here.
        """
        if rows is not None:
            states = states[rows]
        states = self.add(states, self.encoder_attn(states, cross, page_mask), self.encoder_attn_layer_norm)
        return self.feed_forward(states)


class PageSumStack(nn.Module):
    """Position embeddings, layers and the normalization of the embeddings: what encoder and decoder share."""

    def __init__(self, config: PageSumConfig, layer: type[PageSumLayer], layers: int) -> None:
        super().__init__()
        self.dropout = config.dropout
        self.embed_positions = nn.Embedding(config.max_position_embeddings + POSITION_OFFSET, config.d_model)
        self.layers = nn.ModuleList(layer(config) for _ in range(layers))
        self.layernorm_embedding = nn.LayerNorm(config.d_model)

    def embed(self, embedded: Tensor, first: int = 0) -> Tensor:
        """Add positions ``first``, ``first + 1``, … to word embeddings ``(rows, tokens, D)``."""
        begin = first + POSITION_OFFSET
        positions = self.embed_positions.weight[begin : begin + embedded.shape[1]]
        return F.dropout(self.layernorm_embedding(embedded + positions), self.dropout, self.training)


class PageSumJudge(nn.Module):
    """Judges sentences by the encoder's states of their marks, those of a whole document beside each other.

    It also tells how long a summary its author would write; that learns from what the judge sees, and changes nothing
    in it.
    """

    def __init__(self, config: PageSumConfig) -> None:
        super().__init__()
        self.places = nn.Embedding(2 * JUDGE_PLACES, config.d_model)
        self.layers = nn.ModuleList(PageSumEncoderLayer(config) for _ in range(config.judge_layers))
        self.out = nn.Linear(config.d_model, 2)
        self.length = nn.Linear(config.d_model, 1)

    def forward(self, states: Tensor, document: Tensor, part: Tensor) -> Tensor:
        """How likely each sentence is chosen for a summary, how much of it the summary says, and the summary's length.

        Args:
            states: ``(M, D)`` of the marks before headings and sentences, in order.
            document: ``(M,)``, whose each is, ascending: those of a cluster of documents are judged together.
            part: ``(M,)``, the same, but told apart within a cluster: their places are counted from its beginning.

        Returns:
            ``(M, 3)``: the first two before the sigmoid; the mean of the third over a document is the logarithm of the
            summary's tokens.
        """
        if not len(document):
            return states.new_zeros(0, 3)
        number, count = _numbered(part)
        share = JUDGE_PLACES + JUDGE_PLACES * number // count
        states = states + self.places(number.clamp(max=JUDGE_PLACES - 1)) + self.places(share)
        number, _ = _numbered(document)
        runs = torch.stack([document, number // JUDGED_TOGETHER])
        _, run, lengths = runs.unique_consecutive(dim=1, return_inverse=True, return_counts=True)
        place = number % JUDGED_TOGETHER
        together = states.new_zeros(len(lengths), int(lengths.max()), states.shape[-1])
        mask = torch.zeros(together.shape[:2], dtype=torch.bool, device=states.device)
        together[run, place], mask[run, place] = states, True
        for layer in self.layers:
            together = layer(together, mask[:, None, None])
        judged = together[run, place]
        return torch.cat([self.out(judged), self.length(judged.detach())], dim=-1)


class PageSumModel(nn.Module):
    """Shared word embeddings, encoder and decoder, under the names of the official checkpoints."""

    def __init__(self, config: PageSumConfig) -> None:
        super().__init__()
        self.scale = config.d_model**0.5 if config.scale_embedding else 1.0
        self.shared = nn.Embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = PageSumStack(config, PageSumEncoderLayer, config.encoder_layers)
        self.decoder = PageSumStack(config, PageSumDecoderLayer, config.decoder_layers)

    def encode(self, input_ids: Tensor, mask: Tensor) -> Tensor:
        """Pages ``(N, S)`` → states ``(N, S, D)``. Each page is read alone; positions begin anew."""
        states = self.encoder.embed(self.shared(input_ids) * self.scale)
        keys_mask = None if bool(mask.all()) else mask[:, None, None]
        for layer in self.encoder.layers:
            states = layer(states, keys_mask)
        return states

    def decode(self, decoder_input_ids: Tensor, decoder_mask: Tensor | None, encoded: Tensor, rows: PageRows) -> Tensor:
        """Summaries ``(B, T)`` → states of every page ``(N, T, D)``."""
        length = decoder_input_ids.shape[1]
        states = self.decoder.embed(self.shared(decoder_input_ids) * self.scale)
        mask = None
        if decoder_mask is not None and not bool(decoder_mask.all()):
            causal = torch.ones(length, length, dtype=torch.bool, device=states.device).tril()
            mask = causal & decoder_mask.bool()[:, None, None]
        page_mask = rows.keys_mask
        for number, layer in enumerate(self.decoder.layers):
            if number == 1 and mask is not None:
                mask = mask[rows.document]
            states = layer(states, encoded, page_mask, mask, rows.document if number == 0 else None)
        return states


class PageSumForConditionalGeneration(PreTrainedModel, GenerationMixin):
    """PageSum with its confidence layer and vocabulary projection.

    ``generate`` replaces Transformers' own: it mixes pages before the projection, keeps one copy of a page's
    cross-attention keys and values for all beams, and follows the original program's beam search.
    """

    config: PageSumConfig
    config_class = PageSumConfig
    base_model_prefix = "model"
    main_input_name = "input_ids"
    supports_gradient_checkpointing = True
    # The loss is the mean of a batch: Transformers' trainer divides it by the accumulation steps, as the original does.
    accepts_loss_kwargs = False
    _supports_sdpa = True
    _no_split_modules = ("PageSumEncoderLayer", "PageSumDecoderLayer")
    _tied_weights_keys = {"lm_head.weight": "model.shared.weight"}  # noqa: RUF012
    _keys_to_ignore_on_load_unexpected = (r"embed_tokens\.weight$",)
    _keys_to_ignore_on_load_missing = ("final_logits_bias",)

    def __init__(self, config: PageSumConfig) -> None:
        super().__init__(config)
        self.model = PageSumModel(config)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.lin = nn.Linear(config.d_model, 1)
        self.judge = PageSumJudge(config) if config.first_mark is not None else None
        self.register_buffer("final_logits_bias", torch.zeros(1, config.vocab_size))
        self.post_init()

    def get_input_embeddings(self) -> nn.Embedding:
        return self.model.shared

    def set_input_embeddings(self, value: nn.Embedding) -> None:
        self.model.shared = value

    def get_output_embeddings(self) -> nn.Linear:
        return self.lm_head

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if module is self:
            nn.init.zeros_(self.final_logits_bias)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        salience: Tensor | None = None,
        return_logits: bool = True,
        **_: Any,
    ) -> PageSumOutput:
        """One pass over documents and their summaries.

        With ``salience``, the documents' sentences are judged and nothing is written: the loss is that of the judge,
        to which labels only say how long the summary is.

        Args:
            input_ids: ``(B, P, S)``.
            attention_mask: ``(B, P, S)``; a page without any token is left out.
            decoder_input_ids: ``(B, T)``; by default the labels moved one to the right behind the start token.
            decoder_attention_mask: ``(B, T)``; 0 for padding, which stands behind a summary.
            labels: ``(B, T)``, the token expected at each place; -100 for none.
            salience: ``(J, 5)``, see :meth:`judge_losses`.
            return_logits: False to get the loss alone, for which the logits are never held in memory.

        Raises:
            ValueError: shapes that do not fit, a document without any token, or neither labels nor decoder_input_ids.
        """
        if salience is not None:
            tokens = None if labels is None else (labels != -100).sum(1) - 1  # without the end token
            found = self.judge_losses(*self._encode_rows(input_ids, attention_mask), salience, tokens)
            return PageSumOutput(loss=torch.stack(list(found.values())).sum())
        if decoder_input_ids is None:
            if labels is None:
                raise ValueError("decoder_input_ids or labels are needed")
            decoder_input_ids = shift_right(labels, self.config)
        # Gradients need what every page was computed from; without them a group's memory is free for the next one.
        most = None if torch.is_grad_enabled() else ENCODER_TOKENS_AT_ONCE
        rows, groups = PageRows.of(input_ids, attention_mask).by_length(most)
        states = [
            self.model.decode(
                decoder_input_ids, decoder_attention_mask, self.model.encode(group.input_ids, group.mask), group
            )
            for group in groups
        ]
        mixed, confidences, scores = self.mix(torch.cat(states), rows)
        if return_logits:
            logits = self.project(mixed)
            loss = None if labels is None else self.loss(logits, labels)
        else:
            logits, known = None, labels != -100
            head = self.lm_head.weight, self.final_logits_bias[0]
            loss = projected_cross_entropy(mixed[known], *head, labels[known], self.config.label_smoothing)
        return PageSumOutput(
            loss=loss,
            logits=logits,
            page_confidences=confidences.transpose(1, 2),
            page_scores=scores.transpose(1, 2),
        )

    def judgements(self, states: Tensor, rows: PageRows, row: Tensor) -> Tensor:
        """What the judge says of marks ``(M, 3)``, by their states ``(M, D)`` and the row of each ``(M,)``."""
        return self.judge(states, rows.document[row], self.parts(rows)[row])

    def parts(self, rows: PageRows) -> Tensor:
        """The document of each page, those of a cluster told apart, ``(N,)`` ascending."""
        is_first = rows.input_ids[:, 1] == self.config.first_mark
        is_first[1:] |= rows.document[1:] != rows.document[:-1]
        return is_first.cumsum(0)

    def marked(self, rows: PageRows) -> tuple[Tensor, Tensor]:
        """Row and place of each mark before a heading or sentence, ``(M,)`` each, in order."""
        first = self.config.first_mark
        is_mark = (rows.input_ids >= first + HEADING) & (rows.input_ids < first + MARKS) & rows.mask
        return is_mark.nonzero(as_tuple=True)

    def judge_losses(
        self, encoded: Tensor, rows: PageRows, salience: Tensor, tokens: Tensor | None = None
    ) -> dict[str, Tensor]:
        """What the judge is trained by.

        - *salience*: binary cross entropy, averaged over both judgements and over sentences. A document counts as the
          square root of how many sentences it has, so that long ones do not count for all.
        - *length*: half the deviance of gamma regression of the summary's tokens, averaged over documents, times
          ``LENGTH_LOSS``: what is told is the mean, and errors count in proportion to the length.

        Args:
            encoded: ``(N, S, D)``.
            rows: the pages.
            salience: ``(J, 5)``: document, page, place of its mark, whether it was chosen, its worth (0 to 1).
            tokens: of each document's summary ``(B,)``; None where they are not known.
        """
        row, place = self.marked(rows)
        scores = self.judgements(encoded[row, place], rows, row)
        number = torch.full((rows.batch, rows.pages, rows.mask.shape[1]), -1, device=row.device)
        number[rows.document[row], rows.page[row], place] = torch.arange(len(row), device=row.device)
        known = number[salience[:, :3].long().unbind(1)]
        judged, wanted = scores[known, :2].float(), salience[:, 3:]
        found = F.binary_cross_entropy_with_logits(judged, wanted, reduction="none").mean(-1)
        document = salience[:, 0].long()
        weights = document.bincount()[document].rsqrt()
        losses = {"salience": (weights * found).sum() / weights.sum().clamp(min=1)}
        if tokens is not None:
            most = self.config.max_position_embeddings
            errors = tokens.clamp(1, most).log() - self.lengths(scores, rows, row)
            losses["length"] = LENGTH_LOSS * (errors.exp() - 1 - errors).mean()
        return losses

    def lengths(self, judged: Tensor, rows: PageRows, row: Tensor) -> Tensor:
        """The logarithm of how many tokens each document's summary has ``(B,)``, by :meth:`judgements`."""
        document = rows.document[row]
        counts = document.bincount(minlength=rows.batch).clamp(min=1)
        return judged.new_zeros(rows.batch).float().index_add_(0, document, judged[:, 2].float()) / counts

    def _encode_rows(self, input_ids: Tensor, attention_mask: Tensor | None) -> tuple[Tensor, PageRows]:
        """The encoder's states of all pages ``(N, S, D)``."""
        rows = PageRows.of(input_ids, attention_mask)
        at_once = max(1, ENCODER_TOKENS_AT_ONCE // rows.mask.shape[1])
        parts = zip(rows.input_ids.split(at_once), rows.mask.split(at_once), strict=True)
        return torch.cat([self.model.encode(ids, mask) for ids, mask in parts]), rows

    def mix(self, states: Tensor, rows: PageRows) -> tuple[Tensor, Tensor, Tensor]:
        """Average the pages' states ``(N, T, D)`` by confidence (eq. 7–9).

        Returns:
            mixed states ``(B, T, D)``, confidences ``(B, P, T)``, scores before the softmax ``(B, P, T)``.
        """
        scores = rows.spread(self.lin(states).squeeze(-1).float(), float("-inf"))
        confidences = scores.softmax(dim=1)
        weighted = states * confidences[rows.document, rows.page].to(states.dtype).unsqueeze(-1)
        mixed = states.new_zeros(rows.batch, *states.shape[1:]).index_add_(0, rows.document, weighted)
        return mixed, confidences, scores

    def project(self, mixed: Tensor) -> Tensor:
        """States ``(..., D)`` → logits ``(..., V)``."""
        return self.lm_head(mixed) + self.final_logits_bias[0].to(mixed.dtype)

    def loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Cross entropy, smoothed over the whole vocabulary, averaged over the tokens that have a label (eq. 1)."""
        return F.cross_entropy(
            logits.flatten(0, -2).float(), labels.flatten(), label_smoothing=self.config.label_smoothing
        )

    @torch.no_grad()
    def generate(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        *,
        num_beams: int | None = None,
        max_length: int | None = None,
        min_length: int | None = None,
        no_repeat_ngram_size: int | None = None,
        length_penalty: float | None = None,
        early_stopping: bool | None = None,
        length_scale: float = 1.0,
        num_return_sequences: int = 1,
        on_encode: Callable[[int, int], None] | None = None,
        on_step: StepCallback | None = None,
    ) -> PageSumGeneration:
        """Write summaries. What is not given is taken from ``generation_config``.

        Args:
            input_ids: ``(B, P, S)``.
            attention_mask: ``(B, P, S)``; a page without any token is left out.
            num_beams: ``K``; 1 for greedy search.
            max_length: tokens at most, start and end token counted.
            min_length: no end before this many tokens, start token counted.
            no_repeat_ngram_size: no ``n``-gram twice; 0 for no such rule.
            length_penalty: above 1 favours longer summaries.
            early_stopping: stop at the first ``K`` finished summaries.
            length_scale: of a checkpoint that plans: how much longer than usual a summary is to be.
            num_return_sequences: ``n`` summaries of each document, at most ``K``.
            on_encode: called with how many pages have been read, and how many there are.
            on_step: called after each step.

        Raises:
            ValueError: lengths beyond the model's positions, or numbers that make no sense.
            PagesumError: the device's memory does not suffice.
        """
        defaults = self.generation_config
        num_beams = _first(num_beams, defaults.num_beams, 1)
        max_length = _first(max_length, defaults.max_length, 20)
        constraints = Constraints(
            max_length=max_length,
            min_length=_first(min_length, defaults.min_length, 0),
            no_repeat_ngram_size=_first(no_repeat_ngram_size, defaults.no_repeat_ngram_size, 0),
            eos_token_id=self.config.eos_token_id,
            forced_bos_token_id=defaults.forced_bos_token_id,
            forced_eos_token_id=defaults.forced_eos_token_id,
        )
        if not 2 <= max_length <= self.config.max_position_embeddings + 1:
            limit = self.config.max_position_embeddings + 1
            raise ValueError(f"max_length {max_length} where 2 to {limit} is possible")
        if not 1 <= num_return_sequences <= num_beams:
            raise ValueError(f"num_return_sequences {num_return_sequences} with {num_beams} beams")
        try:
            began = time.perf_counter()
            rows = PageRows.of(input_ids, attention_mask)
            self._check_memory(rows, num_beams, max_length)
            plan = PlanLength(constraints.min_length - 1, max_length - 2, length_scale) if self.config.plans else None
            scorer = PageScorer(self, rows, num_beams, on_encode, plan)
            encoded = time.perf_counter()
            start = torch.full((rows.batch,), self.config.decoder_start_token_id, device=input_ids.device)
            common = (constraints, self.config.pad_token_id)
            if scorer.plan is not None:
                found = scorer.say(scorer.plan, max_length, on_step)
                found = [one.repeat_interleave(num_return_sequences, dim=0) for one in found]
            elif num_beams == 1:
                found = greedy_search(scorer, start, rows.pages, *common, on_step)
            else:
                found = beam_search(
                    scorer,
                    start,
                    num_beams,
                    rows.pages,
                    *common,
                    length_penalty=_first(length_penalty, defaults.length_penalty, 1.0),
                    early_stopping=bool(_first(early_stopping, defaults.early_stopping, False)),
                    num_return_sequences=num_return_sequences,
                    on_step=on_step,
                )
        except torch.OutOfMemoryError as error:
            raise PagesumError(
                f"the device's memory does not hold {len(rows.document)} pages of {rows.mask.shape[1]} tokens "
                f"with {num_beams} beams",
                "use --beams 1, --dtype bfloat16, fewer pages (--max-pages), or --device cpu",
            ) from error
        return PageSumGeneration(*found, encoded - began, time.perf_counter() - encoded)

    def _check_memory(self, rows: PageRows, beams: int, max_length: int) -> None:
        """Refuse what a CPU's memory cannot hold: there, unlike on a GPU, the system would end the program midway."""
        if rows.mask.device.type != "cpu":
            return
        weight = self.model.shared.weight
        page = 2 * len(self.model.decoder.layers) * weight.shape[1] * weight.element_size()
        page *= rows.mask.shape[1] + beams * max_length  # keys and values of the page, and of the summary
        free = psutil.virtual_memory().available
        if page * len(rows.document) > free:
            raise PagesumError(
                f"{len(rows.document)} pages need {page * len(rows.document) / 2**30:.0f} GB of memory and "
                f"{free / 2**30:.0f} GB are free",
                f"--max-pages {int(0.8 * free / page)} reads as much as fits; --beams 1 needs less for each page",
            )


@dataclass(frozen=True)
class PlanLength:
    """How long a planned summary is to be: tokens of text at least and at most, and how much more than usual."""

    least: int
    most: int
    scale: float


class PageScorer:
    """Scores next tokens of ``K`` prefixes of each document, remembering what has been computed.

    One copy of each page's cross-attention keys and values serves all beams: a step attends with the beams as ``K``
    queries. Self-attention keys and values stay where they were written, one slot a step and beam; which slots belong
    to a beam's own history is kept as a mask, so that nothing is ever reordered.
    """

    def __init__(
        self,
        model: PageSumForConditionalGeneration,
        rows: PageRows,
        beams: int,
        on_encode: Callable[[int, int], None] | None = None,
        plan_length: PlanLength | None = None,
    ) -> None:
        """Read the pages.

        Args:
            model, rows, beams: what scores, the pages, ``K``.
            on_encode: called with how many pages have been read, and how many there are.
            plan_length: choose the most salient sentences of each document, of this length, and mark them as wanted.
        """
        self.model = model
        self.rows = rows
        self.beams = beams
        self.steps = 0
        pages, length = rows.mask.shape
        layers = model.model.decoder.layers
        heads = layers[0].encoder_attn.heads
        shape = (pages, heads, length, model.config.d_model // heads)
        dtype, device = model.model.shared.weight.dtype, rows.mask.device
        self.cross = [tuple(torch.zeros(shape, dtype=dtype, device=device) for _ in range(2)) for _ in layers]
        self.plan: list[list[int]] | None = None
        every = rows.mask.sum(-1).argsort(descending=True, stable=True)
        if plan_length is None:
            self._read(every, on_encode)
        else:
            row, place = model.marked(rows)
            number = torch.full(rows.mask.shape, -1, device=device)
            number[row, place] = torch.arange(len(row), device=device)
            states = torch.zeros(len(row), model.config.d_model, dtype=dtype, device=device)
            self._read(every, on_encode, (number, states))
            judged = model.judgements(states, rows, row)
            salience, usual = judged[:, :2].float().sum(-1), model.lengths(judged, rows, row).exp()
            self._read(self._plan(row.tolist(), place.tolist(), salience.tolist(), usual.tolist(), plan_length))
        self.page_mask = None if bool(rows.mask.all()) else rows.mask[:, None, None]
        self.own: list[KeysValues] = []
        self.capacity = 0
        device = rows.input_ids.device
        self.slots = torch.eye(beams, dtype=torch.bool, device=device)  # (K, K): a step's slot of each beam
        self.history = torch.zeros(rows.batch, beams, 0, beams, dtype=torch.bool, device=device)  # (B, K, steps, K)

    def _read(
        self,
        pages: Tensor,
        on_encode: Callable[[int, int], None] | None = None,
        marks: tuple[Tensor, Tensor] | None = None,
    ) -> None:
        """Each decoder layer's keys and values of some pages, a few pages at a time.

        Args:
            pages: their numbers; least is padded with the longest first.
            on_encode: see ``__init__``.
            marks: the number of each token that is a mark, -1 for others ``(N, S)``, and what gets the marks' states
                ``(M, D)``.
        """
        model, rows = self.model.model, self.rows
        at_once = max(1, ENCODER_TOKENS_AT_ONCE // rows.mask.shape[1])
        done = 0
        while done < len(pages):
            chosen = pages[done : done + at_once]
            try:
                longest = int(rows.mask[chosen].any(0).nonzero().max()) + 1
                encoded = model.encode(rows.input_ids[chosen, :longest], rows.mask[chosen, :longest])
                if marks is not None:
                    number = marks[0][chosen, :longest]
                    marks[1][number[number >= 0]] = encoded[number >= 0]
                for layer, (keys, values) in zip(model.decoder.layers, self.cross, strict=True):
                    keys[chosen, :, :longest], values[chosen, :, :longest] = layer.cross(encoded)
            except torch.OutOfMemoryError:
                if at_once == 1:
                    raise
                at_once //= 2
                torch.cuda.empty_cache()
                continue
            done += len(chosen)
            if on_encode is not None:
                on_encode(done, len(pages))

    def _plan(
        self, marked: list[int], places: list[int], salience: list[float], usual: list[float], length: PlanLength
    ) -> Tensor:
        """Mark the sentences that each document's summary is to say as wanted.

        Args:
            marked, places, salience: row, place and judgement of each mark, in order.
            usual: tokens of each document's summary.
            length: of the summaries.

        Returns:
            The pages that have a wanted sentence.
        """
        rows, first = self.rows, self.model.config.first_mark
        ids, lengths, document = rows.input_ids.tolist(), rows.mask.sum(-1).tolist(), rows.document.tolist()
        parts = self.model.parts(rows).tolist()
        found: list[list[tuple[float, int, int, list[int]]]] = [[] for _ in range(rows.batch)]
        for number, (row, place) in enumerate(zip(marked, places, strict=True)):
            is_last = number + 1 == len(marked) or marked[number + 1] != row
            following = lengths[row] - 1 if is_last else places[number + 1]  # without the end token
            found[document[row]].append((salience[number], row, place, ids[row][place + 1 : following]))
        wanted: list[int] = []
        self.plan = []
        for pieces, tokens in zip(found, usual, strict=True):
            # A document of headings alone says these.
            sentences = [one for one in pieces if ids[one[1]][one[2]] >= first + FIRST_RANK] or pieces
            own_parts = [parts[row] for _, row, _, _ in sentences]
            chosen = choose_sentences(
                [one[0] for one in sentences],
                [one[3] for one in sentences],
                length.most,
                usual=tokens,
                scale=length.scale,
                least=length.least,
                parts=own_parts if len(set(own_parts)) > 1 else None,
                ends=self.model.config.sentence_ends,
                pointing=Pointing(**self.model.config.pointing),
                count=MOST_WANTED,
            )
            texts = [sentences[number][3][: length.most - 1] for number in chosen]
            self.plan.append(said(texts, first + WANTED, self.model.config.eos_token_id))
            for order, number in enumerate(chosen):
                _, row, place, _ = sentences[number]
                rows.input_ids[row, place] = first + WANTED + order
                wanted.append(row)
        return torch.tensor(sorted(set(wanted)), dtype=torch.long, device=rows.mask.device)

    def say(
        self, summaries: Sequence[Sequence[int]], max_length: int, on_step: StepCallback | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """What a search returns, of summaries that are known beforehand: all their tokens in one pass.

        Args:
            summaries: token ids of each document, the end token last.
            max_length: tokens at most, the start token counted.
            on_step: told of the tokens while the pages are read, a few pages at a time.

        Returns:
            token ids ``(B, T + 1)``, zeros ``(B,)``, page confidences ``(B, T, P)`` (0 behind the end).
        """
        model, rows, config = self.model.model, self.rows, self.model.config
        each = [torch.tensor(summary, device=rows.mask.device) for summary in summaries]
        tokens = pad_sequence(each, batch_first=True, padding_value=config.pad_token_id)
        read, length = shift_right(tokens, config), tokens.shape[1]
        first, *others = model.decoder.layers
        states = model.decoder.embed(model.shared(read) * model.scale)  # (B, T, D)
        own = first.look_back(states)
        scores = torch.zeros(len(rows.document), length, device=tokens.device)
        at_once = max(1, ENCODER_TOKENS_AT_ONCE // length)
        told = 0
        for begin in range(0, len(scores), at_once):
            pages = slice(begin, begin + at_once)
            mask = None if self.page_mask is None else self.page_mask[pages]
            (keys, values), *cross = [(keys[pages], values[pages]) for keys, values in self.cross]
            states = first.finish(own, (keys, values), mask, rows.document[pages])
            for layer, keys_values in zip(others, cross, strict=True):
                states = layer.finish(layer.look_back(states), keys_values, mask, None)
            scores[pages] = self.model.lin(states).squeeze(-1).float()
            settled = length * min(begin + at_once, len(scores)) // len(scores)
            while on_step is not None and told < settled:
                on_step(told + 2, max_length, tokens[:, told])
                told += 1
        confidences = rows.spread(scores, float("-inf")).softmax(dim=1).transpose(1, 2)
        written = pad_sequence([torch.ones_like(one) for one in each], batch_first=True)
        confidences = confidences * written[..., None]
        return torch.cat([read[:, :1], tokens], dim=1), scores.new_zeros(len(summaries)), confidences

    def step(self, tokens: Tensor, parents: Tensor | None) -> tuple[Tensor, Tensor]:
        """See :class:`~pagesum_cli.decoding.scorer.Scorer`."""
        model, rows = self.model.model, self.rows
        if self.steps == self.capacity:
            self._grow()
        mask = self._own_slots(parents)
        embedded = model.shared(tokens.flatten())[:, None] * model.scale
        states = model.decoder.embed(embedded, self.steps).view(rows.batch, self.beams, -1)  # (B, K, D)
        first, last = self.steps, self.steps + 1
        for number, (layer, own, cross) in enumerate(zip(model.decoder.layers, self.own, self.cross, strict=True)):
            for slots, new in zip(own, layer.self_attn.keys_values(states), strict=True):
                slots[:, :, first] = new
            keys, values = (slots[:, :, :last].flatten(2, 3) for slots in own)
            own_mask = mask if mask is None or number == 0 else mask[rows.document]
            attended = layer.self_attn(states, (keys, values), own_mask)
            states = layer.add(states, attended, layer.self_attn_layer_norm)
            states = layer.finish(states, cross, self.page_mask, rows.document if number == 0 else None)
        self.steps += 1
        mixed, confidences, _ = self.model.mix(states, rows)  # (B, K, D), (B, P, K)
        return self.model.project(mixed), confidences.transpose(1, 2)

    def _own_slots(self, parents: Tensor | None) -> Tensor | None:
        """Which slots each beam may see, its new one included: ``(B, 1, K, (steps + 1)·K)``."""
        if self.beams == 1:
            return None
        if parents is not None:
            documents = torch.arange(self.rows.batch, device=parents.device)[:, None]
            self.history = self.history[documents, parents]
        now = self.slots[None, :, None].expand(self.rows.batch, -1, -1, -1)
        self.history = torch.cat([self.history, now], dim=2)
        return self.history.flatten(2)[:, None]

    def _grow(self) -> None:
        """Make room for as many steps again."""
        more = max(64, self.capacity)
        weight = self.model.model.shared.weight
        grown = []
        for number, layer in enumerate(self.model.model.decoder.layers):
            rows = self.rows.batch if number == 0 else len(self.rows.document)
            shape = (rows, layer.self_attn.heads, more, self.beams, weight.shape[1] // layer.self_attn.heads)
            room = [torch.empty(shape, dtype=weight.dtype, device=weight.device) for _ in range(2)]
            if self.own:
                room = [torch.cat(pair, dim=2) for pair in zip(self.own[number], room, strict=True)]
            grown.append(tuple(room))
        self.own = grown
        self.capacity += more


def shift_right(labels: Tensor, config: PageSumConfig) -> Tensor:
    """The decoder's input for labels ``(B, T)``: the start token, then each label but the last."""
    start = labels.new_full((labels.shape[0], 1), config.decoder_start_token_id)
    return torch.cat([start, labels[:, :-1].masked_fill(labels[:, :-1] == -100, config.pad_token_id)], dim=1)


def _numbered(groups: Tensor) -> tuple[Tensor, Tensor]:
    """The place of each in its group, from 0, and how many the group has, by ascending groups ``(M,)``."""
    counts = groups.bincount()
    return torch.arange(len(groups), device=groups.device) - (counts.cumsum(0) - counts)[groups], counts[groups]


def _first(*values: Any) -> Any:
    """The first value that is not None."""
    return next(value for value in values if value is not None)


AutoConfig.register(PageSumConfig.model_type, PageSumConfig, exist_ok=True)
AutoModelForSeq2SeqLM.register(PageSumConfig, PageSumForConditionalGeneration, exist_ok=True)
