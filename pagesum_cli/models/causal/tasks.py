"""The task of language models: to write the summary after a prompt. Imported without torch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...datasets.record import Record
from ...locality import paginate
from ...tokenization import PageTokenizer
from ..tasks import NO_LABEL, Abstractive, Batch, Encoded, Example, Plan, Task, padded

if TYPE_CHECKING:
    from torch import Tensor


class InOwnWords(Abstractive):
    """Generate the summary; pages and summary have no special tokens, which the prompt brings."""

    loss_name = "forward likelihood of the pages' mixture, nats per token"

    def encode(self, record: Record, tokenizer: PageTokenizer, plan: Plan) -> Encoded:
        paging = plan.paging
        cut = paginate(record.documents, paging, tokenizer)
        pages = tokenizer.encode_pages(cut, paging.page_tokens or 0, spaced=False)
        whole = tokenizer.encode(" ".join(self.reference(record).split()))
        target = whole[: plan.target_tokens - 1]  # and the end
        example = Example([_numbers(page.ids) for page in pages], {"target": _numbers(target)})
        return Encoded(example, cut, len(whole) - len(target))

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        batch = Task.collate(self, examples, pad)
        return {**batch, "labels": padded([one.arrays["target"] for one in examples], NO_LABEL)}

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        given = {name: batch[name] for name in ("input_ids", "attention_mask", "labels")}
        return model(**given, return_logits=False, has_end=True).loss


def _numbers(ids: Sequence[int]) -> np.ndarray:
    return np.array(ids, dtype=np.int32)
