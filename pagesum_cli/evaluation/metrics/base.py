"""The input and the output of a metric."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

from ...errors import UsageError
from ...text.sentences import VERSION, split_sentences
from ...text.tables import table

Tokenization = Literal["none", "ptb"]


def splitter_signature() -> str:
    """What splits texts that are not given as lists, for a metric's signature."""
    return f"split:pagesum-{VERSION},punkt-if-lower,lists-kept"


def protocol_signature(tokenize: Tokenization) -> str:
    """Splitter and tokenization, for a metric's signature."""
    if tokenize == "ptb":
        return f"split:punkt|tok:ptb+alnum|nltk:{version('nltk')}"
    return f"{splitter_signature()}|tok:alnum"


def scored_sentences(
    text: str, tokenize: Tokenization = "none", given: Sequence[str] = ()
) -> list[str]:
    """Split a summary into sentences for scoring.

    Args:
        text: The summary.
        tokenize: ``none``: this program's sentences, unchanged; those of NLTK's Punkt for text
            without a capital letter (as in arXiv and PubMed), where ours finds few. ``ptb``: the
            paper's protocol (the original's ``cal_rouge.py``): Punkt's sentences, Penn Treebank
            tokens, lower-cased, with brackets as -LRB- and -RRB-. It gives ROUGE a token for each
            bracket and splits clitics ("don't" → "do n't"), and so raises scores by about half a
            point.
        given: The summary's sentences, if the data gives a list of them: ``none`` scores these.
            ``ptb`` splits again, since the paper's protocol reads files of one summary a line.
    """
    if given and tokenize == "none":
        return list(given)
    if tokenize == "none" and text != text.lower():
        return split_sentences(text)
    punkt, treebank = _nltk()
    if tokenize == "none":
        return punkt.tokenize(text)
    return [
        " ".join(treebank.tokenize(one, convert_parentheses=True)).lower()
        for one in punkt.tokenize(text)
    ]


def punkt_sentences(text: str) -> list[str]:
    """The sentences of NLTK's Punkt, which splits text with and without capital letters."""
    return _nltk()[0].tokenize(text)


@cache
def _nltk() -> tuple[Any, Any]:
    from nltk.tokenize import TreebankWordTokenizer
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(table(__file__, "punkt.toml")["abbreviations"].split())
    return PunktSentenceTokenizer(parameters), TreebankWordTokenizer()


Score = dict[str, float]
"""One score of one document in 0–100: ``{"f", "p", "r"}``, or ``{"value"}`` for a single number;
and :data:`COUNTS`.
"""

COUNTS = ("pairs", "truncated")  # figures of a score that are added up over documents


def main_value(score: Score) -> float:
    """The value that tables show: F1, or the single number."""
    return score["f"] if "f" in score else score["value"]


def check_needs(name: str, needs: str, sources: bool, sentences: bool) -> None:
    """Check that there is what a metric reads: texts of documents, or the prediction's sentences
    with their pages.
    """
    if needs == "sources" and not sources:
        raise UsageError(f"--metrics {name} needs the documents", "name the data set with --data")
    if needs == "sentences" and not sentences:
        message = f"--metrics {name} needs page confidences"
        raise UsageError(message, "it works on the summaries of this program's models")


@dataclass(frozen=True)
class PagedSentence:
    """A sentence of a prediction; by page, the confidence and the support: the share of its bigrams
    there, both 0–1.

    ``page`` is the one that it is quoted from; None for a generated sentence.
    """

    text: str
    confidences: tuple[float, ...]
    support: tuple[float, ...]
    page: int | None = None


@dataclass(frozen=True)
class Pair:
    """A prediction, its reference, and the other inputs of metrics, which are empty where there are
    none.
    """

    id: str
    prediction: str
    reference: str
    sources: tuple[str, ...] = ()  # the texts of the documents
    sentences: tuple[PagedSentence, ...] = ()  # the prediction's sentences with their pages
    # the reference's sentences, if the data gives a list of them
    reference_sentences: tuple[str, ...] = ()


class Metric(ABC):
    """A way to score a prediction. To add one: a module here with a subclass, and a line in
    ``registry.METRICS``.

    Args:
        columns: The names of its scores.
        tokenize: See :func:`scored_sentences`.
        model: The name or folder of its model, or its file, if it needs one.
        device: The device of that model, see ``models.weights.pick_device``.

    Attributes:
        name: Its name in signatures and results.
        default_columns: Its scores where none are named.
        needs: ``sources`` or ``sentences`` if it reads that part of a :class:`Pair`; otherwise
            empty.
        heavy: Whether it holds a model or file, which one process keeps; other metrics are computed
            by many processes.
    """

    name = ""
    default_columns: tuple[str, ...] = ()
    needs = ""
    heavy = False

    def __init__(
        self,
        columns: Sequence[str] = (),
        tokenize: Tokenization = "none",
        model: str = "",
        device: str = "auto",
    ) -> None:
        self.columns = tuple(columns) or self.default_columns
        self.tokenize: Tokenization = tokenize
        self.model_name = model
        self.device = device

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything that affects its scores, as ``name|key:value|…``."""

    def prepare(self, pairs: Sequence[Pair]) -> None:  # noqa: B027 (few metrics have something to prepare)
        """Read what the scores of these pairs take, all at once. Only called for metrics that are
        ``heavy``.

        Raises:
            PagesumError: It cannot be read.
        """

    @abstractmethod
    def score(self, pair: Pair) -> dict[str, Score]:
        """The scores of one document by column. A column that is undefined for it is left out."""
