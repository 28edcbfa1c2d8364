"""pagesum: summaries of long documents that show where each sentence comes from.

The public names are imported when they are first used, so that ``import pagesum_cli`` does not load
torch.
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
    "documents.guard.reading": ("read_data", "read_file"),
    "documents.model": ("Document", "Paragraph", "Section"),
    "documents.readers.text": ("plain_document",),
    "errors": ("PagesumError", "UsageError"),
    "models.base": ("load_model",),
    "models.pagesum": ("PageSumConfig", "PageSumModel"),
    "options": ("GenerationOptions", "PagingOptions"),
    "recursive": ("summarize_recursively",),
    "summarizer": ("PageSummarizer",),
    "summary.summary": ("Summary",),
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
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
