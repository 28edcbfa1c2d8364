"""Whether a sentence says nothing but what one sentence of a document says.

For text that a language model has written: it joins words of a passage to statements that the
passage does not make, and words alone cannot tell. What restates a sentence is therefore made of
its words, in their order, and leaves out nothing that the rest depends on. That is stricter than
a paraphrase by a person needs; what fails can be quoted instead.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from os.path import commonprefix

from ...text.words import STOP_WORDS, lcs_pairs, positions_of, stem
from .alignment import Side
from .known import Known
from .omissions import Gap, gaps_of, is_meant
from .paraphrases import aligned
from .tokens import DATA, LISTS, Token

_MOVED = 1  # words that may stand at another place: two are enough to exchange who did what
_FORMS = {form: name for name, forms in DATA["same_forms"].items() for form in forms.split()}
_TENSES = {form: name for name, forms in DATA["tenses"].items() for form in forms.split()}
_TIES = LISTS["prepositions"] | LISTS["connectives"] | set(_TENSES)


def restates(claim: Side, source: Side, known: Known) -> bool:
    """Whether all that a claim states is stated by a source, a sentence of a document."""
    left, (right,) = aligned(claim, [source], known)
    ours, theirs = list(filter(is_meant, left)), list(filter(is_meant, right))
    if not _has_words(ours, theirs) or _qualifiers(left) != _qualifiers(right):
        return False
    pairs = _pairs(ours, theirs)
    moved = _counts(ours) - _counts(one for one, _ in pairs)
    if not _may_move(_with(ours, moved), moved):
        return False
    kept = [*(other for _, other in pairs), *_with(theirs, moved)]
    gaps = list(gaps_of(right, {one.start for one in kept}))
    own, others = _links(left, ()), _links(right, gaps)
    return _is_whole(gaps, pairs) and _are_alike(pairs, own, others)


def _with(tokens: Iterable[Token], units: Collection[str]) -> list[Token]:
    """The tokens of some units."""
    return [one for one in tokens if _unit(one) in units]


def _is_whole(gaps: Iterable[Gap], pairs: Collection[tuple[Token, Token]]) -> bool:
    """Whether what is left without these gaps states a part of what the sentence states."""
    return all(gap.may_go and not _is_changed(gap, pairs) for gap in gaps)


def _may_move(tokens: Iterable[Token], moved: Counter[str]) -> bool:
    """Whether words that stand at another place may do so."""
    return moved.total() <= _MOVED and not any(map(_is_tied, tokens))


def _has_words(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether a claim has words, all of which are in the source."""
    return bool(ours) and not _counts(ours) - _counts(theirs)


def _counts(tokens: Iterable[Token]) -> Counter[str]:
    return Counter(map(_unit, tokens))


def _pairs(ours: Sequence[Token], theirs: Sequence[Token]) -> list[tuple[Token, Token]]:
    """The words of a claim that the source has in the same order, each with its own."""
    said, has = list(map(_unit, ours)), list(map(_unit, theirs))
    return [(ours[i], theirs[j]) for i, j in lcs_pairs(said, positions_of(has), len(has))]


@cache
def _reports() -> frozenset[str]:
    """The stems of verbs that report what somebody says."""
    return frozenset(map(stem, LISTS["reports"]))


def _unit(token: Token) -> str:
    """What is compared of a word: a name as it is written, the base of an auxiliary, a stem; a
    possessive is another word.
    """
    if token.fact == "name":
        return token.norm
    base = _FORMS.get(token.norm, stem(token.norm))
    is_owner = token.text[-2:] in ("'s", "’s") and token.norm[:-1] not in STOP_WORDS
    return f"{base}'s" if is_owner else base


def _are_forms(one: Token, other: Token) -> bool:
    """Whether words of the same unit differ only in an ending of English inflection: words of the
    same stem may be as different as "internal" and "international".
    """
    if one.norm == other.norm or not one.norm.isalpha() or one.norm in _FORMS:
        return True
    shared = commonprefix([one.norm, other.norm])  # noqa: RUF071
    rests = {word[len(shared) :].removeprefix(shared[-1:]) for word in (one.norm, other.norm)}
    return rests <= LISTS["endings"] | {""}


def _is_tied(token: Token) -> bool:
    """Whether a word that stands at another place belongs to another word there."""
    return token.fact not in ("", "date")


def _is_changed(gap: Gap, pairs: Iterable[tuple[Token, Token]]) -> bool:
    """Whether the word after what is left out takes its place, in another form: he considered
    going, he went.
    """
    if gap.ends_at_boundary:
        return False
    return any(other == gap.after and one.norm != other.norm for one, other in pairs)


Link = tuple[list[str], list[str]]
"""Prepositions, connectives and auxiliaries in front of a word, and the relatives."""
Links = dict[int, Link]


def _links(tokens: Sequence[Token], gaps: Collection[Gap]) -> Links:
    """What says which part a word has, by its place: (sold) by, was (sold), which (burned)."""
    found: Links = {}
    left_out = {word for gap in gaps if not gap.is_modifier for word in gap.words}
    link, before = list[Token](), ""
    for token in _without_modifiers(tokens, gaps):
        if token in left_out:
            link, before = [], ""
        elif is_meant(token):
            found[token.start] = _link(link if _unit(token) not in _FORMS.values() else ())
            link, before = [], _unit(token)
        elif before != "because":  # "due to" and "because of" are one word
            link.append(token)
    return found


def _without_modifiers(tokens: Iterable[Token], gaps: Iterable[Gap]) -> list[Token]:
    """Words without modifiers that are left out: what is in front of these belongs to the next."""
    modifiers = {word for gap in gaps if gap.is_modifier for word in gap.words if is_meant(word)}
    return [one for one in tokens if one.is_word and one not in modifiers]


def _link(tokens: Iterable[Token]) -> Link:
    norms = [one.norm for one in tokens]
    ties = [_TENSES.get(one, one) for one in norms if one in _TIES]
    return ties, [one for one in norms if one in LISTS["relatives"]]


def _are_alike(pairs: Iterable[tuple[Token, Token]], own: Links, others: Links) -> bool:
    """Whether words are forms of each other and have the same parts, and those of the claim are
    subordinate if the others are.
    """
    for one, other in pairs:
        (ties, relatives), (their_ties, their_relatives) = own[one.start], others[other.start]
        if (
            not _are_forms(one, other)
            or ties != their_ties
            or len(relatives) < len(their_relatives)
        ):
            return False
    return True


def _qualifiers(tokens: Sequence[Token]) -> Counter[str]:
    """What restricts a statement: negation, modality, conditions, who reports it, a question."""
    found = Counter("not" for one in tokens if one.fact == "negation")
    found.update(one.norm for one in tokens if one.fact == "modality")
    found.update(one.norm for one in tokens if one.norm in LISTS["conditions"] or one.norm == "?")
    found.update(unit for unit in map(_unit, tokens) if unit in _reports())
    return found
