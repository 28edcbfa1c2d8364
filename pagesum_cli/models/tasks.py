"""Training tasks: how a record becomes an example, examples a batch, and a batch a loss. Imported
without torch.

A family names the tasks that it learns (``PageModel.tasks``); what it alone learns is in a
``tasks.py`` of its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.named import AUTO
from ..datasets.record import Record
from ..locality import paginate
from ..locality.flow import Pages
from ..options import PagingOptions
from ..tokenization import EncodedPage, PageTokenizer

if TYPE_CHECKING:
    from torch import Tensor

Batch = dict[str, Any]

NO_LABEL = -100

SUMMARIZER = """\
A PageSum model (Liu et al., "Leveraging Locality in Abstractive Text Summarization", EMNLP 2022): \
it reads each page
of a document alone and reports which page each sentence of its summary came from.

```
pagesum summarize --model {name} FILE
```"""


@dataclass(frozen=True)
class Plan:
    """How records become examples."""

    task: "Task"  # the task
    tokenizer: str  # as JSON
    first_control_token: int | None  # see :class:`~pagesum_cli.tokenization.PageTokenizer`
    paging: PagingOptions  # how documents are cut into pages
    target_tokens: int  # maximum tokens of a summary, special tokens included
    exclude_sources: tuple[str, ...] = ()  # records with these values of ``source`` are left out
    rank_paragraphs: bool = False  # whether paragraphs are ordered by what they have of the summary
    # whether a book's text is the reference summaries of its chapters
    chapter_summaries: bool = False
    data_set: str = AUTO  # the data set that files are, see ``training.prepare.read_split``


@dataclass(frozen=True)
class Example:
    """One record as the model reads it."""

    pages: list[np.ndarray]  # token ids of each page, special tokens included
    # the task's own, whole numbers in one dimension; see ``Task.arrays``
    arrays: dict[str, np.ndarray]
    id: str = ""  # the record's


@dataclass(frozen=True)
class Encoded:
    """A record that has just become an example, and what the checks of the data count."""

    example: Example  # the example
    cut: Pages  # its pages as text
    lost_tokens: int = 0  # tokens that the summary lost, being too long to learn from


class Task(ABC):
    """A way to learn from documents with summaries."""

    name: str  # its name; two tasks with the same labels may share it
    # Names of the arrays of an example, in the order in which they are stored. ``target`` is the
    # summary as token ids.
    arrays: tuple[str, ...] = ("target",)
    loss_name: str  # what the loss is, for the model card
    # what a model is that has learned it, for the model card; ``{name}`` is replaced
    card: str = SUMMARIZER
    # whether :meth:`predict` makes summaries, by whose ROUGE weights can be selected
    predicts_summaries: bool = True

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        """Turn a record into token ids and labels; its pages are the same as when summarizing."""
        paging = plan.paging
        cut = paginate(record.documents, paging, tokenizer)
        pages = tokenizer.encode_pages(
            cut, paging.page_tokens or 0, spaced=paging.num_pages is None
        )
        whole = tokenizer.encode(self.reference(record), tokenizer.unknown_words(cut))
        target = _whole_numbers(whole)
        if len(whole) > plan.target_tokens:
            target = _whole_numbers([*whole[: plan.target_tokens - 1], whole[-1]])
        arrays = {
            "target": target,
            **self.labels(record, tokenizer, cut, pages, spaced=paging.num_pages is None),
        }
        return Encoded(
            Example([_whole_numbers(page.ids) for page in pages], arrays),
            cut,
            len(whole) - len(target),
        )

    def reference(self, record: Record) -> str:
        """The author's summary, as far as it counts."""
        return record.summary

    def labels(
        self,
        record: Record,
        tokenizer: PageTokenizer,
        cut: Pages,
        pages: Sequence[EncodedPage],
        spaced: bool,
    ) -> dict[str, np.ndarray]:
        """The arrays besides ``target``, of a record's pages as text (``cut``) and as token ids."""
        return {}

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """Put examples into tensors: ``input_ids``, ``attention_mask`` (B, P, S), and ``labels``
        (B, T), the summaries without their first token."""
        pages = [example.pages for example in examples]
        mask = [[np.ones_like(page) for page in document] for document in pages]
        return {
            "input_ids": by_page(pages, pad),
            "attention_mask": by_page(mask, 0).bool(),
            "labels": padded([example.arrays["target"][1:] for example in examples], NO_LABEL),
        }

    def begin(self, model: Any, documents: Iterable[Batch]) -> None:  # noqa: B027
        """Before the first update, fit what needs no updates. Each training document is a batch,
        which is read when it is iterated over.
        """

    @abstractmethod
    def loss(self, model: Any, batch: Batch) -> "Tensor":
        """The mean loss of a batch."""

    def validate(self, model: Any, batch: Batch) -> tuple[float, dict[str, float]]:
        """The mean loss of a batch, and what else there is to report of it, by name."""
        return self.loss(model, batch).item(), {}

    @abstractmethod
    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        """The model's summaries of a batch, for selection by ROUGE."""


class Abstractive(Task):
    """Generate the summary."""

    name = "abstractive"
    loss_name = "cross entropy per token, label-smoothed (eq. 1) where words are not copied"

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """With ``decoder_input_ids`` (B, T): targets without their last token, as in the original
        program.
        """
        inputs = padded([example.arrays["target"][:-1] for example in examples], pad)
        return {**super().collate(examples, pad), "decoder_input_ids": inputs}

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        return model(**batch, return_logits=False).loss

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        result = model.generate(
            batch["input_ids"], batch["attention_mask"], **self.hints(model, batch)
        )
        return [tokenizer.decode(ids) for ids in result.sequences.tolist()]

    def hints(self, model: Any, batch: Batch) -> Batch:
        """What else of a batch the model generates from."""
        return {}


def _whole_numbers(values: Sequence[Any]) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def by_page(documents: Sequence[Sequence[Any]], fill: int) -> "Tensor":
    """A whole number for each token of the pages of documents, ``(B, P, S)``; ``fill`` where there
    is no token.
    """
    import torch

    pages = max(map(len, documents))
    width = max(len(page) for document in documents for page in document)
    values = torch.full((len(documents), pages, width), fill)  # (B, P, S)
    for b, document in enumerate(documents):
        for p, page in enumerate(document):
            values[b, p, : len(page)] = torch.as_tensor(page)
    return values


def padded(rows: Sequence[np.ndarray], fill: int) -> "Tensor":
    """Rows of different lengths as one tensor of whole numbers."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    return pad_sequence(
        [torch.from_numpy(row).long() for row in rows], batch_first=True, padding_value=fill
    )
