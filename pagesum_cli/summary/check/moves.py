"""Words that a claim and a text have at different places, where both state the same."""

from collections.abc import Iterable, Sequence

from .meanings import ALIKE
from .tokens import HYPHEN, LISTS, Token
from .wordings import is_weak

_PARTED = LISTS["negative_beginnings"] - {"in"}
_CONJUNCTIONS = frozenset(["and", "or"])
_BETWEEN = _CONJUNCTIONS | {","}  # items of a list
_OF_LAST = LISTS["relatives"] | frozenset(["of", "from", ",", "("])
"""Behind the last item of a list, which they may be about alone."""
_OF_FIRST = LISTS["titles"] | LISTS["changing"]
"""In front of the first item of a list, which they may be about alone."""
_RAISED_MINUS = "⁻"
_PASSIVE = 2  # words: be opened


def norms_of(tokens: Iterable[Token]) -> list[str]:
    """The norms of tokens."""
    return [one.norm for one in tokens]


def content_of(parts: Iterable[Sequence[Token]]) -> list[str]:
    """The norms of the words that carry meaning, of several parts."""
    return [one.norm for part in parts for one in part if not is_weak(one)]


def is_genitive(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Whether a noun is at two places, once with a link to the noun that is between them: "the
    Harlow log", "the log of Harlow", "the log associated with Harlow".
    """
    words, other = content_of([before]), content_of([behind])
    if norms_of(behind[:1]) == ["of"] or {*norms_of(behind[:1])} <= LISTS["linked"]:
        return bool(words) and {*words} <= {*other}
    last = [one for one in norms_of(before) if one == "of" or one in LISTS["linked"]][-1:]
    return bool(last) and {*other} == {*words} - {*last} and last[0] in norms_of(before[-2:])


Sides = tuple[Sequence[Token], Sequence[Token]]
"""The tokens of a claim and of a text at the same place."""


def is_adverbial(parts: Sequence[Sides], between: Sequence[Token]) -> bool:
    """Whether parts are one adverbial at two places: "in May" at the beginning or at the end,
    "only" on both sides of a verb.
    """
    is_over_weak = bool(between) and all(
        map(_is_light, between)
    )  # not seen at all, not at all seen
    moved = list(filter(content_of, parts))
    return is_over_weak or _is_phrase(parts) or _is_beside_verb(moved, between)


def _is_phrase(parts: Sequence[Sides]) -> bool:
    if len(parts) != 2 or any(ours and theirs for ours, theirs in parts):
        return False
    words = [[one.norm for one in ours or theirs if one.is_word] for ours, theirs in parts]
    return {next(iter(one), "") for one in words} <= LISTS["adverbial"]


def _is_beside_verb(parts: Sequence[Sides], between: Sequence[Token]) -> bool:
    """Whether a moved word is "only" in front of a passive verb or behind it: may only be opened
    by the clerk, may be opened only by the clerk.
    """
    verb = norms_of(between)
    words = [one.text.lower() for part in parts for side in part for one in side]
    return words == ["only"] * 2 and len(verb) == _PASSIVE and verb[0] in LISTS["passive"]


def _is_light(token: Token) -> bool:
    """Whether a token carries no meaning of its own, or is "all" in another wording."""
    return is_weak(token) or token.norm.endswith(ALIKE)


def reaches(words: Sequence[Token]) -> bool:
    """Whether a negation among words denies what follows them, or the last one of them: nothing
    ends its clause, and it is not within a clause of its own, "which did not survive".
    """
    norms = norms_of(words)
    ends = LISTS["clauses"] | LISTS["joints"] | LISTS["prepositions"] - {"without"}
    starts = [place for place, norm in enumerate(norms) if norm in LISTS["relatives"] | ends]
    return any(
        one.fact == "negation"
        and not any(start > place or norms[start] in LISTS["relatives"] for start in starts)
        for place, one in enumerate(words)
    )


def without_far_denial(words: list[Token]) -> list[Token]:
    """The words of a phrase with a preposition up to a negation within it, which denies nothing in
    front of it: "for further steps not at odds with the rule".
    """
    places = [place for place, one in enumerate(words) if one.fact == "negation"]
    first = places[0] if places else 0
    inside = norms_of(words[:first])
    is_phrase = first > 1 and inside[0] in LISTS["prepositions"] - {"without"}
    is_apart = is_phrase and LISTS["joints"].isdisjoint(inside) and "but" not in inside
    return words[:first] if is_apart else words


def without_exponents(words: Sequence[Token]) -> list[Token]:
    """Words without the signs of exponents right behind a unit among them: kg ha⁻¹."""
    before = [None, *words]
    return [
        one
        for one, unit in zip(words, before, strict=False)
        if one.norm != _RAISED_MINUS or unit is None or not unit.norm.isalpha()
    ]


def with_parted_denial(words: list[Token]) -> list[Token]:
    """Words whose last one is a negation if it denies the word behind them: "non-", of which
    "voting" stands behind a hyphen that is the last one, or "non" without it.

    "In-" is a preposition more often than a negation, and "UN-" is a name.
    """
    is_hyphen = norms_of(words[-1:]) == [HYPHEN]
    place = len(words) - 1 - is_hyphen
    last = words[place] if place >= 0 else None
    if last is None or last.text.isupper() or last.norm not in (_PARTED if is_hyphen else ["non"]):
        return words
    return [*words[:place], last._replace(fact="negation"), *words[place + 1 :]]


def are_same_lists(ours: Sequence[Token], theirs: Sequence[Token], spans: Sequence[slice]) -> bool:
    """Whether parts of two texts are the same items of a list in another order: "A and B", "B and
    A"; where several numbers or "respectively" are around, the order may matter.
    """
    sides = [(ours, spans[0]), (theirs, spans[1])]
    (first, joins), (second, others) = (_items(tokens[span]) for tokens, span in sides)
    is_same = len(first) > 1 and first == second and joins == others != set()
    return is_same and all(_is_apart(tokens, span) for tokens, span in sides)


def _items(tokens: Sequence[Token]) -> tuple[list[list[str]], frozenset[str]]:
    """The items of a list, sorted, and its conjunctions."""
    items: list[list[str]] = [[]]
    for norm in norms_of(tokens):
        if norm in _BETWEEN:
            items.append([])
        else:
            items[-1].append(norm)
    return sorted(filter(None, items)), _CONJUNCTIONS.intersection(norms_of(tokens))


def _is_apart(tokens: Sequence[Token], span: slice) -> bool:
    """Whether nothing around a list is about one of its items alone."""
    before, behind = tokens[: span.start], tokens[span.stop :]
    around = [*before, *behind]
    numbers = sum(one.fact == "number" for one in around)
    if numbers > 1 or "respectively" in norms_of(around):
        return False
    if any(one.fact == "name" or one.norm in _OF_FIRST for one in before[-1:]):
        return False
    is_ended = LISTS["prepositions"].issuperset(norms_of(behind[:1]))
    # of "rats and dogs ate mice", nothing is
    is_whole = is_ended or _is_subject(before, behind) or all(map(is_weak, before))
    return is_whole and _OF_LAST.isdisjoint(norms_of(behind[:1]))


def _is_subject(before: Sequence[Token], behind: Sequence[Token]) -> bool:
    """Whether words between a comma and "are" or the like are a subject."""
    is_first = norms_of(before[-1:]) == [","]
    return is_first and any(one.text.lower() in LISTS["auxiliaries"] for one in behind[:1])
