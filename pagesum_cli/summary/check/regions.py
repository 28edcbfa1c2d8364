"""Values of a claim that the documents give to something else, while they give another value to
what the claim names.

"The limit is 5 mg for leaves, while the limit for roots is 9 mg" is cut between its two values. The
words on each side belong to one of them: leaves to 5 mg, roots to 9 mg. "The limit for roots is
5 mg" names the words of 9 mg alone, so that its value is wrong, though all of its words are there.
Words that both values have, and those that may belong to either, prove nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .assignments import BOUNDS, Labels, is_value, labels_of, plain_values, stems_of
from .tokens import LISTS, Token

_STRONG = frozenset([";", ".", "while", "whereas", "but", "although", "though", "versus", "vs"])
"""Between two values, where what belongs to the second one begins."""
_PERCENT = "percent"
_MIN_SHARE = 0.8  # of a claim's words that a passage with another value has
_MIN_OWN = 0.65  # of the words beside a value that a claim with this value has
_MIN_WORDS = 2  # of a claim that only a passage with another value has
_NOTHING = frozenset[str]()


class Region(NamedTuple):
    """A value of a text, and the stems of the words around it."""

    value: Token
    unit: str
    own: Labels  # of words that belong to no other value
    near: Labels  # of words that belong to it or to a neighbor
    same_part: Labels  # of words without a boundary between them and the value
    lead: Labels  # in front of the first value of a text: they hold for all of its values
    is_after_break: bool  # whether a new clause begins between the value before and it

    @property
    def words(self) -> Labels:
        """All words that it may have."""
        return self.own | self.near


def joined_values(
    ours: Sequence[Token], passages: Sequence[Sequence[Token]]
) -> Iterator[tuple[Token, Token]]:
    """Values of a claim that belong to something else in the passages, each with the value that
    these have for what the claim names.

    Args:
        ours: The tokens of the claim, where values that the passages have are one token.
        passages: Those of the passages, each a sentence.
    """
    own = regions_of(ours)
    counts = Counter(one.value.norm for one in own)
    claimed = [one for one in own if counts[one.value.norm] == 1]
    texts = [regions_of(tokens) for tokens in passages] if claimed else []
    for one in claimed:
        if rival := _rival(_in_claim(one, own), counts, texts):
            yield one.value, rival.value


def _in_claim(one: Region, regions: Sequence[Region]) -> Region:
    """A value of a claim with all words of the claim, if no other one has its unit."""
    if any(other.unit == one.unit for other in regions if other is not one):
        return one
    return one._replace(own=_NOTHING.union(*(other.words for other in regions)))


def _rival(claim: Region, said: Counter[str], texts: Sequence[Sequence[Region]]) -> Region | None:
    """A value that passages have for the words of a claim instead of its own; None if one of them
    may give its own value to these words.
    """
    found: list[Region] = []
    for text in texts:
        for place, one in enumerate(text):
            if one.value.norm == claim.value.norm:
                rival = _beside(claim, said, text, place) or _elsewhere(claim, said, one, texts)
                if rival is None:
                    return None
                found.append(rival)
    return found[0] if found else None


def _beside(claim: Region, said: Counter[str], text: Sequence[Region], place: int) -> Region | None:
    """The value of the same sentence to which the words of a claim belong."""
    one = text[place]
    for number, other in enumerate(text):
        if number == place or other.unit != one.unit or said[other.value.norm]:
            continue
        is_apart = any(it.is_after_break for it in text[place + 1 : number + 1])
        if _is_of_other(claim, one, other, is_apart=is_apart):
            return other
    return None


def _is_of_other(claim: Region, one: Region, other: Region, *, is_apart: bool) -> bool:
    """Whether a claim names what another value belongs to, and not what its own one does; both have
    a word of it, or a new clause begins between them.
    """
    evidence = claim.words & (other.own - one.words)
    shared = other.own if is_apart else other.own | one.lead
    is_left = bool(claim.words & (one.words - shared))
    if not evidence or not (is_apart or claim.words & other.own & one.words):
        return False
    return not is_left or (is_apart and bool(evidence & claim.same_part))


def _elsewhere(
    claim: Region, said: Counter[str], one: Region, texts: Iterable[Sequence[Region]]
) -> Region | None:
    """The first value of its unit in another sentence, which has the words of a claim and not its
    value.
    """
    for text in texts:
        alike = [other for other in text if other.unit == one.unit]
        is_other = alike and not any(said[other.value.norm] for other in alike)
        if _is_restated(claim, one):
            return None
        if is_other and _is_said(claim, one, _NOTHING.union(*(other.words for other in text))):
            return alike[0]
    return None


def _is_said(claim: Region, one: Region, words: Labels) -> bool:
    """Whether a sentence of these words says a claim, and the one with its value does not."""
    evidence = claim.words & (words - one.words)
    said = claim.words & (words | one.words) if _is_rare(one) else claim.words
    is_whole = len(said & words) >= _MIN_SHARE * len(said) and 2 * len(said) >= len(claim.words)
    return is_whole and len(evidence) >= _MIN_WORDS and bool(claim.words & words & one.words)


def _is_restated(claim: Region, one: Region) -> bool:
    """Whether a claim has most words beside the same value of a passage."""
    return len(one.own) >= _MIN_WORDS and len(claim.words & one.own) >= _MIN_OWN * len(one.own)


def _is_rare(one: Region) -> bool:
    """Whether a value identifies what it belongs to: an amount with a unit."""
    return bool(one.unit) and len(one.value.norm) > 1


def regions_of(tokens: Sequence[Token]) -> list[Region]:
    """The values of a text with their words, in order."""
    units = {one.start: _unit(tokens, place) for place, one in enumerate(tokens) if is_value(one)}
    tokens = plain_values(tokens)
    places = [place for place, one in enumerate(tokens) if is_value(one)]
    ends = [-1, *places, len(tokens)]
    gaps = [list(tokens[a + 1 : b]) for a, b in pairwise(ends)]
    cuts = [_cut(gap, is_first=not number) for number, gap in enumerate(gaps)]
    return [
        Region(
            tokens[place],
            units[tokens[place].start],
            _stems(cuts[number].right) | _stems(cuts[number + 1].left),
            _stems(cuts[number].middle) | _stems(cuts[number + 1].middle),
            _stems(_before(gaps[number])) | _stems(_behind(gaps[number + 1])),
            _NOTHING if number else _stems(gaps[0]),
            cuts[number].is_break,
        )
        for number, place in enumerate(places)
    ]


class _Cut(NamedTuple):
    """The tokens between two values."""

    left: list[Token]  # those of the first one
    middle: list[Token]  # those of either
    right: list[Token]  # those of the second one
    is_break: bool = False


def _cut(gap: list[Token], *, is_first: bool) -> _Cut:
    """What is between two values, or in front of the first one."""
    strong = next((place for place, one in enumerate(gap) if one.norm in _STRONG), None)
    if is_first:
        return _Cut([], [], gap)
    if strong is not None:
        return _Cut(gap[:strong], [], gap[strong:], True)
    left, right = _behind(gap), _before(gap)
    if len(left) == len(gap):
        return _Cut([], gap, [])
    middle = gap[len(left) : len(gap) - len(right)]
    if labels_of(left) and not labels_of(right):
        return _Cut([*left, *middle], [], right)
    if labels_of(right) and not labels_of(left):
        return _Cut(left, [], [*middle, *right])
    return _Cut(left, middle, right)


def _behind(gap: Sequence[Token]) -> list[Token]:
    """The tokens up to the first boundary."""
    end = next((place for place, one in enumerate(gap) if one.norm in BOUNDS), len(gap))
    return list(gap[:end])


def _before(gap: Sequence[Token]) -> list[Token]:
    """The tokens behind the last boundary."""
    return _behind(gap[::-1])[::-1]


def _unit(tokens: Sequence[Token], place: int) -> str:
    """The unit of a value; empty without one."""
    _, _, unit = tokens[place].norm.rpartition(" ") if " " in tokens[place].norm else ("", "", "")
    before, after = tokens[max(0, place - 1) : place], tokens[place + 1 : place + 2]
    beside = [one.norm for one in (*after, *before) if one.fact in ("unit", "sign")]
    return unit or next(iter(beside), "")


def _stems(tokens: Sequence[Token]) -> Labels:
    contrasts = LISTS["contrasts"]
    return stems_of(frozenset(one for one in labels_of(tokens) if one not in contrasts))
