"""What documents say of themselves, which a claim may name beside any sentence of theirs: titles,
authors, dates, abbreviations.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePath

from ...documents.model import Document
from ...text.abbreviations import definitions
from ...text.words import stem, words_of
from .meanings import meanings_of
from .notation import Reading, amounts_in, any_of
from .parties import named_parties, parties_in
from .tokens import LISTS, Token, pieces_of

ABOUT_ITSELF = {"front matter", "references", "running head", "notice", "byline"}
"""Reasons of what is left out of a text that names people, places and dates of the document."""

_OPENING = 1000  # characters at the beginning of a text, where authors and dates stand
_CLOSING = 200  # and at its end, where a writer signs
_BEHIND = 60  # characters behind a number in which the words stand that it counts
_COUNTED = 4  # those words
_BEFORE = 16  # characters before a long form in which an abbreviation is looked for
_EXPLAINED = re.compile(r"(?<!\w)(?P<short>[\w&/-]{2,10}) \[$")
_WORD = re.compile(r"[^\W\d_]+")
_NEIGHBORS = re.compile(
    r"(?<!\w)(?P<first>[^\W\d_]{1,40})(?:\s[A-Z]\.){0,1}\s{1,2}(?=(?P<last>[^\W\d_]{1,40}))"
)
"""Two words in a row, maybe with an initial between them."""
_LONGEST = 4000  # characters of a text that are looked at for values


class Known:
    """What documents say of themselves.

    Args:
        documents: The documents.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._abbreviated = lru_cache(maxsize=4096)(self._abbreviations)

    @cached_property
    def words(self) -> frozenset[str]:
        """Words and values that stand on a title page, in references or in metadata."""
        texts = [text for one in self._documents for text in _about(one)]
        words = {piece.norm for text in texts for piece in pieces_of(text) if piece.is_word}
        values = {one.norm for text in texts for one in meanings_of(text[:_LONGEST])}
        return frozenset(words | values)

    def titled(self, tokens: Sequence[Token]) -> set[str]:
        """The names of a text that titles have, and what is right behind them: "Harlow trial"."""
        names = [one.fact == "name" and one.norm in self._titles for one in tokens]
        behind = [False, *names]
        found = [one for one, *known in zip(tokens, names, behind, strict=False) if any(known)]
        return {one.norm for one in found if one.norm in self._titles}

    @cached_property
    def _titles(self) -> frozenset[str]:
        """The words of the titles of documents."""
        texts = [one.title for one in self._documents]
        return frozenset(piece.norm for text in texts for piece in pieces_of(text))

    def is_full_name(self, first: str, last: str) -> bool:
        """Whether the documents have two words of a name next to each other, and no other word than
        titles in front of the second one.
        """
        before = self._in_front.get(last, set())
        return first in before and before - {first} <= LISTS["titles"] | self._lower

    @cached_property
    def _in_front(self) -> dict[str, set[str]]:
        """The words with a capital right in front of each word with a capital."""
        found = defaultdict[str, set[str]](set)
        for document in self._documents:
            for match in _NEIGHBORS.finditer(document.text):
                if match["first"][0].isupper() and match["last"][0].isupper():
                    found[match["last"].lower()].add(match["first"].lower())
        return found

    @cached_property
    def _lower(self) -> frozenset[str]:
        """The words that documents have in lower case."""
        return frozenset(
            match[0]
            for document in self._documents
            for match in _WORD.finditer(document.text)
            if match[0].islower()
        )

    @cached_property
    def _counts(self) -> dict[str, set[str]]:
        """The stems of the words that follow each number, and what else has it as a value."""
        found = defaultdict[str, set[str]](set)
        for document in self._documents:
            text = document.text
            for one in amounts_in(text):
                words = words_of(text[one.end : one.end + _BEHIND])[:_COUNTED]
                found[one.norm].update(map(stem, words))
        return found

    def counts(self, number: str, nouns: Collection[str]) -> bool:
        """Whether the documents have a number of something."""
        return not self._counts.get(number, set()).isdisjoint(nouns)

    def has_number(self, number: str) -> bool:
        """Whether the documents have a number in any notation."""
        return number in self._counts

    @cached_property
    def _short_forms(self) -> dict[str, str]:
        """The abbreviation of each long form, in lower case."""
        return {
            " ".join(long.lower().split()): _plain(short)
            for one in self._documents
            for short, long in definitions(one.text).items()
        }

    @cached_property
    def _spelled_out(self) -> dict[str, set[str]]:
        """The words of the long form of each abbreviation."""
        return {short: set(words_of(long)) for long, short in self._short_forms.items()}

    def spells_out(self, short: str, words: Collection[str]) -> bool:
        """Whether some words are all of the long form of an abbreviation, which may be a plural."""
        own = self._spelled_out.get(short) or self._spelled_out.get(short.removesuffix("s"), set())
        plain = {one for word in own for one in (word, f"{word}s")}
        return bool(own) and any(one in plain for one in words) and plain.issuperset(words)

    @cached_property
    def _long_forms(self) -> re.Pattern[str] | None:
        longs = any_of(self._short_forms)
        bracket = r"(?:\s?\([\"“”'‘’]*[\w&/-]{2,10}[\"“”'‘’]*\))?"
        return (
            re.compile(rf"(?<!\w)(?P<long>{longs})(?P<plural>e?s)?(?!\w){bracket}", re.IGNORECASE)
            if longs
            else None
        )

    def short_forms_in(self, text: str, words: Container[str]) -> Iterator[Reading]:
        """The long forms in a text, with the abbreviation in brackets behind them, or
        themselves in brackets behind it, as abbreviations; not those that a text with these words
        spells out, too. And the parties of a case, by their roles.
        """
        for reading in self._abbreviated(text):
            own = words_of(text[reading.start : reading.end])
            if sum(one in words for one in own) < len(own) / 2:
                yield reading
        yield from named_parties(text, self._parties, words)

    @cached_property
    def _parties(self) -> dict[str, str]:
        """The name of each party of a case by its role."""
        return parties_in(self._documents[0].text) if len(self._documents) == 1 else {}

    def _abbreviations(self, text: str) -> tuple[Reading, ...]:
        return tuple(self._readings(text))

    def _readings(self, text: str) -> Iterator[Reading]:
        for match in self._long_forms.finditer(text) if self._long_forms else ():
            short = self._short_forms.get(re.sub(r"[\s-]+", " ", match["long"].lower()))
            if short is None:
                continue
            explained = _EXPLAINED.search(text, max(0, match.start() - _BEFORE), match.start())
            is_closed = text[match.end("long") : match.end("long") + 1] == "]"
            if explained and is_closed and _plain(explained["short"]) in (short, f"{short}s"):
                yield Reading(explained.start(), match.end("long") + 1, short)
            for end in {match.end("long"), match.end()}:
                yield Reading(match.start(), end, short)
                yield Reading(match.start(), end, f"{short}s")


def _plain(short: str) -> str:
    """An abbreviation as a word that is compared."""
    return "".join(filter(str.isalnum, short.lower()))


def _about(document: Document) -> Iterator[str]:
    """What a document says of itself."""
    yield from (document.title, document.origin, PurePath(document.name).stem, *document.authors)
    yield document.text[:_OPENING]
    yield document.text[-_CLOSING:]
    yield from (piece.text for piece in document.left_out if piece.reason in ABOUT_ITSELF)


NOTHING = Known(())
"""Of no document."""
