"""The sentences of documents that claims are compared with."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...documents.article.building import CELL
from ...documents.model import UNSEEN, Document, LeftOut, Sentence
from ...documents.sentences import all_sentences
from ...text.sentences import sentence_spans
from .results import Place

LENGTH = 10_000  # characters of a sentence that are compared at a time

NO_PROOF = UNSEEN | {"struck out"}
"""Reasons of what is left out that proves nothing."""


def pieces_of_place(place: Place) -> Iterator[Place]:
    """A sentence, or pieces of a very long one, such as a text without stops."""
    sentence, document = place
    for begin in range(0, len(sentence.text), LENGTH) if len(sentence.text) > LENGTH else ():
        text = sentence.text[begin : begin + LENGTH]
        start = sentence.start + begin if sentence.start >= 0 else -1
        yield Place(
            replace(sentence, text=text, start=start, end=start + len(text) if start >= 0 else -1),
            document,
        )
    if len(sentence.text) <= LENGTH:
        yield place


def places_of(documents: Sequence[Document]) -> Iterator[Place]:
    """Their sentences, and those of what their readers left out."""
    for number, document in enumerate(documents):
        for sentence in all_sentences(replace(document, skipped=frozenset())):
            yield Place(sentence, number)
        if document.authors:
            yield Place(Sentence(_byline(document), (), "metadata"), number)
        # nobody can find a proof that the file does not show, or count on what is withdrawn
        shown = [one for one in document.left_out if one.reason not in NO_PROOF]
        for piece in shown:
            for text in _texts_of(piece):
                yield Place(Sentence(text, piece.pdf_pages, piece.reason), number)


def _byline(document: Document) -> str:
    """The title and the authors of a document, as its metadata has them."""
    return f"{document.title}, by {', '.join(document.authors)}".removeprefix(", ")


def _texts_of(piece: LeftOut) -> Iterator[str]:
    """The rows of a table, or the sentences of what else is left out."""
    if any(CELL in row for row in piece.rows):
        yield from (row.replace(CELL, " | ") for row in piece.rows)
    else:
        yield from (piece.text[start:end] for start, end in sentence_spans(piece.text))
