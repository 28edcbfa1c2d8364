"""What a data set is like, reported before a model is loaded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from ..batch.preview import cutter_of
from ..datasets.record import Record
from ..documents.model import words
from ..locality import paginate
from ..options import PagingOptions

SAMPLE = 200
"""Number of documents that are cut into pages before a run."""


@dataclass(frozen=True)
class Check:
    """Figures of a data set.

    Attributes:
        records: Number of records.
        left_out: Number of records that could not be used.
        words: Words of a record, mean and maximum.
        reference_words: Words of a reference, mean and maximum.
        without_reference: Number of records without one.
        duplicates: Number of records with the text of an earlier one.
        sampled: Number of records that were cut into pages.
        pages: Pages of these, mean and maximum.
        cut: Number of these that lose words.
        cut_words: Number of words that they lose in all, and number of words of all sampled records.
        words_per_token: Of the sampled records.
        long_references: Number of sampled references with more tokens than a summary may have.
    """

    records: int
    left_out: int
    words: tuple[float, int]
    reference_words: tuple[float, int]
    without_reference: int
    duplicates: int
    sampled: int
    pages: tuple[float, int]
    cut: int
    cut_words: tuple[int, int]
    words_per_token: float
    long_references: int

    def lines(self) -> dict[str, str]:
        """The figures in words, by label."""
        cut, words = self.cut_words
        tokens = f", about {cut / self.words_per_token:,.0f} tokens" if cut else ""
        sampled = "" if self.sampled == self.records else f" (in a sample of {self.sampled})"
        return {
            "documents": f"{self.records:,} ({self.left_out:,} unusable)",
            "words": _range(self.words),
            "reference words": _range(self.reference_words),
            "without reference": f"{self.without_reference:,}",
            "duplicate texts": f"{self.duplicates:,}",
            "parts": f"{self.pages[0]:.1f} on average, {self.pages[1]} at most{sampled}",
            "cut documents": f"{self.cut:,}, {cut:,} of {words:,} words not read{tokens}{sampled}",
            "long references": f"{self.long_references:,} exceed the maximum summary length{sampled}",
        }


def check_records(
    records: Sequence[Record],
    left_out: int,
    model: str,
    paging: PagingOptions,
    max_length: int | None,
    sample: int = SAMPLE,
) -> Check:
    """Count words, pages and tokens.

    Args:
        records: At least one.
        left_out: Number of records that could not be used.
        model: Name of the checkpoint whose tokenizer and page length are used; its weights are not read.
        paging: How pages are cut.
        max_length: Maximum number of tokens in a summary; None for the model's limit.
        sample: Cut about this many records into pages, spread over the data.
    """
    tokenizer, filled, positions = cutter_of(model, paging)
    lengths = [sum(1 for one in record.documents for _ in words(one)) for record in records]
    references = [len(record.summary.split()) for record in records]
    sampled = range(0, len(records), -(-len(records) // sample))
    pages, losses = [], []
    for place in sampled:
        cut = paginate(records[place].documents, filled, tokenizer)
        pages.append(len(cut.pages))
        losses.append(cut.unread_words)
    tokens = tokenizer.count([records[place].summary for place in sampled])
    words_read = sum(lengths[place] for place in sampled)
    tokens_read = sum(sum(tokenizer.count(records[place].texts)) for place in sampled)
    return Check(
        records=len(records),
        left_out=left_out,
        words=_mean_and_max(lengths),
        reference_words=_mean_and_max(references),
        without_reference=references.count(0),
        duplicates=len(records) - len({_digest(record) for record in records}),
        sampled=len(sampled),
        pages=_mean_and_max(pages),
        cut=sum(loss > 0 for loss in losses),
        cut_words=(sum(losses), words_read),
        words_per_token=words_read / max(tokens_read, 1),
        long_references=sum(number > (max_length or positions - 1) for number in tokens),
    )


def _digest(record: Record) -> bytes:
    text = " ".join(word for one in record.documents for word in words(one))
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _range(figures: tuple[float, int]) -> str:
    return f"{figures[0]:,.0f} on average, {figures[1]:,} at most"


def _mean_and_max(numbers: Sequence[int]) -> tuple[float, int]:
    return sum(numbers) / len(numbers), max(numbers)
