"""ROUGE-SU: pairs of words of a sentence, in order and with a gap between them, and single words (Lin 2004, §5)."""

from importlib.metadata import version

from ...text.stems import stemmed_words
from .base import Metric, Pair, Score
from .protocol import protocol_signature, scored_sentences


class RougeSU4(Metric):
    """ROUGE-SU4 by the rouge-metric library, on the tokens and stems of :class:`~.rouge.Rouge`.

    The whole text is one sequence of words. As in ROUGE 1.5.5, the last word is no single word.

    Attributes:
        gap: Number of words that may be between the two words of a pair; None for any number.
    """

    gap: int | None = 4

    @property
    def signature(self) -> str:
        """The library and its version, the gap if it is not 4, stemmer and tokenization."""
        library = f"rouge-metric-{version('rouge-metric')}"
        kind = "rouge-su4" if self.gap else "rouge-su|gap:any"
        return f"{kind}|lib:{library}|stem:porter|lower:yes|{protocol_signature(self.tokenize)}"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``f``, ``p``, ``r`` in 0–100."""
        from rouge_metric import PyRouge

        prediction, reference = (
            [stemmed_words(sentence) for sentence in scored_sentences(text, self.tokenize)]
            for text in (pair.prediction, pair.reference)
        )
        scorer = PyRouge(rouge_n=False, rouge_l=False, rouge_su=True, skip_gap=self.gap)
        (scores,) = scorer.evaluate_tokenized([prediction], [[reference]]).values()
        return {"rougeSU4" if self.gap else "rougeSU": {key: 100 * scores[key] for key in ("f", "p", "r")}}


class RougeSU(RougeSU4):
    """ROUGE-SU*, with any gap, which some scripts print as SU4; it is lower, the more the longer the text."""

    gap = None
