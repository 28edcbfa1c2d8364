"""Pages offer candidates, and a last round chooses among those of all pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from math import ceil

from ..errors import PagesumError
from .answered import Answers
from .answers import AnswerError, numbers_in
from .choosers import Chooser
from .prompts import OF_ALL, OF_PAGE, Brief, Line, question

OFFER = 3.0  # times its share of the words that a page may offer
MIN_OFFER = 4  # sentences that a page may offer however short it is

GIVES_UP = 5  # failed requests in a row after which the server is not asked again


@dataclass(frozen=True)
class Decision:
    """What was chosen; numbers are those of the lines, from 0."""

    chosen: tuple[int, ...]  # by the last round, the best first
    finalists: tuple[int, ...]  # of all pages, those of the built-in score included
    by_score: frozenset[int] = frozenset()  # pages whose finalists the built-in score chose
    notes: tuple[str, ...] = ()  # what went wrong, one line each


@dataclass
class Editor:
    """A language model that chooses sentences by their numbers."""

    model: Chooser
    answers: Answers
    failed: int = field(default=0, init=False)  # requests in a row
    reasons: list[str] = field(default_factory=list, init=False)

    def decide(
        self,
        lines: Sequence[Line],
        brief: Brief,
        budget: float,
        on_page: Callable[[int, int], None] = lambda done, pages: None,
    ) -> Decision:
        """Choose the sentences of a summary of about ``budget`` words.

        ``on_page`` is called with the number of pages that have answered, and that of all.
        """
        self.failed, self.reasons = 0, []
        pages = [list(group) for _, group in groupby(range(len(lines)), lambda n: lines[n].page)]
        share = budget / (sum(line.words for line in lines) or 1)
        offers, by_score = [], set()
        for done, numbers in enumerate(pages):
            limit = _offer(numbers, share)
            offer = self._ask(lines, numbers, brief, OF_PAGE, limit)
            if offer is None:
                by_score.add(lines[numbers[0]].page)
                offer = sorted(numbers, key=lambda number: -lines[number].score)[:limit]
            offers.append(offer)
            on_page(done + 1, len(pages) + 1)
        finalists = sorted(_finalists(lines, offers, self.model.max_words))
        chosen = self._last_round(lines, finalists, brief, budget)
        on_page(len(pages) + 1, len(pages) + 1)
        notes = tuple(self._notes(len(by_score), len(pages), chosen))
        return Decision(tuple(chosen or ()), tuple(finalists), frozenset(by_score), notes)

    def _last_round(
        self, lines: Sequence[Line], finalists: Sequence[int], brief: Brief, budget: float
    ) -> list[int] | None:
        if not finalists:
            return []
        what = OF_ALL.format(words=round(budget))
        chosen = self._ask(lines, finalists, brief, what, len(finalists))
        if chosen is None or not self.model.is_ranking:
            return chosen
        return _within(lines, chosen, budget)

    def _ask(
        self, lines: Sequence[Line], numbers: Sequence[int], brief: Brief, what: str, limit: int
    ) -> list[int] | None:
        """The numbers that are chosen; None where there is no answer that can be used."""
        message = question(brief, lines, numbers, what, limit)
        allowed = {number + 1 for number in numbers}
        try:
            found = self._choice(message, allowed, limit)
        except PagesumError as error:
            is_reached = isinstance(error, AnswerError)
            self.failed = 0 if is_reached else self.failed + 1
            self.reasons.append(error.message)
            return None
        self.failed = 0
        return [number - 1 for number in found]

    def _choice(self, message: str, allowed: set[int], limit: int) -> list[int]:
        """The numbers in the kept answer, or in a new one, which is kept if it can be used."""
        kept = self.answers.get(message)
        text = self._answer(message, allowed, limit) if kept is None else kept
        found = numbers_in(text, allowed, limit)
        if kept is None:
            self.answers.keep(message, text)
        return found

    def _answer(self, message: str, allowed: set[int], limit: int) -> str:
        if self.failed >= GIVES_UP:
            raise PagesumError("the model was not asked again")
        return self.model.answer(message, allowed, limit)

    def _notes(self, by_score: int, pages: int, chosen: list[int] | None) -> Iterator[str]:
        """What the editor did not choose, and why."""
        if by_score:
            yield (
                f"the editor could not choose from {by_score} of {pages} parts, so the built-in "
                f"score chose there: {self.reasons[0]}"
            )
        if chosen is None:
            yield (
                "the editor's last round failed, so the built-in score chose among its "
                f"candidates: {self.reasons[-1]}"
            )
        elif not chosen:
            yield "the editor chose no sentence at all, so the built-in score chose"


def _offer(numbers: Sequence[int], share: float) -> int:
    """The sentences that a page may offer, for the share of all words that is quoted."""
    return min(len(numbers), max(MIN_OFFER, ceil(OFFER * share * len(numbers))))


def _finalists(lines: Sequence[Line], offers: Sequence[Sequence[int]], max_words: int) -> list[int]:
    """What the last round sees: as much as it can read. Where all pages offer more, each page's
    first choices go before any page's second ones.
    """
    ranked = [
        (rank, -lines[number].score, number)
        for offer in offers
        for rank, number in enumerate(offer)
    ]
    return _within(lines, [number for _, _, number in sorted(ranked)], max_words)


def _within(lines: Sequence[Line], numbers: Sequence[int], words: float) -> list[int]:
    """The first of some lines that together have no more than so many words; at least one."""
    totals = accumulate(lines[number].words for number in numbers)
    count = sum(total <= words for total in totals)
    return list(numbers[: max(count, 1)])
