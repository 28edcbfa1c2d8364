"""Text → the sentences that are scored: how they are split and tokenized, which moves ROUGE by up to a point."""

from functools import cache
from importlib.metadata import version
from typing import Literal

from ..documents.sentences import split_sentences

Tokenization = Literal["none", "ptb"]


def splitter_name() -> str:
    """The sentence splitter and its version, for a signature."""
    return f"pysbd-{version('pysbd')}"


def scored_sentences(text: str, tokenize: Tokenization = "none") -> list[str]:
    """The sentences of a summary as they are scored.

    Args:
        text: the summary.
        tokenize: ``none`` leaves the words alone. ``ptb`` is the paper's protocol (the original's ``cal_rouge.py``):
            Penn Treebank tokens, lower-cased, with brackets as -LRB- and -RRB-. It gives ROUGE a token for each
            bracket and parts clitics ("don't" → "do n't"), and so raises scores by about half a point.
    """
    sentences = split_sentences(text)
    if tokenize == "none":
        return sentences
    return [" ".join(_treebank().tokenize(sentence, convert_parentheses=True)).lower() for sentence in sentences]


@cache
def _treebank():  # noqa: ANN202 (nltk has no types, and takes half a second to import)
    from nltk.tokenize import TreebankWordTokenizer

    return TreebankWordTokenizer()
