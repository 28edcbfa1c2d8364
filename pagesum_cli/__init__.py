"""pagesum: summaries of long documents that show where each sentence comes from.

The public names are imported when they are first used, so that ``import pagesum_cli`` does not load torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .documents.guard.reading import read_data, read_file
    from .documents.model import Document, Paragraph, Section
    from .documents.readers.text import plain_document
    from .errors import PagesumError, UsageError
    from .models.base import load_model
    from .models.pagesum import PageSumConfig, PageSumModel
    from .options import GenerationOptions, PagingOptions
    from .recursive import summarize_recursively
    from .summarizer import PageSummarizer
    from .summary.summary import Summary

_HOMES = {
    "Document": "documents.model",
    "GenerationOptions": "options",
    "PageSumConfig": "models.pagesum",
    "PageSumModel": "models.pagesum",
    "PageSummarizer": "summarizer",
    "PagesumError": "errors",
    "PagingOptions": "options",
    "Paragraph": "documents.model",
    "Section": "documents.model",
    "Summary": "summary.summary",
    "UsageError": "errors",
    "load_model": "models.base",
    "plain_document": "documents.readers.text",
    "read_data": "documents.guard.reading",
    "read_file": "documents.guard.reading",
    "summarize_recursively": "recursive",
}

__all__ = [
    "Document",
    "GenerationOptions",
    "PageSumConfig",
    "PageSumModel",
    "PageSummarizer",
    "PagesumError",
    "PagingOptions",
    "Paragraph",
    "Section",
    "Summary",
    "UsageError",
    "__version__",
    "load_model",
    "plain_document",
    "read_data",
    "read_file",
    "summarize_recursively",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
