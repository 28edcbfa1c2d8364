"""Which differences of a claim from the sentence that it is closest to show that it is wrong.

In a copy with one change, the words at the same place stand for each other, so each change counts.
In a claim in other words, they have often nothing to do with each other: only two values or names
show that it states something else, a denial of the same words, or words that are exchanged.
"""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from ...documents.article.building import CELL
from ...text.words import stem
from .denials import are_denied_alike, are_excepted, is_same_bound, is_same_denial
from .differences import CHANGES, Difference
from .directions import are_alike
from .measures import is_other_unit
from .tokens import LISTS, Token, pieces_of
from .wordings import is_weak

_LONGEST_VALUE = 6  # words of a value with what is beside it
_LONGEST_NAME = 4  # words of a name with what is beside it
_LONGEST_ALONE = 4  # words that only one side has
_LONGEST_ORDER = 12  # words that are exchanged
_LONGEST = 8  # words that may stand for others
_SAME_WORDS = 0.75  # share of the words of an exchange that both sides have
_VALUES = ("number", "date", "unit")
_SOFT = ("modality", "comparison")
"""Kinds that other words may express too."""
_OPPOSED = 0.65  # support of a claim in other words from which an opposite shows that it is wrong
_CLOSE = 0.5  # support from which a sentence says the same, but for what is denied or exchanged
_LARGEST_COUNT = 12  # that somebody may have counted: "three cities"
_JOINS = frozenset(["and", "or"])
_PASSIVE = "by"
_TOLERANCE = "±"
_LONGEST_SYMBOL = 2  # letters: mW, MW
_CURRENCIES = ("$", "€", "£", "¥")


class Copy(NamedTuple):
    """A claim and the sentence that it is closest to."""

    claim: Sequence[Token]
    source: Sequence[Token]
    known: Container[str]  # the words of all documents
    is_close: bool = True  # whether the claim has its words, but for what is changed

    def clear(self, found: Sequence[Difference]) -> list[Difference]:
        """Differences without changes that do not show that the claim is wrong."""
        copy = self._replace(is_close=not any(map(_is_reworded, found)))
        return [one for one in found if one.kind not in CHANGES or copy.is_clear(one)]

    def is_clear(self, one: Difference) -> bool:
        """Whether a difference shows that the claim is wrong."""
        if _proves_nothing(one):
            return False
        if one.kind == "opposite":
            return not are_alike(self.claim, self.source)
        if one.kind == "order":
            return _is_exchange(one, is_close=self.is_close)
        if one.kind in _VALUES:
            return self._is_other_value(one)
        sides = _Sides(_words(one.claim), _words(one.document))
        if one.kind == "negation":
            is_same = is_same_denial(sides.ours, sides.theirs)
            is_same |= are_denied_alike(self.claim, self.source)
            is_same |= are_excepted(self.claim, self.source)
            return not is_same and self._is_denial(sides)
        if one.kind == "name":
            return not self._is_longer_name(sides) and self._is_other_name(sides)
        return one.kind not in _SOFT or self._is_other_strength(one.kind, sides)

    def _is_other_value(self, one: Difference) -> bool:
        """Whether each side has a value of a kind; in a close copy, only one side may have it."""
        sides = _Sides(_words(one.claim), _words(one.document))
        if sides.is_alone:
            is_short = sides.longest <= _LONGEST_ALONE
            return self.is_close and is_short and not _is_light(one)
        if sides.are_of_one_day or _is_same_word(one):
            return False
        are_values = self.is_close or (_has_value(sides.ours) and _has_value(sides.theirs))
        return are_values and sides.longest <= _LONGEST_VALUE

    def _is_other_name(self, sides: "_Sides") -> bool:
        """Whether each side has a name that the other one does not have in any form."""
        left, right = _names(sides.ours), _names(sides.theirs)
        if self.is_close and sides.longest <= _LONGEST_NAME:
            return sides.are_apart and _is_pair(left, right, sides)
        if self.is_close and not sides.theirs:
            return any(one.norm not in self.known for one in sides.ours)
        is_name = len(left) == len(sides.ours) <= _LONGEST_NAME and sides.longest <= _LONGEST
        return is_name and self._are_new(left, right)

    def _is_longer_name(self, sides: "_Sides") -> bool:
        """Whether words that are left out begin with a name right behind a name."""
        before = dict(zip(_norms(self.source)[1:], self.source, strict=False))
        first = sides.theirs[:1] if not sides.ours else []
        names = [*first, *(before[one.norm] for one in first if one.norm in before)]
        return len(names) > 1 and all(one.text[:1].isupper() for one in names)

    def _are_new(self, ours: set[str], theirs: set[str]) -> bool:
        """Whether each of two names is nowhere on the other side."""
        is_known = ours & _stems(self.source) or theirs & _stems(self.claim)
        return bool(ours) and bool(theirs) and not is_known

    def _is_denial(self, sides: "_Sides") -> bool:
        """Whether only one side denies the words beside it."""
        rest = [one for one in sides.both if one.norm not in LISTS["negation"]]
        if all(map(is_weak, rest)) and len(sides.both) <= _LONGEST_ALONE:
            return True
        if not self.is_close:
            return False
        said, has = _negations(self.claim), _negations(self.source)
        is_short = sides.longest <= _LONGEST_ALONE and (said != has or not said)
        return is_short or sides.is_said

    def _is_other_strength(self, kind: str, sides: "_Sides") -> bool:
        """Whether both sides have a word of a kind, or only one side of a close copy has nothing
        else.
        """
        said, has = _of_kind(kind, sides.ours), _of_kind(kind, sides.theirs)
        if said and has:
            return not self._is_decided(said, has)
        rest = {one.norm for one in sides.both if not is_weak(one)} - said - has
        is_there = _is_of_many(sides) or (bool(has) and has <= {*_norms(self.claim)})
        return self.is_close and sides.is_alone and not rest and not is_there

    def _is_decided(self, said: set[str], has: set[str]) -> bool:
        """Whether a claim says that something will be done that a body agreed should be done."""
        is_future = bool(said) and said <= {"will", "shall"} and has == {"should"}
        return is_future and not LISTS["deciding"].isdisjoint(_norms(self.source))


