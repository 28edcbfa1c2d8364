"""What a data set is like, told before a model is loaded."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..documents.document import words
from ..documents.records import Record
from ..locality import cut
from ..locality.page import TokenCounter
from .readers import source_texts

LOOK_AT = 200
"""Documents that are cut into pages for the check unless all are asked for."""


@dataclass(frozen=True)
class Check:
    """What was found.

    Attributes:
        records: how many.
        left_out: records that could not be used.
        words: of a record, mean and most.
        reference_words: of a reference, mean and most.
        without_reference: how many have none.
        duplicates: records with the text of an earlier one.
        looked_at: how many were cut into pages.
        pages: of those, mean and most.
        cut: how many of those lose words.
        cut_words: how many words these lose in all, and how many words all of those have.
        words_per_token: of those.
        long_references: how many references have more tokens than a summary may have.
    """

    records: int
    left_out: int
    words: tuple[float, int]
    reference_words: tuple[float, int]
    without_reference: int
    duplicates: int
    looked_at: int
    pages: tuple[float, int]
    cut: int
    cut_words: tuple[int, int]
    words_per_token: float
    long_references: int


def check_records(
    records: Sequence[Record],
    left_out: int,
    count_tokens: TokenCounter,
    cutting: dict[str, Any],
    longest_summary: int,
    everything: bool,
) -> Check:
    """Look at records.

    Args:
        records: at least one.
        left_out: records that could not be used.
        count_tokens: as the model's tokenizer does.
        cutting: arguments of ``locality.cut``.
        longest_summary: tokens that a summary has at most.
        everything: cut all into pages, not just some spread over the data.
    """
    lengths = [sum(1 for one in record.documents for _ in words(one)) for record in records]
    references = [len(record.summary.split()) for record in records]
    texts = {_digest(record) for record in records}
    step = 1 if everything else -(-len(records) // LOOK_AT)
    looked_at = range(0, len(records), step)
    pages, losses = [], []
    for place in looked_at:
        found = cut(records[place].documents, count_tokens=count_tokens, **cutting)
        pages.append(len(found.pages))
        losses.append(found.dropped_words + sum(page.truncated_words for page in found.pages))
    tokens = count_tokens([records[place].summary for place in looked_at])
    words_read = sum(lengths[place] for place in looked_at)
    tokens_read = sum(sum(count_tokens(source_texts(records[place]))) for place in looked_at)
    return Check(
        records=len(records),
        left_out=left_out,
        words=_mean_and_most(lengths),
        reference_words=_mean_and_most(references),
        without_reference=references.count(0),
        duplicates=len(records) - len(texts),
        looked_at=len(looked_at),
        pages=_mean_and_most(pages),
        cut=sum(loss > 0 for loss in losses),
        cut_words=(sum(losses), words_read),
        words_per_token=words_read / max(tokens_read, 1),
        long_references=sum(number > longest_summary for number in tokens),
    )


def _digest(record: Record) -> bytes:
    text = " ".join(word for one in record.documents for word in words(one))
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _mean_and_most(numbers: Sequence[int]) -> tuple[float, int]:
    return sum(numbers) / len(numbers), max(numbers)
