"""What a check makes of a claim after a vote in it has been compared with that on its motion."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .differences import CHANGES, Difference
from .results import Checked, Place, text_of
from .votes import Found, claimed_in, has_vote


def with_vote(
    result: Checked, found: Found | None, places: Sequence[Place], is_right: bool | None
) -> Checked:
    """A result, or what the vote shows: another vote, the same one in other words, or that what
    differs elsewhere is not of this motion.

    Args:
        result: What was found of the claim otherwise.
        found: The vote on its motion; None if it is not clear which motion that is.
        places: The sentences of the motion and of the vote.
        is_right: Whether the claim cites them.
    """
    if found is None:
        return _without_result(result)
    if result.verdict == "edited":
        return result
    made = replace(result, sources=tuple(places), is_cited_right=is_right, differences=())
    if found.wrong:
        return replace(made, verdict="differs", differences=(found.wrong,))
    if found.is_proven:
        return replace(made, verdict="edited", differences=tuple(_said(result.claim.text, found)))
    is_soft = result.verdict == "differs" and _is_of_vote(result, found.spans)
    return replace(made, verdict="paraphrase") if is_soft else result


def _said(claim: str, found: Found) -> Iterator[Difference]:
    """What a claim says of a vote, beside what the documents have for it."""
    for start, end in sorted(found.spans):
        yield Difference("notation", claim[start:end], found.text, (start, end))


def _without_result(result: Checked) -> Checked:
    """A claim that gives a vote, beside a motion without one: they cannot contradict each other."""
    claimed = claimed_in(result.claim.text) if result.verdict == "differs" else None
    if claimed is None or has_vote(text_of(result)) or not _is_of_vote(result, claimed.spans):
        return result
    return replace(result, verdict="paraphrase", differences=())


def _is_of_vote(result: Checked, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a claim differs from another sentence only in what it says of a vote."""
    changed = [one.span[0] for one in result.differences if one.kind in CHANGES]
    return all(any(a <= start < b for a, b in spans) for start in changed)
