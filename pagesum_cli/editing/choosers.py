"""Language models that answer with numbers: behind an address, or anything with the same
interface.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

from ..chat import Address, ChatModel, RefusedError
from .prompts import form

OPTION = "--editor"

# Words of the finalists that a server reads: a context of 32 000 tokens holds them
MAX_FINAL_WORDS = 16_000

MAX_TOKENS = 2048  # of an answer: what a model thinks first counts

MANY_CALLS = 100  # more are announced
TOKENS_A_WORD, TOKENS_A_CALL = 1.5, 700  # of a sentence with its number; of guide and task


class Chooser(Protocol):
    """A language model that chooses among numbered sentences."""

    @property
    def name(self) -> str:
        """What its answers are kept under: another model has another name."""

    @property
    def max_words(self) -> int:
        """The words of sentences that it can read at once."""

    @property
    def is_ranking(self) -> bool:
        """Whether it always answers with as many numbers as allowed."""

    def answer(self, message: str, allowed: Collection[int], limit: int) -> str:
        """Answer a message with at most ``limit`` of the allowed numbers, as JSON; raises
        PagesumError.
        """


@dataclass
class Server:
    """A chat model behind an address."""

    model: ChatModel
    takes_form: bool = True  # whether it accepts the form of an answer
    max_words: int = MAX_FINAL_WORDS
    is_ranking: bool = False

    @classmethod
    def of(cls, name: str, *, allow_network: bool, option: str = OPTION) -> "Server":
        """The server of an address, ``http://localhost:11434/v1#NAME``, that an option names.

        Raises:
            UsageError: It is no address, or not this machine without ``allow_network``.
        """
        address = Address.of(name, option)
        address.check(allow_network=allow_network)
        return cls(ChatModel(address, attempts=1))

    @property
    def name(self) -> str:
        address = self.model.address
        return f"{address.url}#{address.model}"

    def answer(self, message: str, allowed: Collection[int], limit: int) -> str:
        """An answer in the form, or in any where the server does not accept one."""
        if self.takes_form:
            try:
                return self.model.ask(message, MAX_TOKENS, response_format=form(limit)).text
            except RefusedError:
                text = self.model.ask(message, MAX_TOKENS).text
                self.takes_form = False
                return text
        return self.model.ask(message, MAX_TOKENS).text


def is_address(name: str) -> bool:
    """Whether an editor is a server, not a checkpoint on this disk."""
    return "://" in name or "#" in name


def announced(name: str, calls: int = 0, words: int = 0) -> Iterator[str]:
    """What is to be known before the work, one line each.

    Args:
        name: The editor.
        calls: How often it is asked, as far as that is known.
        words: Those of all documents.
    """
    if is_address(name):
        address = Address.of(name, OPTION)
        if not address.is_internal:
            what = "the documents' sentences and headings, the guide and the focus"
            yield f"{what} go to {address.url}"
    if calls > MANY_CALLS:
        tokens = round(words * TOKENS_A_WORD) + calls * TOKENS_A_CALL
        yield f"the editor is called {calls:,} times with about {tokens:,} tokens"
