"""Does what a summary says stand in the documents?"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from math import log
from typing import NamedTuple

from ...documents.model import Document, Sentence, clock
from ...documents.sentences import all_sentences
from ...text.sentences import sentence_spans
from ...text.words import Units, support
from ..repairs import citations_in
from .claims import Citation, Claim, quotations_in
from .differences import Comparison, Context, Difference, compared, conflicts
from .tokens import Token, pieces_of, tokens_of, words_in

_LETTERS = re.compile(r"[^\W\d_]+")

MIN_SUPPORT = 0.25
"""Below this support, no sentence of the document supports the claim; docs/inspect.md explains why."""

MIN_SHARE = 0.4
"""Share of a claim's words that a sentence must have to be compared with it word by word."""

CANDIDATES = 12
"""Sentences with the rarest words of a claim that it is compared with."""

WIDENED, MAX_NEIGHBORS = 2, 4
"""Candidates that are joined with their neighbors, and how many of these on each side."""

MAX_PHRASES = 200
"""Sentences in which a phrase is looked for."""

BUDGET = 4000
"""Occurrences of a claim's words that are looked at: the rarest words first."""

VERDICTS = ("verbatim", "edited", "differs", "paraphrase", "not found")


class Place(NamedTuple):
    """A sentence of a document."""

    sentence: Sentence
    document: int


@dataclass(frozen=True)
class Checked:
    """A claim and what the documents say.

    Attributes:
        claim: the claim.
        verdict: one of ``VERDICTS``.
        score: share of the claim's words that stand there, 0–1; of a paraphrase see ``text.words.support``.
        source: the sentences of the document that are closest, joined; None if nothing is.
        document: number of their document.
        differences: what differs.
        is_cited_right: whether the claim is at the place that it cites; None without a citation, or if not found.
        further: further sentences that a paraphrase may rest on.
    """

    claim: Claim
    verdict: str
    score: float
    source: Sentence | None = None
    document: int = 0
    differences: tuple[Difference, ...] = ()
    is_cited_right: bool | None = None
    further: tuple[Sentence, ...] = ()

    @property
    def is_supported(self) -> bool:
        """Whether the documents support it, as far as words tell."""
        return self.verdict in ("verbatim", "edited") or (self.verdict == "paraphrase" and not self.differences)

    def fails(self, *, strict: bool = False) -> bool:
        """Whether it differs, is missing or is cited wrongly; if strict, also whether it is not proven."""
        is_wrong = self.verdict in ("differs", "not found") or self.is_cited_right is False
        return is_wrong or (strict and self.verdict == "paraphrase")


class _Beside(NamedTuple):
    """A claim beside sentences ``first`` to ``last``."""

    first: int
    last: int
    comparison: Comparison
    checked: Checked


