"""The sentences of the summary of a meeting as they are shown: without what their topic says, and
with what their date is of.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from ..summary.summary import LeadIn, SummarySentence
from .outcomes import is_only_date
from .rules import has_verb


def without(sentence: SummarySentence, titles: Collection[int]) -> SummarySentence:
    """A sentence without the lead-ins at some offsets."""
    kept: LeadIn | None = None
    for one in sentence.lead_ins:
        if one.start not in titles:
            kept = replace(one, lead_in=kept)
    return replace(sentence, lead_in=kept)


def start(sentence: SummarySentence) -> int:
    """The offset of a quoted sentence; 0 for another one."""
    return sentence.source.start if sentence.source else 0


def alone(sentence: SummarySentence) -> SummarySentence:
    """A task that begins with whose it is, without a sentence that introduces its list."""
    who = sentence.outcome.who if sentence.outcome else ""
    stands = bool(who) and sentence.text.startswith(who)
    return without(
        sentence, [one.start for one in sentence.lead_ins if has_verb(one.text)] if stands else ()
    )


def after_gap(sentence: SummarySentence, cut: Collection[int]) -> SummarySentence:
    """A sentence with a mark before it if it is at one of some offsets, before which something is
    left out.
    """
    return (
        replace(sentence, opening=f"… {sentence.opening}") if start(sentence) in cut else sentence
    )


def dated(sentence: SummarySentence, *, in_parts: bool) -> SummarySentence:
    """A date with what happens on it: the words before it in its paragraph; if it is nothing but a
    date, its heading, unless that is shown.
    """
    source = sentence.source
    is_date = sentence.outcome is not None and sentence.outcome.kind == "date"
    if source is None or sentence.opening or not is_date:
        return sentence
    heading = source.section if in_parts and is_only_date(sentence.text) else ""
    label = (source.front or heading).rstrip(" :.–—-")
    return replace(sentence, opening=f"{label}: ") if label else sentence


def together(
    sentences: Sequence[SummarySentence], votes: Mapping[int, int]
) -> list[SummarySentence]:
    """Sentences of which only those go on to the next one that are of the same vote as it.

    Args:
        sentences: Those of a topic in a row.
        votes: The number of the vote of each sentence, by their offsets.
    """
    return [
        one if _is_same(one, following, votes) else _ended(one)
        for one, following in zip_longest(sentences, sentences[1:])
    ]


def _is_same(
    one: SummarySentence, following: SummarySentence | None, votes: Mapping[int, int]
) -> bool:
    if following is None:
        return False
    own, other = votes.get(start(one)), votes.get(start(following))
    return own is not None and own == other


def _ended(sentence: SummarySentence) -> SummarySentence:
    """A sentence that does not go on to the next one."""
    outcome = sentence.outcome
    if outcome is None or not outcome.goes_on:
        return sentence
    return replace(sentence, outcome=replace(outcome, goes_on=False))
