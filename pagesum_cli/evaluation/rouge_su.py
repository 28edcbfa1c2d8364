"""ROUGE-SU4: pairs of words at most four words apart, and single words (Lin 2004, §5)."""

from importlib.metadata import version

from .extras import needs_extra
from .pair import Pair, Score
from .protocol import Tokenization, protocol_signature, scored_sentences
from .rouge import StemmingTokenizer


class RougeSU4:
    """ROUGE-SU4 by the rouge-metric library, on the tokens and stems of :class:`~.rouge.Rouge`."""

    name = "rouge-su4"
    columns = ("rougeSU4",)
    needs = ""
    heavy = False

    def __init__(self, tokenize: Tokenization = "none") -> None:
        self.tokenize: Tokenization = tokenize
        needs_extra("rouge_metric", "rouge-metric", "metrics")

    @property
    def signature(self) -> str:
        """The library and its version, stemmer and tokenization."""
        library = f"rouge-metric-{version('rouge-metric')}"
        return f"rouge-su4|lib:{library}|stem:porter|lower:yes|{protocol_signature(self.tokenize)}"

    def score(self, pair: Pair) -> dict[str, Score]:
        """``f``, ``p``, ``r`` in 0–100."""
        from rouge_metric import PyRouge

        tokenizer = StemmingTokenizer()
        prediction, reference = (
            [tokenizer.tokenize(sentence) for sentence in scored_sentences(text, self.tokenize)]
            for text in (pair.prediction, pair.reference)
        )
        scorer = PyRouge(rouge_n=False, rouge_l=False, rouge_su=True, skip_gap=4)
        scores = scorer.evaluate_tokenized([prediction], [[reference]])["rouge-su4"]
        return {"rougeSU4": {key: 100 * scores[key] for key in ("f", "p", "r")}}
