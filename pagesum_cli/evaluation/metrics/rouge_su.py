"""ROUGE-SU4: pairs of words at most four words apart, and single words (Lin 2004, §5)."""

from importlib.metadata import version

from ...text.stems import stemmed_words
from .base import Metric, Pair, Score
from .protocol import protocol_signature, scored_sentences


class RougeSU4(Metric):
    """ROUGE-SU4 by the rouge-metric library, on the tokens and stems of :class:`~.rouge.Rouge`."""

    @property
    def signature(self) -> str:
        """The library and its version, stemmer and tokenization."""
        library = f"rouge-metric-{version('rouge-metric')}"
        return f"rouge-su4|lib:{library}|stem:porter|lower:yes|{protocol_signature(self.tokenize)}"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``f``, ``p``, ``r`` in 0–100."""
        from rouge_metric import PyRouge

        prediction, reference = (
            [stemmed_words(sentence) for sentence in scored_sentences(text, self.tokenize)]
            for text in (pair.prediction, pair.reference)
        )
        scorer = PyRouge(rouge_n=False, rouge_l=False, rouge_su=True, skip_gap=4)
        scores = scorer.evaluate_tokenized([prediction], [[reference]])["rouge-su4"]
        return {"rougeSU4": {key: 100 * scores[key] for key in ("f", "p", "r")}}
