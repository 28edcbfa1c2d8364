"""What a data set is like, reported before a model is loaded."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from ..batch.preview import cutter_of
from ..datasets.record import Record
from ..documents.model import words
from ..locality import paginate
from ..options import PagingOptions

SAMPLE = 200
"""Number of documents that are cut into pages before a run."""


class Check(NamedTuple):
    """Figures of a data set in words, by label; and the labels of those that are problems."""

    lines: dict[str, str]
    problems: list[str]


def check_records(
    records: Sequence[Record], left_out: int, model: str, paging: PagingOptions, max_length: int | None, sample: int
) -> Check:
    """Count words, pages and tokens, the latter two of about ``sample`` records spread over the data."""
    tokenizer, filled, positions = cutter_of(model, paging)
    lengths = [sum(1 for document in record.documents for _ in words(document)) for record in records]
    references = [len(record.summary.split()) for record in records]
    duplicates = len(records) - len(set(map(_digest, records)))
    sampled = range(0, len(records), -(-len(records) // sample))
    cut = [paginate(records[i].documents, filled, tokenizer) for i in sampled]
    pages, lost = [len(own.pages) for own in cut], [own.unread_words for own in cut]
    sampled_words = sum(lengths[i] for i in sampled)
    sampled_tokens = sum(sum(tokenizer.count(records[i].texts)) for i in sampled)
    longest = max_length or positions - 1
    long_references = sum(number > longest for number in tokenizer.count([records[i].summary for i in sampled]))
    tokens = f", about {sum(lost) * max(sampled_tokens, 1) / sampled_words:,.0f} tokens" if any(lost) else ""
    note = "" if len(pages) == len(records) else f" (in a sample of {len(pages)})"
    cut_documents = sum(words > 0 for words in lost)
    lines = {
        "documents": f"{len(records):,} ({left_out:,} unusable)",
        "words": _range(lengths),
        "reference words": _range(references),
        "without reference": f"{references.count(0):,}",
        "duplicate texts": f"{duplicates:,}",
        "parts": f"{sum(pages) / len(pages):.1f} on average, {max(pages)} at most{note}",
        "cut documents": f"{cut_documents:,}, {sum(lost):,} of {sampled_words:,} words not read{tokens}{note}",
        "long references": f"{long_references:,} exceed the maximum summary length{note}",
    }
    counts = {"duplicate texts": duplicates, "cut documents": cut_documents}
    return Check(lines, [label for label, count in counts.items() if count])


def _digest(record: Record) -> bytes:
    text = " ".join(word for document in record.documents for word in words(document))
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _range(numbers: Sequence[int]) -> str:
    return f"{sum(numbers) / len(numbers):,.0f} on average, {max(numbers):,} at most"
