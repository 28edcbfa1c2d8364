"""Words of quotes by what an editor's labels say of the sentences that they are from."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from ...datasets.record import EditorLabels

ACCEPTED, REJECTED, OTHER = "accepted", "rejected", "other"


def words_by_label(
    labels: EditorLabels, starts: Sequence[int], quotes: Iterable[tuple[str, int]]
) -> Counter[str]:
    """The number of words that the labels accept (quoted or an alternate), reject, or do not
    mention.

    Args:
        labels: The labels of a document, by the numbers of its sentences.
        starts: The offset of each of these sentences in the document's text, ascending.
        quotes: The text of each quote, and its offset; it counts for the sentence that it begins
            in.
    """
    words: Counter[str] = Counter()
    for text, start in quotes:
        label = label_of(labels, bisect_right(starts, start) - 1)
        words[label] += len(text.split())
    return words


def shares_by_label(words: Counter[str]) -> tuple[float, float]:
    """The shares, in 0–1, of the words that are accepted and rejected."""
    total = max(words.total(), 1)
    return words[ACCEPTED] / total, words[REJECTED] / total


def label_of(labels: EditorLabels, number: int) -> str:
    """What the labels say of a sentence."""
    if number in labels.quoted or number in labels.alternates:
        return ACCEPTED
    return REJECTED if number in labels.rejected else OTHER
