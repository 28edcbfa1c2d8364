"""The extractive family: pages are encoded alone, all sentences scored beside each other, and the
best quoted.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...locality.flow import Pages
from ...options import GenerationOptions, refuse_unused, supported
from ...quoting.candidates import STUB, Candidate, level_of
from ...quoting.choice import ALONE, Choice, Selection, select_sentences
from ...quoting.eligibility import Eligibility, eligibility_of
from ...quoting.length import Target, target_of
from ...summary.summary import Draft
from ...text.sentences import sentence_spans
from ...tokenization import CONTROL_TOKENS, HEADING, PageTokenizer, SentenceSpan
from ..base import Choose, ModelConfig, OnEncode, PageBatch, SelectingModel
from ..layers.packed import can_pack, packed
from ..layers.packing import PackedPages, rounded_up
from ..layers.transformer import Encoder, EncoderLayer, embedding
from ..tasks import Task
from .focus import SHORT, WordVectors, focused
from .tasks import Extractive


@dataclass
class ExtractiveConfig(ModelConfig):
    """An encoder, and layers that score sentences."""

    model_type: ClassVar[str] = "extractive"

    encoder_layers: int = 6
    encoder_attention_heads: int = 12
    encoder_ffn_dim: int = 1536
    activation_function: str = "gelu"
    scoring_layers: int = 2  # layers that see all sentences of a document beside each other
    max_length: int = 446  # maximum number of tokens of a summary
    # τ of the page confidences: p(sentence) ∝ exp(score / τ), fitted on development documents
    temperature: float = 1.0

    def check(self) -> None:
        super().check()
        if self.first_control_token is None:
            raise ValueError(
                "first_control_token is null, expected the id of the first control token"
            )


# number of first sentences with an embedding each, and of equal parts of a document with one each
POSITIONS = 32
# maximum number of sentences scored beside each other, so that a long document takes linear time
RUN = 1024

# weight of the predicted length in the loss: its gradient reaches no other weights
LENGTH_WEIGHT = 0.01

FIRST_LENGTH = 200  # tokens of a summary, before anything is learned

# tokens encoded at a time at inference, by device: on a CPU, more leave its caches
ENCODER_TOKENS = {"cpu": 1024}
MORE_TOKENS = 8192  # on any other

ABSTRACT_BONUS = 3.0  # of a sentence of the abstract, which the author wrote as a summary
AIM_PENALTY = 3.0  # of one elsewhere that tells the aim again

UNSCORED = (0.0, 0.0)  # the logits of a heading that was read as the title

STUBS_NOTE = "no whole sentences were found to quote, so these are the best lines: {stubs} of {all}"


@dataclass(frozen=True)
class ExtractiveBatch(PageBatch):
    """Pages, and what selection reads beside them."""

    # What each sentence's words say about quoting it, by document, page and sentence
    eligibility: tuple[tuple[tuple[Eligibility, ...], ...], ...] = ()
    # the tokens of each sentence that the reader knows, by document
    known: tuple[tuple[tuple[int, ...], ...], ...] = ()
    pages: tuple[Pages, ...] = ()  # what the documents were cut into; needed for a focus
    tokenizer: PageTokenizer | None = None  # made the token ids; needed for a focus

    def is_chosen(self, document: int) -> bool:
        """Whether only chosen sections or pages of a document are read."""
        return any(pages.is_chosen for pages in self.pages[document : document + 1])


@dataclass
class ExtractiveOutput:
    """What one pass returns."""

    loss: Tensor | None  # where labels were given
    scores: Tensor  # ``(M, 3)``; see :meth:`SentenceScorer.forward`
    losses: dict[str, Tensor]  # the parts of the loss, by name


@dataclass(frozen=True)
class SentenceMemory:
    """Encoded sentences and headings."""

    scores: Tensor  # ``(M, 3)``, in order
    # row, place: ``(M,)``: the row of its page, and the position of its control token
    row: Tensor
    place: Tensor
    pages: PackedPages  # the pages
    parts: Tensor  # ``(N,)``: the document of each page, numbered within clusters too
    states: Tensor  # ``(M, D)``, of their control tokens, in order


class SentenceScorer(nn.Module):
    """Scores sentences by the encoder's states of their control tokens, those of a whole document
    beside each other.

    It also predicts how long a summary the document's author would write, from states that this
    does not change.
    """

    def __init__(self, config: ExtractiveConfig) -> None:
        super().__init__()
        self.places = embedding(2 * POSITIONS, config.d_model)
        self.layers = nn.ModuleList(
            EncoderLayer(config, config.encoder_attention_heads, config.encoder_ffn_dim)
            for _ in range(config.scoring_layers)
        )
        self.out = nn.Linear(config.d_model, 2)
        self.length = nn.Linear(config.d_model, 1)

    def forward(self, states: Tensor, document: Tensor, part: Tensor) -> Tensor:
        """Score the states ``(M, D)`` of the control tokens of headings and sentences, in order →
        logits ``(M, 3)``.

        They are whether the sentence is selected, and how much of it is in the summary; the mean of
        the third over a document is the logarithm of the number of the summary's tokens.
        ``document`` ``(M,)`` ascends: sentences of a cluster are scored together. In ``part`` each
        document of a cluster has its own number, from whose beginning positions count.
        """
        if not len(document):
            return states.new_zeros(0, 3)
        number, count = _numbered(part)
        share = POSITIONS + POSITIONS * number // count
        states = states + self.places(number.clamp(max=POSITIONS - 1)) + self.places(share)
        number, _ = _numbered(document)
        runs = torch.stack([document, number // RUN])
        _, run, lengths = runs.unique_consecutive(dim=1, return_inverse=True, return_counts=True)
        place = number % RUN
        together = states.new_zeros(len(lengths), rounded_up(int(lengths.max())), states.shape[-1])
        mask = torch.zeros(together.shape[:2], dtype=torch.bool, device=states.device)
        together[run, place], mask[run, place] = states, True
        keys_mask = None if bool(mask.all()) else mask[:, None, None]
        for layer in self.layers:
            together = layer(together, keys_mask)
        scored = together[run, place]
        return torch.cat([self.out(scored), self.length(scored.detach())], dim=-1)


class ExtractiveModel(SelectingModel):
    """An encoder with a :class:`SentenceScorer`. Quotes come from the source text, so there is no
    decoder.
    """

    config_class: ClassVar[type[ModelConfig]] = ExtractiveConfig
    tasks: ClassVar[tuple[Task, ...]] = (Extractive(),)
    batch_class: ClassVar[type[ExtractiveBatch]] = ExtractiveBatch
    config: ExtractiveConfig

    def __init__(self, config: ExtractiveConfig) -> None:
        super().__init__(config)
        self.shared = embedding(config.vocab_size, config.d_model, config.pad_token_id)
        self.encoder = Encoder(config)
        self.scoring = SentenceScorer(config)
        self._packed: list[Encoder] = []  # in a list, so that it is no part of the model's state
        self.init_weights()

    def reset_head(self) -> None:
        """Positions do not count, and every summary has :data:`FIRST_LENGTH` tokens."""
        nn.init.zeros_(self.scoring.places.weight)
        nn.init.zeros_(self.scoring.length.weight)
        nn.init.constant_(self.scoring.length.bias, math.log(FIRST_LENGTH))

    @property
    def keeps_states(self) -> bool:
        return not any(
            weight.requires_grad
            for part in (self.shared, self.encoder)
            for weight in part.parameters()
        )

    def pack_weights(self) -> None:
        if can_pack(self.shared.weight) and not self._packed:
            self._packed = [packed(self.encoder, fuse=False)]

    def trainable_parameters(self, head_only: bool) -> list[nn.Parameter]:
        return list(self.scoring.parameters() if head_only else self.parameters())

    def adopt(self, settings: Any, tokenizer: PageTokenizer, start: ModelConfig | None) -> None:
        self.config.max_length = settings.max_length

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> ExtractiveBatch:
        batch = super().prepare(tokenizer, documents, page_tokens, spaced)
        eligibility = tuple(eligibility_of(pages.pages) for pages in documents)
        known = tuple(_tokens_of_sentences(tokenizer, pages.known) for pages in documents)
        tensors = (batch.input_ids, batch.attention_mask, batch.encoded)
        return ExtractiveBatch(*tensors, eligibility, known, tuple(documents), tokenizer)

    def encode(
        self, batch: PageBatch, on_encode: OnEncode | None = None, states: Tensor | None = None
    ) -> SentenceMemory:
        """Encode the pages, unless the ``states`` are known, and score their headings and
        sentences.
        """
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        row, place = self.scored_places(pages)
        states = (
            self._states(pages, row, place, on_encode) if states is None else states.to(self.dtype)
        )
        parts = self._parts(pages)
        scores = self._score(states, row, pages, parts)
        return SentenceMemory(scores, row, place, pages, parts, states)

    def scored_places(self, pages: PackedPages) -> tuple[Tensor, Tensor]:
        """Row and position ``(M,)`` of the control tokens of what is scored: headings and
        sentences.
        """
        first = self.config.first_control_token or 0
        ids = pages.input_ids
        is_control = (ids >= first + HEADING) & (ids < first + CONTROL_TOKENS) & pages.mask
        row, place = is_control.nonzero(as_tuple=True)
        return row, place

    def _score(self, states: Tensor, row: Tensor, pages: PackedPages, parts: Tensor) -> Tensor:
        """The scores ``(M, 3)`` of headings and sentences, each on the page of its ``row``."""
        return self.scoring(states, pages.document[row], parts[row])

    def _states(
        self, pages: PackedPages, row: Tensor, place: Tensor, on_encode: OnEncode | None
    ) -> Tensor:
        number = torch.full(pages.mask.shape, -1, device=row.device)
        number[row, place] = torch.arange(len(row), device=row.device)
        order, encodings = [], []
        done = 0
        (encoder,) = self._packed or [self.encoder]
        limit = ENCODER_TOKENS.get(self.device.type, MORE_TOKENS)
        for rows in pages.by_length(None if torch.is_grad_enabled() else limit):
            group = pages.take(rows)
            if not torch.is_grad_enabled():
                group = group.rounded(self.config.max_position_embeddings)
            numbers = number[rows, : group.mask.shape[1]]
            # sentences of a page
            most = min(rounded_up(int((numbers >= 0).sum(1).max())), numbers.shape[1])
            numbers, places = numbers.topk(most)
            encoded = encoder(self.shared(group.input_ids), group.mask, places)
            order.append(numbers[numbers >= 0])
            encodings.append(encoded[numbers >= 0])
            done += len(rows)
            if on_encode is not None:
                on_encode(done, len(pages))
        return torch.cat(encodings)[torch.cat(order).argsort()]

    def _parts(self, pages: PackedPages) -> Tensor:
        is_first = pages.input_ids[:, 1].eq(self.config.first_control_token or 0)
        is_first[1:] |= pages.document[1:] != pages.document[:-1]
        return is_first.cumsum(0)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        sentence_labels: Tensor | None = None,
        summary_tokens: Tensor | None = None,
        states: Tensor | None = None,
        **_: Any,
    ) -> ExtractiveOutput:
        """Score all sentences, and compare them with labels.

        - *sentences*: binary cross entropy, averaged over both scores and over sentences. A
          document weighs as much as the square root of its number of sentences, so that long ones
          do not dominate.
        - *length*: half the deviance of a gamma regression of the summary's tokens, averaged over
          documents, times ``LENGTH_WEIGHT``: what is predicted is the mean, and errors count in
          proportion to the length.

        Args:
            sentence_labels: ``(J, 5)``: document, page, position of the control token, whether the
                sentence was selected, how much of it is in the summary (0 to 1).
            summary_tokens: ``(B,)``, of each document's summary; None where they are not known.
            states: ``(M, D)``, as in :class:`SentenceMemory`; None to compute them.
        """
        memory = self.encode(PageBatch(input_ids, attention_mask), states=states)
        losses: dict[str, Tensor] = {}
        if sentence_labels is not None:
            losses["sentences"] = self._sentence_loss(memory, sentence_labels)
        if summary_tokens is not None:
            lengths = self.log_lengths(memory, memory.pages.document)
            errors = summary_tokens.clamp(1, self.config.max_position_embeddings).log() - lengths
            losses["length"] = LENGTH_WEIGHT * (errors.exp() - 1 - errors).mean()
        loss = torch.stack(list(losses.values())).sum() if losses else None
        return ExtractiveOutput(loss, memory.scores, losses)

    def _sentence_loss(self, memory: SentenceMemory, labels: Tensor) -> Tensor:
        known = self.numbers_of(memory, labels)
        errors = F.binary_cross_entropy_with_logits(
            memory.scores[known, :2].float(), labels[:, 3:].float(), reduction="none"
        ).mean(-1)
        document = labels[:, 0].long()
        weights = document.bincount()[document].rsqrt()
        return (weights * errors).sum() / weights.sum().clamp(min=1)

    def numbers_of(self, memory: SentenceMemory, labels: Tensor) -> Tensor:
        """The numbers ``(J,)`` of labelled sentences in the memory, by document, page and position
        of their tokens.
        """
        pages = memory.pages
        number = torch.full(
            (pages.batch, pages.pages, pages.mask.shape[1]), -1, device=labels.device
        )
        number[pages.document[memory.row], pages.page[memory.row], memory.place] = torch.arange(
            len(memory.row), device=labels.device
        )
        return number[labels[:, :3].long().unbind(1)]

    def log_lengths(self, memory: SentenceMemory, groups: Tensor) -> Tensor:
        """The logarithm of the predicted number of tokens of a summary of each group of pages."""
        group = groups[memory.row]
        count = int(groups[-1]) + 1
        counts = group.bincount(minlength=count).clamp(min=1)
        sums = torch.zeros(count, device=group.device)
        return sums.index_add_(0, group, memory.scores[:, 2].float()) / counts

    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """The same, without values that have no effect: the length is predicted for each
        document.
        """
        refuse_unused(options, self.offers, "an extractive model")
        return supported(options, self.offers)

    @torch.no_grad()
    def select(
        self, batch: PageBatch, options: GenerationOptions, on_encode: OnEncode | None = None
    ) -> list[Draft]:
        assert isinstance(batch, ExtractiveBatch)
        memory = self.encode(batch, on_encode)
        lengths = self.log_lengths(memory, memory.parts).exp().tolist()
        return [
            self._draft_of(batch, number, candidates, lengths, options)
            for number, candidates in enumerate(self._candidates(batch, memory))
        ]

    def _draft_of(
        self,
        batch: ExtractiveBatch,
        document: int,
        candidates: list[Candidate],
        lengths: Sequence[float],
        options: GenerationOptions,
    ) -> Draft:
        """The quotes of one document, or cluster of documents."""
        predicted = [lengths[part] for part in sorted({item.document for item in candidates})]
        target = target_of(options, predicted, candidates, self.config.max_length)
        notes: list[str] = []
        if options.focus is not None and batch.tokenizer is not None:
            cut = batch.pages[document].pages
            sentences = [cut[item.page].sentences[item.sentence] for item in candidates]
            vectors = WordVectors(self.shared.weight, batch.tokenizer)
            candidates, notes = focused(candidates, sentences, options.focus, vectors)
        known = batch.known[document] if batch.known else ()
        pages = len(batch.encoded[document])
        selection = Selection(candidates, pages, self.config.temperature, known)
        is_usual = options.focus is None and options.length != "short"
        is_usual = is_usual and not batch.is_chosen(document)
        choices = select_sentences(selection, target, whole_abstract=is_usual)
        selected = [candidates[number] for number in selection.selected]
        notes += _notes(selected, target, options.focus if not notes else None)
        spare = math.inf if options.sentences is not None else target.spare_words(selected)
        return replace(_draft(candidates, choices, spare), notes=tuple(notes))

    @torch.no_grad()
    def quote(self, batch: PageBatch, choose: Choose) -> Draft:
        (candidates,) = self._candidates(batch, self.encode(batch))
        numbers = {(item.page, item.sentence): number for number, item in enumerate(candidates)}
        chosen = choose({place: candidates[number].score for place, number in numbers.items()})
        selection = Selection(candidates, len(batch.encoded[0]), self.config.temperature)
        selection.apart = True
        return _draft(candidates, [selection.choose(numbers[place]) for place in chosen])

    def scored(
        self, candidate: Candidate, rules: Eligibility, first: float, second: float
    ) -> Candidate:
        """A candidate with its score, from the two logits of its sentence; sentences of an
        abstract count more, and those that tell the aim again elsewhere count less.
        """
        bonus = ABSTRACT_BONUS * rules.is_abstract - AIM_PENALTY * rules.repeats_aim
        return replace(candidate, score=first + second + bonus)

    def _candidates(self, batch: Any, memory: SentenceMemory) -> list[list[Candidate]]:
        places = zip(memory.row.tolist(), memory.place.tolist(), strict=True)
        scores = dict(zip(places, memory.scores[:, :2].tolist(), strict=True))
        parts = memory.parts.tolist()
        documents: list[list[Candidate]] = []
        row = 0
        for document, eligibility in zip(batch.encoded, batch.eligibility, strict=True):
            pieces: list[tuple[bool, Candidate]] = []  # whether it is quotable, and it
            for number, (page, rules) in enumerate(zip(document, eligibility, strict=True)):
                for span in page.spans:
                    if span.sentence >= 0:
                        own = rules[span.sentence]
                        candidate = _candidate(number, page.ids, span, parts[row], own)
                        score = scores.get((row, span.start), UNSCORED)
                        pieces.append((own.is_quotable, self.scored(candidate, own, *score)))
                row += 1
            sentences = [candidate for is_quotable, candidate in pieces if is_quotable]
            documents.append(sentences or [candidate for _, candidate in pieces])
        return documents


def _tokens_of_sentences(tokenizer: PageTokenizer, text: str) -> tuple[tuple[int, ...], ...]:
    """The token ids of each sentence of a text."""
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    return tuple(tuple(tokenizer.encode(f" {sentence}")[1:-1]) for sentence in sentences)


def _candidate(
    page: int, ids: Sequence[int], span: SentenceSpan, part: int, rules: Eligibility
) -> Candidate:
    """A sentence without its score."""
    tokens = tuple(ids[span.start + 1 : span.end])
    return Candidate(
        page=page,
        sentence=span.sentence,
        tokens=tokens,
        score=0.0,
        alone=1 - rules.needs_context,
        words=rules.words,
        citation_words=rules.citation_words,
        document=part,
        level=level_of(tokens, is_whole=rules.is_whole and rules.is_content),
        follows=rules.follows,
        is_abstract=rules.is_abstract,
    )


def _notes(selected: Sequence[Candidate], target: Target, focus: str | None) -> Iterator[str]:
    """What is unusual about a selection."""
    is_short = not target.is_exact and target.size_of(selected) < SHORT * target.length
    if focus is not None and is_short:
        yield f"shorter than usual: no other sentence is about {focus!r}"
    if stubs := sum(item.level == STUB for item in selected):
        yield STUBS_NOTE.format(stubs=stubs, all=len(selected))


def _draft(
    candidates: Sequence[Candidate], choices: Sequence[Choice], spare: float = math.inf
) -> Draft:
    """The choices, and which of them bring their citations, as far as the ``spare`` words allow."""
    chosen = [candidates[choice.candidate] for choice in choices]
    with_citations = []
    for item in chosen:
        with_citations.append(item.citation_words <= spare)
        spare -= item.citation_words * with_citations[-1]
    return Draft(
        page_confidences=[choice.page_confidences.tolist() for choice in choices],
        sentences=tuple((item.page, item.sentence) for item in chosen),
        needs_context=tuple(item.alone < ALONE for item in chosen),
        with_citations=tuple(with_citations),
    )


def _numbered(groups: Tensor) -> tuple[Tensor, Tensor]:
    """The place of each in its group, from 0, and the size of its group, by ascending groups
    ``(M,)``.
    """
    counts = groups.bincount()
    return torch.arange(len(groups), device=groups.device) - (counts.cumsum(0) - counts)[
        groups
    ], counts[groups]
