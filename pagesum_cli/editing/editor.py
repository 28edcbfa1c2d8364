"""Pages offer candidates, and a last round chooses among those of all pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil

from ..chat import Address, ChatModel, RefusedError
from ..errors import PagesumError
from .answered import Answers
from .answers import AnswerError, numbers_in
from .prompts import OF_ALL, OF_PAGE, Brief, Line, form, question

OFFER = 3.0  # times its share of the words that a page may offer
MIN_OFFER = 4  # sentences that a page may offer however short it is

# Words of the finalists: a context of 32 000 tokens holds them. Where all pages offer more, each
# page's first choices go before any page's second ones.
MAX_FINAL_WORDS = 16_000

MAX_TOKENS = 2048  # of an answer: what a model thinks first counts

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
    """A chat model that chooses sentences by their numbers."""

    model: ChatModel
    answers: Answers
    takes_form: bool = True  # whether the server accepts the form of an answer
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
        finalists = sorted(_finalists(lines, offers))
        chosen = self._last_round(lines, finalists, brief, budget)
        on_page(len(pages) + 1, len(pages) + 1)
        notes = tuple(self._notes(len(by_score), len(pages), has_end=chosen is not None))
        return Decision(tuple(chosen or ()), tuple(finalists), frozenset(by_score), notes)

    def _last_round(
        self, lines: Sequence[Line], finalists: Sequence[int], brief: Brief, budget: float
    ) -> list[int] | None:
        if not finalists:
            return []
        what = OF_ALL.format(words=round(budget))
        return self._ask(lines, finalists, brief, what, len(finalists))

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
        text = self._answer(message, limit) if kept is None else kept
        found = numbers_in(text, allowed, limit)
        if kept is None:
            self.answers.keep(message, text)
        return found

    def _answer(self, message: str, limit: int) -> str:
        """An answer in the form, or in any where the server does not accept one."""
        if self.failed >= GIVES_UP:
            raise PagesumError("the server was not asked again")
        if self.takes_form:
            try:
                return self.model.ask(message, MAX_TOKENS, response_format=form(limit)).text
            except RefusedError:
                text = self.model.ask(message, MAX_TOKENS).text
                self.takes_form = False
                return text
        return self.model.ask(message, MAX_TOKENS).text

    def _notes(self, by_score: int, pages: int, *, has_end: bool) -> Iterator[str]:
        """What the editor did not choose, and why."""
        reason = self.reasons[0] if self.reasons else ""
        if by_score:
            yield (
                f"the editor chose nothing on {by_score} of {pages} parts, the built-in score "
                f"instead: {reason}"
            )
        if not has_end:
            yield (
                "the editor's last round failed, so the built-in score chose among its "
                f"candidates: {self.reasons[-1]}"
            )


def editor_of(name: str, *, allow_network: bool) -> Editor:
    """The editor of an address, ``http://localhost:11434/v1#NAME``.

    Raises:
        UsageError: It is no address, or not this machine without ``allow_network``.
    """
    address = Address.of(name, "--editor")
    address.check(allow_network=allow_network)
    return Editor(ChatModel(address, attempts=1), Answers(address))


def announced(name: str, pages: int, words: int) -> Iterator[str]:
    """What is to be known before the work, one line each."""
    address = Address.of(name, "--editor")
    if not address.is_internal:
        yield f"the documents' sentences and headings, the guide and the focus go to {address.url}"
    if pages + 1 > MANY_CALLS:
        tokens = round(words * TOKENS_A_WORD) + pages * TOKENS_A_CALL
        yield f"the editor is called {pages + 1:,} times with about {tokens:,} tokens"


MANY_CALLS = 100  # more are announced
TOKENS_A_WORD, TOKENS_A_CALL = 1.5, 700  # of a sentence with its number; of guide and task


def _offer(numbers: Sequence[int], share: float) -> int:
    """The sentences that a page may offer, for the share of all words that is quoted."""
    return min(len(numbers), max(MIN_OFFER, ceil(OFFER * share * len(numbers))))


def _finalists(lines: Sequence[Line], offers: Sequence[Sequence[int]]) -> list[int]:
    """What the last round sees: as much as it can read, the first choices of all pages first."""
    ranked = [
        (rank, -lines[number].score, number)
        for offer in offers
        for rank, number in enumerate(offer)
    ]
    found, words = [], 0
    for _, _, number in sorted(ranked):
        words += lines[number].words
        if words > MAX_FINAL_WORDS:
            break
        found.append(number)
    return found
