"""The pages that a document is cut into."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..documents.document import Sentence

TokenCounter = Callable[[Sequence[str]], list[int]]
"""How many tokens each text has, special tokens not counted. Counts add up over texts joined by a space."""


@dataclass(frozen=True)
class Page:
    """What the encoder reads at one go.

    Attributes:
        label: what to call it: ``2 Methods``, ``2 Methods (2/3)``, ``sentences 1–40``, a file's name.
        source: the name of the document that it was cut from.
        heading: stands before the sentences in ``text``; empty where there is none.
        sentences: in reading order.
        tokens: how many the page has for the model, special tokens included.
        truncated_words: words that belong to this page and were left out of it.
        title: of its document, cut where it is long; empty unless the model reads it on every page.
    """

    label: str
    source: str
    heading: str
    sentences: tuple[Sentence, ...]
    tokens: int
    truncated_words: int = 0
    title: str = ""

    @property
    def text(self) -> str:
        """What the model reads: heading and sentences, a space between two."""
        return " ".join(part for part in (self.heading, *(sentence.text for sentence in self.sentences)) if part)

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages that the page's sentences stand on, in order."""
        return tuple(dict.fromkeys(page for sentence in self.sentences for page in sentence.pdf_pages))


@dataclass(frozen=True)
class Pages:
    """A document (or a cluster of them) cut into pages.

    Attributes:
        locality: ``spatial``, ``discourse`` or ``document``: the principle that was used (never ``auto``).
        pages: in reading order, at least one.
        dropped_words: words on pages beyond the greatest number asked for, which nobody reads.
    """

    locality: str
    pages: tuple[Page, ...]
    dropped_words: int = 0
