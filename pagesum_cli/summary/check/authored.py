"""Documents that a claim cites by author and year, "(Lee et al., 2020)": what it states should
stand in one of them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from ...documents.model import Document
from .claims import Citation
from .differences import Difference
from .results import RANKS, Checked
from .works import Authorship, Work, works_in

CLOSE = 0.6  # share of the support in another document with which the cited one is preferred
SURE = 0.5  # share of it below which the claim is not from the cited document
MIN_SUPPORT = 0.35  # support in another document that shows that a claim is from there

Check = Callable[[int], Checked]
"""What a check finds of a claim in one document alone, which is given by its number."""


class Authored:
    """The documents that claims may cite by author and year.

    Args:
        documents: The documents.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._authorships = [*map(Authorship, documents)]

    def compared(self, result: Checked, check: Check) -> Checked:
        """What was found of a claim without the works that it cites, after these have been compared
        with where it was found.
        """
        works = works_in(result.claim.text)
        result = self._placed(result, works, check)
        documents = {place.document for place in result.sources if self._documents}
        wrong = [
            Difference("citation", work.year, year, work.span)
            for work in works
            for number in sorted(documents)
            if (year := self._authorships[number].other_year(work))
        ]
        found = (*wrong, *result.differences)
        return replace(result, verdict="differs", differences=found) if wrong else result

    def _placed(self, result: Checked, works: Sequence[Work], check: Check) -> Checked:
        """A claim with the passage of the document that it cites, if this supports it as well, and
        whether the document is the right one.
        """
        cited = self._cited_by(works) if result.sources else []
        if not cited or result.claim.citation is not None:
            return result
        are_cited = [place.document in cited for place in result.sources]
        own = result if all(are_cited) else min(map(check, cited), key=_order)
        if _is_as_good(own, result):
            return self._with_citation(own, works, cited, is_right=True)
        if any(are_cited):
            return self._with_citation(result, works, cited, is_right=True)
        return self._elsewhere(result, works, cited, own)

    def _elsewhere(
        self, result: Checked, works: Sequence[Work], cited: Collection[int], own: Checked
    ) -> Checked:
        """A result from other documents than those that its claim cites, beside what these have."""
        if _is_elsewhere(own, result) and not _names(result, works):
            return self._with_citation(result, works, cited, is_right=False)
        return own if own.is_supported else result

    def _cited_by(self, works: Iterable[Work]) -> list[int]:
        """The documents that works are, each the only one of its author and year; none if another
        work is cited beside them.
        """
        found = [self._written_as(work) for work in works]
        is_clear = all(len(numbers) == 1 for numbers in found)
        return sorted({number for numbers in found for number in numbers}) if is_clear else []

    def _written_as(self, work: Work) -> list[int]:
        return [number for number, one in enumerate(self._authorships) if one.is_work(work)]

    def _with_citation(
        self, result: Checked, works: Sequence[Work], cited: Collection[int], *, is_right: bool
    ) -> Checked:
        """A result with the works that its claim cites as a citation of documents."""
        text = ", ".join(f"{work.name} {work.year}" for work in works)
        file = ", ".join(self._documents[number].name for number in cited)
        citation = Citation(text, file=file, is_work=True)
        return replace(
            result, claim=replace(result.claim, citation=citation), is_cited_right=is_right
        )


def _order(one: Checked) -> tuple[int, float]:
    """The place of a result among others, the best first."""
    return RANKS[one.verdict], -one.score


def _is_as_good(own: Checked, other: Checked) -> bool:
    """Whether a cited document supports a claim as well as another document."""
    if own.verdict == "paraphrase" and not own.differences:
        return other.verdict in ("paraphrase", "differs") and own.score >= CLOSE * other.score
    return RANKS[own.verdict] <= RANKS[other.verdict] and own.verdict in ("verbatim", "edited")


def _is_elsewhere(own: Checked, other: Checked) -> bool:
    """Whether a claim is surely from another document than the cited one: it is a copy, has a
    number that only the other document has beside its words, or nearly all of its words are there.
    """
    if other.verdict in ("verbatim", "edited"):
        return True
    if not other.is_supported:
        return False
    lacks_number = any(one.kind in ("number", "date") for one in own.differences)
    is_whole = len(other.missing_words) <= 1 and own.score < SURE * other.score
    return other.score >= (MIN_SUPPORT if lacks_number else SURE) and (lacks_number or is_whole)


def _names(result: Checked, works: Iterable[Work]) -> bool:
    """Whether a passage cites one of some works itself."""
    return any(work.name in place.sentence.text for work in works for place in result.sources)
