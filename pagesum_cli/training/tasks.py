"""Training tasks: how a record becomes an example, examples a batch, and a batch a loss. Imported without torch.

A new task is a subclass of :class:`Task` and one entry of :data:`TASKS`; families of models name the tasks that they
can learn (``PageModel.tasks``).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.record import Record
from ..locality import paginate
from ..locality.page import Pages
from ..options import GenerationOptions
from ..text.importance import are_important
from ..text.ngrams import words_of
from ..text.oracle import greedy_oracle
from ..text.overlap import recall
from ..text.stems import stems_of
from ..tokenization import EncodedPage, PageTokenizer, SentenceSpan
from .examples import (
    NO_LABEL,
    Batch,
    Encoded,
    Example,
    Plan,
    by_page,
    labels_of,
    padded,
    page_batch,
    shortened,
    whole_numbers,
)
from .settings import SCRATCH, Settings

if TYPE_CHECKING:
    from torch import Tensor, nn

MAX_SELECTED = 12
"""Sentences of a document that the greedy oracle selects at most."""
MIN_WORDS = 6
"""The oracle leaves out shorter sentences, which mean little alone."""
CLUSTER_SUMMARY_WORDS = 200
"""Words of a cluster's summary that count: these summaries are often as long as an article."""
SCORED = 10
"""The column of ``spans`` that says whether a sentence is scored."""
OVERLAP_UNIT = 1000
"""Overlap is stored in thousandths, as a whole number."""


class Task(ABC):
    """A way to learn from documents with summaries.

    Attributes:
        arrays: Names of the arrays of an example, in the order in which they are stored. ``target`` is the summary as
            token ids.
        loss_name: What the loss is, for the model card.
    """

    arrays: tuple[str, ...] = ("target",)
    loss_name = ""

    @abstractmethod
    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        """Turn a record into token ids and labels."""

    @abstractmethod
    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """Put examples into tensors; ``labels`` is among them, the summaries without their first token (B, T)."""

    @abstractmethod
    def loss(self, model: Any, batch: Batch) -> "Tensor":
        """The mean loss of a batch."""

    def validate(self, model: Any, batch: Batch) -> tuple[float, dict[str, float]]:
        """The mean loss of a batch, and what else there is to report of it, by name."""
        return self.loss(model, batch).item(), {}

    @abstractmethod
    def loss_of_guessing(self, config: Any) -> float:
        """The loss of a model that knows nothing."""

    @abstractmethod
    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        """The model's summaries of a batch, for selection by ROUGE."""

    def parameters(self, model: Any, settings: Settings) -> "Iterable[nn.Parameter]":
        """The parameters that are trained; all others stay as they are."""
        return model.parameters()


class Abstractive(Task):
    """Generate the summary."""

    loss_name = "cross entropy per token, label-smoothed (eq. 1) where words are not copied"

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        cut, pages = _paged(record, tokenizer, plan)
        whole = tokenizer.encode(record.summary, tokenizer.unknown_words(cut))
        target = shortened(whole, plan.target_tokens)
        example = Example([whole_numbers(page.ids) for page in pages], {"target": target})
        return Encoded(example, cut, len(whole) - len(target))

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """``input_ids``, ``attention_mask`` (B, P, S), ``decoder_input_ids``, ``labels`` (B, T).

        The decoder reads a target without its last token and predicts it without its first one (``<s>``), as in the
        original program.
        """
        inputs = padded([example.arrays["target"][:-1] for example in examples], pad)
        return {**page_batch(examples, pad), "decoder_input_ids": inputs, "labels": labels_of(examples)}

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        return model(**batch, return_logits=False).loss

    def loss_of_guessing(self, config: Any) -> float:
        return math.log(config.vocab_size)

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        sequences = model.generate(batch["input_ids"], batch["attention_mask"]).sequences
        return [tokenizer.decode(ids) for ids in sequences.tolist()]


