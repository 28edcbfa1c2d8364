"""Generated text → proven text: what the documents do not support gives way to a quote.

The same :class:`~.summary.check.checker.Checker` decides that judges for ``pagesum check``, so that
a proven text has nothing which that command calls differing or not found. It is stricter with a
sentence that a model has written: one that shares only words with the documents is not proven.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from .documents.model import Document
from .documents.readers.text import plain_document
from .locality import Pages
from .shapes.rules import needs_context
from .summary.attribution import best_source, with_places
from .summary.check.checker import MIN_SUPPORT, Checker
from .summary.check.claims import Claim, claims_of_sentence, parts_of_text
from .summary.check.results import VERDICTS, Checked, Place
from .summary.drafts import TextOfDraft, quoted
from .summary.summary import Draft, PageShare, Source, Summary, SummarySentence, SummaryToken
from .text.sentences import sentence_spans
from .text.words import Units, support

if TYPE_CHECKING:
    from .decoding.sentences import SentenceRules

SentencePlace = tuple[int, int]  # page, index in its sentences


@dataclass(frozen=True)
class Judgment:
    """What a check found about a sentence."""

    results: tuple[Checked, ...]  # of its claims; empty if it states nothing
    # whether a claim says nothing but what a sentence of a document says
    restates: Callable[[Checked], bool]

    @property
    def holds(self) -> bool:
        """Whether it states something, and a check finds all of it in the documents."""
        return bool(self.results) and all(map(_holds, self.results))

    @property
    def is_proven(self) -> bool:
        """Whether it may stay although a model has written it."""
        return self.holds and all(map(self.restates, self.results))

    @property
    def verdict(self) -> str:
        """The weakest of its claims' verdicts."""
        return max((one.verdict for one in self.results), key=VERDICTS.index, default="not found")

    @property
    def sources(self) -> list[Place]:
        """The closest sentences of the documents."""
        return [place for one in self.results for place in one.sources]


class Prover:
    """Judges and replaces the sentences of a text about some documents.

    Args:
        pages: What a model read; quotes are taken from there.
        documents: What the pages were cut from.
    """

    def __init__(self, pages: Pages, documents: Sequence[Document]) -> None:
        self._pages, self._documents = pages, documents
        self._checker = Checker.of(documents)

    def judged(self, sentence: SummarySentence) -> Judgment:
        """What a check of a summary that has this sentence finds about it."""
        results = tuple(self._checker.checked(claims_of_sentence(sentence)))
        return Judgment(results, self._checker.restates)

    def places(self, judgment: Judgment) -> list[SentencePlace]:
        """The sentences on the pages that a judgment rests on."""
        return [
            (number, index)
            for place in judgment.sources
            for number, page in enumerate(self._pages.pages)
            if page.source == self._documents[place.document].name
            for index, one in enumerate(page.sentences)
            if place.sentence.start <= one.start and one.end <= place.sentence.end
        ]

    def sources(self, places: Sequence[SentencePlace]) -> tuple[Source, ...]:
        """The places of sentences in the documents."""
        whole = tuple(dict.fromkeys(places))
        if not whole:
            return ()
        rows = [[1.0] * len(self._pages.pages)] * len(whole)
        written = quoted(self._pages, Draft(rows, sentences=whole), verbatim=True)
        return tuple(one.source for one in written.sentences if one.source)

    def place_for(self, text: str, judgment: Judgment) -> SentencePlace | None:
        """The sentence to quote instead of one that does not hold; None if none says it."""
        pages = self._pages.pages
        near = [one for one in self.places(judgment) if pages[one[0]].sentences[one[1]].is_quotable]
        if near:
            return near[0]
        page, index = place = best_source(text, self._pages)
        says = support(Units.of(text), Units.of(pages[page].sentences[index].text))
        return place if says >= MIN_SUPPORT else None

    def quote(self, place: SentencePlace, instead: SummarySentence) -> SummarySentence | None:
        """A sentence of the pages instead of a generated one; None if a check would refuse it.

        A quote whose repairs a check does not accept is quoted exactly. One whose words point at
        the sentence before it is marked.
        """
        shares = {one.page: one.confidence for one in instead.pages}
        row = [shares.get(number, 0.0) for number in range(len(self._pages.pages))]
        text = self._pages.pages[place[0]].sentences[place[1]].text
        draft = Draft([row], sentences=(place,), needs_context=(needs_context(text),))
        for verbatim in (False, True):
            written = quoted(self._pages, draft, documents=self._documents, verbatim=verbatim)
            (own,) = written.sentences
            judgment = self.judged(own)
            if judgment.holds:
                return replace(own, verdict=judgment.verdict, replaced=instead.text)
        return None

    def settled(self, sentences: Sequence[SummarySentence]) -> list[SummarySentence]:
        """The sentences without those that a check of the running text would refuse.

        A text is split again where it is read, and two sentences may then be taken for one.
        """
        kept = list(sentences)
        while len(kept) > 1 and (refused := next(self._refused(kept), None)):
            units = Units.of(refused.text)
            kept.remove(max(kept, key=lambda one: support(units, Units.of(one.shown))))
        return kept

    def _refused(self, sentences: Sequence[SummarySentence]) -> Iterator[Claim]:
        text = plain_document(" ".join(one.shown for one in sentences), "summary")
        claims = (one for one in parts_of_text(text, self._documents) if isinstance(one, Claim))
        return (one.claim for one in self._checker.checked(claims) if not _holds(one))


def _holds(checked: Checked) -> bool:
    """Whether the documents support a claim; a paraphrase, with all of its names and numbers."""
    return checked.is_supported and not checked.fails()


