"""Examples: what a record becomes, and how several become tensors. Imported without torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..locality.page import Pages
from ..options import PagingOptions

if TYPE_CHECKING:
    from torch import Tensor

Batch = dict[str, Any]

NO_LABEL = -100


@dataclass(frozen=True)
class Plan:
    """How records become examples.

    Attributes:
        task: Name of the task.
        tokenizer: As JSON.
        first_control_token: See :class:`~pagesum_cli.tokenization.PageTokenizer`.
        paging: How documents are cut into pages.
        target_tokens: Maximum tokens of a summary, special tokens included.
        exclude_sources: Records with these values of ``source`` are left out.
        rank_paragraphs: Whether paragraphs are ordered by what they have of the summary.
        chapter_summaries: Whether a book's text is the reference summaries of its chapters.
    """

    task: str
    tokenizer: str
    first_control_token: int | None
    paging: PagingOptions
    target_tokens: int
    exclude_sources: tuple[str, ...] = ()
    rank_paragraphs: bool = False
    chapter_summaries: bool = False


@dataclass(frozen=True)
class Example:
    """One record as the model reads it.

    Attributes:
        pages: Token ids of each page, special tokens included.
        arrays: The task's own, whole numbers in one dimension; see ``Task.arrays``.
        id: The record's.
    """

    pages: list[np.ndarray]
    arrays: dict[str, np.ndarray]
    id: str = ""


@dataclass(frozen=True)
class Encoded:
    """A record that has just become an example, and what the checks of the data count.

    Attributes:
        example: The example.
        cut: Its pages as text.
        lost_tokens: Tokens that the summary lost, being too long to learn from.
    """

    example: Example
    cut: Pages
    lost_tokens: int = 0


def whole_numbers(values: Sequence[Any]) -> np.ndarray:
    """Values as they are stored, in one dimension."""
    return np.array(values, dtype=np.int32).reshape(-1)


def shortened(ids: Sequence[int], length: int) -> np.ndarray:
    """Token ids of a text, cut to a length that includes the end token."""
    return whole_numbers(ids if len(ids) <= length else [*ids[: length - 1], ids[-1]])


def page_batch(examples: Sequence[Example], pad: int) -> Batch:
    """``input_ids`` and ``attention_mask`` (B, P, S)."""
    import torch

    pages = max(len(example.pages) for example in examples)
    width = max(len(page) for example in examples for page in example.pages)
    ids = torch.full((len(examples), pages, width), pad)  # (B, P, S)
    mask = torch.zeros(ids.shape, dtype=torch.bool)  # (B, P, S)
    for b, example in enumerate(examples):
        for p, page in enumerate(example.pages):
            ids[b, p, : len(page)] = torch.from_numpy(page)
            mask[b, p, : len(page)] = True
    return {"input_ids": ids, "attention_mask": mask}


def by_page(examples: Sequence[Example], name: str, fill: int) -> "Tensor":
    """An array that has one number for each token of all pages, ``(B, P, S)``; ``fill`` where there is no token."""
    import torch

    pages = max(len(example.pages) for example in examples)
    width = max(len(page) for example in examples for page in example.pages)
    values = torch.full((len(examples), pages, width), fill)  # (B, P, S)
    for b, example in enumerate(examples):
        ends = np.cumsum([len(page) for page in example.pages])
        for p, own in enumerate(np.split(example.arrays[name], ends[:-1])):
            values[b, p, : len(own)] = torch.from_numpy(own)
    return values


def labels_of(examples: Sequence[Example]) -> "Tensor":
    """The targets without their first token ``(B, T)``."""
    return padded([example.arrays["target"][1:] for example in examples], NO_LABEL)


def padded(rows: Sequence[np.ndarray], fill: int) -> "Tensor":
    """Rows of different lengths as one tensor of whole numbers."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    return pad_sequence([torch.from_numpy(row).long() for row in rows], batch_first=True, padding_value=fill)
