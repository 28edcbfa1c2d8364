"""A language model that judges claims, and what it answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from ..chat import Address
from ..editing.answered import Answers
from ..editing.answers import AnswerError, numbers_in
from ..editing.choosers import Chooser, is_address
from ..errors import PagesumError
from ..summary.check.results import Checked, Judgement
from .passages import Passage
from .prompts import meanings, question

OPTION = "--judge"
GIVES_UP = 3  # failed requests in a row after which the model is not asked again


@dataclass
class Judge:
    """A language model that judges claims by passages.

    Args:
        model: The model.
        answers: Its earlier answers.
        label: What it is called in results.
    """

    model: Chooser
    answers: Answers
    label: str
    failed: int = field(default=0, init=False)  # requests in a row
    missed: int = field(default=0, init=False)  # claims that it could not judge
    reason: str = field(default="", init=False)  # why it could not judge the first of them

    def judged(self, checked: Checked, passages: Sequence[Passage]) -> Checked:
        """A result with what the model answers; without, where there is no answer that can be
        used, or no passage to judge by.
        """
        if not passages:
            return checked
        message = question(checked.claim.text, [one.text for one in passages])
        listed = meanings(len(passages))
        try:
            (number,) = self._choice(message, set(listed))
        except (PagesumError, ValueError) as error:
            self.failed = 0 if isinstance(error, AnswerError) else self.failed + 1
            self.missed += 1
            self.reason = self.reason or str(error)
            return checked
        self.failed = 0
        answer, passage = listed[number]
        place = None if passage is None else passages[passage].place
        return replace(checked, judgement=Judgement(answer, self.label, place))

    def _choice(self, message: str, allowed: set[int]) -> list[int]:
        """The number in the kept answer, or in a new one, which is kept if it can be used."""
        kept = self.answers.get(message)
        text = self._answer(message, allowed) if kept is None else kept
        found = numbers_in(text, allowed, 1)
        if not found:
            raise AnswerError("the answer has no number")
        if kept is None:
            self.answers.keep(message, text)
        return found

    def _answer(self, message: str, allowed: set[int]) -> str:
        if self.failed >= GIVES_UP:
            raise PagesumError("the model was not asked again")
        return self.model.answer(message, allowed, 1)

    def notes(self) -> Iterator[str]:
        """What went wrong since the last time, one line each."""
        if self.missed:
            yield f"{self.label} did not judge {self.missed:,} of the claims: {self.reason}"
        self.missed, self.reason, self.failed = 0, "", 0


def label_of(name: str) -> str:
    """What a model is called in results: the last part of its address or path."""
    return Address.of(name, OPTION).model if is_address(name) else PurePath(name).name


def announced(name: str) -> Iterator[str]:
    """What is to be known before the work, one line each."""
    if is_address(name) and not (address := Address.of(name, OPTION)).is_internal:
        yield f"the claims and the passages that they are compared with go to {address.url}"
