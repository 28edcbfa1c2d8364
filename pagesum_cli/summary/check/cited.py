"""Whether a sentence of the documents stands where a summary says."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate

from ...documents.model import Document, Sentence, clock
from ...documents.sentences import all_sentences
from ...locality.localities import OPENING
from .claims import Citation

PIECE = 400  # characters: a sentence that is longer may have been counted as several


class Cited:
    """The places of documents that a summary may cite."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._numbers = cache(lambda number: _Numbers(documents[number]))

    def holds(self, citation: Citation, sentence: Sentence, number: int) -> bool:
        """Whether a sentence of a document, which is given by its number, is at the place that is
        cited.
        """
        is_opening = citation.section == OPENING and not sentence.heading
        names = (sentence.heading, sentence.section)
        if not (is_opening or any(name.startswith(citation.section) for name in names)):
            return False
        document = self._documents[number]
        if citation.file not in ("", document.name, document.file_of(sentence.start)):
            return False
        return not citation.pages or not self._places(citation, sentence, number).isdisjoint(
            citation.pages
        )

    def _places(self, citation: Citation, sentence: Sentence, number: int) -> set[str]:
        """What pages, times, lines and numbers of sentences a citation may name for a sentence."""
        document = self._documents[number]
        places = {*map(str, sentence.pdf_pages), f"para {sentence.paragraph}"}
        if not citation.is_pdf:
            places |= {label.lower() for label in document.labels_of(sentence.pdf_pages)}
        if sentence.time is not None:
            places.add(clock(sentence.time))
        if lines := document.lines_of(sentence.start, sentence.end):
            places |= {f"line {line}" for line in range(lines[0], lines[1] + 1)}
        if citation.pages[0].startswith("sentence ") and sentence.start >= 0:
            places |= {f"sentence {one}" for one in self._numbers(number).of(sentence)}
        return places


class _Numbers:
    """The numbers of the sentences of a document, as far as they are known.

    Sections that were not read do not count, and long sentences may count as several.
    """

    def __init__(self, document: Document) -> None:
        whole = [
            one
            for one in all_sentences(replace(document, skipped=frozenset()))
            if not one.is_heading
        ]
        self._read = [one.start for one in all_sentences(document) if not one.is_heading]
        self._starts = [one.start for one in whole]
        self._added = list(accumulate((len(one.text) // PIECE for one in whole), initial=0))

    def of(self, sentence: Sentence) -> range:
        """The numbers that a sentence may have."""
        last = bisect_left(self._starts, sentence.end)
        return range(bisect_right(self._read, sentence.start), last + self._added[last] + 1)
