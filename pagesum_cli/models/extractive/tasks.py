"""The task of extraction: labels of sentences by a greedy oracle. Imported without torch."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...datasets.record import EditorLabels, Record
from ...errors import PagesumError
from ...locality.flow import Pages
from ...options import GenerationOptions
from ...quoting.candidates import WHOLE, level_of
from ...quoting.eligibility import Eligibility, eligibility_of
from ...text.greedy import greedy_oracle
from ...text.words import recall, stems_of, words_of
from ...tokenization import EncodedPage, PageTokenizer, SentenceSpan
from ..tasks import Batch, Example, Task

if TYPE_CHECKING:
    from torch import Tensor

MAX_SELECTED = 12  # sentences of a document that the greedy oracle selects at most
MIN_WORDS = 6  # the oracle leaves out shorter sentences, which mean little alone
# words of a cluster's summary that count: these summaries are often as long as an article
CLUSTER_SUMMARY_WORDS = 200
OVERLAP_UNIT = 1000  # overlap is stored in thousandths, as a whole number

FLAGS = tuple(
    field.name for field in fields(Eligibility) if field.type is bool or field.type == "bool"
)
SPAN = np.dtype([
    (name, np.int32)
    for name in ("page", "sentence", "start", "end", *FLAGS, "is_scored", "is_selected", "overlap")
])  # fmt: skip
"""A sentence or heading among a page's tokens, what its words say about quoting it, and its labels.
"""


class Extractive(Task):
    """Score sentences: is each among those that together have the highest ROUGE with the summary?
    How much of each is in the summary? And predict the summary's length."""

    name = "extractive"
    arrays: tuple[str, ...] = ("target", "spans")
    loss_name = "binary cross entropy per sentence: is it selected?"

    def reference(self, record: Record) -> str:
        words = record.summary.split()
        return (
            " ".join(words[:CLUSTER_SUMMARY_WORDS]) if len(record.documents) > 1 else record.summary
        )

    def labels(
        self,
        record: Record,
        tokenizer: PageTokenizer,
        cut: Pages,
        pages: Sequence[EncodedPage],
        spaced: bool,
    ) -> dict[str, np.ndarray]:
        """``spans``: one :data:`SPAN` for each sentence or heading."""
        spans = _spans(cut, pages)
        scored = spans["is_scored"] == 1
        texts: list[str] = []
        eligible: list[bool] = []
        for span in spans[scored]:
            tokens = pages[span["page"]].ids[span["start"] + 1 : span["end"]]
            texts.append(cut.pages[span["page"]].sentences[span["sentence"]].text)
            eligible.append(level_of(tokens, is_whole=bool(span["is_whole"])) == WHOLE)
        labels = sentence_labels(texts, self.reference(record), eligible)
        spans["is_selected"][scored] = [is_selected for is_selected, _ in labels]
        spans["overlap"][scored] = [round(OVERLAP_UNIT * overlap) for _, overlap in labels]
        return {"spans": spans.view(np.int32)}

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """With ``sentence_labels`` (J, 5), ``summary_tokens`` (B,), and for selection by ROUGE
        ``examples``.
        """
        import torch

        rows = []
        for number, example in enumerate(examples):
            spans = example.arrays["spans"].view(SPAN)
            scored = spans[spans["is_scored"] == 1]
            columns = (scored["page"], scored["start"], scored["is_selected"], scored["overlap"])
            rows.append(np.stack([np.full(len(scored), number, np.int32), *columns], axis=1))
        labels = torch.from_numpy(np.concatenate(rows)) / torch.tensor([1, 1, 1, 1, OVERLAP_UNIT])
        return {
            **super().collate(examples, pad),
            "sentence_labels": labels,
            "summary_tokens": torch.tensor(
                [len(example.arrays["target"]) - 2 for example in examples]
            ),
            "examples": examples,
        }

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        names = ("input_ids", "attention_mask", "sentence_labels", "summary_tokens", "states")
        return model(**{name: batch.get(name) for name in names}).loss

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        read = [_read_again(example) for example in batch["examples"]]
        encoded = tuple(pages for pages, _ in read)
        eligibility = tuple(rules for _, rules in read)
        tensors = (batch["input_ids"], batch["attention_mask"])
        selecting = model.batch_class(*tensors, encoded, eligibility)
        drafts = model.select(selecting, GenerationOptions())
        return [
            _text(pages, draft.sentences, tokenizer)
            for pages, draft in zip(encoded, drafts, strict=True)
        ]