def _is_of_many(sides: "_Sides") -> bool:
    """Whether a claim leaves out that a number are some "of the largest"."""
    norms = _norms(sides.theirs)
    return not sides.ours and norms[:2] == ["of", "the"] and len(norms) <= _LONGEST_ALONE


def _proves_nothing(one: Difference) -> bool:
    """Whether a difference is from the cells of a table, or an opposite among many words."""
    is_long = len(_words(one.document)) > _LONGEST_ORDER
    return CELL.strip() in one.document or (one.kind == "opposite" and is_long)


def _is_same_word(one: Difference) -> bool:
    """Whether two words are the same but for capitals, and neither is a symbol: "day", "Day"."""
    ours, theirs = one.claim.lower(), one.document.lower()
    return ours == theirs and (len(ours) > _LONGEST_SYMBOL or ours == "a")


def _is_light(one: Difference) -> bool:
    """Whether a value that only one side has changes nothing: "one", a tolerance, or the sign of a
    currency, which only the first of several amounts may have.
    """
    is_sign = one.claim.endswith(_CURRENCIES) and not one.document
    return is_sign or one.claim.lower() == "one" or one.document.startswith(_TOLERANCE)


class _Sides(NamedTuple):
    """The words of a claim and of a document at the same place."""

    ours: Sequence[Token]
    theirs: Sequence[Token]

    @property
    def both(self) -> list[Token]:
        return [*self.ours, *self.theirs]

    @property
    def longest(self) -> int:
        return max(len(self.ours), len(self.theirs))

    @property
    def is_alone(self) -> bool:
        """Whether only one side has words."""
        return not (self.ours and self.theirs)

    @property
    def are_of_one_day(self) -> bool:
        """Whether one side has the day of a date, and the other one no more: "22 October", "22"."""
        left, right = ({one.norm for one in side if not is_weak(one)} for side in self[:2])
        rest = left ^ right
        return (
            bool(left & right)
            and bool(rest)
            and rest <= LISTS["dates"]
            and not (left - right and right - left)
        )

    @property
    def are_apart(self) -> bool:
        """Whether no word is on both sides in any form."""
        return _stems(self.ours).isdisjoint(_stems(self.theirs))

    @property
    def is_said(self) -> bool:
        """Whether the document says something of the claim: "it is not true that"."""
        return [one.norm for one in self.theirs[-1:]] == ["that"]


def _are_other_titles(sides: _Sides) -> bool:
    """Whether a single word with a capital stands for another one, that of a number: "Table 5",
    "Figure 5".
    """
    if len(sides.ours) != 1 or len(sides.theirs) != 1:
        return False
    own, other = sides.ours[0], sides.theirs[0]
    is_same = own.norm.startswith(other.norm) or other.norm.startswith(own.norm)
    are_large = own.text[0].isupper() and other.text[0].isupper()
    return other.norm in LISTS["numbered"] and are_large and not is_same


def _is_pair(left: set[str], right: set[str], sides: _Sides) -> bool:
    """Whether a name stands for another one, or only one side has one."""
    is_other = left != right and (sides.is_alone or bool(right))
    return is_other or _are_other_titles(sides)


