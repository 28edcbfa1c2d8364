"""What a check finds of a claim, and what it makes of it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...documents.model import Document, Sentence
from .alignment import Side
from .attributions import Statement
from .claims import Claim
from .conditions import RESTRICTION
from .differences import CHANGES, Difference
from .known import Known
from .paraphrases import missing_words
from .parted import TOGETHER, Parted, parted
from .sayings import Speaker, shifted

SURE = 0.75  # support from which a passage is surely the source of an attributed statement
WIDE = 1.5  # times the words of a claim in another order that the document has for them
LONGEST_ORDER = 6  # words in another order that a copy may have

UNCERTAIN = "uncertain"
"""The kind of difference of words that were recognized in a scan, and may be wrong."""

UNPROVEN = {"wording", RESTRICTION}
"""Kinds of differences with which a claim may state something else, or more."""

VERDICTS = ("verbatim", "edited", "differs", "paraphrase", "not found")


class Place(NamedTuple):
    """A sentence of a document."""

    sentence: Sentence
    document: int


SUPPORTED, CONTRADICTED, UNSETTLED = "supported", "contradicted", "not settled"
ANSWERS = (SUPPORTED, CONTRADICTED, UNSETTLED)
"""What a language model can answer about a claim."""


@dataclass(frozen=True)
class Judgement:
    """What a language model makes of a claim, from passages of the documents alone."""

    answer: str  # one of ``ANSWERS``
    model: str  # its name
    place: Place | None = None  # what supports or contradicts the claim; None if nothing does


@dataclass(frozen=True)
class Checked:
    """A claim and what the documents say."""

    claim: Claim
    verdict: str  # one of ``VERDICTS``
    # share of the claim's words that stand there, 0–1; of a paraphrase see ``text.words.support``
    score: float
    # the closest sentences, those that the claim goes over joined; two only of a paraphrase
    sources: tuple[Place, ...] = ()
    differences: tuple[Difference, ...] = ()
    # whether the claim is at the place that it cites; None without a citation, or if not found
    is_cited_right: bool | None = None
    # of a paraphrase: its words that the sources have in no form
    missing_words: tuple[str, ...] = ()
    parted: Parted = TOGETHER  # of a paraphrase: which of two sources has which of its words
    judgement: Judgement | None = None  # None if no model was asked
    # of what is not proven: what a search for its words finds first, if that is no source of it
    nearest: Place | None = None

    @property
    def answer(self) -> str:
        """What a model answers about it; empty if none was asked."""
        return self.judgement.answer if self.judgement else ""

    @property
    def is_supported(self) -> bool:
        """Whether the documents support it, as far as words tell."""
        return self.verdict in ("verbatim", "edited") or (
            self.verdict == "paraphrase" and not self.differences
        )

    def fails(self, *, strict: bool = False) -> bool:
        """Whether it differs, is missing, is cited wrongly or contradicted; if strict, also whether
        it is neither proven nor supported, as a model reads it.
        """
        is_wrong = self.verdict in ("differs", "not found") or self.is_cited_right is False
        is_open = self.verdict == "paraphrase" and self.answer != SUPPORTED
        return is_wrong or self.answer == CONTRADICTED or (strict and is_open)


def uncertain_words(
    claim: Claim, places: Iterable[Place], documents: Sequence[Document]
) -> Iterator[Difference]:
    """Words of a claim that its place has only as far as a scan could be recognized."""
    for sentence, number in places:
        if number >= len(documents):
            return
        for word in documents[number].uncertain_in(sentence.text, sentence.pdf_pages):
            if (start := claim.text.find(word)) >= 0:
                yield Difference(UNCERTAIN, word, word, (start, start + len(word)))


def verdict_of(differences: Sequence[Difference]) -> str:
    """What a copy with these differences is."""
    kinds = {one.kind for one in differences}
    if kinds & CHANGES:
        return "differs"
    return "paraphrase" if kinds & UNPROVEN else "edited" if kinds else "verbatim"


RANKS = {"verbatim": 0, "edited": 1, "paraphrase": 2, "differs": 3, "not found": 4}
"""Verdicts, the best first."""


def is_wider(checked: Checked) -> bool:
    """Whether a claim is a copy but for a restriction that it leaves out."""
    kinds = {one.kind for one in checked.differences}
    return RESTRICTION in kinds and kinds.isdisjoint({"wording", *CHANGES})


def reorders(checked: Checked) -> bool:
    """Whether a copy has so many words in another order that it is hardly one."""
    orders = (one for one in checked.differences if one.kind == "order")
    return any(len(one.claim.split()) > LONGEST_ORDER for one in orders)


def is_loose(checked: Checked) -> bool:
    """Whether the words of a copy are in another order because the document has many between."""
    found = [one for one in checked.differences if one.kind == "order"] if reorders(checked) else []
    return any(len(one.document.split()) > WIDE * len(one.claim.split()) for one in found)


def text_of(checked: Checked) -> str:
    """The sentences that a claim is closest to."""
    return " ".join(place.sentence.text for place in checked.sources)


def may_be_elsewhere(copy: Checked, values: Collection[str], place: Place) -> bool:
    """Whether a place may have a claim that has values which the sentence lacks of which it is a
    copy, that is only loosely a copy, or, at another place, that denies what it states.
    """
    is_denial = any(one.kind == "negation" for one in copy.differences)
    is_other = is_denial and place not in copy.sources
    return bool(values) or is_other or is_loose(copy)


def lacks_values(checked: Checked) -> bool:
    """Whether a claim differs from a sentence in what another one may have."""
    kinds = {one.kind for one in checked.differences} & CHANGES
    return checked.verdict == "differs" and kinds.isdisjoint(("label", "speaker", "question"))


def is_sure(one: Checked, result: Checked) -> bool:
    """Whether a passage is surely the source of an attributed statement."""
    if one.verdict in ("verbatim", "edited"):
        return True
    if one.verdict == "paraphrase":
        return one.score >= SURE and not one.differences
    return one.verdict == "differs" and result.verdict in ("differs", "not found")


def is_better(own: Checked, result: Checked, said: Statement) -> bool:
    """Whether the verdict on a statement says more than that on the whole claim."""
    kinds = {one.kind for one in own.differences}
    is_plain = said.is_quotation or not kinds.isdisjoint({"number", "date", "name"})
    return RANKS[own.verdict] <= RANKS[result.verdict] or (is_plain and own.verdict != "not found")


def misattributed(claim: Claim, said: Statement, speaker: Speaker, one: Checked) -> Checked:
    """A claim that names another speaker than the document."""
    wrong = Difference("speaker", said.by.name, speaker.name, said.by.span)
    changed = (other for other in shifted(one.differences, said) if other.kind in CHANGES)
    found = sorted([wrong, *changed], key=lambda one: one.span)
    return replace(one, claim=claim, verdict="differs", differences=tuple(found))


def with_words(checked: Checked, claim: Side, passages: Sequence[Side], known: Known) -> Checked:
    """A result with which words of a paraphrase its passages lack, and which one has which."""
    if checked.verdict != "paraphrase":
        return checked
    missing = missing_words(claim, passages, known)
    return replace(checked, missing_words=missing, parted=parted(claim, passages, known))
