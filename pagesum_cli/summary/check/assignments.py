"""Which values a text gives to which things, and whether a claim gives them to others.

"The yield was 1.33 % for the leaves and 0.74 % for the roots" is cut where parts of a sentence
begin; each part with one value gives it to its words. Of two values, those words count that only
one of them has: leaves, roots. In "the leaves and the roots had 1.33 and 0.74 %", the first value
belongs to what is before "and", the second one to what is behind it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from ...text.words import stem
from .moves import norms_of
from .tokens import LISTS, Token
from .wordings import are_opposite, is_weak

_NEAR = 3  # words on each side of "and" that name what two values in a row belong to
_MOST = 30  # values of a claim that are compared with each other
_HYPHENS = frozenset("-‐‑")
_OPENS = frozenset("(:,")
_ASIDE = frozenset("(,")
"""In front of two values that have what they belong to in front of this: "in A and B, 5 and 9"."""
BOUNDS = LISTS["clauses"] | LISTS["value_bounds"]
"""Where a part of a sentence begins that may have a value of its own."""
_TOLERANCE = "±"
_LETTERS = frozenset("abcef")  # which are no units behind a number: 3a
RESPECTIVELY = "respectively"

Labels = frozenset[str]
"""Words that say what a value belongs to."""


class _Part(NamedTuple):
    """The tokens from one boundary up to the next one."""

    bound: str  # the norm of the token before it; empty at the beginning
    tokens: list[Token]

    @property
    def values(self) -> list[Token]:
        """The numbers that it states."""
        return [one for one in self.tokens if is_value(one)]

    @property
    def labels(self) -> Labels:
        """Its other words."""
        return labels_of(self.tokens)


class _Assigned(NamedTuple):
    """A value and what it belongs to."""

    value: Token
    labels: Labels


_Pair = tuple[_Assigned, _Assigned]


def exchanged_values(
    ours: Sequence[Token], passages: Sequence[Sequence[Token]]
) -> Iterator[tuple[Token, Token]]:
    """Pairs of values of a claim each of which a passage gives to what the other one belongs to.

    Args:
        ours: The tokens of the claim, where values that the passages have are one token.
        passages: Those of the passages.
    """
    own = _assigned(ours)
    others = [_assigned(tokens) for tokens in passages] if len(own) > 1 else []
    for first, second in _apart(ours, list(own)[:_MOST]):
        both = [(has[first], has[second]) for has in others if {first, second} <= has.keys()]
        if own[first].value.fact != own[second].value.fact:  # a date and an hour
            continue
        found = [_is_exchanged((own[first], own[second]), pair) for pair in both]
        if any(found) and None not in found:
            yield own[first].value, own[second].value


def _apart(tokens: Sequence[Token], values: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of some values of a text that are not the ends of a range."""
    ranges = {*_ranges(tokens)}
    return [pair for pair in combinations(values, 2) if pair not in ranges]


