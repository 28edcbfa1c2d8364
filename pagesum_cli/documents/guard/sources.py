"""What a Python program gives to be summarized → Documents."""

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ...errors import PagesumError, UsageError, shown
from ..model import Document
from ..read import find_files
from .reading import read_file

Input = str | Path | Document
OnProgress = Callable[[str, int, int], None]


def read_documents(
    source: Input | Sequence[Input],
    password: str | None = None,
    on_progress: OnProgress | None = None,
    locality: str = "auto",
) -> list[Document]:
    """The documents that paths, patterns and documents stand for, in order.

    Warns of folders that have files which there is no reader for.
    """
    given = (
        [source]
        if isinstance(source, str | Path | Document) or not isinstance(source, Iterable)
        else list(source)
    )
    inputs: list[str | Document] = []
    for one in given:
        if not isinstance(one, str | os.PathLike | Document):
            expected = f"expected a path or a Document, found {shown(one)}"
            raise UsageError(expected, "summarize_text takes a text, summarize a path or several")
        inputs += (
            [one]
            if isinstance(one, Document)
            else find_files([os.fspath(one)], on_skipped=warnings.warn)
        )
    if not inputs:
        raise PagesumError(
            "nothing to summarize: no document was given", "name a file, or pass a Document"
        )
    documents: list[Document] = []
    for number, one in enumerate(inputs, 1):
        documents += (
            [one]
            if isinstance(one, Document)
            else read_file(one, password=password, locality=locality)
        )
        if on_progress:
            on_progress("read", number, len(inputs))
    return documents
