"""How a claim differs from a text of a document."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from os.path import commonprefix
from typing import NamedTuple
from unicodedata import normalize

from ...text.words import STOP_WORDS, lcs_rows, positions_of
from .tokens import DATA, FACTS, LISTS, PUNCTUATION, Token, mended

CHANGES = frozenset([*FACTS, "opposite", "order"])
"""Kinds of differences that make a claim state something else. Of an edited quote, they are omission, insertion,
citation, case, punctuation, form and moved; and ``wording`` is other words for what may be the same."""

MIN_COVERAGE, MIN_SHARED, MIN_ORDERED = 0.6, 0.85, 0.3
"""Shares of a claim's words, in order or in any order, and then in order, that make it a copy of a sentence."""

_BOUNDS = frozenset(",;:()[]–.!?")
_AT_ENDS = PUNCTUATION - frozenset("()[]") | {"*"}
_WEAK = STOP_WORDS - LISTS["negation"] - LISTS["modality"] - LISTS["comparison"] - {"he", "she", "his", "her"}
_PAIRS = [tuple(pair.split()) for pair in DATA["opposites"]["pairs"]]


class Block(NamedTuple):
    """Tokens of a claim, from ``a`` up to ``b``, that stand where the document has its tokens ``c`` up to ``d``."""

    a: int
    b: int
    c: int
    d: int


@dataclass(frozen=True)
class Difference:
    """What the claim and the document have at the same place.

    Attributes:
        kind: see ``CHANGES``.
        claim, document: the words; empty where there are none.
        span: their place in the claim.
    """

    kind: str
    claim: str
    document: str
    span: tuple[int, int] = (0, 0)


def verdict_of(differences: Sequence[Difference]) -> str:
    """What a copy with these differences is."""
    kinds = {one.kind for one in differences}
    if kinds & CHANGES:
        return "differs"
    return "paraphrase" if "wording" in kinds else "edited" if kinds else "verbatim"


class Comparison:
    """A claim beside one or several sentences.

    Args:
        claim, ours: The claim and its tokens.
        source, theirs: The text of the document and its tokens.

    Attributes:
        coverage: The share of the claim's words that the text has in the same order, 0–1.
        is_copy: Whether the claim is a copy of the text, changed or not.
    """

    def __init__(self, claim: str, ours: list[Token], source: str, theirs: list[Token]) -> None:
        wholes = {token.norm for token in (*ours, *theirs)}
        self._claim, self._ours = claim, _stripped(mended(ours, wholes))
        self._source, self._theirs = source, _stripped(mended(theirs, wholes))
        self._pairs = _pairs([token.norm for token in self._ours], [token.norm for token in self._theirs])
        words = [token.norm for token in self._ours if token.is_word]
        shared = (Counter(words) & Counter(token.norm for token in self._theirs)).total() / max(len(words), 1)
        self.coverage = sum(self._ours[i].is_word for i, _ in self._pairs) / max(len(words), 1)
        is_close = self.coverage >= MIN_COVERAGE or (shared >= MIN_SHARED and self.coverage >= MIN_ORDERED)
        self.is_copy = is_close and (len(words) > 2 or self.coverage == 1)

    def differences(self, has_phrase: Callable[[Sequence[str]], bool], *, is_part: bool) -> list[Difference]:
        """What differs, in the order of the claim.

        Args:
            has_phrase: Whether words stand one after another in the documents.
            is_part: Whether the claim need not be a whole sentence.
        """
        blocks, a, c = [], 0, 0
        for i, j in [*self._pairs, (len(self._ours), len(self._theirs))]:
            if i > a or j > c:
                blocks.append(Block(a, i, c, j))
            a, c = i + 1, j + 1
        if moved := self._moved(blocks):
            return [moved]
        if is_part:
            blocks = [one for one in blocks if one.b > one.a or 0 < one.a < len(self._ours)]
        found = [self._made(self._kind(block, has_phrase), block) for block in blocks]
        for i, j in self._pairs:
            one, other = (normalize("NFKC", token.text) for token in (self._ours[i], self._theirs[j]))
            is_case = i and one != other and one.lower() == other.lower()
            if is_case or (one.lower() != other.lower() and {one.lower(), other.lower()} & DATA["same"].keys()):
                kind = "form" if not is_case else "unit" if self._ours[i].fact == "unit" else "case"
                found.append(self._made(kind, Block(i, i + 1, j, j + 1)))
        return sorted(found, key=lambda one: one.span)

    def _made(self, kind: str, block: Block) -> Difference:
        ours, theirs = self._ours[block.a : block.b], self._theirs[block.c : block.d]
        place = ours[0].start if ours else self._ours[block.a - 1].end if block.a else 0
        span = place, ours[-1].end if ours else place
        document = self._source[theirs[0].start : theirs[-1].end] if theirs else ""
        return Difference(kind, self._claim[slice(*span)], document, span)

    def _moved(self, blocks: Sequence[Block]) -> Difference | None:
        """Words that both have at other places: exchanged, or moved as a whole."""
        ours = [[one.norm for one in self._ours[block.a : block.b] if not _is_weak(one)] for block in blocks]
        theirs = [[one.norm for one in self._theirs[block.c : block.d] if not _is_weak(one)] for block in blocks]
        left, right = sum(ours, []), sum(theirs, [])
        common = Counter(left) & Counter(right)
        touched = [block for block, *both in zip(blocks, ours, theirs, strict=True) if common.keys() & sum(both, [])]
        if len(touched) < 2 or common.total() < 0.8 * len(left):
            return None
        parts = [self._ours[one.a : one.b] or self._theirs[one.c : one.d] for one in blocks]
        are_one_sided = all(one.a == one.b or one.c == one.d for one in blocks)
        begins = any(token.norm in LISTS["adverbial"] for part in parts for token in part[:2])
        is_adverbial = len(blocks) == 2 and are_one_sided and left == right and begins
        whole = Block(touched[0].a, touched[-1].b, touched[0].c, touched[-1].d)
        return self._made("moved" if is_adverbial else "order", whole)

    def _kind(self, block: Block, has_phrase: Callable[[Sequence[str]], bool]) -> str:
        ours = [token for token in self._ours[block.a : block.b] if token.norm not in PUNCTUATION]
        theirs = [token for token in self._theirs[block.c : block.d] if token.norm not in PUNCTUATION]
        if not ours and not theirs:
            return "punctuation"
        if ours and theirs:
            changed = _facts(ours), _facts(theirs)
            kinds = (kind for kind in FACTS if changed[0][kind] != changed[1][kind])
            return next(kinds, "") or _of_other_words(ours, theirs)
        if all(token.is_citation for token in (ours or theirs)):
            return "citation"
        if theirs:
            return self._of_omission(block, theirs)
        around = self._ours[max(0, block.a - 1) : block.b + 1]
        is_bracket = {"[", "]"} <= {token.norm for token in around}
        if is_bracket and has_phrase([token.norm for token in ours]):
            return "insertion"
        facts = _facts(ours)
        return next((kind for kind in FACTS if facts[kind]), "insertion")

    def _of_omission(self, block: Block, words: Sequence[Token]) -> str:
        """The kind of an omission: it may change what is left."""
        before, after = self._theirs[: block.c][-1:], self._theirs[block.d :][:1]
        starts, ends = [*before, self._theirs[block.c]], [self._theirs[block.d - 1], *after]
        if all(len(side) < 2 or any(one.norm in _BOUNDS for one in side) for side in (starts, ends)):
            return "omission"
        kept = [*before, *after]
        changing = {"negation", *(("comparison", "modality") if after else ())}
        if any(token.is_number for token in kept):
            changing |= {"number", "unit", "name"}
        elif any(token.fact == "name" for token in kept):
            changing |= {"name"}
        facts = _facts(words)
        return next((kind for kind in FACTS if kind in changing and facts[kind]), "omission")


