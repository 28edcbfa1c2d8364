"""What a check makes of a claim after a vote in it has been compared with that on its motion."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .differences import CHANGES, Difference
from .results import Checked, Place
from .votes import Found


def with_vote(
    result: Checked, found: Found, places: Sequence[Place], is_right: bool | None
) -> Checked:
    """A result, or what the vote shows: another vote, the same one in other words, or that what
    differs elsewhere is not of this motion.

    Args:
        result: What was found of the claim otherwise.
        found: The vote on its motion.
        places: The sentences of the motion and of the vote.
        is_right: Whether the claim cites them.
    """
    if result.verdict == "edited":
        return result
    made = replace(result, sources=tuple(places), is_cited_right=is_right, differences=())
    if found.wrong:
        return replace(made, verdict="differs", differences=(found.wrong,))
    if found.is_proven:
        return replace(made, verdict="edited", differences=tuple(_said(result.claim.text, found)))
    is_soft = result.verdict == "differs" and _is_of_vote(result, found)
    return replace(made, verdict="paraphrase") if is_soft else result


def _said(claim: str, found: Found) -> Iterator[Difference]:
    """What a claim says of a vote, beside what the documents have for it."""
    for start, end in sorted(found.spans):
        yield Difference("notation", claim[start:end], found.text, (start, end))


def _is_of_vote(result: Checked, found: Found) -> bool:
    """Whether a claim differs from another sentence only in what it says of a vote."""
    changed = [one.span[0] for one in result.differences if one.kind in CHANGES]
    return all(any(a <= start < b for a, b in found.spans) for start in changed)
