"""Text → the sentences that are scored: how they are split and tokenized, which changes ROUGE by up to a point."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from ...text.sentences import VERSION, split_sentences

Tokenization = Literal["none", "ptb"]

# Words whose dot ends no sentence. Punkt would learn them from a corpus, which cannot be downloaded everywhere.
_ABBREVIATIONS = frozenset(
    """
    a.m al approx apr assn aug ave blvd capt cf co col comm corp ct d.c dec dept dr e.g ed eds etc ex feb fig figs fy
    gen gov hon i.e inc jan jr jul jun lt ltd mar mr mrs ms mt n.d no nos nov oct p.l p.m ph.d pp prof pub rep reps rev
    s.ct sec secs sen sens sep sept sgt sr st stat supp u.k u.n u.s u.s.c univ v vol vols vs
    """.split()  # noqa: SIM905
)


def splitter_signature() -> str:
    """What splits texts that are not given as lists, for a metric's signature: its rules, and pysbd in doubt."""
    return f"split:pagesum-{VERSION}+pysbd-{version('pysbd')},punkt-if-lower,lists-kept"


def protocol_signature(tokenize: Tokenization) -> str:
    """Splitter and tokenization, for a metric's signature."""
    if tokenize == "ptb":
        return f"split:punkt|tok:ptb+alnum|nltk:{version('nltk')}"
    return f"{splitter_signature()}|tok:alnum"


def scored_sentences(text: str, tokenize: Tokenization = "none", given: Sequence[str] = ()) -> list[str]:
    """Split a summary into sentences for scoring.

    Args:
        text: The summary.
        tokenize: ``none``: this program's sentences, unchanged; those of NLTK's Punkt for text without a capital
            letter (as in arXiv and PubMed), where pysbd finds none. ``ptb``: the paper's protocol (the original's
            ``cal_rouge.py``): Punkt's sentences, Penn Treebank tokens, lower-cased, with brackets as -LRB- and -RRB-.
            It gives ROUGE a token for each bracket and splits clitics ("don't" → "do n't"), and so raises scores by
            about half a point.
        given: The summary's sentences, if the data gives a list of them: ``none`` scores these. ``ptb`` splits again,
            since the paper's protocol reads files of one summary a line.
    """
    if given and tokenize == "none":
        return list(given)
    if tokenize == "none" and text != text.lower():
        return split_sentences(text)
    punkt, treebank = _nltk()
    if tokenize == "none":
        return punkt.tokenize(text)
    return [" ".join(treebank.tokenize(one, convert_parentheses=True)).lower() for one in punkt.tokenize(text)]


def punkt_sentences(text: str) -> list[str]:
    """The sentences of NLTK's Punkt, which splits text with and without capital letters."""
    sentences: list[str] = _nltk()[0].tokenize(text)
    return sentences


@cache
def _nltk() -> tuple[Any, Any]:
    from nltk.tokenize import TreebankWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(_ABBREVIATIONS)
    return PunktSentenceTokenizer(parameters), TreebankWordTokenizer()