class Extractive(Task):
    """Score sentences: is each among those that together have the highest ROUGE with the summary? How much of each is
    in the summary? And predict the summary's length."""

    arrays = ("target", "spans")
    loss_name = "binary cross entropy per sentence: is it selected?"

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        """``spans``: one row for each sentence or heading: page, sentence, start, end; the flags of its
        :class:`Eligibility`; whether it is scored, whether it is selected, and its overlap with the summary."""
        from ..models.extractive.eligibility import Eligibility, eligibility_of
        from ..models.extractive.selection import is_eligible_length

        cut, pages = _paged(record, tokenizer, plan)
        summary = reference_of(record)
        rows: list[list[int]] = []
        texts: list[str] = []
        eligible: list[bool] = []
        for number, (page, encoded) in enumerate(zip(cut.pages, pages, strict=True)):
            known = eligibility_of(page)
            for span in encoded.spans:
                sentence = page.sentences[span.sentence] if span.sentence >= 0 else None
                rules = known[span.sentence] if sentence else Eligibility()
                is_scored = sentence is not None and not sentence.is_heading
                rows.append([number, span.sentence, span.start, span.end, *rules.flags, int(is_scored), 0, 0])
                if sentence is not None and is_scored:
                    texts.append(sentence.text)
                    eligible.append(rules.is_whole and is_eligible_length(encoded.ids[span.start + 1 : span.end]))
        labels = sentence_labels(texts, summary, eligible)
        for row, (selected, overlap) in zip([row for row in rows if row[SCORED]], labels, strict=True):
            row[SCORED + 1 :] = [int(selected), round(OVERLAP_UNIT * overlap)]
        target = shortened(tokenizer.encode(summary), plan.target_tokens)
        arrays = {"target": target, "spans": whole_numbers(rows)}
        return Encoded(Example([whole_numbers(page.ids) for page in pages], arrays), cut)

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """``input_ids``, ``attention_mask`` (B, P, S), ``sentence_labels`` (J, 5), ``summary_tokens`` (B,), and for
        selection by ROUGE ``labels`` (B, T) and ``examples``."""
        import torch

        rows = []
        for number, example in enumerate(examples):
            spans = _spans_of(example)
            scored = spans[spans[:, SCORED] == 1][:, [0, 2, SCORED + 1, SCORED + 2]]
            rows.append(np.insert(scored, 0, number, axis=1))
        labels = torch.from_numpy(np.concatenate(rows)) / torch.tensor([1, 1, 1, 1, OVERLAP_UNIT])
        return {
            **page_batch(examples, pad),
            "sentence_labels": labels,
            "summary_tokens": torch.tensor([len(example.arrays["target"]) - 2 for example in examples]),
            "labels": labels_of(examples),
            "examples": examples,
        }

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        names = ("input_ids", "attention_mask", "sentence_labels", "summary_tokens")
        return model(**{name: batch[name] for name in names}).loss

    def loss_of_guessing(self, config: Any) -> float:
        return math.log(2)

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        from ..models.extractive.eligibility import Eligibility
        from ..models.extractive.model import ExtractiveBatch

        encoded, eligibility = [], []
        for example in batch["examples"]:
            spans = _spans_of(example)
            pages, rules = [], []
            for number, ids in enumerate(example.pages):
                own = spans[spans[:, 0] == number].tolist()
                pages.append(EncodedPage(ids.tolist(), tuple(SentenceSpan(*row[1:4]) for row in own)))
                rules.append(tuple(Eligibility(*map(bool, row[4:SCORED])) for row in own if row[1] >= 0))
            encoded.append(tuple(pages))
            eligibility.append(tuple(rules))
        selecting = ExtractiveBatch(batch["input_ids"], batch["attention_mask"], tuple(encoded), tuple(eligibility))
        summaries = []
        for document, draft in zip(encoded, model.select(selecting, GenerationOptions()), strict=True):
            spans_by_place = {
                (number, span.sentence): page.ids[span.start : span.end]
                for number, page in enumerate(document)
                for span in page.spans
            }
            summaries.append(" ".join(tokenizer.decode(spans_by_place[place]) for place in draft.sentences))
        return summaries

    def parameters(self, model: Any, settings: Settings) -> "Iterable[nn.Parameter]":
        """The scoring layers alone if the starting point is a checkpoint that can select; otherwise all."""
        is_new = bool(settings.init_encoder) or settings.init == SCRATCH
        head_only = settings.trainable == "head" or (settings.trainable == "auto" and not is_new)
        return model.scoring.parameters() if head_only else model.parameters()


class Weighted(Abstractive):
    """Generate the summary with a model that pools tokens by their importance, which is that of the reference."""

    arrays = ("target", "importance")

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        return _with_importance(super().encode(record, tokenizer, plan), record, tokenizer, plan)

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """As in :class:`Abstractive`, and ``importance`` (B, P, S)."""
        return {**super().collate(examples, pad), "importance": by_page(examples, "importance", 0).clamp(min=0).float()}

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        """Summaries by the importance that the model predicts, unless it needs that of the reference."""
        importance = batch["importance"] if model.needs_reference else None
        result = model.generate(batch["input_ids"], batch["attention_mask"], importance=importance)
        return [tokenizer.decode(ids) for ids in result.sequences.tolist()]

    def parameters(self, model: Any, settings: Settings) -> "Iterable[nn.Parameter]":
        """All but the tagger's."""
        return [one for name, one in model.named_parameters() if not name.startswith("tagger.")]