class Quotes(Extractive):
    """Score sentences as an editor does who chooses what to quote; and predict how much he
    quotes.
    """

    name = "quotes"
    arrays = ("target", "spans", "labels")
    loss_name = "binary cross entropy per sentence: would an editor quote it?"

    def labels(
        self,
        record: Record,
        tokenizer: PageTokenizer,
        cut: Pages,
        pages: Sequence[EncodedPage],
        spaced: bool,
    ) -> dict[str, np.ndarray]:
        """``labels``: :data:`LABEL` for each scored one of ``spans``, see :class:`Extractive`."""
        given = record.editor_labels
        if given is None:
            message = f"{record.id}: no labels of an editor"
            hint = (
                'a record has "sentences" as pairs of heading and text, and the numbers of '
                'those "quoted"'
            )
            raise PagesumError(message, hint)
        spans = _spans(cut, pages)  # without the greedy oracle, which takes longer than all else
        starts = record.documents[0].paragraph_starts
        scored = spans[spans["is_scored"] == 1]
        places = [
            cut.pages[page].sentences[number].start
            for page, number in scored[["page", "sentence"]].tolist()
        ]
        rows = [_label(given, bisect_right(starts, place) - 1) for place in places]
        return {"spans": spans.view(np.int32), "labels": np.array(rows, np.int32).reshape(-1)}

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """With ``sentence_labels`` (J, 7): document, page, position of the control token, and
        :data:`LABEL` in 0–1.
        """
        import torch

        batch = super().collate(examples, pad)
        labels = np.concatenate([example.arrays["labels"] for example in examples]).reshape(
            -1, len(LABEL)
        )
        shares = torch.from_numpy(labels) / OVERLAP_UNIT
        return {
            **batch,
            "sentence_labels": torch.cat([batch["sentence_labels"][:, :3], shares], dim=1),
        }


class Preferences(Quotes):
    """Order the sentences of each document as an editor does who chooses what to quote: for a head
    that is adapted to few documents. Of the length only the mean is learned, and of which
    sentences stand alone nothing.
    """

    name = "preferences"
    loss_name = "cross entropy between the sentences of a document: which would an editor quote?"

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """As for :class:`Quotes`, but a sentence counts by its tokens: quotes have a budget of
        words, not of sentences.
        """
        import torch

        batch = super().collate(examples, pad)
        sizes = []
        for example in examples:
            spans = example.arrays["spans"].view(SPAN)
            scored = spans[spans["is_scored"] == 1]
            sizes.append(scored["end"] - scored["start"] - 1)
        labels = batch["sentence_labels"].clone()
        labels[:, 3] *= torch.from_numpy(np.concatenate(sizes))
        return {**batch, "sentence_labels": labels}

    def begin(self, model: Any, documents: Iterable[Batch]) -> None:
        model.shift_lengths(documents)

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        names = ("input_ids", "attention_mask", "sentence_labels", "states")
        return model(**{name: batch.get(name) for name in names}, ranks=True).loss


LABEL = ("quoted", "certainty", "stands_alone", "is_known")
"""What an editor's labels say of a sentence, in thousandths: whether it is quoted, how certain that
is, whether it can stand without the sentence before it, and whether that is known."""

