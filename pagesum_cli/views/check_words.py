"""The words in which both views of a check say what was found."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from ..summary.check.conditions import RESTRICTION
from ..summary.check.differences import CHANGES
from ..summary.check.results import ANSWERS
from ..text.words import STOP_WORDS, places_of_words, stem, words_of
from .plain import one_line

WORDS = 12  # of each side of a difference that are shown
_SAID = {"differs": ("differs", "differ"), "paraphrase": ("in other words", "in other words")}
"""What one claim and several claims of a verdict do."""
_ORDER = (
    ("number", "date", "unit", "label"),
    ("negation", "opposite", "question"),
    ("name", "speaker"),
    ("order", "comparison", "modality", "sign", "wording", "uncertain", "restriction"),
    ("insertion", "citation", "moved", "form", "spelling", "notation", "spacing"),
    ("omission",),
    ("case", "punctuation"),
)
"""Kinds of differences, those first that change a claim most."""
SHOWN = 3  # differences of a claim that are shown


class Differing(Protocol):
    """A difference, however it is held."""

    @property
    def kind(self) -> str: ...
    @property
    def claim(self) -> str: ...


D = TypeVar("D", bound=Differing)


def counts_of(counts: Mapping[str, int], verdicts: Iterable[str]) -> str:
    """How many claims have each verdict: "3 differ, 1 not found"."""
    found = ((verdict, counts.get(verdict, 0)) for verdict in verdicts)
    return ", ".join(
        f"{count:,} {_SAID.get(verdict, (verdict, verdict))[count > 1]}"
        for verdict, count in found
        if count
    )


def weight_of(kind: str) -> int:
    """The place of a kind of difference among those of a claim: values, negations and names first,
    what is left out last.
    """
    return next((place for place, kinds in enumerate(_ORDER) if kind in kinds), len(_ORDER) // 2)


def main_differences(verdict: str, differences: Iterable[D]) -> tuple[list[D], int]:
    """The differences of a claim that are shown, those that change most first, and how many more
    there are.

    Of a claim that differs, these are what makes it differ. What the document has besides is none
    of them if the claim states something that the document does not.
    """
    found = sorted(differences, key=lambda one: weight_of(one.kind))
    found = (_changing(found) if verdict == "differs" else []) or found
    return found[:SHOWN], max(0, len(found) - SHOWN)


def _changing(found: Sequence[D]) -> list[D]:
    """Those of some differences that make a claim differ; empty if none do."""
    changes = [one for one in found if one.kind in CHANGES]
    stated = [one for one in changes if one.claim or one.kind == "negation"]
    return stated or ([*_added(found), *changes] if changes else [])


def _added(found: Sequence[D]) -> list[D]:
    """Words that only the claim has."""
    return [one for one in found if one.kind in ("wording", "insertion") and one.claim]


NOT_PROVEN = "in other words (~) is not proven: read the passages, with the claim's words in bold"
"""What a reader has to do about claims in other words."""

NEAREST = "what a search for its words finds first:"
"""What is in front of a passage that the claim was not compared with."""


def shared_words(claim: str, passage: str) -> list[tuple[int, int]]:
    """Start and end of the words of a passage that carry meaning and that a claim has in any
    form.
    """
    stems = {stem(word) for word in words_of(claim)} - STOP_WORDS
    places = ((slice(*place), place) for place in places_of_words(passage))
    return [place for where, place in places if stem(passage[where].lower()) in stems]


def word_lines(
    missing: Sequence[str],
    parted: Sequence[Sequence[str]],
    differences: Iterable[Differing] = (),
    *,
    is_subject_apart: bool,
) -> Iterator[str]:
    """What to look at in a claim in other words: which of its words the passages lack, and whether
    its subject is in one of two passages and its verb in the other one. A copy that leaves out a
    restriction has its words in order.
    """
    if missing:
        listed = ", ".join(f"“{one_line(word)}”" for word in missing[:WORDS])
        more = len(missing) - WORDS
        yield f"not in the passage: {listed}" + (f" and {more:,} more" if more > 0 else "")
    if is_subject_apart:
        listed = "; ".join(map(_listed, parted))
        yield f"its subject and its verb come from two sentences: {listed}"
    elif not (missing or parted or any(one.kind == RESTRICTION for one in differences)):
        yield "its words are in another order or form, and may be said of something else"


def _listed(words: Sequence[str]) -> str:
    shown = [f"“{shortened(word)}”" for word in words[:SHOWN]]
    return ", ".join([*shown, *(["…"] if len(words) > SHOWN else [])])


def answer_line(answer: str, model: str) -> str:
    """What a model answers about a claim."""
    return f"{answer}, as {one_line(model)} reads the passages" if answer else ""


def answer_counts(answers: Iterable[str], model: str) -> str:
    """How many claims have each answer of a model."""
    counts = Counter(answers)
    listed = ", ".join(f"{counts[one]:,} {one}" for one in ANSWERS if counts[one])
    return f"as {one_line(model)} reads the passages: {listed}"


def wrong_citation_line(text: str, file: str, found: Sequence[str]) -> str:
    """That a claim is not where it is cited: a citation by author and year of a file, or a place
    that the citation names itself, for which ``file`` is empty; ``found`` are the files where it
    is.
    """
    if not file:
        return "cited wrongly: it is not there"
    files = ", ".join(dict.fromkeys(map(one_line, found)))
    return f"cited wrongly: as {one_line(text)} ({one_line(file)}), found in {files}"


def shortened(text: str) -> str:
    """The first and the last words of a long text, on one line."""
    words = one_line(text).split()
    if len(words) <= WORDS:
        return " ".join(words)
    half = WORDS // 2
    return f"{' '.join(words[:half])} … {' '.join(words[-half:])}"
