"""Text generation that all generating families share."""

import time
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import torch
from torch import Tensor

from ..decoding.rules import Rule, standard_rules
from ..decoding.scorer import OnStep, Scorer
from ..decoding.search import beam_search, greedy_search
from ..decoding.sentences import SentenceRules, SentenceSearch
from ..errors import PagesumError, UsageError
from ..options import (
    STORED_OPTIONS,
    GenerationOptions,
    for_beams,
    from_stored,
    refuse_unused,
    searched,
    stored_form,
)
from ..summary.summary import Draft
from ..system import free_memory
from .base import Generation, OnEncode, Output, PageBatch, PageModel
from .tasks import Abstractive, Task

WORDS_PER_SENTENCE = 25
LAST_SENTENCE = 60  # tokens for the end of the last sentence, where a number of words is given


class GeneratingModel(PageModel):
    """A model that generates a summary token by token.

    Its configuration has ``generation``: the checkpoint's own settings under the names of
    Transformers (``num_beams``, ``max_length``, ``forced_bos_token_id`` …), those that Transformers
    does not have under ours (:data:`~pagesum_cli.options.STORED_OPTIONS`, ``unblocked_token_ids``),
    and ``decoder_start_token_id``.
    """

    generates: ClassVar[bool] = True
    tasks: ClassVar[tuple[Task, ...]] = (Abstractive(),)
    capabilities: ClassVar[frozenset[str]] = frozenset({"words", "sentences", "text", "beams"})
    # Names of the traces that its scorer returns, besides which there may be others. ``page`` holds
    # page confidences; ``attention`` ``(B, K, L)``, the distribution over the source's positions by
    # which words are copied (0 at padding), is what a coverage penalty reads (capability
    # ``attention``).
    traces: ClassVar[frozenset[str]] = frozenset({"page"})
    # whether its scorers are :class:`~pagesum_cli.decoding.sentences.SourceScorer`
    writes_by_sentence: ClassVar[bool] = False

    @abstractmethod
    def scorer(self, memory: Any, beams: int) -> Scorer:
        """A scorer of next tokens for ``K`` beams of each document.

        With the capability ``attention_temperature``, that is a third parameter: τ, which divides
        the scores of the cross-attention.
        """

    @abstractmethod
    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_logits: bool = True,
    ) -> Output:
        """Compute logits and page confidences of given summaries (teacher forcing)."""

    def decoder_inputs(self, decoder_input_ids: Tensor | None, labels: Tensor | None) -> Tensor:
        """What the decoder reads ``(B, T)``: by default the labels moved one to the right after the
        start token.
        """
        if decoder_input_ids is not None:
            return decoder_input_ids
        if labels is None:
            raise ValueError("decoder_input_ids or labels are needed")
        start = labels.new_full((labels.shape[0], 1), self.config.decoder_start_token_id)
        read = labels[:, :-1].masked_fill(labels[:, :-1] == -100, self.config.pad_token_id)
        return torch.cat([start, read], dim=1)

    @property
    def max_summary_tokens(self) -> int:
        """The longest summary that the model has positions for, special tokens not counted."""
        return self.config.max_position_embeddings - 1

    def page_memory_bytes(self, tokens: int, beams: int, max_length: int) -> int:
        """Memory that one page needs while a summary is generated; 0 where it is not known."""
        return 0

    def reading(self, options: GenerationOptions) -> Any:
        """How pages are read with filled-in options, for families that have options for it."""
        return None

    def final_traces(self, traces: dict[str, Tensor], memory: Any) -> dict[str, Tensor]:
        """The traces of finished summaries, by those of the steps that chose their tokens."""
        return traces

    def notes_on(self, batch: PageBatch) -> Sequence[tuple[str, ...]]:
        """What the user should know about how each document is read, one line each."""
        return [()] * len(batch.input_ids)

    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """Fill in the checkpoint's own values; the paper's where it has none.

        ``length``: ``short`` halves the minimum and maximum length; ``long`` doubles the maximum
        (as far as there are positions) and asks for at least the middle of the two. ``words`` and
        ``sentences`` ask for as many tokens as they need.
        """
        own, limit = from_stored(self.config.generation), self.max_summary_tokens
        own = for_beams(own, options.beams)
        own = own.changed(max_length=min(own.max_length or 1, limit))
        greedy = own if (options.beams or own.beams) == 1 else None
        refuse_unused(options, self.offers, f"a {self.config.model_type} model", greedy=greedy)
        low, high = own.min_length or 0, own.max_length or 1
        if words := options.words or WORDS_PER_SENTENCE * (options.sentences or 0):
            # More is generated than is kept: the summary ends after the sentence that comes
            # nearest.
            low, high = min(words, limit), min(2 * words + LAST_SENTENCE, limit)
            if words > limit:
                raise UsageError(
                    f"a summary of {words} words, but the model has positions for {limit} tokens"
                )
        if options.length == "short":
            low, high = low // 2, -(-high // 2)
        elif options.length == "long":
            low, high = (low + high) // 2, min(2 * high, limit)
        if options.max_length is not None:
            low, high = min(low, options.max_length), options.max_length
        if options.min_length is not None:
            low = options.min_length
            high = high if options.max_length is not None else min(max(low, high), limit)
        if high > limit:
            raise UsageError(f"--max-length {high}, but the model has positions for {limit} tokens")
        if low > high:
            raise UsageError(f"--min-length {low}, but the maximum is {high}")
        changes = {field.name: getattr(options, field.name) for field in STORED_OPTIONS}
        filled = own.changed(**{**changes, "min_length": low, "max_length": high})
        self._check(filled, self._unblocked_token_ids)
        return filled

    @property
    def _unblocked_token_ids(self) -> Sequence[int]:
        return self.config.generation.get("unblocked_token_ids") or ()

    def _check(self, options: GenerationOptions, unblocked_token_ids: Sequence[int]) -> None:
        """Check that the model can do what is asked, by a checkpoint's settings, too."""
        refuse_unused(options, self.offers, f"a {self.config.model_type} model")
        if options.blocking == "sentence" and not unblocked_token_ids:
            message = (
                "--blocking sentence, but the checkpoint does not state which tokens end a sentence"
            )
            hint = (
                "list their ids as unblocked_token_ids under generation in its config.json, "
                "or use --blocking ngram"
            )
            raise UsageError(message, hint)

    def draft(
        self,
        batch: PageBatch,
        options: GenerationOptions,
        on_encode: OnEncode | None = None,
        on_step: OnStep | None = None,
        sentences: SentenceRules | None = None,
    ) -> tuple[list[Draft], Generation]:
        """Generate one summary of each document, by filled-in options; of ``sentences``, see
        :meth:`generate`.
        """
        others: Any = {"importance": batch.importance, "on_encode": on_encode, "on_step": on_step}
        others |= {"reading": self.reading(options), "sentences": sentences}
        generation = self.generate(
            batch.input_ids, batch.attention_mask, **stored_form(options), **others
        )
        end = self.config.eos_token_id
        drafts = []
        results = zip(
            generation.sequences[:, 1:].tolist(),
            generation.page_confidences,
            self.notes_on(batch),
            strict=True,
        )
        for ids, confidences, notes in results:
            length = ids.index(end) if end in ids else len(ids)
            kept = min(length + 1, options.max_length or 1)
            rows = confidences[:kept].double().tolist()
            drafts.append(
                Draft(
                    rows,
                    tuple(ids[:kept]),
                    is_cut_off=length >= (options.max_length or 1),
                    notes=notes,
                )
            )
        return drafts, generation

    @torch.no_grad()
    def generate(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        *,
        unblocked_token_ids: Sequence[int] | None = None,
        num_return_sequences: int = 1,
        importance: Tensor | None = None,
        reading: Any = None,
        sentences: SentenceRules | None = None,
        on_encode: OnEncode | None = None,
        on_step: OnStep | None = None,
        **options: Any,
    ) -> Generation:
        """Generate summaries. What is not given is taken from ``config.generation``.

        Args:
            input_ids: ``(B, P, S)``.
            attention_mask: ``(B, P, S)``; a page without any token is left out.
            unblocked_token_ids: Tokens whose n-grams may repeat; if ``blocking`` is ``sentence``,
                those that end them.
            num_return_sequences: ``n`` summaries of each document, at most ``K``.
            importance: ``(B, P, S)``, see :class:`~pagesum_cli.models.base.PageBatch`.
            reading: See there, too; None for the checkpoint's own.
            sentences: Search sentence by sentence, see :mod:`~pagesum_cli.decoding.sentences`: one
                document, without beams, by a model that ``writes_by_sentence``.
            on_encode, on_step: Called with the progress.
            options: Those of :data:`~pagesum_cli.options.STORED_OPTIONS`, by their names in
                checkpoints: ``num_beams``, ``length_penalty`` … ``max_length`` and ``min_length``
                count the start and the end token.

        Raises:
            ValueError: Lengths beyond the model's positions, or values that contradict each other.
            UsageError, PagesumError: The model cannot do what is asked, or the device's memory does
            not suffice.
        """
        values = searched(options, self.config.generation)
        num_beams, max_length = values["num_beams"], values["max_length"]
        limit = self.config.max_position_embeddings + 1
        if not 2 <= max_length <= limit:
            raise ValueError(f"max_length {max_length}, expected 2 to {limit}")
        if not 1 <= num_return_sequences <= num_beams:
            raise ValueError(f"num_return_sequences {num_return_sequences} with {num_beams} beams")
        unblocked = (
            self._unblocked_token_ids if unblocked_token_ids is None else unblocked_token_ids
        )
        # lengths may contradict the checkpoint's
        self._check(from_stored({**values, "min_length": None}), unblocked)
        rules = self._rules(values, unblocked)
        temperature = values["attention_temperature"]
        ids = {"eos_token_id": self.config.eos_token_id, "pad_token_id": self.config.pad_token_id}
        common: dict[str, Any] = {**ids, "max_length": max_length, "on_step": on_step}
        began = time.perf_counter()
        try:
            self._check_memory(input_ids, num_beams, max_length)
            memory = self.encode(
                PageBatch(input_ids, attention_mask, importance=importance, reading=reading),
                on_encode,
            )
            sharpened = {} if temperature == 1 else {"attention_temperature": temperature}
            scorer = cast(Any, self).scorer(memory, num_beams, **sharpened)
            encoded = time.perf_counter()
            start = torch.full(
                (len(input_ids),), self.config.decoder_start_token_id, device=input_ids.device
            )
            if sentences is not None:
                search = SentenceSearch(cast(Any, scorer), rules, sentences, **common)
                result = search.result(start)
            elif num_beams == 1:
                result = greedy_search(scorer, start, rules, **common)
            else:
                result = beam_search(
                    scorer,
                    start,
                    num_beams,
                    rules,
                    length_penalty=values["length_penalty"],
                    early_stopping=values["early_stopping"],
                    length_normalization=values["length_normalization"],
                    num_return_sequences=num_return_sequences,
                    **common,
                )
        except torch.OutOfMemoryError as error:
            raise PagesumError(
                f"the device's memory does not hold "
                f"{input_ids.shape[0] * input_ids.shape[1]} parts of "
                f"{input_ids.shape[2]} tokens with {num_beams} beams",
                "use --beams 1, --dtype bfloat16, fewer parts (--max-pages), or --device cpu",
            ) from error
        seconds = encoded - began, time.perf_counter() - encoded
        traces = self.final_traces(result.traces, memory)
        return Generation(result.tokens, result.scores, traces["page"], *seconds, traces)

    def _rules(self, values: dict[str, Any], unblocked_token_ids: Sequence[int]) -> list[Rule]:
        stored = self.config.generation
        return standard_rules(
            values["max_length"],
            values["min_length"],
            values["no_repeat_ngram_size"],
            self.config.eos_token_id,
            stored.get("forced_bos_token_id"),
            stored.get("forced_eos_token_id"),
            unblocked_token_ids=unblocked_token_ids,
            between_sentences=values["blocking"] == "sentence",
            coverage_penalty=values["coverage_penalty"] if values["num_beams"] > 1 else 0.0,
        )

    def _check_memory(self, input_ids: Tensor, beams: int, max_length: int) -> None:
        """Refuse what a CPU's memory cannot hold: there, unlike on a GPU, the system would end the
        program midway.
        """
        if input_ids.device.type != "cpu":
            return
        pages = input_ids.shape[0] * input_ids.shape[1]
        page = self.page_memory_bytes(input_ids.shape[2], beams, max_length)
        free = free_memory()
        if page * pages > free:
            message = (
                f"{pages} parts need {page * pages / 2**30:.0f} GB of memory, "
                f"but {free / 2**30:.0f} GB are free"
            )
            hint = (
                f"--max-pages {int(0.8 * free / page)} reads as much as fits; --beams 1 needs "
                f"less for each part"
            )
            raise PagesumError(message, hint)