# an alternate counts as quoted so much; what nobody has labelled is so certain
ALTERNATE, UNLABELLED = 600, 300


def _label(given: EditorLabels, number: int) -> tuple[int, int, int, int]:
    if number in given.quoted:
        begins = number - 1 not in given.quoted
        return OVERLAP_UNIT, OVERLAP_UNIT, OVERLAP_UNIT, OVERLAP_UNIT * begins
    if number in given.alternates:
        return ALTERNATE, OVERLAP_UNIT, 0, 0
    is_rejected = number in given.rejected
    points = number in given.pointers
    return 0, OVERLAP_UNIT if is_rejected else UNLABELLED, 0, OVERLAP_UNIT * points


def _spans(cut: Pages, pages: Sequence[EncodedPage]) -> np.ndarray:
    """A :data:`SPAN` for each sentence or heading, without labels."""
    rows = []
    examined = eligibility_of(cut.pages)
    for number, (page, encoded, known) in enumerate(zip(cut.pages, pages, examined, strict=True)):
        for span in encoded.spans:
            sentence = page.sentences[span.sentence] if span.sentence >= 0 else None
            rules = known[span.sentence] if sentence else Eligibility()
            is_scored = sentence is not None and sentence.is_quotable
            flags = (getattr(rules, name) for name in FLAGS)
            rows.append((number, span.sentence, span.start, span.end, *flags, is_scored, 0, 0))
    return np.array(rows, SPAN)


def _read_again(
    example: Example,
) -> tuple[tuple[EncodedPage, ...], tuple[tuple[Eligibility, ...], ...]]:
    """The pages of an example, and what is known of the sentences of each."""
    spans = example.arrays["spans"].view(SPAN)
    own = [spans[spans["page"] == number] for number in range(len(example.pages))]
    places = [rows[["sentence", "start", "end"]].tolist() for rows in own]
    pages = tuple(
        EncodedPage(ids.tolist(), tuple(SentenceSpan(*row) for row in rows))
        for ids, rows in zip(example.pages, places, strict=True)
    )
    flags = [rows[rows["sentence"] >= 0][list(FLAGS)].tolist() for rows in own]
    return pages, tuple(tuple(map(_eligibility, rows)) for rows in flags)


def _text(
    pages: Sequence[EncodedPage], sentences: Sequence[tuple[int, int]], tokenizer: PageTokenizer
) -> str:
    """The text of some sentences ``(page, number)``."""
    ids = {
        (number, span.sentence): page.ids[span.start : span.end]
        for number, page in enumerate(pages)
        for span in page.spans
    }
    return " ".join(tokenizer.decode(ids[place]) for place in sentences)


def _eligibility(row: Sequence[int]) -> Eligibility:
    flags: dict[str, Any] = dict(zip(FLAGS, map(bool, row), strict=True))
    return Eligibility(**flags)


def sentence_labels(
    sentences: Sequence[str], summary: str, eligible: Sequence[bool]
) -> list[tuple[bool, float]]:
    """Whether the greedy oracle selects each sentence, and how much the sentence overlaps with the
    summary, 0 to 1.

    Sentences that are not eligible are not selected and have no overlap.
    """
    reference = stems_of(words_of(summary))
    grams = {*reference, *pairwise(reference)}
    words = [
        stems_of(words_of(text)) if fits else []
        for text, fits in zip(sentences, eligible, strict=True)
    ]
    candidates = [stems if len(stems) >= MIN_WORDS else [] for stems in words]
    selected = set(greedy_oracle(candidates, reference, limit=MAX_SELECTED, distinct=True))
    # Mostly the share of a sentence's pairs of words that are in the summary, and a little that of
    # its words.
    shares = (
        2 * recall({*pairwise(stems)}, grams) + 0.5 * recall({*stems}, grams) - 0.1
        for stems in words
    )
    return [(number in selected, min(max(share, 0.0), 1.0)) for number, share in enumerate(shares)]
