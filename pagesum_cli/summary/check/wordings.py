"""How words of a claim and of a document that stand at the same place differ."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import product
from os.path import commonprefix

from ...text.words import STOP_WORDS, stem
from .layout import without_gaps
from .meanings import kind_of
from .tokens import DATA, FACTS, LISTS, Token, are_words

_WEAK = (
    STOP_WORDS
    - LISTS["negation"]
    - LISTS["modality"]
    - LISTS["comparison"]
    - {"he", "she", "his", "her"}
)
_LONGEST_SYMBOL = 3  # letters of a unit that is another one in capitals: mW, MW
_RISING, _FALLING = (DATA["opposites"][name].split() for name in ("rising", "falling"))
_PAIRS = [
    *(tuple(pair.split()) for pair in DATA["opposites"]["pairs"]),
    *product(_RISING, _FALLING),
]
_DEGREES = {word: words.split()[0] for words in DATA["degrees"] for word in words.split()}
"""The first of the words that compare alike, by each: the largest effect, the highest one."""
_BY_LETTER: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
"""Each beginning of a word and that of its opposite, by the first letter."""
for _pair in (*_PAIRS, *(pair[::-1] for pair in _PAIRS)):
    _BY_LETTER[_pair[0][0]].append(_pair)


def is_weak(token: Token) -> bool:
    """Whether a token carries no meaning of its own."""
    return token.norm in _WEAK or not token.is_word


def first_fact(tokens: Sequence[Token], kinds: Container[str]) -> str:
    """The first of some kinds of facts that tokens state; empty if they state none."""
    facts = facts_of(tokens)
    return next((kind for kind in FACTS if kind in kinds and facts[kind]), "")


def facts_of(tokens: Sequence[Token]) -> dict[str, Counter[str]]:
    """What tokens state, by kind; negations are alike."""
    facts = {
        kind: Counter(
            without_ending(_DEGREES.get(token.norm, token.norm))
            for token in tokens
            if token.fact == kind
        )
        for kind in FACTS
    }
    return facts | {"negation": Counter("not" for token in tokens if token.fact == "negation")}


def has_other_words(tokens: Sequence[Token]) -> bool:
    """Whether tokens have words that carry meaning and state no fact."""
    return any(not one.fact and not is_weak(one) for one in tokens)


def kind_of_other_words(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """The kind of difference between words that stand for each other and have the same facts."""
    if not any(token.is_word for token in (*ours, *theirs)):
        return "sign"
    if _letters(ours) == _letters(theirs):
        return "spelling"
    said, has = ({token.norm for token in side} for side in (ours, theirs))
    return _kind_of_norms(said - has, has - said)


def kind_of_marks(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """The kind of difference of punctuation marks: only one side may ask a question."""
    is_same = ("?" in [one.norm for one in ours]) == ("?" in [one.norm for one in theirs])
    return "punctuation" if is_same else "question"


def _letters(tokens: Sequence[Token]) -> str:
    """The letters of words without the spaces between them."""
    return "".join(token.norm for token in tokens if token.is_word)


def _kind_of_norms(left: set[str], right: set[str]) -> str:
    """How words differ each of which only one side has."""
    pairs = [*product(left, right)]
    if any(are_opposite(*pair) for pair in pairs):
        return "opposite"
    if any(_is_negated(one, other) or _is_negated(other, one) for one, other in pairs):
        return "negation"
    alike = {word for pair in pairs if _are_forms(*pair) for word in pair}
    return "form" if (left | right) - _WEAK <= alike else "wording"


def _are_forms(one: str, other: str) -> bool:
    """Whether two words differ only in an ending of English inflection."""
    start = len(commonprefix([one, other]))  # noqa: RUF071
    return start > 2 and {one[start:], other[start:]} <= LISTS["endings"] | {""}


def _is_negated(one: str, other: str) -> bool:
    """Whether a word is another one with a negative beginning."""
    return (
        len(other) > 3
        and one.endswith(other)
        and one.removesuffix(other) in LISTS["negative_beginnings"]
    )


def without_ending(norm: str) -> str:
    """A name without the ending of its plural or its genitive: BIDs, BID."""
    return norm[:-1] if len(norm) > 3 and norm[-1] == "s" and norm[-2] != "s" else norm


def nouns_of(tokens: Sequence[Token], place: int) -> set[str]:
    """What a number counts: the stems of the words after it."""
    return {stem(one.norm) for one in tokens[place + 1 : place + 4] if not is_weak(one)}


def noun_of(tokens: Sequence[Token], place: int) -> str:
    """The stem of the word right behind a number and its brackets, if it carries meaning: "days" of
    "fourteen (14) days"; empty without one.
    """
    behind = (one for one in tokens[place + 1 : place + 5] if one.is_word and not one.is_number)
    word = next(behind, None)
    return "" if word is None or is_weak(word) or word.norm == "percent" else stem(word.norm)


def are_opposite(one: str, other: str) -> bool:
    """Whether two words say the opposite of each other."""
    return any(_begins(other, opposite) for opposite in _opposites(one))


@lru_cache(maxsize=1 << 16)
def direction_of(word: str) -> str:
    """Whether a word says that something rises or falls; empty if neither."""
    if any(_begins(word, one) for one in _RISING):
        return "rising"
    return "falling" if any(_begins(word, one) for one in _FALLING) else ""


@lru_cache(maxsize=1 << 16)
def _opposites(word: str) -> list[str]:
    """How the words begin that say the opposite of a word."""
    return [opposite for beginning, opposite in _BY_LETTER[word[:1]] if _begins(word, beginning)]


def _begins(word: str, beginning: str) -> bool:
    """Whether a word is a form of what begins so; short beginnings are whole words."""
    return word.startswith(beginning) and len(word) - len(beginning) <= (
        4 if len(beginning) > 3 else 0
    )


def kind_of_pair(ours: Token, theirs: Token, *, is_first: bool) -> str:
    """How two tokens differ that are the same but for how they are written; empty if only in
    typographic variants.
    """
    one, other = ours.written, theirs.written
    if one == other or (is_first and _is_capital_only(one, other)):
        return ""
    facts = {ours.fact, theirs.fact}
    if one.lower() == other.lower():
        return _kind_of_case(one, facts)
    if DATA["same"].keys() & {*one.lower().split(), *other.lower().split()}:
        return "form"
    if kind := kind_of(ours.norm):
        return kind
    if facts > {"negation"}:  # only one side denies
        return "negation"
    both = re.sub(r"[\s'-]", "", one + other)
    return "spelling" if both.isalpha() else "notation"


def _kind_of_case(word: str, facts: set[str]) -> str:
    """What capitals change in a word that states these facts."""
    return "unit" if "unit" in facts and len(word) <= _LONGEST_SYMBOL else "case"


def are_drawn_alike(ours: Token, theirs: Token) -> bool:
    """Whether two tokens differ only in a space between a number and letters."""
    return without_gaps(ours.written) == without_gaps(theirs.written)


def _is_capital_only(one: str, other: str) -> bool:
    """Whether the first letter of two words is large in one of them, as where a sentence
    begins.
    """
    same = one[1:] == other[1:] and one[0].lower() == other[0].lower()
    is_word = one[1:].islower() or (len(one) > 3 and one[1].islower())
    return same and (is_word or one in "aA")


def kind_of_space(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """What a space between two words is that only one side has; empty if it matters not."""
    is_attached = [one.end == other.start for one, other in (ours, theirs)]
    if is_attached[0] == is_attached[1] or not are_words((*ours, *theirs)):
        return ""
    return "number" if all(one.norm.isdecimal() for one in ours) else "spacing"
