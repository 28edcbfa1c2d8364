"""The pages that a document is cut into."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..documents.model import Sentence

TokenCounter = Callable[[Sequence[str]], list[int]]
"""Counts the tokens of each text, special tokens not included. Counts add up over texts joined by a space."""


class Tokens(Protocol):
    """What pagination needs to know of a tokenizer.

    Attributes:
        special_tokens: Number of tokens of a page that are not text.
        title_tokens: Maximum number of tokens of the document's title on each page.
    """

    @property
    def special_tokens(self) -> int: ...

    @property
    def title_tokens(self) -> int: ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """See :data:`TokenCounter`."""
        ...


@dataclass(frozen=True)
class Page:
    """What the encoder reads at one go.

    Attributes:
        label: what to call it: ``2 Methods``, ``2 Methods (2/3)``, ``sentences 1–40``, a file's name.
        source: the name of the document that it was cut from.
        heading: comes before the sentences in ``text``; empty where there is none.
        sentences: in reading order.
        tokens: how many the page has for the model, special tokens included.
        truncated_words: words that belong to this page and were left out of it.
        title: of its document, cut where it is long; empty unless the model reads it on every page.
        given: its text exactly as a data set gives it, where that is not heading and sentences.
    """

    label: str
    source: str
    heading: str
    sentences: tuple[Sentence, ...]
    tokens: int
    truncated_words: int = 0
    title: str = ""
    given: str | None = None

    @property
    def text(self) -> str:
        """What the model reads: heading and sentences, a space between two."""
        if self.given is not None:
            return self.given
        return " ".join(part for part in (self.heading, *(sentence.text for sentence in self.sentences)) if part)

    @property
    def pdf_pages(self) -> tuple[int, ...]:
        """The PDF pages of the page's sentences, in order."""
        return tuple(dict.fromkeys(page for sentence in self.sentences for page in sentence.pdf_pages))


@dataclass(frozen=True)
class Pages:
    """A document (or a cluster of them) cut into pages.

    Attributes:
        locality: ``spatial``, ``discourse`` or ``document``: the principle that was used (never ``auto``).
        pages: in reading order, at least one.
        dropped_words: words on pages beyond the maximum number, which are not read.
        known: text that the reader knows, and that the summary does not repeat.
    """

    locality: str
    pages: tuple[Page, ...]
    dropped_words: int = 0
    known: str = ""

    @property
    def unread_words(self) -> int:
        """Words that no page holds."""
        return self.dropped_words + sum(page.truncated_words for page in self.pages)
