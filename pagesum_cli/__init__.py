"""pagesum: summaries of long documents that show which page each sentence came from.

The public names are imported when asked for, so that ``import pagesum_cli`` (and ``pagesum --help``) loads neither
torch nor transformers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .version import __version__

if TYPE_CHECKING:
    from .model.checkpoints import load_model
    from .model.configuration import PageSumConfig
    from .model.modeling import PageSumForConditionalGeneration
    from .summarizer import PageSummarizer

_HOMES = {
    "PageSummarizer": "summarizer",
    "load_model": "model.checkpoints",
    "PageSumConfig": "model.configuration",
    "PageSumForConditionalGeneration": "model.modeling",
}

__all__ = ["PageSumConfig", "PageSumForConditionalGeneration", "PageSummarizer", "__version__", "load_model"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
