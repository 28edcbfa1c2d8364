"""A decoder-only language model that reads a document page by page and writes one summary."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from ...errors import PagesumError
from ...locality.flow import Pages
from ...options import GenerationOptions
from ...tokenization import EncodedPage, PageTokenizer
from ..base import OnEncode, Output, PageBatch
from ..configuration import ModelConfig
from ..generation import GeneratingModel
from ..layers.packing import PackedPages
from ..tasks import Task
from .configuration import CausalConfig
from .files import confidence_in, save_confidence, save_settings
from .loading import load, quiet
from .mixing import PageRule, filtered, shares_of, smoothed
from .prompts import prompt_of
from .scorer import NO_PAGE, CausalScorer, Memory, Reading

if TYPE_CHECKING:
    from transformers.cache_utils import Cache

TOKENS_AT_ONCE = 8  # of a given summary whose distributions are mixed together


class CausalModel(GeneratingModel):
    """A language model of Transformers, its tokenizer for prompts, and a confidence layer.

    A new confidence layer gives all pages the same score.
    """

    config_class: ClassVar[type[ModelConfig]] = CausalConfig
    tasks: ClassVar[tuple[Task, ...]] = ()
    capabilities: ClassVar[frozenset[str]] = GeneratingModel.capabilities | {"prompt"}
    writes_by_sentence: ClassVar[bool] = True
    config: CausalConfig

    def __init__(self, config: CausalConfig, language_model: Any, chat: Any) -> None:
        super().__init__(config)
        self.language_model = language_model
        self.chat = chat
        width = language_model.get_output_embeddings().weight.shape[1]
        self.confidence = nn.Linear(width, 1)
        nn.init.zeros_(self.confidence.weight)
        nn.init.zeros_(self.confidence.bias)

    @classmethod
    def read(
        cls, folder: Path, settings: dict[str, Any], device: torch.device, dtype: torch.dtype
    ) -> "CausalModel":
        """Load a folder of Transformers, with the settings that are beside it."""
        config = CausalConfig.from_dict(settings)
        language_model, chat = load(folder, device, dtype)
        if chat.eos_token_id is not None and chat.eos_token_id not in config.end_token_ids:
            config.end_token_ids = [*config.end_token_ids, chat.eos_token_id]
        model = cls(config, language_model, chat)
        if weights := confidence_in(folder):
            model.confidence.load_state_dict(weights)
        return model

    def save_pretrained(self, folder: Path | str) -> None:
        """Write the language model as Transformers does, and beside it what it does not have."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with quiet():
            self.language_model.save_pretrained(folder)
        self.chat.save_pretrained(folder)
        self.save_config(folder)
        if self.config.trained_confidence:
            save_confidence(dict(self.confidence.state_dict()), folder)

    def save_config(self, folder: Path | str) -> None:
        save_settings(self.config, Path(folder))

    def enable_gradient_checkpointing(self) -> None:
        self.language_model.gradient_checkpointing_enable()

    # Reading

    def reading(self, options: GenerationOptions | None = None) -> Reading:
        """How documents are read with filled-in options; by default as the checkpoint says."""
        options = options or GenerationOptions()
        config = self.config
        rule = PageRule(
            options.page_rule or config.page_rule,
            config.switching if options.switching is None else options.switching,
            config.contrast if options.contrast is None else options.contrast,
        )
        return Reading(prompt_of(self.chat, config, options.instruction), rule)

    def generation_options(self, options: GenerationOptions) -> GenerationOptions:
        """Fill in the checkpoint's own values, those of prompt and pages too."""
        config = self.config
        own = {
            "instruction": options.instruction or config.instruction,
            "page_rule": options.page_rule or config.page_rule,
            "switching": config.switching if options.switching is None else options.switching,
            "contrast": config.contrast if options.contrast is None else options.contrast,
        }
        return super().generation_options(options).changed(**own)

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> PageBatch:
        """Pages as token ids of their text; the prompt is put around them later."""
        encoded = tuple(
            tuple(tokenizer.encode_pages(pages, page_tokens, spaced=False)) for pages in documents
        )
        return self.batch(encoded)

    def batch(self, encoded: Sequence[Sequence[EncodedPage]]) -> PageBatch:
        # a page without a token would be none: it holds a line break
        blank = EncodedPage(list(self.chat("\n", add_special_tokens=False)["input_ids"]))
        whole = [[page if page.ids else blank for page in document] for document in encoded]
        return super().batch(whole)

    @torch.no_grad()
    def encode(self, batch: PageBatch, on_encode: OnEncode | None = None) -> Memory:
        """Read each page in its prompt; what stands before the page is read once."""
        from .cache import PromptCache, continued

        reading = batch.reading or self.reading()
        pages = PackedPages.pack(batch.input_ids, batch.attention_mask)
        texts, documents = self._texts(pages, reading)
        before, after = reading.prompt.before, reading.prompt.after
        length = len(reading.prompt) + max(map(len, texts))
        cache = PromptCache(len(texts), length)
        prefix = continued(None) if before else None
        if prefix is not None:
            self._run(self._tensor([before]), prefix)
        logits, confidences, lengths = [], [], []
        for row, text in enumerate(texts):
            own = continued(prefix)
            ids = self._tensor([[*text, *after]])
            last, scores = self._run(ids, own, start=len(before))
            cache.put(row, own)
            logits.append(last[0, -1])
            confidences.append(scores[0, -1])
            lengths.append(len(before) + ids.shape[1])
            if on_encode is not None:
                on_encode(min(row + 1, len(pages)), len(pages))
        return Memory(
            pages,
            reading,
            cache,
            documents,
            torch.tensor(lengths, device=self.device),
            torch.stack(logits),
            torch.stack(confidences),
        )

    def _texts(self, pages: PackedPages, reading: Reading) -> tuple[list[list[int]], Tensor]:
        """The token ids of each page, and with contrast nothing for each document; the document of
        each.
        """
        rows = zip(pages.input_ids.tolist(), pages.mask.tolist(), strict=True)
        texts = [[one for one, is_token in zip(*row, strict=True) if is_token] for row in rows]
        documents = pages.document
        if reading.rule.contrast:
            texts += [[]] * pages.batch
            every = torch.arange(pages.batch, device=documents.device)
            documents = torch.cat([documents, every])
        if not (len(reading.prompt.after) or all(texts)):
            raise PagesumError(
                "the prompt ends with the page, which contrast leaves out",
                "write an instruction with words after the page",
            )
        return texts, documents

    def _tensor(self, ids: Sequence[Sequence[int]]) -> Tensor:
        return torch.tensor(ids, device=self.device)

    def _run(
        self, ids: Tensor, cache: "Cache | None", start: int = 0, keep: int = 1
    ) -> tuple[Tensor, Tensor]:
        """Read token ids ``(R, L)`` after ``start`` others: logits ``(R, keep, V)`` and confidence
        scores ``(R, keep)`` of the last ones.
        """
        places = torch.arange(start, start + ids.shape[1], device=ids.device)[None]
        return self.run(
            input_ids=ids,
            position_ids=places.expand_as(ids),
            past_key_values=cache,
            use_cache=cache is not None,
            logits_to_keep=keep,
        )

    def run(self, **inputs: Any) -> tuple[Tensor, Tensor]:
        """Run the language model: logits and scores of the confidence layer."""
        with self._states() as states:
            logits = self.language_model(**inputs).logits
        return logits, self.confidence(states[-1]).squeeze(-1).float()

    @contextmanager
    def _states(self) -> Iterator[list[Tensor]]:
        """Collect the states that the vocabulary projection gets."""
        found: list[Tensor] = []
        projection = self.language_model.get_output_embeddings()
        handle = projection.register_forward_pre_hook(lambda _, given: found.append(given[0]))
        try:
            yield found
        finally:
            handle.remove()

    def ended(self, scores: Tensor) -> Tensor:
        """Log probabilities with those of all tokens that end a summary put together."""
        ends = [number for number in self.config.end_token_ids if number < scores.shape[-1]]
        if len(ends) < 2:
            return scores
        together = scores[..., ends].logsumexp(dim=-1)
        scores = scores.clone()
        scores[..., ends] = NO_PAGE
        scores[..., self.config.eos_token_id] = together
        return scores

    # Teacher forcing

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        return_logits: bool = True,
        reading: Reading | None = None,
        has_end: bool = False,
        **_: Any,
    ) -> Output:
        """Compute the mixture's log probabilities and the posterior of the pages of given
        summaries.

        Args:
            input_ids, attention_mask: ``(B, P, S)``, pages without their prompt.
            decoder_input_ids: ``(B, T)``; the first token stands for the beginning and is not read.
            decoder_attention_mask: Not needed: padding stands after a summary.
            labels: ``(B, T)``, the token expected at each place; -100 for none.
            return_logits: False to get the loss alone, which needs no distribution of the mixture.
            reading: Prompt and rule; by default the checkpoint's own.
            has_end: Whether the end is expected after the labels, too.

        The loss is the mean negative log likelihood of the labels under the mixture: of a hidden
        Markov model its forward likelihood. ``page_confidences`` are those given all tokens that
        are known.
        """
        if has_end and labels is not None:
            labels = _ended(labels, self.config.eos_token_id)
        decoder_input_ids = self.decoder_inputs(decoder_input_ids, labels)
        reading = reading or self.reading()
        rule = reading.rule
        pages = PackedPages.pack(input_ids, attention_mask)
        targets, is_known = _targets(decoder_input_ids, labels)
        keeps_logits = return_logits or bool(rule.contrast) or not rule.has_posterior
        found = [
            self._scored_summary(ids, targets[document], keeps_logits)
            for document, ids in self._summary_prompts(pages, reading, decoder_input_ids)
        ]
        of_targets, confidences, logits = zip(*found, strict=True)
        count = len(pages)
        scores = pages.unpack(torch.stack(confidences[:count]), NO_PAGE)
        target_scores = pages.unpack(torch.stack(of_targets[:count]), NO_PAGE)  # (B, P, T)
        # a token that is not known changes nothing
        unknown = (~is_known)[:, None] & (target_scores != NO_PAGE)
        target_scores = target_scores.masked_fill(unknown, 0.0)
        shares = shares_of(scores)
        weights, posteriors = filtered(rule, shares, target_scores)
        mixed = loss = None
        if keeps_logits:
            mixed = self._mixed(torch.stack(logits), weights, pages, rule)
            likelihood = mixed.gather(-1, targets[..., None])[..., 0]
        else:
            likelihood = rule.mixed(weights, target_scores[..., None])[..., 0]
        if labels is not None:
            loss = -likelihood[labels != -100].mean()
        confidences_after = smoothed(rule, shares, weights, posteriors).transpose(1, 2)
        return Output(loss, mixed if return_logits else None, confidences_after, scores.mT)

    def _scored_summary(
        self, ids: Tensor, targets: Tensor, keeps_logits: bool
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The same as :meth:`_scored`; without logits, whose tensor is then empty, a page's
        distributions are computed again for the gradient and not kept.
        """
        if keeps_logits:
            return self._scored(ids, targets)
        scores, confidences = checkpoint(self._known, ids, targets, use_reentrant=False)
        return scores, confidences, scores.new_empty(0)

    def _known(self, ids: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        return self._scored(ids, targets)[:2]

    def _scored(self, ids: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of a prompt with its summary, the log probabilities of the targets, confidence scores,
        ``(T,)`` both, and logits ``(T, V)``.
        """
        logits, confidences = self._run(ids, None, keep=len(targets))
        scores = self._log_probabilities(logits[0])
        return scores.gather(-1, targets[:, None])[:, 0], confidences[0], logits[0]

    def _summary_rows(
        self, pages: PackedPages, reading: Reading, summaries: Tensor
    ) -> Iterator[tuple[int, tuple[Tensor, Tensor]]]:
        """The document of each prompt; logits ``(T, V)`` and confidence scores of the summary."""
        for document, ids in self._summary_prompts(pages, reading, summaries):
            logits, confidences = self._run(ids, None, keep=summaries.shape[1])
            yield document, (logits[0], confidences[0])

    def _summary_prompts(
        self, pages: PackedPages, reading: Reading, summaries: Tensor
    ) -> Iterator[tuple[int, Tensor]]:
        """Each prompt's document, and its token ids with those of the summary, ``(1, L)``."""
        texts, documents = self._texts(pages, reading)
        before, after = reading.prompt.before, reading.prompt.after
        for text, document in zip(texts, documents.tolist(), strict=True):
            prompt = self._tensor([[*before, *text, *after]])
            yield document, torch.cat([prompt, summaries[document, None, 1:]], dim=1)

    def _log_probabilities(self, logits: Tensor) -> Tensor:
        return self.ended(logits.float().log_softmax(dim=-1))

    def _mixed(self, logits: Tensor, weights: Tensor, pages: PackedPages, rule: PageRule) -> Tensor:
        """The mixture's log probabilities ``(B, T, V)``, a few tokens at a time: the pages' own
        take much memory.
        """
        count, parts = len(pages), []
        for start in range(0, logits.shape[1], TOKENS_AT_ONCE):
            some = slice(start, start + TOKENS_AT_ONCE)
            scores = self._log_probabilities(logits[:, some])
            mixed = rule.mixed(weights[:, :, some], pages.unpack(scores[:count], NO_PAGE))
            if rule.contrast:
                mixed = rule.contrasted(mixed, scores[count:])
            parts.append(mixed)
        return torch.cat(parts, dim=1)

    # Generation

    def scorer(self, memory: Memory, beams: int) -> "CausalScorer":
        return CausalScorer(self, memory, beams)

    def final_traces(self, traces: dict[str, Tensor], memory: Memory) -> dict[str, Tensor]:
        """Move posteriors to the token that they take into account, and to the whole text.

        A step knows the tokens so far; what it says of the pages belongs to the last of them. The
        last token of all is not read.
        """
        rule = memory.reading.rule
        if not rule.has_posterior:
            return traces
        page, weights = traces["page"], traces["weights"]  # (B·n, T, P)
        later = torch.cat([page[:, 1:], torch.zeros_like(page[:, :1])], dim=1)
        posteriors = torch.where(later.sum(-1, keepdim=True) == 0, weights, later)
        found = smoothed(rule, traces["shares"].mT, weights.mT, posteriors.mT)
        return {**traces, "page": found.mT}

    def page_memory_bytes(self, tokens: int, beams: int, max_length: int) -> int:
        """Keys and values of a prompt and of the summary on it in all layers, and the logits."""
        config = self.language_model.config.get_text_config()
        heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
        width = getattr(config, "head_dim", None) or (
            config.hidden_size // config.num_attention_heads
        )
        size = torch.finfo(self.dtype).bits // 8
        per_token = 2 * config.num_hidden_layers * heads * width * size
        length = len(self.reading().prompt) + tokens + max_length
        copies = beams if beams == 1 else beams + 1
        return copies * (per_token * length + 3 * 4 * self.config.vocab_size)

    def _check_memory(self, input_ids: Tensor, beams: int, max_length: int) -> None:
        """Refuse, too, what the model has no positions for."""
        needed = len(self.reading().prompt) + input_ids.shape[2] + max_length
        positions = self.config.max_position_embeddings
        if needed > positions:
            raise PagesumError(
                f"a part of {input_ids.shape[2]} tokens with its prompt and a summary "
                f"of {max_length} needs {needed} positions, but the model has {positions}",
                f"--page-tokens {max(input_ids.shape[2] - needed + positions, 1)}, or a smaller "
                f"--max-length",
            )
        super()._check_memory(input_ids, beams, max_length)


def _ended(labels: Tensor, end: int) -> Tensor:
    """Labels ``(B, T)`` with the end after each summary, ``(B, T + 1)``."""
    lengths = (labels != -100).sum(dim=1, keepdim=True)
    longer = torch.cat([labels, torch.full_like(labels[:, :1], -100)], dim=1)
    return longer.scatter(1, lengths, end)


def _targets(inputs: Tensor, labels: Tensor | None) -> tuple[Tensor, Tensor]:
    """The token at each place ``(B, T)``, and whether it is known."""
    if labels is not None:
        return labels.clamp(min=0), labels != -100
    after = torch.cat([inputs[:, 1:], torch.zeros_like(inputs[:, :1])], dim=1)
    is_known = torch.ones_like(after, dtype=torch.bool)
    is_known[:, -1] = False
    return after, is_known