class Importance(Task):
    """Predict which tokens belong to words that the summary has."""

    arrays = ("target", "importance")
    loss_name = "binary cross entropy per token: is its word important, that is, in the summary?"

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        cut, pages = _paged(record, tokenizer, plan)
        target = shortened(tokenizer.encode(record.summary), plan.target_tokens)
        example = Example([whole_numbers(page.ids) for page in pages], {"target": target})
        return _with_importance(Encoded(example, cut), record, tokenizer, plan)

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """``input_ids``, ``attention_mask``, ``importance_labels`` (B, P, S), and ``labels`` (B, T), the summaries."""
        labels = by_page(examples, "importance", NO_LABEL)
        return {**page_batch(examples, pad), "importance_labels": labels, "labels": labels_of(examples)}

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        return self._output(model, batch).loss

    def _output(self, model: Any, batch: Batch) -> Any:
        return model(**{name: batch[name] for name in ("input_ids", "attention_mask", "importance_labels")})

    def validate(self, model: Any, batch: Batch) -> tuple[float, dict[str, float]]:
        """With precision, recall and F1 of the important tokens, in 0–100."""
        output = self._output(model, batch)
        labels, found = batch["importance_labels"], output.logits > 0
        is_labeled = (labels != NO_LABEL) & output.logits.isfinite()
        both = int((found & (labels == 1)).sum())
        predicted, important = int((found & is_labeled).sum()), int(((labels == 1) & is_labeled).sum())
        scores = {
            "precision": 100 * both / max(predicted, 1),
            "recall": 100 * both / max(important, 1),
            "f1": 200 * both / max(predicted + important, 1),
        }
        return output.loss.item(), scores

    def loss_of_guessing(self, config: Any) -> float:
        return math.log(2)

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        raise NotImplementedError("a tagger makes no summaries")


TASKS: dict[str, Task] = {
    "abstractive": Abstractive(),
    "extractive": Extractive(),
    "importance": Importance(),
    "abstractive-weighted": Weighted(),
}


def _with_importance(encoded: Encoded, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
    """An example with ``importance``: for each token of all its pages, 1 if its word is important by the summary,
    0 if not, and :data:`NO_LABEL` for special and control tokens."""
    pages = [EncodedPage(page.tolist()) for page in encoded.example.pages]
    by_token = tokenizer.words_of_pages(encoded.cut, pages, spaced=plan.paging.num_pages is None)
    words = [word for page in by_token for word in page]
    labels = are_important([word or "" for word in words], record.summary)
    values = [NO_LABEL if word is None else int(label) for word, label in zip(words, labels, strict=True)]
    arrays = {**encoded.example.arrays, "importance": whole_numbers(values)}
    return replace(encoded, example=replace(encoded.example, arrays=arrays))


def sentence_labels(sentences: Sequence[str], summary: str, eligible: Sequence[bool]) -> list[tuple[bool, float]]:
    """Whether the greedy oracle selects each sentence, and how much the sentence overlaps with the summary, 0 to 1.

    Sentences that are not eligible are not selected and have no overlap.
    """
    reference = stems_of(words_of(summary))
    grams = {*reference, *pairwise(reference)}
    words = [stems_of(words_of(text)) if fits else [] for text, fits in zip(sentences, eligible, strict=True)]
    candidates = [one if len(one) >= MIN_WORDS else [] for one in words]
    selected = set(greedy_oracle(candidates, reference, limit=MAX_SELECTED, distinct=True))
    return [(number in selected, _overlap(one, grams)) for number, one in enumerate(words)]


def _overlap(words: Sequence[str], grams: set[Any]) -> float:
    """Mostly the share of a sentence's pairs of words that are in the summary, and a little that of its words."""
    return float(np.clip(2 * recall({*pairwise(words)}, grams) + 0.5 * recall({*words}, grams) - 0.1, 0, 1))


def reference_of(record: Record) -> str:
    """The author's summary, as far as it counts."""
    words = record.summary.split()
    return " ".join(words[:CLUSTER_SUMMARY_WORDS]) if len(record.documents) > 1 else record.summary


def _paged(record: Record, tokenizer: PageTokenizer, plan: Plan) -> tuple[Pages, list[EncodedPage]]:
    """A record's pages as text and as token ids, the same as when summarizing."""
    paging = plan.paging
    cut = paginate(record.documents, paging, tokenizer)
    return cut, tokenizer.encode_pages(cut, paging.page_tokens or 0, spaced=paging.num_pages is None)


def _spans_of(example: Example) -> np.ndarray:
    """The rows of ``spans``."""
    return example.arrays["spans"].reshape(-1, SCORED + 3)
