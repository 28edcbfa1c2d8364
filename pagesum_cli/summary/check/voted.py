"""What a check makes of a claim after a vote in it has been compared with that on its motion."""

from collections.abc import Sequence

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
    claim, score = result.claim, result.score
    if found.wrong and result.verdict != "edited":
        return Checked(claim, "differs", score, tuple(places), (found.wrong,), is_right)
    if found.wrong or result.verdict == "edited":
        return result
    if found.is_proven:
        said = [Difference("notation", claim.text[a:b], found.text, (a, b)) for a, b in found.spans]
        return Checked(claim, "edited", score, tuple(places), tuple(said), is_right)
    changed = [one.span for one in result.differences if one.kind in CHANGES]
    is_of_vote = all(any(a <= start < b for a, b in found.spans) for start, _ in changed)
    if result.verdict == "differs" and is_of_vote:
        return Checked(claim, "paraphrase", score, tuple(places), (), is_right)
    return result