class Checker:
    """Checks claims against sentences, by an index of their words.

    Args:
        places: The sentences, those of a document one after another.
        labels: Numbers printed on the pages of each document.
        names: Names of the documents.
    """

    def __init__(
        self, places: Iterable[Place], names: Sequence[str] = (), labels: Sequence[Sequence[str]] = ()
    ) -> None:
        self._places = [
            Place(_cut(sentence, start, end), number)
            for sentence, number in places
            for start, end in pieces_of(sentence.text)
        ]
        self._names, self._labels = names, labels
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        self._whole: dict[int, int] = {}
        lower: set[str] = set()
        for number, (sentence, _) in enumerate(self._places):
            for word in words_in(sentence.text):
                self._where[word].append(number)
            lower.update(word for word in _LETTERS.findall(sentence.text) if word.islower())
            self._whole.setdefault(hash("".join(filter(str.isalnum, sentence.text.lower()))), number)
        self._context = Context(self._where.keys(), lower, self._has_phrase)
        self._tokens = lru_cache(maxsize=4096)(lambda number: tokens_of(self._places[number].sentence.text))
        self._units = lru_cache(maxsize=4096)(lambda number: Units.of(self._places[number].sentence.text))

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Checker":
        """A checker of documents, also of the text that their readers left out."""
        return cls(
            _places(documents),
            [document.name for document in documents],
            [document.page_labels for document in documents],
        )

    def checked(self, claims: Iterable[Claim]) -> Iterator[Checked]:
        """Check claims; quotations of a sentence that does not stand there itself are checked instead of it.

        A sentence that has more words of its own than it quotes is checked too.
        """
        for claim in claims:
            result = self.check(claim)
            adds = any(one.kind == "insertion" for one in result.differences)
            is_own = result.verdict == "verbatim" or (result.verdict == "edited" and not adds)
            quotations = [] if is_own else quotations_in(claim)
            quoted = sum(len(one.text.split()) for one in quotations)
            if not quotations or 2 * quoted < len(claim.text.split()):
                yield result
            yield from map(self.check, quotations)

    def check(self, claim: Claim) -> Checked:
        """Check one claim, whatever it quotes."""
        ours = tokens_of(claim.text)
        words = {token.norm for token in ours if token.is_word}
        candidates = self._candidates(claim, words)
        if not candidates or not words:
            return Checked(claim, "not found", 0.0)
        shares = {one: len(words & {token.norm for token in self._tokens(one)}) / len(words) for one in candidates}
        least = max(MIN_SHARE, max(shares.values()) - 0.3)
        results = []
        for number in sorted(candidates, key=lambda one: -shares[one]):
            if shares[number] >= least:
                results.append(self._beside(claim, ours, number, number))
                if results[-1].checked.verdict == "verbatim" and results[-1].checked.is_cited_right is not False:
                    break
        for one in nlargest(WIDENED, results, key=lambda one: one.checked.score):
            results.append(self._widened(claim, ours, one))
        found = [one.checked for one in results]
        order = {verdict: place for place, verdict in enumerate(VERDICTS)}
        best = min(found, key=lambda one: (order[one.verdict], one.is_cited_right is False, -one.score), default=None)
        if best is None or best.verdict == "paraphrase":
            return self._as_paraphrase(claim, ours, candidates)
        return best

    def _candidates(self, claim: Claim, words: Collection[str]) -> list[int]:
        """The sentences that share the rarest words with a claim, best first."""
        scores: dict[int, float] = {}
        looked_at = 0
        for word in sorted(self._where.keys() & words, key=lambda word: (len(self._where[word]), word)):
            where = self._where[word][:BUDGET]
            if scores and looked_at + len(where) > BUDGET:
                break
            looked_at += len(where)
            weight = log(1 + len(self._places) / len(where))
            for number in where:
                scores[number] = scores.get(number, 0.0) + weight
        found = nlargest(CANDIDATES, scores, key=lambda number: (scores[number], -number))
        whole = self._whole.get(hash("".join(filter(str.isalnum, claim.text.lower()))))
        return found if whole is None else [whole, *(number for number in found if number != whole)]

    def _beside(self, claim: Claim, ours: list[Token], first: int, last: int) -> "_Beside":
        """A claim beside some sentences, one after another."""
        source = self._joined(first, last)
        theirs = list(self._tokens(first)) if first == last else tokens_of(source.text)
        references = citations_in(source.text)
        found = compared(claim.text, ours, source.text, theirs, self._context, references, is_part=claim.is_part)
        score = round(found.coverage, 4)
        checked = Checked(claim, found.verdict, score, source, self._places[first].document, found.differences)
        is_right = self._is_cited_right(claim.citation, checked)
        return _Beside(first, last, found, replace(checked, is_cited_right=is_right))

    def _widened(self, claim: Claim, ours: list[Token], best: "_Beside") -> "_Beside":
        """The same with the sentences before and after, as far as the claim goes on there."""
        for step in (-1, 1) * MAX_NEIGHBORS:
            first, last = best.first + min(step, 0), best.last + max(step, 0)
            left = best.comparison.begin if step < 0 else best.comparison.end
            if left > 2 and self._are_neighbors(first, last):
                wider = self._beside(claim, ours, first, last)
                if wider.comparison.coverage > best.comparison.coverage + 2.5 / len(ours):
                    best = wider
        return best

    def _joined(self, first: int, last: int) -> Sentence:
        sentences = [self._places[number].sentence for number in range(first, last + 1)]
        pages = tuple(dict.fromkeys(page for one in sentences for page in one.pdf_pages))
        return replace(
            sentences[0], text=" ".join(one.text for one in sentences), pdf_pages=pages, end=sentences[-1].end
        )

    def _are_neighbors(self, one: int, other: int) -> bool:
        if one < 0 or other >= len(self._places):
            return False
        (first, document), (last, same) = self._places[one], self._places[other]
        return document == same and (first.start < 0) == (last.start < 0)

    def _has_phrase(self, words: Sequence[str]) -> bool:
        """Whether words stand one after another in some sentence."""
        if not all(word in self._where for word in words):
            return False
        rarest = min(words, key=lambda word: len(self._where[word]))
        phrase = f" {' '.join(words)} "
        texts = (" ".join(token.norm for token in self._tokens(number)) for number in self._where[rarest][:MAX_PHRASES])
        return any(phrase in f" {text} " for text in texts)

    def _as_paraphrase(self, claim: Claim, ours: list[Token], candidates: Sequence[int]) -> Checked:
        """A claim whose words stand in some sentences in another order, or which was not found."""
        units = Units.of(claim.text)
        covered, value = Units(), 0.0
        chosen: list[int] = []
        for _ in range(2):
            number = max(candidates, key=lambda number: support(units, covered | self._units(number)))
            gained = support(units, covered | self._units(number)) - value
            if gained < (0.1 if chosen else 1e-9):
                break
            chosen.append(number)
            covered, value = covered | self._units(number), value + gained
        value = round(value, 4)
        if not chosen or value < MIN_SUPPORT:
            return Checked(claim, "not found", value)
        near = {one for number in chosen for one in (number - 1, number, number + 1) if 0 <= one < len(self._places)}
        missing, denies = conflicts(ours, [token for one in sorted(near) for token in self._tokens(one)], self._context)
        places = [self._places[number] for number in chosen]
        result = Checked(
            claim,
            "paraphrase",
            round(value * 0.5 ** (len(missing) + denies / 2), 4),
            places[0].sentence,
            places[0].document,
            tuple(missing),
            further=tuple(place.sentence for place in places[1:]),
        )
        ways = [
            self._is_cited_right(claim.citation, replace(result, source=place.sentence, document=place.document))
            for place in places
        ]
        return replace(result, is_cited_right=None if ways[0] is None else any(ways))

    def _is_cited_right(self, citation: Citation | None, result: Checked) -> bool | None:
        source = result.source
        if citation is None or source is None or result.verdict == "not found":
            return None
        number = result.document
        if citation.file and self._names[number] != citation.file:
            return False
        if citation.section and not source.heading.startswith(citation.section):
            return False
        labels = self._labels[number]
        known = {str(page) for page in source.pdf_pages}
        if not citation.is_pdf:
            known |= {labels[page - 1].lower() for page in source.pdf_pages if page <= len(labels)}
        if source.time is not None:
            known.add(clock(source.time))
        return not citation.pages or bool(known & set(citation.pages))


def _places(documents: Sequence[Document]) -> Iterator[Place]:
    for number, document in enumerate(documents):
        for sentence in all_sentences(replace(document, skipped=frozenset())):
            yield Place(sentence, number)
        for piece in document.left_out:
            for start, end in sentence_spans(piece.text, use_pysbd=False):
                yield Place(Sentence(piece.text[start:end], piece.pdf_pages, piece.reason), number)


def _cut(sentence: Sentence, start: int, end: int) -> Sentence:
    if end - start == len(sentence.text):
        return sentence
    moved = (-1, -1) if sentence.start < 0 else (sentence.start + start, sentence.start + end)
    return replace(sentence, text=sentence.text[start:end], start=moved[0], end=moved[1])
