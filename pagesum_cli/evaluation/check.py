"""What a data set is like, reported before a model is loaded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from ..batch.worker import cutter_of
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
        left_out: Number of records that could not be used.
        words: Number of words of each record.
        reference_words: Number of words of each reference; 0 for none.
        duplicates: Number of records with the text of an earlier one.
        pages: Number of pages of each sampled record.
        lost_words: Number of words that each of these loses.
        sampled_words, sampled_tokens: Number of words and tokens of all sampled records together.
        long_references: Number of sampled references with more tokens than a summary may have.
    """

    left_out: int
    words: tuple[int, ...]
    reference_words: tuple[int, ...]
    duplicates: int
    pages: tuple[int, ...]
    lost_words: tuple[int, ...]
    sampled_words: int
    sampled_tokens: int
    long_references: int

    @property
    def cut(self) -> int:
        """Number of sampled records that lose words."""
        return sum(words > 0 for words in self.lost_words)

    def lines(self) -> dict[str, str]:
        """The figures in words, by label."""
        lost, records = sum(self.lost_words), len(self.words)
        tokens = f", about {lost * max(self.sampled_tokens, 1) / self.sampled_words:,.0f} tokens" if lost else ""
        sampled = "" if len(self.pages) == records else f" (in a sample of {len(self.pages)})"
        pages = f"{sum(self.pages) / len(self.pages):.1f} on average, {max(self.pages)} at most"
        return {
            "documents": f"{records:,} ({self.left_out:,} unusable)",
            "words": _range(self.words),
            "reference words": _range(self.reference_words),
            "without reference": f"{self.reference_words.count(0):,}",
            "duplicate texts": f"{self.duplicates:,}",
            "parts": f"{pages}{sampled}",
            "cut documents": f"{self.cut:,}, {lost:,} of {self.sampled_words:,} words not read{tokens}{sampled}",
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
    lengths = [sum(1 for document in record.documents for _ in words(document)) for record in records]
    sampled = range(0, len(records), -(-len(records) // sample))
    cut = [paginate(records[i].documents, filled, tokenizer) for i in sampled]
    reference_tokens = tokenizer.count([records[i].summary for i in sampled])
    return Check(
        left_out=left_out,
        words=tuple(lengths),
        reference_words=tuple(len(record.summary.split()) for record in records),
        duplicates=len(records) - len(set(map(_digest, records))),
        pages=tuple(len(own.pages) for own in cut),
        lost_words=tuple(own.unread_words for own in cut),
        sampled_words=sum(lengths[i] for i in sampled),
        sampled_tokens=sum(sum(tokenizer.count(records[i].texts)) for i in sampled),
        long_references=sum(number > (max_length or positions - 1) for number in reference_tokens),
    )


def _digest(record: Record) -> bytes:
    text = " ".join(word for document in record.documents for word in words(document))
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _range(numbers: Sequence[int]) -> str:
    return f"{sum(numbers) / len(numbers):,.0f} on average, {max(numbers):,} at most"