def _has_value(tokens: Iterable[Token]) -> bool:
    values = LISTS["dates"] | LISTS["units"]
    return any(one.is_number or one.norm in values for one in tokens)


def _of_kind(kind: str, tokens: Iterable[Token]) -> set[str]:
    return {one.norm for one in tokens if one.norm in LISTS[kind]}


def _is_reworded(difference: Difference) -> bool:
    """Whether a difference makes a claim one in other words."""
    if difference.kind not in ("wording", *CHANGES) or not difference.claim:
        return False
    ours, theirs = _words(difference.claim), _words(difference.document)
    is_long = bool(theirs) and max(len(ours), len(theirs)) > _LONGEST
    return is_long or (difference.kind == "wording" and not all(map(is_weak, ours)))


def _words(text: str) -> list[Token]:
    """The words and numbers of a text."""
    return [one for one in pieces_of(text) if one.is_word]


def _names(tokens: Iterable[Token]) -> set[str]:
    """The stems of words with a capital, without those in front of numbers: "Section"."""
    named = (one for one in tokens if any(map(str.isupper, one.text)) and not is_weak(one))
    return {stem(one.norm) for one in named if one.norm not in LISTS["numbered"]}


def _stems(tokens: Iterable[Token]) -> set[str]:
    return {stem(one.norm) for one in tokens}


def _negations(tokens: Iterable[Token]) -> int:
    return sum(one.fact == "negation" for one in tokens)


def _is_exchange(one: Difference, *, is_close: bool) -> bool:
    """Whether words have changed places around others: "A caused B", "B caused A"; words that are
    moved as a whole, "the Harlow log", "the log of Harlow", state the same.
    """
    light = LISTS["determiners"] | (frozenset() if is_close else _JOINS)
    ours, theirs = (
        [it for it in _words(text) if it.norm not in light] for text in (one.claim, one.document)
    )
    if max(len(ours), len(theirs)) > _LONGEST_ORDER:
        return False
    left, right = _norms(ours), _norms(theirs)
    return _are_turned(ours, theirs) or {*left} ^ {*right} == _JOINS or _are_exchanged(left, right)


def _norms(tokens: Iterable[Token]) -> list[str]:
    return [one.norm for one in tokens]


def _are_turned(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether two sides have the same numbers in another order."""
    left, right = ([one.norm for one in side if one.is_number] for side in (ours, theirs))
    is_near = len(theirs) <= len(ours) + _LONGEST_ALONE
    return is_near and left != right and sorted(left) == sorted(right)


def _are_exchanged(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two sides have the same words in another order, and none is moved as a whole."""
    common = Counter(left) & Counter(right)
    is_same = common.total() >= _SAME_WORDS * max(len(left), len(right))
    is_passive = (_PASSIVE in left) != (_PASSIVE in right)
    left, right = _shared(left, right), _shared(right, left)
    turned = [right[place:] + right[:place] for place in range(len(right))]
    return is_same and not is_passive and left not in turned


def _shared(norms: Sequence[str], others: Sequence[str]) -> list[str]:
    return [one for one in norms if one in others]


def is_wrong_by(difference: Difference, support: float) -> bool:
    """Whether a difference of a claim in other words from passages that support it so far shows
    that it is wrong.
    """
    if difference.is_sure:
        return True
    if difference.kind in ("negation", "order", "modality"):
        return support >= _CLOSE
    if difference.kind in ("name", "number"):
        sides = _Sides(_words(difference.claim), _words(difference.document))
        return bool(difference.document) and support >= _CLOSE and not sides.are_of_one_day
    is_opposite = difference.kind == "opposite" and support >= _OPPOSED
    return is_opposite or is_other_unit(difference)


def is_denied_alike(claim: Sequence[Token], source: Sequence[Token]) -> bool:
    """Whether a claim in other words denies what its source denies, or limits what it limits."""
    is_same = is_same_denial(claim, source) or is_same_bound(claim, source)
    return is_same or are_denied_alike(claim, source) or are_excepted(claim, source)


def is_new_value(difference: Difference, claim: str) -> bool:
    """Whether a difference is a number or a date that passages lack, and no count that somebody may
    have made: "three cities".
    """
    is_new = difference.kind in ("number", "date") and not difference.document
    behind = {one.norm for one in _words(claim[difference.span[1] :])[:_LONGEST_ALONE]}
    is_measured = not behind.isdisjoint(LISTS["units"])
    return is_new and (is_measured or not all(map(_is_count, _words(difference.claim))))


def _is_count(word: Token) -> bool:
    return word.norm.isdecimal() and int(word.norm) <= _LARGEST_COUNT
