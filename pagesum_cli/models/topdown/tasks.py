"""The tasks of pooling by importance: which tokens belong to words that the summary has. Imported
without torch.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...datasets.record import Record
from ...locality.flow import Pages
from ...text.words import are_important
from ...tokenization import EncodedPage, PageTokenizer
from ..tasks import NO_LABEL, Abstractive, Batch, Example, Task, by_page

if TYPE_CHECKING:
    from torch import Tensor

TAGGER = """\
An importance tagger (Pang et al., "Long Document Summarization with Top-down and \
Bottom-up Inference", 2022): it
predicts which words of a document are in its summary. A top-down transformer is \
trained with it (`--set tagger=…`)."""


class ImportanceLabels(Task):
    """Label each token of all pages: 1 if its word is important by the summary, 0 if not.

    :data:`NO_LABEL` for special and control tokens.
    """

    arrays = ("target", "importance")

    def labels(
        self,
        record: Record,
        tokenizer: PageTokenizer,
        cut: Pages,
        pages: Sequence[EncodedPage],
        spaced: bool,
    ) -> dict[str, np.ndarray]:
        words = [
            word for page in tokenizer.words_of_pages(cut, pages, spaced=spaced) for word in page
        ]
        labels = are_important([word or "" for word in words], record.summary)
        values = [
            NO_LABEL if word is None else int(label)
            for word, label in zip(words, labels, strict=True)
        ]
        return {"importance": np.array(values, dtype=np.int32)}

    def importance(self, examples: Sequence[Example]) -> "Tensor":
        """The labels ``(B, P, S)``."""
        ends = [np.cumsum([len(page) for page in example.pages])[:-1] for example in examples]
        own = [
            np.split(example.arrays["importance"], end)
            for example, end in zip(examples, ends, strict=True)
        ]
        return by_page(own, NO_LABEL)


class Weighted(ImportanceLabels, Abstractive):
    """Generate the summary with a model that pools tokens by their importance, which is that of the
    reference.
    """

    name = "abstractive-weighted"

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """As in :class:`Abstractive`, and ``importance`` (B, P, S)."""
        return {
            **super().collate(examples, pad),
            "importance": self.importance(examples).clamp(min=0).float(),
        }

    def hints(self, model: Any, batch: Batch) -> Batch:
        """Importance where the model needs that of the reference; otherwise it predicts it."""
        return {"importance": batch["importance"]} if model.needs_reference else {}


class Importance(ImportanceLabels):
    """Predict which tokens belong to words that the summary has."""

    name = "importance"
    loss_name = "binary cross entropy per token: is its word important, that is, in the summary?"
    card = TAGGER
    predicts_summaries = False

    def collate(self, examples: Sequence[Example], pad: int) -> Batch:
        """With ``importance_labels`` (B, P, S)."""
        return {**super().collate(examples, pad), "importance_labels": self.importance(examples)}

    def loss(self, model: Any, batch: Batch) -> "Tensor":
        return self._output(model, batch).loss

    def _output(self, model: Any, batch: Batch) -> Any:
        return model(
            **{name: batch[name] for name in ("input_ids", "attention_mask", "importance_labels")}
        )

    def validate(self, model: Any, batch: Batch) -> tuple[float, dict[str, float]]:
        """With precision, recall and F1 of the important tokens, in 0–100."""
        output = self._output(model, batch)
        labels, found = batch["importance_labels"], output.logits > 0
        is_labeled = (labels != NO_LABEL) & output.logits.isfinite()
        both = int((found & (labels == 1)).sum())
        predicted, important = (
            int((found & is_labeled).sum()),
            int(((labels == 1) & is_labeled).sum()),
        )
        scores = {
            "precision": 100 * both / max(predicted, 1),
            "recall": 100 * both / max(important, 1),
        }
        scores["f1"] = 200 * both / max(predicted + important, 1)
        return output.loss.item(), scores

    def predict(self, model: Any, batch: Batch, tokenizer: PageTokenizer) -> list[str]:
        raise NotImplementedError("a tagger makes no summaries")
