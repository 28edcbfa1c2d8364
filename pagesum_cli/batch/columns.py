"""Summarizing a column of texts in other people's pipelines: Ray Data, Spark, ``datasets``."""

from collections.abc import Mapping
from typing import Any

from ..documents.readers.text import plain_document
from ..errors import PagesumError, UsageError
from ..options import DEFAULT_MODEL, ModelOptions
from .several import Given, Several
from .talk import Silent
from .worker import Worker


class Summarize:
    """Summarizes a column of texts: loads a model once, then maps batches, which are mappings of
    columns.

    It adds ``summary``; ``summary_json``, a line of ``--format jsonl``; and ``summary_error``,
    empty where there is a summary.

    Args:
        model: A bundled or added name, a folder, or a Hugging Face id.
        column, id_column: The columns with the texts and, if there is one, with what sources call
        them.
        device, dtype: See ``load_model``.
        batch_tokens: Number of tokens that a generating model reads together; None for what suits
            the device.
        options: Single options of paging and generation by name: ``words=100``,
            ``locality="spatial"`` …

    Raises:
        PagesumError: There is no such model.
        UsageError: Options that contradict each other or do nothing for this model, or no such
            column.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        column: str = "text",
        id_column: str | None = None,
        device: str = "auto",
        dtype: str = "auto",
        batch_tokens: int | None = None,
        **options: Any,
    ) -> None:
        from ..options import with_options

        given = ModelOptions(model=model, device=device, dtype=None if dtype == "auto" else dtype)
        paging, generation = with_options(None, None, options)
        self._worker = Worker(
            given, paging, generation, Silent(), history=False, batch_tokens=batch_tokens
        )
        self._worker.load()
        self._column, self._id_column = column, id_column

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Summarize a batch; the given columns stay as they are."""
        for name in filter(None, (self._column, self._id_column)):
            if name not in batch:
                raise UsageError(
                    f"no column {name!r}, found {', '.join(batch)}", "name it: Summarize(column=…)"
                )
        self._worker.talk = Silent()
        texts = [str(text or "") for text in batch[self._column]]
        names = (
            [str(name) for name in batch[self._id_column]]
            if self._id_column
            else ["text"] * len(texts)
        )
        given = [_given(name, text) for name, text in zip(names, texts, strict=True)]
        rows = list(Several(self._worker).summaries(given))
        return {
            **batch,
            "summary": ["" if isinstance(one, PagesumError) else one.text for one in rows],
            "summary_json": [
                "" if isinstance(one, PagesumError) else one.to_line() for one in rows
            ],
            "summary_error": [one.message if isinstance(one, PagesumError) else "" for one in rows],
        }


def _given(name: str, text: str) -> Given | PagesumError:
    try:
        return Given(name, [plain_document(text, name)])
    except PagesumError as error:
        return error
