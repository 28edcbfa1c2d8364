"""The words in which both views of a check say what was found."""

from collections.abc import Iterable, Mapping, Sequence

from .plain import one_line

WORDS = 12  # of each side of a difference that are shown
_SAID = {"differs": ("differs", "differ"), "paraphrase": ("in other words", "in other words")}
"""What one claim and several claims of a verdict do."""
_FIRST = ("speaker", "number", "date", "unit", "name", "label")
_LAST = ("omission", "insertion", "citation", "case", "punctuation", "form", "spelling")


def counts_of(counts: Mapping[str, int], verdicts: Iterable[str]) -> str:
    """How many claims have each verdict: "3 differ, 1 not found"."""
    found = ((verdict, counts.get(verdict, 0)) for verdict in verdicts)
    return ", ".join(
        f"{count:,} {_SAID.get(verdict, (verdict, verdict))[count > 1]}"
        for verdict, count in found
        if count
    )


def weight_of(kind: str) -> int:
    """The place of a kind of difference among those of a claim: numbers and names first, what is
    left out last.
    """
    if kind in _FIRST:
        return 0
    if kind == "omission":
        return 3
    return 2 if kind in _LAST else 1


def missing_line(words: Sequence[str]) -> str:
    """Which words of a claim in other words the passages lack."""
    listed = ", ".join(f"“{one_line(word)}”" for word in words[:WORDS])
    if not words:
        return "all of its content words are in the passage"
    more = len(words) - WORDS
    return f"not in the passage: {listed}" + (f" and {more:,} more" if more > 0 else "")


def shortened(text: str) -> str:
    """The first and the last words of a long text, on one line."""
    words = one_line(text).split()
    if len(words) <= WORDS:
        return " ".join(words)
    half = WORDS // 2
    return f"{' '.join(words[:half])} … {' '.join(words[-half:])}"
