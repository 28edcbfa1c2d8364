"""Does what a summary says stand in the documents?"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from math import log
from typing import NamedTuple

from ...documents.model import Document, Sentence
from ...documents.sentences import all_sentences
from ...text.sentences import sentence_spans
from ...text.words import MIN_SUPPORT, Units, covering
from .claims import Claim, quotations_in
from .differences import Comparison, Difference, conflicts, verdict_of
from .tokens import Token, norms_of, tokens_of

CANDIDATES = 12
"""Sentences with the rarest words of a claim that it is compared with."""

MIN_SHARE = 0.4
"""Share of a claim's words that sentences must have to be compared with it word by word."""

MAX_NEIGHBORS = 2
"""Sentences before and after a candidate that are compared together with it, if the claim has their words."""

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
        further: a further sentence that a paraphrase may rest on.
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


class Checker:
    """Checks claims against sentences, by an index of their words.

    Args:
        places: The sentences, those of a document one after another.
        documents: The documents that claims may cite.
    """

    def __init__(self, places: Iterable[Place], documents: Sequence[Document] = ()) -> None:
        self._places, self._documents = list(places), documents
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        lower: set[str] = set()
        for number, (sentence, _) in enumerate(self._places):
            words = [(norm, match[0]) for norm, match in norms_of(sentence.text) if norm[0].isalnum()]
            lower.update(norm for norm, text in words if text.islower())
            for norm in {norm for norm, _ in words}:
                self._where[norm].append(number)
        self._names = self._where.keys() - lower
        self._tokens = lru_cache(maxsize=4096)(
            lambda number: tokens_of(self._places[number].sentence.text, self._names)
        )

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Checker":
        """A checker of documents, also of the text that their readers left out."""
        return cls(_places(documents), documents)

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

    def supports(self, text: str) -> bool:
        """Whether a sentence that has support states nothing else than the documents."""
        result = self.check(Claim(text))
        return result.is_supported or not result.differences

    def check(self, claim: Claim) -> Checked:
        """Check one claim, whatever it quotes."""
        ours = tokens_of(claim.text, self._names)
        words = {token.norm for token in ours if token.is_word}
        candidates = self._candidates(words)
        shares = {number: len(words & self._norms(number)) / len(words) for number in candidates}
        close = sorted((one for one in candidates if shares[one] >= MIN_SHARE), key=lambda one: -shares[one])
        windows = [range(number, number + 1) for number in close]
        windows += [wide for number in close[:1] if len(wide := self._window(number, words)) > 1]
        found: list[Checked] = []
        for numbers in windows:
            if result := self._beside(claim, ours, numbers):
                found.append(result)
                if result.verdict == "verbatim" and result.is_cited_right is not False:
                    break
        rank = {verdict: place for place, verdict in enumerate(VERDICTS)}
        best = min(found, key=lambda one: (rank[one.verdict], one.is_cited_right is False, -one.score), default=None)
        return self._as_paraphrase(claim, ours, candidates) if best is None or best.verdict == "paraphrase" else best

    def _candidates(self, words: Collection[str]) -> list[int]:
        """The sentences that share the rarest words with a claim, best first."""
        scores: dict[int, float] = {}
        looked_at = 0
        for word in sorted(self._where.keys() & words, key=lambda word: (len(self._where[word]), word)):
            where = self._where[word][:BUDGET]
            if scores and looked_at + len(where) > BUDGET:
                break
            looked_at += len(where)
            for number in where:
                scores[number] = scores.get(number, 0.0) + log(1 + len(self._places) / len(where))
        return nlargest(CANDIDATES, scores, key=lambda number: (scores[number], -number))

    def _norms(self, number: int) -> set[str]:
        return {token.norm for token in self._tokens(number)}

    def _window(self, number: int, words: Collection[str]) -> range:
        """A sentence with those before and after it that have three or more words of the claim that it lacks."""
        first, last = number, number + 1
        missing = set(words) - self._norms(number)
        own = self._places[number]
        for step in (-1, 1) * MAX_NEIGHBORS:
            other = first - 1 if step < 0 else last
            if 0 <= other < len(self._places) and self._places[other].document == own.document:
                added = missing & self._norms(other)
                if len(added) > 2 and (self._places[other].sentence.start < 0) == (own.sentence.start < 0):
                    first, last = min(first, other), max(last, other + 1)
                    missing -= added
        return range(first, last)

    def _beside(self, claim: Claim, ours: list[Token], numbers: range) -> Checked | None:
        """A claim beside some sentences, one after another; None if they are too different."""
        theirs = self._tokens(numbers[0])
        sentences = [self._places[number].sentence for number in numbers]
        source = sentences[0]
        if len(sentences) > 1:
            pages = tuple(dict.fromkeys(page for one in sentences for page in one.pdf_pages))
            text = " ".join(one.text for one in sentences)
            source = replace(source, text=text, pdf_pages=pages, end=sentences[-1].end)
            theirs = tokens_of(text, self._names)
        compared = Comparison(claim.text, ours, source.text, theirs)
        if not compared.is_copy:
            return None
        differences = tuple(compared.differences(self._has_phrase, is_part=claim.is_part))
        document = self._places[numbers[0]].document
        return Checked(
            claim,
            verdict_of(differences),
            round(compared.coverage, 4),
            source,
            document,
            differences,
            self._is_cited_right(claim, source, document),
        )

    def _has_phrase(self, words: Sequence[str]) -> bool:
        """Whether words stand one after another in some sentence."""
        numbers = set.intersection(*(set(self._where.get(word, ())) for word in words))
        phrase = f" {' '.join(words)} "
        return any(phrase in f" {' '.join(token.norm for token in self._tokens(number))} " for number in numbers)

    def _as_paraphrase(self, claim: Claim, ours: list[Token], candidates: Sequence[int]) -> Checked:
        """A claim whose words stand in some sentences in another order, or which was not found."""
        units = [Units.of(self._places[number].sentence.text) for number in candidates]
        chosen, value = covering(Units.of(claim.text), units)
        if not chosen or value < MIN_SUPPORT:
            return Checked(claim, "not found", round(value, 4))
        numbers = [candidates[one] for one in chosen]
        near = {one for number in numbers for one in (number - 1, number, number + 1) if 0 <= one < len(self._places)}
        missing, denies = conflicts(ours, [token for one in sorted(near) for token in self._tokens(one)])
        places = [self._places[number] for number in numbers]
        cited = [self._is_cited_right(claim, *place) for place in places]
        return Checked(
            claim,
            "paraphrase",
            round(value * 0.5 ** (len(missing) + denies / 2), 4),
            *places[0],
            tuple(missing),
            None if claim.citation is None else any(cited),
            tuple(place.sentence for place in places[1:]),
        )

    def _is_cited_right(self, claim: Claim, source: Sentence, document: int) -> bool | None:
        if (citation := claim.citation) is None:
            return None
        cited = self._documents[document]
        pages = {str(page) for page in source.pdf_pages}
        if not citation.is_pdf:
            pages |= {label.lower() for label in cited.labels_of(source.pdf_pages)}
        is_there = source.heading.startswith(citation.section) and citation.file in ("", cited.name)
        return is_there and (not citation.pages or bool(pages & set(citation.pages)))


def _places(documents: Sequence[Document]) -> Iterator[Place]:
    for number, document in enumerate(documents):
        for sentence in all_sentences(replace(document, skipped=frozenset())):
            yield Place(sentence, number)
        for piece in document.left_out:
            for start, end in sentence_spans(piece.text, use_pysbd=False):
                yield Place(Sentence(piece.text[start:end], piece.pdf_pages, piece.reason), number)
