"""Which words of a document are important: those that its summary has."""

from collections.abc import Sequence

from .ngrams import STOP_WORDS, words_of
from .stems import stem


def are_important(words: Sequence[str], reference: str) -> list[bool]:
    """Whether each word occurs in a reference summary and is no stop word: the labels of AdaPool (Pang et al., 2022).

    The paper lemmatizes and names neither lemmatizer nor list. Here Porter stems stand for lemmas, and stop words are
    :data:`~pagesum_cli.text.ngrams.STOP_WORDS` and single letters.
    """
    stems = {stem(word) for word in words_of(reference) if not _is_stop_word(word)}
    return [not _is_stop_word(word) and stem(word) in stems for word in words]


def _is_stop_word(word: str) -> bool:
    return word in STOP_WORDS or not word or (len(word) == 1 and word.isalpha())