def _facts(tokens: Sequence[Token]) -> dict[str, Counter[str]]:
    """What tokens state, by kind; negations are alike."""
    facts = {kind: Counter(token.norm for token in tokens if token.fact == kind) for kind in FACTS}
    return facts | {"negation": Counter("not" for token in tokens if token.fact == "negation")}


def _stripped(tokens: list[Token]) -> list[Token]:
    """Tokens without punctuation at both ends, except brackets."""
    places = [place for place, token in enumerate(tokens) if token.norm not in _AT_ENDS]
    return tokens[places[0] : places[-1] + 1] if places else []


def _pairs(ours: list[str], theirs: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as places in both."""
    rows = lcs_rows(ours, positions_of(theirs), len(theirs))
    pairs = []
    i, j = len(ours), len(theirs)
    while low := rows[i] & ((1 << j) - 1):
        if ours[i - 1] == theirs[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif (rows[i - 1] & ((1 << j) - 1)).bit_count() == low.bit_count():
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _is_weak(token: Token) -> bool:
    return token.norm in _WEAK or not token.is_word


def conflicts(ours: Sequence[Token], theirs: Sequence[Token]) -> tuple[list[Difference], bool]:
    """Facts of a claim that passages in other words do not have, and whether one of both denies what the other says."""
    says, has = ({token.norm for token in side} for side in (ours, theirs))
    compares = "than" in has & says  # "A is larger than B" is "B is smaller than A"
    beginnings = {norm[:4] for norm in has}
    found = []
    for token in ours:
        if token.norm in has or token.fact == "negation" or _is_weak(token):
            continue
        opposites = [other for other in has - says if not compares and _are_opposite(token.norm, other)]
        is_new = token.fact in ("date", "unit", "name") and token.norm[:4] not in beginnings
        if opposites or token.is_number or is_new:
            kind = "opposite" if opposites else token.fact
            found.append(Difference(kind, token.text, opposites[0] if opposites else "", (token.start, token.end)))
    denials = [sum(token.fact == "negation" for token in side) % 2 for side in (ours, theirs)]
    return found, denials[0] != denials[1]


def _of_other_words(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    left, right = ({token.norm for token in side} for side in (ours, theirs))
    left, right = left - right, right - left
    pairs = [(one, other) for one in left for other in right]
    if any(_are_opposite(one, other) for one, other in pairs):
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
    return len(other) > 3 and one.endswith(other) and one.removesuffix(other) in LISTS["negative_beginnings"]


def _are_opposite(one: str, other: str) -> bool:
    return any(_begins(other, opposite) for opposite in _opposites(one))


@lru_cache(maxsize=1 << 16)
def _opposites(word: str) -> list[str]:
    """How the words begin that say the opposite of a word."""
    both = [*_PAIRS, *(pair[::-1] for pair in _PAIRS)]
    return [opposite for beginning, opposite in both if _begins(word, beginning)]


def _begins(word: str, beginning: str) -> bool:
    """Whether a word is a form of what begins so; short beginnings are whole words."""
    return word.startswith(beginning) and len(word) - len(beginning) <= (4 if len(beginning) > 3 else 0)
