"""ROUGE-1, -2, -L, -Lsum and -SU (Lin 2004).

ROUGE-1, -2, -L and -Lsum are the numbers of the rouge-score library to the last digit, several
times as fast: -1 and -2 by the library, with stems that are looked up once per word; -L and -Lsum
by its definitions, but with bit-parallel rows (Hyyrö 2004) instead of a table. -SU is computed by
the rouge-metric library.
"""

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from itertools import chain

from rouge_score import rouge_scorer, scoring, tokenizers

from ...text.words import lcs_pairs, positions_of, stemmed_words
from .base import Metric, Pair, Score, protocol_signature, scored_sentences

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


class Rouge(Metric):
    """ROUGE with the Porter stemmer, F1 first.

    Args:
        columns: Of :data:`ROUGE_TYPES`. ``rougeL`` is one subsequence through the whole text;
            ``rougeLsum``, which papers also print as "ROUGE-L", is the union of subsequences by
            sentence. They differ by tens of points.
    """

    name = "rouge"
    default_columns = ("rouge1", "rouge2", "rougeLsum")

    @property
    def signature(self) -> str:
        kinds = "+".join(
            kind.removeprefix("rougeL") or "one"
            for kind in self.columns
            if kind.startswith("rougeL")
        )
        longest = f"|L:{kinds}" if kinds else ""
        library = f"rouge-score-{version('rouge-score')}"
        return (
            f"rouge|lib:{library}{longest}|stem:porter|lower:yes"
            f"|{protocol_signature(self.tokenize)}"
        )

    def score(self, pair: Pair) -> dict[str, Score]:
        """``f``, ``p``, ``r`` of each type, in 0–100; 0 for an empty prediction."""
        prediction = scored_sentences(pair.prediction, self.tokenize)
        reference = scored_sentences(pair.reference, self.tokenize, pair.reference_sentences)
        scores = rouge(prediction, reference, self.columns)
        return {
            kind: {"f": 100 * score.fmeasure, "p": 100 * score.precision, "r": 100 * score.recall}
            for kind, score in scores.items()
        }


def rouge(
    prediction: Sequence[str], reference: Sequence[str], types: Sequence[str]
) -> dict[str, scoring.Score]:
    """The scores (0–1) of a prediction, both texts given as sentences."""
    scores = {}
    counted = [kind for kind in types if not kind.startswith("rougeL")]
    if counted:
        scorer = rouge_scorer.RougeScorer(counted, tokenizer=_Stems())
        scores = scorer.score(target="\n".join(reference), prediction="\n".join(prediction))
    if len(counted) < len(types):
        predicted = [stemmed_words(sentence) for sentence in prediction]
        referred = [stemmed_words(sentence) for sentence in reference]
        if "rougeL" in types:  # the whole text as one sentence
            scores["rougeL"] = rouge_lsum([list(chain(*predicted))], [list(chain(*referred))])
        if "rougeLsum" in types:
            scores["rougeLsum"] = rouge_lsum(predicted, referred)
    return {kind: scores[kind] for kind in types}


class _Stems(tokenizers.Tokenizer):
    tokenize = staticmethod(stemmed_words)


def rouge_lsum(
    prediction: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]
) -> scoring.Score:
    """Summary-level ROUGE-L (Lin 2004, §3.2) of token lists by sentence.

    A reference sentence scores the union of the tokens that it shares, as longest common
    subsequences, with each predicted sentence; no token is counted more often than it occurs on
    either side.
    """
    predicted_words, reference_words = Counter(chain(*prediction)), Counter(chain(*reference))
    if not predicted_words or not reference_words:
        return scoring.Score(0, 0, 0)
    candidates = [(positions_of(sentence), len(sentence)) for sentence in prediction]
    hits = 0
    for sentence in reference:
        union = {
            place
            for positions, width in candidates
            for place, _ in lcs_pairs(sentence, positions, width)
        }
        shared = Counter(sentence[place] for place in union) & predicted_words & reference_words
        hits += shared.total()
        predicted_words.subtract(shared)
        reference_words.subtract(shared)
    precision, recall = hits / sum(map(len, prediction)), hits / sum(map(len, reference))
    return scoring.Score(precision, recall, scoring.fmeasure(precision, recall))


class RougeSU4(Metric):
    """ROUGE-SU4 by the rouge-metric library, on the tokens and stems of :class:`~.rouge.Rouge`.

    The whole text is one sequence of words. As in ROUGE 1.5.5, the last word is no single word.
    """

    # number of words that may be between the two words of a pair; None for any number.
    gap: int | None = 4

    @property
    def signature(self) -> str:
        library = f"rouge-metric-{version('rouge-metric')}"
        kind = "rouge-su4" if self.gap else "rouge-su|gap:any"
        return f"{kind}|lib:{library}|stem:porter|lower:yes|{protocol_signature(self.tokenize)}"

    def score(self, pair: Pair) -> dict[str, Score]:
        from rouge_metric import PyRouge

        prediction, reference = (
            [stemmed_words(sentence) for sentence in scored_sentences(text, self.tokenize)]
            for text in (pair.prediction, pair.reference)
        )
        scorer = PyRouge(rouge_n=False, rouge_l=False, rouge_su=True, skip_gap=self.gap)
        (scores,) = scorer.evaluate_tokenized([prediction], [[reference]]).values()
        return {
            "rougeSU4" if self.gap else "rougeSU": {
                key: 100 * scores[key] for key in ("f", "p", "r")
            }
        }


class RougeSU(RougeSU4):
    """ROUGE-SU*, with any gap, which some scripts print as SU4; it is lower, the more the longer
    the text.
    """

    gap = None