def _ranges(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The ends of each range of a text, which belong to the same: between 5 and 9."""
    plain = plain_values(tokens)
    for between, first, join, second in zip(plain, plain[1:], plain[2:], plain[3:], strict=False):
        if between.norm == "between" and join.norm == "and" and is_value(first):
            yield first.norm, second.norm


def misplaced_values(
    ours: Sequence[Token], passages: Sequence[Sequence[Token]]
) -> Iterator[tuple[Token, Token]]:
    """Values of a claim that a passage with "respectively" gives to something else, each with the
    one that it has for what the claim names.
    """
    words = stems_of(labels_of(ours))
    said = {one.norm: one for one in ours if is_value(one)}
    for own, other in _listed_pairs(passages):
        is_other_new = own.value.norm in said and other.value.norm not in said
        if is_other_new and _names_other(words, own, other):
            yield said[own.value.norm], other.value


def _listed_pairs(passages: Sequence[Sequence[Token]]) -> Iterator[_Pair]:
    """The values of passages with "respectively", each with each other one."""
    for tokens in passages:
        if any(one.norm == RESPECTIVELY for one in tokens):
            yield from permutations(_assigned(tokens).values(), 2)


def _names_other(words: Labels, own: _Assigned, other: _Assigned) -> bool:
    """Whether words are only of the other one of two values."""
    mine, theirs = _distinct(stems_of(own.labels), stems_of(other.labels))
    return _share(words, theirs) and not _share(words, mine)


def _assigned(tokens: Sequence[Token]) -> dict[str, _Assigned]:
    """The values that a text states once, by their norms."""
    counts = Counter(one.norm for one in tokens)
    parts = list(_parts(plain_values(tokens)))
    given = [*_of_parts(parts), *_of_lists(parts)]
    return {one.norm: _Assigned(one, labels) for one, labels in given if counts[one.norm] == 1}


def plain_values(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without what belongs to a value, its unit and its tolerance, "± 0.2", and without
    numbers of references; a number that is a part of a name, "2A", is one word with it.
    """
    units = _places_of_units(tokens)
    beside = zip(tokens, ["", *norms_of(tokens)], [*tokens[1:], None], strict=False)
    found, name = list[Token](), ""
    for place, (token, before, behind) in enumerate(beside):
        if place in units or is_reference(tokens, place):
            continue
        if token.is_number and _is_of_name(token, behind):
            name = token.norm
        elif before != _TOLERANCE or not token.is_number:
            found.append(token._replace(norm=token.norm + name) if name else token)
            name = ""
    return found


def is_reference(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number is that of a note, a work or a section, § 56, 45 U. S. C., [5], or a part of
    a name: BJ-01.
    """
    if not tokens[place].is_number:
        return False
    before = tokens[max(0, place - 2) : place]
    words = [one.norm for one in before if one.norm != "."]
    is_numbered = words[-1:] != [] and words[-1] in LISTS["numbered"]
    return (
        tokens[place].is_citation
        or is_numbered
        or _is_of_code([*before, tokens[place]])
        or _are_initials(before)
        or _are_initials(tokens[place + 1 : place + 3])
    )


def _is_of_code(tokens: Sequence[Token]) -> bool:
    """Whether the last one of three tokens is attached by a hyphen to capitals."""
    is_attached = all(one.end == other.start for one, other in pairwise(tokens))
    texts = [one.text for one in tokens]
    return len(texts) > 2 and is_attached and texts[1] in _HYPHENS and texts[0].isupper()


def _are_initials(tokens: Sequence[Token]) -> bool:
    """Whether two tokens are a large letter and a point."""
    texts = [one.text for one in tokens]
    return len(texts) > 1 and len(texts[0]) == 1 and texts[0].isupper() and texts[1] == "."


def _places_of_units(tokens: Sequence[Token]) -> set[int]:
    """The places of units behind values: mg, /, ml."""
    found = set[int]()
    for place, token in enumerate(tokens):
        is_behind = place > 0 and (place - 1 in found or is_value(tokens[place - 1]))
        is_unit = token.fact == "unit" and not _is_of_name(tokens[place - 1], token)
        if is_behind and (is_unit or token.norm == "/"):
            found.add(place)
    return found


def _is_of_name(number: Token, behind: Token | None) -> bool:
    """Whether a number and the letters right behind it are a name."""
    return behind is not None and behind.start == number.end and _is_letters(behind)


def _is_letters(token: Token) -> bool:
    is_letter = token.text.isupper() or token.text in _LETTERS
    is_unit = token.fact == "unit" and not (len(token.text) == 1 and is_letter)
    return token.norm[0].isalpha() and not is_unit


def _parts(tokens: Sequence[Token]) -> Iterator[_Part]:
    """The parts of a text; those without words are left out."""
    bound, found = "", list[Token]()
    for token in tokens:
        if token.norm in BOUNDS:
            if found:
                yield _Part(bound, found)
            bound, found = token.norm, []
        elif token.is_word:
            found.append(token)
    if found:
        yield _Part(bound, found)


def _of_parts(parts: Sequence[_Part]) -> Iterator[tuple[Token, Labels]]:
    """The only value of a part with its words, or with those right before a bracket or a comma; and
    each of several ones with those right behind it.
    """
    for before, part in pairwise([_Part("", []), *parts]):
        yield from _of_several(before, part)
        labels = part.labels
        if not labels and part.bound in _OPENS and not before.values:
            labels = before.labels
        if len(part.values) == 1 and labels:
            yield part.values[0], labels


def _of_several(before: _Part, part: _Part) -> Iterator[tuple[Token, Labels]]:
    """The values of a part that has several ones, each with the phrase or the bracket behind it."""
    places = [place for place, one in enumerate(part.tokens) if is_value(one)]
    ends = [*places[1:], len(part.tokens)] if len(places) > 1 else []
    for start, end in zip(places, ends, strict=False):
        phrase = part.tokens[start + 1 : end]
        if labels_of(phrase) and phrase[0].norm in LISTS["prepositions"]:
            yield part.tokens[start], labels_of(phrase)
    yield from _explained(before, part)


def _explained(before: _Part, part: _Part) -> Iterator[tuple[Token, Labels]]:
    """The last one of several values of a part with what a bracket right behind it has."""
    last = before.tokens[-1:]
    is_explained = part.bound == "(" and not part.values and bool(part.labels)
    if is_explained and len(before.values) > 1 and is_value(last[0]):
        yield last[0], part.labels


def _of_lists(parts: Sequence[_Part]) -> Iterator[tuple[Token, Labels]]:
    """Two values in a row, each with what is on its side of "and" before them or behind them."""
    for place, (one, other) in enumerate(pairwise(parts)):
        if not (_ends_with_value(one) and _is_row(one, other)):
            continue
        before, behind = parts[: place + 1], parts[place + 1 :]
        pair = _named_before(before) or _named_behind(behind)
        if one.bound in _ASIDE and _is_respective(other, behind[1:2]):
            pair = _named_in_front(before) or pair
        if pair:
            yield from zip((one.values[0], other.values[0]), pair, strict=True)


def _is_respective(part: _Part, behind: Sequence[_Part]) -> bool:
    """Whether "respectively" is in a part, or begins the one behind it."""
    first = [token for one in behind for token in one.tokens[:1]]
    return RESPECTIVELY in norms_of([*part.tokens, *first])


def _ends_with_value(part: _Part) -> bool:
    """Whether the only value of a part has no words behind it."""
    return len(part.values) == 1 and not labels_of(_behind_value(part))


def _behind_value(part: _Part) -> list[Token]:
    return part.tokens[part.tokens.index(part.values[0]) + 1 :]


def _is_row(one: _Part, other: _Part) -> bool:
    """Whether a part goes on with a second value where another part ends with the first one."""
    first = next((token for token in other.tokens if not is_weak(token)), None)
    return len(other.values) == 1 and first == other.values[0] and one.values != other.values


def _named_before(parts: Sequence[_Part]) -> tuple[Labels, Labels] | None:
    """What is on both sides of the last boundary before a value."""
    if len(parts) < 2 or parts[-2].values:
        return None
    last = parts[-1].tokens
    behind = last[: last.index(parts[-1].values[0])]
    return _both(parts[-2].tokens, behind)


def _named_in_front(parts: Sequence[_Part]) -> tuple[Labels, Labels] | None:
    """What is on both sides of the last boundary before a bracket with two values."""
    if len(parts) < 3 or parts[-2].values or parts[-3].values:
        return None
    return _both(parts[-3].tokens, parts[-2].tokens)


def _named_behind(parts: Sequence[_Part]) -> tuple[Labels, Labels] | None:
    """What is on both sides of the first boundary behind a value."""
    if len(parts) < 2 or parts[1].values:
        return None
    return _both(_behind_value(parts[0]), parts[1].tokens)


def _both(before: Sequence[Token], behind: Sequence[Token]) -> tuple[Labels, Labels] | None:
    """The words closest to a boundary; None if one side has none."""
    left = [one for one in before if _is_label(one)][-_NEAR:]
    right = [one for one in behind if _is_label(one)][:_NEAR]
    return (labels_of(left), labels_of(right)) if left and right else None


def _is_exchanged(ours: _Pair, theirs: _Pair) -> bool | None:
    """Whether two values belong to each other's words; None if they belong to the same ones."""
    said, has = ([stems_of(one.labels) for one in pair] for pair in (ours, theirs))
    own, other = _distinct(*said), _distinct(*has)
    if _are_crossed(own, other) or _are_crossed(_opposed(*said), _opposed(*has)):
        return True
    return None if _share(own[0], other[0]) or _share(own[1], other[1]) else False


def _are_crossed(own: tuple[Labels, Labels], other: tuple[Labels, Labels]) -> bool:
    """Whether each of two values has words of the other one; one of them may also have its own,
    such as the subject, which goes with both: "the roots had a yield of 2 %, the leaves 3 %".
    """
    crossed = _share(own[0], other[1]) and _share(own[1], other[0])
    return crossed and not (_share(own[0], other[0]) and _share(own[1], other[1]))


def _share(one: Labels, other: Labels) -> bool:
    return not one.isdisjoint(other)


def _distinct(first: Labels, second: Labels) -> tuple[Labels, Labels]:
    """The labels that only one of two values has."""
    return first - second, second - first


def _opposed(first: Labels, second: Labels) -> tuple[Labels, Labels]:
    """The labels that are opposites of those of the other value: with, without."""
    pairs = [(one, other) for one in first for other in second if are_opposite(one, other)]
    return frozenset(one for one, _ in pairs), frozenset(other for _, other in pairs)


def stems_of(labels: Labels) -> Labels:
    return frozenset(map(stem, labels))


def is_value(token: Token) -> bool:
    """Whether a token is a number of its own: not that of "3-year"."""
    parts = token.text.split()
    is_number = token.is_number and not token.is_subscript
    return is_number and token.fact != "date" and _HYPHENS.isdisjoint(parts)


def _is_label(token: Token) -> bool:
    is_light = is_weak(token) or is_value(token)
    return token.norm in LISTS["contrasts"] or not (is_light or token.norm == RESPECTIVELY)


def labels_of(tokens: Sequence[Token]) -> Labels:
    """The words that name something."""
    return frozenset(one.norm for one in tokens if _is_label(one))