def proven(summary: Summary, pages: Pages, documents: Sequence[Document]) -> Summary:
    """A generated summary of which the documents support each sentence.

    One that they do not support is replaced by the quote that says what it is about, or left out.
    A summary of which nothing would be left has the quote that is nearest to one of its sentences.
    """
    prover = Prover(pages, documents)
    kept: list[SummarySentence] = []
    quoted_places: set[SentencePlace] = set()
    for sentence in summary.sentences:
        own, places = _kept(sentence, prover, quoted_places)
        kept += [own] if own else []
        quoted_places.update(places)
    if not kept:
        kept += _nearest(summary, prover, pages)
    settled = prover.settled(kept)
    marked = [_understood(*pair) for pair in zip([None, *settled], settled, strict=False)]
    return with_sentences(summary, with_places(marked, documents))


def _understood(before: SummarySentence | None, own: SummarySentence) -> SummarySentence:
    """A sentence, no longer marked if the sentence at which it points is quoted before it."""
    first, then = before and _origin(before), _origin(own)
    if first and then and (first.page, first.sentence + 1) == (then.page, then.sentence):
        return replace(own, needs_context=False)
    return own


def _origin(sentence: SummarySentence) -> Source | None:
    """What a sentence quotes, or is proven by."""
    return sentence.source or next(iter(sentence.quotes), None)


def _kept(
    sentence: SummarySentence,
    prover: Prover,
    quoted_places: Collection[SentencePlace],
) -> tuple[SummarySentence | None, Sequence[SentencePlace]]:
    """A sentence that holds, or a quote instead that is not there yet; and what these quote."""
    judgment = prover.judged(sentence)
    if judgment.is_proven:
        places = prover.places(judgment)
        is_quote = judgment.verdict in ("verbatim", "edited")
        held = replace(
            sentence,
            verdict=judgment.verdict,
            quotes=prover.sources(places),
            needs_context=needs_context(sentence.text),
        )
        return held, places if is_quote else ()
    place = prover.place_for(sentence.text, judgment)
    if place is None or place in quoted_places:
        return None, ()
    return prover.quote(place, sentence), (place,)


def _nearest(summary: Summary, prover: Prover, pages: Pages) -> Iterator[SummarySentence]:
    """The quote that is nearest to one of the sentences."""
    places = [(one, best_source(one.text, pages)) for one in summary.sentences]

    def says(pair: tuple[SummarySentence, SentencePlace]) -> float:
        own, (page, index) = pair
        return support(Units.of(own.text), Units.of(pages.pages[page].sentences[index].text))

    for sentence, place in sorted(places, key=says, reverse=True):
        if quote := prover.quote(place, sentence):
            yield quote
            return


def sentence_rules(
    text: TextOfDraft, pages: Pages, documents: Sequence[Document]
) -> "SentenceRules":
    """Rules for a search whose sentences are to be proven.

    A sentence that holds is accepted, proven or not: one that shares its words with the documents
    has a quote that says the same, and more candidates would take several times as long.
    """
    from .decoding.sentences import SentenceRules  # with torch

    prover = Prover(pages, documents)

    def words(ids: Sequence[int]) -> str:
        return text.tokenizer.decode(ids, text.words).strip()

    def accepts(ids: Sequence[int]) -> bool:
        return prover.judged(SummarySentence(words(ids), ())).holds

    return SentenceRules(lambda ids: len(sentence_spans(words(ids))) > 1, accepts)


def with_sentences(summary: Summary, sentences: Sequence[SummarySentence]) -> Summary:
    """A summary with proven sentences; those that are in none of them are ``unproven``."""
    shown = {one.text for one in sentences} | {one.replaced for one in sentences}
    return replace(
        summary,
        text=" ".join(one.shown for one in sentences),
        sentences=tuple(sentences),
        tokens=_tokens_of(summary, sentences) if summary.tokens else (),
        unproven=tuple(one.text for one in summary.sentences if one.text not in shown),
        settings={**summary.settings, "proven": True},
    )


def _tokens_of(summary: Summary, sentences: Sequence[SummarySentence]) -> tuple[SummaryToken, ...]:
    """The tokens of the sentences that a model generated; a quote is one token."""
    own = _tokens_by_sentence(summary)
    tokens: list[SummaryToken] = []
    for sentence in sentences:
        pieces = [] if sentence.replaced else own.get(sentence.text, [])
        if "".join(one.text for one in pieces).strip() != sentence.text:
            row = _row(sentence.pages, len(summary.pages))
            pieces = [SummaryToken(sentence.shown, row)]
        first = replace(pieces[0], text=" " * bool(tokens) + pieces[0].text.lstrip())
        last = replace(pieces[-1], text=pieces[-1].text.rstrip())
        tokens += [first, *pieces[1:-1], last] if len(pieces) > 1 else [first]
    return tuple(tokens)


def _tokens_by_sentence(summary: Summary) -> dict[str, list[SummaryToken]]:
    """The tokens that begin after the sentence before, by their sentence's text."""
    starts = list(accumulate((len(one.text) for one in summary.tokens), initial=0))
    placed = list(zip(starts, summary.tokens, strict=False))
    own, begin = {}, 0
    for sentence in summary.sentences:
        end = summary.text.find(sentence.text, begin) + len(sentence.text)
        own[sentence.text] = [token for start, token in placed if begin <= start < end]
        begin = end
    return own


def _row(shares: Collection[PageShare], pages: int) -> tuple[float, ...]:
    by_page = {one.page: one.confidence for one in shares}
    return tuple(round(by_page.get(number, 0.0), 5) for number in range(pages))
