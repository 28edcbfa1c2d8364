"""The formats that a summary can be written in.

To add a format: a module here with a function ``view(summary) -> str``, and a line in
:data:`FORMATS`. The function can also take the options of :func:`written`, such as ``cite``.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import PurePath
from pkgutil import resolve_name
from typing import Any

from ..documents.model import Document
from ..errors import UsageError
from ..summary.summary import Summary, rounded


@dataclass(frozen=True)
class Format:
    """A way to write a summary."""

    suffix: str  # ending of its files
    view: str  # the function that writes it, as ``module:function``
    # Name of the format used where several summaries go into one file; None if that is impossible
    in_series: str | None
    blank_line: bool = True  # whether a blank line separates summaries in one file
    cites: bool = False  # whether sentences have citations unless the caller decides


FORMATS = {
    "text": Format(".txt", "pagesum_cli.views.text:plain_view", "text"),
    # before Markdown, which is the format of .md
    "obsidian": Format(".md", "pagesum_cli.views.obsidian:obsidian_view", None, cites=True),
    "markdown": Format(".md", "pagesum_cli.views.markdown:markdown_view", "markdown", cites=True),
    "json": Format(".json", "pagesum_cli.views.formats:json_view", "jsonl"),
    "jsonl": Format(
        ".jsonl", "pagesum_cli.summary.summary:Summary.to_line", "jsonl", blank_line=False
    ),
    "html": Format(".html", "pagesum_cli.views.reading_page.page:reading_page", None, cites=True),
    "annotations": Format(".jsonld", "pagesum_cli.views.web_annotations:annotations_view", None),
    # Many in a file, in batch.shards
    "parquet": Format(".parquet", "pagesum_cli.summary.summary:Summary.to_line", None),
}


# what a .pdf is: no format, but a copy of the document with the quotes marked, see ``marked.py``
MARKED = "pdf"


def format_of(path: str | None) -> str:
    """Name of the format that a file's extension asks for, or :data:`MARKED`; ``text`` without an
    extension.
    """
    suffix = PurePath(path or "").suffix.lower() or ".txt"
    names = {known.suffix: name for name, known in FORMATS.items()} | {".pdf": MARKED}
    if suffix not in names:
        expected = f"expected one of {', '.join(names)}"
        raise UsageError(
            f"--output {path}: unknown extension {suffix}, {expected}", "or choose a --format"
        )
    return names[suffix]


def written(
    summary: Summary,
    name: str,
    *,
    cite: bool | None = None,
    bullets: bool = False,
    chapters: bool = False,
    documents: Sequence[Document] = (),
    path: str | None = None,
) -> str:
    """The summary in a format, without a final line end.

    Args:
        summary: The summary to write.
        name: A key of :data:`FORMATS`.
        cite: Add where the sentences come from; None for the format's own default.
        bullets: A list with one sentence per line instead of a paragraph, if the format has lists.
        chapters: Add the summaries of a book's chapters, if the format does not do so anyway.
        documents: What was summarized, for formats that show its text.
        path: Where it will be written, for links to the documents' files.
    """
    cite = FORMATS[name].cites if cite is None else cite
    options = {
        "cite": cite,
        "bullets": bullets,
        "chapters": chapters,
        "documents": documents,
        "path": path,
    }
    view = resolve_name(FORMATS[name].view)
    return view(
        summary, **{key: options[key] for key in options.keys() & signature(view).parameters.keys()}
    )


def json_view(summary: Summary) -> str:
    """One JSON object with a line for every field, sentence, token and page."""
    fields = rounded(summary.to_json())
    return (
        "{\n"
        + ",\n".join(f"  {json.dumps(name)}: {_value(value)}" for name, value in fields.items())
        + "\n}"
    )


def _value(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        return (
            "[\n"
            + ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            + "\n  ]"
        )
    return json.dumps(value, ensure_ascii=False)
