"""What several texts are about, as vectors of their words."""

from collections.abc import Iterable, Sequence

import numpy as np

from ..text.tfidf import PREFIX, TfIdf
from ..text.words import ranks, words_of

COMMON = 600  # most frequent words, which are about no subject
READ = 3000  # words of a file that are compared


def vectors_of(texts: Sequence[str], without: Iterable[str] = ()) -> TfIdf:
    """The vector of each text's rarer words, without some words."""
    known = ranks()
    unsaid = {word.lower() for word in without}
    words = [
        [
            word[:PREFIX]
            for word in words_of(text)[:READ]
            if len(word) > 2 and known.get(word, COMMON + 1) > COMMON and word not in unsaid
        ]
        for text in texts
    ]
    return TfIdf.of(words, smooth=True)


def cosine_of(texts: Sequence[str], without: Iterable[str] = ()) -> float:
    """The mean cosine of each text's vector with every other one's, without some words."""
    vectors = vectors_of(texts, without)
    sums = np.bincount(vectors.columns, vectors.weights) if len(vectors.columns) else np.zeros(1)
    number = len(texts)
    return float((np.square(sums).sum() - number) / (number * (number - 1)))
