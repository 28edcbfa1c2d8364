"""What a choice of quotes is made from."""

from collections.abc import Sequence
from dataclasses import dataclass

WHOLE, UNUSUAL, STUB = range(3)
"""Levels: whole sentences about the subject; those that are very short or long; all others. Those
of a higher level are quoted only where there is nothing else.
"""

MIN_TOKENS, MAX_TOKENS = 8, 100
"""Tokens of a sentence of usual length: shorter ones mean little alone, longer ones are mostly
lists.
"""


@dataclass(frozen=True)
class Candidate:
    """A sentence that may be quoted, as its reader sees it."""

    page: int  # its page
    sentence: int  # its index among the page's sentences
    tokens: Sequence[int]  # its token ids
    score: float  # how much speaks for quoting it, in logits
    alone: float = 1.0  # the probability that it is understood without the sentence before it
    leans: bool = False  # whether it is better understood after that, if that is good, too
    words: int = 1  # number of its words, with those of the lead-in that it completes
    citation_words: int = 0  # number of words of the citations that belong to it
    document: int = 0  # the document of a cluster that it is from
    level: int = WHOLE
    # whether the candidate before it is the sentence before it in its paragraph
    follows: bool = False
    is_abstract: bool = False  # whether it is in the abstract
    # whether it is about what was asked for: quoted even if it is not understood alone
    is_central: bool = False
    # whether it has numbers of results that the abstract lacks, which is left out
    is_new: bool = False
    # whether it binds somebody: what another document lays down in the same words is another rule
    binds: bool = False
    is_chosen: bool = False  # whether an editor chose it among others

    @property
    def place(self) -> tuple[int, int]:
        """Its page, and its index there."""
        return self.page, self.sentence


def level_of(tokens: Sequence[int], *, is_whole: bool) -> int:
    """The level of a sentence, by whether it is a whole one and by its length."""
    if not is_whole:
        return STUB
    return WHOLE if MIN_TOKENS <= len(tokens) <= MAX_TOKENS else UNUSUAL
